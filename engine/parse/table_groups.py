"""Labels printed once for several rows where no ruling shows which rows they stand for."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from engine.core.model import Column, ColumnRole
from engine.parse.table_place import Level, Piece
from engine.parse.table_roles import VALUES
from engine.parse.table_rows import Draft

_KEYS = frozenset({ColumnRole.PARAMETER, ColumnRole.SYMBOL})
_SHARED = _KEYS | {ColumnRole.UNIT}
_OFF = 0.45
"""A label may stand this many row pitches beside the middle of its rows."""

_HALF_LINE = 0.3
"""Of the type size: what stands further from the values' line than this stands on another."""


def centred_style(levels: Sequence[Level], columns: Sequence[Column], anchors: Sequence[int]) -> bool:
    """Whether cells are centred in their rows: a wrapped condition stands half a line above or below the values."""
    held = set(anchors)
    texts = {c for c, column in enumerate(columns) if column.role not in VALUES | _SHARED}
    for i, (upper, lower) in enumerate(itertools.pairwise(levels)):
        if (i in held) == (i + 1 in held) or lower.middle - upper.middle >= 0.8 * upper.size:
            continue
        if texts & set((lower if i in held else upper).pieces):
            return True
    values = {c for c, column in enumerate(columns) if column.role in VALUES}
    return any(_off_line(levels[i], texts | _whole_label(levels[i], columns), values) for i in anchors)


def _whole_label(level: Level, columns: Sequence[Column]) -> set[int]:
    """The column of a level's label, unless it may be the second line of a label above: that has no unit beside it."""
    units = [c for c, column in enumerate(columns) if column.role is ColumnRole.UNIT]
    if units and not any(c in level.pieces for c in units):
        return set()
    return {c for c, column in enumerate(columns) if column.role is ColumnRole.PARAMETER}


def _off_line(level: Level, texts: AbstractSet[int], values: AbstractSet[int]) -> bool:
    """Whether a text in the hand of the values stands higher or lower than they do on what counts as their line:
    lines less than half a pitch apart are taken for one."""
    for value in (level.pieces[c].words[0] for c in values if c in level.pieces):
        for word in (level.pieces[c].words[0] for c in texts if c in level.pieces):
            apart = abs((word.box.y0 + word.box.y1) - (value.box.y0 + value.box.y1)) / 2
            if word.size == value.size and apart > _HALF_LINE * value.size:
                return True
    return False


def centred_rows(levels: Sequence[Level], columns: Sequence[Column], anchors: Sequence[int]) -> list[Draft] | None:
    """Rows of a body whose labels are centred beside the rows they stand for; None where that does not come out.

    The rows are divided among the labels so that every label stands at the middle of its rows.
    """
    shared = [c for c, column in enumerate(columns) if column.role in _SHARED]
    labels = _labels(levels, columns)
    if not shared or not labels or len(anchors) < len(labels):
        return None
    rows = _row_levels(levels, anchors, shared)
    middles = [(levels[lines[0]].y0 + levels[lines[-1]].y1) / 2 for lines in rows]
    spans = [(levels[lines[0]].y0, levels[lines[-1]].y1) for lines in rows]
    centres = [(levels[label[0]].y0 + levels[label[-1]].y1) / 2 for label in labels]
    breaks = _divide(spans, centres)
    pitch = (middles[-1] - middles[0]) / max(1, len(middles) - 1)
    for (first, last), centre in zip(breaks, centres, strict=True):
        if abs((spans[first][0] + spans[last - 1][1]) / 2 - centre) > _OFF * pitch:
            return None
    drafts: list[Draft] = []
    for (first, last), label in zip(breaks, labels, strict=True):
        for n in range(first, last):
            draft = Draft(top=levels[rows[n][0]].y0)
            for i in rows[n]:
                draft.add(levels[i], [c for c in levels[i].pieces if c not in shared])
            for i in label:
                draft.add(levels[i], [c for c in levels[i].pieces if c in shared])
            if n > first:
                draft.shared.update(c for c in shared if c in draft.cells)
            drafts.append(draft)
    return drafts


def _labels(levels: Sequence[Level], columns: Sequence[Column]) -> list[list[int]]:
    """Runs of lines that hold one label; a line with a symbol or unit of its own begins the next."""
    parameter = next((c for c, column in enumerate(columns) if column.role is ColumnRole.PARAMETER), None)
    if parameter is None:
        return []
    marks = [c for c, column in enumerate(columns) if column.role in (ColumnRole.SYMBOL, ColumnRole.UNIT)]
    lines = [i for i, level in enumerate(levels) if parameter in level.pieces]
    found: list[list[int]] = []
    pitch = _line_pitch(levels, columns)
    for i in lines:
        close = bool(found) and _at(levels[i], parameter) - _at(levels[found[-1][-1]], parameter) <= 1.12 * pitch
        if close and i - found[-1][-1] <= 2 and not _two_marks(levels, found[-1], i, marks):
            found[-1].append(i)
        else:
            found.append([i])
    return [_with_marks(levels, label, marks) for label in found]


