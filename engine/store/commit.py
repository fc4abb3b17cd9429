"""Making finished documents visible: a new generation in every store, then one transaction of the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from sqlite_utils import Database

from engine.core.ids import DocumentId
from engine.core.ports import DocumentBundle, IngestStage, KeywordWrites
from engine.store.catalog import Catalog
from engine.store.ledger import Ledger
from engine.store.vectors import VectorStore

Pair = tuple[DocumentId, int]
_KEYWORD_ROUNDS = 200
"""Commits between two full merges of the keyword index; Whoosh merges small segments by itself in between."""


class Committer:
    """Writes batches for one run. The writer lock must be held."""

    def __init__(
        self, catalog: Catalog, vectors: VectorStore, keyword: KeywordWrites, extensions: Sequence[IngestStage]
    ) -> None:
        self._catalog = catalog
        self._ledger = Ledger(catalog)
        self._vectors = vectors
        self._keyword = keyword
        self._extensions = tuple(extensions)
        self._written: set[Pair] = set(catalog.visible().generations.items())
        """All that the stores hold rows of, as far as this run knows."""

    def commit(self, table: str, bundles: Sequence[DocumentBundle], stages: Mapping[str, str]) -> None:
        """Write a batch to `table` and the keyword index, then make it visible. Raises KnownError and leaves the
        former state visible."""
        generation = self._ledger.begin_generation()
        generations = {bundle.document: generation for bundle in bundles}
        segments = [segment for bundle in bundles for segment in bundle.segments]
        matrix = np.concatenate([bundle.vectors for bundle in bundles])
        version = self._vectors.write(table, segments, matrix, generations)
        stale = self._stale()
        self._keyword.write(segments, generations, stale)
        self._ledger.commit(
            generation,
            bundles,
            stages,
            vectors=table,
            vector_version=version,
            writes=[_write_of(stage, bundle) for stage in self._extensions for bundle in bundles],
        )
        self._written |= set(generations.items())
        if (compacted := self._vectors.compact(table)) is not None:
            self._ledger.note_vectors(table, compacted)

    def tidy(self) -> None:
        """Sweep rows nobody can see any more, compact when due, drop old versions."""
        table = self._catalog.meta("vectors")
        stale = self._stale()
        if stale:
            self._keyword.write((), {}, stale)
        if not table:
            return
        if stale:
            self._ledger.note_vectors(table, self._vectors.sweep(table, stale))
            self._written -= set(stale)
        compacted = self._vectors.compact(table)
        if compacted is not None:
            self._ledger.note_vectors(table, compacted)
        if (indexed := self._vectors.index_if_large(table)) is not None:
            self._ledger.note_vectors(table, indexed)
        if compacted is not None or stale:
            self._ledger.note_vectors(table, self._vectors.clean(table))

    def _stale(self) -> list[Pair]:
        return sorted(self._written - set(self._catalog.visible().generations.items()))


def _write_of(stage: IngestStage, bundle: DocumentBundle) -> Callable[[Database], None]:
    return lambda database: stage.write(database, bundle)
