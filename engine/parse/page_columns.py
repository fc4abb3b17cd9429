"""Columns of a page told from columns of a table: lines side by side in a table share their baselines, columns do not.

Found before tables are looked for, so that a table in one column never takes in the text of the other.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from engine.core.model import Box
from engine.parse.candidates import CAPTION
from engine.parse.columns import Item, Kind, bullets, extent_of, fill, gutters, is_head, kind_of, margins
from engine.parse.layout import PageLayout, Rule
from engine.parse.numbering import read_numbering
from engine.parse.sections import is_leaf, is_section

_DEPTH = 2
_LEAST_ROWS = 5
_LEAST_UNDER_NAMES = 3
_LEAST_HEIGHT = 50.0
_LEAST_WIDTH = 0.18
"""Share of the width in columns that each of them takes at least."""
_LEAST_WHITE = 8.0
_MOST = 16
"""Gutters tried: a table has many, and the page's is not the most conspicuous."""
_SAME_BASELINE = 1.2
"""Points between baselines that are one."""
_DESCENT = 0.21
_STRANGERS = 0.3
"""Share of common baselines below which two sides know nothing of each other: chance alone gives a fifth."""
_STRANGERS_IN_TEXT = 0.6
_FILLED = 0.42
_LIMIT_WORDS = frozenset(("min", "typ", "max", "nom", "unit", "units", "parameter", "symbol"))
_SPACE = 0.5
"""White space between paragraphs, in line heights."""
_BREAK = 2.5
"""White space across the page of this many line heights ends columns that have nothing below it on one side."""
_MOST_DRAWN = 0.6
"""Share of the page's height that a drawing taller than it frames or backs."""
_TABLE_ROWS = 3
"""So many rows in a row with one baseline on both sides are a table's."""


@dataclass(frozen=True, slots=True)
class Split:
    """Two columns side by side in `box`, parted at x = `gutter`."""

    box: Box
    gutter: float

    @property
    def sides(self) -> tuple[Box, Box]:
        box = self.box
        return replace(box, x1=self.gutter), replace(box, x0=self.gutter)


def find_splits(layout: PageLayout) -> tuple[Split, ...]:
    """Where the page is set in columns, outer splits before those inside them; three columns are two splits."""
    items = [Item(line.box, (line,)) for line in layout.lines if line.words[0].angle == 0]
    _, body, _ = margins(items, layout.height)
    drawn = [_box(rule) for rule in layout.rules if rule.horizontal]
    drawn += [box for box in (*layout.strokes, *layout.images) if box.y1 - box.y0 < _MOST_DRAWN * layout.height]
    return tuple(_splits(body, drawn, _DEPTH))


def areas_of(layout: PageLayout, splits: Sequence[Split]) -> list[Box]:
    """The columns of the page and the stretches between them, which together hold every line; the page itself where
    it is not set in columns."""
    outer = [split for split in splits if not any(_within(split.box, other.box) for other in splits if other != split)]
    areas: list[Box] = []
    for split in outer:
        areas += _leaves(split, [s for s in splits if s is not split])
    edges = [0.0, *sorted(y for split in outer for y in (split.box.y0, split.box.y1)), layout.height]
    areas += [Box(0.0, top, layout.width, foot) for top, foot in zip(edges[::2], edges[1::2]) if foot > top]
    return areas


def _leaves(split: Split, others: Sequence[Split]) -> Iterator[Box]:
    """The columns of a split: a side that is split again gives its own columns and what stands above and below them."""
    for side in split.sides:
        inner = next((other for other in others if _within(other.box, side)), None)
        if inner is None:
            yield side
            continue
        yield from inner.sides
        yield from (replace(side, y1=inner.box.y0), replace(side, y0=inner.box.y1))


def _within(box: Box, other: Box) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return other.x0 <= x <= other.x1 and other.y0 <= y <= other.y1 and box.x1 - box.x0 < other.x1 - other.x0


def clipped(layout: PageLayout, area: Box) -> PageLayout:
    """What of the page is printed in an area, in the page's coordinates."""
    return replace(
        layout,
        words=tuple(word for word in layout.words if holds(area, word.box)),
        lines=tuple(line for line in layout.lines if holds(area, line.box)),
        rules=tuple(rule for rule in layout.rules if holds(area, _box(rule))),
        strokes=tuple(box for box in layout.strokes if holds(area, box)),
        images=tuple(box for box in layout.images if holds(area, box)),
    )


def _box(rule: Rule) -> Box:
    return Box(min(rule.x0, rule.x1), min(rule.y0, rule.y1), max(rule.x0, rule.x1), max(rule.y0, rule.y1))


