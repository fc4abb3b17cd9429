"""Which section, which page: a heading is the answer, and only one that speaks of the matter."""

from __future__ import annotations

import pytest

from engine.agent.question import understand
from engine.agent.whereabouts import asks_where
from engine.answer import Answerer
from engine.core.model import SegmentKind
from engine.core.results import Answer, AnswerStatus
from tests.engine.agent.shelf import Shelf, sources_of


def ask(question: str) -> Answer:
    text = SegmentKind.TEXT
    library = Shelf(
        (
            "drv50.pdf",
            "DRV50 display driver",
            ("DRV50",),
            [
                (text, "1 Features", "1 Features\nA rectangle is drawn by one command."),
                (text, "9.2 Draw Rectangle (22h)", "9.2 Draw Rectangle (22h)\nGive the corners and the colours."),
                (text, "10 Charge Pump", "10 Charge Pump\nThe pump doubles the supply."),
            ],
        ),
        ("drv60.pdf", "DRV60 display driver", ("DRV60",), [(text, "4 Reset", "4 Reset\nPull the pin low.")]),
        (
            "tool.pdf",
            "Tool guide",
            (),
            [
                (text, "Search Paths", "2.5 Search Paths\nFiles are looked for in three folders."),
                (text, "Board Files", "Board Files\nGuidelines for writing board files."),
            ],
        ),
    )
    return Answerer("shelf", sources_of(library)).ask(question)


@pytest.mark.parametrize(
    ("question", "short"),
    [
        (
            "Which section of the DRV50 sheet explains the rectangle drawing command?",
            "9.2 Draw Rectangle (22h), page 2",
        ),
        ("Section in the DRV50 sheet on drawing a rectangle?", "9.2 Draw Rectangle (22h), page 2"),
        ("drv50: where is the charge pump described?", "10 Charge Pump, page 3"),
        ("Which section of the tool guide is about the search paths?", "2.5 Search Paths, page 1"),
        ("Where in the tool guide are the guidelines for board files?", "Board Files, page 2"),
        ("tool guide: where's the help on board files?", "Board Files, page 2"),
        ("On which page does the DRV60 data sheet tell about the reset?", "4 Reset, page 1"),
    ],
)
def test_the_heading_and_its_page_are_the_answer(question: str, short: str) -> None:
    answer = ask(question)
    assert answer.short == short
    assert answer.status is AnswerStatus.ANSWERED
    assert answer.citations[0].page == int(short.rsplit(" ", 1)[1])


def test_a_matter_that_no_heading_speaks_of_has_no_section() -> None:
    assert ask("Which section of the DRV60 sheet explains the charge pump?").status is AnswerStatus.NOT_MENTIONED


@pytest.mark.parametrize(
    "question",
    [
        'According to the "Reset" section, how long must the pin be low?',
        "Where was the director of the film born?",
        "Which pin is the reset?",
        "What does the reset section say?",
    ],
)
def test_what_stands_in_a_section_is_another_question(question: str) -> None:
    assert not asks_where(understand(question))


def test_a_section_is_told_by_its_number() -> None:
    answer = ask("What does section 2.5 of the tool guide describe, and how many folders does it name?")
    assert answer.short == "2.5 Search Paths"
    assert "three folders" in answer.text


def test_no_section_of_another_number_is_told() -> None:
    assert ask("What does section 2.51 of the tool guide describe?").status is AnswerStatus.NOT_MENTIONED
