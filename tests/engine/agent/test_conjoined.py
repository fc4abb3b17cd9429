"""Two questions in one sentence are two questions; a comparison and a hop are one."""

from __future__ import annotations

import pytest

from engine.agent.conjoined import conjuncts
from engine.answer import Answerer
from engine.core.results import AnswerStatus
from tests.engine.agent.shelf import shelf, sources_of


@pytest.mark.parametrize(
    ("question", "pieces"),
    [
        (
            "How many bits is the QLC2144 and how fast does it sample at 5 V?",
            ("How many bits is the QLC2144?", "How fast does the QLC2144 sample at 5 V?"),
        ),
        (
            "Does the TPX12 have an enable pin and what is its quiescent current?",
            ("Does the TPX12 have an enable pin?", "What is the TPX12's quiescent current?"),
        ),
        ("What is the dropout? And what is the supply current of the TPX12?", None),
    ],
)
def test_each_is_asked_of_the_part_the_other_names(question: str, pieces: tuple[str, ...] | None) -> None:
    found = conjuncts(question)
    assert len(found) == 2
    assert found == (pieces or found)
    assert all("TPX12" in piece or "QLC2144" in piece for piece in found)


@pytest.mark.parametrize(
    "question",
    [
        "Which has the lower current, the TPX12 or the TPX14, and what are the two values?",
        "Who designed the TPX12 and when was he born?",
        "What thermal impedance does the TPX12 have in the SO package and what in the DIP package?",
        "At what voltage and at what current does the TPX12 run?",
        "Which part of the RAM does the QLC2144 keep for itself? How many bytes?",
        "What are the pros and cons of the TPX12?",
        "",
    ],
)
def test_what_is_one_question_stays_whole(question: str) -> None:
    assert conjuncts(question) == (question,)


def test_both_answers_are_given_with_their_own_citations() -> None:
    answerer = Answerer("shelf", sources_of(shelf()))
    answer = answerer.ask(
        "What is the maximum dropout voltage of the TPX12 and what is its typical supply current at VIN = 3 V?"
    )
    assert answer.short == "190 mV; 28 µA"
    assert answer.status is AnswerStatus.ANSWERED
    assert [one.n for one in answer.citations] == list(range(1, len(answer.citations) + 1))
    cited = {number for sentence in answer.sentences for number in sentence.citations}
    assert cited == {one.n for one in answer.citations}


def test_the_half_that_is_not_mentioned_is_named() -> None:
    answerer = Answerer("shelf", sources_of(shelf()))
    answer = answerer.ask("What is the maximum dropout voltage of the TPX12 and what is its thermal resistance?")
    assert answer.status is AnswerStatus.PARTIAL
    assert "190 mV" in answer.short
    assert "Not mentioned: What is the TPX12's thermal resistance?" in answer.text


def test_a_second_question_that_leaves_its_verb_out_does_not_stand_alone() -> None:
    question = "How long may the history be in the QX-11 manual and how long in the QX-8 one?"
    assert conjuncts(question) == (question,)
