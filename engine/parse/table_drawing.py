"""Telling tables from drawings: plots, pin-outs and block diagrams also have rulings and aligned words."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from engine.core.model import Box, Table
from engine.parse.layout import PageLayout
from engine.parse.table_roles import looks_numeric
from engine.parse.table_rules import Cluster, Line
from engine.parse.table_sheet import Sheet
from engine.parse.table_text import cell_text

_STROKE = 5.0
_STUB = 0.25


def inside(box: Box, frame: Box, margin: float = 1.0) -> bool:
    """Whether the middle of `box` lies in `frame`."""
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return frame.x0 - margin <= x <= frame.x1 + margin and frame.y0 - margin <= y <= frame.y1 + margin


def strokes_in(layout: PageLayout, box: Box) -> int:
    """Curves and diagonals larger than a bullet in `box`."""
    return sum(
        1 for s in layout.strokes if max(s.x1 - s.x0, s.y1 - s.y0) > _STROKE and inside(s, box) and not _covers(s, box)
    )


def _covers(stroke: Box, box: Box) -> bool:
    return stroke.x1 - stroke.x0 > 0.9 * (box.x1 - box.x0) and stroke.y1 - stroke.y0 > 0.9 * (box.y1 - box.y0)


def drawn_in(layout: PageLayout, across: Sequence[Line], down: Sequence[Line], box: Box, rows: int) -> bool:
    """Whether a region without a grid of its own stands in a drawing: curves, or many short rulings."""
    if strokes_in(layout, box) > max(2, rows // 4):
        return True
    wide = 0.3 * (box.x1 - box.x0)
    stubs = sum(
        1 for line in across if line.length < wide and inside(Box(line.start, line.at, line.end, line.at), box, 0.0)
    )
    posts = sum(
        1 for line in down if inside(Box(line.at, line.start, line.at, line.end), box, 0.0) and line.length > 2.0
    )
    return stubs + posts > 1.5 * rows


def is_grid(cluster: Cluster, sheet: Sheet, layout: PageLayout) -> bool:
    """Whether a drawn grid holds a table rather than a plot, a diagram or a frame."""
    if sheet.columns < 2 or len(sheet.bands) < 3:
        return False
    filled = [area for area in sheet.areas if area.words]
    if len(filled) < 4 or len(filled) < 0.3 * len(sheet.areas):
        return False
    box = sheet.box
    if strokes_in(layout, box) > 0.5 * len(filled) or _dangling(cluster, box) > 0.3:
        return False
    if len({area.b0 for area in filled}) < 2 or len({area.c0 for area in filled}) < 2:
        return False
    return max(len(cell_text(area.words)) for area in filled) < 4000 and not _pinout(sheet)


def _dangling(cluster: Cluster, box: Box) -> float:
    """Share of horizontal rulings that are stubs: short, one end on a vertical ruling, the other in the open."""
    stubs = 0
    for line in cluster.across:
        if line.length > _STUB * (box.x1 - box.x0):
            continue
        ends = [
            any(abs(v.at - x) < 3.5 and v.start - 3 <= line.at <= v.end + 3 for v in cluster.down)
            for x in (line.start, line.end)
        ]
        stubs += not all(ends)
    return stubs / max(1, len(cluster.across))


def _pinout(sheet: Sheet) -> bool:
    """An outline of a package: pin numbers at both sides of an empty middle."""
    texts = [cell_text(area.words) for area in sheet.areas if area.words]
    bare = sum(1 for text in texts if re.fullmatch(r"\d{1,3}", text))
    empty = [c for c in range(sheet.columns) if not any(a.words for a in sheet.areas if a.c0 <= c < a.c1)]
    return bare > 0.7 * len(texts) and bool(empty)


def is_listing(table: Table) -> bool:
    """Whether an unruled, headless table is plausible: filled rows, a text column, no run of pin numbers."""
    width = len(table.columns)
    if width < 2 or len(table.rows) < 3:
        return False
    full = sum(1 for row in table.rows if sum(bool(cell.text) for cell in row.cells) >= 2)
    if full < 0.7 * len(table.rows):
        return False
    for c in range(1, width):
        numbers = [int(t) for row in table.rows if re.fullmatch(r"\d{1,3}", t := row.cells[c].text.split(" ")[0])]
        steps = sum(1 for a, b in itertools.pairwise(numbers) if abs(a - b) == 1)
        if len(numbers) >= 3 and steps >= 0.6 * (len(numbers) - 1):
            return False
    return not all(looks_numeric(row.cells[0].text) for row in table.rows)
