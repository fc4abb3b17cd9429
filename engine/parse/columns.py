"""Gutters: the white strips that part columns of running text, and what stands on either side of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise

from engine.core.model import Box
from engine.parse.layout import TextLine

MIN_SIDE = 3
"""Lines a column must have on either side of a gutter."""
_MIN_GUTTER = 5.0
_FULL = 0.8
"""Share of its column's width that a line of running text fills."""
_FILLED = 0.42
"""Share of full lines that makes a side running text."""
_ALIGNED = 0.4
"""Share of lines that start at the left edge of text beside side heads."""
_BULLETS = frozenset("•·●■▪◆►‣\uf0b7\uf0a7\ufffd")
_LARGE = 14
_GAP = 0.25
"""White space right across a band, in line heights, at which it may be parted."""
_STEP = 2.0
_EDGE = 0.1
"""Share of the page's height in which a header or footer may stand."""
_LINE = 6.0
"""Height of the smallest line that counts, in points."""

Extent = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Item:
    """Something that is read as a whole: a printed line, or a table or figure region with the lines in it."""

    box: Box
    lines: tuple[TextLine, ...]
    region: int = -1
    """Index of the region the item is, -1 for a line of running text."""


class Kind(Enum):
    COLUMNS = auto()
    SIDE_HEADS = auto()
    ROWS = auto()
    UNSURE = auto()


@dataclass(frozen=True, slots=True)
class Band:
    """A stretch of the page between lines that cross the gutter."""

    left: list[Item]
    right: list[Item]
    kind: Kind


def margins(items: Sequence[Item], height: float) -> tuple[list[Item], list[Item], list[Item]]:
    """Header, body and footer: lines near the page's edge with white space between them and the body."""
    ordered = sorted(items, key=lambda i: i.box.y0)
    head = _edge(ordered, lambda i: i.box.y1 < _EDGE * height, lambda a, b: b.box.y0 - a.box.y1)
    rest = ordered[head:]
    rest.sort(key=lambda i: -i.box.y1)
    foot = _edge(rest, lambda i: i.box.y0 > (1 - _EDGE) * height, lambda a, b: a.box.y0 - b.box.y1)
    return ordered[:head], rest[foot:], rest[:foot]


def _edge(ordered: Sequence[Item], near: Callable[[Item], bool], gap: Callable[[Item, Item], float]) -> int:
    """How many of the items, from the edge inwards, are parted from the next by more than lines are."""
    count = cut = 0
    while count < len(ordered) and near(ordered[count]):
        count += 1
        last = ordered[:count]
        if count < len(ordered):
            white = min(gap(item, ordered[count]) for item in last)
            heights = [item.box.y1 - item.box.y0 for item in (*last, ordered[count]) if item.region < 0]
            if white > 0.3 * min(heights, default=20.0):
                cut = count
    return cut if count < len(ordered) else 0


def straddles_columns(region: Box, lines: Sequence[TextLine]) -> bool:
    """True for a region laid across two columns of running text: no table can stand there."""
    items = [Item(line.box, (line,)) for line in lines if inside(line.box, region)]
    for gutter in gutters(items):
        left = [i for i in items if i.box.x1 <= gutter]
        right = [i for i in items if i.box.x0 >= gutter]
        if len(left) + len(right) >= 0.85 * len(items) and fill(left) >= 0.6 and fill(right) >= 0.6:
            words = [len(line.words) for i in (*left, *right) for line in i.lines]
            if sum(words) / len(words) >= 5:
                return True
    return False


def inside(box: Box, region: Box) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return region.x0 <= x <= region.x1 and region.y0 <= y <= region.y1


def gutters(items: Sequence[Item], most: int = 5, least: float = _MIN_GUTTER) -> list[float]:
    """Centres of vertical strips of `least` points or more that few lines cross, the most promising first."""
    if len(items) < 2:
        return []
    low, high = extent_of(items)
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
    return [middle for middle, width in _valleys(low, change, starts, ends) if width >= least][:most]


