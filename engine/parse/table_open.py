"""Tables without vertical rulings: between horizontal rulings, under a line of header words, or label and value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from engine.core.model import Box, Column, ColumnRole, Table
from engine.parse.table_build import build
from engine.parse.table_columns import headed_columns, header_phrases, known_columns, spaced_columns
from engine.parse.table_header import Head, headed
from engine.parse.table_place import partition
from engine.parse.table_roles import LIMITS, looks_numeric, role_of
from engine.parse.table_rules import Line
from engine.parse.table_sheet import open_sheet
from engine.parse.table_text import Phrase, Row, hull, phrases

_NOTE = re.compile(r"(?:notes?\b|\*|†|‡|\(\d{1,2}\)\s|\d\)\s|\d\.\s)", re.IGNORECASE)
_LEADER = re.compile(r"(?:\.\s?){4,}|…{2,}|_{4,}")
_PROSE_WORDS = 7
_HEADER_ROWS = 4
_HEADING_SIZE = 1.2
"""A line larger than the table's header by this factor heads what comes after the table."""


@dataclass(frozen=True, slots=True)
class Region:
    """Printed lines that may be a table, the first `header` of them its head."""

    rows: tuple[Row, ...]
    header: int
    x0: float
    x1: float
    floors: tuple[Line, ...] = ()
    """Rulings through the body, of the whole width or part of it."""
    bounds: tuple[float, ...] = ()
    """Inner bounds of the columns where they are known."""


def open_table(found: Region, page: int, confidence: float) -> Table | None:
    """Build the table of a found region."""
    header, body = found.rows[: found.header], found.rows[found.header :]
    if not body:
        return None
    if found.bounds:
        bounds = found.bounds
        head = headed(known_columns(header, bounds, found.x0, found.x1), int(bool(header)))
    elif header:
        columns = headed_columns(header, body, found.x0, found.x1)
        head = headed(columns, 1)
        bounds = columns.bounds[1:-1]
    else:
        bounds = tuple(spaced_columns(body))
        head = Head(tuple(Column("") for _ in range(len(bounds) + 1)), tuple(range(len(bounds) + 1)), 0)
    if len(bounds) + 1 != len(head.columns) or not bounds:
        return None
    sheet = open_sheet(found.rows, found.header, found.x0, found.x1, bounds, [line.at for line in found.floors])
    partition(sheet, head.columns, head.body, found.floors)
    return build(sheet, head, page, confidence)


# --- under a line of header words -------------------------------------------------------------------------------------


def is_header_row(row: Row) -> bool:
    """A line whose phrases are headers of a limit table, at least two, one of them a limit or unit."""
    found = header_phrases(row)
    roles = [role_of(phrase.text) for phrase in found]
    named = [role for role in roles if role is not ColumnRole.OTHER]
    if len(named) < 2 or len(found) - len(named) > len(named) + 2:
        return False
    distinct = set(named)
    return len(distinct) >= 2 and bool(distinct & (LIMITS | {ColumnRole.UNIT, ColumnRole.VALUE, ColumnRole.SYMBOL}))


def header_regions(rows: Sequence[Row]) -> list[Region]:
    """Tables under header lines, ruled or not, down to where their columns end."""
    found: list[Region] = []
    i = 0
    while i < len(rows):
        if not is_header_row(rows[i]):
            i += 1
            continue
        first, last = _header_extent(rows, i)
        named = [p for row in rows[first : last + 1] for p in header_phrases(row)]
        end = _body_end(rows, last + 1, named)
        if end > last + 1:
            block = rows[first:end]
            x0 = min(row.box.x0 for row in block) - 1
            x1 = max(row.box.x1 for row in block) + 1
            found.append(Region(tuple(block), last + 1 - first, x0, x1))
        i = max(end, last + 1)
    return found


def _header_extent(rows: Sequence[Row], i: int) -> tuple[int, int]:
    first = last = i
    span = rows[i].box
    while last + 1 < len(rows) and last - i < 2 and _joins(rows[last + 1], rows[last], span):
        last += 1
    limits = max(rows[i : last + 1], key=lambda row: sum(role_of(p.text) in LIMITS for p in header_phrases(row)))
    while first > 0 and i - first < 2:
        if not (_joins(rows[first - 1], rows[first], span) or _heads_limits(rows[first - 1], limits, rows[first])):
            break
        first -= 1
    return first, last


