"""Limit tables: rows of parameter, symbol, conditions and MIN/TYP/MAX with a unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.core.model import Cell, Column, ColumnRole, Condition, LimitKind, Table, TableRow
from engine.parameters.conditions import is_condition_like, merge, parse_conditions, stated_conditions
from engine.parameters.drafts import BLANK, Draft, Name, distinct, is_symbol, split_name, strip_marks
from engine.parameters.heads import Head, read_head
from engine.parameters.mentions import find_quantities
from engine.parameters.part_names import (
    bare_parts,
    labelled_part,
    part_tokens,
    parts_named,
    stacked_parts,
    without_parts,
)
from engine.parameters.quantities import Quantity, parse_quantity, prepare
from engine.parameters.units import parse_unit

_KINDS = {
    ColumnRole.MIN: LimitKind.MIN,
    ColumnRole.TYP: LimitKind.TYP,
    ColumnRole.MAX: LimitKind.MAX,
    ColumnRole.NOM: LimitKind.NOM,
    ColumnRole.VALUE: LimitKind.VALUE,
}
_LIMIT_HEADER = re.compile(
    r"^(min|typ|max|nom)(?:imum|ical|inal)?\b\.?|\b(min|typ|max|nom)(?:imum|ical|inal)?\.?$", re.IGNORECASE
)
_LIMITS_HEADER = re.compile(r"\b(?:guaranteed|tested|design)\s+limits?\b\s*(?:[(\[][^)\]]*[)\]])?$", re.IGNORECASE)
"""Ends the header of a column of limits that does not say which: "-40 to 85 °C Guaranteed Limits"."""
_LIMIT_IN_NAME = re.compile(r"^(min|max|typ)(?:imum|ical)?\b|[\s(](min|max|typ)(?:imum|ical)?\.?\)?$", re.IGNORECASE)
_GENERIC_CONDITION = re.compile(r"\bconditions?\b|\bnotes?\b|^$", re.IGNORECASE)
_TEMPERATURES = re.compile(r"temperature.*[(\[].{0,3}C[)\]]", re.IGNORECASE)
_TEMPERATURE = re.compile(r"\btemperatures?\b", re.IGNORECASE)
_PART_HEADER = re.compile(
    r"\b(?:device|part|type|version|product|grade|suffix|model|variant|option)s?\b", re.IGNORECASE
)
_UNIT_LIMIT = re.compile(r"(?<=\S)[\s(]+(min|typ|max|nom)(?:imum|ical|inal)?\.?\)?$", re.IGNORECASE)
_MIXED = 0.3
"""Share of names that run through a value, from which a table is two tables side by side."""
_MEASURED = frozenset(("V", "A", "W", "\u00b0C", "\u03a9", "F", "H", "Hz", "s"))
_TOLD = re.compile(r"(?:[=<>@\u2264\u2265]|\b(?:at|to|from|with|for|and|or|than))\s*$", re.IGNORECASE)
_BROKEN_DECIMAL = re.compile(r"^\.\d+$")
_DIMENSIONLESS = re.compile(
    r"\b(?:gain|ratio|factor|resolution|number|count|hfe|h fe|beta|index|order|bits?|monotonic|fan-?out|cycles"
    r"|endurance|stability)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Plan:
    names: tuple[int, ...]
    symbols: tuple[int, ...]
    conditions: tuple[int, ...]
    units: tuple[int, ...]
    values: tuple[int, ...]
    others: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    """What the left-hand side of a row says."""

    name: Name
    symbol: str
    conditions: tuple[Condition, ...]
    parts: tuple[str, ...]
    marks: tuple[str, ...]
    confidence: float
    doubts: tuple[str, ...]
    text: str = ""
    """The name cell as printed, without its marks and parts."""


def column_kind(column: Column) -> LimitKind | None:
    """The limit a column gives: by its role, or by a limit word beside part names or conditions ("Max BC548 / A")."""
    if column.role in _KINDS:
        return _KINDS[column.role]
    if re.fullmatch(r"[+\-\u2212\u2013]?\s?\d{1,3}", column.name.strip()) and any(
        _TEMPERATURES.search(g) for g in column.group
    ):
        return LimitKind.VALUE
    match = _LIMIT_HEADER.search(column.name.strip())
    if column.role is ColumnRole.OTHER and any(_LIMITS_HEADER.search(text) for text in (column.name, *column.group)):
        return LimitKind.VALUE
    if column.role is not ColumnRole.OTHER or match is None:
        return None
    rest = re.sub(r"[\s/,.()A-Z]*$", "", (column.name[: match.start()] + column.name[match.end() :]).strip())
    beside = part_tokens(rest) or is_condition_like(rest) or parse_unit(rest.strip("() "))
    return LimitKind((match.group(1) or match.group(2)).casefold()) if beside else None


def _plan(table: Table) -> _Plan:
    def with_role(*roles: ColumnRole) -> tuple[int, ...]:
        return tuple(i for i, column in enumerate(table.columns) if column.role in roles and i not in values)

    values = tuple(i for i, column in enumerate(table.columns) if column_kind(column) is not None)
    names = with_role(ColumnRole.PARAMETER, ColumnRole.KEY)
    symbols = with_role(ColumnRole.SYMBOL)
    others = with_role(ColumnRole.OTHER, ColumnRole.NOTE)
    if not names:
        left = [i for i in others if i < min(values) and table.columns[i].role is ColumnRole.OTHER]
        worded = [i for i in left if _texts(table, i) and not _mostly_numbers(_texts(table, i))]
        names = tuple(worded[:1]) or symbols
    others = tuple(i for i in others if i not in names)
    if not symbols:
        symbols = tuple(i for i in others if _mostly_symbols(_texts(table, i)))[:1]
        others = tuple(i for i in others if i not in symbols)
    return _Plan(names, symbols, with_role(ColumnRole.CONDITION), with_role(ColumnRole.UNIT), values, others)


def _texts(table: Table, column: int) -> list[str]:
    return [row.cells[column].text for row in table.rows if not BLANK.match(row.cells[column].text)]


def _mostly_symbols(texts: Sequence[str]) -> bool:
    return sum(is_symbol(text) and not part_tokens(text) for text in texts) > len(texts) / 2


def _mostly_numbers(texts: Sequence[str]) -> bool:
    return sum(parse_quantity(text) is not None for text in texts) > len(texts) / 2


def _cells(row: TableRow, columns: Sequence[int]) -> list[Cell]:
    return [row.cells[i] for i in columns]


def _read_row(table: Table, row: TableRow, plan: _Plan, above: _Row | None, about: tuple[str, ...]) -> _Row | None:
    text, own_marks = strip_marks(distinct([cell.text for cell in _cells(row, plan.names)]))
    text, named_parts = without_parts(text, about, siblings=above is not None)
    symbol, symbol_marks = strip_marks(distinct([cell.text for cell in _cells(row, plan.symbols)]))
    text, in_name = _without_conditions(text)
    symbol, in_symbol = _without_conditions(symbol)
    used = _cells(row, (*plan.names, *plan.symbols, *plan.conditions, *plan.units))
    confidence = 0.5 if any(cell.doubtful for cell in used) else 1.0
    doubts = ("a cell of this row may belong to another column",) if confidence < 1 else ()
    if text:
        name = split_name(text)
    elif above is not None:
        # A blank name under a name is a further line of the same parameter (its own condition or symbol).
        name, confidence = replace(above.name, conditions=()), min(confidence, 0.93, above.confidence)
        symbol = symbol or above.symbol
    elif symbol:
        name = Name(symbol)
    else:
        return None
    conditions = [condition for stated in name.conditions for condition in parse_conditions(stated)]
    conditions += [*in_name, *in_symbol]
    parts = list(named_parts or parts_named(text, about)) if text or named_parts else list(above.parts if above else ())
    marks = [*own_marks, *name.marks, *symbol_marks]
    for i in plan.conditions:
        body, found = strip_marks(row.cells[i].text)
        marks.extend(found)
        body, labelled = labelled_part(body, about)
        labelled = labelled or parts_named(body, about)
        if not labelled or re.search(r"[A-Za-z0-9]", bare_parts(body)):
            conditions.extend(_stated_in(table.columns[i].name.strip(), body))
        parts.extend(part for part in labelled if part not in parts)
    if above is not None and parts and text == above.text and not any(one.relation for one in conditions):
        # "548A", "548B" under "VCE = 5 V, IC = 2 mA 548": the same test for other parts
        conditions.extend(one for one in above.conditions if one.relation)
    elif above is not None and named_parts and not text and not conditions:
        conditions.extend(above.conditions)  # "DAC0831LCN" alone goes on with the row of its sibling above
    for i in plan.others:
        body = row.cells[i].text.strip()
        if BLANK.match(body):
            continue
        named = parts_named(body, about) or (part_tokens(body) if _PART_HEADER.search(table.columns[i].name) else ())
        parts.extend(part for part in named if part not in parts)
        if table.columns[i].role is ColumnRole.NOTE:
            marks.extend(re.findall(r"\d{1,2}", body) if len(body) < 12 else [])
            conditions.extend(stated_conditions(body))
        elif not named:
            conditions.append(_column_condition(table.columns[i].name.strip(), body))
    return _Row(name, symbol or name.symbol, tuple(conditions), tuple(parts), tuple(marks), confidence, doubts, text)


def _without_conditions(text: str) -> tuple[str, tuple[Condition, ...]]:
    """A name or symbol cell with a condition printed behind it ("ICC1T VCC1=2.0V"): both apart."""
    stated = [one for one in stated_conditions(text) if is_symbol(one.quantity)]
    head = text[: text.find(stated[0].raw)] if len(stated) > 1 else ""
    if re.search(r"[A-Za-z]{3,}", head):
        # "Segment Output Current VDD=2.8V, VCC=12V, Display ON": the name ends where its conditions begin.
        return head.strip(" ,:;"), parse_conditions(text[len(head) :])
    found = tuple(one for one in stated if text.rstrip().endswith(one.raw))
    for one in found:
        text = text.replace(one.raw, "").strip(" ,;")
    return text, found if text else ()


def _stated_in(title: str, body: str) -> tuple[Condition, ...]:
    """The conditions of a cell; a column with a quantity of its own for a title ("VIN (V)") gives bare values of it."""
    if BLANK.match(body):
        return ()
    name = split_name(title).name
    named = not _GENERIC_CONDITION.search(title) and is_symbol(name.split(" ")[0])
    if named and re.fullmatch(
        r"[+\-\u2212\u2013\u00b1]?\s?[\d.][\d.,\s]*[A-Za-z\u00b5\u03bc\u03a9]{0,3}", body.strip()
    ):
        if "," in body:  # "0,5" are the levels 0 and 5
            return (Condition(f"{title}: {body.strip()}", name, "="),)
        return (_column_condition(title, body.strip()),)
    return parse_conditions(body)


def _column_condition(title: str, body: str) -> Condition:
    """The cell of a condition's own column: "VDD (V)" | "15" is VDD = 15 V."""
    name = split_name(title)
    head, unit = name.name, name.unit
    if not unit and (last := title.split()[-1:]) and len(title.split()) > 1 and parse_unit(last[0]):
        head, unit = title[: -len(last[0])].strip(), last[0]
    quantity = parse_quantity(body, unit)
    if quantity is None or not head:
        return Condition(f"{title}: {body}" if title else body, title, "=" if title else "")
    shown = body if quantity.printed or not unit else f"{body} {unit}"
    return Condition(f"{head} = {shown}", head, "=", quantity.low, quantity.high, quantity.unit)


