"""What the model is given to read, how sure it was, and what is shown where nothing is answered."""

from __future__ import annotations

import json

import pytest

from engine.agent.bounds import under_other_values
from engine.agent.evidence import Evidence
from engine.agent.model_reader import counted_in, how_sure, lacks_limit, repeats_value
from engine.agent.passages import listed_in, passages_of
from engine.agent.question import understand
from engine.agent.reading import Reading
from engine.agent.units import units_of
from engine.answer import Answerer
from engine.core.model import SegmentKind
from engine.core.ports import Completion
from engine.core.results import AnswerStatus
from tests.engine.agent.shelf import Shelf, shelf, sources_of
from tests.engine.agent.test_lying_model import ASKED, QUIESCENT, ScriptedModel, says

NOTES = "The pump is off. It starts when EN is high. The ripple is 4 mV."
HINTS = "Keep the loop short. Place the coil near the pin."


def readings(*chances: float) -> list[Reading]:
    """The sentences of two passages, the likeliest first."""
    library = Shelf(
        ("pump.pdf", "Pump", (), [(SegmentKind.TEXT, "Notes", NOTES), (SegmentKind.TEXT, "Hints", HINTS)]),
    )
    units = units_of(library.document_segments(library.documents()[0].id))
    found = [
        Reading(unit.text, Evidence(unit, 1.0, 1.0, 1.0, ()), 1.0, chance=chance)
        for unit, chance in zip(units, chances, strict=False)
    ]
    return sorted(found, key=lambda one: -one.chance)


def words(text: str) -> int:
    return len(text.split())


def test_sentences_of_one_passage_stand_together_in_their_order_under_one_heading() -> None:
    passages, left_out = passages_of(readings(0.5, 0.4, 0.9, 0.6), 100, words)
    assert [passage.line for passage in passages] == [f"Pump > Notes: {NOTES}", "Pump > Hints: Keep the loop short."]
    assert left_out == 0


def test_what_is_far_behind_is_not_read_and_what_does_not_fit_is_counted() -> None:
    passages, left_out = passages_of(readings(0.9, 0.1, 0.8, 0.5), 12, words)
    assert [passage.line for passage in passages] == ["Pump > Notes: The pump is off. The ripple is 4 mV."]
    assert left_out == 1


def one_reading(text: str, kind: SegmentKind = SegmentKind.TEXT, unit: int = -1) -> Reading:
    library = Shelf(("vx9.pdf", "VX91 driver", (), [(kind, "Registers", text)]))
    found = units_of(library.document_segments(library.documents()[0].id))[unit]
    return Reading(found.text, Evidence(found, 1.0, 1.0, 1.0, ()), 1.0)


@pytest.mark.parametrize(("answer", "number"), [("16 bits", "16"), ("12 bits", ""), ("16 pages", ""), ("16", "")])
def test_a_number_may_be_given_with_what_the_question_counts(answer: str, number: str) -> None:
    row = one_reading("| Register | Width | Use |\n| WLK | 16 | write lock |", SegmentKind.TABLE)
    assert counted_in(understand("How many bits wide is the register WLK?"), answer, row) == number


@pytest.mark.parametrize(
    ("answer", "question", "repeats"),
    [
        ("9600", "Which rate proved better than 9600 on the VX91?", True),
        ("4800", "Which rate proved better than 9600 on the VX91?", False),
        ("9600", "Does the VX91 start with 4800 or 9600?", False),
        ("the register", "What does the register of the VX91 hold?", False),
    ],
)
def test_a_value_that_the_question_states_does_not_answer_it(answer: str, question: str, repeats: bool) -> None:
    assert repeats_value(understand(question), answer) is repeats


def test_the_sentence_before_may_say_which_limit_a_value_is() -> None:
    asked = understand("What is the minimum spacing of the traces?")
    first = one_reading("The minimum spacing is checked for all traces.").evidence.unit
    led = "The minimum spacing is set beside the grid. It is 7 mils by default."
    assert not lacks_limit(asked, first, one_reading(led).evidence.unit)
    assert lacks_limit(asked, first, one_reading("It is 7 mils by default.").evidence.unit)


def test_the_first_is_read_however_long_it_is() -> None:
    passages, left_out = passages_of(readings(0.9, 0.8), 1, words)
    assert (len(passages), left_out) == (1, 1)


def test_an_answer_is_at_home_in_the_likeliest_sentence_that_holds_it() -> None:
    passage = passages_of(readings(0.5, 0.4, 0.9), 100, words)[0][0]
    home = passage.home("4 mV")
    assert home is not None
    assert home.short == "The ripple is 4 mV."
    assert passage.home("5 mV") is None


@pytest.mark.parametrize(
    ("answer", "printed"),
    [("EN, high", ""), ("off, starts", ""), ("starts when, EN", "starts when EN"), ("the ripple", "")],
)
def test_a_list_is_given_as_it_is_printed(answer: str, printed: str) -> None:
    assert listed_in(answer, readings(0.1, 0.9)[0]) == printed


