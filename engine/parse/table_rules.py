"""Rulings gathered into long lines and into the clusters that may be tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.core.model import Box
from engine.parse.layout import Rule

TOUCH = 3.0
"""Rulings nearer than this (points) touch."""
_SAME = 1.6
_SHORT = 5.0
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
    return [Cluster(tuple(a), tuple(d)) for a, d in members.values() if a and d]


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
