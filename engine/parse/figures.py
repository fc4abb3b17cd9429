"""Where the figures of a page are.

Two ways lead to one: clusters of curves and pictures, and captions ("Figure 3. ..."), which claim the drawing between
them and the text above or below even where it is made of straight lines only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.core.model import Box
from engine.parse.layout import PageLayout, TextLine

FIGURE_CAPTION = re.compile(
    r"^(?P<n>(?:figure|fig\.?|abb(?:ildung|\.)|图|図)\s*(?:[A-Z]{1,2}[-.]?)?\d+(?:[-.–]\d+)*[a-z]?)(?P<rest>.*)$",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"^\s*(?:and|or|to|shows?|illustrates?|depicts?|gives?|is|are|was|lists?|presents?|below|above|on|in|for|with|,|\))\b",
    re.IGNORECASE,
)
_NEAR = 8.0
"""Drawing closer than this (points) belongs to one figure."""
_MIN_WIDTH, _MIN_HEIGHT = 50.0, 30.0
_MAX_PARTS = 4000
"""Beyond this many strokes the page is one drawing; clustering them one by one would only cost time."""
_WHOLE = 1200
"""Boxes of more cells than this are joined by their rim only."""
_LARGE_WORD = 10.5
"""Size of a single bold word that is a heading, or the last line of one, and no label."""
_MITRE = 12.0
"""By how much (points) a stroke's box may be too large."""
_REACH = 60.0
"""How far a caption may stand from the drawing it names."""


def is_figure_caption(text: str) -> bool:
    """True for "Figure 3. Block diagram", not for a sentence that begins "Figure 3 shows"."""
    match = FIGURE_CAPTION.match(text)
    return match is not None and not _REFERENCE.match(match["rest"])


def figure_regions(layout: PageLayout, tables: Sequence[Box]) -> list[Box]:
    """Boxes of figures in the layout's coordinates, from top to bottom."""
    free = [box for box in _drawn(layout) if not any(_within(box, table) for table in tables)]
    curved = {id(box) for box in (*layout.strokes, *layout.images)}
    found = []
    for cluster in _clusters(free[:_MAX_PARTS]):
        hull = _hull(cluster)
        drawn = any(id(box) in curved for box in cluster)
        if drawn and hull.x1 - hull.x0 >= _MIN_WIDTH and hull.y1 - hull.y0 >= _MIN_HEIGHT and not _prose(layout, hull):
            found.append(hull)
    captions = [line for line in layout.lines if line.words[0].angle == 0 and is_figure_caption(line.text)]
    found = [_without_text(box, layout) for box in _disjoint(found)]
    for caption in captions:
        claimed = _claimed(caption, layout, free, tables)
        if claimed is not None and not _prose(layout, claimed):
            found.append(claimed)
    labelled = [_with_labels(box, layout, tables) for box in _disjoint(found)]
    return sorted(_disjoint(labelled), key=lambda b: (b.y0, b.x0))


def _with_labels(region: Box, layout: PageLayout, tables: Sequence[Box]) -> Box:
    """The region with the names of pins, axes and signals printed close around it."""
    parts = [region]
    for line in layout.lines:
        x, y = (line.box.x0 + line.box.x1) / 2, (line.box.y0 + line.box.y1) / 2
        near = region.x0 - 45 <= x <= region.x1 + 45 and region.y0 - 8 <= y <= region.y1 + 8
        if near and len(line.words) <= 4 and not _wall(line) and not any(_within(line.box, table) for table in tables):
            parts.append(line.box)
    return _hull(parts)


def _without_text(region: Box, layout: PageLayout) -> Box:
    """The region without headings and text at its upper and lower edge: MuPDF's boxes of strokes are too large by
    what their sharpest corner could need."""
    y0, y1 = region.y0, region.y1
    for line in layout.lines:
        if not _wall(line) or line.box.x0 > region.x1 or line.box.x1 < region.x0:
            continue
        if line.box.y0 < region.y0 + _MITRE and y0 < line.box.y1 < region.y0 + 2 * _MITRE:
            y0 = line.box.y1
        if line.box.y1 > region.y1 - _MITRE and region.y1 - 2 * _MITRE < line.box.y0 < y1:
            y1 = line.box.y0
    return replace(region, y0=y0, y1=y1) if y1 - y0 >= _MIN_HEIGHT else region


def _drawn(layout: PageLayout) -> list[Box]:
    rules = [Box(min(r.x0, r.x1), min(r.y0, r.y1), max(r.x0, r.x1), max(r.y0, r.y1)) for r in layout.rules]
    limit = 0.9 * layout.width
    return [*layout.strokes, *layout.images, *(box for box in rules if box.x1 - box.x0 < limit)]


# --- captions ---------------------------------------------------------------------------------------------------------


