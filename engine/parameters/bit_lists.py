"""Bits asked for as a list, as one writes them: "PS2 PS1 PS0 = 1 0 1", "A1M4..A1M1 = 1,1,0,0", "WS[2:0] = 101"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.parameters.units import parse_unit

_NAME = r"[A-Z][A-Z0-9]{0,6}"
_LIST = rf"(?P<list>{_NAME}(?:(?:\s*[,/]\s*|\s+(?:and\s+)?){_NAME})+)"
_SPAN = r"(?P<stem>[A-Za-z][A-Za-z0-9]{0,5}?)(?P<first>\d)\s*(?:\.{2,3}|-|to\b|:)\s*(?:(?P=stem))?(?P<last>\d)"
_FIELD = r"(?P<field>[A-Za-z][A-Za-z0-9]{0,6})\s?\[(?P<from>\d{1,2}):(?P<to>\d{1,2})\]"
_BITS = re.compile(
    rf"(?<![\w-])(?:{_FIELD}|{_SPAN}|{_LIST})\s*(?:=|\bare\b|\bis\b|\bof\b|\bset to\b)\s*"
    r"(?P<values>[01](?:[\s,/]{0,2}[01])+)(?![\w.])(?P<next>\s*[^\s\d?,;:.)-]*)"
)


def spelled_out(question: str) -> str:
    """The question with each listed bit on its own ("PS2 = 1, PS1 = 0, PS0 = 1"), so that each is a condition.

    A list that gives another number of values than of names, or a number with its unit, is left as it is.
    """
    return _BITS.sub(_one_by_one, question)


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
    numbers = range(first, last - 1, -1) if last < first else range(first, last + 1)
    return [f"{stem}{number}" for number in numbers]
