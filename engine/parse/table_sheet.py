"""A table as it is drawn: column bounds, bands between rulings, and the areas no ruling divides."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.core.model import Box
from engine.parse.layout import Word
from engine.parse.table_rules import Cluster, Line, positions
from engine.parse.table_text import Row

_COVERED = 0.6
_NARROW = 5.0


@dataclass(slots=True)
class Area:
    """A rectangle of the grid without rulings inside: columns [c0, c1), bands [b0, b1)."""

    c0: int
    c1: int
    b0: int
    b1: int
    words: list[Word] = field(default_factory=list)


@dataclass(slots=True)
class Sheet:
    """The drawn grid. `hard[i]` tells whether bound i is a ruling; the others were found from white space."""

    bounds: list[float]
    bands: list[float]
    areas: list[Area]
    hard: list[bool]
    ruled: bool = True
    gaps: dict[int, list[tuple[float, float]]] = field(default_factory=dict)
    """Pieces of a bound's ruling where it is interrupted: between them text may run across it."""
    doubtful: set[int] = field(default_factory=set)
    """Identities of words whose column the white space does not settle."""

    @property
    def columns(self) -> int:
        return len(self.bounds) - 1

    @property
    def box(self) -> Box:
        return Box(self.bounds[0], self.bands[0], self.bounds[-1], self.bands[-1])

    def in_band(self, band: int) -> list[Area]:
        return [area for area in self.areas if area.b0 <= band < area.b1]

    def open_at(self, bound: int, y: float) -> bool:
        """Whether the ruling of a bound is interrupted at height `y`."""
        pieces = self.gaps.get(bound)
        return pieces is not None and not any(low - 1.0 <= y <= high + 1.0 for low, high in pieces)

    def split_column(self, column: int, inner: Sequence[float]) -> None:
        """Divide a column at bounds found from white space."""
        extra = len(inner)
        self.bounds[column + 1 : column + 1] = inner
        self.hard[column + 1 : column + 1] = [False] * extra
        self.gaps = {bound + extra if bound > column else bound: pieces for bound, pieces in self.gaps.items()}
        for area in self.areas:
            if area.c0 > column:
                area.c0 += extra
            if area.c1 > column:
                area.c1 += extra

    def split_band(self, band: int, at: float) -> None:
        """Divide a band in which header and body stand without a ruling between them."""
        self.bands.insert(band + 1, at)
        added: list[Area] = []
        for area in self.areas:
            if area.b0 > band:
                area.b0 += 1
                area.b1 += 1
            elif area.b1 > band:
                area.b1 += 1
                if area.b0 == band:
                    below = [word for word in area.words if (word.box.y0 + word.box.y1) / 2 > at]
                    area.words = [word for word in area.words if (word.box.y0 + word.box.y1) / 2 <= at]
                    added.append(Area(area.c0, area.c1, band + 1, area.b1, below))
                    area.b1 = band + 1
        self.areas += added


def drawn_sheet(cluster: Cluster, words: Sequence[Word]) -> Sheet | None:
    """The grid a cluster of rulings draws, with the words that stand in it; None where it encloses no two cells."""
    box = cluster.box
    xs = positions([line.at for line in cluster.down] + _edges(box.x0, box.x1, [line.at for line in cluster.down]))
    ys = positions([line.at for line in cluster.across] + _edges(box.y0, box.y1, [line.at for line in cluster.across]))
    inside = [word for word in words if _within(word.box, box)]
    xs = _without_slivers(xs, [(w.box.x0 + w.box.x1) / 2 for w in inside])
    ys = _without_slivers(ys, [(w.box.y0 + w.box.y1) / 2 for w in inside])
    if len(xs) < 2 or len(ys) < 2 or not inside or len(xs) * len(ys) > 20000:
        return None
    walls = [cover(cluster.down, x, ys) for x in xs]
    floors = [cover(cluster.across, y, xs) for y in ys]
    areas = rectangles(len(xs) - 1, len(ys) - 1, walls, floors)
    _place(areas, inside, xs, ys)
    return Sheet(xs, ys, areas, [True] * len(xs), gaps=_gaps(cluster, xs))


def _gaps(cluster: Cluster, xs: Sequence[float]) -> dict[int, list[tuple[float, float]]]:
    found: dict[int, list[tuple[float, float]]] = {}
    for i, x in enumerate(xs[1:-1], 1):
        pieces = [(line.start, line.end) for line in cluster.down if abs(line.at - x) <= _NARROW]
        if len(pieces) > 1:
            found[i] = pieces
    return found


