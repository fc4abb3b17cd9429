"""Shading of a paragraph inside a shaded cell: word processors draw both, and the inner edges are no rulings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

_MARGIN = 9.0
"""Points by which a paragraph is set in from the sides of its cell at most."""
_LEAST = 1.5
"""Less than this (points) on both sides and the two are one box drawn twice."""
_OVER = 1.0


def inset_shades(blocks: Sequence[Any]) -> frozenset[int]:
    """Positions of filled boxes that stand in another of the same colour, set in at both sides by a cell's margin.

    `blocks` are those of MuPDF's structured text, drawings of type 3 among them.
    """
    by_color: dict[int, list[tuple[int, tuple[float, float, float, float]]]] = defaultdict(list)
    for number, block in enumerate(blocks):
        if block["type"] == 3 and block["isrect"] and not block["stroked"] and block["alpha"]:
            by_color[block["color"]].append((number, block["bbox"]))
    found: set[int] = set()
    for boxes in by_color.values():
        boxes.sort(key=lambda one: one[1][1])
        for place, (_, outer) in enumerate(boxes):
            for number, inner in _near(boxes, place):
                if _inset(inner, outer):
                    found.add(number)
    return frozenset(found)


def _near(boxes: Sequence[tuple[int, Any]], place: int) -> Sequence[tuple[int, Any]]:
    """Boxes that begin between the top and the bottom of the one at `place`."""
    top, bottom = boxes[place][1][1], boxes[place][1][3]
    first = place
    while first and boxes[first - 1][1][1] >= top - _OVER:
        first -= 1
    last = place
    while last + 1 < len(boxes) and boxes[last + 1][1][1] < bottom:
        last += 1
    return boxes[first : last + 1]


def _inset(inner: Sequence[float], outer: Sequence[float]) -> bool:
    left, right = inner[0] - outer[0], outer[2] - inner[2]
    if not (0.0 <= left <= _MARGIN and 0.0 <= right <= _MARGIN) or max(left, right) < _LEAST:
        return False
    return inner[1] >= outer[1] - _OVER and inner[3] <= outer[3] + _OVER