def _heads_limits(row: Row, header: Row, below: Row) -> bool:
    """Whether a line above the header names groups of its limit columns."""
    limits = [phrase for phrase in header_phrases(header) if role_of(phrase.text) in LIMITS]
    if len(limits) < 2 or below.box.y0 - row.box.y1 > 1.0 * header.size:
        return False
    left, right = limits[0].box.x0 - 12, limits[-1].box.x1 + 12
    found = header_phrases(row)
    inside = all(left <= phrase.middle <= right and len(phrase.words) <= 8 for phrase in found)
    return inside and row.words[0].bold == header.words[0].bold


def _joins(row: Row, beside: Row, span: Box) -> bool:
    """Whether a line next to a header line is part of the header."""
    height = beside.box.y1 - beside.box.y0
    gap = max(row.box.y0 - beside.box.y1, beside.box.y0 - row.box.y1)
    if gap > 0.6 * height or row.box.x0 < span.x0 - 20 or row.box.x1 > span.x1 + 20:
        return False
    if is_header_row(row):
        return True
    found = header_phrases(row)
    if any(len(phrase.words) > 4 for phrase in found) or all(w.bold for w in row.words) != all(
        w.bold for w in beside.words
    ):
        return False
    if any(looks_numeric(phrase.text) and not re.search("[A-Za-z°]", phrase.text) for phrase in found):
        return False
    alone = len(found) == 1 and found[0].box.x0 < span.x0 + 0.2 * (span.x1 - span.x0)
    return not alone and all(word.bold for word in row.words)


def _body_end(rows: Sequence[Row], start: int, named: Sequence[Phrase]) -> int:
    """The index after the last body line."""
    end = last_filled = start
    pitches: list[float] = []
    largest = _HEADING_SIZE * max(word.size for phrase in named for word in phrase.words)
    while end < len(rows):
        row = rows[end]
        gap = row.middle - rows[end - 1].middle
        usual = median(pitches) if len(pitches) >= 3 else row.size * 1.6
        if gap > max(2.3 * usual, 2.6 * row.size) or is_header_row(row) or _NOTE.match(row.text):
            break
        if crosses(row, named) or row.size > largest:
            break
        pitches.append(gap)
        end += 1
        if len(phrases(row)) >= 2:
            last_filled = end
    while end > last_filled and end - last_filled > 0:
        tail = rows[last_filled]
        tight = tail.box.y0 - rows[last_filled - 1].box.y1 < 0.35 * tail.size
        if not tight or tail.words[0].bold or last_filled == start:
            return last_filled
        last_filled += 1
    return end


def crosses(row: Row, named: Sequence[Phrase]) -> bool:
    """Whether a line is one of running text across several columns."""
    for phrase in phrases(row, 1.0):
        over = sum(1 for p in named if phrase.box.x0 < p.box.x0 and p.box.x1 < phrase.box.x1)
        if len(phrase.words) >= _PROSE_WORDS and over >= 2:
            return True
    return False


# --- label and value --------------------------------------------------------------------------------------------------


def pair_regions(rows: Sequence[Row]) -> list[Region]:
    """Lists of label and value in two aligned columns, three lines or more; contents lists are none."""
    found: list[Region] = []
    run: list[Row] = []
    for row in rows:
        pair = _pair(row)
        if pair is not None and (not run or _follows(run[-1], row)):
            run.append(row)
            continue
        found += _pair_region(run)
        run = [row] if pair is not None else []
    return found + _pair_region(run)


def _pair(row: Row) -> tuple[Phrase, Phrase] | None:
    parts = phrases(row, 1.6)
    if len(parts) != 2:
        return None
    left, right = parts
    if len(left.words) > 9 or len(right.words) > 7 or not looks_numeric(right.text) or looks_numeric(left.text):
        return None
    return left, right


def _follows(above: Row, row: Row) -> bool:
    if row.box.y0 - above.box.y1 > 1.0 * row.size:
        return False
    upper, lower = phrases(above, 1.6), phrases(row, 1.6)
    return abs(upper[1].box.x0 - lower[1].box.x0) < 4 or abs(upper[1].box.x1 - lower[1].box.x1) < 4


def _pair_region(run: Sequence[Row]) -> list[Region]:
    if len(run) < 3:
        return []
    values = [phrases(row, 1.6)[1].text for row in run]
    labels = [phrases(row, 1.6)[0].text for row in run]
    if all(re.fullmatch(r"\d{1,4}(?:-\d+)?", value) for value in values) or any(_LEADER.search(t) for t in labels):
        return []
    box = hull(row.box for row in run)
    return [Region(tuple(run), 0, box.x0 - 1, box.x1 + 1)]
