"""Pins: read from drawings, tables and lists of invented parts, and asked for in all the ways people ask."""

from __future__ import annotations

import pytest

from engine.agent.pin_drawings import drawings_in
from engine.agent.pin_questions import Asks, PinQuestion, pin_question
from engine.agent.pins import near_name, pins_of, same_name
from engine.agent.question import understand
from engine.answer import Answerer
from engine.core.ids import DocumentId, SegmentId
from engine.core.model import Segment, SegmentKind
from engine.core.results import Answer, AnswerStatus
from tests.engine.agent.shelf import Shelf, sources_of

_TABLE = """Table 2. Pin functions
| PIN DIP | PIN SSOP | NAME | FUNCTION |
| 1 | 3 | VIN | Input supply. Bypass with 1 µF. |
| 2, 4-6 | 1 | GND | Ground |
| 3 | 2 | SHDN | Active-low shutdown |"""
_DRAWING = "TOP VIEW OUT A 1 8 V+ -IN A 2 7 OUT B +IN A 3 6 -IN B V- 4 5 +IN B TPX90"
_LIST = "PIN DESCRIPTION\nX1, X2 - Crystal pins GND - Ground RST - Reset"


def _segment(kind: SegmentKind, text: str, path: str = "", page: int = 1) -> Segment:
    where = (path,) if path else ()
    return Segment(
        SegmentId(f"{page:064x}"), DocumentId("2" * 64), page, kind, "Sheet", where, text, text, page, (page,)
    )


def test_a_drawing_gives_number_and_name_of_both_sides() -> None:
    (drawing,) = drawings_in(_DRAWING, ("TPX90",))
    assert drawing.count == 8
    assert [(pin.number, pin.name) for pin in drawing.pins] == [
        (1, "OUT A"), (2, "-IN A"), (3, "+IN A"), (4, "V-"), (5, "+IN B"), (6, "-IN B"), (7, "OUT B"), (8, "V+"),
    ]  # fmt: skip


def test_alternate_functions_in_brackets_do_not_shift_names() -> None:
    text = "P1.0 1 40 VCC P1.1 2 39 P0.0 (AD0) P1.2 3 38 P0.1 (AD1) (RXD) P3.0 4 37 EA"
    (drawing,) = drawings_in(text)
    names = {pin.number: pin.name for pin in drawing.pins}
    assert names == {1: "P1.0", 2: "P1.1", 3: "P1.2", 4: "P3.0", 37: "EA", 38: "P0.1", 39: "P0.0", 40: "VCC"}


@pytest.mark.parametrize(
    "text",
    [
        "0 70 25 45 10 20 30 40 are the values of a table",
        "Typ 1 8 max 2 9 min 3 10",
        "Figure 1 2 3 4 5 6 7 8",
        "1 16 2 15",
    ],
)
def test_numbers_that_do_not_run_against_each_other_are_no_drawing(text: str) -> None:
    assert drawings_in(text) == []


def test_a_table_gives_every_package_its_own_numbers() -> None:
    pins = pins_of([_segment(SegmentKind.TABLE, _TABLE)])
    found = {(pin.name, pin.package): pin.numbers for pin in pins}
    assert found["GND", "DIP"] == (2, 4, 5, 6)
    assert found["GND", "SSOP"] == (1,)
    assert {pin.function for pin in pins if pin.name == "SHDN"} == {"Active-low shutdown"}


def test_what_a_drawn_pin_is_for_comes_from_the_list() -> None:
    drawing = _segment(SegmentKind.TEXT, "X1 1 8 VCC X2 2 7 SCL RST 3 6 SDA GND 4 5 NC")
    pins = {pin.name: pin.function for pin in pins_of([drawing, _segment(SegmentKind.TEXT, _LIST, page=2)])}
    assert pins["RST"] == "Reset"
    assert pins["X1"] == pins["X2"] == "Crystal pins"
    assert pins["SDA"] == ""


def test_a_table_of_limits_has_no_pins() -> None:
    text = "Pin capacitance\n| Symbol | Parameter | Min | Max |\n| CIN | Input capacitance | 1 | 10 |"
    assert pins_of([_segment(SegmentKind.TABLE, text)]) == []


