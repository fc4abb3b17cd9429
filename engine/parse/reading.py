"""Reading order: columns are read one after the other, rows of tables and figures from left to right.

A page is cut along gutters (recursively), but only where at least one side is running text: the cells of a table also
leave white strips between them and must stay in their rows. A narrow left column of short pieces beside running text
holds side heads: each is read before the text it stands beside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise

from engine.core.model import Box
from engine.parse.layout import TextLine

_MIN_SIDE = 3
"""Lines a column must have on either side of a gutter."""
_MIN_GUTTER = 5.0
_FULL = 0.8
"""Share of its column's width that a line of running text fills."""
_FILLED = 0.42
"""Share of full lines that makes a side running text."""
_DEPTH = 4
_STEP = 2.0
_EDGE = 0.1
"""Share of the page's height in which a header or footer may stand."""

Extent = tuple[float, float]


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
    column: Extent
    region: int = -1


class _Kind(Enum):
    COLUMNS = auto()
    SIDE_HEADS = auto()
    ROWS = auto()
    UNSURE = auto()


@dataclass(frozen=True, slots=True)
class _Band:
    """A stretch of the page between lines that cross the gutter."""

    left: list[Item]
    right: list[Item]
    kind: _Kind


def reading_rows(lines: Sequence[TextLine], regions: Sequence[Box], height: float) -> list[Row]:
    """The page's lines as rows in reading order; lines inside a region stay together, row by row."""
    rows: list[Row] = []
    margins = Counter(round(line.box.x0) for line in lines if len(line.words) >= 5)
    head, body, foot = _margins(_items(lines, regions), height)
    flows = [*_arrange(head, 0, None), *_arrange(body, _DEPTH, None), *_arrange(foot, 0, None)]
    for flow, extent in flows:
        for item in _by_rows(flow):
            if item.region >= 0:
                inner = [Item(line.box, (line,)) for line in item.lines]
                rows.extend(Row(i.lines, (item.box.x0, item.box.x1), item.region) for i in _by_rows(inner))
            else:
                rows.extend(Row(part, extent) for part in _side_by_side_heads(item.lines, margins))
    return rows


def straddles_columns(region: Box, lines: Sequence[TextLine]) -> bool:
    """True for a region laid across two columns of running text: no table can stand there."""
    items = [Item(line.box, (line,)) for line in lines if _inside(line.box, region)]
    for gutter in _gutters(items):
        left = [i for i in items if i.box.x1 <= gutter]
        right = [i for i in items if i.box.x0 >= gutter]
        if len(left) + len(right) >= 0.85 * len(items) and _fill(left) >= 0.6 and _fill(right) >= 0.6:
            words = [len(line.words) for i in (*left, *right) for line in i.lines]
            if sum(words) / len(words) >= 5:
                return True
    return False


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


def _margins(items: list[Item], height: float) -> tuple[list[Item], list[Item], list[Item]]:
    """Header, body and footer: lines near the page's edge with white space between them and the body."""
    ordered = sorted(items, key=lambda i: i.box.y0)
    head = _edge(ordered, lambda i: i.box.y1 < _EDGE * height, lambda a, b: b.box.y0 - a.box.y1)
    rest = ordered[head:]
    rest.sort(key=lambda i: -i.box.y1)
    foot = _edge(rest, lambda i: i.box.y0 > (1 - _EDGE) * height, lambda a, b: a.box.y0 - b.box.y1)
    return ordered[:head], rest[foot:], rest[:foot]


def _edge(ordered: Sequence[Item], near: Callable[[Item], bool], gap: Callable[[Item, Item], float]) -> int:
    """How many of the items, from the edge inwards, are parted from the next by more than half a line."""
    count = cut = 0
    while count < len(ordered) and near(ordered[count]):
        count += 1
        last = ordered[:count]
        if count < len(ordered):
            white = min(gap(item, ordered[count]) for item in last)
            if white > 0.5 * (last[-1].box.y1 - last[-1].box.y0):
                cut = count
    return cut if count < len(ordered) else 0


# --- columns ----------------------------------------------------------------------------------------------------------


def _arrange(items: list[Item], depth: int, extent: Extent | None) -> Iterator[tuple[list[Item], Extent]]:
    """Flows in reading order with the extent of their column; each is read from top to bottom."""
    if not items:
        return
    extent = extent or _extent(items)
    if depth and len(items) >= 2 * _MIN_SIDE:
        for gutter in _gutters(items):
            bands = _bands(items, gutter)
            if any(band.kind in (_Kind.COLUMNS, _Kind.SIDE_HEADS) for band in bands):
                yield from _read_bands(bands, depth - 1, extent)
                return
    yield items, extent


