"""Latency and memory of the two stores at a given number of segments; one JSON line.

    python -m tests.benchmarks.stores [--segments 100000] [--keep FOLDER]

Texts are drawn from $SHEAF_SHARED/2wiki/corpus.json with their sentences shuffled between passages, vectors from
clusters of random directions. Queries are the questions of 2wiki. Vectors are searched by the matrix and by the index,
whose recall loss is told.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import numpy as np
import psutil

from engine.core.ids import DocumentId, segment_id
from engine.core.model import Segment, SegmentKind
from engine.core.ports import Matrix, Visible
from engine.keyword.index import KeywordStore
from engine.store.vectors import VectorStore, table_name

D = 384
PER_DOCUMENT = 40
CLUSTERS = 400
TABLE = table_name("benchmark")


class Shown:
    def __init__(self) -> None:
        self.generations: dict[DocumentId, int] = {}

    def visible(self) -> Visible:
        return Visible(1, self.generations, {}, TABLE)


def segments(count: int, shared: Path) -> Iterator[list[Segment]]:
    """Documents of PER_DOCUMENT segments each."""
    corpus = json.loads((shared / "2wiki" / "corpus.json").read_text(encoding="utf-8"))
    chance = random.Random(1)
    sentences = [one for passage in corpus for one in passage["text"].split(". ") if one]
    for number in range(count // PER_DOCUMENT):
        document = DocumentId(sha256(str(number).encode()).hexdigest())
        title = chance.choice(corpus)["title"]
        made = []
        for ordinal in range(PER_DOCUMENT):
            text = ". ".join(chance.choices(sentences, k=6))
            path = (title, f"Section {ordinal // 4}")
            made.append(
                Segment(
                    segment_id(document, 1, ordinal, text),
                    document,
                    ordinal,
                    SegmentKind.TEXT,
                    title,
                    path,
                    text,
                    text,
                    1,
                    (1,),
                )
            )
        yield made


def vectors(count: int, chance: np.random.Generator, centres: Matrix) -> Matrix:
    made = centres[chance.integers(0, len(centres), count)] + chance.normal(0, 0.04, (count, D))
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


def build(home: Path, count: int, shared: Path) -> tuple[Shown, float, Matrix]:
    """The stores on disk (kept ones are used again) and the seconds the keyword index took."""
    shown = Shown()
    chance = np.random.default_rng(1)
    centres = chance.normal(0, 1, (CLUSTERS, D)) / np.sqrt(D)
    queries = vectors(100, chance, centres)
    made = not (home / "done").exists()
    keyword, dense = KeywordStore(home / "keyword", shown), VectorStore(home / "vectors", shown)
    spent, batch = 0.0, list[Segment]()
    for document in segments(count, shared):
        shown.generations[document[0].document] = 1
        batch += document
        if made and len(batch) >= 4000:
            spent += _write(keyword, dense, batch, shown, vectors(len(batch), chance, centres))
            batch = []
    if made:
        spent += _write(keyword, dense, batch, shown, vectors(len(batch), chance, centres))
        dense.compact(TABLE, force=True)
        (home / "done").write_text("")
    keyword.close()
    dense.close()
    return shown, spent, queries


def _write(keyword: KeywordStore, dense: VectorStore, batch: list[Segment], shown: Shown, matrix: Matrix) -> float:
    if not batch:
        return 0.0
    dense.write(TABLE, batch, matrix, shown.generations)
    began = time.perf_counter()
    keyword.write(batch, shown.generations)
    return time.perf_counter() - began


def times(run: Callable[[int], object], count: int) -> dict[str, float]:
    spent = []
    for n in range(count):
        began = time.perf_counter()
        run(n)
        spent.append((time.perf_counter() - began) * 1000)
    spent.sort()
    return {"p50_ms": round(statistics.median(spent), 2), "p95_ms": round(spent[int(0.95 * (count - 1))], 2)}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--segments", type=int, default=100_000)
    arguments.add_argument("--keep", type=Path)
    chosen = arguments.parse_args()
    shared = Path(os.environ["SHEAF_SHARED"])
    with tempfile.TemporaryDirectory() as temporary:
        print(json.dumps(measure(chosen.keep or Path(temporary), chosen.segments, shared)))


def measure(home: Path, count: int, shared: Path) -> dict[str, object]:
    home.mkdir(parents=True, exist_ok=True)
    shown, spent, queries = build(home, count, shared)
    questions = [
        json.loads(line)["question"]
        for line in (shared / "2wiki" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    keyword, dense = KeywordStore(home / "keyword", shown), VectorStore(home / "vectors", shown)
    began = time.perf_counter()
    keyword.search(questions[0], 50)
    first_keyword = time.perf_counter() - began
    began = time.perf_counter()
    exact = [{hit.segment for hit in dense.search(query, 20)} for query in queries[:1]]
    first_dense = time.perf_counter() - began
    result: dict[str, object] = {
        "benchmark": "stores",
        "segments": count,
        "keyword_segments_per_second": round(count / spent, 1) if spent else None,
        "first_keyword_seconds": round(first_keyword, 3),
        "first_dense_seconds": round(first_dense, 3),
        "keyword_cold": times(lambda n: keyword.search(questions[n], 50), len(questions)),
        "keyword": times(lambda n: keyword.search(questions[n % len(questions)], 50), 3 * len(questions)),
        "dense_matrix": times(lambda n: dense.search(queries[n], 50), len(queries)),
        "memory_mb": round(psutil.Process().memory_info().rss / 1e6),
    }
    exact = [{hit.segment for hit in dense.search(query, 20)} for query in queries]
    dense.close()
    indexed = VectorStore(home / "vectors", shown, matrix_rows=0)
    indexed.index_if_large(TABLE)
    result["dense_index"] = times(lambda n: indexed.search(queries[n], 50), len(queries))
    found = [{hit.segment for hit in indexed.search(query, 20)} for query in queries]
    result["index_recall_at_20"] = round(
        float(np.mean([len(a & b) / len(a) for a, b in zip(exact, found, strict=True)])), 4
    )
    keyword.close()
    indexed.close()
    return result


if __name__ == "__main__":
    main()
