"""Latency and memory of search at 100,000 segments made from the real texts.

The measuring runs in a process of its own (`python -m tests.benchmarks.retrieval_latency HOME MODELS QUESTIONS`), so
that its memory is that of a program that only searches.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from engine.core.ids import DocumentId, segment_id
from engine.core.model import FileKind, ParsedDocument, Segment
from engine.core.ports import DocumentBundle, Matrix, NameEntry
from engine.core.results import Route
from engine.embed.batch import FastEmbedder
from engine.embed.cache import CachedEmbedder
from engine.retrieve.rerank import OnnxReranker
from engine.retrieve.settings import RetrievalSettings
from engine.store.commit import Committer
from engine.store.names import NameStore
from engine.store.places import PlaceRow, Places, ScanOutcome
from engine.store.vectors import table_name
from tests.benchmarks.retrieval_library import (
    EMBEDDER,
    RERANKER,
    OpenLibrary,
    datasheet_questions,
    open_library,
    wiki_folder,
    wiki_questions,
)

SIZE = 100_000
_BATCH = 5_000
_NOISE = 0.02
"""Copies' vectors are moved a little, as those of look-alike documents are."""
_PAIRS = 30


def figures(
    shared: Path, models: Path, cache: Path, embedder: CachedEmbedder, size: int = SIZE
) -> Iterator[dict[str, object]]:
    """Build (once) and measure."""
    home, questions = home_of(shared, models, cache, embedder, size), questions_of(shared)
    command = [sys.executable, "-m", __spec__.name, str(home), str(models), json.dumps(questions)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)  # its errors go to our own stderr
    for line in done.stdout.splitlines():
        yield json.loads(line)


def home_of(shared: Path, models: Path, cache: Path, embedder: CachedEmbedder, size: int) -> Path:
    """The library of so many segments, built if it is not there."""
    home = cache / f"copies-{size}"
    if not (home / "done").exists():
        _build(home, shared, models, cache, embedder, size)
    return home


def questions_of(shared: Path) -> list[str]:
    """The questions that are searched for."""
    handed = datasheet_questions(shared / "datasheets" / "questions.jsonl")
    return [question.text for question in (*handed, *wiki_questions(shared))]


class _Names:
    """The ingest stage that writes ready-made gazetteer entries."""

    name = "linked"
    version = "1"

    def __init__(self, store: NameStore) -> None:
        self._store = store

    def make(self, bundle: DocumentBundle) -> DocumentBundle:
        return bundle

    def write(self, database: Any, bundle: DocumentBundle) -> None:
        entries = bundle.extra[self.name]
        assert isinstance(entries, tuple)
        self._store.replace(database, bundle.document, entries)

    def forget(self, database: Any, documents: Sequence[str]) -> None:
        self._store.forget(database, documents)


def _build(home: Path, shared: Path, models: Path, cache: Path, embedder: CachedEmbedder, size: int) -> None:
    folders = (("datasheets", shared / "datasheets" / "library"), ("2wiki", wiki_folder(shared, cache)))
    # What is only copied need not be read again when the parser has changed.
    sources = [
        OpenLibrary(cache / name, embedder, OnnxReranker(models / RERANKER))
        if (cache / name / "library.db").exists()
        else open_library(name, folder, cache, embedder, models)
        for name, folder in folders
    ]
    target = OpenLibrary(home, embedder, OnnxReranker(models / RERANKER))
    committer = Committer(target.catalog, target.vectors, target.keyword, (_Names(target.names),))
    known = Places(target.catalog)
    table = table_name(embedder.model_key)
    made, batch = 0, list[DocumentBundle]()
    for bundle in _copies(sources):
        batch.append(bundle)
        made += len(bundle.segments)
        if sum(len(one.segments) for one in batch) >= _BATCH or made >= size:
            names = [f"{b.parsed.title[:40].replace('/', ' ')} {b.document[:6]}.md" for b in batch]
            places = [PlaceRow("copies", name, name, b.document, 1, 1, 1) for name, b in zip(names, batch, strict=True)]
            known.apply(ScanOutcome(tuple(places), (), {}, {}))
            committer.commit(table, batch, {})
            batch = []
        if made >= size:
            break
    committer.tidy()
    target.keyword.compact()
    for one in (*sources, target):
        one.close()
    (home / "done").touch()


