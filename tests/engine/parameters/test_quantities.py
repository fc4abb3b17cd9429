"""Values as datasheets print them, in common form and back."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.model import LimitKind
from engine.parameters.conditions import stated_conditions
from engine.parameters.engineering import format_value
from engine.parameters.equality import same_quantity
from engine.parameters.mentions import find_quantities
from engine.parameters.quantities import parse_quantity
from engine.parameters.units import convert, parse_unit, to_common
from engine.parameters.wording import bare_value


@pytest.mark.parametrize(
    ("text", "unit", "low", "high", "symbol"),
    [
        ("2.7 V to 5.5 V", "", 2.7, 5.5, "V"),
        ("±5 V", "", -5, 5, "V"),
        ("+/-5", "V", -5, 5, "V"),
        ("-40 to +85", "°C", -40, 85, "°C"),
        ("−40°C ~ +85°C", "", -40, 85, "°C"),
        ("0.1 %", "", 0.001, 0.001, "1"),
        ("10 kΩ", "", 1e4, 1e4, "Ω"),
        ("50", "ppm/°C", 5e-5, 5e-5, "1/K"),
        ("4", "nV/√Hz", 4e-9, 4e-9, "V/√Hz"),
        ("50 µA", "", 5e-5, 5e-5, "A"),
        ("50 uA", "", 5e-5, 5e-5, "A"),
        ("1,000", "", 1000, 1000, ""),
        ("4.7K", "Ω", 4700, 4700, "Ω"),
        ("4K7", "Ω", 4700, 4700, "Ω"),
        ("4,7", "kΩ", 4700, 4700, "Ω"),
        ("1.52 ms", "", 0.00152, 0.00152, "s"),
        ("10^6", "cycles", 1e6, 1e6, "cycle"),
        ("10⁶", "", 1e6, 1e6, ""),
        ("1/2", "", 0.5, 0.5, ""),
        ("5 V ± 10 %", "", 4.5, 5.5, "V"),
        ("±2.5 V to ±18 V", "", 2.5, 18, "V"),
        ("5.5(1)", "V", 5.5, 5.5, "V"),
        ("0 mA–20 mA", "", 0, 0.02, "A"),
        ("64K bytes", "", 65536, 65536, "B"),
        ("1600k RPM", "", 1.6e6, 1.6e6, "rpm"),
        ("-0.5 to +7.0", "V", -0.5, 7, "V"),
        ("77", "°F", 25, 25, "°C"),
    ],
)
def test_printed_values_are_read(text: str, unit: str, low: float, high: float, symbol: str) -> None:
    quantity = parse_quantity(text, unit)
    assert quantity is not None
    assert (quantity.low, quantity.high, quantity.unit) == (pytest.approx(low), pytest.approx(high), symbol)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "—",
        "VCC",
        "VCC + 0.3 V",
        "0.7 VCC",
        "0.7VCC",
        "see Figure 3",
        "Note 1",
        "3.3V or 5V",
        "1.8/3.3",
        "8-Bit",
    ],
)
def test_what_is_no_number_stays_none(text: str) -> None:
    assert parse_quantity(text, "V") is None


def test_limit_words_relations_and_footnotes_are_kept() -> None:
    conversion = parse_quantity("750 ms (max)")
    assert conversion is not None
    assert conversion.limit is LimitKind.MAX
    assert conversion.high == 0.75
    below = parse_quantity("< 5 mA")
    assert below is not None
    assert below.relation == "<"
    noted = parse_quantity("15 (2)", "ns")
    assert noted is not None
    assert noted.notes == ("(2)",)


def test_units_that_look_alike_are_kept_apart() -> None:
    assert parse_unit("mS") != parse_unit("ms")
    assert parse_unit("MHz").factor == 1e6  # type: ignore[union-attr]
    assert parse_unit("Vp-p").symbol != parse_unit("V").symbol  # type: ignore[union-attr]
    assert parse_unit("kbit/s").factor == 1000  # type: ignore[union-attr]
    assert parse_unit("Kbit").factor == 1024  # type: ignore[union-attr]
    assert parse_unit("Figure") is None


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("50,000 writes", "50000"),
        ("0.01 µF", "10 nF"),
        ("20h", "0x20"),
        ("8.192 kHz", "8192 Hz"),
        ("16 kB", "16 kbytes"),
        ("5 - 15 %", "5% to 15%"),
        ("450 µV", "0.45 mV"),
        ("4.0V to 5.5V", "4-5.5 V"),
        ("1600k RPM", "1,600,000 rpm"),
    ],
)
def test_the_same_value_in_two_spellings(left: str, right: str) -> None:
    assert same_quantity(left, right)
    assert same_quantity(right, left)


@pytest.mark.parametrize(
    ("left", "right"), [("5 V", "5 mV"), ("5 V", "5 A"), ("4 to 5 V", "4 V"), ("abc", "abc"), ("-5 V", "5 V")]
)
def test_different_values_differ(left: str, right: str) -> None:
    assert not same_quantity(left, right)


def test_quantities_in_running_text_leave_names_alone() -> None:
    found = find_quantities("The 74F148 and LM317-N: 6.0ns, 3-wire, 50ksps at VDD = 2.7V, from 1 MHz to 25 MHz")
    assert [mention.text for mention in found] == ["6.0ns", "50ksps", "2.7V", "1 MHz to 25 MHz"]


UNITS = (
    "V",
    "mV",
    "µA",
    "kΩ",
    "MHz",
    "ns",
    "pF",
    "ppm/°C",
    "nV/√Hz",
    "V/µs",
    "%",
    "°C",
    "mA/MHz",
    "dB",
    "ksps",
    "°C/W",
)


@given(st.floats(-9.99e5, 9.99e5).map(lambda number: round(number, 4)), st.sampled_from(UNITS))
def test_a_value_survives_printing_and_reading(number: float, unit: str) -> None:
    quantity = parse_quantity(f"{number:.4f} {unit}")
    assert quantity is not None
    known = parse_unit(unit)
    assert known is not None
    assert quantity.low == to_common(number, known)
    back = convert(quantity.low, quantity.unit, known)
    assert back is not None
    assert math.isclose(back, number, rel_tol=1e-9, abs_tol=1e-9)


@given(
    st.integers(1, 999999),
    st.sampled_from(("V", "A", "s", "Hz", "Ω", "F", "1", "1/K", "V/K", "°C", "V/√Hz")),
    st.integers(-12, 6),
)
def test_engineering_notation_reads_back(number: int, symbol: str, power: int) -> None:
    value = float(f"{number}e{power}")
    quantity = parse_quantity(format_value(value, symbol))
    assert quantity is not None
    assert quantity.unit == symbol
    assert math.isclose(quantity.low, value, rel_tol=1e-5)


def test_pint_knows_the_rest() -> None:
    millimetre = parse_unit("mm")
    assert millimetre is not None
    assert convert(0.0254, "m", millimetre) == pytest.approx(25.4)
    joule = parse_unit("J")
    assert joule is not None
    assert convert(1.0, "Wh", joule) == pytest.approx(3600.0)
    assert convert(1.0, "V", joule) is None


@pytest.mark.parametrize(
    ("title", "raw", "low", "high"),
    [
        ("DC CHARACTERISTICS (VS = ±1.5 V to ±15 V, TA = 25 °C)", "VS = ±1.5 V to ±15 V", 1.5, 15.0),
        ("VCC = 2.7 V to 5.5 V unless otherwise noted", "VCC = 2.7 V to 5.5 V", 2.7, 5.5),
        ("VCC = 5 V to ground", "VCC = 5 V", 5.0, 5.0),
    ],
)
def test_a_stated_condition_keeps_its_whole_range(title: str, raw: str, low: float, high: float) -> None:
    first = stated_conditions(title)[0]
    assert (first.raw, first.low, first.high) == (raw, low, high)


@pytest.mark.parametrize(
    ("value", "unit", "shown"), [("1.4 A", "A", "1.4"), ("13.6uA", "uA", "13.6"), ("450", "µV", "450"), ("A", "A", "A")]
)
def test_a_cell_shows_its_unit_once(value: str, unit: str, shown: str) -> None:
    assert bare_value(value, unit) == shown