def _valleys(
    low: float, change: Sequence[float], starts: Sequence[float], ends: Sequence[float]
) -> list[tuple[float, float]]:
    """(centre, width) of every strip, the most promising first."""
    cover: list[float] = []
    height = 0.0
    for step in change:
        height += step
        cover.append(height)
    total = sum(starts)
    found: list[tuple[float, float, float]] = []
    at, count, left_peak, ended, begun = 0, len(cover), 0.0, 0.0, 0.0
    right_peaks = [0.0] * (count + 1)
    for index in range(count - 1, -1, -1):
        right_peaks[index] = max(right_peaks[index + 1], cover[index])
    while at < count:
        left_peak = max(left_peak, cover[at])
        ended += ends[at]
        begun += starts[at]
        rises = left_peak - cover[at] >= _LINE and right_peaks[at] - cover[at] >= MIN_SIDE * _LINE
        end = at
        while end + 1 < count and cover[end + 1] == cover[at] and not starts[end + 1] and not ends[end + 1]:
            end += 1
        width = (end - at + 1) * _STEP
        after = total - begun
        if rises and width >= _MIN_GUTTER and ended >= 1 and after >= MIN_SIDE:
            score = 10.0 * min(ended, after) - 0.5 * cover[at] + min(width, 30.0)
            found.append((score, low + (at + end + 1) / 2 * _STEP, width))
        at = end + 1
    return [(middle, width) for _, middle, width in sorted(found, reverse=True)]


def bands_at(items: Sequence[Item], gutter: float) -> list[Band]:
    """Split at the items that cross the gutter; a crossing item is a band of its own."""
    bands: list[Band] = []
    left: list[Item] = []
    right: list[Item] = []

    def close() -> None:
        if left or right:
            bands.extend(_parted(left[:], right[:]))
        left.clear()
        right.clear()

    for item in sorted(items, key=lambda i: ((i.box.y0 + i.box.y1) / 2, i.box.x0)):
        if item.box.x0 < gutter < item.box.x1:
            close()
            bands.append(Band([item], [], Kind.ROWS))
        elif item.box.x1 <= gutter:
            left.append(item)
        else:
            right.append(item)
    close()
    return bands


def _parted(left: list[Item], right: list[Item]) -> list[Band]:
    """One band, or several where only a part of it is columns: a chart below them hides their regularity."""
    whole = Band(left, right, kind_of(left, right))
    if whole.kind is not Kind.ROWS or len(left) + len(right) < _LARGE:
        return [whole]
    pieces: list[tuple[list[Item], list[Item]]] = [([], [])]
    foot = None
    sides = sorted([(i, 0) for i in left] + [(i, 1) for i in right], key=lambda pair: pair[0].box.y0)
    for item, side in sides:
        if foot is not None and item.box.y0 - foot > _GAP * (item.box.y1 - item.box.y0):
            pieces.append(([], []))
        pieces[-1][side].append(item)
        foot = item.box.y1 if foot is None else max(foot, item.box.y1)
    bands = [Band(a, b, kind_of(a, b)) for a, b in pieces]
    large = [b for b in bands if b.kind in (Kind.COLUMNS, Kind.SIDE_HEADS) and min(len(b.left), len(b.right)) >= 4]
    return bands if large else [whole]


