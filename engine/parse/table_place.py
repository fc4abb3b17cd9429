"""Printed lines of a band placed in columns, with doubt where the grid does not settle the column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.core.model import Column, ColumnRole
from engine.parse.layout import Word
from engine.parse.table_roles import LIMITS, VALUES, looks_numeric
from engine.parse.table_rules import Line
from engine.parse.table_sheet import Area, Sheet, cover, interval, rectangles
from engine.parse.table_text import Phrase, Row, hull, join, phrases, printed_rows

_CLEAR = 0.55
"""A space of this many font sizes at a column bound parts two cells."""
_MAIN = 0.7
_SLIP = 1.0


@dataclass(slots=True)
class Piece:
    """Words of one line in column `column`, standing over the columns up to `end`."""

    column: int
    end: int
    words: tuple[Word, ...]
    doubtful: bool = False

    @property
    def text(self) -> str:
        return join(self.words)

    @property
    def x0(self) -> float:
        return self.words[0].box.x0


@dataclass(slots=True)
class Level:
    """One printed line of a band: its pieces by first column."""

    middle: float
    y0: float
    y1: float
    size: float
    pieces: dict[int, Piece] = field(default_factory=dict)

    @property
    def columns(self) -> set[int]:
        return set(self.pieces)


def levels_of(
    sheet: Sheet, columns: Sequence[Column], areas: Sequence[Area], window: tuple[float, float]
) -> list[Level]:
    """The printed lines of `areas` whose middle lies in `window`, placed in columns."""
    owner: dict[int, Area] = {}
    words: list[Word] = []
    for area in areas:
        for word in area.words:
            if window[0] <= (word.box.y0 + word.box.y1) / 2 < window[1]:
                owner[id(word)] = area
                words.append(word)
    found: list[Level] = []
    for row in printed_rows(words):
        level = Level(row.middle, row.box.y0, row.box.y1, row.size)
        found.append(level)
        across = _across(sheet, row, owner)
        if across is not None:
            _add(level, across)
            continue
        by_area: dict[int, tuple[Area, list[Word]]] = {}
        for word in row.words:
            area = owner[id(word)]
            by_area.setdefault(id(area), (area, []))[1].append(word)
        for area, line in by_area.values():
            for piece in place(sheet, columns, area, line):
                _add(level, piece)
    _add_turned(sheet, found, words, owner)
    return found


def _across(sheet: Sheet, row: Row, owner: dict[int, Area]) -> Piece | None:
    """A sub-header that runs across rulings interrupted for it."""
    first, last = owner[id(row.words[0])], owner[id(row.words[-1])]
    if not sheet.gaps or first is last or len(phrases(row)) > 1:
        return None
    crossed = range(first.c0 + 1, last.c0 + 1)
    if not all(sheet.open_at(bound, row.middle) for bound in crossed):
        return None
    return Piece(first.c0, first.c0 + 1, row.words)


def _add(level: Level, piece: Piece) -> None:
    held = level.pieces.get(piece.column)
    if held is None:
        level.pieces[piece.column] = piece
        return
    words = tuple(sorted((*held.words, *piece.words), key=lambda w: w.box.x0))
    level.pieces[piece.column] = Piece(piece.column, max(held.end, piece.end), words, held.doubtful or piece.doubtful)


def _add_turned(sheet: Sheet, levels: list[Level], words: Sequence[Word], owner: dict[int, Area]) -> None:
    """Words on their side count as one line of their cell, at its top."""
    for word in words:
        if word.angle == 0:
            continue
        area = owner[id(word)]
        middle = (word.box.y0 + word.box.y1) / 2
        column = _at(sheet, area, (word.box.x0 + word.box.x1) / 2)
        level = min(levels, key=lambda near: abs(near.middle - middle), default=None)
        if level is None:
            level = Level(middle, word.box.y0, word.box.y1, word.size)
            levels.append(level)
        held = level.pieces.get(column)
        joined = (*held.words, word) if held else (word,)
        level.pieces[column] = Piece(column, column + 1, joined, bool(held and held.doubtful))


def place(sheet: Sheet, columns: Sequence[Column], area: Area, line: Sequence[Word]) -> list[Piece]:
    """The pieces of one line of an area."""
    if area.c1 - area.c0 == 1:
        return [Piece(area.c0, area.c1, tuple(line), any(id(word) in sheet.doubtful for word in line))]

    row = Row(tuple(line), hull(word.box for word in line))
    found: list[Piece] = []
    parts = phrases(row)
    for phrase in parts:
        found.extend(_place_phrase(sheet, columns, area, phrase, len(parts) == 1))
    return found


def _at(sheet: Sheet, area: Area, x: float) -> int:
    for c in range(area.c0, area.c1 - 1):
        if x < sheet.bounds[c + 1]:
            return c
    return area.c1 - 1


def _place_phrase(sheet: Sheet, columns: Sequence[Column], area: Area, phrase: Phrase, alone: bool) -> list[Piece]:
    left = _at(sheet, area, phrase.box.x0 + _SLIP)
    right = _at(sheet, area, phrase.box.x1 - _SLIP)
    merged = sheet.ruled and any(sheet.hard[c] for c in range(area.c0 + 1, area.c1))
    if left == right and not (merged and alone):
        return [Piece(left, left + 1, phrase.words)]
    for bound in range(left + 1, right + 1):
        cut = _cut(sheet.bounds[bound], phrase)
        if cut and _parts_cells(columns, bound, phrase, cut):
            first = phrase.words[:cut]
            rest = phrase.words[cut:]
            return [
                *_place_phrase(sheet, columns, area, _phrase(first), False),
                *_place_phrase(sheet, columns, area, _phrase(rest), False),
            ]
    if merged and alone:
        return [Piece(area.c0, area.c1, phrase.words)]
    return [_overflow(sheet, columns, area, phrase, left, right)]


def _phrase(words: Sequence[Word]) -> Phrase:

    return Phrase(tuple(words), hull(word.box for word in words))


def _cut(bound: float, phrase: Phrase) -> int:
    """The index of the first word right of `bound`, 0 if a word stands across it."""
    for index in range(1, len(phrase.words)):
        before, after = phrase.words[index - 1].box, phrase.words[index].box
        if before.x1 <= bound + _SLIP and after.x0 >= bound - _SLIP:
            return index
    return 0


def _parts_cells(columns: Sequence[Column], bound: int, phrase: Phrase, cut: int) -> bool:
    before, after = phrase.words[cut - 1], phrase.words[cut]
    gap = after.box.x0 - before.box.x1
    size = max(before.size, after.size)
    if gap >= _CLEAR * size:
        return True
    values = columns[bound].role in VALUES or columns[bound - 1].role in VALUES
    return values and gap >= 0.15 * size and looks_numeric(after.text) and looks_numeric(join(phrase.words[:cut]))


def _overflow(sheet: Sheet, columns: Sequence[Column], area: Area, phrase: Phrase, left: int, right: int) -> Piece:
    """A phrase wider than its column: kept whole in the column it mostly stands in or, for running text, starts in."""
    width = max(phrase.box.x1 - phrase.box.x0, 0.1)
    shares = {
        c: (min(phrase.box.x1, sheet.bounds[c + 1]) - max(phrase.box.x0, sheet.bounds[c])) / width
        for c in range(left, right + 1)
    }
    best = max(shares, key=lambda c: shares[c])
    if (
        columns[left].role not in VALUES
        and columns[left].role is not ColumnRole.UNIT
        and not looks_numeric(phrase.text)
    ):
        touched = [c for c in range(left + 1, right + 1) if columns[c].role in LIMITS and shares[c] * width > 4.0]
        return Piece(left, left + 1, phrase.words, doubtful=bool(touched) and looks_numeric(phrase.words[-1].text))
    return Piece(best, best + 1, phrase.words, doubtful=shares[best] < _MAIN)


def partition(sheet: Sheet, columns: Sequence[Column], body: int, floors: Sequence[Line]) -> None:
    """Divide the full-width body areas of an open sheet by its columns and by rulings through some of them."""
    last = len(sheet.bands) - 1
    under = [cover(floors, y, sheet.bounds) for y in sheet.bands[body:]]
    walls = [[True] * (last - body)] * (sheet.columns + 1)
    parts = rectangles(sheet.columns, last - body, walls, under)
    owner: dict[tuple[int, int], Area] = {}
    for part in parts:
        part.b0 += body
        part.b1 += body
        for band in range(part.b0, part.b1):
            owner[part.c0, band] = part
    for area in sheet.areas:
        if area.b0 < body:
            continue
        for row in printed_rows(area.words):
            for piece in place(sheet, columns, area, row.words):
                owner[piece.column, interval(sheet.bands, row.middle)].words.extend(piece.words)
                if piece.doubtful:
                    sheet.doubtful.update(id(word) for word in piece.words)
    sheet.areas = [*(area for area in sheet.areas if area.b0 < body), *parts]
