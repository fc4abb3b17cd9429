"""Sides of a comparison that only its wording tells: own brackets, own sheets, words no sheet uses; crossed tables."""

from __future__ import annotations

import pytest

from engine.core.model import ParsedDocument
from engine.parameters.compute import answer_from_records
from engine.parameters.query import understand
from engine.parameters.records import extract_records
from engine.parameters.results import SURE
from tests.engine.parameters.conftest import Shelf, ask
from tests.engine.parameters.tables import DOCUMENT, LIMITS, parsed, records, table

CROSSED = (
    ("tosc", ("tvddrise", "1 ms"), ("tvddrise", "10 ms")),
    [("5 ms", "820 nF", "1.2 µF"), ("20 ms", "2.7 µF", "3.9 µF")],
)


def _encoder(part: str, typical: str, load: str) -> ParsedDocument:
    rows = [("Propagation delay", "tPLH", f"VCC = 5 V, CL = {load}", "", typical, "", "ns")]
    return parsed([table(LIMITS, rows)])


def test_conditions_in_brackets_hold_for_the_part_before_them(shelf: Shelf) -> None:
    shelf.add(30, "HX147 encoder", ("HX147",), _encoder("HX147", "31", "15 pF"))
    shelf.add(31, "FX148 encoder", ("FX148",), _encoder("FX148", "6", "50 pF"))
    answer = ask(shelf, "How does the typical propagation delay of the HX147 (5 V, 15 pF) compare with the FX148's?")
    assert answer.short == "HX147: 31 ns; FX148: 6 ns"


def test_each_of_two_sheets_of_one_part_is_a_side(shelf: Shelf) -> None:
    for number, current in ((32, "100"), (33, "500")):
        rows = [("Collector current", "IC", "", "", "", current, "mA")]
        shelf.add(number, f"TX548 sheet {number}", ("TX548",), parsed([table(LIMITS, rows)]))
    answer = ask(shelf, "Two sheets in the library cover the TX548. What collector current does each allow?")
    assert answer.short == "TX548 (TX548 sheet 32): 100 mA (max); TX548 (TX548 sheet 33): 500 mA (max)"


def test_words_that_no_sheet_uses_do_not_hide_what_both_give(shelf: Shelf) -> None:
    answer = ask(shelf, "Which panel driver takes the higher maximum supply current, AX101 or AX102?")
    assert answer.short == "AX102 (90 µA)"
    assert answer.confidence >= SURE


def test_a_parameter_that_one_side_lacks_is_no_comparison(shelf: Shelf) -> None:
    answer = answer_from_records("Which panel has the higher slew rate, AX101 or RG317?", shelf.store, shelf.documents)
    assert answer is None or answer.confidence < SURE


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Do the AX101 and the AX102 have the same slew rate?", "Yes: AX101: 0.4 V/µs (typ); AX102: 0.4 V/µs (typ)"),
        (
            "Is the maximum supply current the same for the AX101 and the AX102?",
            "No: AX101: 40 µA; AX102: 90 µA",
        ),
    ],
)
def test_whether_two_parts_have_the_same(shelf: Shelf, question: str, short: str) -> None:
    assert ask(shelf, question).short == short


def test_a_symbol_asked_for_is_found_spelled_out(shelf: Shelf) -> None:
    for number, part, low in ((34, "LX124", "70"), (35, "LX324", "65")):
        rows = [("Common-Mode Rejection Ratio", "", "DC, TA = 25 °C", low, "85", "", "dB")]
        shelf.add(number, f"{part} op amp", (part,), parsed([table(LIMITS, rows)]))
    answer = ask(shelf, "Rank LX324 and LX124 by guaranteed minimum CMRR at 25 °C.")
    assert answer.parts == ("LX124", "LX324")


def test_a_value_where_row_and_column_cross(shelf: Shelf) -> None:
    header, rows = CROSSED
    sheet = table(header, rows, caption="Table 3. Minimum Reset Capacitor Value for a 50kΩ Pull-down Resistor")
    shelf.add(36, "Reset of the C51", ("DN4284",), parsed([sheet]))
    for question in (
        "DN4284: minimum reset capacitor for a 50 kΩ pull-down with tosc = 20 ms and tvddrise = 10 ms?",
        "With a 50 kΩ pull-down, a 20 ms oscillator start and a 10 ms rise, what reset capacitor is tabulated?",
    ):
        assert ask(shelf, question).short.startswith("3.9 µF")
    other = "With a 70 kΩ pull-down, a 20 ms oscillator start and a 10 ms rise, what reset capacitor is tabulated?"
    found = answer_from_records(other, shelf.store, shelf.documents)
    assert found is None or found.confidence < SURE


