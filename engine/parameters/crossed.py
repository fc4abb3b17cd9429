"""Tables in which a quantity heads each column: what stands where row and column cross, and at which values."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.core.model import Condition, Table
from engine.parameters.conditions import parse_conditions
from engine.parameters.drafts import split_name
from engine.parameters.mentions import find_quantities
from engine.parameters.quantities import parse_quantity

_NUMBERED = re.compile(r"^\s*(?:table|tab\.|exhibit)\s*[\dA-Z]+(?:[-.]\d+)*\s*[.:\u2013\u2014-]?\s*", re.IGNORECASE)
_NAMELESS = re.compile(r"\b(?:values?|examples?|settings?|cases?|ratings?|results?)\b", re.IGNORECASE)
_LEAST = 2
"""Columns of one unit that make a table crossed."""


def crossed_columns(table: Table, keys: Sequence[int]) -> dict[int, Condition]:
    """The condition that each column's header states ("tvddrise" over "10 ms"), by column; empty for other tables."""
    found: dict[int, Condition] = {}
    for index, column in enumerate(table.columns):
        if index in keys:
            continue
        condition = _heading(column.name, column.group[-1] if column.group else "")
        if condition is not None:
            found[index] = condition
    units = [condition.unit for condition in found.values()]
    values = {(condition.low, condition.high) for condition in found.values()}
    return found if len(found) >= _LEAST and len(set(units)) == 1 and len(values) == len(found) else {}


def _heading(name: str, group: str) -> Condition | None:
    """What a header states: "10 ms" below "tvddrise", "VT = 3.0 V", "4.5 V" below words that name no quantity."""
    stated = parse_conditions(name)
    if len(stated) == 1 and stated[0].quantity and stated[0].relation == "=" and stated[0].unit:
        return stated[0]
    over = split_name(group)
    quantity = parse_quantity(name, over.unit)
    if quantity is None or not quantity.unit:
        return None
    shown = name if quantity.printed else f"{name} {over.unit}"
    own = "" if _NAMELESS.search(over.name) else over.name
    return Condition(f"{own} = {shown}" if own else shown, own, "=", quantity.low, quantity.high, quantity.unit)


def tabulated(caption: str) -> tuple[str, list[Condition]]:
    """What a table's caption says it gives, without its number, and the quantities that it names."""
    name = _NUMBERED.sub("", caption).strip(" .")
    stated = [
        Condition(one.text, "", "=", one.quantity.low, one.quantity.high, one.quantity.unit)
        for one in find_quantities(name)
        if one.quantity.unit
    ]
    return name, stated