def _read_bands(bands: Sequence[_Band], depth: int, extent: Extent) -> Iterator[tuple[list[Item], Extent]]:
    columns = any(band.kind is _Kind.COLUMNS for band in bands)
    left_extent = _extent([i for band in bands if band.right for i in band.left] or bands[0].left)
    right_extent = _extent([i for band in bands for i in band.right] or bands[0].left)
    flat: list[Item] = []
    for band in bands:
        kind = band.kind
        if kind is _Kind.UNSURE:
            kind = _Kind.COLUMNS if columns else _Kind.ROWS
        if kind is _Kind.ROWS:
            flat += band.left + band.right
            continue
        yield from _arrange(flat, depth, extent)
        flat = []
        if kind is _Kind.COLUMNS:
            yield from _arrange(band.left, depth, left_extent)
            yield from _arrange(band.right, depth, right_extent)
        else:
            yield from _read_side_heads(band, depth, left_extent, right_extent)
    yield from _arrange(flat, depth, extent)


def _read_side_heads(
    band: _Band, depth: int, left_extent: Extent, right_extent: Extent
) -> Iterator[tuple[list[Item], Extent]]:
    """Each group of lines on the left before the lines on the right that stand beside or below it."""
    right = sorted(band.right, key=lambda i: i.box.y0)
    at = 0
    for group in _groups(band.left):
        top = group[0].box.y0 + 0.4 * (group[0].box.y1 - group[0].box.y0)
        start = at
        while at < len(right) and (right[at].box.y1 if right[at].region < 0 else right[at].box.y0 + 8.0) < top:
            at += 1
        while at > start and _overlap(right[at - 1].box, group[0].box) > 0.5 and right[at - 1].region < 0:
            at -= 1
        yield from _arrange(right[start:at], depth, right_extent)
        yield group, left_extent
    yield from _arrange(right[at:], depth, right_extent)


def _groups(items: Sequence[Item]) -> list[list[Item]]:
    """Lines close below one another are one side head."""
    groups: list[list[Item]] = []
    for item in sorted(items, key=lambda i: i.box.y0):
        last = groups[-1][-1] if groups else None
        height = item.box.y1 - item.box.y0
        if last is not None and last.region < 0 and item.region < 0 and item.box.y0 - last.box.y1 < 0.5 * height:
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


def _gutters(items: Sequence[Item]) -> list[float]:
    """Centres of vertical strips that few lines cross, the most promising first."""
    if len(items) < 2:
        return []
    low, high = _extent(items)
    cells = int((high - low) / _STEP) + 2
    change = [0.0] * (cells + 1)
    starts = [0.0] * (cells + 1)
    ends = [0.0] * (cells + 1)
    for item in items:
        height = item.box.y1 - item.box.y0
        first, last = int((item.box.x0 - low) / _STEP), int((item.box.x1 - low) / _STEP) + 1
        change[first] += height
        change[last] -= height
        starts[first] += 1
        ends[last] += 1
    return _valleys(low, change, starts, ends)


def _valleys(low: float, change: Sequence[float], starts: Sequence[float], ends: Sequence[float]) -> list[float]:
    cover: list[float] = []
    height = 0.0
    for step in change:
        height += step
        cover.append(height)
    total = sum(starts)
    found: list[tuple[float, float]] = []
    at, count, left_peak, ended, begun = 0, len(cover), 0.0, 0.0, 0.0
    right_peaks = [0.0] * (count + 1)
    for index in range(count - 1, -1, -1):
        right_peaks[index] = max(right_peaks[index + 1], cover[index])
    while at < count:
        left_peak = max(left_peak, cover[at])
        ended += ends[at]
        begun += starts[at]
        limit = 0.5 * min(left_peak, right_peaks[at])
        end = at
        while end + 1 < count and cover[end + 1] == cover[at] and not starts[end + 1] and not ends[end + 1]:
            end += 1
        width = (end - at + 1) * _STEP
        after = total - begun
        if cover[at] <= limit and width >= _MIN_GUTTER and ended >= _MIN_SIDE and after >= _MIN_SIDE:
            score = 10.0 * min(ended, after) - 0.5 * cover[at] + min(width, 30.0)
            found.append((score, low + (at + end + 1) / 2 * _STEP))
        at = end + 1
    return [middle for _, middle in sorted(found, reverse=True)[:4]]


def _bands(items: Sequence[Item], gutter: float) -> list[_Band]:
    """Split at the items that cross the gutter; a crossing item is a band of its own."""
    bands: list[_Band] = []
    left: list[Item] = []
    right: list[Item] = []
    for item in sorted(items, key=lambda i: ((i.box.y0 + i.box.y1) / 2, i.box.x0)):
        if item.box.x0 < gutter < item.box.x1:
            if left or right:
                bands.append(_Band(left, right, _kind(left, right)))
            bands.append(_Band([item], [], _Kind.ROWS))
            left, right = [], []
        elif item.box.x1 <= gutter:
            left.append(item)
        else:
            right.append(item)
    if left or right:
        bands.append(_Band(left, right, _kind(left, right)))
    return bands