def test_components_under_headers_that_are_quantities() -> None:
    sheet = table(
        ("Component", ("Example values", "3.0 V"), ("Example values", "4.5 V")), [("R2", "1.54 MΩ", "976 kΩ")]
    )
    found = {(r.parameter, r.conditions[0].raw): r.value_raw for r in records(sheet)}
    assert found == {("R2", "3.0 V"): "1.54 MΩ", ("R2", "4.5 V"): "976 kΩ"}


def test_a_name_ends_where_its_conditions_begin() -> None:
    rows = [("Segment current VDD=2.8 V, VCC=12 V, Display ON", "ISEG", "Contrast=AFh", "", "69", "", "µA")]
    (record,) = records(table(LIMITS, rows))
    assert record.parameter == "Segment current"
    assert [one.raw for one in record.conditions] == ["VDD=2.8 V", "VCC=12 V", "Display ON", "Contrast=AFh"]


@pytest.mark.parametrize("blank", ["<tbd>", "TBD", "[tbd]", "t.b.d."])
def test_what_is_to_be_determined_is_not_given(blank: str) -> None:
    assert records(table(LIMITS, [("Supply current", "ICC", "", "", blank, "", "mA")])) == []


@pytest.mark.parametrize(
    ("line", "name", "kind", "value"),
    [
        ("Maximum common sink current: 27 mA", "common sink current", "max", 0.027),
        ("Up to forty-seven general purpose I/O pins", "general purpose I/O pins", "max", 47.0),
    ],
)
def test_features_worded_with_the_limit_first(line: str, name: str, kind: str, value: float) -> None:
    (record,) = extract_records(DOCUMENT, parsed([], features=[line]), ("XY100",))
    assert (record.parameter, record.kind.value, record.high) == (name, kind, value)


def test_a_part_that_is_expressly_not_meant() -> None:
    assert understand("Noise figure of the plain TX2222 (not the A version)?").parts == ("TX2222",)


def test_a_range_behind_over_is_a_condition() -> None:
    query = understand("FX148, delay from EI to GS: maximum over 0 to 70 °C?")
    assert query.clauses[0].bound is None
    assert (query.conditions[0].low, query.conditions[0].high) == (0.0, 70.0)
    assert query.clauses[0].concepts == ("propagation_delay",)


def test_an_edge_is_told_by_the_symbol_of_the_delay(shelf: Shelf) -> None:
    rows = [("EI to GS", symbol, "VCC = 5 V", "", "", most, "ns") for symbol, most in (("tPLH", "7"), ("tPHL", "8.5"))]
    shelf.add(37, "FX148 encoder", ("FX148",), parsed([table(LIMITS, rows)]))
    assert ask(shelf, "FX148: maximum high-to-low delay from EI to GS?").short == "8.5 ns"


def test_features_set_as_pairs_or_drawn_as_a_figure() -> None:
    lines = ["Segment maximum source current: 300uA", "Common maximum sink current: 40mA", "o 256 steps"]
    found = {r.parameter: r.value_raw for r in extract_records(DOCUMENT, parsed([], features=lines), ("XY100",))}
    assert found["Segment source current"] == "300uA"
    assert found["Common sink current"] == "40mA"


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("Which microcontrollers have more than 4 KB flash?", "which"),
        ("Which of them has more flash, AX101 or AX102?", "highest"),
        ("List the real time clocks and their timekeeping current", "each"),
    ],
)
def test_the_form_of_a_question(question: str, form: str) -> None:
    assert understand(question).form.value == form


@pytest.mark.parametrize(
    ("question", "concepts"),
    [
        ("Which is rated for more power, the TX547 or the TX548?", ("power_dissipation",)),
        ("Which of them has the higher power supply voltage?", ("supply_voltage",)),
        ("FX148 delay from EI to GS?", ("propagation_delay",)),
    ],
)
def test_a_parameter_said_in_one_word(question: str, concepts: tuple[str, ...]) -> None:
    assert understand(question).clauses[0].concepts == concepts


def test_a_temperature_needs_no_unit() -> None:
    rows = [("Storage temperature", "TSTG", "", "", "-55 ~ +110", "")]
    header = ("Parameter", "Symbol", "Conditions", "Min", "Value", "Unit")
    (record,) = records(table(header, rows), heading="Absolute Maximum Ratings")
    assert (record.low, record.high, record.unit) == (-55.0, 110.0, "°C")
    assert record.confidence < 1.0
