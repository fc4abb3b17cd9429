"""Fusion of the dense and the keyword route: HiQA's equation 2 and its rivals behind one name.

Every method takes the two routes' lists and gives one ranked list; ties go to the smaller segment id, so that a
result never depends on the order in which routes answered.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from engine.core.ids import SegmentId
from engine.core.ports import Scored

Scores = Mapping[SegmentId, float]


class Fusion(StrEnum):
    MIN_MAX = "min_max"
    """HiQA's equation 2: a * dense~ + (1 - a) * lexical~ + b * log(1+m)/log(1+M), ~ over the query's candidates."""
    RRF = "rrf"
    Z_SCORE = "z_score"
    COLLECTION = "collection"
    """Scores scaled from the collection's floor (not the pool's minimum) to the query's best."""


@dataclass(frozen=True, slots=True)
class Weights:
    """`alpha` balances dense against keyword, `beta` weighs the critical terms, `rrf_k` damps the first ranks."""

    alpha: float = 0.5
    beta: float = 0.5
    rrf_k: int = 60


@dataclass(frozen=True, slots=True)
class Critical:
    """The query's critical terms: how many there are (M) and how many each candidate matches (m, may be partial)."""

    count: int = 0
    matched: Mapping[SegmentId, float] = field(default_factory=dict)

    def bonus(self, segment: SegmentId) -> float:
        """log(1+m) / log(1+M), in 0..1; without critical terms there is no bonus."""
        if self.count <= 0:
            return 0.0
        matched = min(max(self.matched.get(segment, 0.0), 0.0), float(self.count))
        return math.log1p(matched) / math.log1p(self.count)


@dataclass(frozen=True, slots=True)
class Floors:
    """What the collection's scores start from: the similarity of unrelated passages, and BM25's zero."""

    dense: float = 0.5
    lexical: float = 0.0


@dataclass(frozen=True, slots=True)
class Fused:
    segment: SegmentId
    score: float
    bonus: float = 0.0


def fuse(
    method: Fusion,
    dense: Sequence[Scored],
    lexical: Sequence[Scored],
    *,
    weights: Weights,
    critical: Critical | None = None,
    floors: Floors | None = None,
) -> list[Fused]:
    """Rank the union of both lists, best first. A candidate that a route did not return scores 0 there."""
    terms = critical or Critical()
    left, right = _SCALES[method](dense, lexical, weights, floors or Floors())
    fused = []
    for segment in {**left, **right}:
        bonus = terms.bonus(segment)
        score = weights.alpha * left.get(segment, 0.0) + (1 - weights.alpha) * right.get(segment, 0.0)
        fused.append(Fused(segment, score + weights.beta * bonus, bonus))
    fused.sort(key=lambda item: (-item.score, item.segment))
    return fused


def min_max(scored: Sequence[Scored]) -> dict[SegmentId, float]:
    """Scores to 0..1 over the list; constant scores, or a single candidate, say nothing and become 0."""
    if not scored:
        return {}
    low, high = min(s.score for s in scored), max(s.score for s in scored)
    if high <= low:
        return {s.segment: 0.0 for s in scored}
    return {s.segment: (s.score - low) / (high - low) for s in scored}


def _by_min_max(dense: Sequence[Scored], lexical: Sequence[Scored], _w: Weights, _f: Floors) -> tuple[Scores, Scores]:
    return min_max(dense), min_max(lexical)


def _by_rank(dense: Sequence[Scored], lexical: Sequence[Scored], weights: Weights, _f: Floors) -> tuple[Scores, Scores]:
    # Scaled so that the first place is 1: then beta means the same under every method.
    top = weights.rrf_k + 1
    left = {s.segment: top / (weights.rrf_k + rank) for rank, s in enumerate(dense, start=1)}
    right = {s.segment: top / (weights.rrf_k + rank) for rank, s in enumerate(lexical, start=1)}
    return left, right


def _by_z_score(dense: Sequence[Scored], lexical: Sequence[Scored], _w: Weights, _f: Floors) -> tuple[Scores, Scores]:
    return _standardise(dense), _standardise(lexical)


def _standardise(scored: Sequence[Scored]) -> Scores:
    """Standard scores shifted so that the list's last candidate is 0, like one the route did not return."""
    if len(scored) < 2:
        return {s.segment: 0.0 for s in scored}
    spread = statistics.pstdev(s.score for s in scored)
    if spread <= 0:
        return {s.segment: 0.0 for s in scored}
    low = min(s.score for s in scored)
    # Four spreads cover a pool; dividing by them keeps beta's scale near that of min-max.
    return {s.segment: (s.score - low) / (4 * spread) for s in scored}


def _by_collection(dense: Sequence[Scored], lexical: Sequence[Scored], _w: Weights, f: Floors) -> tuple[Scores, Scores]:
    return _above(dense, f.dense), _above(lexical, f.lexical)


def _above(scored: Sequence[Scored], floor: float) -> Scores:
    high = max((s.score for s in scored), default=floor)
    if high <= floor:
        return {s.segment: 0.0 for s in scored}
    return {s.segment: max(0.0, (s.score - floor) / (high - floor)) for s in scored}


_Scale = Callable[[Sequence[Scored], Sequence[Scored], Weights, Floors], tuple[Scores, Scores]]
_SCALES: Mapping[Fusion, _Scale] = {
    Fusion.MIN_MAX: _by_min_max,
    Fusion.RRF: _by_rank,
    Fusion.Z_SCORE: _by_z_score,
    Fusion.COLLECTION: _by_collection,
}