def _unit_of(table: Table, row: TableRow, plan: _Plan, head: Head, name: Name, above: str) -> tuple[str, bool]:
    """The unit a row's values are printed in, and whether it is known: unit column, header, then the name's bracket."""
    if plan.units:
        text = distinct([cell.text for cell in _cells(row, plan.units)])
        if text:
            return text, True
        named = any(not BLANK.match(cell.text) and not cell.inherited for cell in _cells(row, plan.names))
        if not named and above:
            return above, True
    if head.unit or name.unit:
        return head.unit or name.unit, True
    return "", False


def read_limit_table(table: Table, about: tuple[str, ...]) -> list[Draft]:
    """Every printed limit of the table, row by row, left to right."""
    plan = _plan(table)
    if not plan.values:
        return []
    groups = [set(table.columns[i].group) for i in plan.values]
    shared = frozenset(set.intersection(*groups)) if len(groups) > 1 else frozenset()
    heads = {i: read_head(table.columns[i], shared, about) for i in plan.values}
    drafts: list[Draft] = []
    above: _Row | None = None
    above_unit, above_section = "", ""
    mixed = _names_hold_values(table, plan)
    stacks = _stacks(table, plan, about)
    for number, row in enumerate(table.rows):
        if row.section != above_section:
            above, above_unit, above_section = None, "", row.section
        read = _read_row(table, row, plan, above, about)
        if read is None:
            continue
        if mixed:
            doubts = (*read.doubts, "the names hold values of a table beside this one")
            read = replace(read, confidence=min(read.confidence, 0.5), doubts=doubts)
        if number in stacks:
            read = _one_of_stack(read, stacks[number], about)
        last_unit = ""
        for i in plan.values:
            unit, known = _unit_of(table, row, plan, heads[i], read.name, above_unit)
            last_unit = unit or last_unit
            draft = _draft(table, number, i, read, heads[i], unit, known, about)
            if draft is not None:
                drafts.append(draft)
        above, above_unit = read, last_unit
    return drafts


