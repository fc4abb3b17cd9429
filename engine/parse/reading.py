"""Reading order: columns are read one after the other, rows of tables and figures from left to right.

A page is cut along gutters (recursively), but only where both sides are running text: the cells of a table also
leave white strips between them and must stay in their rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.core.model import Box
from engine.parse.layout import TextLine

_MIN_SIDE = 3
"""Lines a column must have on either side of a gutter."""
_MIN_GUTTER = 5.0
_FILLED = 0.62
"""Median share of the column's width that lines of running text fill."""
_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Item:
    """Something that is read as a whole: a printed line, or a table or figure region with the lines in it."""

    box: Box
    lines: tuple[TextLine, ...]
    region: int = -1
    """Index of the region the item is, -1 for a line of running text."""


@dataclass(frozen=True, slots=True)
class Row:
    """Lines that stand side by side in one column, left to right. `column` is the column's horizontal extent."""

    lines: tuple[TextLine, ...]
    column: tuple[float, float]
    region: int = -1


def reading_rows(lines: Sequence[TextLine], regions: Sequence[Box]) -> list[Row]:
    """The page's lines as rows in reading order; lines inside a region stay together, row by row."""
    items = _items(lines, regions)
    rows: list[Row] = []
    for flow in _arrange(items, _DEPTH):
        extent = (min(i.box.x0 for i in flow), max(i.box.x1 for i in flow))
        for item in _by_rows(flow):
            if item.region >= 0:
                inner = [Item(line.box, (line,)) for line in item.lines]
                rows.extend(Row(i.lines, (item.box.x0, item.box.x1), item.region) for i in _by_rows(inner))
            else:
                rows.append(Row(item.lines, extent))
    return rows


def _items(lines: Sequence[TextLine], regions: Sequence[Box]) -> list[Item]:
    held: dict[int, list[TextLine]] = {index: [] for index in range(len(regions))}
    free: list[Item] = []
    for line in lines:
        home = next((i for i, region in enumerate(regions) if _inside(line.box, region)), -1)
        if home >= 0:
            held[home].append(line)
        else:
            free.append(Item(line.box, (line,)))
    free += [Item(regions[index], tuple(inner), index) for index, inner in held.items() if inner]
    return free


def _inside(box: Box, region: Box) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return region.x0 <= x <= region.x1 and region.y0 <= y <= region.y1


# --- columns ----------------------------------------------------------------------------------------------------------


def _arrange(items: list[Item], depth: int) -> Iterator[list[Item]]:
    """Flows in reading order: each is read from top to bottom, rows from left to right."""
    gutters = _gutters(items) if depth and len(items) >= 2 * _MIN_SIDE else []
    for gutter in gutters:
        bands = list(_bands(items, gutter))
        if not any(_columnar(left, right, gutter) for left, right in bands):
            continue
        flat: list[Item] = []
        for left, right in bands:
            if not _columnar(left, right, gutter):
                flat += left + right
                continue
            if flat:
                yield from _arrange(flat, depth - 1)
            flat = []
            yield from _arrange(left, depth - 1)
            yield from _arrange(right, depth - 1)
        if flat:
            yield from _arrange(flat, depth - 1)
        return
    if items:
        yield items


def _gutters(items: Sequence[Item]) -> list[float]:
    """Centres of vertical strips that few lines cross, the most promising first."""
    edges = sorted({item.box.x1 for item in items})
    starts = sorted(item.box.x0 for item in items)
    found: dict[int, tuple[float, float]] = {}
    for edge in edges:
        after = next((start for start in starts if start >= edge - 0.5), None)
        if after is None or after - edge < _MIN_GUTTER - 0.5:
            continue
        middle = (edge + after) / 2
        left = sum(i.box.y1 - i.box.y0 for i in items if i.box.x1 <= middle)
        right = sum(i.box.y1 - i.box.y0 for i in items if i.box.x0 >= middle)
        across = sum(i.box.y1 - i.box.y0 for i in items if i.box.x0 < middle < i.box.x1)
        score = min(left, right) - 0.5 * across + (after - edge)
        count = min(sum(i.box.x1 <= middle for i in items), sum(i.box.x0 >= middle for i in items))
        key = int(middle)
        if count >= _MIN_SIDE and score > found.get(key, (-1e9, 0.0))[0]:
            found[key] = (score, middle)
    best = sorted(found.values(), reverse=True)[:4]
    return [middle for _, middle in best]


