"""Quantities in running text: numbers with their units where they stand, ranges joined, part numbers left alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.parameters.quantities import (
    VALUE,
    Quantity,
    glued_unit,
    parse_quantity,
    prepare,
    read_number,
)
from engine.parameters.units import parse_unit

_SCAN = re.compile(
    rf"(?<![A-Za-z0-9_.])(?<![A-Za-z]-)(?<!\d,)(?P<pm>\u00b1\s?)?(?P<sign>(?<![\dA-Za-z)])[+-]\s?)?(?P<number>{VALUE})"
)
_UNIT_AHEAD = re.compile(
    r"\s?-?((?:%|\u00b0|\u221a|[A-Za-z])[A-Za-z0-9%\u00b0\u221a/^*\u00b7().-]*(?:\s(?:of\s)?[A-Za-z/-]+){0,1})"
)
_ORGANISED = re.compile(
    r"(?<![\w.])(?P<words>\d[\d,]*)\s?(?P<scale>[KkM]?)\s?[xX]\s?(?P<bits>8|16|32)(?:[- ]?bits?)?(?![\w.])"
)
_SPREAD = re.compile(r"\s*\u00b1\s*")
_JOIN = re.compile(r"\s*(?:\bto\b|-|\.{2,3}|\u2026|~|\band\b|\bthrough\b)\s*(?=[+-]?\s?\.?\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mentioned:
    """A quantity found in `prepare`d running text at [start, end)."""

    quantity: Quantity
    start: int
    end: int
    text: str


def _unit_after(text: str, position: int) -> tuple[str, int]:
    """The longest readable unit that starts at `position`, and where it ends; ("", position) if none.

    None of it is a unit when the letters are glued to the number and make no unit: "74F148" is a name.
    """
    if (match := _UNIT_AHEAD.match(text, position)) is None:
        return "", position
    token = match.group(1)
    start = match.start(1)
    while token:
        trimmed = token.rstrip(".-(/ ")
        if trimmed.count("(") != trimmed.count(")"):
            trimmed = trimmed.rstrip(")")
        ends = start + len(trimmed)
        open_end = ends >= len(text) or not (text[ends].isalnum() or text[ends] == "/")
        glued = start == position
        if open_end and trimmed and (parse_unit(trimmed) or (glued and glued_unit(trimmed))):
            return trimmed, ends
        shorter = re.sub(r"(?:[^A-Za-z0-9%\u00b0]+|[A-Za-z0-9%\u00b0]+)$", "", token)
        token = shorter if shorter != token else ""
    return "", position


def _organised(body: str) -> list[Mentioned]:
    """Memory sizes as "128 x 8-bit" or "2K x 8": so many bytes."""
    found = []
    for match in _ORGANISED.finditer(body):
        words = read_number(match["words"]) * {"K": 1024.0, "k": 1024.0, "M": 1048576.0}.get(match["scale"], 1.0)
        unit = ("B", words) if match["bits"] == "8" else ("bit", words * int(match["bits"]))
        quantity = Quantity(unit[1], unit[1], unit[0], "", None, words, "x 8")
        found.append(Mentioned(quantity, match.start(), match.end(), match.group()))
    return found


def find_quantities(text: str) -> tuple[Mentioned, ...]:
    """Every number in running text with its unit, ranges joined; offsets are into `prepare(text)`."""
    body = prepare(text)
    found = _organised(body)
    for mention in found:
        body = body[: mention.start] + "|" * (mention.end - mention.start) + body[mention.end :]
    position = 0
    while match := _SCAN.search(body, position):
        _unit, end = _unit_after(body, match.end())
        position = max(end, match.end())
        if end == match.end() and re.match(r"-?[A-Za-z_]", body[end:]):
            position = _word_end(body, end)
            continue
        start = match.start()
        if (spread := _SPREAD.match(body, end)) and (second := _SCAN.match(body, spread.end())):
            _, second_end = _unit_after(body, second.end())
            if quantity := parse_quantity(body[start:second_end]):
                found.append(Mentioned(quantity, start, second_end, body[start:second_end]))
                position = second_end
                continue
        if (join := _JOIN.match(body, end)) and (second := _SCAN.match(body, join.end())):
            _, second_end = _unit_after(body, second.end())
            whole = re.sub(r"\band\b", "to", body[start:second_end], flags=re.IGNORECASE)
            if quantity := parse_quantity(whole):
                found.append(Mentioned(quantity, start, second_end, body[start:second_end]))
                position = second_end
                continue
        if quantity := parse_quantity(body[start:end]):
            found.append(Mentioned(quantity, start, end, body[start:end]))
    return tuple(sorted(found, key=lambda mention: mention.start))


def _word_end(text: str, position: int) -> int:
    while position < len(text) and (text[position].isalnum() or text[position] in "_-"):
        position += 1
    return position
