"""What a question says beside the parameter it asks for: parts, sheets, section, unit and conditions.

Each piece is taken out of the question, so that nothing is explained twice.
"""

from __future__ import annotations

import re

from engine.core.model import Condition, RecordSection
from engine.parameters.concepts import load_concepts
from engine.parameters.conditions import FULL, stated_conditions
from engine.parameters.mentions import Mentioned, find_quantities
from engine.parameters.packages import PACKAGE, find_packages
from engine.parameters.part_names import part_tokens
from engine.parameters.question_patterns import (
    ABSOLUTE,
    FAMILY,
    FEATURE_LIST,
    FULL_TEMPERATURE,
    GRADE_TEMPERATURE,
    HEADING,
    KEYED,
    LOADED,
    NAMED,
    NUMBERED,
    PLAIN,
    RECOMMENDED,
    ROOM_TEMPERATURE,
    SHEET,
    SUFFIX,
    SUPPLIED,
    TOKEN,
    UNIT_ASKED,
    question_words,
)
from engine.parameters.units import parse_unit


class Mask:
    """The question with explained spans blanked out, so that nothing is explained twice."""

    def __init__(self, text: str) -> None:
        self.text = text

    def take(self, start: int, end: int) -> str:
        taken = self.text[start:end]
        self.text = self.text[:start] + "|" * (end - start) + self.text[end:]
        return taken

    def take_all(self, pattern: re.Pattern[str]) -> list[re.Match[str]]:
        found = list(pattern.finditer(self.text))
        for match in found:
            self.take(match.start(), match.end())
        return found


def take_parts(mask: Mask) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Parts asked about, and the sheets named; a sheet's names are the parts where no other is named."""
    subjects: dict[str, None] = dict.fromkeys(match.group() for match in mask.take_all(FAMILY))
    sheets: list[tuple[str, ...]] = []
    for match in list(TOKEN.finditer(mask.text)):
        if named := part_tokens(match.group()):
            behind = mask.text[match.end() : match.end() + 14]
            if SHEET.match(behind):
                sheets.append(named)
            else:
                subjects.update(dict.fromkeys(named))
            mask.take(match.start(), match.end())
    parts = tuple(subjects) or tuple(dict.fromkeys(name for names in sheets for name in names))
    return _suffixed(mask, parts, kept=bool(subjects)), tuple(sheets)


def _suffixed(mask: Mask, parts: tuple[str, ...], kept: bool) -> tuple[str, ...]:
    """Parts with the suffixes named apart from them: "the plain 2N2222 or the A version" asks for the 2N2222A too.

    The others are `kept` unless they only name the sheet.
    """
    whole = mask.text
    found = [one for one in mask.take_all(SUFFIX) if not whole[: one.start()].rstrip().casefold().endswith("not")]
    if not found or not parts:
        return parts
    variants = tuple(f"{parts[-1]}{match['suffix']}" for match in found)
    beside = len(variants) == 1 and PLAIN.search(whole) is not None
    return (*parts, *variants) if beside else (*(parts[:-1] if kept else ()), *variants)


def take_heading(mask: Mask) -> str:
    """The section named; a kind of limits ("the absolute maximum ratings section") is read as such instead."""
    match = HEADING.search(mask.text)
    title = next(filter(None, match.groups()), "").strip() if match else ""
    if match is None or any(pattern.search(title) for pattern in (ABSOLUTE, RECOMMENDED, FEATURE_LIST)):
        return ""
    mask.take(match.start(), match.end())
    return title


def take_packages(mask: Mask) -> tuple[Condition, ...]:
    """ "in the SO-8 package", "TO-220": whose case a value is for."""
    found = list(find_packages(mask.text))
    for start, end, _ in found:
        behind = re.match(r"\s+(?:package|case|housing)\b", mask.text[end:], re.IGNORECASE)
        mask.take(start, end + (behind.end() if behind else 0))
    return tuple(Condition(key, PACKAGE, PACKAGE) for _, _, key in found)


def take_section(mask: Mask) -> RecordSection | None:
    if mask.take_all(ABSOLUTE):
        return RecordSection.ABSOLUTE_MAXIMUM
    if mask.take_all(RECOMMENDED):
        return RecordSection.RECOMMENDED
    return RecordSection.FEATURES if mask.take_all(FEATURE_LIST) else None


