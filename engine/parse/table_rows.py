"""Printed lines of a band gathered into table rows: wrapped text, shared labels and sub-headers told apart."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.core.model import Column, ColumnRole
from engine.parse.table_place import Level, Piece
from engine.parse.table_roles import VALUES, looks_numeric
from engine.parse.table_text import broken_number

_KEYS = frozenset({ColumnRole.PARAMETER, ColumnRole.SYMBOL, ColumnRole.KEY})
_SHARED = _KEYS | {ColumnRole.UNIT}
_TEXTS = frozenset({ColumnRole.PARAMETER, ColumnRole.CONDITION, ColumnRole.OTHER, ColumnRole.KEY, ColumnRole.NOTE})
_TIGHT = 0.85
_APART = 0.8
_OPERATOR_END = re.compile(r"(?:[-+−–±×*/=~(,]|\bto|\bx)$")
_OPERATOR_START = re.compile(r"^(?:[+×*/=~)]|[-−–]\s+\S|to\b|x\s)")
_NOTE_MARK = re.compile(r"\((?:note\s*)?\d{1,2}\)", re.IGNORECASE)
CAPITALS = re.compile(r"[A-Z][A-Z0-9 ,/&()._+=°–-]{3,}")


@dataclass(slots=True)
class Draft:
    """A row being put together: pieces per column, top to bottom."""

    cells: dict[int, list[Piece]] = field(default_factory=dict)
    shared: set[int] = field(default_factory=set)
    """Columns whose text is printed once for several rows and not on this one."""
    label: bool = False
    """A sub-header of the rows below, not a row."""
    top: float = 0.0
    unsure: bool = False
    """Nothing settles which label the row belongs to."""

    def add(self, level: Level, columns: Sequence[int] | None = None) -> None:
        for c, piece in level.pieces.items():
            if columns is None or c in columns:
                self.cells.setdefault(c, []).append(piece)


def value_columns(columns: Sequence[Column]) -> set[int]:
    return {i for i, column in enumerate(columns) if column.role in VALUES}


def closed_rows(levels: Sequence[Level], columns: Sequence[Column]) -> list[Draft]:
    """Rows of a band between two rulings: one, or as many as lines carry values."""
    anchors = value_levels(levels, columns)
    if not anchors and listed(levels):
        anchors = list(range(len(levels)))
    if len(levels) > 1 and _heads_band(levels, anchors):
        return [label_draft(levels[0]), *closed_rows(levels[1:], columns)]
    if len(anchors) <= 1:
        draft = Draft(top=levels[0].y0)
        for level in levels:
            draft.add(level)
        return [draft]
    drafts = [Draft(top=levels[anchor].y0) for anchor in anchors]
    used = sorted({c for level in levels for c in level.pieces})
    keyed = _separate_keys(levels, columns, anchors)
    for c in used:
        _spread_column(c, levels, columns, anchors, drafts, keyed)
    return drafts


def _heads_band(levels: Sequence[Level], anchors: Sequence[int]) -> bool:
    """Whether a band begins with a sub-header in capitals or bold, its rows set in or in another hand."""
    first = levels[0].pieces.get(0)
    below = next((level.pieces[0] for level in levels[1:] if 0 in level.pieces), None)
    if first is None or below is None or 0 in anchors or len(levels[0].pieces) > 2 or not anchors:
        return False
    if all(word.bold for word in first.words) and not any(word.bold for word in below.words):
        return True
    capitals = bool(CAPITALS.fullmatch(first.text)) or mostly_capitals(first.text)
    return capitals and below.x0 > first.x0 + 3.0


def mostly_capitals(text: str) -> bool:
    """Nearly all letters are capitals."""
    letters = [c for c in text if c.isalpha()]
    return len(letters) > 5 and sum(c.isupper() for c in letters) >= 0.9 * len(letters)


def listed(levels: Sequence[Level]) -> bool:
    """Whether a band without limits lists one entry a line: a truth table's lines, or codes side by side."""
    if len(levels) < 2:
        return False
    used = set.union(*(level.columns for level in levels))
    every = [c for c in used if all(c in level.pieces for level in levels)]
    if len(every) < 2:
        return False
    if any(_wraps([level.pieces[c].text for level in levels]) for c in every):
        return False
    short = all(len(level.pieces[c].text.split()) <= 2 for level in levels for c in every)
    if len(every) >= max(3, 0.7 * len(used)) and short:
        return True
    return any(_codes([level.pieces[c].text for level in levels]) for c in every) and all(
        len([level for level in levels if c in level.pieces]) in (1, len(levels)) for c in used
    )


