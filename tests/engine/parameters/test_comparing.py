"""Parts, packages, supplies and grades set side by side; each of a kind; conditions as people say them."""

from __future__ import annotations

import pytest

from engine.parameters.compute import answer_from_records
from engine.parameters.results import SURE
from tests.engine.parameters.conftest import LIMITS, Shelf, ask
from tests.engine.parameters.tables import parsed, table


@pytest.mark.parametrize(
    ("question", "short"),
    [
        (
            "Which has the lower maximum supply current, the AX101 or the AX102, and by how much?",
            "AX101 (40 µA), by 50 µA",
        ),
        (
            "By how many millivolts is the maximum input offset voltage of the AX205 at room temperature tighter than "
            "that of the AX101?",
            "1.9 mV",
        ),
        (
            "Between the AX101 and the AX102, which has the smaller worst-case input offset voltage at 25 °C?",
            "AX102 (1 mV)",
        ),
    ],
)
def test_the_difference_is_stated_in_the_printed_unit(shelf: Shelf, question: str, short: str) -> None:
    answer = ask(shelf, question)
    assert answer.short == short
    assert answer.confidence >= SURE


def _add_transistor(shelf: Shelf) -> None:
    rows = [
        ("Collector-emitter voltage TX2222", "VCEO", "open base", "", "", "30", "V"),
        ("Collector-emitter voltage TX2222A", "VCEO", "open base", "", "", "40", "V"),
        ("Collector-emitter saturation voltage", "VCEsat", "IC = 150 mA; IB = 15 mA", "", "", "0.3", "V"),
        ("Collector-emitter saturation voltage", "VCEsat", "IC = 500 mA; IB = 50 mA", "", "", "1", "V"),
        ("Collector current", "IC", "", "", "", "800", "mA"),
        ("Cut-off current", "ICBO", "", "", "", "−50", "nA"),
        ("Turn-on time low to high", "tPLH", "VCC = 5 V", "", "60", "", "ns"),
        ("Turn-on time high to low", "tPHL", "VCC = 5 V", "", "32", "", "ns"),
        ("Battery current (OSC ON); SQW OFF", "IBAT1", "VBAT = 3 V", "", "", "500", "nA"),
        ("Battery current (OSC ON); SQW ON (32kHz)", "IBAT2", "VBAT = 3 V", "", "", "800", "nA"),
    ]  # fmt: skip
    shelf.add(20, "TX2222 TX2222A Transistors", ("TX2222", "TX2222A"), parsed([table(LIMITS, rows)]))


@pytest.mark.parametrize(
    ("question", "short"),
    [
        (
            "Which stands more collector-emitter voltage with the base open, the plain TX2222 or the A version, and by "
            "how many volts?",
            "TX2222A (40 V), by 10 V",
        ),
        (
            "What is the highest VCEsat of the TX2222A at a collector current of 500 mA with 50 mA of base current?",
            "1 V",
        ),
        ("What is the typical low-to-high turn-on time of the TX2222 on a 5 V supply?", "60 ns"),
        ("How much battery current does the TX2222 draw at most with the 32 kHz square wave on?", "800 nA"),
    ],
)
def test_conditions_and_suffixes_in_words_choose_the_row(shelf: Shelf, question: str, short: str) -> None:
    _add_transistor(shelf)
    answer = ask(shelf, question)
    assert answer.short == short
    assert answer.confidence >= SURE


def test_negative_limits_are_compared_by_magnitude(shelf: Shelf) -> None:
    for number, part, value in ((21, "NM100", "−650"), (22, "NM200", "−300")):
        rows = [("Transition current", "ITL", "VIN = 2 V", "", "", value, "µA")]
        shelf.add(number, f"{part} Controller", (part,), parsed([table(LIMITS, rows)]))
    answer = ask(shelf, "Which has the smaller transition current, the NM100 or the NM200, and by how much?")
    assert answer.short == "NM200 (−300 µA), by 350 µA"


