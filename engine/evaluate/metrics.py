"""Retrieval metrics over ranked lists, and the intervals every printed figure carries.

Evidence is a sequence of sets: each set holds the items that serve one piece of evidence equally well (a gold page and
the pages its question names as `also`). Ranks are 1-based; None means "not retrieved".
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)
Ranks = Sequence[int | None]


def ranks_of(ranked: Sequence[Item], evidence: Sequence[AbstractSet[Item]]) -> tuple[int | None, ...]:
    """Rank of the first item that serves each piece of evidence."""
    first: dict[Item, int] = {}
    for rank, item in enumerate(ranked, start=1):
        first.setdefault(item, rank)
    return tuple(min((first[item] for item in group if item in first), default=None) for group in evidence)


def recall_at(ranks: Ranks, k: int) -> float:
    """Share of the evidence found among the first k. Raises ValueError without evidence."""
    _need_evidence(ranks)
    return sum(rank is not None and rank <= k for rank in ranks) / len(ranks)


def precision_at(ranked: Sequence[Item], evidence: Sequence[AbstractSet[Item]], k: int) -> float:
    """Share of the first k places that hold an item serving some evidence; places left empty count as misses."""
    if k < 1:
        raise ValueError("k must be at least 1")
    relevant = set().union(*evidence)
    return sum(item in relevant for item in ranked[:k]) / k


def reciprocal_rank(ranks: Ranks) -> float:
    """1 / rank of the first evidence, 0 if none was retrieved (the mean over questions is MRR)."""
    _need_evidence(ranks)
    return max((1 / rank for rank in ranks if rank is not None), default=0.0)


def ndcg_at(ranks: Ranks, k: int = 10) -> float:
    """Binary nDCG: each piece of evidence gains once, at its first place; the ideal list holds them all on top."""
    _need_evidence(ranks)
    gain = sum(1 / math.log2(rank + 1) for rank in ranks if rank is not None and rank <= k)
    ideal = sum(1 / math.log2(place + 1) for place in range(1, min(k, len(ranks)) + 1))
    return gain / ideal


def log_rank(ranks: Ranks, candidates: int, gamma: float = 1.0) -> float:
    """HiQA's Log-Rank Index (equations 3 and 4), mean over the evidence.

    S(r; N, g) = 1 - log(1 + g(r-1)) / log(1 + g(N-1)); evidence that was not retrieved has r = N.
    The paper's Table 1 prints 0.559 and 0.332 for ranks 20 and 100, its own formula gives 0.566 and 0.333.
    """
    _need_evidence(ranks)
    if gamma <= 0:
        raise ValueError("gamma must be positive")
    if candidates <= 1:
        return 1.0 if all(rank is not None for rank in ranks) else 0.0
    scale = math.log1p(gamma * (candidates - 1))
    total = 0.0
    for rank in ranks:
        place = candidates if rank is None else min(rank, candidates)
        total += 1 - math.log1p(gamma * (place - 1)) / scale
    return total / len(ranks)


@dataclass(frozen=True, slots=True)
class Interval:
    """A share with its 95 % Wilson interval."""

    value: float
    low: float
    high: float
    count: int


def wilson(successes: float, count: int, z: float = 1.959964) -> Interval:
    """Wilson score interval of a share; `successes` may be a sum of fractions (recall over several pieces)."""
    if count == 0:
        return Interval(math.nan, 0.0, 1.0, 0)
    share = successes / count
    spread = z * z / count
    centre = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / count + spread / (4 * count)) / (1 + spread)
    return Interval(share, max(0.0, centre - half), min(1.0, centre + half), count)


def _need_evidence(ranks: Ranks) -> None:
    if not ranks:
        raise ValueError("a question without evidence has no retrieval score")