def _wraps(texts: Sequence[str]) -> bool:
    """Whether a text goes on in the line below."""
    open_end = any(re.search(r"[/,;(–-]$", text) for text in texts[:-1] if len(text) > 1)
    return open_end or any(text[:1] == "(" or text[:1].islower() for text in texts[1:] if len(text) > 3)


def _codes(texts: Sequence[str]) -> bool:
    """Part numbers of one family, addresses: every text has a digit, and all have one shape."""
    if not all(re.search(r"\d", text) and len(text.split()) <= 3 for text in texts):
        return False
    shapes = {re.sub("[A-Za-z]", "a", re.sub(r"\d", "9", text)) for text in texts}
    starts = {text[:3] for text in texts}
    return len(shapes) == 1 or len(starts) == 1


def value_levels(levels: Sequence[Level], columns: Sequence[Column]) -> list[int]:
    """Indexes of the lines that begin a row: they carry a value that is no continuation of the one above."""
    values = value_columns(columns)
    # Where label and value stand on every line, no line is a continuation.
    every = len(values) == 1 and all(values | {0} <= level.columns for level in levels)
    found: list[int] = []
    for i, level in enumerate(levels):
        held = [c for c in level.columns if c in values and (every or _is_value(level, c, columns[c]))]
        if not held:
            continue
        if found and all(_continues(levels[found[-1] : i], level, c) for c in held):
            continue
        if found and level.middle - levels[found[-1]].middle < _APART * level.size:
            # Side by side, but centred in cells of different heights.
            continue
        found.append(i)
    return found


def _is_value(level: Level, c: int, column: Column) -> bool:
    """Limit columns hold limits whatever they say; a column called "value" may also hold running text.

    A short name beside a label of its own ("VCC", "Continuous") is a value as well.
    """
    if column.role is not ColumnRole.VALUE or looks_numeric(level.pieces[c].text):
        return True
    text, label = level.pieces[c].text, level.pieces.get(0)
    begins = label is not None and label.text[:1].isupper()
    return begins and c > 0 and text[:1].isupper() and len(text.split()) <= 3


def _continues(above: Sequence[Level], level: Level, column: int) -> bool:
    text = level.pieces[column].text
    last = next((upper.pieces[column].text for upper in reversed(above) if column in upper.pieces), None)
    if last is None:
        return False
    return bool(
        _OPERATOR_END.search(last)
        or _NOTE_MARK.fullmatch(text)
        or _OPERATOR_START.search(text)
        or last.count("(") > last.count(")")
        or broken_number(last, text)
        or (not looks_numeric(text) and not looks_numeric(last) and text[:1].islower())
        or (re.fullmatch(r"[A-Za-zµμΩ%°]{1,4}", text) and looks_numeric(last))
    )


def _separate_keys(levels: Sequence[Level], columns: Sequence[Column], anchors: Sequence[int]) -> bool:
    """Whether the lines of the key columns are keys of their own: two key columns change on the same lines."""
    keys = [i for i, column in enumerate(columns) if column.role in _KEYS]
    on = [{i for i in anchors if c in levels[i].pieces} for c in keys]
    on = [lines for lines in on if lines]
    return len(on) >= 2 and all(len(lines) >= 2 for lines in on) and len(set.intersection(*on)) >= 2