def _names_hold_values(table: Table, plan: _Plan) -> bool:
    """Whether two tables side by side were read as one: many names run through a value ("VCC -0.5 V to 7 V TA")."""
    names = [name for row in table.rows if (name := distinct([cell.text for cell in _cells(row, plan.names)]))]
    through = 0
    for name in names:
        plain = " ".join(re.sub(r"[(\[][^)\]]*[)\]]", " ", prepare(name)).split())
        through += any(
            one.quantity.unit in _MEASURED
            and re.search(r"[A-Za-z]{2,}\s+$", plain[: one.start])
            and not _TOLD.search(plain[: one.start])
            and re.match(r"\s+[A-Z]|\s*$", plain[one.end :])
            for one in find_quantities(plain)
        )
    return through >= 2 and through >= _MIXED * len(names)


def _stacks(table: Table, plan: _Plan, about: tuple[str, ...]) -> dict[int, tuple[str, ...]]:
    """Rows under one name cell that lists as many lines of parts as it has rows: row -> its parts, () if the counts
    differ and the parts cannot be told."""
    found: dict[int, tuple[str, ...]] = {}
    start = 0
    texts = [distinct([cell.text for cell in _cells(row, plan.names)]) for row in table.rows]
    while start < len(texts):
        end = start + 1
        spans = all(cell.inherited for cell in _cells(table.rows[end], plan.names)) if end < len(texts) else False
        while end < len(texts) and spans and texts[end] == texts[start]:
            end += 1
            spans = all(cell.inherited for cell in _cells(table.rows[end], plan.names)) if end < len(texts) else False
        _, lines = stacked_parts(texts[start], about)
        if lines:
            matched = len(lines) == end - start
            found.update({row: lines[row - start] if matched else () for row in range(start, end)})
        start = end
    return found


