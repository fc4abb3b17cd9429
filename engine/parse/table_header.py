"""The head of a table: which bands are header, the columns' names, spanning groups and roles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.model import Column, ColumnRole
from engine.parse.table_columns import Headed, headed_columns, header_phrases, listed_columns
from engine.parse.table_roles import LIMITS, VALUES, is_header_word, is_label, looks_numeric, role_of
from engine.parse.table_sheet import Area, Sheet
from engine.parse.table_text import Phrase, cell_text, join_lines, printed_rows

_MOST_BANDS = 4


@dataclass(frozen=True, slots=True)
class Head:
    """Columns of a sheet and where its body begins."""

    columns: tuple[Column, ...]
    owners: tuple[int, ...]
    """Columns under one undivided header cell share a number."""
    body: int
    preamble: tuple[str, ...] = ()

    @property
    def limits(self) -> bool:
        return any(column.role in LIMITS for column in self.columns)


def headed(columns: Headed, body: int) -> Head:
    """The head of a table whose columns were found from its header phrases."""
    found = []
    for i, stack in enumerate(columns.names):
        group = tuple(phrase.text for first, last, phrase in columns.groups if first <= i < last)
        texts = [phrase.text for phrase in stack]
        found.append(_column(join_lines(texts), group, texts))
    return Head(settled(found), tuple(range(len(found))), body)


def _column(name: str, group: tuple[str, ...], lines: Sequence[str] = ()) -> Column:
    role = role_of(name)
    if role is ColumnRole.OTHER and len(lines) > 1:
        # "Max" above the parts it holds for.
        role = next((role_of(line) for line in lines if role_of(line) in LIMITS), role)
    if role is ColumnRole.OTHER and group:
        # "MIN" spanning two columns, each of them "5 V" and "10 V": the limit is in the group.
        held = [role_of(text) for text in reversed(group)]
        role = next((r for r in held if r in LIMITS or r is ColumnRole.CONDITION), role)
    return Column(name, role, group)


def read_head(sheet: Sheet) -> Head:
    """The head of a drawn sheet. Divides columns whose header cell names several."""
    start, preamble = _preamble(sheet)
    end = _header_end(sheet, start)
    if end == start:
        return Head(_headless(sheet, start), tuple(range(sheet.columns)), start, preamble)
    _divide(sheet, start, end)
    stacks: list[list[tuple[Area, str]]] = []
    for c in range(sheet.columns):
        stack: list[tuple[Area, str]] = []
        for area in sorted(_areas(sheet, start, end), key=lambda a: a.b0):
            if area.c0 <= c < area.c1:
                text = _text_over(sheet, area, c)
                if text:
                    stack.append((area, text))
        stacks.append(stack)
    columns = [_stack_column(stack) for stack in stacks]
    owners = [
        id(stack[-1][0]) if stack and _undivided(sheet, stack[-1][0]) else -c - 1 for c, stack in enumerate(stacks)
    ]
    return Head(settled(columns), tuple(owners), end, preamble)


def _headless(sheet: Sheet, start: int) -> tuple[Column, ...]:
    """Columns of a table without a header (one that goes on from the page before): units and the values before them."""
    texts: list[list[str]] = [[] for _ in range(sheet.columns)]
    for area in sheet.areas:
        if area.b0 >= start and area.c1 - area.c0 == 1:
            texts[area.c0] += [phrase.text for row in printed_rows(area.words) for phrase in header_phrases(row)]
    units = [c for c, found in enumerate(texts) if _units(found)]
    roles = [ColumnRole.OTHER] * sheet.columns
    if units and sheet.columns >= 4:
        roles[units[-1]] = ColumnRole.UNIT
        for c in range(1, units[-1]):
            if texts[c] and sum(looks_numeric(text) for text in texts[c]) >= 0.8 * len(texts[c]):
                roles[c] = ColumnRole.VALUE
    return tuple(Column("", role) for role in roles)


def _areas(sheet: Sheet, start: int, end: int) -> list[Area]:
    return [area for area in sheet.areas if start <= area.b0 < end]


def _preamble(sheet: Sheet) -> tuple[int, tuple[str, ...]]:
    """Leading bands with a single text across the whole width: titles and conditions for all that follows."""
    start = 0
    texts: list[str] = []
    while start < len(sheet.bands) - 2:
        filled = [area for area in sheet.in_band(start) if area.words]
        if not filled:
            start += 1
        elif len(filled) == 1 and sheet.columns > 1 and filled[0].c1 - filled[0].c0 == sheet.columns:
            if not _one_text(filled[0]) or filled[0].b1 - filled[0].b0 > 1:
                break
            texts.append(cell_text(filled[0].words))
            start += 1
        else:
            break
    return start, tuple(texts)


def _one_text(area: Area) -> bool:
    return all(len(header_phrases(row)) == 1 for row in printed_rows(area.words)) or not any(
        is_header_word(phrase.text) for row in printed_rows(area.words) for phrase in header_phrases(row)
    )


def _header_end(sheet: Sheet, start: int) -> int:
    """The first body band; `start` itself if the table has no header."""
    last = len(sheet.bands) - 1
    first = [area for area in sheet.areas if area.b0 == start and area.words]
    if start >= last - 1 and len(first) < sheet.columns and start >= last:
        return start
    if not _is_header(sheet, first, start):
        return start
    if _open_head(sheet, first, start):
        return start + 1
    end = start + 1
    while end < min(last, start + _MOST_BANDS):
        reach = max((area.b1 for area in _areas(sheet, start, end) if area.words), default=end)
        if reach > end and reach <= start + _MOST_BANDS and reach < last:
            end = reach
            continue
        below = [area for area in sheet.areas if area.b0 == end and area.words]
        if below and _divides(sheet, start, end, below):
            end += 1
            continue
        break
    return end


def _divides(sheet: Sheet, start: int, end: int, below: Sequence[Area]) -> bool:
    """Whether band `end` names the columns under a spanning header cell, or repeats limit words."""
    roles = [area for area in below if role_of(cell_text(area.words)) in VALUES | {ColumnRole.UNIT}]
    if len(roles) >= 2:
        return True
    first = [area for area in _areas(sheet, start, end) if area.words]
    if _stands_out(sheet, first, end) and _stands_out(sheet, below, end) and len(below) < sheet.columns:
        return not any(looks_numeric(cell_text(area.words)) for area in below) and below[0].c0 > 0
    spanning = [a for a in _areas(sheet, start, end) if a.b1 == end and a.c1 - a.c0 > 1 and a.words]
    if not spanning or any(role_of(cell_text(area.words)) in LIMITS for area in _areas(sheet, start, end)):
        return False
    under = [b for b in below if any(a.c0 <= b.c0 and b.c1 <= a.c1 and b.c1 - b.c0 < a.c1 - a.c0 for a in spanning)]
    beside = [b for b in below if b not in under]
    if beside and not (_stands_out(sheet, below, end) and all(w.bold for b in below for w in b.words)):
        return False
    return len(under) >= 2 and not any(looks_numeric(cell_text(b.words)) for b in under)


def _is_header(sheet: Sheet, first: Sequence[Area], start: int) -> bool:
    texts = [cell_text(area.words) for area in first]
    if not texts:
        return False
    phrases = [phrase for area in first for row in printed_rows(area.words)[:4] for phrase in header_phrases(row)]
    roles = {role_of(text) for text in [*texts, *(phrase.text for phrase in phrases)]} - {ColumnRole.OTHER}
    if roles & (LIMITS | {ColumnRole.UNIT}) or len(roles) >= 2:
        return True
    if sum(area.c1 - area.c0 for area in first) < 0.6 * sheet.columns or start >= len(sheet.bands) - 2:
        return False
    if _stands_out(sheet, first, start):
        return True
    if any(looks_numeric(text) for text in texts[1:]) or any(len(text) > 60 for text in texts):
        return False
    if len(texts) >= 2 and (bool(roles) or sum(is_label(text) for text in texts) >= 0.5 * len(texts)):
        return True
    return len(texts) >= 2 and _heads_numbers(sheet, first, start)


def _stands_out(sheet: Sheet, areas: Sequence[Area], start: int) -> bool:
    """Bold over a body that is not, or set in another size."""
    words = [word for area in areas for word in area.words]
    body = [word for area in sheet.areas if area.b0 > start for word in area.words]
    if not words or not body:
        return False
    if all(word.bold for word in words) and sum(word.bold for word in body) < 0.5 * len(body):
        return True
    sizes = [word.size for word in body]
    return min(word.size for word in words) > 1.08 * max(sizes)


def _heads_numbers(sheet: Sheet, first: Sequence[Area], start: int) -> bool:
    """Whether text stands over a column of numbers."""
    for area in first:
        below = [cell_text(a.words) for a in sheet.areas if a.b0 >= area.b1 and a.c0 == area.c0 and a.words]
        if len(below) >= 1 and sum(looks_numeric(text) for text in below) > 0.6 * len(below):
            text = cell_text(area.words)
            if not looks_numeric(text) and not any(c.isdigit() for c in text):
                return True
    return False


def _open_head(sheet: Sheet, first: Sequence[Area], start: int) -> bool:
    """Header and body in one band: divide it below the last line of header words."""
    rows = printed_rows(word for area in first if area.b1 == start + 1 for word in area.words)
    if len(rows) < 3:
        return False
    named = [i for i, row in enumerate(rows) if sum(is_header_word(phrase.text) for phrase in header_phrases(row)) >= 2]
    if not named or named[-1] >= len(rows) - 1 or named[-1] > 3:
        return False
    if not any(looks_numeric(phrase.text) for row in rows[named[-1] + 1 :] for phrase in header_phrases(row)):
        return False
    sheet.split_band(start, (rows[named[-1]].box.y1 + rows[named[-1] + 1].box.y0) / 2)
    return True


def _divide(sheet: Sheet, start: int, end: int) -> None:
    """Columns without rulings between them, named side by side in one header cell."""
    for area in sorted(_areas(sheet, start, end), key=lambda a: -a.c0):
        if area.c1 - area.c0 != 1 or not area.words:
            continue
        if any(other.c0 == area.c0 and other.b0 >= area.b1 for other in _areas(sheet, start, end) if other.words):
            continue
        rows = printed_rows(area.words)
        best = max((sum(is_header_word(p.text) for p in header_phrases(row)) for row in rows), default=0)
        body = [a for a in sheet.areas if a.b0 >= end and a.c0 <= area.c0 < a.c1 and a.c1 - a.c0 == 1]
        if best < 2:
            sheet.split_column(area.c0, listed_columns([row for a in body for row in printed_rows(a.words)]))
            continue
        lines = [row for a in body for row in printed_rows(a.words)]
        found = headed_columns(rows, lines, sheet.bounds[area.c0], sheet.bounds[area.c1])
        sheet.split_column(area.c0, found.bounds[1:-1])


def _undivided(sheet: Sheet, area: Area) -> bool:
    """Whether a header cell over several columns is one name, not several side by side."""
    if area.c1 - area.c0 == 1:
        return True
    return all(len(_phrases_by_column(sheet, area, row)) <= 1 for row in _phrase_rows(area))


def _phrase_rows(area: Area) -> list[list[Phrase]]:
    return [header_phrases(row) for row in printed_rows(area.words)]


def _phrases_by_column(sheet: Sheet, area: Area, row: Sequence[Phrase]) -> set[int]:
    return {_column_at(sheet, area, phrase.middle) for phrase in row} if len(row) > 1 else set()


def _column_at(sheet: Sheet, area: Area, x: float) -> int:
    for c in range(area.c0, area.c1):
        if x < sheet.bounds[c + 1]:
            return c
    return area.c1 - 1


def _text_over(sheet: Sheet, area: Area, column: int) -> str:
    """The header cell's text as far as it stands over `column`."""
    if area.c1 - area.c0 == 1 or _undivided(sheet, area):
        return cell_text(area.words)
    lines = []
    for row in _phrase_rows(area):
        if len(row) == 1 and row[0].box.x1 - row[0].box.x0 > 0:
            lines.append(row[0].text)
            continue
        lines += [phrase.text for phrase in row if _column_at(sheet, area, phrase.middle) == column]
    return join_lines(lines)


