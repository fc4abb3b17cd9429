"""Who gets a place in the result: reserved places for each thing asked about, and room for other pages."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.core.ids import SegmentId

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its fused score; `through` says over which link it was found, "" if directly."""

    segment: SegmentId
    score: float
    through: str = ""


def interleave(lists: Sequence[Sequence[Ranked]], places: int) -> list[Ranked]:
    """The first `places` of every list in turn, then all others by score; every segment once."""
    taken: dict[SegmentId, Ranked] = {}
    for place in range(places):
        for ranked in lists:
            fresh = [item for item in ranked if item.segment not in taken]
            # A list whose next best was already taken by another keeps its turn with the one after.
            if place < len(ranked) and fresh:
                taken[fresh[0].segment] = fresh[0]
    rest = sorted((item for ranked in lists for item in ranked), key=lambda item: (-item.score, item.segment))
    for item in rest:
        taken.setdefault(item.segment, item)
    return list(taken.values())


def insert_reserved(ranked: Sequence[Ranked], reserved: Sequence[Ranked], after: int) -> list[Ranked]:
    """Put `reserved` behind the first `after` places; each segment once, at its better place."""
    head = list(ranked[:after])
    known = {item.segment for item in head}
    fresh = [item for item in reserved if item.segment not in known]
    moved = {item.segment for item in fresh}
    return head + fresh + [item for item in ranked[after:] if item.segment not in moved]


def spread(items: Iterable[Item], group: Callable[[Item], Hashable], limit: int, window: int) -> list[Item]:
    """Let at most `limit` items of one group stand among the first `window`; the others follow in their order."""
    early: list[Item] = []
    late: list[Item] = []
    counts: dict[Hashable, int] = {}
    for item in items:
        key = group(item)
        if len(early) < window and counts.get(key, 0) >= limit:
            late.append(item)
            continue
        counts[key] = counts.get(key, 0) + 1
        early.append(item)
    return early[:window] + late + early[window:]