def _spread_column(
    c: int,
    levels: Sequence[Level],
    columns: Sequence[Column],
    anchors: Sequence[int],
    drafts: Sequence[Draft],
    keyed: bool,
) -> None:
    """Give the lines of one column to the rows of the band."""
    lines = [i for i, level in enumerate(levels) if c in level.pieces]
    on = [i for i in lines if i in anchors]
    role = columns[c].role
    every = len(on) == len(anchors) and not _whole(lines, anchors)
    if every and role is ColumnRole.PARAMETER and _one_label(c, lines, levels, columns):
        every = False
    apart = len(on) >= 2 and (role is ColumnRole.UNIT or (role in _KEYS and keyed))
    if role in VALUES or apart:
        for i in lines:
            _give(drafts[_row_of(i, anchors)], levels[i], c)
    elif every:
        _line_by_line(c, lines, levels, anchors, drafts)
    elif role in _SHARED or len(lines) < 2 or _block(lines, levels):
        for position, draft in enumerate(drafts):
            for i in lines:
                _give(draft, levels[i], c)
            if position:
                draft.shared.add(c)
    else:
        for i in lines:
            _give(drafts[_nearest(i, anchors, levels)], levels[i], c)


def _one_label(c: int, lines: Sequence[int], levels: Sequence[Level], columns: Sequence[Column]) -> bool:
    """A label wrapped beside values that stand line by line: its lines share no word, and one unit serves them all."""
    units = [i for i, column in enumerate(columns) if column.role is ColumnRole.UNIT]
    if not units or any(sum(1 for level in levels if u in level.pieces) > 1 for u in units):
        return False
    texts = [levels[i].pieces[c].text for i in lines]
    if any(levels[i].pieces[c].x0 > levels[lines[0]].pieces[c].x0 + 3.0 for i in lines[1:]):
        return False
    words = [set(re.findall(r"[a-z]{3,}", text.casefold())) for text in texts]
    alike = any(a & b for a, b in itertools.combinations(words, 2)) or _codes(texts[1:])
    return not alike and all(text[:1] not in ":(-–•@" for text in texts[1:])


def _line_by_line(
    c: int, lines: Sequence[int], levels: Sequence[Level], anchors: Sequence[int], drafts: Sequence[Draft]
) -> None:
    """Every row has its own line; lines before the first row head them all."""
    if lines[0] < anchors[0] and any(anchors[0] < i < anchors[-1] and i not in anchors for i in lines):
        # Neither set level with the values nor one text: which line goes with which value is not certain.
        for i in lines:
            levels[i].pieces[c].doubtful = True
    for i in lines:
        if i >= anchors[0]:
            _give(drafts[_row_of(i, anchors)], levels[i], c)
            continue
        for position, draft in enumerate(drafts):
            _give(draft, levels[i], c)
            if position:
                draft.shared.add(c)


def _give(draft: Draft, level: Level, c: int) -> None:
    draft.cells.setdefault(c, []).append(level.pieces[c])


def _row_of(i: int, anchors: Sequence[int]) -> int:
    return max((n for n, anchor in enumerate(anchors) if anchor <= i), default=0)


def _nearest(i: int, anchors: Sequence[int], levels: Sequence[Level]) -> int:
    return min(range(len(anchors)), key=lambda n: abs(levels[anchors[n]].middle - levels[i].middle))


def _whole(lines: Sequence[int], anchors: Sequence[int]) -> bool:
    """One text beside values set line by line: it runs on below the last of them."""
    trailing = sum(1 for i in lines if i > anchors[-1])
    between = max(sum(1 for i in lines if a < i < b) for a, b in itertools.pairwise(anchors))
    return trailing > between


def _block(lines: Sequence[int], levels: Sequence[Level]) -> bool:
    """Whether the lines follow one another without a gap."""
    return all(levels[b].y0 - levels[a].y1 < 0.6 * (levels[a].y1 - levels[a].y0) for a, b in itertools.pairwise(lines))


def label_draft(level: Level) -> Draft:
    """A sub-header from one line."""
    draft = Draft(label=True, top=level.y0)
    draft.add(level)
    return draft
