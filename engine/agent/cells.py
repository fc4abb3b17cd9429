"""Values of a table row: number cells joined with their unit, each under its own column header."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.agent.quantities import Quantity, find_quantities, read_unit
from engine.agent.units import Unit
from engine.core.text import fold

_UNIT_HEAD = re.compile(r"^unit ?s?$", re.I)
_CONDITION_HEAD = re.compile(r"condition|^notes?\b|^conds?\b|^remarks?\b|^comments?\b|^fig", re.I)
_NAME_HEAD = re.compile(r"^(?:parameters?|symbols?|characteristics?|descriptions?|names?|pins?|no\.?)$", re.I)
_NUMBER_CELL = re.compile(
    r"[<>=~\u00b1+-]{0,2}\s?[0-9][0-9.,]*(?:\s?(?:to|-|\.\.\.?)\s?[+-]?[0-9][0-9.,]*)?(?:\s?[(\[]?(?:[0-9]|note.*)[)\]])?",
    re.I,
)
_CONDITION_SYMBOL = re.compile(r"(V(?:CC|DD|S|IN|SUPPLY|_?[A-Z]{2}))\b(?!.*\b(?:min|typ|max)\b)|T[AJC]\b", re.I)
_HEAD_UNIT = re.compile(r"[(\[]\s?([^()\[\]]{1,12})\s?[)\]]")


@dataclass(frozen=True, slots=True)
class CellValue:
    """A value of a row: `text` as shown ("450 µV"), the header it stands under, the printed cell."""

    text: str
    head: str
    cell: str
    quantity: Quantity


def row_values(unit: Unit) -> list[CellValue]:
    """Every quantity a row states outside its condition and name columns."""
    printed_unit = row_unit(unit)
    found: list[CellValue] = []
    for head, cell in unit.cells:
        if _CONDITION_HEAD.search(head) or _NAME_HEAD.match(head.strip()):
            continue
        folded = fold(cell)
        there = [q for q in find_quantities(folded) if not folded[: q.start].rstrip().endswith("=")]
        if there:
            found += [CellValue(q.text, head, cell, q) for q in there]
        elif _NUMBER_CELL.fullmatch(folded):
            measure = printed_unit or unit_in(head)
            joined = find_quantities(f"{_bare(folded)} {fold(measure)}") if measure else []
            if joined:
                found.append(CellValue(f"{_bare(cell)} {measure}", head, cell, joined[0]))
    return found


def row_range(unit: Unit) -> Quantity | None:
    """ "4 V to 20 V" of a row that has a number under MIN and one under MAX."""
    ends: dict[str, CellValue] = {}
    for value in row_values(unit):
        name = value.head.casefold()
        for limit in ("min", "max"):
            if limit in name and not value.quantity.is_range:
                ends.setdefault(limit, value)
    if len(ends) < 2 or ends["min"].quantity.dimension != ends["max"].quantity.dimension:
        return None
    low, high = ends["min"].quantity, ends["max"].quantity
    text = f"{ends['min'].text} to {ends['max'].text}"
    return Quantity(text, 0, len(text), low.low, high.high, low.dimension, high.unit) if low.low < high.high else None


def row_unit(unit: Unit) -> str:
    """The unit of a row's own unit column, as printed; "" if it has none."""
    for head, cell in unit.cells:
        folded = fold(cell)
        if _UNIT_HEAD.match(head.strip()) or (not head and read_unit(folded) is not None):
            return cell if read_unit(folded) is not None else ""
    return ""


def number_cells(unit: Unit) -> list[tuple[str, str]]:
    """(header, cell) of the cells that hold only a number."""
    return [
        (head, cell)
        for head, cell in unit.cells
        if _NUMBER_CELL.fullmatch(fold(cell)) and not _NAME_HEAD.match(head.strip())
    ]


def stated_in_cells(unit: Unit) -> list[Quantity]:
    """Conditions of a row printed as bare numbers under their symbol: "10" under VDD is 10 V, under TA 10 °C."""
    found = []
    for head, cell in unit.cells:
        symbol = _CONDITION_SYMBOL.match(head.strip())
        if symbol is None or not re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", fold(cell)):
            continue
        measure = unit_in(head) or ("V" if symbol.group(1) else "\u00b0C")
        found += find_quantities(f"{fold(cell)} {fold(measure)}")[:1]
    return found


def unit_in(head: str) -> str:
    """ "Supply current (mA)" -> "mA"."""
    for match in _HEAD_UNIT.finditer(head):
        if read_unit(fold(match.group(1)).strip()) is not None:
            return match.group(1).strip()
    return ""


def _bare(cell: str) -> str:
    """A number cell without its footnote mark."""
    return re.sub(r"\s?[(\[]?(?:note.*|[0-9])[)\]]$", "", cell, flags=re.I).strip()
