"""Bits asked for as a list, as one writes them: "PS2 PS1 PS0 = 1 0 1", "A1M4..A1M1 = 1,1,0,0", "WS[2:0] = 101"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.core.model import Condition
from engine.parameters.units import parse_unit

_NAME = r"[A-Z][A-Z0-9]{0,6}"
_LIST = rf"(?P<list>{_NAME}(?:(?:\s*[,/]\s*|\s+(?:and\s+)?){_NAME})+)"
_SPAN = r"(?P<stem>[A-Za-z][A-Za-z0-9]{0,5}?)(?P<first>\d)\s*(?:\.{2,3}|-|to\b|:)\s*(?:(?P=stem))?(?P<last>\d)"
_FIELD = r"(?P<field>[A-Za-z][A-Za-z0-9]{0,6})\s?\[(?P<from>\d{1,2}):(?P<to>\d{1,2})\]"
_BITS = re.compile(
    rf"(?<![\w-])(?:{_FIELD}|{_SPAN}|{_LIST})\s*(?:=|\bare\b|\bis\b|\bof\b|\bset to\b)\s*"
    r"(?P<values>[01](?:[\s,/]{0,2}[01])+)(?![\w.])(?P<next>\s*[^\s\d?,;:.)-]*)"
)


_NOT_A_LEVEL = r"(?![-\s](?:level|voltage|byte|nibble|to)\b)"
_PIN = rf"{_NAME}(?:[ _][A-Z0-9]{{1,8}})"
_HELD = r"(?:(?:is|are|being|at|tied|held|kept|pulled|driven|strapped|set|goes)\s+){1,3}(?:to\s+)?(?:logic\s+)?"
_LEVEL = re.compile(
    rf"(?<![\w-])(?P<name>{_PIN}{{0,2}})\s+{_HELD}(?P<level>high|low|1|0)\b{_NOT_A_LEVEL}(?![.,]\d)"
    rf"|(?<![\w-])(?P<bare>{_PIN}{{1,2}}|[A-Z][A-Z0-9]*\d)\s+(?P<plain>high|low)\b{_NOT_A_LEVEL}"
)


def spelled_out(question: str) -> str:
    """The question with each listed bit on its own ("PS2 = 1, PS1 = 0, PS0 = 1"), so that each is a condition; so are
    pins at a level ("RANGE SELECT 2 tied high").

    A list that gives another number of values than of names, or a number with its unit, is left as it is.
    """
    return _LEVEL.sub(_at_level, _BITS.sub(_one_by_one, question))


def _at_level(match: re.Match[str]) -> str:
    level = match["level"] or match["plain"]
    return f"{match['name'] or match['bare']} = {'1' if level in ('high', '1') else '0'}"


def _one_by_one(match: re.Match[str]) -> str:
    names, values = _names(match), re.findall("[01]", match["values"])
    behind = match["next"].strip()
    if len(names) != len(values) or (behind and parse_unit(behind) is not None):
        return match.group()
    return ", ".join(f"{name} = {value}" for name, value in zip(names, values, strict=True)) + match["next"]


def _names(match: re.Match[str]) -> Sequence[str]:
    if match["list"]:
        return [name for name in re.findall(_NAME, match["list"]) if name != "AND"]
    stem = match["field"] or match["stem"]
    first, last = int(match["from"] or match["first"]), int(match["to"] or match["last"])
    return _span(stem, first, last)


def _span(stem: str, first: int, last: int) -> list[str]:
    numbers = range(first, last - 1, -1) if last < first else range(first, last + 1)
    return [f"{stem}{number}" for number in numbers]


_HEADED = re.compile(rf"{_FIELD}\s*$")


def bit_conditions(header: str, cell: str) -> list[Condition]:
    """The bits of a field that a table gives as one cell: "A[2:0]" over "011" states A2 = 0, A1 = 1, A0 = 1."""
    match, values = _HEADED.search(header.strip()), re.fullmatch(r"([01xX]+)[bB]?", cell.strip())
    if match is None or values is None:
        return []
    names = _span(match["field"], int(match["from"]), int(match["to"]))
    if len(names) != len(values.group(1)):
        return []
    return [
        Condition(f"{name} = {value}", name, "=", *((float(value), float(value)) if value in "01" else (None, None)))
        for name, value in zip(names, values.group(1), strict=True)
    ]