def test_one_part_is_compared_in_two_packages_and_at_two_supplies(shelf: Shelf) -> None:
    rows = [
        ("Thermal resistance, SOIC package", "θJA", "", "", "", "75", "°C/W"),
        ("Thermal resistance, PDIP package", "θJA", "", "", "", "50", "°C/W"),
        ("Cycle time", "tCYC", "VCC = 2.7 V to 4.5 V", "1000", "", "", "ns"),
        ("Cycle time", "tCYC", "VCC = 4.5 V to 5.5 V", "500", "", "", "ns"),
    ]
    shelf.add(23, "PK100 Converter", ("PK100",), parsed([table(LIMITS, rows)]))
    packages = ask(shelf, "What thermal resistance has the PK100 in the SOIC package and what in the PDIP package?")
    assert packages.short == "SOIC: 75 °C/W (max); PDIP: 50 °C/W (max)"
    supplies = ask(
        shelf, "How do the minimum cycle times of the PK100 differ between 2.7-4.5 V and 4.5-5.5 V supplies?"
    )
    assert supplies.short == "2.7-4.5 V: 1000 ns; 4.5-5.5 V: 500 ns"


def test_over_the_full_temperature_range_no_value_of_one_temperature_is_given(shelf: Shelf) -> None:
    answer = ask(shelf, "Over the full operating temperature range, what maximum input offset voltage has the AX101?")
    assert answer.short == "4.0 mV"


def test_whether_a_part_has_something_is_no_question_for_a_value(shelf: Shelf) -> None:
    rows = [("Converter channel", "", "", "", "18", "", "")]
    shelf.add(24, "QA100 Controller", ("QA100",), parsed([table(LIMITS, rows)]))
    assert answer_from_records("Does the QA100 have a converter?", shelf.store, shelf.documents) is None


def test_a_part_without_a_sheet_is_found_in_its_neighbours(shelf: Shelf) -> None:
    rows = [("Gain error", "", "", "", "", "1", "%"), ("Gain error DX0831LC", "", "", "", "", "2", "%")]
    shelf.add(25, "DX0830 DX0832 Converters", ("DX0830", "DX0832"), parsed([table(LIMITS, rows)]))
    row = ("Parameter", "Device", "Max", "Unit")
    shelf.add(26, "DX0930 Converter", ("DX0930",), parsed([table(row, [("Gain error", "DX0931LC", "3", "%")])]))
    assert ask(shelf, "What is the maximum gain error of the DX0931LC?").short == "3 %"
    assert answer_from_records("What is the maximum gain error of the DX0939?", shelf.store, shelf.documents) is None


@pytest.mark.parametrize(
    "question",
    [
        "Maximum supply current of each op amp",
        "List the maximum supply current of all our op amps",
        "What is the maximum supply current of all our operational-amplifiers?",
    ],
)
def test_each_of_a_kind_has_a_row_and_what_is_missing_is_named(shelf: Shelf, question: str) -> None:
    silent = table(LIMITS, [("Slew rate", "SR", "", "", "0.4", "", "V/µs")])
    shelf.add(27, "AX300 Operational Amplifier", ("AX300",), parsed([silent]))
    answer = ask(shelf, question)
    assert answer.short == "AX102: 90 µA; AX205: 45 µA; AX101: 40 µA"
    assert [row.records[0].parts for row in answer.rows] == [("AX102",), ("AX205",), ("AX101",)]
    assert answer.caveats == ("Not given for AX300.",)
    assert answer.confidence >= SURE


def test_a_grade_without_records_of_its_own_gets_no_single_value(shelf: Shelf) -> None:
    rows = [
        ("Input bias current", "IB", "", "", "", "20", "nA"),
        ("Input bias current, full range", "IB", "", "", "", "15", "nA"),
    ]
    shelf.add(28, "GR90 Operational Amplifier", ("GR90",), parsed([table(LIMITS, rows)]))
    assert ask(shelf, "What is the maximum input bias current of the GR90?").alternatives == 1
    assert ask(shelf, "What is the maximum input bias current of the GR90G?").alternatives == 2


def test_what_that_part_gives_is_not_answered_for_the_part_named_before(shelf: Shelf) -> None:
    question = "The AX101 names its successor. What is the maximum supply current of that amplifier?"
    assert answer_from_records(question, shelf.store, shelf.documents) is None