def _copies(sources: Sequence[OpenLibrary]) -> Iterator[DocumentBundle]:
    noise = np.random.default_rng(5)
    for number in range(SIZE):
        for source in sources:
            for info in source.catalog.documents():
                segments = source.catalog.document_segments(info.id)
                if not segments:
                    continue
                vectors = source.vectors.vectors([segment.id for segment in segments])
                entries = source.names.named([info.id])
                yield _copy(info.id, info.title, info.parts, segments, vectors, entries, number, noise)


def _copy(
    original: DocumentId,
    title: str,
    parts: tuple[str, ...],
    segments: Sequence[Segment],
    vectors: Matrix,
    entries: Sequence[NameEntry],
    number: int,
    noise: np.random.Generator,
) -> DocumentBundle:
    """The original at number 0; else a document of its own whose names carry the number."""
    document = DocumentId(hashlib.sha256(f"{original}/{number}".encode()).hexdigest())
    mark = f" {number}" if number else ""
    moved = vectors + (noise.normal(0, _NOISE, vectors.shape) if number else 0)
    unit = (moved / np.linalg.norm(moved, axis=1, keepdims=True)).astype(np.float32)
    copied = tuple(
        replace(segment, id=segment_id(document, segment.page, segment.ordinal, segment.text), document=document)
        for segment in segments
    )
    ids = {segment.id: copy.id for segment, copy in zip(segments, copied, strict=True)}
    names = tuple(
        NameEntry(
            entry.key + mark,
            entry.name + mark,
            entry.kind,
            document,
            ids[entry.segment] if entry.segment is not None else None,
        )
        for entry in entries
    )
    parsed = ParsedDocument(FileKind.MARKDOWN, title, (), (), (), (), ())
    return DocumentBundle(document, parsed, copied, unit, parts, extra={"linked": names})


def measure(home: Path, models: Path, questions: Sequence[str]) -> Iterator[dict[str, object]]:
    """What a program that only searches needs."""
    started = time.perf_counter()
    embedder = FastEmbedder(models / EMBEDDER)
    library = OpenLibrary(home, embedder, OnnxReranker(models / RERANKER))
    library.retriever().search(questions[0], 10)
    first = time.perf_counter() - started
    order = list(questions)
    random.Random(1).shuffle(order)
    full = RetrievalSettings()
    ways = (
        ("hybrid without reranker", full, Route.HYBRID),
        ("two routes only", replace(full, names=False, links=False), Route.HYBRID),
        (f"hybrid, {_PAIRS} pairs reranked", replace(full, rerank_pool=_PAIRS), Route.HYBRID),
        ("dense", full, Route.DENSE),
        ("keyword", full, Route.KEYWORD),
    )
    memory = 0
    for name, settings, route in ways:
        retriever = library.retriever(settings)
        for question in order[:5]:
            retriever.search(question, 10, route)
        seconds = []
        busy = time.process_time()
        for question in order:
            before = time.perf_counter()
            retriever.search(question, 10, route)
            seconds.append(time.perf_counter() - before)
        busy = time.process_time() - busy
        seconds.sort()
        memory = max(memory, psutil.Process().memory_info().rss)
        yield {
            "benchmark": "retrieval",
            "latency": name,
            "segments": library.catalog.totals()[2],
            "queries": len(seconds),
            "p50_ms": round(seconds[len(seconds) // 2] * 1000, 1),
            "p95_ms": round(seconds[int(0.95 * (len(seconds) - 1))] * 1000, 1),
            "cpu_ms": round(busy / len(order) * 1000, 1),
            "resident_mb": round(psutil.Process().memory_info().rss / 1e6),
            "load_average": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        }
    yield {"latency": "first search after start", "seconds": round(first, 2), "resident_mb": round(memory / 1e6)}
    library.close()


if __name__ == "__main__":
    for figure in measure(Path(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3])):
        print(json.dumps(figure), flush=True)