def test_names_are_the_same_whatever_the_spelling() -> None:
    assert same_name("sqw out", "SQW/OUT")
    assert same_name("EA", "EA/VPP")
    assert not same_name("V+", "V-")
    assert near_name("output", "OUT")
    assert near_name("reset", "RST")
    assert not near_name("output", "ADJ")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("what is pin 5 of the TPX12?", PinQuestion(Asks.NAME, 5)),
        ("TPX12 pin 5", PinQuestion(Asks.NAME, 5)),
        ("pinout of the tpx12", PinQuestion(Asks.ALL)),
        ("Which pin of the TPX12 is VBAT?", PinQuestion(Asks.NUMBER, name="VBAT")),
        ("Which pin is CLK on the TPX12 in its DIP package?", PinQuestion(Asks.NUMBER, name="CLK", package="DIP")),
        ("what does the SQW/OUT pin of the TPX12 do?", PinQuestion(Asks.FUNCTION, name="SQW/OUT")),
        ("What is the maximum voltage on pin 5 of the TPX12?", None),
        ("What is the pin capacitance of the TPX12?", None),
        ("Which pin must be held low during programming of the TPX12 by the external hardware?", None),
        ("How many pins does the TPX12 have?", None),
        ("How much current does the reset pin of the TPX12 draw?", None),
    ],
)
def test_what_a_question_asks_about_pins(text: str, wanted: PinQuestion | None) -> None:
    assert pin_question(understand(text)) == wanted


def _ask(question: str) -> Answer:
    regulator = [(SegmentKind.TABLE, "Pin Functions", _TABLE)]
    amplifier = [
        (SegmentKind.TEXT, "Pin Configuration", "The pins are drawn below."),
        (SegmentKind.TABLE, "Ratings", "| Parameter | Max |\n| Voltage on any pin | 7 V |"),
    ]
    shelf = Shelf(
        ("tpx12.pdf", "TPX12 regulator", ("TPX12",), regulator), ("tpx90.pdf", "TPX90 amplifier", ("TPX90",), amplifier)
    )
    return Answerer("shelf", sources_of(shelf)).ask(question)


def test_a_pin_is_told_by_package() -> None:
    assert [s.text for s in _ask("what is pin 3 of the TPX12?").sentences] == [
        "Pin 3 of the TPX12 (SSOP) is VIN: Input supply. Bypass with 1 µF.",
        "Pin 3 of the TPX12 (DIP) is SHDN: Active-low shutdown.",
    ]


def test_the_pin_of_a_name() -> None:
    answer = _ask("which pin of the TPX12 is the shutdown in the SSOP?")
    assert answer.text == "SHDN is pin 2 of the TPX12 (SSOP): Active-low shutdown."
    assert answer.sentences[0].verified


def test_a_number_the_sheet_does_not_have_is_no_other_pin_and_no_voltage() -> None:
    answer = _ask("what is pin 9 of the TPX12?")
    assert answer.status is AnswerStatus.NOT_MENTIONED
    assert "1 to 6" in answer.text


def test_pins_that_are_only_drawn_are_pointed_to() -> None:
    answer = _ask("what is pin 5 of the TPX90?")
    assert answer.text == "The pins of the TPX90 are shown in the drawing on page 1."
    assert answer.citations[0].page == 1


def test_names_below_two_drawings_say_whose_each_is() -> None:
    text = "CH0 1 6 VDD CH1 2 5 CLK GND 3 4 CS PDIP, SOIC CH0 1 8 VDD CH1 2 7 CLK CH2 3 6 DIN GND 4 5 CS TPX04 TPX08"
    found = drawings_in(text, ("TPX04", "TPX08"))
    assert [(drawing.part, drawing.count) for drawing in found] == [("TPX04", 6), ("TPX08", 8)]
    assert [pin.name for pin in found[1].pins] == ["CH0", "CH1", "CH2", "GND", "CS", "DIN", "CLK", "VDD"]