def _stack_column(stack: Sequence[tuple[Area, str]]) -> Column:
    """Header cells over one column, top to bottom: the last is its name, wider ones above are groups."""
    if not stack:
        return Column("")
    names = [stack[-1][1]]
    groups: list[str] = []
    for area, text in reversed(stack[:-1]):
        if area.c1 - area.c0 > 1:
            groups.insert(0, text)
        elif not groups:
            names.insert(0, text)
    return _column(join_lines(names), tuple(groups), _lines(stack[-1][0]))


def _lines(area: Area) -> list[str]:
    return [row.text for row in printed_rows(area.words)] if area.c1 - area.c0 == 1 else []


def settled(columns: Sequence[Column]) -> tuple[Column, ...]:
    """A first column called "Rating" beside one for values names the parameters."""
    if columns and columns[0].role is ColumnRole.VALUE and any(column.role in VALUES for column in columns[1:]):
        return (Column(columns[0].name, ColumnRole.PARAMETER, columns[0].group), *columns[1:])
    return tuple(columns)


def with_roles(columns: Sequence[Column], samples: Sequence[Sequence[str]]) -> tuple[Column, ...]:
    """Fill in the roles headers leave open, from the columns' place and content (`samples[c]`: body texts)."""
    roles = [column.role for column in columns]
    _between_limits(roles, samples)
    if any(role in LIMITS for role in roles):
        _limit_roles(roles, columns, samples)
    else:
        _plain_roles(roles, columns, samples)
    return tuple(Column(column.name, role, column.group) for column, role in zip(columns, roles, strict=True))


