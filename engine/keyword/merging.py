"""When Whoosh's segments are merged: in tiers, so that every passage is written a few times at most.

Whoosh's own policy merges whatever is small by Fibonacci numbers; at tens of thousands of passages one commit in a few
then rewrites most of the index, which takes minutes and gigabytes of temporary files.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

_FACTOR = 8
_SMALLEST = 64
_LARGEST = 20_000
"""Segments of more rows than this stay as they are."""
_WASTE = 0.4
"""Share of deleted rows from which a segment is rewritten whatever its size."""


def merge_by_tiers(writer: Any, segments: Sequence[Any]) -> list[Any]:
    """Whoosh merge policy: put together what is to be merged, return the segments that stay."""
    from whoosh.reading import SegmentReader

    chosen = {id(segment) for segment in to_merge(segments)}
    for segment in segments:
        if id(segment) in chosen:
            reader = SegmentReader(writer.storage, writer.schema, segment)
            writer.add_reader(reader)
            reader.close()
    return [segment for segment in segments if id(segment) not in chosen]


def to_merge(segments: Sequence[Any]) -> list[Any]:
    """Tiers that are full, smallest first as one merge may fill the next, and segments that are mostly deleted."""
    wasteful = [one for one in segments if one.deleted_count() > _WASTE * max(1, one.doc_count_all())]
    tiers: dict[int, list[Any]] = {}
    for segment in segments:
        if segment.doc_count_all() <= _LARGEST and not any(segment is one for one in wasteful):
            tiers.setdefault(tier_of(segment.doc_count_all()), []).append(segment)
    merged = list(wasteful)
    carried = 0
    for tier in sorted(tiers):
        if len(tiers[tier]) + carried >= _FACTOR:
            merged += tiers[tier]
            carried = 1
        else:
            carried = 0
    return merged


def tier_of(rows: int) -> int:
    return 0 if rows <= _SMALLEST else int(math.log(rows / _SMALLEST, _FACTOR)) + 1
