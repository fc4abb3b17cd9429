"""A row of headings of one form is the list a question asks for; headings that only share a word are none."""

from __future__ import annotations

import pytest

from engine.answer import Answerer
from engine.core.model import SegmentKind
from engine.core.results import Answer
from tests.engine.agent.shelf import Shelf, sources_of

TEXT = SegmentKind.TEXT


def ask(question: str, *headings: str) -> Answer:
    passages = [(TEXT, heading, f"{heading}\nWhat is said of it in the note.") for heading in headings]
    library = Shelf(("nx400.pdf", "NX400 guarding a supply", ("NX400",), passages))
    return Answerer("shelf", sources_of(library)).ask(question)


@pytest.mark.parametrize(
    ("question", "headings"),
    [
        ("Which alternatives does the NX400 note describe?", ("Alternative 1: Diode", "Alternative 2: Fuse")),
        ("List the alternatives in NX400.", ("Alternative 1: Diode", "Alternative 2: Fuse")),
        ("What modes does the NX400 have?", ("4.1 Idle Mode", "4.2 Sleep Mode")),
        ("List what NX400 says can be prevented.", ("Prevents Latch-up", "Prevents Reset")),
    ],
)
def test_headings_of_one_form_are_the_list(question: str, headings: tuple[str, str]) -> None:
    third = headings[1].replace("2", "3").replace("Sleep", "Stop").replace("Reset", "Hang-up")
    row = (*headings, third)
    answer = ask(question, "Introduction", *row, "Disclaimer")
    assert answer.short == "; ".join(row)
    assert len(answer.citations) == len(row)


@pytest.mark.parametrize(
    ("question", "headings"),
    [
        ("Which modes does the NX400 have?", ("Mode Register Description", "Modes", "Mode and Timing")),
        ("What modes does the NX400 timer have?", ("Idle Mode", "Sleep Mode", "Stop Mode")),
        ("Which alternatives does the NX400 note describe?", ("Alternative 1: Diode", "Alternative 2: Fuse")),
        ("List what NX400 says can be prevented.", ("Preventing is not all", "How it prevents", "Fuses that prevent")),
    ],
)
def test_headings_that_only_share_a_word_or_are_too_few_are_no_list(question: str, headings: tuple[str, ...]) -> None:
    assert ask(question, *headings).short != "; ".join(headings)
