"""What the answerers give without a model, on look-alike documents of invented parts."""

from __future__ import annotations

import pytest

from engine.agent.question import Expect, understand
from engine.answer import Answerer
from engine.core.cancel import CancelToken
from engine.core.errors import Cancelled, UsageError
from engine.core.events import Event, SentenceVerified, StepTaken
from engine.core.model import SegmentKind
from engine.core.results import Answer, AnswerStatus
from tests.engine.agent.shelf import Shelf, shelf, sources_of


def ask(question: str) -> Answer:
    return Answerer("shelf", sources_of(shelf())).ask(question)


@pytest.mark.parametrize(
    ("question", "short", "file"),
    [
        ("What is the maximum supply current of the TPX12 at VIN = 5 V?", "45 µA", "tpx12.pdf"),
        ("What is the typical supply current of the TPX12 at VIN = 3 V?", "28 µA", "tpx12.pdf"),
        ("What is the maximum dropout voltage of the TPX12?", "190 mV", "tpx12.pdf"),
        ("What input voltage range does the TPX14 have?", "1.8 V to 6.5 V", "tpx14.pdf"),
        ("tpx12 quiescent curr?", "32 µA", "tpx12.pdf"),
        ("What capacitor is connected between OUT and GND of the TPX12 for driving long lines?", "0.1 µF", "tpx12.pdf"),
        ("How much RAM does the QLC2144 have?", "16 kB", "qlc214x.pdf"),
        ("How much flash does the QLC2148 have?", "512 kB", "qlc214x.pdf"),
    ],
)
def test_the_right_value_of_the_right_part(question: str, short: str, file: str) -> None:
    answer = ask(question)
    assert answer.short == short
    assert answer.status is not AnswerStatus.NOT_MENTIONED
    assert answer.citations[0].place.file == file
    assert all(sentence.verified for sentence in answer.sentences)


@pytest.mark.parametrize(
    "question",
    [
        "What is the wake-up time from shutdown of the TPX12?",  # only the TPX14 sheet has it
        "What is the thermal resistance of the TPX12?",
        "How much RAM does the QLC2142 have?",  # a sibling that no document is about
        "What is the supply current of the LMX999?",
        "How many CAN channels does the QLC2148 have?",
        "What is the input capacitance of the TPX12?",  # its supply current is no capacitance
    ],
)
def test_what_the_documents_do_not_say_is_not_mentioned(question: str) -> None:
    answer = ask(question)
    assert answer.status is AnswerStatus.NOT_MENTIONED
    assert answer.citations == ()
    assert answer.short == "Not mentioned"


def test_a_look_alike_that_has_it_is_named_without_its_value() -> None:
    answer = ask("What is the wake-up time from shutdown of the TPX12?")
    assert "TPX14" in answer.text
    assert "250" not in answer.text


def test_parts_are_compared_by_code() -> None:
    answer = ask("Which of the TPX12 and the TPX14 has the lowest quiescent current?")
    assert answer.short == "TPX14"
    assert {citation.place.file for citation in answer.citations} == {"tpx12.pdf", "tpx14.pdf"}


def test_a_pointer_is_followed_to_the_other_document() -> None:
    answer = ask("The TPX12 data sheet names a replacement. What input voltage range does the replacement have?")
    assert answer.short == "1.8 V to 6.5 V"
    assert [citation.place.file for citation in answer.citations] == ["tpx14.pdf", "tpx12.pdf"]


def test_steps_and_verified_sentences_are_told_as_they_happen() -> None:
    events: list[Event] = []
    answer = Answerer("shelf", sources_of(shelf())).ask(
        "What is the maximum dropout voltage of the TPX12?", events.append
    )
    assert [e.step for e in events if isinstance(e, StepTaken)] == list(answer.steps)
    assert [e.sentence for e in events if isinstance(e, SentenceVerified)] == list(answer.sentences)


def test_a_yes_or_no_question_is_settled_by_its_quantity() -> None:
    yes = ask("Can the TPX14 run from an input voltage of 2 V?")
    no = ask("Can the TPX12 run from an input voltage of 2 V?")
    assert (yes.short.split(",")[0], no.short.split(",")[0]) == ("Yes", "No")


def test_a_choice_is_answered_with_its_label() -> None:
    answer = ask("The quiescent current of the TPX14 is (). A: 32 µA B: 3 µA C: 45 µA D: 250 µA")
    assert answer.short.startswith("B")


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Which dropout voltage has the TPX12 at IOUT = 100 mA? A: 45 mV B: 190 mV C: 32 mV D: 3 V", "B: 190 mV"),
        ("The QLC2144 has () of RAM. A. 8 kB B. 16 kB C. 40 kB", "B: 16 kB"),
        (
            "Which of the following are said of the TPX12? (multiple choice) A: the EN pin must not be left floating "
            "B: the EN pin must be left floating and unconnected C: an input voltage range of 2.7 V to 5.5 V",
            "A, C: the EN pin must not be left floating; an input voltage range of 2.7 V to 5.5 V",
        ),
    ],
)
def test_the_option_that_the_evidence_states_is_chosen(question: str, short: str) -> None:
    assert ask(question).short == short


def test_dots_that_lead_to_values_tell_them_apart() -> None:
    rows = ("E (PDIP) Package", "67"), ("NS (SOP) Package", "64"), ("PW (TSSOP) Package", "108")
    text = "Thermal Impedance: " + " ".join(f"{name} ...... {value} °C/W" for name, value in rows)
    library = Shelf(("tpx40.pdf", "TPX40 Buffer", ("TPX40",), [(SegmentKind.TEXT, "Ratings", text)]))
    answer = Answerer("shelf", sources_of(library)).ask(
        "What thermal impedance has the TSSOP (PW) package of the TPX40?"
    )
    assert answer.short == "108 °C/W"


def test_a_blank_is_filled_with_the_value_of_its_unit() -> None:
    assert ask("The TPX14 wakes up from shutdown in a time of ____ µs.").short == "250 µs"
    assert understand("The QC3204 has () input channels.").expect is Expect.NUMBER
    assert understand("The bus may run at up to ____ kHz.").dimensions == {"frequency"}


def test_an_empty_question_is_wrong_use() -> None:
    with pytest.raises(UsageError):
        ask("  ")


def test_cancel_is_heard() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        Answerer("shelf", sources_of(shelf())).ask("What is the dropout voltage of the TPX12?", cancel=token)