def _between_limits(roles: list[ColumnRole], samples: Sequence[Sequence[str]]) -> None:
    """A column of numbers between MIN and MAX is the typical value, however its header is spelt ("Tpy")."""
    for i in range(1, len(roles) - 1):
        beside = roles[i - 1], roles[i + 1]
        if roles[i] is ColumnRole.OTHER and beside == (ColumnRole.MIN, ColumnRole.MAX) and _numbers(samples[i]):
            roles[i] = ColumnRole.TYP


def _limit_roles(roles: list[ColumnRole], columns: Sequence[Column], samples: Sequence[Sequence[str]]) -> None:
    first_limit = next(i for i, role in enumerate(roles) if role in LIMITS)
    whole = ColumnRole.UNIT in roles or sum(role in LIMITS for role in roles) > 1
    for i, column in enumerate(columns):
        if roles[i] is not ColumnRole.OTHER:
            continue
        if i == 0 and ColumnRole.PARAMETER not in roles:
            roles[i] = ColumnRole.PARAMETER
        elif not column.name and 0 < i < first_limit:
            roles[i] = roles[i - 1]
        elif whole and 0 < i < first_limit and _numbers(samples[i]):
            # "VCC" before the limits: the supply they hold for.
            roles[i] = ColumnRole.CONDITION
        elif i > first_limit and _units(samples[i]):
            roles[i] = ColumnRole.UNIT
        elif column.name.casefold().startswith("description") and ColumnRole.PARAMETER not in roles:
            roles[i] = ColumnRole.PARAMETER


