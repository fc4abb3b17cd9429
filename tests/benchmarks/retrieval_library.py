"""Real indexes for the retrieval benchmark, built once in a cache folder and opened again at the next run."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from engine.core.events import Event, IndexProgress
from engine.core.ids import DocumentId
from engine.core.ports import Embedder, Parser
from engine.core.results import Library
from engine.embed.batch import FastEmbedder
from engine.embed.cache import CachedEmbedder
from engine.ingest import Ingest
from engine.keyword.index import KeywordStore
from engine.links.mentions import MentionIndex
from engine.parse.host import ParserHost
from engine.retrieve.rerank import OnnxReranker
from engine.retrieve.retriever import Retriever
from engine.retrieve.settings import RetrievalSettings
from engine.stages import Linked
from engine.store.catalog import Catalog
from engine.store.ledger import library_database
from engine.store.names import NameStore
from engine.store.vectors import VectorStore

EMBEDDER = "bge-small-en-v1.5-int8"
RERANKER = "ms-marco-minilm-l12-int8"

Item = tuple[str, int]
"""(file, page)."""


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    text: str
    kind: str
    evidence: tuple[frozenset[Item], ...]
    """What must be found; each set holds the places that serve equally well."""
    split: str = ""


class OpenLibrary:
    """All stores of one indexed library."""

    def __init__(self, home: Path, embedder: Embedder, reranker: OnnxReranker) -> None:
        database = library_database(home)
        self.catalog = Catalog(database)
        self.vectors = VectorStore(home / "vectors", self.catalog)
        self.keyword = KeywordStore(home / "keyword", self.catalog)
        self.names = NameStore(database)
        self.mentions = MentionIndex(self.names)
        self.embedder = embedder
        self.reranker = reranker
        self.beside = ThreadPoolExecutor(2, "dense")

    def retriever(self, settings: RetrievalSettings | None = None) -> Retriever:
        return Retriever(
            self.vectors,
            self.keyword,
            self.catalog,
            self.mentions,
            self.embedder,
            self.reranker,
            settings,
            beside=self.beside,
        )

    def files(self) -> dict[DocumentId, tuple[str, ...]]:
        return {info.id: tuple(place.file for place in info.places) for info in self.catalog.documents()}

    def close(self) -> None:
        self.beside.shutdown()
        for store in (self.vectors, self.keyword, self.names, self.catalog):
            store.close()


def open_embedder(models: Path, cache: Path) -> CachedEmbedder:
    cache.mkdir(parents=True, exist_ok=True)
    return CachedEmbedder(FastEmbedder(models / EMBEDDER), cache / "embeddings.db")


def open_library(
    name: str, folder: Path, cache: Path, embedder: CachedEmbedder, models: Path, own_parser: Parser | None = None
) -> OpenLibrary:
    """Index `folder` if the cache does not hold it yet (or is out of date), then open it. `own_parser` stays open."""
    home = cache / name
    library = OpenLibrary(home, embedder, OnnxReranker(models / RERANKER))
    parser = own_parser or ParserHost(workers=os.cpu_count() or 1)
    try:
        ingest = Ingest(
            Library(name, (folder,), home),
            library.catalog,
            library.vectors,
            library.keyword,
            parser,
            embedder,
            extensions=(Linked(library.names),),
        )
        ingest.run(_show)
    finally:
        if own_parser is None:
            parser.close()
    return library


def wiki_folder(shared: Path, cache: Path) -> Path:
    """2wiki as one Markdown file per passage: a heading with its title, then its text."""
    folder = cache / "2wiki-files"
    passages = json.loads((shared / "2wiki" / "corpus.json").read_text(encoding="utf-8"))
    if folder.is_dir() and sum(1 for _ in folder.iterdir()) == len(passages):
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    for passage in passages:
        (folder / wiki_file(passage["title"], passage["text"])).write_text(
            f"# {passage['title']}\n\n{passage['text']}\n", encoding="utf-8"
        )
    return folder


def wiki_file(title: str, text: str) -> str:
    return hashlib.sha256(f"{title}\n{text}".encode()).hexdigest()[:16] + ".md"


def wiki_questions(shared: Path) -> list[Question]:
    files: dict[str, set[Item]] = {}
    for passage in json.loads((shared / "2wiki" / "corpus.json").read_text(encoding="utf-8")):
        files.setdefault(passage["title"], set()).add((wiki_file(passage["title"], passage["text"]), 1))
    return [
        Question(row["id"], row["question"], row["type"], tuple(frozenset(files[t]) for t in row["gold_titles"]))
        for row in _rows(shared / "2wiki" / "questions.jsonl")
    ]


def datasheet_questions(path: Path) -> list[Question]:
    """Questions with evidence (unanswerable ones have none)."""
    questions = []
    for row in _rows(path):
        evidence = tuple(
            frozenset((place["file"], place["page"]) for place in (gold, *gold.get("also", ()))) for gold in row["gold"]
        )
        if evidence:
            questions.append(Question(row["id"], row["question"], row["type"], evidence, row.get("split", "")))
    return questions


def _rows(path: Path) -> Sequence[dict]:  # type: ignore[type-arg]
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _show(event: Event) -> None:
    if isinstance(event, IndexProgress) and sys.stderr.isatty():
        print(f"\r{event.done}/{event.total} {event.stage} {event.file[:60]:60}", end="", file=sys.stderr)
