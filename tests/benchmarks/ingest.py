"""Index a folder from nothing, then once more without a change, and print the figures as one JSON line.

    python -m tests.benchmarks.ingest [FOLDER] [--keep HOME]

FOLDER defaults to $SHEAF_SHARED/datasheets/library, the embedder to $SHEAF_MODELS/bge-small-en-v1.5-int8.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

from engine.core.events import Event, IndexProgress
from engine.core.results import IndexReport, Library
from engine.embed.batch import FastEmbedder
from engine.embed.cache import CachedEmbedder
from engine.ingest import Ingest
from engine.keyword.index import KeywordStore
from engine.parse.host import ParserHost
from engine.store.catalog import Catalog
from engine.store.ledger import library_database
from engine.store.vectors import VectorStore

MODEL = "bge-small-en-v1.5-int8"


class MemoryWatch:
    """Highest resident memory of this process and its children together, sampled five times a second."""

    def __init__(self) -> None:
        self.peak = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> MemoryWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        me = psutil.Process()
        while not self._stop.wait(0.2):
            total = 0
            for process in (me, *me.children(recursive=True)):
                try:
                    total += process.memory_info().rss
                except psutil.NoSuchProcess:
                    continue
            self.peak = max(self.peak, total)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    shared = os.environ.get("SHEAF_SHARED", "")
    arguments.add_argument("folder", nargs="?", type=Path, default=Path(shared) / "datasheets" / "library")
    arguments.add_argument("--model", type=Path, default=Path(os.environ.get("SHEAF_MODELS", "")) / MODEL)
    arguments.add_argument("--keep", type=Path, help="leave the index in this folder")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        home = chosen.keep or Path(temporary)
        print(json.dumps(measure(chosen.folder, chosen.model, home)))


def measure(folder: Path, model: Path, home: Path) -> dict[str, object]:
    library = Library("benchmark", (folder,), home)
    embedder = CachedEmbedder(FastEmbedder(model), home / "embeddings.db")
    catalog = Catalog(library_database(home))
    vectors = VectorStore(home / "vectors", catalog)
    keyword = KeywordStore(home / "keyword", catalog)
    parser = ParserHost(workers=os.cpu_count() or 1)
    ingest = Ingest(library, catalog, vectors, keyword, parser, embedder)
    try:
        with MemoryWatch() as memory:
            report = ingest.run(show)
        again = ingest.run()
        started = time.perf_counter()
        keyword.search("maximum supply voltage", 10)
        vectors.search(embedder.embed_query("maximum supply voltage"), 10)
        first_search = time.perf_counter() - started
    finally:
        parser.close()
        for one in (keyword, vectors, catalog, embedder):
            one.close()
    return figures(report, again, home) | {
        "peak_memory_mb": round(memory.peak / 1e6),
        "first_search_seconds": round(first_search, 3),
    }


def show(event: Event) -> None:
    if isinstance(event, IndexProgress) and sys.stderr.isatty():
        print(f"\r{event.done}/{event.total} {event.stage} {event.file[:60]:60}", end="", file=sys.stderr)


def figures(report: IndexReport, again: IndexReport, home: Path) -> dict[str, object]:
    def size(folder: str) -> int:
        return sum(path.stat().st_size for path in home.glob(folder) if path.is_file())

    return {
        "benchmark": "ingest",
        "documents": report.documents,
        "failed": len(report.failed),
        "needs_ocr": len(report.needs_ocr),
        "skipped": len(report.skipped),
        "pages": report.pages,
        "segments": report.segments,
        "seconds": report.seconds,
        "pages_per_second": round(report.pages / report.seconds, 2),
        "segments_per_second": round(report.segments / report.seconds, 2),
        "no_change_seconds": again.seconds,
        "index_bytes": {
            "catalogue": size("library.db*"),
            "vectors": size("vectors/**/*"),
            "keyword": size("keyword/**/*"),
            "embedding_cache": size("embeddings.db*"),
        },
    }


if __name__ == "__main__":
    main()
