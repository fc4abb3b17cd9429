"""Values, limits and conditions in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.core.model import LimitKind, ParameterRecord, RecordSection
from engine.core.results import DocumentInfo
from engine.core.text import fold
from engine.parameters.engineering import format_value, trim
from engine.parameters.quantities import parse_quantity
from engine.parameters.results import ValueCell, spelled_count
from engine.parameters.units import Unit, convert

_KIND = {LimitKind.MIN: "minimum", LimitKind.TYP: "typical", LimitKind.MAX: "maximum", LimitKind.NOM: "nominal"}
_SHORT = {LimitKind.MIN: "min", LimitKind.TYP: "typ", LimitKind.MAX: "max", LimitKind.NOM: "nom"}
_MOST_CONDITIONS = 4


def printed_value(record: ParameterRecord) -> str:
    """The value as printed, with its unit column's unit where the cell itself prints none; a count in figures."""
    if spelled_count(record):
        return f"{record.low:g}"
    quantity = parse_quantity(record.value_raw)
    own = quantity is not None and bool(quantity.printed)
    if own or not record.unit_raw or fold(record.unit_raw) in fold(record.value_raw):
        return record.value_raw
    return f"{record.value_raw} {record.unit_raw}"


def value_in(record: ParameterRecord, unit: Unit | None, unit_text: str) -> str:
    """The value in the asked unit, as printed when none is asked or it is printed so already."""
    if unit is None or record.low is None or record.high is None or fold(unit_text) == fold(record.unit_raw):
        return printed_value(record)
    low, high = convert(record.low, record.unit, unit), convert(record.high, record.unit, unit)
    if low is None or high is None:
        return printed_value(record)
    shown = trim(low) if low == high else f"{trim(low)} to {trim(high)}"
    return f"{shown} {unit_text}"


def kind_word(kind: LimitKind, short: bool = False) -> str:
    return (_SHORT if short else _KIND).get(kind, "")


def conditions_text(record: ParameterRecord) -> str:
    """ " at VCC = 5 V, TA = 25 °C", or "" where none are stated."""
    stated = [c.raw for c in record.conditions if len(c.raw) <= 90][:_MOST_CONDITIONS]
    return f" at {', '.join(stated)}" if stated else ""


def name_text(record: ParameterRecord) -> str:
    if record.symbol and record.symbol.casefold() not in record.parameter.casefold():
        return f"{record.parameter} ({record.symbol})" if record.parameter else record.symbol
    return record.parameter


def section_text(record: ParameterRecord) -> str:
    return {RecordSection.ABSOLUTE_MAXIMUM: " (absolute maximum rating)", RecordSection.FEATURES: ""}.get(
        record.section, ""
    )


def row_values(records: Sequence[ParameterRecord], unit: Unit | None = None, unit_text: str = "") -> str:
    """MIN, TYP and MAX of one row: "min 1 mA, typ 2 mA, max 3 mA"."""
    parts = []
    for record in records:
        word = kind_word(record.kind, short=len(records) > 1)
        parts.append(f"{word} {value_in(record, unit, unit_text)}".strip())
    return ", ".join(parts)


def statement(records: Sequence[ParameterRecord], subject: str, unit: Unit | None = None, unit_text: str = "") -> str:
    """One sentence about the values of one row: "DS1307: supply current (ICCA) maximum 1.5 mA at VCC = 5 V"."""
    first = records[0]
    head = f"{subject}: " if subject else ""
    return (
        f"{head}{name_text(first)} {row_values(records, unit, unit_text)}{section_text(first)}{conditions_text(first)}."
    )


def subject_of(record: ParameterRecord, document: DocumentInfo | None, asked: str = "") -> str:
    """The part a value is for: the asked one, the record's single one, else the document."""
    if asked:
        return asked
    if len(record.parts) == 1:
        return record.parts[0]
    if document is not None and document.title:
        return document.title
    return "/".join(record.parts[:3])


def told_apart(groups: Sequence[ParameterRecord]) -> list[str]:
    """For each of several values, what only it has: its part, conditions, name, section or table."""
    aspects = [
        [", ".join(r.parts[:3]) for r in groups],
        [name_text(r) for r in groups],
        [", ".join(c.raw for c in r.conditions[:_MOST_CONDITIONS]) for r in groups],
        [kind_word(r.kind) for r in groups],
        [r.section.value.replace("_", " ") for r in groups],
        [" > ".join(r.path[-2:]) or r.caption for r in groups],
        [f"page {r.page}" for r in groups],
    ]
    telling = [aspect for aspect in aspects if len(set(aspect)) > 1]
    shown: list[str] = []
    for position in range(len(groups)):
        words = [aspect[position] for aspect in telling if aspect[position]]
        shown.append("; ".join(words[:3]))
    return shown


def common_value(value: float, unit: str) -> str:
    return format_value(value, unit)


def cell_of(record: ParameterRecord, document: DocumentInfo | None) -> ValueCell:
    """A record as a cell of a result table."""
    file = document.places[0].file if document is not None and document.places else ""
    return ValueCell(
        bare_value(record.value_raw, record.unit_raw), record.unit_raw, record.kind.value,
        tuple(c.raw for c in record.conditions), file,
        record.page,
        record.box, record.confidence, name_text(record), record.section.value, record.low, record.high, record.unit,
        record.doubts, record.id, record.corrected,
    )  # fmt: skip


def bare_value(value: str, unit: str) -> str:
    """The printed value without the unit that stands in a field of its own: "1.4 A", "A" -> "1.4"."""
    if not unit or not fold(value).endswith(fold(unit)):
        return value
    shorter = value.rstrip()[: -len(unit)].rstrip()
    return shorter if shorter[-1:].isdigit() else value


def joined(texts: Iterable[str]) -> str:
    """ "A, B and C"."""
    listed = list(texts)
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}" if listed else ""
