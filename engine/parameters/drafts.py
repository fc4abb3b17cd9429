"""Half-made records: what a table cell says before ids and inherited conditions are added."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.model import Box, Condition, LimitKind
from engine.parameters.quantities import Quantity, prepare
from engine.parameters.units import parse_unit

_MARK = re.compile(
    r"\s*(?:[(\[](?:notes?\s*)?(\d{1,2})(?:\s*(?:,|&|and)\s*\d{1,2})*[)\]](?:\s*,\s*[(\[]\d{1,2}[)\]])*"
    r"|\bnotes?\s*(\d{1,2})|([*\u2020\u2021#]+))\s*$",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"[(\[]([^()\[\]]*(?:\([^()]*\)[^()\[\]]*)?)[)\]]")
_SYMBOL = re.compile(
    r"^[A-Za-z\u0394\u03b8\u03b7\u03b2][A-Za-z0-9_\u0394\u03b8/+:\-]{0,9}(?:\([A-Za-z0-9+\-/ ]{1,9}\))?[A-Z0-9]{0,3}$"
)
_WORDISH = re.compile(r"^[A-Z]?[a-z]{3,}$")
BLANK = re.compile(
    r"^[\s\-\u2010-\u2015\u2212.\u2026*/]*$|^n(?:/|\.)\s?a\.?$|^[<\[(]?t\.?b\.?[dac]\.?[>\])]?$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Draft:
    """One value with everything its own row and column say about it."""

    row: int
    column: int
    parameter: str
    symbol: str
    kind: LimitKind
    value: str
    unit: str
    quantity: Quantity | None
    conditions: tuple[Condition, ...]
    page: int
    box: Box | None
    row_box: Box | None
    parts: tuple[str, ...] = ()
    section: str = ""
    group: str = ""
    confidence: float = 1.0
    doubts: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Name:
    """A parameter cell taken apart: "Supply current, ICC (mA) (1)" -> name, symbol ICC, unit mA, mark 1."""

    name: str
    symbol: str = ""
    unit: str = ""
    conditions: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


def is_symbol(text: str) -> bool:
    """Whether a token is a parameter symbol: VCC, tPLH, hFE, RθJA, VCE(sat); not a word or a number."""
    folded = prepare(text).strip()
    if not _SYMBOL.match(folded) or _WORDISH.match(folded) or len(folded) < 2:
        return False
    if re.fullmatch(r"(?:max|min|typ|nom)(?:imum|ical|inal)?", folded, re.IGNORECASE):
        return False
    return any(char.isupper() or char == "_" for char in folded)


def strip_marks(text: str) -> tuple[str, tuple[str, ...]]:
    """Take note marks off the end of a text."""
    marks: list[str] = []
    while text and (match := _MARK.search(text)):
        marks.extend(group for group in match.groups() if group)
        text = text[: match.start()]
    return text.strip(" ,"), tuple(marks)


def split_name(text: str) -> Name:
    """Read a parameter cell; only what is sure is taken off: what stands in brackets or after a comma."""
    name, marks = strip_marks(re.sub(r"\s+", " ", text))
    symbol, unit, conditions = "", "", []
    for match in reversed(list(_BRACKETED.finditer(name))):
        inside = match.group(1).strip()
        glued = match.start() and not name[match.start() - 1].isspace()
        if glued or not inside:
            continue
        if re.search(r"[<>=\u2264\u2265]", inside):
            conditions.append(inside)
        elif not unit and match.end() == len(name.rstrip()) and parse_unit(inside) and not inside.isdigit():
            unit = inside
        elif not symbol and is_symbol(inside):
            symbol = inside
        else:
            continue
        name = (name[: match.start()] + name[match.end() :]).strip(" ,")
    head, comma, tail = name.rpartition(",")
    if comma and not symbol and is_symbol(tail.strip()):
        name, symbol = head.strip(), tail.strip()
    elif (
        comma
        and not unit
        and re.fullmatch(r"[a-zA-Z\u00b5\u03bc\u03a9\u2126%\u00b0/]+", tail.strip())
        and parse_unit(tail.strip())
    ):
        name, unit = head.strip(), tail.strip()
    return Name(re.sub(r"\s+", " ", name), symbol, unit, tuple(conditions), marks)


def distinct(texts: Sequence[str]) -> str:
    """Cells of one name joined, repeats and blanks left out."""
    kept: list[str] = []
    for text in texts:
        if not BLANK.match(text) and not any(text.casefold() in other.casefold() for other in kept):
            kept.append(text.strip())
    return " ".join(kept)
