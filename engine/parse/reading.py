"""Reading order: columns are read one after the other, rows of tables and figures from left to right.

A page is cut along gutters (recursively), but only where at least one side is running text: the cells of a table also
leave white strips between them and must stay in their rows. A narrow left column of short pieces beside running text
holds side heads: each is read before the text it stands beside.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.core.model import Box
from engine.parse.columns import (
    MIN_SIDE,
    Band,
    Extent,
    Item,
    Kind,
    bands_at,
    extent_of,
    gutters,
    inside,
    is_head,
    margins,
    overlap,
)
from engine.parse.layout import TextLine
from engine.parse.page_columns import Split

_DEPTH = 4
_SECTION = re.compile(r"\d{1,2}\.(?:\d{1,3}\.?)*")
Flow = tuple[list[Item], Extent, bool]
"""Items, the extent of their column, and whether they are side heads."""
_BREAK = 2.5
"""White space across the page of this many line heights ends columns that have nothing below it on one side."""


@dataclass(frozen=True, slots=True)
class Row:
    """Lines that stand side by side in one column, left to right. `column` is the column's horizontal extent."""

    lines: tuple[TextLine, ...]
    column: Extent
    region: int = -1
    side: bool = False
    """A side head: it stands in the margin beside the text it heads."""


def reading_rows(
    lines: Sequence[TextLine], regions: Sequence[Box], height: float, splits: Sequence[Split] = ()
) -> list[Row]:
    """The page's lines as rows in reading order; lines inside a region stay together, row by row.

    `splits` are the columns already known from their baselines.
    """
    rows: list[Row] = []
    starts = Counter(round(line.box.x0) for line in lines if len(line.words) >= 5 or len(line.text) <= 3)
    head, body, foot = margins(_items(lines, regions), height)
    rows.extend(_pieces(head))
    for flow, extent, side in _in_columns(body, splits, None):
        for item in _by_rows(flow):
            if item.region >= 0:
                inner = [Item(line.box, (line,)) for line in item.lines]
                rows.extend(Row(i.lines, (item.box.x0, item.box.x1), item.region) for i in _by_rows(inner))
            else:
                rows.extend(Row(part, extent, side=side) for part in _side_by_side_heads(item.lines, starts))
    rows.extend(_pieces(foot))
    return rows


def _pieces(items: Sequence[Item]) -> Iterator[Row]:
    """Lines of a header or footer: what stands at its left, centre and right are different things."""
    held: list[TextLine] = []
    for item in sorted(items, key=lambda i: (round(i.box.y1 / 3), i.box.x0)):
        for line in item.lines:
            if held and not _numbers(held[-1], line):
                yield _piece(held, item.region)
                held = []
            held.append(line)
        if held and item.region >= 0:
            yield _piece(held, item.region)
            held = []
    if held:
        yield _piece(held, -1)


def _piece(lines: Sequence[TextLine], region: int) -> Row:
    return Row(tuple(lines), (lines[0].box.x0, lines[-1].box.x1), region)


def _numbers(number: TextLine, line: TextLine) -> bool:
    """A heading at the very top of a page: its number stands before it, in the same type."""
    alike = number.words[0].size == line.words[0].size and number.words[0].bold == line.words[0].bold
    near = 0 <= line.box.x0 - number.box.x1 < 5 * line.words[0].size and overlap(number.box, line.box) > 0.8
    return alike and near and _SECTION.fullmatch(number.text) is not None


def _items(lines: Sequence[TextLine], regions: Sequence[Box]) -> list[Item]:
    held: dict[int, list[TextLine]] = {index: [] for index in range(len(regions))}
    free: list[Item] = []
    for line in lines:
        home = next((i for i, region in enumerate(regions) if inside(line.box, region)), -1)
        if home >= 0:
            held[home].append(line)
        else:
            free.append(Item(line.box, (line,)))
    free += [Item(regions[index], tuple(inner), index) for index, inner in held.items() if inner]
    return free


