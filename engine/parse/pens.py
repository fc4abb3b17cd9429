"""Rulings drawn with a pen as broad as the ruling is long.

Some publishing programs draw a vertical ruling as a horizontal stroke half a point long and hundreds of points wide.
MuPDF's vectors give such a stroke a square box as if it were a frame; only its drawing commands tell what is inked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.model import Box
from engine.parse.layout import Rule

_SQUARE = 2.0
_LEAST = 3.2
_BROAD = 3.0


def maybe_pen(block: Any) -> bool:
    """Whether a vector of MuPDF's structured text could be a broad stroke: square, stroked, larger than a dot."""
    x0, y0, x1, y1 = block["bbox"]
    across, down = x1 - x0, y1 - y0
    return bool(block["stroked"]) and abs(across - down) <= _SQUARE and min(across, down) > _LEAST


def broad_strokes(page: Any) -> list[tuple[Rule, tuple[Box, ...]]]:
    """The rulings a page draws with broad pens, each with the boxes MuPDF's vectors may give it.

    Bounds of a stroke grow by half the pen's width or, where a mitre may stick out, by all of it.
    """
    found: list[tuple[Rule, tuple[Box, ...]]] = []
    for drawing in page.get_cdrawings():
        items, width = drawing["items"], drawing.get("width") or 0.0
        if drawing["type"] != "s" or len(items) != 1 or items[0][0] != "l" or width <= _LEAST:
            continue
        start, end = items[0][1], items[0][2]
        along, across = abs(end[0] - start[0]), abs(end[1] - start[1])
        if width < _BROAD * max(along, across):
            continue
        x, y, half = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2, width / 2
        rule = Rule(x, y - half, x, y + half) if along >= across else Rule(x - half, y, x + half, y)
        found.append((rule, tuple(_grown(x, y, along, across, by) for by in (half, width))))
    return found


def _grown(x: float, y: float, along: float, across: float, by: float) -> Box:
    return Box(x - by - along / 2, y - by - across / 2, x + by + along / 2, y + by + across / 2)


def is_pen(block: Any, strokes: Sequence[tuple[Rule, tuple[Box, ...]]], width: float, height: float) -> bool:
    """Whether the vector is one of the broad strokes (and so no frame); its box may be cut at the page's edges."""
    x0, y0, x1, y1 = block["bbox"]
    for _, boxes in strokes:
        for box in boxes:
            sides = (
                (x0, max(box.x0, 0.0)),
                (y0, max(box.y0, 0.0)),
                (x1, min(box.x1, width)),
                (y1, min(box.y1, height)),
            )
            if all(abs(a - b) < _SQUARE for a, b in sides):
                return True
    return False
