"""Tables that give no limits: truth tables, ordering information, register maps, pinouts, key/value lists.

Every cell becomes a record of its column's attribute under the row's key; the other short cells of the row are its
conditions, so that the row can be asked from any side.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engine.core.model import ColumnRole, Condition, LimitKind, Table, TableRow
from engine.parameters.bit_lists import bit_conditions
from engine.parameters.conditions import BESIDE, merge, parse_conditions, stated_conditions
from engine.parameters.crossed import crossed_columns, tabulated
from engine.parameters.drafts import BLANK, Draft, Name, distinct, is_symbol, split_name, strip_marks
from engine.parameters.inner_tables import inner_tables, with_header
from engine.parameters.part_names import bare_parts, part_tokens, parts_named, without_parts
from engine.parameters.quantities import parse_quantity

_LONGEST_VALUE = 160
_LONGEST_KEY = 60
_LONGEST_NAME = 120
_WIDEST_CROSSED = 10
_BITS = frozenset(("0", "1", "X", "x", "*", ""))
_LIMIT_WORD = re.compile(r"\b(min|typ|max|nom)(?:imum|ical|inal)?\b", re.IGNORECASE)
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
    if marked and len(marked) < len(table.columns) and _identify(table, marked):
        return marked
    for width in range(1, len(table.columns)):
        if _identify(table, range(width)):
            return tuple(range(width))
    return marked if marked and len(marked) < len(table.columns) else (0,)


def _identify(table: Table, columns: Sequence[int]) -> bool:
    """Whether the cells of these columns are filled and different in every row."""
    keys = [tuple(row.cells[i].text for i in columns) for row in table.rows]
    return len(set(keys)) == len(keys) and all(any(text.strip() for text in key) for key in keys)


def _telling(table: Table) -> tuple[int, ...]:
    """Columns whose cells differ in every row (a code beside the keys), and columns of single bits that vary."""
    found = []
    for i in range(len(table.columns)):
        texts = [row.cells[i].text.strip() for row in table.rows]
        if _is_bit(table, i) or (
            len(texts) > 1 and _identify(table, (i,)) and all(len(text) <= _LONGEST_KEY for text in texts)
        ):
            found.append(i)
    return tuple(found)


def _spread(table: Table) -> tuple[int, ...]:
    return tuple(len({row.cells[i].text for row in table.rows}) for i in range(len(table.columns)))


def _is_bit(table: Table, column: int) -> bool:
    """Whether a column holds one bit of each row's code."""
    texts = {row.cells[column].text.strip() for row in table.rows}
    return texts >= {"0", "1"} and texts <= _BITS


@dataclass(frozen=True, slots=True)
class _Plan:
    keys: tuple[int, ...]
    unit: int
    titles: tuple[str, ...]
    about: tuple[str, ...]
    crossed: dict[int, Condition] = field(default_factory=dict)
    """What the columns' own headers state where they are quantities."""
    caption: str = ""
    spread: tuple[int, ...] = ()
    """How many different cells each column has."""
    telling: tuple[int, ...] = ()
    """Columns that alone tell the rows apart, or hold a single bit each."""

    @property
    def key_title(self) -> str:
        return distinct([self.titles[i] for i in self.keys])


def read_grid(table: Table, about: tuple[str, ...]) -> list[Draft]:
    """Row-key x column drafts; prose cells are left to text search. Tables inside its cells are read on their own."""
    if len(table.columns) < 2:
        return []
    inner = inner_tables(table)
    inside = {number for one in inner for number in (one.rows[0] - 1, *one.rows)}
    whole = with_header(table)
    skipped = len(table.rows) - len(whole.rows)
    drafts = [
        replace(draft, row=draft.row + skipped)
        for draft in _read_plain(whole, about)
        if draft.row + skipped not in inside
    ]
    for one in inner:
        drafts += [
            replace(draft, row=one.rows[draft.row], column=one.columns[draft.column])
            for draft in _read_plain(one.table, about)
        ]
    return drafts


def _read_plain(table: Table, about: tuple[str, ...]) -> list[Draft]:
    unit = next((i for i, column in enumerate(table.columns) if column.role is ColumnRole.UNIT), -1)
    keys = key_columns(table)
    titles = tuple(_header(table, i) for i in range(len(table.columns)))
    plan = _Plan(
        keys, unit, titles, about, crossed_columns(table, keys), table.caption, _spread(table), _telling(table)
    )
    drafts: list[Draft] = []
    above = ""
    coded = sum(_is_bit(table, i) for i in keys) > 1
    for number, row in enumerate(table.rows):
        if all(BLANK.match(cell.text) for cell in row.cells):
            continue
        key, parts = without_parts(strip_marks(distinct([row.cells[i].text for i in plan.keys]))[0], about)
        above = "" if coded else key or above
        for column in range(len(table.columns)):
            if column not in plan.keys and column != plan.unit:
                draft = _draft(table, number, column, plan, above, parts)
                if draft is not None:
                    drafts.append(draft)
    return drafts


def _row_conditions(row: TableRow, column: int, plan: _Plan) -> list[Condition]:
    """Keys first, then the row's other short cells, each as "header = cell"."""
    crossed = range(len(row.cells)) if len(row.cells) <= _WIDEST_CROSSED else plan.telling
    found: list[Condition] = []
    for i in (*plan.keys, *(i for i in crossed if i not in plan.keys)):
        text, header = row.cells[i].text.strip(), plan.titles[i]
        if i in (column, plan.unit) or not text or len(text) > _LONGEST_KEY:
            continue
        quantity = parse_quantity(text)
        known = (quantity.low, quantity.high, quantity.unit) if quantity else (None, None, "")
        relation = "=" if i in plan.keys else BESIDE
        found.append(Condition(f"{header} = {text}" if header else text, header, relation, *known))
        found += bit_conditions(header, text)
    return found


