"""From accepted candidates to a tree: numbering depth first, then what styles have in common with numbered ones."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from engine.core.model import Heading, HeadingSource
from engine.parse.candidates import Candidate, Style

_MAX_LEVEL = 6


def assign_levels(candidates: Sequence[Candidate]) -> list[int]:
    """A level for each candidate. Numbering beats font size; unnumbered headings rank with their style."""
    by_style: dict[tuple[float, bool, bool], Counter[int]] = defaultdict(Counter)
    for candidate in candidates:
        if candidate.numbering is not None:
            by_style[_rank_key(candidate.style)][candidate.numbering.depth] += 1
    styles = sorted({_rank_key(c.style) for c in candidates}, key=_prominence, reverse=True)
    level_of: dict[tuple[float, bool, bool], int] = {}
    floor = 1
    for style in styles:
        depths = by_style.get(style)
        if depths:
            level = depths.most_common(1)[0][0]
        else:
            below = [min(by_style[s]) for s in styles if _prominence(s) < _prominence(style) and s in by_style]
            level = min(below) if below else floor
        level_of[style] = level
        floor = max(floor, level + 1)
    levels = []
    for candidate in candidates:
        level = candidate.numbering.depth if candidate.numbering else level_of[_rank_key(candidate.style)]
        levels.append(min(_MAX_LEVEL, max(1, level)))
    return levels


def _rank_key(style: Style) -> tuple[float, bool, bool]:
    return (style.size, style.bold, style.caps)


def _prominence(style: tuple[float, bool, bool]) -> tuple[float, bool, bool]:
    return style


def build_tree(
    entries: Sequence[tuple[str, int, Candidate | None, int, HeadingSource, float]],
) -> tuple[Heading, ...]:
    """Headings with parents and paths from (title, page, candidate, level, source, confidence) in reading order.

    A level may not skip: a heading stands at most one level below its parent.
    """
    headings: list[Heading] = []
    stack: list[tuple[int, int]] = []
    for title, page, candidate, level, source, confidence in entries:
        while stack and stack[-1][1] >= level:
            stack.pop()
        parent = stack[-1][0] if stack else -1
        path = (*headings[parent].path, title) if parent >= 0 else (title,)
        shown = len(path)
        box = candidate.box if candidate is not None else None
        headings.append(Heading(title, min(shown, _MAX_LEVEL), page, path, parent, box, source, confidence))
        stack.append((len(headings) - 1, level))
    return tuple(headings)
