"""The ingest's further stages: names and parts for the links, records for the parameter search, revisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.core.ports import DocumentBundle
from engine.core.revision_ports import RevisionEntry
from engine.links.gazetteer import entries_of
from engine.links.identifiers import about_parts
from engine.links.revisions import revision_entry
from engine.parameters.records import extract_records
from engine.store.names import NameStore
from engine.store.records import RecordStore
from engine.store.revisions import RevisionStore

PARSED_VERSION = "7"
"""Raise it when engine/parse makes another document of the same file: every file is then read again."""
LINKED_VERSION = "3"
"""Raise it when engine/links reads other parts or names from the same document."""
RECORDED_VERSION = "17"
"""Raise it when engine/parameters makes other records of the same document."""
REVISED_VERSION = "1"
"""Raise it when engine/links/revisions tells revisions apart by something else of a document."""


class Linked:
    """The parts a document is about, and its entries in the gazetteer."""

    name = "linked"

    def __init__(self, names: NameStore) -> None:
        self._names = names

    @property
    def version(self) -> str:
        return LINKED_VERSION

    def make(self, bundle: DocumentBundle) -> DocumentBundle:
        parts = about_parts(bundle.parsed)
        entries = entries_of(bundle.document, bundle.parsed.title, parts, bundle.segments, bundle.parsed.facts)
        return replace(bundle, parts=parts, extra={**bundle.extra, self.name: entries})

    def write(self, database: Any, bundle: DocumentBundle) -> None:
        entries = bundle.extra[self.name]
        assert isinstance(entries, tuple)
        self._names.replace(database, bundle.document, entries)

    def forget(self, database: Any, documents: Sequence[str]) -> None:
        self._names.forget(database, documents)


class Recorded:
    """Parameter records of every table; stands after :class:`Linked`, whose parts it needs."""

    name = "recorded"

    def __init__(self, store: RecordStore) -> None:
        self._store = store

    @property
    def version(self) -> str:
        return RECORDED_VERSION

    def make(self, bundle: DocumentBundle) -> DocumentBundle:
        return replace(bundle, records=extract_records(bundle.document, bundle.parsed, bundle.parts))

    def write(self, database: Any, bundle: DocumentBundle) -> None:
        self._store.replace(database, bundle.document, bundle.records)

    def forget(self, database: Any, documents: Sequence[str]) -> None:
        self._store.forget(database, documents)


class Revised:
    """What tells which revision a document is; stands after :class:`Linked`, whose parts it needs."""

    name = "revised"

    def __init__(self, store: RevisionStore) -> None:
        self._store = store

    @property
    def version(self) -> str:
        return REVISED_VERSION

    def make(self, bundle: DocumentBundle) -> DocumentBundle:
        texts = [segment.text for segment in bundle.segments]
        entry = revision_entry(bundle.document, bundle.parsed, bundle.parts, texts)
        return replace(bundle, extra={**bundle.extra, self.name: entry})

    def write(self, database: Any, bundle: DocumentBundle) -> None:
        entry = bundle.extra[self.name]
        assert isinstance(entry, RevisionEntry)
        self._store.replace(database, entry)

    def forget(self, database: Any, documents: Sequence[str]) -> None:
        self._store.forget(database, documents)
