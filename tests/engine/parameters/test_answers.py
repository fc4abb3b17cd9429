"""Answers computed from records: exact, listed where they cannot be told apart, never from another part or kind."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.core.model import RecordSection
from engine.core.ports import Completion, Message
from engine.parameters.choosing import choose_by
from engine.parameters.compute import answer_from_records
from engine.parameters.results import SURE
from tests.engine.parameters.conftest import LIMITS, Shelf, ask
from tests.engine.parameters.tables import parsed, table


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("What is the maximum supply current of the AX101?", "40 µA"),
        ("What is the maximum quiescent current of the AX102?", "90 µA"),
        ("max Icc of ax101?", "40 µA"),
        ("What is the typical supply current of the AX101 in mA?", "0.025 mA"),
        ("What is the maximum input offset voltage of the AX102 at 25 °C?", "1 mV"),
        ("What is the input offset voltage of the AX205 at TA = 25 °C at most?", "0.1 mV"),
        ("What slew rate does the AX205 have?", "0.4 V/µs (typ)"),
        ("Which supply voltage range has the AX101?", "2.7 V to 5.5 V"),
        ("What is the absolute maximum supply voltage of the AX101?", "7 V"),
        ("What is the minimum output current of the RG317 at VI = 10 V?", "1.5 A"),
        ("What is the maximum output current of the RG317L?", "0.2 A"),
        ("maximum adjustment pin current of the RG317", "100 µA"),
    ],
)
def test_one_value_is_given_with_its_limit(shelf: Shelf, question: str, short: str) -> None:
    answer = ask(shelf, question)
    assert answer.short == short
    assert answer.confidence >= SURE
    assert answer.alternatives == 1
    assert answer.records


@pytest.mark.parametrize(
    "question",
    [
        "What is the thermal resistance of the AX101?",
        "What is the maximum output current of the AX101?",
        "How many channels does the AX101 have?",
        "What is the supply current of the AX999?",
        "What is the data retention of the RG317?",
        "Who designed the AX101?",
        "",
        "???",
    ],
)
def test_what_no_record_holds_is_not_answered(shelf: Shelf, question: str) -> None:
    assert answer_from_records(question, shelf.store, shelf.documents) is None


def test_values_that_cannot_be_told_apart_are_listed_with_what_tells_them_apart(shelf: Shelf) -> None:
    answer = ask(shelf, "What is the maximum input offset voltage of the AX101?")
    assert answer.alternatives == 2
    assert "2 mV" in answer.text
    assert "4.0 mV" in answer.text
    assert "25 °C" in answer.text
    assert "85 °C" in answer.text


def test_a_missing_limit_is_said_and_not_asserted(shelf: Shelf) -> None:
    answer = ask(shelf, "What is the maximum slew rate of the AX101?")
    assert answer.confidence < SURE
    assert any("No maximum" in caveat for caveat in answer.caveats)


def test_a_missing_condition_names_the_nearest_and_does_not_assert(shelf: Shelf) -> None:
    answer = ask(shelf, "What is the maximum supply current of the AX101 at VCC = 1.8 V?")
    assert answer.confidence < SURE
    assert "VCC = 3 V" in answer.text


def test_ratings_and_operating_values_are_not_mixed(shelf: Shelf) -> None:
    operating = ask(shelf, "What is the maximum supply voltage of the AX102?")
    assert operating.short == "5.5 V"
    assert {record.section for record in operating.records} == {RecordSection.RECOMMENDED}
    only_rated = table(("Symbol", "Parameter", "Value", "Unit"), [("VCC", "Supply voltage", "7", "V")])
    shelf.add(9, "QZ900", ("QZ900",), parsed([only_rated], heading="Absolute maximum ratings"))
    rated = ask(shelf, "Which supply voltage range has the QZ900?")
    assert rated.confidence < SURE


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("Which has the lower maximum supply current, the AX101 or the AX102?", "AX101"),
        ("Which has the higher maximum supply current, the AX101 or the AX102?", "AX102"),
        ("Of the AX101, AX102 and AX205, which has the lowest input offset voltage at 25 °C?", "AX205"),
        ("How much higher is the maximum supply current of the AX102 than that of the AX101?", "50 µA"),
        ("Is the supply current of the AX101 below 50 µA?", "Yes"),
        ("Is the supply current of the AX102 below 50 µA?", "No"),
        ("Can the AX101 run at 3.3 V?", "Yes"),
        ("Can the AX205 run at 3.3 V?", "No"),
        ("Does the AX101 work at 2.5 V?", "No"),
        ("Does the AX101 work from 3 V to 5 V?", "Yes"),
    ],
)
def test_comparisons_are_made_by_code(shelf: Shelf, question: str, start: str) -> None:
    answer = ask(shelf, question)
    assert answer.short.startswith(start)
    assert answer.confidence >= SURE


def test_equal_values_make_no_winner(shelf: Shelf) -> None:
    answer = ask(shelf, "Which has the higher slew rate, the AX101 or the AX102?")
    assert answer.short == "the same: 0.4 V/µs"
    assert "AX101" in answer.text
    assert "AX102" in answer.text


def test_a_part_without_the_value_is_named_and_nothing_asserted(shelf: Shelf) -> None:
    answer = ask(shelf, "Which has the lower maximum supply current, the AX101 or the RG317L?")
    bare = ask(shelf, "Which has the higher slew rate, the AX101 or the RG317?")
    assert answer.short.startswith("AX101")
    assert any("RG317" in caveat for caveat in bare.caveats)
    assert bare.confidence < SURE


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Which of our op amps runs from 3 V and stays under 50 µA?", "AX101"),
        ("How many op amps have a supply current below 50 µA?", "2"),
        ("Which op amp has the lowest supply current?", "AX101"),
    ],
)
def test_library_wide_questions_meet_every_bound(shelf: Shelf, question: str, short: str) -> None:
    assert ask(shelf, question).short == short


def test_a_doubtful_record_is_not_asserted(shelf: Shelf) -> None:
    header = ("Parameter", "Symbol", "Conditions", "Min", "Typ", "Max", "Unit")
    doubtful = table(header, [("Supply current", "ICC", "", "", "", "3", "mA")], doubtful=frozenset({(0, 5)}))
    shelf.add(8, "QZ800", ("QZ800",), parsed([doubtful]))
    answer = ask(shelf, "What is the maximum supply current of the QZ800?")
    assert answer.confidence < SURE
    assert answer.records[0].doubts


def test_the_standby_value_never_answers_for_the_active_one(shelf: Shelf) -> None:
    header = ("Parameter", "Symbol", "Conditions", "Min", "Typ", "Max", "Unit")
    rows = [
        ("Supply current", "ICC", "Active mode, 12 MHz", "", "", "25", "mA"),
        ("Supply current", "ICC", "Idle mode, 12 MHz", "", "", "6.5", "mA"),
    ]
    shelf.add(7, "QZ700", ("QZ700",), parsed([table(header, rows)]))
    assert ask(shelf, "What maximum active current does the QZ700 draw at 12 MHz?").short == "25 mA"
    assert ask(shelf, "What is the idle mode current of the QZ700 at most?").short == "6.5 mA"


def test_the_sheet_named_is_the_sheet_used(shelf: Shelf) -> None:
    header = ("Symbol", "Parameter", "Value", "Unit")
    old = table(header, [("IC", "Collector current", "500", "mA")])
    new = table(header, [("IC", "Collector current", "100", "mA")])
    shelf.add(5, "QT548", ("QT548", "QT548A", "QT548B"), parsed([old], heading="Absolute Maximum Ratings"))
    shelf.add(
        6, "QT546-550", ("QT546", "QT547", "QT548", "QT549", "QT550"), parsed([new], heading="Absolute Maximum Ratings")
    )
    first = ask(shelf, "What collector current does the QT548/QT548A/QT548B data sheet rate?")
    second = ask(shelf, "What is the rated collector current of the QT548 in the QT546-550 data sheet?")
    both = ask(shelf, "What is the rated collector current of the QT548?")
    assert (first.short, second.short) == ("500 mA", "100 mA")
    assert both.alternatives == 2


def test_a_picked_parameter_is_shown_and_never_asserted(shelf: Shelf) -> None:
    question = "What offset hush has the AX101 at 25 °C?"
    offered: list[str] = []

    def pick(_question: str, names: Sequence[str]) -> int | None:
        offered.extend(names)
        return next(place for place, name in enumerate(names) if "offset" in name)

    assert answer_from_records(question, shelf.store, shelf.documents) is None
    answer = answer_from_records(question, shelf.store, shelf.documents, choose=pick)
    assert answer is not None
    assert offered
    assert answer.confidence < SURE
    assert "offset" in answer.caveats[0]
    assert answer_from_records(question, shelf.store, shelf.documents, choose=lambda _q, _n: None) is None


class _Scripted:
    """A model that answers one text and remembers the grammar it was given."""

    model_id = "scripted"
    context_tokens = 2048

    def __init__(self, text: str) -> None:
        self.text = text
        self.grammar = ""

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def complete(self, messages: Sequence[Message], *, grammar: str | None = None, **_: object) -> Completion:
        self.grammar = grammar or ""
        return Completion(self.text, 1, 1, 0.0)

    def close(self) -> None: ...


@pytest.mark.parametrize(("text", "place"), [("2", 1), ("0", None), ("7", None), ("the second", None), ("", None)])
def test_a_model_can_only_pick_an_offered_name(text: str, place: int | None) -> None:
    model = _Scripted(text)
    assert choose_by(model)("Which?", ["Supply current", "Slew rate"]) == place
    assert model.grammar == 'root ::= "0" | "1" | "2"'


@pytest.fixture
def cased(shelf: Shelf) -> Shelf:
    """A sheet that gives thermal values package by package, and a section that repeats a parameter's name."""
    rows = [("Junction-to-ambient thermal resistance", "RθJA", "160", "120", "°C/W")]
    grid = table(("Parameter", "Symbol", ("TO-92", "Value"), ("SO-8", "Value"), "Unit"), rows)
    capacitor = table(LIMITS, [("Output capacitor", "CO", "", "1", "10", "", "µF")])
    document = parsed([grid, capacitor], heading="Operating Conditions")
    shelf.add(8, "QZ810 Regulator", ("QZ810",), document)
    return shelf