def _claimed(caption: TextLine, layout: PageLayout, drawn: Sequence[Box], tables: Sequence[Box]) -> Box | None:
    """The drawing between a caption and the text above it, or below it where nothing is drawn above.

    Where text or another caption stands beside it, it is looked for in the caption's half of the page first.
    """
    middle = layout.width / 2
    halves = [(0.0, middle)] if caption.box.x1 <= middle + 15 else [(middle, layout.width)]
    beside = [
        line
        for line in layout.lines
        if line is not caption and _wall(line) and caption.box.y0 - 60 < line.box.y1 and line.box.y0 < caption.box.y1
    ]
    if not any(line.box.x1 <= halves[0][0] + 15 or line.box.x0 >= halves[0][1] - 15 for line in beside):
        halves = []
    for left, right in (*halves, (0.0, layout.width)):
        walls = [line.box for line in layout.lines if line is not caption and _wall(line)]
        walls = [box for box in (*walls, *tables) if box.x0 < right and box.x1 > left]
        top = max((box.y1 for box in walls if box.y1 <= caption.box.y0 + 1), default=0.0)
        foot = min((box.y0 for box in walls if box.y0 >= caption.box.y1 - 1), default=layout.height)
        above = [box for box in drawn if _between(box, left, right, top, caption.box.y0)]
        below = [box for box in drawn if _between(box, left, right, caption.box.y1, foot)]
        for parts in (above, below):
            hull = _hull(parts) if len(parts) >= 3 else None
            if hull and hull.x1 - hull.x0 >= _MIN_WIDTH / 2 and _gap(hull, caption.box) <= _REACH:
                return hull
    return None


def _wall(line: TextLine) -> bool:
    """Running text and headings end a figure; labels do not."""
    if line.words[0].angle:
        return False
    words = len(line.words)
    least = 9.0 if words >= 2 else _LARGE_WORD
    heading = all(w.bold and w.size >= least for w in line.words) and (words >= 2 or len(line.text) >= 5)
    return words >= 7 or heading or is_figure_caption(line.text)


def _between(box: Box, left: float, right: float, top: float, foot: float) -> bool:
    return box.x0 >= left - 2 and box.x1 <= right + 2 and box.y0 >= top - 3 and box.y1 <= foot + 3


def _gap(box: Box, caption: Box) -> float:
    return max(caption.y0 - box.y1, box.y0 - caption.y1, 0.0)


# --- clusters ---------------------------------------------------------------------------------------------------------


def _clusters(boxes: Sequence[Box]) -> list[list[Box]]:
    """Boxes joined when closer than `_NEAR`: a union-find over the cells of a grid that each box covers."""
    parent = list(range(len(boxes)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    cells: dict[tuple[int, int], int] = {}
    for index, box in enumerate(boxes):
        for cell in _cells(box):
            if cell in cells:
                parent[root(index)] = root(cells[cell])
            else:
                cells[cell] = index
    groups: dict[int, list[Box]] = {}
    for index, box in enumerate(boxes):
        groups.setdefault(root(index), []).append(box)
    return list(groups.values())


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    """Cells of the grid within half of `_NEAR` of the box; of a large box every cell, of a huge one its rim."""
    x0, x1 = int((box.x0 - _NEAR / 2) // _NEAR), int((box.x1 + _NEAR / 2) // _NEAR)
    y0, y1 = int((box.y0 - _NEAR / 2) // _NEAR), int((box.y1 + _NEAR / 2) // _NEAR)
    whole = (x1 - x0) * (y1 - y0) <= _WHOLE
    for x in range(x0, x1 + 1):
        if whole or x in (x0, x1):
            for y in range(y0, y1 + 1):
                yield (x, y)
        else:
            yield (x, y0)
            yield (x, y1)


def _prose(layout: PageLayout, hull: Box) -> bool:
    """True for a frame around running text, or around the whole page."""
    if (hull.x1 - hull.x0) * (hull.y1 - hull.y0) > 0.85 * layout.width * layout.height:
        return True
    inside = [line for line in layout.lines if _within(line.box, hull)]
    wide = [line for line in inside if len(line.words) >= 6]
    return len(wide) >= 3 and len(wide) >= 0.5 * len(inside)


def _disjoint(boxes: Sequence[Box]) -> list[Box]:
    """Regions that overlap are one figure."""
    pending = list(boxes)
    done: list[Box] = []
    while pending:
        box = pending.pop()
        touching = [other for other in pending if _touch(box, other)]
        if touching:
            pending = [other for other in pending if other not in touching]
            pending.append(_hull([box, *touching]))
        else:
            done.append(box)
    return done


def _touch(a: Box, b: Box) -> bool:
    return a.x0 <= b.x1 and b.x0 <= a.x1 and a.y0 <= b.y1 and b.y0 <= a.y1


def _within(box: Box, region: Box) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return region.x0 - 2 <= x <= region.x1 + 2 and region.y0 - 2 <= y <= region.y1 + 2


def _hull(boxes: Sequence[Box]) -> Box:
    return Box(min(b.x0 for b in boxes), min(b.y0 for b in boxes), max(b.x1 for b in boxes), max(b.y1 for b in boxes))
