"""Tables inside a cell of another: a pin or command table whose description holds a small table of its own.

The ruled grid gives the inner rows as rows of the outer table whose keys are inherited; the first of them is the inner
header.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.core.model import Cell, Column, ColumnRole, Table, TableRow
from engine.parameters.drafts import BLANK
from engine.parameters.equality import hexadecimal
from engine.parameters.quantities import parse_quantity

_LEAST_ROWS = 3
"""The inner header and two rows."""
_LONGEST_HEAD, _LONGEST_CELL = 30, 70
_CODE = re.compile(r"^(?:[<>]=?\s?)?[01Xx*]{1,8}[bB]?$|^[+\-\u2212]?\d+(?:[.,/]\d+)*$")
_CODED = 0.75
"""Share of a column's cells that are codes or values, from which its first cell must be its header if it is none."""


@dataclass(frozen=True, slots=True)
class InnerTable:
    """A table of its own right: `rows` and `columns` are where its body and columns stand in the outer table."""

    table: Table
    rows: range
    columns: tuple[int, ...]


def inner_tables(table: Table) -> tuple[InnerTable, ...]:
    """The tables within a table's cells, top to bottom."""
    found: list[InnerTable] = []
    start = 0
    while start < len(table.rows):
        end = start
        while end < len(table.rows) and _keys_inherited(table.rows[end]):
            end += 1
        if end - start >= _LEAST_ROWS:
            inner = _inner(table, range(start, end))
            if inner is not None:
                found.append(inner)
        start = max(end, start + 1)
    return tuple(found)


def _keys_inherited(row: TableRow) -> bool:
    return bool(row.cells) and row.cells[0].inherited and bool(row.cells[0].text.strip())


def _inner(table: Table, rows: range) -> InnerTable | None:
    """The rows as a table, None where the first of them does not read like a header over the others."""
    head, body = table.rows[rows[0]], table.rows[rows[1] : rows.stop]
    columns = tuple(i for i, cell in enumerate(head.cells) if not cell.inherited and cell.text.strip())
    if len(columns) < 2 or not _heads(head.cells, body, columns):
        return None
    own = [(i, cell) for row in body for i, cell in enumerate(row.cells) if not cell.inherited and cell.text.strip()]
    if any(i not in columns or len(cell.text) > _LONGEST_CELL for i, cell in own):
        return None
    if any(sum(bool(row.cells[i].text.strip()) for i in columns) < 2 for row in body):
        return None
    titles = tuple(Column(head.cells[i].text.strip(), ColumnRole.OTHER) for i in columns)
    above = table.rows[rows[0] - 1] if rows[0] else None
    inside = tuple(
        replace(row, cells=tuple(row.cells[i] for i in columns), section=_section(row, above, columns)) for row in body
    )
    return InnerTable(replace(table, columns=titles, rows=inside), range(rows[1], rows.stop), columns)


def _heads(head: Sequence[Cell], body: Sequence[TableRow], columns: Sequence[int]) -> bool:
    """Whether a row reads like a header: short different texts, one of them a name over a column of codes or values."""
    texts = [head[i].text.strip() for i in columns]
    if not all(texts) or any(len(text) > _LONGEST_HEAD for text in texts) or len(set(texts)) < len(texts):
        return False
    return any(
        not _coded(head[i].text) and len(cells) > 1 and sum(map(_coded, cells)) >= _CODED * len(cells)
        for i in columns
        if (cells := [row.cells[i].text for row in body if not BLANK.match(row.cells[i].text)])
    )


def _coded(text: str) -> bool:
    """Whether a cell is a code, a bit pattern, a number or a quantity and no name."""
    text = text.strip()
    return bool(_CODE.match(text)) or hexadecimal(text) is not None or parse_quantity(text) is not None


def _section(row: TableRow, above: TableRow | None, columns: Sequence[int]) -> str:
    """What the inner table hangs on: the outer row's keys, and how its text introduces it."""
    keys = [cell.text.strip() for cell in row.cells[: min(columns)] if cell.inherited and cell.text.strip()]
    lead = ""
    if above is not None:
        lead = next((cell.text for cell in above.cells[min(columns) :] if cell.text.strip()), "")
        lead = lead or next((cell.text for cell in above.cells if cell.text.strip() and not cell.inherited), "")
    return " ".join(dict.fromkeys([*keys, _first_sentence(lead)])).strip()[:120]


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[a-z])[.:]\s", text, maxsplit=1)[0].strip(" .:")


def with_header(table: Table) -> Table:
    """A table without any header takes its first row for one, where that reads like a header or is a series of
    quantities at which the other rows are given ("IREF | 15.6 µA | 11.2 µA")."""
    if any(column.name.strip() or column.group for column in table.columns) or len(table.rows) < 2:
        return table
    first = table.rows[0].cells
    if any(cell.inherited for cell in first):
        return table
    if not _heads(first, table.rows[1:], range(len(first))) and not _is_series(table):
        return table
    over = (first[0].text.strip(),) if _is_series(table) else ()
    columns = tuple(
        replace(column, name=cell.text.strip(), group=over if place else ())
        for place, (column, cell) in enumerate(zip(table.columns, first, strict=True))
    )
    return replace(table, columns=columns, rows=table.rows[1:])


def _is_series(table: Table) -> bool:
    """Whether every row is a name and then as many quantities, those of the first row all different and of one unit."""
    if len(table.columns) < 3:
        return False
    rows = [[parse_quantity(cell.text) for cell in row.cells[1:]] for row in table.rows]
    named = all(parse_quantity(row.cells[0].text) is None and row.cells[0].text.strip() for row in table.rows)
    first = [one for one in rows[0] if one is not None]
    units = {one.unit for one in first}
    different = len({(one.low, one.high) for one in first}) == len(table.columns) - 1
    return named and different and len(units) == 1 and "" not in units and all(None not in row for row in rows)