@pytest.mark.parametrize(
    ("package", "short"),
    [
        ("SO-8", "120 °C/W"),
        ("8-pin SOIC", "120 °C/W"),
        ("TO-92 package", "160 °C/W"),
        ("SOT-23", "not given for SOT-23"),
    ],
)
def test_a_package_picks_its_own_column(cased: Shelf, package: str, short: str) -> None:
    answer = ask(cased, f"What is the junction-to-ambient thermal resistance of the QZ810 in {package}?")
    assert answer.short == short
    assert (answer.confidence >= SURE) == (short != "not given for SOT-23")


@pytest.mark.parametrize(
    ("section", "found"), [("Operating Conditions", True), ("Protection Diodes", False), ("Layout Guidelines", False)]
)
def test_a_named_section_is_where_the_value_must_stand(cased: Shelf, section: str, found: bool) -> None:
    question = f'According to the "{section}" section of the QZ810 sheet, which output capacitor is needed?'
    assert (answer_from_records(question, cased.store, cased.documents) is not None) == found


@pytest.mark.parametrize(
    "question",
    [
        "Does the RG317 have a quiescent current?",  # a claim without a value is read, not computed
        "Does the AX101 have a slew rate limiter?",
        "Can the RG317 run at 40 V?",  # no limits are given
    ],
)
def test_a_claim_the_records_cannot_judge_is_left_to_reading(shelf: Shelf, question: str) -> None:
    assert answer_from_records(question, shelf.store, shelf.documents) is None


