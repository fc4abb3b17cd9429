"""What a user says of a value, as changes of its record."""

from __future__ import annotations

from engine.core.errors import UsageError
from engine.core.model import Amendment, LimitKind, ParameterRecord, RecordSection
from engine.parameters.quantities import parse_quantity
from engine.parameters.units import parse_unit


def changes_of(record: ParameterRecord, amended: Amendment) -> dict[str, object]:
    """The fields of the record that change, its value in the common form of its unit beside the printed one.

    Raises UsageError where nothing is said, or a value, unit, limit or section cannot be read.
    """
    changes: dict[str, object] = {}
    for field, text in (("parameter", amended.parameter), ("symbol", amended.symbol)):
        if text is not None:
            changes[field] = text.strip()
    if amended.limit is not None:
        changes["kind"] = _one_of(amended.limit, [kind.value for kind in LimitKind], "limit")
    if amended.section is not None:
        changes["section"] = _one_of(amended.section, [section.value for section in RecordSection], "section")
    if amended.parts is not None:
        changes["parts"] = [part.strip() for part in amended.parts if part.strip()]
    if amended.value is not None or amended.unit is not None:
        changes |= _quantity(record, amended)
    if not changes:
        raise UsageError("Nothing is to be corrected.", help="Say the value, unit, limit or part.", code="correction")
    return changes


def _quantity(record: ParameterRecord, amended: Amendment) -> dict[str, object]:
    value = record.value_raw if amended.value is None else amended.value.strip()
    unit = record.unit_raw if amended.unit is None else amended.unit.strip()
    if amended.unit and parse_unit(unit) is None:
        raise UsageError(
            f"{unit} is not a unit that can be read.", help="Write it as in µA, kHz, °C/W.", code="correction"
        )
    read = parse_quantity(value, unit)
    if read is None:
        raise UsageError(
            f"{value} is not a value that can be read.",
            help='Write it as in 4.7, ±5 or "2.7 to 5.5".',
            code="correction",
        )
    return {
        "value_raw": value,
        "unit_raw": unit or read.printed,
        "low": read.low,
        "high": read.high,
        "unit": read.unit,
    }


def _one_of(text: str, known: list[str], what: str) -> str:
    chosen = text.strip().casefold()
    if chosen not in known:
        raise UsageError(f"{text} is no {what}.", help=f"One of: {', '.join(known)}.", code="correction")
    return chosen
