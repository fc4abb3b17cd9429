"""Searching a vector table too large to hold in memory, through LanceDB's IVF_HNSW_SQ index.

The index finds candidates by quantised distance; they are scored again with their full vectors, so that the scores are
exact and only a missed neighbour can tell the result from a full scan's. The rows of a few documents are fetched by
their numbers instead and compared exactly: that takes a quarter of the time of a search with a filter.

Tables are asked through LanceDB's asynchronous interface: the other one reads the table's schema three times for every
query and lets a thread of its own ask, which is nearly half of the time (13 ms against 8, at 100,000 rows).
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import BugError
from engine.core.ids import DocumentId, SegmentId
from engine.core.ports import Matrix, Scored, Vector, Visible

Answered = TypeVar("Answered")
PIECES = 5
"""Of 7 pieces a search of 100,000 rows takes 7.6 ms, of one 4.7; to build it anew takes a minute of the processor."""
_PIECE_ROWS = 50_000
_MORE = 1.5
_LEAST = 60
_PROBES = 24
_ASK = 500
_FEW = 2_000
"""Rows of chosen documents up to which they are fetched: three megabytes."""
_KEPT = 4
"""Choices of documents whose rows are kept: one question searches the documents it names several times."""


def has_index(table: Any) -> bool:
    return bool(_index_names(table))


def rows_beyond_index(table: Any) -> int:
    """Rows that came after the index was built and are compared one by one at every search; 0 without an index."""
    return max((int(table.index_stats(name).num_unindexed_rows) for name in _index_names(table)), default=0)


def pieces_of_index(table: Any) -> int:
    """How many pieces the index is in: every time later rows join it, they are one more. 0 without an index."""
    return max((int(table.index_stats(name).num_indices) for name in _index_names(table)), default=0)


def _index_names(table: Any) -> list[str]:
    return [index.name for index in table.list_indices() if "vector" in index.columns]


def answer(asked: Coroutine[Any, Any, Answered]) -> Answered:
    """What LanceDB answers. The event loop lives as long as the question, so that any thread may ask."""
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(asked)
    finally:
        loop.close()


def in_many_pieces(table: Any) -> bool:
    """Whether the index is to be built anew: large tables may be in more pieces, else that took the most time."""
    return pieces_of_index(table) > max(PIECES, int(table.count_rows()) // _PIECE_ROWS)


class LargeTable:
    """One version of an indexed table, read only. `table` is an asynchronous one."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self._places: _Places | None = None
        self._held: OrderedDict[tuple[DocumentId, ...], tuple[list[SegmentId], Matrix]] = OrderedDict()

    def search(self, vector: Vector, k: int, visible: Visible, within: Sequence[DocumentId] | None) -> list[Scored]:
        """The k nearest visible rows, ties by segment id."""
        few = None if within is None else self._few(within, visible)
        ids, matrix = self._near(vector, k, visible, within) if few is None else few
        if not ids:
            return []
        scores = matrix @ vector
        order = sorted(range(len(ids)), key=lambda row: (-scores[row], ids[row]))[:k]
        return [Scored(ids[row], float(scores[row])) for row in order]

    def _near(
        self, vector: Vector, k: int, visible: Visible, within: Sequence[DocumentId] | None
    ) -> tuple[list[SegmentId], Matrix]:
        """Candidates by the index; more are asked for until enough of them are visible."""
        limit = max(_LEAST, int(k * _MORE))
        while True:
            ids, keys, matrix = _candidates(self._table, vector, limit, within)
            shown = [row for row, (document, number) in enumerate(keys) if visible.generations.get(document) == number]
            if len(shown) >= k or len(ids) < limit:
                return [ids[row] for row in shown], matrix[shown]
            limit *= 4

    def _few(self, within: Sequence[DocumentId], visible: Visible) -> tuple[list[SegmentId], Matrix] | None:
        """All visible rows of some documents; None where they are many."""
        chosen = tuple(within)
        if chosen in self._held:
            self._held.move_to_end(chosen)
            return self._held[chosen]
        if self._places is None:
            self._places = _Places.of(self._table)
        rows = self._places.rows(chosen, visible)
        if len(rows) > _FEW:
            return None
        ids, keys, matrix = _unpack(answer(self._table.take_row_ids(rows).to_arrow())) if rows else _NONE
        wanted = set(chosen)
        if len(ids) < len(rows) or any(document not in wanted for document, _ in keys):
            self._places = None  # a compaction has moved the rows since they were counted
            return None
        self._held[chosen] = ids, matrix
        if len(self._held) > _KEPT:
            self._held.popitem(last=False)
        return ids, matrix

    def rows_of(self, segments: Sequence[SegmentId], visible: Visible) -> Matrix:
        """Stored vectors in the order asked; raises BugError for an unknown segment."""
        known, matrix = self.present(segments, visible)
        if len(known) < len(segments):
            raise BugError(f"no vector is held for segment {next(one for one in segments if one not in set(known))}")
        return matrix

    def present(self, segments: Sequence[SegmentId], visible: Visible) -> tuple[list[SegmentId], Matrix]:
        """Those of `segments` that are visible, in the order asked, and their vectors."""
        found: dict[SegmentId, Vector] = {}
        wanted = list(dict.fromkeys(segments))
        for start in range(0, len(wanted), _ASK):
            chosen = ", ".join(f"'{one}'" for one in wanted[start : start + _ASK])
            # A segment may have rows of several generations, of which one is visible.
            ids, keys, matrix = _unpack(answer(self._table.query().where(f"segment IN ({chosen})").to_arrow()))
            for segment, (document, generation), vector in zip(ids, keys, matrix, strict=True):
                if visible.generations.get(document) == generation:
                    found[segment] = vector
        known = [segment for segment in segments if segment in found]
        return known, np.array([found[segment] for segment in known], dtype=np.float32)