def _parts(row: TableRow, column: int, plan: _Plan) -> tuple[str, ...]:
    """The part a cell is about: named by its column, else by a key cell, else by the sub-header above the row."""
    if named := parts_named(plan.titles[column], plan.about):
        return named
    for i in plan.keys:
        text = row.cells[i].text
        loose = part_tokens(text) if _PART_HEADER.search(plan.titles[i]) else ()
        if named := parts_named(text, plan.about) or loose:
            return named
    return parts_named(row.section, plan.about)


def _worded(name: str) -> bool:
    return len(re.findall(r"[^\W\d_]", name)) >= 2 or is_symbol(name)


def _titled(row: TableRow, column: int, plan: _Plan) -> str:
    """What a description under codes is of: the row's other words ("Setting of pulse width"), else the caption's."""
    broader = [i for i, count in enumerate(plan.spread) if count < plan.spread[column] and i != plan.unit]
    varied = [row.cells[i].text.strip() for i in broader if plan.spread[i] > 1]
    constant = [row.cells[i].text.strip() for i in broader if plan.spread[i] == 1 and i == column - 1]
    texts = [text for text in (*varied, plan.caption, *constant) if len(text) <= _LONGEST_NAME]
    return next((text for text in texts if re.search(r"[A-Za-z]{3,}.*\s", text)), "")


def _of_row(table: Table, row: TableRow, column: int, plan: _Plan, key: Name) -> tuple[Name, list[Condition]] | None:
    """The name and conditions of a value that is its row's parameter under its column's case; None when the column
    names the attribute and the row is the case."""
    title = plan.titles[column]
    name = split_name(title).name
    short = len(row.cells[column].text) <= _LONGEST_KEY
    if short and _SAYS_NOTHING.match(name) and not _worded(key.name) and (titled := _titled(row, column, plan)):
        return Name(titled), _row_conditions(row, column, plan)
    of_part = bool(part_tokens(name)) and not re.search(r"[A-Za-z]{3,}", bare_parts(name))
    if not (_SAYS_NOTHING.match(name) or _NAMES_PARAMETER.search(plan.key_title) or of_part):
        return None
    # The row's other values are values of other columns, not conditions of this one.
    told = (ColumnRole.CONDITION, ColumnRole.SYMBOL, ColumnRole.NOTE)
    titles = {plan.titles[i] for i, other in enumerate(table.columns) if other.role in told and i not in plan.keys}
    conditions = [condition for condition in _row_conditions(row, column, plan) if condition.quantity in titles]
    if not _SAYS_NOTHING.match(name) and not of_part:
        conditions.insert(0, Condition(title))
    conditions.extend(read for stated in key.conditions for read in parse_conditions(stated))
    return key, conditions


def _crossing(table: Table, row: TableRow, column: int, plan: _Plan, key: Name) -> tuple[Name, list[Condition]]:
    """What is tabulated at a row and a column that are both quantities, else the row's name at the column's."""
    at_column = plan.crossed[column]
    keyed = parse_quantity(key.name or distinct([row.cells[i].text for i in plan.keys]))
    if keyed is None:
        return key, [at_column]
    name, stated = tabulated(table.caption)
    own = [c for c in _row_conditions(row, column, plan) if c.relation == "="]
    return Name(name), [at_column, *own, *stated]


def _draft(table: Table, number: int, column: int, plan: _Plan, above: str, key_parts: tuple[str, ...]) -> Draft | None:
    row, cell = table.rows[number], table.rows[number].cells[column]
    text, _ = strip_marks(cell.text)
    if BLANK.match(cell.text) or not text or len(cell.text) > _LONGEST_VALUE:
        return None
    header, key = split_name(plan.titles[column]), split_name(above)
    crossing = column in plan.crossed
    of_row = (_crossing if crossing else _of_row)(table, row, column, plan, key)
    named, stated = of_row if of_row is not None else (header, _row_conditions(row, column, plan))
    own = of_row is None or named is not key
    if len(named.name) > _LONGEST_NAME or not _worded(named.name):
        return None
    unit = row.cells[plan.unit].text.strip() if plan.unit >= 0 else ""
    unit = unit or header.unit or (key.unit if named is key else "")
    quantity = parse_quantity(cell.text, unit)
    kind = _KINDS.get(table.columns[column].role, LimitKind.VALUE)
    if kind is LimitKind.VALUE and named is header and (match := _LIMIT_WORD.search(header.name)):
        kind = LimitKind(match.group(1).casefold())
    if kind is LimitKind.VALUE and quantity is not None and quantity.limit is not None:
        kind = quantity.limit
    doubtful = cell.doubtful or any(row.cells[i].doubtful for i in plan.keys)
    return Draft(
        number, column, named.name, named.symbol, kind, text, unit, quantity,
        merge(stated, stated_conditions(row.section)), row.page, cell.box, row.box,
        key_parts or _parts(row, column, plan), row.section, " / ".join(table.columns[column].group),
        0.4 if doubtful else 0.95, ("the value may belong to another column",) if doubtful else (),
        (*key.marks, *header.marks) if own else key.marks,
    )  # fmt: skip