def _at(level: Level, column: int) -> float:
    """Where a column's own text stands on a line: labels and values of one line may stand a little apart."""
    box = level.pieces[column].words[0].box
    return (box.y0 + box.y1) / 2


def _line_pitch(levels: Sequence[Level], columns: Sequence[Column]) -> float:
    """The least distance between two lines of one text column: that of wrapped lines, if any text is wrapped."""
    least = float("inf")
    for c, column in enumerate(columns):
        if column.role in VALUES:
            continue
        middles = [_at(level, c) for level in levels if c in level.pieces]
        least = min([least, *(b - a for a, b in itertools.pairwise(middles))])
    return least


def _two_marks(levels: Sequence[Level], label: Sequence[int], line: int, marks: Sequence[int]) -> bool:
    """Whether a label already has its symbol and the next line has another."""
    return any(any(c in levels[n].pieces for n in label) and c in levels[line].pieces for c in marks)


def _with_marks(levels: Sequence[Level], label: Sequence[int], marks: Sequence[int]) -> list[int]:
    """The label's lines with those between them that hold only its symbol and unit."""
    lines = set(label)
    for i in range(label[0], label[-1] + 1):
        if any(c in levels[i].pieces for c in marks):
            lines.add(i)
    return sorted(lines)


def labels_beside(levels: Sequence[Level], columns: Sequence[Column], anchors: Sequence[int]) -> bool:
    """Whether labels do not begin on the first line of their rows: a row stands before the first label."""
    held = set(anchors)
    labels = _labels(levels, columns)
    if not labels or not anchors:
        return False
    off = sum(label[0] not in held for label in labels)
    return labels[0][0] > anchors[0] or (off > 0.3 * len(labels) and labels[0][0] >= anchors[0] - 1)


def _row_levels(levels: Sequence[Level], anchors: Sequence[int], shared: Sequence[int]) -> list[list[int]]:
    """The lines of every row: its values' line and the nearest lines of wrapped conditions."""
    rows = [[anchor] for anchor in anchors]
    for i, level in enumerate(levels):
        own = [c for c in level.pieces if c not in shared]
        if i in anchors or not own:
            continue
        nearest = min(range(len(rows)), key=lambda n: abs(levels[anchors[n]].middle - level.middle))
        rows[nearest].append(i)
    return [sorted(row) for row in rows]


def _divide(spans: Sequence[tuple[float, float]], centres: Sequence[float]) -> list[tuple[int, int]]:
    """Consecutive rows for each label so that middles and labels differ least (dynamic programme)."""
    n, k = len(spans), len(centres)
    far = float("inf")
    best = [[far] * (n + 1) for _ in range(k + 1)]
    back = [[0] * (n + 1) for _ in range(k + 1)]
    best[0][0] = 0.0
    for j in range(1, k + 1):
        for end in range(j, n - (k - j) + 1):
            for start in range(max(j - 1, end - 12), end):
                if best[j - 1][start] == far:
                    continue
                middle = (spans[start][0] + spans[end - 1][1]) / 2
                cost = best[j - 1][start] + abs(middle - centres[j - 1])
                if cost < best[j][end]:
                    best[j][end], back[j][end] = cost, start
    if best[k][n] == far:
        return [(0, 0)] * k
    breaks, end = [], n
    for j in range(k, 0, -1):
        breaks.append((back[j][end], end))
        end = back[j][end]
    return breaks[::-1]


def close_labels(drafts: Sequence[Draft], columns: Sequence[Column]) -> None:
    """Wrapped labels whose second line stands level with the next row: give them back to the first.

    Such a row has a second label line but neither symbol nor unit, while the row above has what its table gives.
    """
    parameter = next((c for c, column in enumerate(columns) if column.role is ColumnRole.PARAMETER), None)
    marks = [c for c, column in enumerate(columns) if column.role in (ColumnRole.SYMBOL, ColumnRole.UNIT)]
    if parameter is None or not marks:
        return
    head: Draft | None = None
    for draft in drafts:
        if draft.label:
            head = None
            continue
        own = draft.cells.get(parameter)
        bare = not any(c in draft.cells for c in marks)
        whole = head is not None and all(c in head.cells for c in marks)
        if own and head is not None and whole and bare and _runs_on(head.cells.get(parameter), own):
            head.cells[parameter] = [*head.cells[parameter], *own]
            del draft.cells[parameter]
        elif own or any(c in draft.cells for c in marks):
            head = draft


def _runs_on(above: Sequence[Piece] | None, own: Sequence[Piece]) -> bool:
    if not above:
        return False
    text = own[0].text
    height = own[0].words[0].box.y1 - own[0].words[0].box.y0
    gap = own[0].words[0].box.y0 - above[-1].words[0].box.y1
    return gap < 0.8 * height and (text[:1].islower() or text[:1] in "(" or gap < 0.25 * height)
