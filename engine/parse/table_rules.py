"""Rulings gathered into long lines and into the clusters that may be tables."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.core.model import Box
from engine.parse.layout import Rule

TOUCH = 3.0
"""Rulings nearer than this (points) touch."""
_SAME = 1.6
_SHORT = 5.0
_BREAK = 48.0
_ON = 1.2
_FRAME = 0.45
"""Share of a page's side beyond which a box may be a frame around its content."""
MOST_RULES = 6000
"""A page with more rulings after merging is a drawing; its rulings are not read as tables."""


@dataclass(frozen=True, slots=True)
class Line:
    """A ruling along one axis: `at` across it, `start` to `end` along it."""

    at: float
    start: float
    end: float

    @property
    def length(self) -> float:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Cluster:
    """Rulings that touch one another."""

    across: tuple[Line, ...]
    down: tuple[Line, ...]

    @property
    def box(self) -> Box:
        xs = [v for line in self.across for v in (line.start, line.end)] + [line.at for line in self.down]
        ys = [v for line in self.down for v in (line.start, line.end)] + [line.at for line in self.across]
        return Box(min(xs), min(ys), max(xs), max(ys))


def merged_lines(rules: Iterable[Rule]) -> tuple[list[Line], list[Line]]:
    """Horizontal and vertical rulings, pieces of one line put together, specks dropped."""
    across: list[Line] = []
    down: list[Line] = []
    for rule in rules:
        if rule.horizontal:
            across.append(Line((rule.y0 + rule.y1) / 2, min(rule.x0, rule.x1), max(rule.x0, rule.x1)))
        else:
            down.append(Line((rule.x0 + rule.x1) / 2, min(rule.y0, rule.y1), max(rule.y0, rule.y1)))
    return _merged(across), _merged(down)


def _merged(lines: list[Line]) -> list[Line]:
    lines.sort(key=lambda line: line.at)
    groups: list[list[Line]] = []
    for line in lines:
        if groups and line.at - groups[-1][0].at <= _SAME:
            groups[-1].append(line)
        else:
            groups.append([line])
    found: list[Line] = []
    for group in groups:
        group.sort(key=lambda line: line.start)
        at = sum(line.at for line in group) / len(group)
        start, end = group[0].start, group[0].end
        for line in group[1:]:
            if line.start <= end + TOUCH:
                end = max(end, line.end)
            else:
                found.append(Line(at, start, end))
                start, end = line.start, line.end
        found.append(Line(at, start, end))
    return [line for line in found if line.length >= _SHORT]


def without_frames(across: list[Line], down: list[Line], width: float, height: float) -> tuple[list[Line], list[Line]]:
    """The rulings without boxes drawn around a page's content."""
    tall = [line for line in down if line.length > _FRAME * height]
    loose: set[Line] = set()
    for left, right in itertools.combinations(tall, 2):
        if right.at - left.at > _FRAME * width and _frames(left, right, across):
            loose |= {left, right}
            loose |= {line for line in across if _closes(line, left, right)}
    if not loose:
        return across, down
    return [line for line in across if line not in loose], [line for line in down if line not in loose]


def _frames(left: Line, right: Line, across: Sequence[Line]) -> bool:
    """Whether two tall rulings are the sides of a frame: closed above and below, nothing inside on them or across."""
    if abs(left.start - right.start) > TOUCH or abs(left.end - right.end) > TOUCH:
        return False
    if sum(_closes(line, left, right) for line in across) < 2:
        return False
    inside = [line for line in across if left.start + TOUCH < line.at < left.end - TOUCH]
    on = sum(
        abs(line.start - left.at) < _ON or abs(line.end - right.at) < _ON or line.start < left.at < line.end - _ON
        for line in inside
    )
    return on <= 1


def _closes(line: Line, left: Line, right: Line) -> bool:
    at_end = abs(line.at - left.start) < TOUCH or abs(line.at - left.end) < TOUCH
    return at_end and abs(line.start - left.at) < TOUCH and abs(line.end - right.at) < TOUCH


def clusters(across: Sequence[Line], down: Sequence[Line]) -> list[Cluster]:
    """Sets of rulings connected by touching; a set holds at least one ruling of each direction."""
    parent = list(range(len(across) + len(down)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    ordered = sorted(range(len(across)), key=lambda i: across[i].at)
    heights = [across[i].at for i in ordered]
    for j, vertical in enumerate(down):
        for position in range(_first(heights, vertical.start - TOUCH), len(ordered)):
            horizontal = across[ordered[position]]
            if horizontal.at > vertical.end + TOUCH:
                break
            if horizontal.start - TOUCH <= vertical.at <= horizontal.end + TOUCH:
                parent[root(len(across) + j)] = root(ordered[position])
    members: dict[int, tuple[list[Line], list[Line]]] = defaultdict(lambda: ([], []))
    for i, line in enumerate(across):
        members[root(i)][0].append(line)
    for j, line in enumerate(down):
        members[root(len(across) + j)][1].append(line)
    found = [Cluster(tuple(a), tuple(d)) for a, d in members.values() if a and d]
    loose = [line for a, d in members.values() if not a for line in d]
    return [_with_pieces(cluster, loose) for cluster in found] if loose else found


def _with_pieces(cluster: Cluster, loose: Sequence[Line]) -> Cluster:
    """The cluster with pieces of its vertical rulings that sub-headers cut off."""
    box = cluster.box
    pieces = tuple(
        line
        for line in loose
        if box.y0 <= line.start and line.end <= box.y1 and any(abs(line.at - own.at) <= _SAME for own in cluster.down)
    )
    return Cluster(cluster.across, cluster.down + pieces) if pieces else cluster


def goes_on(upper: Cluster, lower: Cluster) -> bool:
    """Whether two grids, one close below the other, have one outline and the lower no column bound of its own."""
    a, b = upper.box, lower.box
    if not -TOUCH < b.y0 - a.y1 < _BREAK or abs(a.x0 - b.x0) > TOUCH or abs(a.x1 - b.x1) > TOUCH:
        return False
    bounds = [line.at for line in upper.down]
    own = [x for x in positions([line.at for line in lower.down]) if b.x0 + TOUCH < x < b.x1 - TOUCH]
    return bool(own) and sum(any(abs(x - y) <= TOUCH for y in bounds) for x in own) >= 0.6 * len(own)


def _first(values: Sequence[float], least: float) -> int:
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < least:
            low = middle + 1
        else:
            high = middle
    return low


def joined_pieces(across: Sequence[Line]) -> list[Line]:
    """Rulings interrupted at each column are one ruling."""
    rows: list[list[Line]] = []
    for line in sorted(across, key=lambda line: (round(line.at), line.start)):
        if rows and abs(rows[-1][0].at - line.at) <= _SAME:
            rows[-1].append(line)
        else:
            rows.append([line])
    found: list[Line] = []
    for row in rows:
        row.sort(key=lambda line: line.start)
        start, end = row[0].start, row[0].end
        for line in row[1:]:
            if line.start - end <= 14:
                end = max(end, line.end)
            else:
                found.append(Line(row[0].at, start, end))
                start, end = line.start, line.end
        found.append(Line(row[0].at, start, end))
    return found


def positions(values: Iterable[float], tolerance: float = TOUCH) -> list[float]:
    """Values nearer than `tolerance` to their neighbour as one, ascending."""
    groups: list[list[float]] = []
    for value in sorted(values):
        if groups and value - groups[-1][-1] <= tolerance:
            groups[-1].append(value)
        else:
            groups.append([value])
    return [sum(group) / len(group) for group in groups]
