"""Where the figures of a page are: clusters of drawing and pictures that are neither tables nor frames of text."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.model import Box
from engine.parse.layout import PageLayout

_NEAR = 8.0
"""Drawing closer than this (points) belongs to one figure."""
_MIN_WIDTH, _MIN_HEIGHT = 50.0, 30.0
_MAX_PARTS = 4000
"""Beyond this many strokes the page is one drawing; clustering them one by one would only cost time."""


def figure_regions(layout: PageLayout, tables: Sequence[Box]) -> list[Box]:
    """Boxes of figures in the layout's coordinates, largest labels included, top to bottom."""
    parts = [box for box in (*layout.strokes, *layout.images) if not any(_within(box, table) for table in tables)]
    if not parts:
        return []
    rules = [Box(min(r.x0, r.x1), min(r.y0, r.y1), max(r.x0, r.x1), max(r.y0, r.y1)) for r in layout.rules]
    rules = [box for box in rules if not any(_within(box, table) for table in tables)]
    clusters = _clusters([*parts, *rules][:_MAX_PARTS])
    found = []
    for cluster in clusters:
        drawn = sum(box in cluster for box in parts) if len(cluster) < 40 else len(cluster)
        hull = _hull(cluster)
        if drawn and hull.x1 - hull.x0 >= _MIN_WIDTH and hull.y1 - hull.y0 >= _MIN_HEIGHT and not _prose(layout, hull):
            found.append(hull)
    return sorted(_disjoint(found), key=lambda b: (b.y0, b.x0))


def _clusters(boxes: Sequence[Box]) -> list[list[Box]]:
    """Boxes joined when closer than `_NEAR`, by sweeping from left to right over a union-find."""
    order = sorted(range(len(boxes)), key=lambda i: boxes[i].x0)
    parent = list(range(len(boxes)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    active: list[int] = []
    for index in order:
        box = boxes[index]
        active = [other for other in active if boxes[other].x1 + _NEAR >= box.x0]
        for other in active:
            near = boxes[other]
            if near.y0 - _NEAR <= box.y1 and box.y0 <= near.y1 + _NEAR:
                parent[root(other)] = root(index)
        active.append(index)
    groups: dict[int, list[Box]] = {}
    for index, box in enumerate(boxes):
        groups.setdefault(root(index), []).append(box)
    return list(groups.values())


def _prose(layout: PageLayout, hull: Box) -> bool:
    """True for a frame around running text, or around the whole page."""
    if (hull.x1 - hull.x0) * (hull.y1 - hull.y0) > 0.85 * layout.width * layout.height:
        return True
    inside = [
        line
        for line in layout.lines
        if hull.x0 <= (line.box.x0 + line.box.x1) / 2 <= hull.x1
        and hull.y0 <= (line.box.y0 + line.box.y1) / 2 <= hull.y1
    ]
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