def test_items_with_other_words_between_are_no_list() -> None:
    text = "Four lamps are lit: 3V3, 1V8, RF, and USB."
    library = Shelf(("lamp.pdf", "Lamps", (), [(SegmentKind.TEXT, "Lamps", text)]))
    unit = units_of(library.document_segments(library.documents()[0].id))[0]
    reading = Reading(unit.text, Evidence(unit, 1.0, 1.0, 1.0, ()), 1.0)
    assert listed_in("3V3, 1V8, RF, USB", reading) == "3V3, 1V8, RF, and USB"
    assert listed_in("lamps, USB", reading) == ""
    assert listed_in("3V3, 5V0", reading) == ""


@pytest.mark.parametrize(
    ("met", "question", "other"),
    [
        (0.5, "At which duty does it run with M2 = 1 and M1 = 0?", True),
        (1.0, "At which duty does it run with M2 = 1 and M1 = 0?", False),
        (0.0, "At which duty does it run?", False),
    ],
)
def test_a_row_that_lacks_a_stated_value_is_not_taken(met: float, question: str, other: bool) -> None:
    grid = "| M2 | M1 | Duty |\n| 1 | 1 | 1/65 |"
    library = Shelf(("vx9.pdf", "VX91 driver", (), [(SegmentKind.TABLE, "Duty selection", grid)]))
    row = units_of(library.document_segments(library.documents()[0].id))[-1]
    assert under_other_values(understand(question), Evidence(row, 1.0, 1.0, 1.0, (), conditions=met)) is other


@pytest.mark.parametrize(("stated", "other"), [("48 kHz", True), ("32 kHz", False), ("5 V", False)])
def test_a_condition_other_than_stated_is_not_taken(stated: str, other: bool) -> None:
    text = "The frame frequency is 67 Hz at fclk = 32 kHz."
    library = Shelf(("vx9.pdf", "VX91 driver", (), [(SegmentKind.TEXT, "Frames", text)]))
    unit = units_of(library.document_segments(library.documents()[0].id))[0]
    asked = understand(f"Which frame frequency comes out at {stated}?")
    assert under_other_values(asked, Evidence(unit, 1.0, 1.0, 1.0, ())) is other


def completion(answer: str, *chances: float) -> Completion:
    """As the worker tells it: "true", the number of the passage, two tokens of the answer, its end."""
    found, number, first, second, end = chances
    tokens = (
        ('{"', 1.0), ("found", 1.0), ('":', 1.0), (" true", found), (', "passage": ', 1.0), ("2", number),
        (', "answer": "', 1.0), (answer[:2], first), (answer[2:], second), ('"}', end),
    )  # fmt: skip
    return Completion("".join(text for text, _ in tokens), 9, 9, 0.0, confidence=min(chances), tokens=tokens)


def test_only_whether_it_is_there_and_its_words_tell_how_sure_a_model_was() -> None:
    assert how_sure(completion("45 µA", 0.9, 0.2, 0.8, 0.7, 0.3)) == (0.9, 0.8)
    assert how_sure(completion("to ground", 0.9, 0.2, 0.5, 0.98, 0.3)) == (0.9, pytest.approx(0.7))
    assert how_sure(Completion("{}", 1, 1, 0.0, confidence=0.4)) == (0.4, 0.4)


def test_the_model_reads_a_passage_once_whatever_number_it_gives() -> None:
    model = ScriptedModel(says("32 µA", 1))
    Answerer("shelf", sources_of(shelf()), model, limits=ASKED).ask(QUIESCENT)
    lines = [line for line in model.prompts[0].splitlines() if line.startswith("[")]
    assert len({line.split(": ")[0].split("] ")[1] for line in lines}) == len(lines)


def test_where_nothing_is_answered_the_nearest_passage_is_shown_and_claims_nothing() -> None:
    library = Shelf(("pmp9.pdf", "PMP9 pump", ("PMP9",), [(SegmentKind.TEXT, "Notes", NOTES)]))
    model = ScriptedModel(lambda _prompt: json.dumps({"found": False}))
    answer = Answerer("shelf", sources_of(library), model, limits=ASKED).ask("What ripple does the PMP9 show?")
    assert answer.status is AnswerStatus.NOT_MENTIONED
    assert answer.short == "Not mentioned"
    assert answer.text == "Not mentioned. Nearest to it: The ripple is 4 mV."
    assert [citation.quote for citation in answer.citations] == ["The ripple is 4 mV."]


@pytest.mark.parametrize("question", ["What is the thermal resistance of the TPX12?", "How heavy is the TPX12?"])
def test_nothing_is_shown_where_nothing_comes_near(question: str) -> None:
    answer = Answerer("shelf", sources_of(shelf())).ask(question)
    assert answer.text == "Not mentioned."
    assert not answer.citations