@dataclass(frozen=True, slots=True)
class _Places:
    """Where each document's rows lie: `row_ids` stand in the order of documents, `starts` where a document's begin
    (and, last, where all end), `generations` those of the rows."""

    number_of: dict[str, int]
    starts: NDArray[np.int64]
    row_ids: NDArray[np.uint64]
    generations: NDArray[np.int64]

    @classmethod
    def of(cls, table: Any) -> _Places:
        """Read from a table once."""
        data = answer(table.query().select(["document", "generation"]).with_row_id().to_arrow())
        documents = data["document"].combine_chunks().dictionary_encode()
        codes = documents.indices.to_numpy()
        order = np.argsort(codes, kind="stable")
        names = documents.dictionary.to_pylist()
        return cls(
            {name: number for number, name in enumerate(names)},
            np.searchsorted(codes[order], np.arange(len(names) + 1)),
            data["_rowid"].to_numpy()[order],
            data["generation"].to_numpy()[order],
        )

    def rows(self, documents: Sequence[DocumentId], visible: Visible) -> list[int]:
        """Row ids of the visible rows of some documents."""
        found: list[int] = []
        for document in dict.fromkeys(documents):
            number = self.number_of.get(document)
            if number is not None:
                span = slice(int(self.starts[number]), int(self.starts[number + 1]))
                shown = self.generations[span] == visible.generations.get(document, -1)
                found += self.row_ids[span][shown].tolist()
        return found


_Rows = tuple[list[SegmentId], list[tuple[DocumentId, int]], Matrix]
_NONE: _Rows = ([], [], np.empty((0, 0), dtype=np.float32))


def _candidates(table: Any, vector: Vector, limit: int, within: Sequence[DocumentId] | None) -> _Rows:
    query = table.query().nearest_to(vector).column("vector").distance_type("cosine").limit(limit).nprobes(_PROBES)
    if within is not None:
        chosen = ", ".join(f"'{document}'" for document in within)
        query = query.where(f"document IN ({chosen})" if chosen else "false")
    return _unpack(answer(query.to_arrow()))


def _unpack(data: Any) -> _Rows:
    count = data.num_rows
    if not count:
        return _NONE
    column = data["vector"].combine_chunks()
    flat = column.flatten().to_numpy(zero_copy_only=False).astype(np.float32, copy=False)
    keys = [
        (DocumentId(document), int(generation))
        for document, generation in zip(data["document"].to_pylist(), data["generation"].to_pylist(), strict=True)
    ]
    return [SegmentId(one) for one in data["segment"].to_pylist()], keys, flat.reshape(count, -1)