def holds(area: Box, box: Box) -> bool:
    """Whether the middle of `box` is in `area`; its right and lower edges are not."""
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return area.x0 <= x < area.x1 and area.y0 <= y < area.y1


# --- finding ----------------------------------------------------------------------------------------------------------


def _splits(items: Sequence[Item], drawn: Sequence[Box], depth: int) -> Iterator[Split]:
    if not depth or len(items) < 2 * _LEAST_ROWS:
        return
    choices = [list(_at_gutter(items, drawn, gutter)) for gutter in gutters(items, _MOST, _LEAST_WHITE)]
    best = max(choices, key=lambda splits: sum(rows for _, rows in splits), default=[])
    for split, _ in best:
        yield split
        for side in split.sides:
            yield from _splits([item for item in items if holds(side, item.box)], drawn, depth - 1)


def _at_gutter(items: Sequence[Item], drawn: Sequence[Box], gutter: float) -> Iterator[tuple[Split, int]]:
    """The bands between what crosses the gutter that hold columns, each with its number of printed rows."""
    low, high = extent_of(items)
    across = [i for i in items if i.box.x0 < gutter < i.box.x1]
    edges = [(i.box.y0 + i.box.y1) / 2 for i in across]
    edges += [y for b in drawn if b.x0 < gutter - _LEAST_WHITE and b.x1 > gutter + _LEAST_WHITE for y in (b.y0, b.y1)]
    edges.sort()
    rows_across = sorted(map(_baseline, across))
    bands: dict[int, tuple[list[Item], list[Item]]] = {}
    for item in items:
        if not _has(rows_across, _baseline(item)):
            band = bands.setdefault(bisect_left(edges, (item.box.y0 + item.box.y1) / 2), ([], []))
            band[item.box.x0 >= gutter].append(item)
    for band in bands.values():
        for left, right in _between_tables(*band):
            if min(len(left), len(right)) >= _LEAST_UNDER_NAMES and (found := _columns(left, right, high - low)):
                yield found


def _between_tables(left: Sequence[Item], right: Sequence[Item]) -> Iterator[tuple[list[Item], list[Item]]]:
    """The band in pieces, without the rows of cells that run right across it, as those of a table do."""
    rows: list[tuple[float, list[tuple[Item, int]]]] = []
    for item, side in sorted([(i, 0) for i in left] + [(i, 1) for i in right], key=lambda pair: _baseline(pair[0])):
        if rows and _baseline(item) - rows[-1][0] <= _SAME_BASELINE:
            rows[-1][1].append((item, side))
        else:
            rows.append((_baseline(item), [(item, side)]))
    piece: list[tuple[Item, int]] = []
    for cells, group in groupby(rows, key=lambda row: _runs_across(row[1])):
        held = list(group)
        if cells and len(held) >= _TABLE_ROWS:
            yield _sides(piece)
            piece = []
        else:
            piece += [pair for _, row in held for pair in row]
    yield _sides(piece)


def _runs_across(row: Sequence[tuple[Item, int]]) -> bool:
    """A row with cells on both sides, not just a line of text on each."""
    return len({side for _, side in row}) == 2 and sum(len(i.lines[0].text) > 1 for i, _ in row) >= 3


def _sides(pairs: Sequence[tuple[Item, int]]) -> tuple[list[Item], list[Item]]:
    return [item for item, side in pairs if side == 0], [item for item, side in pairs if side == 1]


def _columns(left: Sequence[Item], right: Sequence[Item], width: float) -> tuple[Split, int] | None:
    named = _side_by_side_sections(left, right)
    top = named or max(min((i.box.y0 for i in side), default=0.0) for side in (left, right))
    left, right = _from(left, top, named is None), _from(right, top, named is None)
    left, right = _without_trailing(left, right), _without_trailing(right, left)
    least = _LEAST_ROWS if named is None else _LEAST_UNDER_NAMES
    if min(len(_baselines(left)), len(_baselines(right))) < least or not _apart(left, right, width):
        return None
    rows = _baselines(left), _baselines(right)
    if named is None and (not _strangers(left, right) or kind_of(left, right) is Kind.SIDE_HEADS):
        return None
    (x0, left_end), (right_start, x1) = extent_of(left), extent_of(right)
    box = Box(
        x0 - 1, min(i.box.y0 for i in (*left, *right)) - 0.1, x1 + 1, max(i.box.y1 for i in (*left, *right)) + 0.1
    )
    return Split(box, (left_end + right_start) / 2), sum(map(len, rows))