def _kind(left: Sequence[Item], right: Sequence[Item]) -> _Kind:
    if not left or not right:
        return _Kind.UNSURE
    if len(left) < _MIN_SIDE and len(right) < _MIN_SIDE:
        if any(i.region >= 0 for i in (*left, *right)) and _paired_share(left, right) < 0.5:
            return _Kind.COLUMNS
        return _Kind.UNSURE
    filled_left, filled_right = _fill(left) >= _FILLED, _fill(right) >= _FILLED
    if filled_right and _is_side(left, right):
        return _Kind.SIDE_HEADS
    if filled_left:
        return _Kind.COLUMNS if filled_right or _paired_share(left, right) < 0.9 or len(left) > 4 else _Kind.ROWS
    if filled_right:
        return _Kind.COLUMNS if _paired_share(left, right) < 0.5 else _Kind.SIDE_HEADS
    return _Kind.ROWS


def _is_side(left: Sequence[Item], right: Sequence[Item]) -> bool:
    """A left column that is narrow, sparse and set in bold throughout."""
    (x0, x1), (r0, r1) = _extent(left), _extent(right)
    lines = [line for item in left if item.region < 0 for line in item.lines]
    if not lines or x1 - x0 > 0.55 * (r1 - r0) or len(lines) > 0.7 * sum(len(i.lines) for i in right):
        return False
    return all(line.words[0].bold or line.words[0].size > 1.1 * _usual_size(right) for line in lines)


def _usual_size(items: Sequence[Item]) -> float:
    sizes = sorted(line.words[0].size for item in items for line in item.lines)
    return sizes[len(sizes) // 2] if sizes else 0.0


def _fill(side: Sequence[Item]) -> float:
    """Share of the side's printed rows that are as wide as its column, as running text is."""
    lines = sorted((i.box for i in side if i.region < 0), key=lambda b: (b.y0 + b.y1) / 2)
    if not lines:
        return 1.0 if side else 0.0
    x0, x1 = min(b.x0 for b in lines), max(b.x1 for b in lines)
    words = sum(len(line.words) for i in side if i.region < 0 for line in i.lines)
    if x1 - x0 < 60.0 or words < 2.5 * len(lines):
        return 0.0
    rows: list[tuple[Box, float]] = []
    for box in lines:
        if rows and _overlap(rows[-1][0], box) > 0.6:
            rows[-1] = (box, rows[-1][1] + box.x1 - box.x0)
        else:
            rows.append((box, box.x1 - box.x0))
    return sum(width >= _FULL * (x1 - x0) for _, width in rows) / len(rows)


def _paired_share(left: Sequence[Item], right: Sequence[Item]) -> float:
    """Share of the shorter side's lines that stand level with a line of the other."""
    few, many = (left, right) if len(left) <= len(right) else (right, left)
    lines = [i.box for i in few if i.region < 0]
    if not lines:
        return 0.0
    return sum(any(_overlap(box, other.box) > 0.8 for other in many if other.region < 0) for box in lines) / len(lines)


def _overlap(a: Box, b: Box) -> float:
    shared = min(a.y1, b.y1) - max(a.y0, b.y0)
    return shared / max(0.1, min(a.y1 - a.y0, b.y1 - b.y0))


def _extent(items: Sequence[Item]) -> Extent:
    return (min(i.box.x0 for i in items), max(i.box.x1 for i in items))


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


def _side_by_side_heads(lines: tuple[TextLine, ...], margins: Counter[int]) -> Iterator[tuple[TextLine, ...]]:
    """Two bold pieces far apart are the headings of two things side by side, not one line.

    So is a bold piece before plain text that starts where running text does: a heading with the text beside it.
    """
    start = 0
    for index, (before, after) in enumerate(pairwise(lines), start=1):
        gap = (after.box.x0 - before.box.x1) / max(before.words[-1].size, after.words[0].size)
        heads = (
            gap > 3.0
            and len(lines) == 2
            and _head(before)
            and _head(after)
            and len(before.text) > 3
            and len(after.text) > 3
        )
        beside = (
            gap > 0.3 and index == 1 and _head(before) and not after.words[0].bold and margins[round(after.box.x0)] >= 3
        )
        if heads or beside:
            yield lines[start:index]
            start = index
    yield lines[start:]


def _head(line: TextLine) -> bool:
    return all(word.bold for word in line.words)
