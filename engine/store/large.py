"""Searching a vector table too large to hold in memory, through LanceDB's IVF_HNSW_SQ index.

The index finds candidates by quantised distance; they are scored again with their full vectors, so that the scores are
exact and only a missed neighbour can tell the result from a full scan's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.core.errors import BugError
from engine.core.ids import DocumentId, SegmentId
from engine.core.ports import Matrix, Scored, Vector, Visible

_MORE = 1.5
_LEAST = 60
_PROBES = 24
_ASK = 500


def has_index(table: Any) -> bool:
    return any("vector" in index.columns for index in table.list_indices())


def search(table: Any, vector: Vector, k: int, visible: Visible, within: Sequence[DocumentId] | None) -> list[Scored]:
    """The k nearest visible rows; more candidates are asked for until enough of them are visible."""
    limit = max(_LEAST, int(k * _MORE))
    while True:
        rows = _candidates(table, vector, limit, within)
        shown = [
            n for n, (document, generation) in enumerate(rows[1]) if visible.generations.get(document) == generation
        ]
        if len(shown) >= k or len(rows[0]) < limit:
            break
        limit *= 4
    scores = rows[2][shown] @ vector if shown else np.empty(0, dtype=np.float32)
    order = sorted(range(len(shown)), key=lambda n: (-scores[n], rows[0][shown[n]]))[:k]
    return [Scored(rows[0][shown[n]], float(scores[n])) for n in order]


def rows_of(table: Any, segments: Sequence[SegmentId], visible: Visible) -> Matrix:
    """Stored vectors in the order asked; raises BugError for an unknown segment."""
    known, matrix = present(table, segments, visible)
    if len(known) < len(segments):
        raise BugError(f"no vector is held for segment {next(one for one in segments if one not in set(known))}")
    return matrix


def present(table: Any, segments: Sequence[SegmentId], visible: Visible) -> tuple[list[SegmentId], Matrix]:
    """Those of `segments` that are visible, in the order asked, and their vectors."""
    found: dict[SegmentId, Vector] = {}
    wanted = list(dict.fromkeys(segments))
    for start in range(0, len(wanted), _ASK):
        chunk = wanted[start : start + _ASK]
        chosen = ", ".join(f"'{one}'" for one in chunk)
        # A segment may have rows of several generations, of which one is visible.
        ids, keys, matrix = _unpack(table.search().where(f"segment IN ({chosen})").to_arrow())
        for segment, (document, generation), vector in zip(ids, keys, matrix, strict=True):
            if visible.generations.get(document) == generation:
                found[segment] = vector
    known = [segment for segment in segments if segment in found]
    return known, np.array([found[segment] for segment in known], dtype=np.float32)


_Rows = tuple[list[SegmentId], list[tuple[DocumentId, int]], Matrix]


def _candidates(table: Any, vector: Vector, limit: int, within: Sequence[DocumentId] | None) -> _Rows:
    query = table.search(vector, vector_column_name="vector").distance_type("cosine").limit(limit).nprobes(_PROBES)
    if within is not None:
        chosen = ", ".join(f"'{document}'" for document in within)
        query = query.where(f"document IN ({chosen})" if chosen else "false", prefilter=True)
    return _unpack(query.to_arrow())


def _unpack(data: Any) -> _Rows:
    count = data.num_rows
    if not count:
        return [], [], np.empty((0, 0), dtype=np.float32)
    column = data["vector"].combine_chunks()
    flat = column.flatten().to_numpy(zero_copy_only=False).astype(np.float32, copy=False)
    keys = [
        (DocumentId(document), int(generation))
        for document, generation in zip(data["document"].to_pylist(), data["generation"].to_pylist(), strict=True)
    ]
    return [SegmentId(one) for one in data["segment"].to_pylist()], keys, flat.reshape(count, -1)