# --- columns ----------------------------------------------------------------------------------------------------------


def _in_columns(items: list[Item], splits: Sequence[Split], extent: Extent | None) -> Iterator[Flow]:
    """Known columns one after the other, and what stands above, between and below them as it comes."""
    if not splits or not items:
        yield from _arrange(items, _DEPTH, extent)
        return
    split, others = splits[0], splits[1:]
    if _sees(items, split):
        yield from _in_columns(items, others, extent)
        return
    extent = extent or extent_of(items)
    above = [i for i in items if i.box.y1 <= split.box.y0 or (i.box.y0 + i.box.y1) / 2 < split.box.y0]
    below = [i for i in items if i not in above and (i.box.y0 + i.box.y1) / 2 > split.box.y1]
    within = [i for i in items if i not in above and i not in below]
    yield from _in_columns(above, others, extent)
    bands = bands_at(within, split.gutter)
    for band in bands:
        sides = (band.left, band.right) if band.right else (band.left,)
        for side in sides:
            yield from _in_columns(side, others, None if band.right else extent)
    yield from _in_columns(below, others, extent)


def _sees(items: Sequence[Item], split: Split) -> bool:
    """Whether the columns show in how their lines are set, too: then headings beside them are told apart better."""
    box = split.box
    return any(
        band.kind is Kind.COLUMNS
        and extent_of(band.left)[1] < split.gutter < extent_of(band.right)[0]
        and min(i.box.y0 for i in (*band.left, *band.right)) <= box.y0 + 1
        and max(i.box.y1 for i in (*band.left, *band.right)) >= box.y1 - 1
        for band in _best_bands(items)
    )


def _best_bands(items: Sequence[Item]) -> list[Band]:
    choices = [bands_at(items, gutter) for gutter in gutters(items)]
    return max(choices, key=lambda bands: (_settled(bands), -len(bands)), default=[])


def _arrange(items: list[Item], depth: int, extent: Extent | None) -> Iterator[Flow]:
    """Flows in reading order with the extent of their column; each is read from top to bottom."""
    if not items:
        return
    extent = extent or extent_of(items)
    if depth and len(items) >= 2 * MIN_SIDE:
        bands = _best_bands(items)
        if _settled(bands):
            yield from _read_bands(bands, depth - 1, extent)
            return
    yield items, extent, False


def _settled(bands: Sequence[Band]) -> float:
    """How much a gutter explains: of several the best is right. A column of one line beside many explains little."""
    score = 0.0
    for band in bands:
        few, many = sorted((len(band.left), len(band.right)))
        if band.kind is Kind.COLUMNS:
            score += 2 * few + 0.5 * many
        elif band.kind is Kind.SIDE_HEADS:
            score += few + many
    return score


def _read_bands(bands: Sequence[Band], depth: int, extent: Extent) -> Iterator[Flow]:
    columns = any(band.kind is Kind.COLUMNS for band in bands)
    left_extent = extent_of([i for band in bands if band.right for i in band.left] or bands[0].left)
    right_extent = extent_of([i for band in bands for i in band.right] or bands[0].left)
    flat: list[Item] = []
    for index, band in enumerate(bands):
        kind = band.kind
        across = index + 1 < len(bands) and not bands[index + 1].right
        if kind is Kind.UNSURE:
            kind = Kind.COLUMNS if columns else Kind.ROWS
        if kind is Kind.ROWS:
            flat += band.left + band.right
            continue
        yield from _arrange(flat, depth, extent)
        flat = []
        if kind is Kind.COLUMNS:
            left, flat = _trailing(band, across)
            right, centred = _centred_below(band.right, left, extent)
            flat = [*flat, *centred] if across else flat
            yield from _arrange(left, depth, left_extent)
            yield from _arrange(right if across else band.right, depth, right_extent)
        else:
            yield from _read_side_heads(band, depth, left_extent, right_extent)
    yield from _arrange(flat, depth, extent)


