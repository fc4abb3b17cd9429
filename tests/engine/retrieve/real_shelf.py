"""A library over the real stores, indexed from given texts, with the retriever over it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from engine.links.mentions import MentionIndex
from engine.retrieve.retriever import Retriever
from engine.stages import Linked
from engine.store.ledger import library_database
from engine.store.names import NameStore
from tests.engine.library_case import LibraryCase


class RealShelf:
    """Write into `case.docs`, call :meth:`index`, then ask `retriever`."""

    def __init__(self, root: Path, sheets: Mapping[str, str]) -> None:
        self._names = NameStore(library_database(root / "home"))
        self.case = LibraryCase(root, extensions=(Linked(self._names),))
        for name, text in sheets.items():
            self.case.write(name, text)

    def index(self) -> None:
        self.case.index()
        mentions = MentionIndex(self._names)
        self.retriever = Retriever(
            self.case.vectors, self.case.keyword, self.case.catalog, mentions, self.case.embedder
        )

    def close(self) -> None:
        self.case.close()
        self._names.close()