def _bands(items: Sequence[Item], gutter: float) -> Iterator[tuple[list[Item], list[Item]]]:
    """Split at the lines that cross the gutter: (left, right) of each band; a crossing line is a band of its own."""
    left: list[Item] = []
    right: list[Item] = []
    for item in sorted(items, key=lambda i: ((i.box.y0 + i.box.y1) / 2, i.box.x0)):
        if item.box.x0 < gutter < item.box.x1:
            if left or right:
                yield left, right
            yield [item], []
            left, right = [], []
        elif item.box.x1 <= gutter:
            left.append(item)
        else:
            right.append(item)
    if left or right:
        yield left, right


def _columnar(left: Sequence[Item], right: Sequence[Item], gutter: float) -> bool:
    """True if the two sides are columns of text (or a column and a figure), not cells of the same rows."""
    if not left or not right:
        return False
    if len(left) < _MIN_SIDE and len(right) < _MIN_SIDE:
        return any(i.region >= 0 for i in (*left, *right)) and not _paired(left, right)
    filled_left, filled_right = _fill(left), _fill(right)
    if filled_left >= _FILLED and filled_right >= _FILLED:
        return True
    return max(filled_left, filled_right) >= _FILLED and _paired_share(left, right) < 0.5


def _fill(side: Sequence[Item]) -> float:
    """Median share of the side's width that its lines fill, last lines of paragraphs discounted."""
    lines = [i for i in side if i.region < 0]
    if not lines:
        return 1.0
    x0, x1 = min(i.box.x0 for i in lines), max(i.box.x1 for i in lines)
    if x1 - x0 < 60.0:
        return 0.0
    shares = sorted(sum(j.box.x1 - j.box.x0 for j in _same_row(i, lines)) / (x1 - x0) for i in lines)
    words = sum(len(line.words) for i in lines for line in i.lines) / len(lines)
    return shares[(3 * len(shares)) // 5] if words >= 2.5 or x1 - x0 < 130.0 else 0.0


def _same_row(item: Item, lines: Sequence[Item]) -> list[Item]:
    return [other for other in lines if _overlap(item.box, other.box) > 0.6]


def _paired(left: Sequence[Item], right: Sequence[Item]) -> bool:
    return _paired_share(left, right) >= 0.5


def _paired_share(left: Sequence[Item], right: Sequence[Item]) -> float:
    few, many = (left, right) if len(left) <= len(right) else (right, left)
    return sum(any(_overlap(a.box, b.box) > 0.8 for b in many) for a in few) / len(few)


def _overlap(a: Box, b: Box) -> float:
    shared = min(a.y1, b.y1) - max(a.y0, b.y0)
    return shared / max(0.1, min(a.y1 - a.y0, b.y1 - b.y0))


# --- rows -------------------------------------------------------------------------------------------------------------


def _by_rows(items: Sequence[Item]) -> Iterator[Item]:
    """Items that overlap vertically become one row, left to right; regions stay alone."""
    row: list[Item] = []
    for item in sorted(items, key=lambda i: (i.box.y0 + i.box.y1) / 2):
        if row and item.region < 0 and row[0].region < 0 and _in_row(row, item):
            row.append(item)
        else:
            if row:
                yield _merge(row)
            row = [item]
    if row:
        yield _merge(row)


def _in_row(row: Sequence[Item], item: Item) -> bool:
    """Side by side: shares height with the row's last item and does not stand above or below any of them."""
    return _overlap(row[-1].box, item.box) > 0.55 and all(
        min(i.box.x1, item.box.x1) - max(i.box.x0, item.box.x0) < 0.3 * (item.box.x1 - item.box.x0) + 1 for i in row
    )


def _merge(row: Sequence[Item]) -> Item:
    if len(row) == 1:
        return row[0]
    ordered = sorted(row, key=lambda i: i.box.x0)
    box = Box(
        min(i.box.x0 for i in row),
        min(i.box.y0 for i in row),
        max(i.box.x1 for i in row),
        max(i.box.y1 for i in row),
    )
    return Item(box, tuple(line for i in ordered for line in i.lines))