def _trailing(band: Band, across: bool) -> tuple[list[Item], list[Item]]:
    """What stands at the foot of the left column, below the right one, and belongs to the full width below both:
    headings of the text that follows, and figures or tables in the middle of the page."""
    foot = max((item.box.y1 for item in band.right), default=0.0)
    ordered = sorted(band.left, key=lambda i: i.box.y0)
    x0, x1 = extent_of([*band.left, *band.right])
    for index in range(1, len(ordered)):
        before = max(foot, *(item.box.y1 for item in ordered[:index]))
        if band.right and ordered[index].box.y0 - before > _BREAK * (ordered[0].box.y1 - ordered[0].box.y0):
            # White space right across the page ends both columns.
            return ordered[:index], ordered[index:]
    cut = len(ordered) if across else 0
    while cut and ordered[cut - 1].box.y0 >= foot:
        item = ordered[cut - 1]
        centred = abs((item.box.x0 + item.box.x1) - (x0 + x1)) < 0.12 * (x1 - x0)
        if not (centred if item.region >= 0 else is_head(item.lines)):
            break
        cut -= 1
    return (ordered[:cut], ordered[cut:]) if across else (ordered, [])


def _centred_below(right: list[Item], left: Sequence[Item], extent: Extent) -> tuple[list[Item], list[Item]]:
    """Figures and tables at the foot of the right column, below the left one and in the middle of the page."""
    foot = max((item.box.y1 for item in left), default=0.0)
    ordered = sorted(right, key=lambda i: i.box.y0)
    cut = len(ordered)
    while cut and ordered[cut - 1].region >= 0 and ordered[cut - 1].box.y0 >= foot:
        box = ordered[cut - 1].box
        if abs((box.x0 + box.x1) - (extent[0] + extent[1])) >= 0.12 * (extent[1] - extent[0]):
            break
        cut -= 1
    return ordered[:cut], ordered[cut:]


def _read_side_heads(band: Band, depth: int, left_extent: Extent, right_extent: Extent) -> Iterator[Flow]:
    """Each group of lines on the left before the lines on the right that stand beside or below it."""
    right = sorted(band.right, key=lambda i: i.box.y0)
    at = 0
    for group in _groups(band.left):
        top = group[0].box.y0 + 0.4 * (group[0].box.y1 - group[0].box.y0)
        start = at
        while at < len(right) and (right[at].box.y1 if right[at].region < 0 else right[at].box.y0 + 8.0) < top:
            at += 1
        while at > start and overlap(right[at - 1].box, group[0].box) > 0.5 and right[at - 1].region < 0:
            at -= 1
        yield from _arrange(right[start:at], depth, right_extent)
        yield group, left_extent, True
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
    return overlap(row[-1].box, item.box) > 0.55 and all(
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
    """Bold pieces far apart, or of different size, are the headings of two things side by side, not one line.

    So is a bold piece before plain text that starts where running text does: a heading with the text beside it.
    """
    groups = [lines[:1]]
    for before, after in pairwise(lines):
        gap = (after.box.x0 - before.box.x1) / max(before.words[-1].size, after.words[0].size)
        sizes = abs(before.words[0].size - after.words[0].size) > 0.15 * before.words[0].size
        beside = gap > 0.3 and is_head(groups[-1]) and not after.words[0].bold and margins[round(after.box.x0)] >= 3
        column = gap > 1.5 and margins[round(after.box.x0)] >= 3
        if gap > 3.0 or column or (gap > 1.0 and sizes) or (beside and len(groups) == 1):
            groups.append((after,))
        else:
            groups[-1] = (*groups[-1], after)
    # A number before a heading belongs to it.
    heads = [is_head(group) and any(c.isalpha() for line in group for c in line.text) for group in groups]
    if len(groups) == 2 and (all(heads) or (heads[0] and margins[round(groups[1][0].box.x0)] >= 3)):
        yield from groups
    else:
        yield lines
