"""Making finished documents visible: a new generation in every store, then one transaction of the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from sqlite_utils import Database

from engine.core.ids import DocumentId
from engine.core.ports import DocumentBundle, IngestStage, KeywordWrites
from engine.store.catalog import Catalog
from engine.store.ledger import Ledger
from engine.store.upkeep import Upkeep
from engine.store.vectors import VectorStore

Pair = tuple[DocumentId, int]


class Committer:
    """Writes batches for one run. The writer lock must be held."""

    def __init__(
        self,
        catalog: Catalog,
        vectors: VectorStore,
        keyword: KeywordWrites,
        extensions: Sequence[IngestStage],
        leftovers: Iterable[Pair] = (),
    ) -> None:
        self._catalog = catalog
        self._ledger = Ledger(catalog, [one.forget for one in extensions])
        self._vectors = vectors
        self._keyword = keyword
        self._extensions = tuple(extensions)
        self._upkeep = Upkeep(catalog)
        self.swept = False
        """Whether :meth:`tidy` left the stores without leftovers, and no compaction has failed half-way."""
        self._whole = True
        self._written: set[Pair] = {*catalog.visible().generations.items(), *leftovers}
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
        self._care(table)

    def tidy(self) -> list[str]:
        """Sweep rows nobody can see any more, compact when due, drop old versions. Returns what the user should know:
        upkeep that has failed several times."""
        table = self._catalog.meta("vectors")
        self.swept = self._upkeep.run("sweeping the stores", lambda: self._sweep(table))
        if table:
            self._care(table)
        self.swept = self.swept and self._whole
        return self._upkeep.complaints()

    def _sweep(self, table: str) -> None:
        stale = self._stale()
        if not stale:
            return
        self._keyword.write((), {}, stale)
        if table:
            self._ledger.note_vectors(table, self._vectors.sweep(table, stale))
        self._written -= set(stale)

    def _care(self, table: str) -> None:
        done = self._upkeep.run("compacting the vectors", lambda: self._compact(table))
        self._whole = self._whole and done

    def _compact(self, table: str) -> None:
        compacted = self._vectors.compact(table)
        if compacted is not None:
            self._ledger.note_vectors(table, compacted)
            self._ledger.note_vectors(table, self._vectors.clean(table))
        if (indexed := self._vectors.index_if_large(table)) is not None:
            self._ledger.note_vectors(table, indexed)

    def _stale(self) -> list[Pair]:
        return sorted(self._written - set(self._catalog.visible().generations.items()))


def _write_of(stage: IngestStage, bundle: DocumentBundle) -> Callable[[Database], None]:
    return lambda database: stage.write(database, bundle)