def _from(side: Sequence[Item], top: float, whole: bool) -> list[Item]:
    """The column from height `top` down, and what stands above it without white space between (if `whole`)."""
    ordered = sorted(side, key=lambda i: i.box.y0)
    start = next((at for at, item in enumerate(ordered) if item.box.y1 > top), len(ordered))
    while whole and 0 < start < len(ordered):
        line, before = ordered[start].box, ordered[start - 1].box
        if line.y0 - before.y1 > _SPACE * (before.y1 - before.y0):
            break
        start -= 1
    return ordered[start:]


def _apart(left: Sequence[Item], right: Sequence[Item], width: float) -> bool:
    """Both sides have the width of a column, with a gutter between them."""
    (x0, left_end), (right_start, x1) = extent_of(left), extent_of(right)
    return right_start - left_end >= _LEAST_WHITE and min(left_end - x0, x1 - right_start) >= _LEAST_WIDTH * width


def _strangers(left: Sequence[Item], right: Sequence[Item]) -> bool:
    """The two sides stand beside each other for a while, and their lines take no notice of each other."""
    foot = min(max(i.box.y1 for i in side) for side in (left, right))
    top = max(min(i.box.y0 for i in side) for side in (left, right))
    if foot - top < _LEAST_HEIGHT:
        return False
    few, many = sorted((_baselines(left), _baselines(right)), key=len)
    common = sum(_has(many, baseline) for baseline in few) / len(few)
    if any(fill(side) >= _FILLED or bullets(side) >= 2 for side in (left, right)):
        return common <= _STRANGERS_IN_TEXT
    # Labels of drawings side by side are strangers too, but make no columns.
    return common <= _STRANGERS and any(
        _heads_table(" ".join(texts)) for side in (left, right) for _, texts in _row_texts(side)
    )


def _heads_table(text: str) -> bool:
    return len({word for word in text.casefold().replace(".", "").split() if word in _LIMIT_WORDS}) >= 2


def _without_trailing(side: Sequence[Item], other: Sequence[Item]) -> list[Item]:
    """The column without what stands below the other's end and belongs to the full width below both: headings,
    captions, and whatever white space right across the page parts from it."""
    foot = max((i.box.y1 for i in other), default=0.0)
    ordered = sorted(side, key=lambda i: i.box.y0)
    for index in range(1, len(ordered)):
        before = max(foot, *(item.box.y1 for item in ordered[:index]))
        if ordered[index].box.y0 - before > _BREAK * (ordered[0].box.y1 - ordered[0].box.y0):
            ordered = ordered[:index]
            break
    while ordered and ordered[-1].box.y0 >= foot and _announces(ordered[-1]):
        ordered.pop()
    return ordered


def _announces(item: Item) -> bool:
    return is_head(item.lines) or CAPTION.match(" ".join(line.text for line in item.lines)) is not None


def _side_by_side_sections(left: Sequence[Item], right: Sequence[Item]) -> float | None:
    """Height of the first row that heads both sides with names of sections, as front pages do, or None."""
    before = [baseline for baseline, texts in _row_texts(left) if any(_is_name(t) for t in _joined(texts[::-1], -1))]
    after = sorted(baseline for baseline, texts in _row_texts(right) if any(_is_name(t) for t in _joined(texts, 1)))
    both = [baseline for baseline in before if _has(after, baseline)]
    return min(both) - 2 * _SAME_BASELINE if both else None


def _row_texts(items: Sequence[Item]) -> Iterator[tuple[float, list[str]]]:
    """(baseline, texts from left to right) of every printed row."""
    held: dict[float, list[Item]] = {}
    for item in sorted(items, key=_baseline):
        baseline = next((b for b in held if abs(b - _baseline(item)) <= _SAME_BASELINE), _baseline(item))
        held.setdefault(baseline, []).append(item)
    for baseline, row in held.items():
        yield baseline, [line.text for item in sorted(row, key=lambda i: i.box.x0) for line in item.lines]


def _joined(texts: Sequence[str], step: int) -> Iterator[str]:
    """The first text, the first two, the first three: a number may stand apart from its title."""
    for count in range(1, min(3, len(texts)) + 1):
        yield " ".join(texts[:count][::step])


def _is_name(text: str) -> bool:
    numbering = read_numbering(text)
    title = numbering.rest if numbering else text
    return is_leaf(title) or is_section(title)


def _baseline(item: Item) -> float:
    return item.box.y1 - _DESCENT * max(word.size for line in item.lines for word in line.words)


def _baselines(items: Sequence[Item]) -> list[float]:
    found: list[float] = []
    for baseline in sorted(map(_baseline, items)):
        if not found or baseline - found[-1] > _SAME_BASELINE:
            found.append(baseline)
    return found


def _has(baselines: Sequence[float], wanted: float) -> bool:
    at = bisect_left(baselines, wanted - _SAME_BASELINE)
    return at < len(baselines) and baselines[at] <= wanted + _SAME_BASELINE