def _one_of_stack(read: _Row, parts: tuple[str, ...], about: tuple[str, ...]) -> _Row:
    """A row of a stacked name with its own parts; in doubt where the stack has more or fewer lines than rows."""
    name, _ = stacked_parts(read.name.name, about)
    plain = replace(read, name=replace(read.name, name=name or read.name.name))
    if parts:
        return replace(plain, parts=parts, confidence=min(read.confidence, 0.9))
    return replace(
        plain, confidence=min(read.confidence, 0.5), doubts=(*read.doubts, "several parts share this row's name")
    )


def _draft(
    table: Table, number: int, column: int, read: _Row, head: Head, unit: str, known: bool, about: tuple[str, ...]
) -> Draft | None:
    row, cell = table.rows[number], table.rows[number].cells[column]
    if BLANK.match(cell.text):
        return None
    kind = column_kind(table.columns[column]) or LimitKind.VALUE
    if match := _UNIT_LIMIT.search(unit):
        unit = unit[: match.start()].strip()
        kind = LimitKind(match.group(1).casefold()) if kind is LimitKind.VALUE else kind
    quantity = parse_quantity(cell.text, unit)
    if quantity is not None and not quantity.unit and not known and _TEMPERATURE.search(read.name.name):
        quantity = parse_quantity(cell.text, "\u00b0C")  # "Storage temperature  -55 ~ +110" without a unit
    confidence, doubts = read.confidence, list(read.doubts)
    if cell.doubtful:
        confidence, doubts = min(confidence, 0.4), [*doubts, "the value may belong to another column"]
    if kind is LimitKind.VALUE and (match := _LIMIT_IN_NAME.search(read.name.name)):
        kind = LimitKind((match.group(1) or match.group(2)).casefold())
    if quantity is not None:
        kind, confidence, doubts = _checked(quantity, kind, known, unit, read, confidence, doubts)
    if _BROKEN_DECIMAL.match(cell.text.strip()) and not _starts_column(table, number, column):
        confidence, doubts = min(confidence, 0.4), [*doubts, "the number may be the end of the one above"]
    section_parts = parts_named(row.section, about)
    conditions = merge(read.conditions, head.conditions, stated_conditions(row.section))
    marks = (*read.marks, *(re.sub(r"\D", "", note) or note for note in quantity.notes)) if quantity else read.marks
    printed = strip_marks(cell.text.strip())[0] if quantity is not None else cell.text.strip()
    return Draft(
        number, column, read.name.name or read.symbol, read.symbol, kind, printed, unit, quantity, conditions,
        row.page, cell.box, row.box, head.parts or read.parts or section_parts, row.section, head.group, confidence,
        tuple(doubts), marks,
    )  # fmt: skip


def _starts_column(table: Table, number: int, column: int) -> bool:
    """Whether nothing stands right above a cell in its column that it could be the rest of."""
    above = table.rows[number - 1].cells[column].text if number else ""
    return not above or parse_quantity(above) is not None


def _checked(
    quantity: Quantity, kind: LimitKind, known: bool, unit: str, read: _Row, confidence: float, doubts: list[str]
) -> tuple[LimitKind, float, list[str]]:
    """Limit words printed in the cell, and doubts about units."""
    if quantity.limit is not None and quantity.limit is not kind:
        if kind is not LimitKind.VALUE:
            confidence, doubts = min(confidence, 0.6), [*doubts, "the cell names another limit than its column"]
        kind = quantity.limit
    if not known and not quantity.printed and not _DIMENSIONLESS.search(f"{read.name.name} {read.symbol}"):
        confidence, doubts = min(confidence, 0.75), [*doubts, "no unit is printed for this value"]
    if unit and not quantity.printed and parse_unit(unit) is None:
        confidence, doubts = min(confidence, 0.75), [*doubts, f"the unit '{unit}' could not be read"]
    return kind, confidence, doubts
