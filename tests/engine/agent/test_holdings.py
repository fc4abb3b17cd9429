"""Which documents: every one that speaks of the matter, none that denies it, and no answer where none does."""

from __future__ import annotations

import pytest

from engine.agent.holdings import asks_for_documents
from engine.agent.question import understand
from engine.answer import Answerer
from engine.core.model import SegmentKind
from engine.core.results import Answer, AnswerStatus
from tests.engine.agent.shelf import Shelf, sources_of

TEXT = SegmentKind.TEXT


def ask(question: str) -> Answer:
    library = Shelf(
        (
            "rtc10.pdf",
            "RTC10 real-time clock",
            ("RTC10",),
            [
                (TEXT, "Features", "Features\nThe part keeps time on a coin cell. It has an SPI interface."),
                (TEXT, "4 Crystal Layout", "4 Crystal Layout\nKeep the traces to the crystal short."),
            ],
        ),
        (
            "mcu20.pdf",
            "MCU20 microcontroller",
            ("MCU20",),
            [
                (TEXT, "Overview", "Overview\nAn eight bit machine without an SPI interface."),
                (TEXT, "7 Brown-out Detector", "7 Brown-out Detector\nIt resets the core below 2.7 V."),
                (TEXT, "8 Clock", "8 Clock\nThe core may be clocked by a crystal of 16 MHz."),
            ],
        ),
        (
            "an30.pdf",
            "AN30 Layout of oscillators",
            (),
            [(TEXT, "1 Ground", "1 Ground\nThe ground under the crystal is kept free of other currents.")],
        ),
    )
    return Answerer("shelf", sources_of(library)).ask(question)


def titles(answer: Answer) -> set[str]:
    return {citation.title.split()[0] for citation in answer.citations}


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which documents deal with brown-out detection?", {"MCU20"}),
        ("Which documents mention a crystal?", {"RTC10", "MCU20", "AN30"}),
        ("What application notes do we have on crystal oscillators?", {"AN30"}),
        ("Do we have anything about brown-out?", {"MCU20"}),
        ("List all documents about crystal layout.", {"RTC10", "AN30"}),
        ("Which of our parts have an SPI interface?", {"RTC10"}),
        ("What real-time clocks do we have?", {"RTC10"}),
        ("Which of our data sheets are microcontrollers?", {"MCU20"}),
        ("Is there a data sheet for the RTC10?", {"RTC10"}),
    ],
)
def test_every_document_that_speaks_of_it_and_no_other(question: str, found: set[str]) -> None:
    answer = ask(question)
    assert titles(answer) == found
    assert answer.status is AnswerStatus.ANSWERED
    assert len(answer.sentences) == len(found)
    assert answer.coverage == f"{len(found)} of 3 documents"


def test_a_feature_is_looked_for_among_the_parts_of_a_kind() -> None:
    clocks = ask("Which of our real-time clocks have a crystal layout?")
    assert titles(clocks) == {"RTC10"}
    assert clocks.coverage == "1 of 1 documents"
    assert ask("Which of our microcontrollers have an SPI interface?").status is AnswerStatus.NOT_MENTIONED


def test_what_no_document_speaks_of_is_said() -> None:
    answer = ask("Which documents mention humidity?")
    assert answer.status is AnswerStatus.NOT_MENTIONED
    assert "None of the 3 documents" in answer.text


@pytest.mark.parametrize(
    "question", ["Which of our clocks has the highest crystal?", "What crystal has each of our clocks?"]
)
def test_what_is_asked_of_all_parts_is_answered_by_no_sentence_about_one(question: str) -> None:
    assert ask(question).status is AnswerStatus.NOT_MENTIONED


@pytest.mark.parametrize(
    "question",
    [
        "Which data sheet describes the trickle charger?",
        "Which data sheets give a supply voltage above 5 V?",
        "Which parts have the lowest supply current?",
        "Which parts use more than 5 mA?",
        "Which section of the RTC10 sheet is about the crystal?",
        "What supply voltage do the parts have?",
        "How many parts are needed?",
    ],
)
def test_questions_of_values_and_places_are_no_questions_of_documents(question: str) -> None:
    assert asks_for_documents(understand(question)) is None