def test_what_a_part_survives_bears_out_no_operating_point(shelf: Shelf) -> None:
    rating = table(
        ("Symbol", "Parameter", "Value", "Unit"),
        [("VCC", "Supply voltage", "-0.3 to 7", "V")],
        caption="Absolute maximum ratings",
    )
    shelf.add(9, "CX909 Buffer", ("CX909",), parsed([rating]))
    assert answer_from_records("Can the CX909 run at 5 V?", shelf.store, shelf.documents) is None
    denied = ask(shelf, "Can the CX909 run at 9 V?")
    assert denied.short == "No"
    assert any("absolute maximum" in caveat for caveat in denied.caveats)


def test_a_value_of_the_a_version_is_not_the_plain_parts(shelf: Shelf) -> None:
    rows = [
        ("Noise figure", "NF", "CX909A", "IC = 200 µA", "", "", "4", "dB"),
        ("Transition frequency", "fT", "CX909", "IC = 20 mA", "250", "", "", "MHz"),
    ]
    limits = ("Parameter", "Symbol", "Device", "Conditions", "Min", "Typ", "Max", "Unit")
    shelf.add(9, "CX909; CX909A Switching transistors", ("CX909", "CX909A"), parsed([table(limits, rows)]))
    assert ask(shelf, "What is the maximum noise figure of the CX909A?").short == "4 dB"
    plain = answer_from_records("What is the maximum noise figure of the CX909?", shelf.store, shelf.documents)
    assert plain is None


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("maximum logic 0 output of the QZ901?", "0.4 V"),
        ("minimum logical 1 output at the QZ901?", "2.4 V"),
        ("QZ901 logic 1 input, minimum", "2 V"),
    ],
)
def test_a_logic_level_is_a_name_and_no_number_of_outputs(shelf: Shelf, question: str, short: str) -> None:
    rows = [
        ("Logic 1 Input", "VIH", "2", "", "V"),
        ("Logic 0 Input", "VIL", "", "0.8", "V"),
        ("Logic 1 Output", "VOH", "2.4", "", "V"),
        ("Logic 0 Output", "VOL", "", "0.4", "V"),
    ]
    levels = table(("Parameter", "Symbol", "Min", "Max", "Unit"), rows)
    shelf.add(9, "QZ901 clock", ("QZ901",), parsed([levels]))
    assert ask(shelf, question).short.startswith(short)