def kind_of(left: Sequence[Item], right: Sequence[Item]) -> Kind:
    """What two sides of a gutter are to each other, by how full and regular their lines are."""
    if not left or not right:
        return Kind.UNSURE
    filled_left, filled_right = fill(left) >= _FILLED, fill(right) >= _FILLED
    if _is_side(left, right, filled_right):
        return Kind.SIDE_HEADS
    if bullets(left) >= 2 and bullets(right) >= 2:
        return Kind.COLUMNS
    if len(left) < MIN_SIDE or len(right) < MIN_SIDE:
        boxed_left, boxed_right = any(i.region >= 0 for i in left), any(i.region >= 0 for i in right)
        if (boxed_left or boxed_right) and _paired_share(left, right) < 0.5:
            return Kind.COLUMNS
        return Kind.COLUMNS if (boxed_left and filled_right) or (boxed_right and filled_left) else Kind.UNSURE
    if all(len(line.text) <= 6 for item in left for line in item.lines if item.region < 0):
        # Section numbers, item numbers and bullets belong to the text they stand before.
        return Kind.ROWS
    if filled_left:
        return Kind.COLUMNS if filled_right or _paired_share(left, right) < 0.9 or len(left) > 4 else Kind.ROWS
    if filled_right:
        sparse = len(left) <= 0.8 * len(right) and _paired_share(left, right) >= 0.5
        return Kind.SIDE_HEADS if sparse else Kind.COLUMNS
    return Kind.ROWS


def _is_side(left: Sequence[Item], right: Sequence[Item], filled: bool) -> bool:
    """A left column that is narrow, sparse and set in bold or larger throughout, beside text in one piece."""
    (x0, x1), (r0, r1) = extent_of(left), extent_of(right)
    lines = [line for item in left if item.region < 0 for line in item.lines]
    # Bullets and item numbers stand apart from their text but make no second column.
    pieces = [line for item in right if item.region < 0 for line in item.lines if len(line.text) > 3]
    beside = [line.box for line in pieces]
    if not lines or len(lines) < len(left) or len(beside) < MIN_SIDE:
        return False
    if x1 - x0 > 0.55 * (r1 - r0) or len(lines) > 0.7 * len(beside):
        return False
    if all(len(line.text) <= 6 and not line.text.isalpha() for line in lines):
        return False
    usual = _usual_size(right)
    if all(line.words[0].bold and line.words[0].size > 1.15 * usual for line in lines):
        return True
    if not all(all(word.bold for word in line.words) or line.words[0].size > 1.1 * usual for line in lines):
        return False
    aligned = sum(abs(box.x0 - r0) < 3.0 for box in beside) >= _ALIGNED * len(beside)
    words = sum(len(line.words) for line in pieces)
    return filled or (aligned and words >= 4 * len(beside) and _rows(beside) >= 0.75 * len(beside))


def bullets(items: Sequence[Item]) -> int:
    """Lines that begin the items of a list: cells of a table do not."""
    return sum(line.words[0].text in _BULLETS for item in items if item.region < 0 for line in item.lines)


def _rows(boxes: Sequence[Box]) -> int:
    """How many printed rows the boxes make."""
    ordered = sorted(boxes, key=lambda b: (b.y0 + b.y1) / 2)
    return 1 + sum(overlap(a, b) <= 0.6 for a, b in pairwise(ordered))


def _usual_size(items: Sequence[Item]) -> float:
    sizes = sorted(line.words[0].size for item in items for line in item.lines)
    return sizes[len(sizes) // 2] if sizes else 0.0


def fill(side: Sequence[Item]) -> float:
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
        if rows and overlap(rows[-1][0], box) > 0.6:
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
    return sum(any(overlap(box, other.box) > 0.8 for other in many if other.region < 0) for box in lines) / len(lines)


def overlap(a: Box, b: Box) -> float:
    shared = min(a.y1, b.y1) - max(a.y0, b.y0)
    return shared / max(0.1, min(a.y1 - a.y0, b.y1 - b.y0))


def extent_of(items: Sequence[Item]) -> Extent:
    return (min(i.box.x0 for i in items), max(i.box.x1 for i in items))


def is_head(lines: Sequence[TextLine]) -> bool:
    """Bold but for note marks and the like."""
    words = [word for line in lines for word in line.words]
    return sum(len(w.text) for w in words if w.bold) > 0.75 * sum(len(w.text) for w in words)