def take_unit(mask: Mask) -> str:
    for match in UNIT_ASKED.finditer(mask.text):
        unit = parse_unit(match.group(1))
        if unit is not None and unit.symbol and len(match.group(1)) <= 12:
            mask.take(match.start(), match.end())
            return match.group(1)
    return ""


def take_conditions(mask: Mask) -> tuple[Condition, ...]:
    """ "VDD = 2.7 V", "VCC is between 18 V and 32 V", "RANGE SELECT 2 = 1"."""
    found: list[Condition] = [
        Condition(match.group(), "T", FULL, unit="\u00b0C") for match in mask.take_all(FULL_TEMPERATURE)
    ]
    found += [Condition(match.group(), "T", "=", 25.0, 25.0, "\u00b0C") for match in mask.take_all(ROOM_TEMPERATURE)]
    for match in mask.take_all(GRADE_TEMPERATURE):
        low, high = _GRADES[match["grade"].casefold()]
        found.append(Condition(match.group(), "T", "=", low, high, "\u00b0C"))
    for stated in stated_conditions(mask.text):
        at = mask.text.find(stated.raw)
        if at >= 0 and stated.relation == "=":
            mask.take(at, at + len(stated.raw))
            found.append(stated)
    for match in mask.take_all(KEYED):
        value = match.group(2)
        number = float(value) if value.isdigit() else None
        found.append(Condition(f"{match.group(1).strip()} = {value}", match.group(1).strip(), "=", number, number))
    for match in NUMBERED.finditer(mask.text):
        # "step 2", "mode 3": the key of a row, where a table has such a column; "ports 1, 2 and 3" are several
        plural = match.group(1).endswith("s") and parse_unit(match.group(1)) is not None
        if not plural and match.group(1) not in question_words().ignore:
            found.append(Condition(match.group(), match.group(1), "is", float(match.group(2)), float(match.group(2))))
    for match in list(NAMED.finditer(mask.text)):
        mentions = [m for m in find_quantities(mask.text[match.end() :]) if m.start <= 1]
        if mentions and mentions[0].quantity.unit and not _measured_otherwise(match["name"], mentions[0]):
            first = mentions[0]
            raw = mask.take(match.start(), match.end() + first.end)
            found.append(
                Condition(raw, match["name"], "=", first.quantity.low, first.quantity.high, first.quantity.unit)
            )
    return tuple(found)


def _measured_otherwise(name: str, mention: Mentioned) -> bool:
    """Whether a symbol stands for what no such unit measures: "CMRR at 25 \u00b0C" is asked for, not a condition."""
    concepts = load_concepts()
    known = concepts.of_symbol(name)
    return bool(known) and not any(mention.quantity.unit in concepts[key].units for key in known)


_GRADES = {"military": (-55.0, 125.0), "industrial": (-40.0, 85.0), "commercial": (0.0, 70.0)}
"""Temperature ranges, in degrees Celsius, that a trade's name stands for."""
SUPPLY = "supply voltage"


def take_unnamed(mask: Mask, mention: Mentioned) -> Condition:
    """A quantity as a condition, named by what stands around it: "a 5 V supply", "a collector current of 500 mA"."""
    quantity, name, end = mention.quantity, "", mention.end
    behind, before = mask.text[end:], mask.text[: mention.start]
    start = mention.start
    if quantity.unit == "V" and (match := SUPPLIED.match(behind)):
        name, end = SUPPLY, end + match.end()
    elif match := LOADED.match(behind):
        end += match.end()
    elif match := _NAME_BEFORE.search(before):
        name, start = match["name"], match.start()
    elif match := _NAME_BEHIND.match(behind):
        name, end = match["name"], end + match.end()
    mask.take(start, end)
    name = f"{name} voltage" if name.casefold() == "threshold" and quantity.unit == "V" else name
    return Condition(mention.text, name, "=", quantity.low, quantity.high, quantity.unit)


_CONDITION_NAMES = (
    r"(?P<name>(?:collector|base|emitter|drain|gate|source|load|output|input|supply|battery|forward|reverse)"
    r" (?:current|voltage|resistance|capacitance)|threshold(?: voltage)?)"
)
_NAME_BEFORE = re.compile(rf"\b(?:at|with|for|and) (?:an? |the )?{_CONDITION_NAMES} of $", re.IGNORECASE)
_NAME_BEHIND = re.compile(rf"^ (?:of )?{_CONDITION_NAMES}\b", re.IGNORECASE)
