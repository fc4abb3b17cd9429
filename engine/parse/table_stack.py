"""Tables ruled only across: a head between two rulings, rows between the rulings below it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from engine.parse.table_columns import header_phrases
from engine.parse.table_open import Region, crosses, is_header_row
from engine.parse.table_roles import is_header_word, is_label, looks_numeric
from engine.parse.table_rules import Line
from engine.parse.table_text import Phrase, Row, hull, phrases

NUMBERED = re.compile(r"(?:table|tab\.|tabelle|fig(?:ure)?\.?|表)\s*[A-Z]?\d+", re.IGNORECASE)
_SECTION = re.compile(r"\d+(?:\.\d+)*\.?\s+[A-Z]")
_HEADER_ROWS = 6
_END = 5.0


@dataclass(frozen=True, slots=True)
class _Interval:
    """Printed lines between two rulings."""

    top: float
    bottom: float
    rows: tuple[Row, ...]


def stacks(across: Sequence[Line], narrowest: float) -> list[tuple[list[Line], list[Line]]]:
    """Rulings of one extent below one another, with the shorter rulings inside that extent."""
    wide = [line for line in across if line.length >= narrowest]
    groups: list[list[Line]] = []
    for line in sorted(wide, key=lambda line: -line.length):
        for group in groups:
            if abs(group[0].start - line.start) <= _END and abs(group[0].end - line.end) <= _END:
                group.append(line)
                break
        else:
            groups.append([line])
    found: list[tuple[list[Line], list[Line]]] = []
    for group in groups:
        if len(group) < 2:
            continue
        group.sort(key=lambda line: line.at)
        x0, x1 = group[0].start, group[0].end
        inner = [
            line
            for line in across
            if line.length < x1 - x0 - 2 * _END
            and line.start >= x0 - _END
            and line.end <= x1 + _END
            and group[0].at < line.at < group[-1].at + 400
        ]
        found.append((group, inner))
    return found


def stack_regions(main: Sequence[Line], inner: Sequence[Line], rows: Sequence[Row]) -> list[Region]:
    """Tables among the rulings of one extent: page rules and figure frames of the same width are passed over."""
    x0, x1 = min(line.start for line in main), max(line.end for line in main)
    clipped = [row for row in (_clip(r, x0, x1) for r in rows) if row is not None]
    intervals = _intervals(main, clipped)
    found: list[Region] = []
    at = 0
    while at < len(intervals):
        head = _head(intervals, at)
        if head is None:
            at += 1
            continue
        header, after, rest = head
        end = _run_end(intervals, after, header)
        body = [*rest, *(row for interval in intervals[after:end] for row in interval.rows)]
        body = _until_gap(header[-1], body, intervals[end - 1].top)
        if body:
            floors = _floors(main, inner, header[-1].middle, body[-1].box.y1)
            found.append(Region((*header, *body), len(header), x0, x1, floors))
        at = max(end, at + 1)
    return found


def _clip(row: Row, x0: float, x1: float) -> Row | None:
    words = tuple(w for w in row.words if x0 - 4 <= (w.box.x0 + w.box.x1) / 2 <= x1 + 4)
    if len(words) == len(row.words):
        return row
    return Row(words, hull(w.box for w in words)) if words else None


def _intervals(main: Sequence[Line], rows: Sequence[Row]) -> list[_Interval]:
    found: list[_Interval] = []
    for upper, lower in itertools.pairwise(main):
        if lower.at - upper.at < 4:
            continue
        inside = tuple(row for row in rows if upper.at - 1 < row.middle < lower.at + 1)
        found.append(_Interval(upper.at, lower.at, inside))
    return found


def _head(intervals: Sequence[_Interval], at: int) -> tuple[list[Row], int, list[Row]] | None:
    """The header lines in interval `at`, the interval after them, and body lines that follow without a ruling."""
    rows = list(intervals[at].rows)
    if not rows:
        return None
    named = [i for i, row in enumerate(rows) if is_header_row(row)]
    if named and named[0] < len(rows) - 1 and (len(rows) > _HEADER_ROWS or _has_values(rows[named[-1] + 1 :])):
        # Header and body between the same two rulings.
        last = max(i for i in named if i - named[0] < 4)
        return _from(rows, last), at + 1, rows[last + 1 :]
    if at + 1 >= len(intervals) or not intervals[at + 1].rows:
        return None
    header = _from(rows, len(rows) - 1)
    if not _is_head(header, intervals[at + 1].rows):
        return None
    after = at + 1
    more = list(intervals[after].rows)
    if after + 1 < len(intervals) and len(more) <= 2 and intervals[after + 1].rows and _all_header(more):
        return [*header, *more], after + 1, []
    return header, after, []


def _has_values(rows: Sequence[Row]) -> bool:
    return any(looks_numeric(phrase.text) for row in rows for phrase in header_phrases(row)[1:])


def _from(rows: Sequence[Row], last: int) -> list[Row]:
    """Header lines ending at `last`: upwards until a title, a caption, a sentence or a gap."""
    first = last
    while first > 0:
        row, below = rows[first - 1], rows[first]
        found = header_phrases(row)
        gap = below.box.y0 - row.box.y1
        title = len(found) == 1 and row.box.x0 < rows[last].box.x0 + 12 and len(row.words) > 1
        if gap > 0.9 * below.size or NUMBERED.match(row.text) or row.size > 1.15 * below.size or title:
            break
        if any(len(phrase.words) > 8 for phrase in found):
            break
        first -= 1
    return list(rows[first : last + 1])


def _is_head(header: Sequence[Row], body: Sequence[Row]) -> bool:
    if len(header) > _HEADER_ROWS:
        return False
    found = [phrase for row in header for phrase in header_phrases(row)]
    if len(found) < 2 or any(len(phrase.words) > 8 for phrase in found) or NUMBERED.match(header[-1].text):
        return False
    if sum(is_header_word(phrase.text) for phrase in found) >= 2:
        return True
    if any(looks_numeric(phrase.text) for phrase in found):
        return False
    words = [word for row in header for word in row.words]
    below = [word for row in body for word in row.words]
    bold = all(word.bold for word in words) and not all(word.bold for word in below)
    parted = any(len(phrases(row)) >= 2 for row in body)
    labels = sum(is_label(phrase.text) for phrase in found) >= 0.5 * len(found)
    return parted and (bold or labels or (_over_numbers(found, body) and len(found) >= 3))


def _over_numbers(found: Sequence[Phrase], body: Sequence[Row]) -> bool:
    for phrase in found[1:]:
        below = [p.text for row in body for p in phrases(row) if p.box.x0 < phrase.box.x1 and p.box.x1 > phrase.box.x0]
        if below and all(looks_numeric(text) for text in below):
            return True
    return False


def _all_header(rows: Sequence[Row]) -> bool:
    found = [phrase for row in rows for phrase in header_phrases(row)]
    return len(found) >= 2 and sum(is_header_word(phrase.text) for phrase in found) >= 0.6 * len(found)


def _run_end(intervals: Sequence[_Interval], start: int, header: Sequence[Row]) -> int:
    """The index after the last interval that goes on with the table."""
    named = [phrase for row in header for phrase in header_phrases(row)]
    end = start
    while end < len(intervals):
        rows = intervals[end].rows
        if not rows and intervals[end].bottom - intervals[end].top > 8:
            break
        if rows and (any(_begins_new(row, header) for row in rows) or _head_again(intervals, end, header)):
            break
        if sum(crosses(row, named) for row in rows) > 0.4 * len(rows):
            break
        end += 1
    return end


def _begins_new(row: Row, header: Sequence[Row]) -> bool:
    """A caption or a section heading: what stands below it belongs to something else."""
    if NUMBERED.match(row.text):
        return True
    alone = len(phrases(row, 2.5)) == 1
    return alone and (row.size > 1.15 * header[-1].size or (row.words[0].bold and bool(_SECTION.match(row.text))))


def _head_again(intervals: Sequence[_Interval], at: int, header: Sequence[Row]) -> bool:
    """Another table's head: header words that are not values of this one, or this one's head once more."""
    rows = intervals[at].rows
    if rows[0].text == header[0].text and len(phrases(header[0])) > 1:
        return True
    return any(is_header_row(row) for row in rows[:3]) and any(is_header_row(row) for row in header)


def _until_gap(above: Row, rows: Sequence[Row], last_floor: float) -> list[Row]:
    """Lines up to a gap below the last ruling that parts the table from a footer or a heading."""
    kept: list[Row] = []
    gaps: list[float] = []
    last = above
    for row in rows:
        gap = row.box.y0 - last.box.y1
        usual = max(median(gaps), 0.0) if gaps else 0.0
        if kept and row.middle > last_floor and gap > max(1.3 * last.size, 2.5 * usual):
            break
        if NUMBERED.match(row.text) and len(phrases(row, 2.5)) <= 2 and kept and gap > 0.8 * row.size:
            break
        kept.append(row)
        gaps.append(gap)
        last = row
    return kept


def _floors(main: Sequence[Line], inner: Sequence[Line], top: float, bottom: float) -> tuple[Line, ...]:
    return tuple(line for line in (*main, *inner) if top < line.at < bottom)
