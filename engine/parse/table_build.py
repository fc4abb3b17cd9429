"""From a drawn sheet and its head to a :class:`Table`: rows, spans, sub-headers and doubts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from engine.core.model import Cell, Column, ColumnRole, PageBox, Table, TableRow
from engine.parse.glyphs import UNMAPPED
from engine.parse.table_groups import centred_rows, centred_style, close_labels, labels_beside
from engine.parse.table_header import Head, with_roles
from engine.parse.table_merge import BodyLine, merge_lines
from engine.parse.table_open_rows import open_rows
from engine.parse.table_place import Level, Piece, levels_of
from engine.parse.table_roles import LIMITS, VALUES, named_glyphs
from engine.parse.table_rows import Draft, closed_rows, value_levels
from engine.parse.table_section import set_sections
from engine.parse.table_sheet import Area, Sheet
from engine.parse.table_text import Row, hull, join_lines, printed_rows

_NOTE = re.compile(r"(?:notes?\b|\*|†|‡|\(\d\)|\d\)\s)", re.IGNORECASE)
_LINED = VALUES | {ColumnRole.UNIT, ColumnRole.SYMBOL}
_LONGEST_COPY = 40
"""Longer text over several columns is a remark on the row, not a value of each column."""
_KEYS = (ColumnRole.PARAMETER, ColumnRole.SYMBOL, ColumnRole.KEY)


def build(sheet: Sheet, head: Head, page: int, confidence: float) -> Table | None:
    """The table on a sheet; None if no row or no second column is left."""
    lines, notes = _body_lines(sheet, head)
    for line in lines:
        line.cells = _cells(sheet, head, line)
    samples = [[line.cells[c].text for line in lines if not line.draft.label] for c in range(sheet.columns)]
    columns = with_roles(head.columns, samples)
    lines = merge_lines(lines, columns, sheet.ruled or len(sheet.bands) - 1 - head.body >= 3)
    rows = [line for line in lines if not line.draft.label]
    if not rows or sheet.columns < 2:
        return None
    _share(lines, columns)
    set_sections(lines, nested=not any(column.role in LIMITS for column in columns))
    found = tuple(_row(line, page) for line in rows)
    doubts = _doubts(found, columns)
    table = Table(
        columns=columns,
        rows=found,
        page=page,
        regions=(PageBox(page, sheet.box),),
        caption=" ".join(head.preamble),
        notes=tuple(notes),
        confidence=round(confidence * (0.9 if doubts else 1.0), 3),
        doubts=doubts,
    )
    return _without_strips(table, sheet)


def _without_strips(table: Table, sheet: Sheet) -> Table:
    """Strips between double rulings are no columns: narrow, no name, nothing printed in any row."""
    widths = [b - a for a, b in itertools.pairwise(sheet.bounds)]
    narrow = 0.45 * median(widths)
    kept = [
        c
        for c, column in enumerate(table.columns)
        if column.name
        or widths[c] > narrow
        or any(row.cells[c].text and not row.cells[c].inherited for row in table.rows)
    ]
    if len(kept) == len(table.columns):
        return table
    rows = tuple(replace(row, cells=tuple(row.cells[c] for c in kept)) for row in table.rows)
    return replace(table, columns=tuple(table.columns[c] for c in kept), rows=rows)


def _row(line: BodyLine, page: int) -> TableRow:
    boxes = [cell.box for cell in line.cells if cell.box is not None and not cell.inherited]
    return TableRow(tuple(line.cells), page, hull(boxes) if boxes else None, line.section)


def _doubts(rows: Sequence[TableRow], columns: Sequence[Column]) -> tuple[str, ...]:
    count = sum(cell.doubtful for row in rows for cell in row.cells)
    unmapped = any(UNMAPPED in cell.text for row in rows for cell in row.cells)
    reasons = ["glyphs without a meaning"] if unmapped else []
    if count:
        reasons.append(f"{count} cells whose column or text is not certain")
    return tuple(reasons)


# --- bands to lines ---------------------------------------------------------------------------------------------------


def _body_lines(sheet: Sheet, head: Head) -> tuple[list[BodyLine], list[str]]:
    lines: list[BodyLine] = []
    notes: list[str] = []
    for area in sheet.areas:
        if area.b0 < head.body < area.b1:
            area.b0 = head.body
    tall = {id(area): _stands_once(sheet, head, area) for area in sheet.areas if area.b1 - area.b0 > 1}
    last = len(sheet.bands) - 1
    for band in range(head.body, last):
        areas = [area for area in sheet.in_band(band) if area.words]
        full = _full_width(sheet, areas, band)
        if full is not None:
            text = join_lines(row.text for row in printed_rows(full.words))
            if _NOTE.match(text) or not _heads(full, text, last=band == last - 1):
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


def _stands_once(sheet: Sheet, head: Head, area: Area) -> bool:
    """Whether the text of an area over several bands is one text for all of them."""
    rows = printed_rows(area.words)
    if not rows:
        return False
    gaps = [b.box.y0 - a.box.y1 for a, b in itertools.pairwise(rows)]
    if gaps and max(gaps) >= 0.6 * (rows[0].box.y1 - rows[0].box.y0):
        return head.limits and _straddles(sheet, area, rows)
    lined = area.c1 - area.c0 == 1 and head.columns[area.c0].role in _LINED
    if len(rows) <= area.b1 - area.b0 and not lined:
        return True
    return not _begins_each_band(sheet, area, rows, head.limits)


def _straddles(sheet: Sheet, area: Area, rows: Sequence[Row]) -> bool:
    """Whether a line or sentence stands across a ruling that the cells beside have: then none is missing here."""
    floors = sheet.bands[area.b0 + 1 : area.b1]
    lead = (rows[0].box.y1 - rows[0].box.y0) / 4
    if any(row.box.y0 + lead < floor < row.box.y1 - lead for row in rows for floor in floors):
        return True
    pairs = [(a, b) for a, b in itertools.pairwise(rows) if any(a.middle < floor < b.middle for floor in floors)]
    return any(_runs_on(above.text, line.text) for above, line in pairs)


def _begins_each_band(sheet: Sheet, area: Area, rows: Sequence[Row], limits: bool) -> bool:
    """A ruling is missing: in every band of the area a line stands level with the first line beside it.

    Among limits such lines are still one text where one goes on in the next, or where they follow evenly.
    """
    starts: list[int] = []
    for band in range(area.b0, area.b1):
        beside = [a for a in sheet.areas if a.b0 == band and a.b1 == band + 1 and a.words]
        first = printed_rows(word for a in beside for word in a.words)[:1]
        level = [i for i, row in enumerate(rows) if first and abs(row.middle - first[0].middle) < 2.5]
        if not level:
            return False
        starts.append(level[0])
    if not limits:
        return True
    return not any(i and _runs_on(rows[i - 1].text, rows[i].text) for i in starts) and not _one_leading(rows, starts)


def _runs_on(above: str, line: str) -> bool:
    """Whether a line is the rest of the text above it rather than the text of another cell."""
    return above.rstrip().endswith((",", "(", "=", "/", "&")) or line[:1].islower()


def _one_leading(rows: Sequence[Row], starts: Sequence[int]) -> bool:
    """Whether lines follow one another as closely between the bands as within them: a text, not cells."""
    gaps = [b.box.y0 - a.box.y1 for a, b in itertools.pairwise(rows)]
    between = [gaps[i - 1] for i in starts if i]
    within = [gap for i, gap in enumerate(gaps, 1) if i not in starts]
    return bool(between) and bool(within) and max(between) <= max(within) + 0.6


def _full_width(sheet: Sheet, areas: Sequence[Area], band: int) -> Area | None:
    if len(areas) != 1 or sheet.columns < 2 or not sheet.ruled:
        return None
    area = areas[0]
    if sheet.columns == 2 and not all(word.bold for word in area.words):
        return None
    single = area.b1 - area.b0 == 1 and area.c0 == 0
    return area if single and area.c1 - area.c0 >= sheet.columns - 1 and area.c1 == sheet.columns else None


def _heads(area: Area, text: str, *, last: bool) -> bool:
    """Whether a full-width line heads the rows below rather than remarks on them."""
    if last:
        return False
    return all(word.bold for word in area.words) or (len(text) <= 90 and not text.endswith("."))


def _full_label(area: Area) -> BodyLine:
    box = hull(word.box for word in area.words)
    draft = Draft(label=True, top=box.y0)
    draft.cells[0] = [Piece(0, area.c1, tuple(row.words)) for row in printed_rows(area.words)]
    return BodyLine(draft, -1, {}, False)


def _band_lines(sheet: Sheet, head: Head, band: int, levels: list[Level], once: dict[int, Area]) -> list[BodyLine]:
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
        drafts = _open_drafts(levels, head.columns) if is_open else closed_rows(levels, head.columns)
    result = []
    for position, draft in enumerate(drafts):
        own = set() if position else fresh
        for c in inherited:
            if c not in own:
                draft.shared.add(c)
        result.append(BodyLine(draft, band, inherited, is_open))
    return result


def _open_drafts(levels: Sequence[Level], columns: Sequence[Column]) -> list[Draft]:
    """Rows of an open body, sub-header by sub-header, with labels centred beside their rows shared out."""
    drafts = open_rows(levels, columns)
    heads = {draft.top: draft for draft in drafts if draft.label}
    centred = centred_style(levels, columns, value_levels(levels, columns))
    found: list[Draft] = []
    part: list[Level] = []
    for level in [*levels, None]:
        if level is None or level.y0 in heads:
            found += _part_drafts(part, columns, centred) if part else []
            part = []
        if level is not None and level.y0 in heads:
            found.append(heads[level.y0])
        elif level is not None:
            part.append(level)
    return found


def _part_drafts(levels: Sequence[Level], columns: Sequence[Column], centred: bool) -> list[Draft]:
    anchors = value_levels(levels, columns)
    beside = anchors and (centred or labels_beside(levels, columns, anchors))
    drafts = centred_rows(levels, columns, anchors) if beside else None
    if drafts is not None:
        return drafts
    drafts = open_rows(levels, columns)
    if beside:
        for draft in drafts:
            draft.unsure = True
    else:
        close_labels(drafts, columns)
    return drafts


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
    if bands == 1 or len(anchors) < 3:
        return bands == 1 and len(anchors) >= 2
    first = next((i for i, column in enumerate(head.columns) if column.role is ColumnRole.PARAMETER), 0)
    keyed = [i for i, level in enumerate(levels) if first in level.pieces]
    apart = any(b - a > 1 for a, b in itertools.pairwise(keyed))
    return (len(levels) > 6 or apart) and sum(1 for i in keyed if i in anchors) >= 0.5 * len(anchors)


# --- cells ------------------------------------------------------------------------------------------------------------


def _cells(sheet: Sheet, head: Head, line: BodyLine) -> list[Cell]:
    cells = [Cell("") for _ in range(sheet.columns)]
    copies: list[tuple[int, Cell]] = []
    for c, pieces in sorted(line.draft.cells.items()):
        text = named_glyphs(join_lines(piece.text for piece in pieces), head.columns[c].role)
        box = hull(word.box for piece in pieces for word in piece.words)
        doubtful = UNMAPPED in text or any(piece.doubtful for piece in pieces)
        cell = Cell(text, box, c in line.draft.shared, doubtful)
        copies += _put(cells, cell, c, max(piece.end for piece in pieces), head)
    for c, piece in line.band_inherited.items():
        if c in line.draft.cells:
            continue
        text = named_glyphs(join_lines(row.text for row in printed_rows(piece.words)), head.columns[c].role)
        doubtful = UNMAPPED in text or piece.doubtful
        cell = Cell(text, hull(word.box for word in piece.words), c in line.draft.shared, doubtful)
        copies += _put(cells, cell, c, piece.end, head)
    for c, copy in copies:
        if not cells[c].text:
            cells[c] = copy
    return cells


def _put(cells: list[Cell], cell: Cell, start: int, end: int, head: Head) -> list[tuple[int, Cell]]:
    """A cell over several columns: one text under one header, a doubtful value among limits, else a copy for each.

    The copies are returned: they go where nothing of the row's own stands.
    """
    if end - start > 1:
        columns = head.columns[start:end]
        owners = {head.owners[c] for c in range(start, end)}
        groups = {column.group for column in columns}
        if any(column.role in LIMITS for column in columns) and len(groups) == 1:
            start = _centre_column(columns, start, end)
            cell = replace(cell, doubtful=True)
            end = start + 1
        elif len(owners) == 1 or start == 0 or len(cell.text) > _LONGEST_COPY:
            end = start + 1
        elif len({column.role for column in columns} & LIMITS) > 1:
            cell = replace(cell, doubtful=True)
    if cells[start].text:
        both = f"{cells[start].text} {cell.text}"
        box = hull(b for b in (cells[start].box, cell.box) if b is not None)
        cell = Cell(both, box, cell.inherited and cells[start].inherited, True)
    cells[start] = cell
    return [(c, replace(cell, inherited=True)) for c in range(start + 1, end)]


def _centre_column(columns: Sequence[Column], start: int, end: int) -> int:
    for role in (ColumnRole.TYP, ColumnRole.NOM):
        for i in range(start, end):
            if columns[i - start].role is role:
                return i
    limits = [i for i in range(start, end) if columns[i - start].role in LIMITS]
    return limits[len(limits) // 2]


def _share(lines: Sequence[BodyLine], columns: Sequence[Column]) -> None:
    """Labels printed once for several rows of an open band are carried down; so is their unit, either way."""
    keys = [i for i, column in enumerate(columns) if column.role in _KEYS]
    if not any(column.role in LIMITS for column in columns) or not keys:
        return
    units = [i for i, column in enumerate(columns) if column.role is ColumnRole.UNIT]
    group: list[BodyLine] = []
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
                    line.cells[c] = replace(source, inherited=True, doubtful=source.doubtful or line.draft.unsure)
        for c in units:
            _share_unit(group, c)


def _carries(line: BodyLine, columns: Sequence[Column]) -> bool:
    """A ruled row with values and no label of its own: it can only belong to the row above."""
    return any(cell.text for cell, column in zip(line.cells, columns, strict=True) if column.role in VALUES)


def _share_unit(group: Sequence[BodyLine], c: int) -> None:
    printed = [line.cells[c] for line in group if line.cells[c].text and not line.cells[c].inherited]
    if len(group) < 2 or len({cell.text for cell in printed}) != 1:
        return
    for line in group:
        if not line.cells[c].text:
            line.cells[c] = replace(printed[0], inherited=True, doubtful=line.draft.unsure)