def _edges(low: float, high: float, drawn: Sequence[float]) -> list[float]:
    """The outer bounds where the table is open to a side."""
    return [edge for edge in (low, high) if all(abs(edge - at) > 6.0 for at in drawn)]


def _within(box: Box, frame: Box) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return frame.x0 - 1 <= x <= frame.x1 + 1 and frame.y0 - 1 <= y <= frame.y1 + 1


def _without_slivers(bounds: list[float], middles: Sequence[float]) -> list[float]:
    """Double rulings enclose a strip without text: one bound instead of two."""
    kept = bounds[:1]
    for i in range(1, len(bounds)):
        low, high = kept[-1], bounds[i]
        if high - low < _NARROW and not any(low < middle < high for middle in middles):
            if i == len(bounds) - 1 and len(kept) > 1:
                kept[-1] = high
            continue
        kept.append(high)
    return kept


def cover(lines: Sequence[Line], at: float, bounds: Sequence[float]) -> list[bool]:
    """For each interval between `bounds`, whether a ruling at `at` covers most of it."""
    near = [line for line in lines if abs(line.at - at) <= _NARROW]
    found = []
    for low, high in itertools.pairwise(bounds):
        covered = sum(max(0.0, min(line.end, high) - max(line.start, low)) for line in near)
        found.append(covered >= _COVERED * (high - low))
    return found


def rectangles(
    columns: int, bands: int, walls: Sequence[Sequence[bool]], floors: Sequence[Sequence[bool]]
) -> list[Area]:
    """The grid's cells joined where no wall or floor is drawn between them, as rectangles of columns and bands."""
    taken = [[False] * columns for _ in range(bands)]
    areas: list[Area] = []
    for band in range(bands):
        for column in range(columns):
            if taken[band][column]:
                continue
            right = column + 1
            while right < columns and not walls[right][band] and not taken[band][right]:
                right += 1
            below = band + 1
            while below < bands and _open_below(column, right, below, walls, floors, taken):
                below += 1
            for b in range(band, below):
                for c in range(column, right):
                    taken[b][c] = True
            areas.append(Area(column, right, band, below))
    return areas


def _open_below(
    left: int,
    right: int,
    band: int,
    walls: Sequence[Sequence[bool]],
    floors: Sequence[Sequence[bool]],
    taken: Sequence[Sequence[bool]],
) -> bool:
    """Whether the rectangle [left, right) goes on into `band`: no floor above it, no wall in it, walls at its sides."""
    if any(floors[band][c] or taken[band][c] for c in range(left, right)):
        return False
    if any(walls[c][band] for c in range(left + 1, right)):
        return False
    open_left = left > 0 and not walls[left][band]
    open_right = right < len(walls) - 1 and not walls[right][band]
    return not (open_left or open_right)


def _place(areas: Sequence[Area], words: Sequence[Word], xs: Sequence[float], ys: Sequence[float]) -> None:
    owner: dict[tuple[int, int], Area] = {}
    for area in areas:
        for b in range(area.b0, area.b1):
            for c in range(area.c0, area.c1):
                owner[b, c] = area
    for word in words:
        x = (word.box.x0 + word.box.x1) / 2
        y = (word.box.y0 + word.box.y1) / 2
        owner[interval(ys, y), interval(xs, x)].words.append(word)


def interval(bounds: Sequence[float], value: float) -> int:
    for i in range(1, len(bounds) - 1):
        if value < bounds[i]:
            return i - 1
    return len(bounds) - 2


def open_sheet(
    rows: Sequence[Row], header: int, x0: float, x1: float, bounds: Sequence[float], floors: Sequence[float] = ()
) -> Sheet:
    """A sheet without vertical rulings: `rows` printed lines, the first `header` of them its head.

    `floors` are the heights of rulings through the body.
    """
    top, bottom = rows[0].box.y0, max(row.box.y1 for row in rows)
    bands = [top]
    if 0 < header < len(rows):
        bands.append((max(r.box.y1 for r in rows[:header]) + rows[header].box.y0) / 2)
    bands += [y for y in positions(floors) if bands[-1] + 2 < y < bottom - 2]
    bands.append(bottom)
    inner = [x for x in bounds if x0 < x < x1]
    xs = [x0, *inner, x1]
    areas = [Area(0, len(xs) - 1, band, band + 1) for band in range(len(bands) - 1)]
    for row in rows:
        areas[interval(bands, row.middle)].words.extend(row.words)
    return Sheet(xs, bands, areas, [True, *[False] * len(inner), True], ruled=False)