def test_a_symbol_spelled_as_printed_is_preferred_and_trade_names_are_ranges(shelf: Shelf) -> None:
    rows = [
        ("DC current gain", "hFE", "VCE = 5 V", "110", "", "", ""),
        ("Small-signal current gain", "hfe", "VCE = 5 V", "125", "", "", ""),
        ("Rise time", "tr", "TA = 25 °C", "", "", "44", "ns"),
        ("Rise time", "tr", "TA = −55 °C to 125 °C", "", "", "64", "ns"),
    ]
    shelf.add(29, "SG100 Transistor", ("SG100",), parsed([table(LIMITS, rows)]))
    assert ask(shelf, "What minimum hFE has the SG100 at VCE = 5 V?").short == "110"
    assert ask(shelf, "What minimum hfe has the SG100 at VCE = 5 V?").short == "125"
    assert ask(shelf, "What is the maximum rise time of the SG100 over the military range?").short == "64 ns"


def test_how_many_there_are_is_compared_by_counts_and_not_by_pin_numbers(shelf: Shelf) -> None:
    header = ("Symbol", "Pin", "Description")
    for number, part, pin, count in ((30, "CT100", "58", "Nine"), (31, "CT200", "19", "Eight")):
        pins = table(header, [("P0.1", pin, "External interrupt source")])
        shelf.add(number, f"{part} Microcontroller", (part,), parsed([pins], features=[f"• {count} Interrupt Sources"]))
    answer = ask(shelf, "Which has more interrupt sources, the CT200 or the CT100, and by how many?")
    assert answer.short == "CT100 (9), by 1"
    assert set(answer.unprinted) == {"1", "9", "8"}


def test_opposites_of_one_part_are_set_against_each_other(shelf: Shelf) -> None:
    routines = table(
        ("Application", "Execution Time (Cycles)"),
        [("2-digit Packed BCD Addition", "19"), ("2-digit Packed BCD Subtraction", "15"), ("Conversion", "760")],
    )
    shelf.add(32, "AN2040 Arithmetic", ("AN2040",), parsed([routines]))
    question = "In the AN2040, is the 2-digit packed BCD addition or the subtraction slower, and by how many cycles?"
    assert ask(shelf, question).short.startswith("addition (19")
    assert ask(shelf, question).derived[0].startswith("4")


def test_a_part_with_several_values_shows_each_and_the_one_it_is_ranked_by_first(shelf: Shelf) -> None:
    answer = ask(shelf, "Maximum input offset voltage of each op amp")
    assert answer.short == "AX101: 4.0 mV, 2 mV; AX102: 2.0 mV, 1 mV; AX205: 0.2 mV, 0.1 mV"
    assert "25 °C" in answer.rows[0].text
    lowest = ask(shelf, "Which op amp has the lowest input offset voltage?")
    assert lowest.records[0].value_raw in ("0.1", "0.05")


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("QK11 vs QK12: whose internal oscillator runs faster, and by what factor (typical)?", "QK12: 2 times"),
        ("By what factor do the typical oscillator frequencies of the QK11 and the QK12 differ?", "2 times"),
    ],
)
def test_a_factor_is_given_with_the_part_where_that_is_asked_too(shelf: Shelf, question: str, short: str) -> None:
    for number, (part, typical) in enumerate((("QK11", "360"), ("QK12", "720")), 21):
        row = ("Oscillation frequency", "fOSC", "", "", typical, "", "kHz")
        shelf.add(number, f"{part} OLED driver", (part,), parsed([table(LIMITS, [row])]))
    answer = ask(shelf, question)
    assert answer.short == short
    assert "720 kHz" in answer.text
    assert "360 kHz" in answer.text


def test_what_parts_survive_is_their_rating(shelf: Shelf) -> None:
    survived = ask(shelf, "What maximum supply voltage do the AX101 and the AX102 survive?")
    worked = ask(shelf, "What is the maximum supply voltage of the AX101?")
    assert "7 V" in survived.short
    assert "7 V" not in worked.short


def test_none_stands_out_where_one_document_alone_gives_a_value(shelf: Shelf) -> None:
    rows = [("Sample rate", "fS", "", "", "", "20", "MHz")]
    shelf.add(30, "Falcon Board Manual", ("QX77",), parsed([table(LIMITS, rows)]))
    assert answer_from_records("Slowest sample rate of the Falcon Two?", shelf.store, shelf.documents) is None
