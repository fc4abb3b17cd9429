"""A library in a temporary folder, with everything to index and search it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType

from engine.core.cancel import CancelToken
from engine.core.events import Event
from engine.core.ports import Embedder, IngestStage, Parser
from engine.core.results import IndexReport, Library
from engine.embed.cache import CachedEmbedder
from engine.ingest import Ingest
from engine.keyword.index import KeywordStore
from engine.library.attention import Attention
from engine.store.catalog import Catalog
from engine.store.ledger import library_database
from engine.store.vectors import VectorStore
from tests.engine.ingest_fakes import HashEmbedder, TextParser


class LibraryCase(AbstractContextManager["LibraryCase"]):
    """One library over `root / docs`. Opening again on the same root is a new process's view."""

    def __init__(
        self,
        root: Path,
        *,
        folders: Sequence[Path] = (),
        embedder: Embedder | None = None,
        parser: Parser | None = None,
        extensions: Sequence[IngestStage] = (),
        parser_version: str = "1",
        retry_key: str = "",
    ) -> None:
        self.docs = root / "docs"
        self.docs.mkdir(parents=True, exist_ok=True)
        self.home = root / "home"
        self.library = Library("test", tuple(folders) or (self.docs,), self.home)
        self.base = embedder or HashEmbedder()
        self.embedder = CachedEmbedder(self.base, root / "embeddings.db")
        self.parser = parser or TextParser()
        self.catalog = Catalog(library_database(self.home))
        self.vectors = VectorStore(self.home / "vectors", self.catalog)
        self.keyword = KeywordStore(self.home / "keyword", self.catalog)
        self.events: list[Event] = []
        self.attention = Attention()
        self.ingest = Ingest(
            self.library,
            self.catalog,
            self.vectors,
            self.keyword,
            self.parser,
            self.embedder,
            extensions=extensions,
            workers=2,
            parser_version=parser_version,
            retry_key=retry_key,
            attention=self.attention,
        )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.keyword.close()
        self.vectors.close()
        self.catalog.close()
        self.embedder.close()

    def write(self, name: str, text: str) -> Path:
        path = self.docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def index(self, cancel: CancelToken | None = None) -> IndexReport:
        return self.ingest.run(self.events.append, cancel)

    def dense(self, text: str, k: int = 5) -> list[str]:
        """Files found by the dense route, best first."""
        found = self.vectors.search(self.embedder.embed_query(text), k)
        return [self._file(hit.segment) for hit in found]

    def words(self, text: str, k: int = 5) -> list[str]:
        """Files found by the keyword route, best first."""
        return [self._file(hit.segment) for hit in self.keyword.search(text, k)]

    def _file(self, segment: str) -> str:
        held = self.catalog.segments([segment])  # type: ignore[list-item]
        return self.catalog.places(held[0].document)[0].file if held else "?"

    def state(self) -> dict[str, object]:
        """Everything that must be equal between a disturbed and an undisturbed library."""
        documents = {
            (info.id, info.title, info.status.value, info.pages, info.segments, tuple(info.places))
            for info in self.catalog.documents()
        }
        visible = self.catalog.visible()
        segments = list(self.catalog.all_segments())
        shown = {segment.id for segment in segments}
        return {
            "documents": documents,
            "segments": {(segment.id, segment.document, segment.ordinal, segment.text) for segment in segments},
            "dense": {doc: rows for (doc, gen), rows in self.vectors.held(visible.vectors).items()},
            "keyword": {doc: rows for (doc, gen), rows in self.keyword.held().items()},
            "vectors": len(shown) == len(self.vectors.vectors(sorted(shown))) if shown else True,
        }
