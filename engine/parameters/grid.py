"""Tables that give no limits: truth tables, ordering information, register maps, pinouts, key/value lists.

Every cell becomes a record of its column's attribute under the row's key; the other short cells of the row are its
conditions, so that the row can be asked from any side.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.core.model import ColumnRole, Condition, LimitKind, Table, TableRow
from engine.parameters.conditions import merge, parse_conditions, stated_conditions
from engine.parameters.drafts import BLANK, Draft, distinct, split_name, strip_marks
from engine.parameters.part_names import part_tokens, parts_named
from engine.parameters.quantities import parse_quantity

_LONGEST_VALUE = 160
_LONGEST_KEY = 60
_WIDEST_CROSSED = 10
_SAYS_NOTHING = re.compile(
    r"^(?:values?|descriptions?|functions?|ratings?|data|specifications?|details?|unit|remarks?|comments?|results?|limits?"
    r"|parameters?|characteristics?|items?|features?|names?|meaning|definition|column \d+)?[.:]?$",
    re.IGNORECASE,
)
_NAMES_PARAMETER = re.compile(
    r"\b(?:parameter|characteristic|item|feature|specification|attribute|property)s?\b", re.IGNORECASE
)
_PART_HEADER = re.compile(r"\b(?:device|part|type|version|product|model|order|ordering|code|number)s?\b", re.IGNORECASE)
_KINDS = {
    ColumnRole.MIN: LimitKind.MIN,
    ColumnRole.TYP: LimitKind.TYP,
    ColumnRole.MAX: LimitKind.MAX,
    ColumnRole.NOM: LimitKind.NOM,
}


def _header(table: Table, column: int) -> str:
    return distinct([*table.columns[column].group, table.columns[column].name])


def key_columns(table: Table) -> tuple[int, ...]:
    """The columns that tell the rows apart: those marked as keys, else the shortest run from the left that does."""
    marked = tuple(i for i, column in enumerate(table.columns) if column.role in (ColumnRole.KEY, ColumnRole.PARAMETER))
    if marked and len(marked) < len(table.columns):
        return marked
    for width in range(1, len(table.columns)):
        keys = [tuple(cell.text for cell in row.cells[:width]) for row in table.rows]
        if len(set(keys)) == len(keys) and all(any(text.strip() for text in key) for key in keys):
            return tuple(range(width))
    return (0,)


def read_grid(table: Table, about: tuple[str, ...]) -> list[Draft]:
    """Row-key x column drafts; prose cells are left to text search."""
    if len(table.columns) < 2:
        return []
    keys = key_columns(table)
    unit_column = next((i for i, column in enumerate(table.columns) if column.role is ColumnRole.UNIT), -1)
    drafts: list[Draft] = []
    for number, row in enumerate(table.rows):
        key = distinct([row.cells[i].text for i in keys])
        if not key or all(BLANK.match(cell.text) for cell in row.cells):
            continue
        for column in range(len(table.columns)):
            if column not in keys and column != unit_column:
                draft = _draft(table, row, number, column, keys, unit_column, about)
                if draft is not None:
                    drafts.append(draft)
    return drafts


def _row_conditions(
    table: Table, row: TableRow, column: int, keys: Sequence[int], used: frozenset[int]
) -> list[Condition]:
    """Keys first, then the row's other short cells, each as "header = cell"."""
    crossed = range(len(row.cells)) if len(row.cells) <= _WIDEST_CROSSED else ()
    found: list[Condition] = []
    for i in (*keys, *(i for i in crossed if i not in keys)):
        text = row.cells[i].text.strip()
        if i == column or i in used or not text or len(text) > _LONGEST_KEY:
            continue
        header = _header(table, i)
        quantity = parse_quantity(text)
        known = (quantity.low, quantity.high, quantity.unit) if quantity else (None, None, "")
        found.append(Condition(f"{header} = {text}" if header else text, header, "=", *known))
    return found


def _parts(table: Table, row: TableRow, column: int, keys: Sequence[int], about: tuple[str, ...]) -> tuple[str, ...]:
    """The part a cell is about: named by its column, else by a key cell, else by the sub-header above the row."""
    header = _header(table, column)
    if named := parts_named(header, about):
        return named
    for i in keys:
        text = row.cells[i].text
        loose = part_tokens(text) if _PART_HEADER.search(_header(table, i)) else ()
        if named := parts_named(text, about) or loose:
            return named
    return parts_named(row.section, about)


def _draft(
    table: Table, row: TableRow, number: int, column: int, keys: Sequence[int], unit_column: int, about: tuple[str, ...]
) -> Draft | None:
    cell = row.cells[column]
    text, _ = strip_marks(cell.text)
    if BLANK.match(cell.text) or len(cell.text) > _LONGEST_VALUE:
        return None
    header = split_name(_header(table, column))
    key = split_name(distinct([row.cells[i].text for i in keys]))
    key_header = distinct([_header(table, i) for i in keys])
    by_row = _SAYS_NOTHING.match(header.name) or _NAMES_PARAMETER.search(key_header) or part_tokens(header.name)
    unit = row.cells[unit_column].text.strip() if unit_column >= 0 else ""
    unit = unit or header.unit or (key.unit if by_row else "")
    conditions = _row_conditions(table, row, column, keys, frozenset({unit_column}))
    if by_row:
        conditions = [
            condition for condition in conditions if condition.quantity not in {_header(table, i) for i in keys}
        ]
        if not _SAYS_NOTHING.match(header.name):
            conditions.insert(0, Condition(_header(table, column)))
        conditions.extend(read for stated in key.conditions for read in parse_conditions(stated))
    quantity = parse_quantity(cell.text, unit)
    named = key if by_row else header
    doubtful = cell.doubtful or any(row.cells[i].doubtful for i in keys)
    kind = _KINDS.get(table.columns[column].role, LimitKind.VALUE)
    if kind is LimitKind.VALUE and quantity is not None and quantity.limit is not None:
        kind = quantity.limit
    return Draft(
        number, column, named.name, named.symbol, kind, text, unit, quantity,
        merge(conditions, stated_conditions(row.section)), row.page, cell.box, row.box,
        _parts(table, row, column, keys, about), row.section, " / ".join(table.columns[column].group),
        0.4 if doubtful else 0.95, ("the value may belong to another column",) if doubtful else (),
        key.marks if by_row else (*key.marks, *header.marks),
    )  # fmt: skip