def _plain_roles(roles: list[ColumnRole], columns: Sequence[Column], samples: Sequence[Sequence[str]]) -> None:
    if ColumnRole.UNIT in roles:
        roles[0] = ColumnRole.PARAMETER if roles[0] is ColumnRole.OTHER else roles[0]
        for i in range(1, len(roles)):
            if roles[i] is ColumnRole.OTHER and columns[i].name and _numbers(samples[i]):
                roles[i] = ColumnRole.VALUE
    if ColumnRole.VALUE not in roles and len(roles) == 2 and not any(column.name for column in columns):
        roles[1] = ColumnRole.VALUE
    if roles[0] is ColumnRole.OTHER:
        roles[0] = ColumnRole.KEY


_UNIT_TEXT = re.compile(
    r"[munpkMGTµμ]?(?:V|A|W|Hz|F|H|s|S|m|g|Ω|Ohms?|ohms?|bits?|LSB|dBm?|sec)(?:dc|DC|rms|p-?p|ac)?"
    r"|%|°\s?C|°|ppm|K|cycles|clock cycles|years|days|bps|[kM]?SPS|[kM]?bps|MHZ|KHZ|VDC|ADC|Vdc|pC|nC"
)


def _unit_like(text: str) -> bool:
    parts = [part.strip() for part in re.split(r"[/√*·]", text) if part.strip()]
    return bool(parts) and all(_UNIT_TEXT.fullmatch(part) for part in parts)


def _numbers(texts: Sequence[str]) -> bool:
    filled = [text for text in texts if text]
    return bool(filled) and sum(looks_numeric(text) for text in filled) >= 0.8 * len(filled)


def _units(texts: Sequence[str]) -> bool:
    filled = [text for text in texts if text]
    known = sum(1 for text in filled if _unit_like(text))
    return bool(filled) and known >= 0.6 * len(filled)
