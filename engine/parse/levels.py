"""From accepted candidates to a tree: numbering depth first, then what styles have in common with numbered ones."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.model import Box, Heading, HeadingSource
from engine.parse.candidates import Candidate
from engine.parse.sections import is_leaf, is_section

_MAX_LEVEL = 6
_SAME_SIZE = 0.04
_CLOSE = 1.3
"""Sizes further apart than this settle the order of two headings whatever they say."""


@dataclass(frozen=True, slots=True, order=True)
class Rank:
    """What headings of one level share, in order of weight: larger, bolder, in capitals, upright."""

    size: float
    bold: bool
    caps: bool
    upright: bool


@dataclass(frozen=True, slots=True)
class Entry:
    title: str
    page: int
    box: Box | None
    level: int
    source: HeadingSource
    confidence: float


def assign_levels(candidates: Sequence[Candidate]) -> list[int]:
    """A level for each candidate. Numbering beats font size; unnumbered headings rank with their style."""
    ranks = _ranks(candidates)
    numbered: dict[Rank, Counter[int]] = defaultdict(Counter)
    for candidate, rank in zip(candidates, ranks, strict=True):
        if candidate.numbering is not None:
            numbered[rank][candidate.numbering.depth] += 1
    level_of: dict[Rank, int] = {}
    floor = 1
    ordered = _ordered(candidates, ranks)
    for position, rank in enumerate(ordered):
        if rank in numbered:
            level = numbered[rank].most_common(1)[0][0]
        else:
            below = [min(numbered[r]) for r in ordered[position + 1 :] if r in numbered]
            level = min([*below, floor]) if below else floor
        level_of[rank] = level
        floor = max(floor, level + 1)
    shift = _above_numbers(candidates, ranks, numbered)
    levels = []
    for candidate, rank in zip(candidates, ranks, strict=True):
        level = candidate.numbering.depth + shift if candidate.numbering else level_of[rank]
        if shift and candidate.numbering is None and rank not in numbered and level >= 1:
            larger = any(rank > other for other in numbered)
            level = 1 if larger else level + 1
        levels.append(min(_MAX_LEVEL, max(1, level)))
    return _beside_front_page(candidates, levels)


def _ordered(candidates: Sequence[Candidate], ranks: Sequence[Rank]) -> list[Rank]:
    """Ranks from the weightiest down: by looks, unless how they are used says otherwise.

    Colour and bars do not show here, but a heading right under another with nothing between them belongs to it, and
    what datasheets call their sections outranks what they never do.
    """
    ordered = sorted(set(ranks), reverse=True)
    under: Counter[tuple[Rank, Rank]] = Counter()
    for before, after, above, below in zip(candidates, candidates[1:], ranks, ranks[1:]):
        if before.page == after.page and before.end == after.start and before.column == after.column:
            under[(above, below)] += 1
    sections = Counter(r for c, r in zip(candidates, ranks) if c.numbering is None and is_section(c.title))
    counts = Counter(ranks)
    for _ in ordered:
        for at in range(len(ordered) - 1):
            upper, lower = ordered[at : at + 2]
            used = under[(lower, upper)] >= 2 and not under[(upper, lower)]
            named = sections[lower] >= 3 and not sections[upper] and counts[upper] >= 2
            if upper.size < _CLOSE * lower.size and (used or named):
                ordered[at : at + 2] = lower, upper
    return ordered


def _above_numbers(candidates: Sequence[Candidate], ranks: Sequence[Rank], numbered: dict[Rank, Counter[int]]) -> int:
    """1 where unnumbered headings set larger than every numbered one stand over them, as parts stand over chapters."""
    if not numbered:
        return 0
    top = max(numbered)
    over = [i for i, (c, r) in enumerate(zip(candidates, ranks)) if c.numbering is None and r.size > 1.08 * top.size]
    first = next((i for i, c in enumerate(candidates) if c.numbering is not None), 0)
    pages = {candidates[i].page for i in over}
    return int(len(over) >= 4 and len(pages) >= 3 and over[0] < first)


def _beside_front_page(candidates: Sequence[Candidate], levels: Sequence[int]) -> list[int]:
    """ "Absolute maximum ratings" never belongs to "Description", even where the front page is set larger."""
    settled: list[int] = []
    stack: list[int] = []
    for index, (candidate, level) in enumerate(zip(candidates, levels, strict=True)):
        while stack and settled[stack[-1]] >= level:
            stack.pop()
        if stack and candidate.numbering is None and is_section(candidate.title):
            parent = candidates[stack[-1]]
            if parent.numbering is None and is_leaf(parent.title):
                level = settled[stack.pop()]
        settled.append(level)
        stack.append(index)
    return settled


def _ranks(candidates: Sequence[Candidate]) -> list[Rank]:
    """The rank of each candidate; sizes that differ by a rounding are one, and short capitals ("VCC") prove nothing."""
    sizes: list[float] = []
    for size in sorted({c.style.size for c in candidates}, reverse=True):
        if not sizes or size < sizes[-1] * (1 - _SAME_SIZE):
            sizes.append(size)
    nominal = {c.style.size: next(s for s in sizes if c.style.size >= s * (1 - _SAME_SIZE)) for c in candidates}
    caps: dict[tuple[float, bool, bool], Counter[bool]] = defaultdict(Counter)
    for candidate in candidates:
        if candidate.style.caps is not None:
            kind = (nominal[candidate.style.size], candidate.style.bold, candidate.numbering is None)
            caps[kind][candidate.style.caps] += 1
    ranks = []
    for candidate in candidates:
        style = candidate.style
        size = nominal[style.size]
        capital = style.caps
        if capital is None:
            seen = caps[(size, style.bold, candidate.numbering is None)]
            capital = seen[True] > seen[False]
        ranks.append(Rank(size, style.bold, capital, not style.italic))
    return ranks


def build_tree(entries: Sequence[Entry]) -> tuple[Heading, ...]:
    """Headings with parents and paths, in reading order: the parent is the nearest earlier one of a lower level."""
    headings: list[Heading] = []
    stack: list[tuple[int, int]] = []
    for entry in entries:
        while stack and stack[-1][1] >= entry.level:
            stack.pop()
        parent = stack[-1][0] if stack else -1
        path = (*headings[parent].path, entry.title) if parent >= 0 else (entry.title,)
        shown = min(len(path), _MAX_LEVEL)
        headings.append(
            Heading(entry.title, shown, entry.page, path, parent, entry.box, entry.source, entry.confidence)
        )
        stack.append((len(headings) - 1, entry.level))
    return tuple(headings)
