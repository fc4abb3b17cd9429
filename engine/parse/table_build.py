"""From a drawn sheet and its head to a :class:`Table`: rows, spans, sub-headers and doubts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engine.core.model import Cell, Column, ColumnRole, PageBox, Table, TableRow
from engine.parse.table_header import Head, with_roles
from engine.parse.table_place import Level, Piece, levels_of
from engine.parse.table_roles import LIMITS, VALUES
from engine.parse.table_rows import Draft, closed_rows, open_rows, value_levels
from engine.parse.table_sheet import Area, Sheet
from engine.parse.table_text import hull, join_lines, printed_rows

_NOTE = re.compile(r"(?:notes?\b|\*|†|‡|\(\d\)|\d\)\s)", re.IGNORECASE)
_KEYS = (ColumnRole.PARAMETER, ColumnRole.SYMBOL, ColumnRole.KEY)


@dataclass(slots=True)
class _Line:
    """A finished row with what the later passes need."""

    draft: Draft
    band: int
    band_inherited: dict[int, Piece]
    open_band: bool
    cells: list[Cell] = field(default_factory=list)
    section: str = ""


@dataclass(slots=True)
class _Label:
    text: str
    x0: float
    indents: bool | None = None


def build(sheet: Sheet, head: Head, page: int, confidence: float) -> Table | None:
    """The table on a sheet; None if no row or no second column is left."""
    lines, notes = _body_lines(sheet, head)
    rows = [line for line in lines if not line.draft.label]
    if not rows or sheet.columns < 2:
        return None
    for line in lines:
        line.cells = _cells(sheet, head, line)
    samples = [[line.cells[c].text for line in rows] for c in range(sheet.columns)]
    columns = with_roles(head.columns, samples)
    _share(lines, columns)
    _sections(lines)
    found = tuple(_row(line, page) for line in rows)
    doubts = _doubts(found, columns)
    return Table(
        columns=columns,
        rows=found,
        page=page,
        regions=(PageBox(page, sheet.box),),
        caption=" ".join(head.preamble),
        notes=tuple(notes),
        confidence=round(confidence * (0.9 if doubts else 1.0), 3),
        doubts=doubts,
    )


def _row(line: _Line, page: int) -> TableRow:
    boxes = [cell.box for cell in line.cells if cell.box is not None and not cell.inherited]
    return TableRow(tuple(line.cells), page, hull(boxes) if boxes else None, line.section)


def _doubts(rows: Sequence[TableRow], columns: Sequence[Column]) -> tuple[str, ...]:
    count = sum(cell.doubtful for row in rows for cell in row.cells)
    return (f"{count} cells stand between columns",) if count else ()


# --- bands to lines ---------------------------------------------------------------------------------------------------


def _body_lines(sheet: Sheet, head: Head) -> tuple[list[_Line], list[str]]:
    lines: list[_Line] = []
    notes: list[str] = []
    for area in sheet.areas:
        if area.b0 < head.body < area.b1:
            area.b0 = head.body
    tall = {id(area): _stands_once(sheet, area) for area in sheet.areas if area.b1 - area.b0 > 1}
    last = len(sheet.bands) - 1
    for band in range(head.body, last):
        areas = [area for area in sheet.in_band(band) if area.words]
        full = _full_width(sheet, areas, band)
        if full is not None:
            text = join_lines(row.text for row in printed_rows(full.words))
            if _NOTE.match(text) or (band == last - 1 and len(text) > 60):
                notes.append(text)
            else:
                lines.append(_full_label(full))
            continue
        spread = [area for area in areas if not tall.get(id(area))]
        window = (
            sheet.bands[band] - (50 if band == head.body else 0),
            sheet.bands[band + 1] + (50 if band == last - 1 else 0),
        )
        levels = levels_of(sheet, head.columns, spread, window)
        once = {area.c0: area for area in areas if tall.get(id(area))}
        lines += _band_lines(sheet, head, band, levels, once)
    return lines, notes


def _stands_once(sheet: Sheet, area: Area) -> bool:
    """Whether the text of an area over several bands is one text for all of them."""
    rows = printed_rows(area.words)
    if not rows:
        return False
    gaps = [b.box.y0 - a.box.y1 for a, b in itertools.pairwise(rows)]
    return not gaps or max(gaps) < 0.6 * (rows[0].box.y1 - rows[0].box.y0)


def _full_width(sheet: Sheet, areas: Sequence[Area], band: int) -> Area | None:
    if len(areas) != 1 or sheet.columns < 3 or not sheet.ruled:
        return None
    area = areas[0]
    single = area.b1 - area.b0 == 1 and area.c0 == 0
    return area if single and area.c1 - area.c0 >= sheet.columns - 1 and area.c1 == sheet.columns else None


def _full_label(area: Area) -> _Line:
    box = hull(word.box for word in area.words)
    draft = Draft(label=True, top=box.y0)
    draft.cells[0] = [Piece(0, area.c1, tuple(row.words)) for row in printed_rows(area.words)]
    return _Line(draft, -1, {}, False)


def _band_lines(sheet: Sheet, head: Head, band: int, levels: list[Level], once: dict[int, Area]) -> list[_Line]:
    inherited = {
        c: Piece(c, area.c1, tuple(w for row in printed_rows(area.words) for w in row.words) or tuple(area.words))
        for c, area in once.items()
    }
    fresh = {c for c, area in once.items() if area.b0 == band}
    if not levels:
        if not fresh:
            return []
        drafts = [Draft(top=sheet.bands[band])]
        is_open = False
    else:
        is_open = _is_open(sheet, head, band, levels)
        drafts = open_rows(levels, head.columns) if is_open else closed_rows(levels, head.columns)
    result = []
    for position, draft in enumerate(drafts):
        own = set() if position else fresh
        for c in inherited:
            if c not in own:
                draft.shared.add(c)
        result.append(_Line(draft, band, inherited, is_open))
    return result


def _is_open(sheet: Sheet, head: Head, band: int, levels: Sequence[Level]) -> bool:
    """Whether a band holds rows without rulings between them, rather than one row (or one parameter's rows)."""
    bands = len(sheet.bands) - 1 - head.body
    if not sheet.ruled and bands == 1:
        return True
    if not any(column.role in VALUES for column in head.columns):
        if bands > 2 or len(levels) < 3:
            return False
        full = sum(1 for level in levels if 0 in level.pieces and len(level.pieces) >= min(3, sheet.columns))
        return full >= 3 and full >= 0.5 * len(levels)
    anchors = value_levels(levels, head.columns)
    if len(anchors) < 3:
        return bands == 1 and len(anchors) >= 2
    first = next((i for i, column in enumerate(head.columns) if column.role is ColumnRole.PARAMETER), 0)
    keyed = [i for i, level in enumerate(levels) if first in level.pieces]
    apart = any(b - a > 1 for a, b in itertools.pairwise(keyed))
    return (bands == 1 or len(levels) > 6 or apart) and sum(1 for i in keyed if i in anchors) >= 0.5 * len(anchors)


# --- cells ------------------------------------------------------------------------------------------------------------


def _cells(sheet: Sheet, head: Head, line: _Line) -> list[Cell]:
    cells = [Cell("") for _ in range(sheet.columns)]
    for c, pieces in sorted(line.draft.cells.items()):
        text = join_lines(piece.text for piece in pieces)
        box = hull(word.box for piece in pieces for word in piece.words)
        cell = Cell(text, box, c in line.draft.shared, any(piece.doubtful for piece in pieces))
        _put(cells, cell, c, max(piece.end for piece in pieces), head)
    for c, piece in line.band_inherited.items():
        if c in line.draft.cells:
            continue
        text = join_lines(row.text for row in printed_rows(piece.words))
        cell = Cell(text, hull(word.box for word in piece.words), c in line.draft.shared, piece.doubtful)
        _put(cells, cell, c, piece.end, head)
    return cells


def _put(cells: list[Cell], cell: Cell, start: int, end: int, head: Head) -> None:
    """A cell over several columns: one text under one header, a doubtful value among limits, else a copy for each."""
    if end - start > 1:
        columns = head.columns[start:end]
        owners = {head.owners[c] for c in range(start, end)}
        groups = {column.group for column in columns}
        if any(column.role in LIMITS for column in columns) and len(groups) == 1:
            start = _centre_column(columns, start, end)
            cell = replace(cell, doubtful=True)
            end = start + 1
        elif len(owners) == 1 or start == 0:
            end = start + 1
    if cells[start].text:
        both = f"{cells[start].text} {cell.text}"
        box = hull(b for b in (cells[start].box, cell.box) if b is not None)
        cell = Cell(both, box, cell.inherited and cells[start].inherited, True)
    cells[start] = cell
    for c in range(start + 1, end):
        if not cells[c].text:
            cells[c] = replace(cell, inherited=True)


def _centre_column(columns: Sequence[Column], start: int, end: int) -> int:
    for role in (ColumnRole.TYP, ColumnRole.NOM):
        for i in range(start, end):
            if columns[i - start].role is role:
                return i
    limits = [i for i in range(start, end) if columns[i - start].role in LIMITS]
    return limits[len(limits) // 2]


def _share(lines: Sequence[_Line], columns: Sequence[Column]) -> None:
    """Labels printed once for several rows of an open band are carried down; so is their unit, either way."""
    keys = [i for i, column in enumerate(columns) if column.role in _KEYS]
    if not any(column.role in LIMITS for column in columns) or not keys:
        return
    units = [i for i, column in enumerate(columns) if column.role is ColumnRole.UNIT]
    group: list[_Line] = []
    for line in lines:
        if line.draft.label:
            group = []
            continue
        filled = any(line.cells[c].text for c in keys)
        if filled or not group or (group[0].band != line.band and not _carries(line, columns)):
            group = [line]
        else:
            group.append(line)
            for c in keys:
                source = group[0].cells[c]
                if source.text:
                    line.cells[c] = replace(source, inherited=True)
        for c in units:
            _share_unit(group, c)


def _carries(line: _Line, columns: Sequence[Column]) -> bool:
    """A ruled row with values and no label of its own: it can only belong to the row above."""
    return any(cell.text for cell, column in zip(line.cells, columns, strict=True) if column.role in VALUES)


def _share_unit(group: Sequence[_Line], c: int) -> None:
    printed = [line.cells[c] for line in group if line.cells[c].text and not line.cells[c].inherited]
    if len(group) < 2 or len({cell.text for cell in printed}) != 1:
        return
    for line in group:
        if not line.cells[c].text:
            line.cells[c] = replace(printed[0], inherited=True)


def _sections(lines: Sequence[_Line]) -> None:
    """Every row gets the sub-headers it stands under, by indentation where there are several."""
    stack: list[_Label] = []
    for line in lines:
        if line.draft.label:
            text = join_lines(piece.text for c in sorted(line.draft.cells) for piece in line.draft.cells[c])
            x0 = min(piece.x0 for pieces in line.draft.cells.values() for piece in pieces)
            if line.band == -1:
                stack = []
            stack = [label for label in stack if label.x0 < x0 - 2.0]
            stack.append(_Label(text, x0))
            continue
        first = line.draft.cells.get(0)
        if first and 0 not in line.draft.shared:
            x0 = first[0].x0
            stack = [label for label in stack if not (label.indents and x0 <= label.x0 + 1.5)]
            for label in stack:
                if label.indents is None:
                    label.indents = x0 > label.x0 + 3.0
        line.section = " / ".join(label.text for label in stack)
