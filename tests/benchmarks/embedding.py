"""Passages a second of the program's embedder against bare onnxruntime, one text per call on all cores; one JSON line.

    python -m tests.benchmarks.embedding [--passages 400]

Texts come from $SHEAF_SHARED/2wiki/corpus.json (short) and from joining them (long, about 1,200 characters). The two
are measured in turns, so that a busy machine slows both alike.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from engine.core.ports import Matrix
from engine.embed.batch import FastEmbedder

MODEL = "bge-small-en-v1.5-int8"
ROUNDS = 5


class Bare:
    """onnxruntime and the tokenizer, nothing else: the most that one text per call can give on these cores."""

    def __init__(self, folder: Path, threads: int) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(512)
        self._tokenizer.no_padding()
        self._threads = threads

    def embed(self, texts: list[str]) -> Matrix:
        with ThreadPoolExecutor(self._threads) as pool:
            return np.array(list(pool.map(self._one, texts)), dtype=np.float32)

    def _one(self, text: str) -> Matrix:
        ids = np.array([self._tokenizer.encode(text).ids], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        vector = self._session.run(None, given)[0][0, 0]
        return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--passages", type=int, default=300)
    chosen = arguments.parse_args()
    shared, models = Path(os.environ["SHEAF_SHARED"]), Path(os.environ["SHEAF_MODELS"])
    corpus = json.loads((shared / "2wiki" / "corpus.json").read_text(encoding="utf-8"))
    short = [f"{one['title']}\n{one['text']}" for one in corpus[: chosen.passages]]
    long = [" ".join(short[n : n + 4])[:1200] for n in range(0, len(short) - 4, 8)]
    threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    ours, bare = FastEmbedder(models / MODEL), Bare(models / MODEL, threads)
    for name, texts in (("short", short), ("long", long)):
        print(json.dumps({"benchmark": f"embedding_{name}", **compare(ours, bare, texts)}))


def compare(ours: FastEmbedder, bare: Bare, texts: list[str]) -> dict[str, float | bool]:
    equal = bool(np.array_equal(ours.embed_passages(texts[:20]), ours.embed_passages(texts[:20][::-1])[::-1]))
    cosine = float((ours.embed_passages(texts[:20]) * bare.embed(texts[:20])).sum(axis=1).min())
    spent = {"ours": 0.0, "bare": 0.0}
    for _ in range(ROUNDS):
        for name, run in (("ours", ours.embed_passages), ("bare", bare.embed)):
            began = time.perf_counter()
            run(texts)
            spent[name] += time.perf_counter() - began
    per_second = {name: ROUNDS * len(texts) / seconds for name, seconds in spent.items()}
    return {
        "ours_per_second": round(per_second["ours"], 1),
        "bare_per_second": round(per_second["bare"], 1),
        "share": round(per_second["ours"] / per_second["bare"], 3),
        "same_in_any_order": equal,
        "least_cosine_with_bare": round(cosine, 6),
    }


if __name__ == "__main__":
    main()
