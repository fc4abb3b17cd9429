"""Comparisons by code: who wins, by how much, and what is said where both are the same."""

from __future__ import annotations

from engine.answer import Answerer
from engine.core.model import SegmentKind
from engine.core.results import Answer, AnswerStatus
from tests.engine.agent.shelf import Shelf, sources_of


def ask(question: str) -> Answer:
    def piece(current: int, width: int) -> list[tuple[SegmentKind, str, str]]:
        table = (
            "| Parameter | Max | Unit |\n| --- | --- | --- |\n"
            f"| Standby supply current | {current} | µA |\n| Pulse width | {width} | ms |"
        )
        return [(SegmentKind.TABLE, "Characteristics", table)]

    library = Shelf(
        ("one.pdf", "QX1620 clock", ("QX1620",), piece(12, 3)), ("two.pdf", "QX1720 clock", ("QX1720",), piece(9, 3))
    )
    return Answerer("shelf", sources_of(library)).ask(question)


def test_the_winner_and_the_difference() -> None:
    answer = ask("Which has the lower maximum standby supply current, the QX1620 or the QX1720, and by how much?")
    assert answer.short == "QX1720, by 3 µA"
    assert "QX1620 12 µA" in answer.text
    assert {citation.place.file for citation in answer.citations} == {"one.pdf", "two.pdf"}


def test_a_margin_alone_is_answered_with_the_margin() -> None:
    answer = ask("By how much does the standby supply current of the QX1620 exceed that of the QX1720?")
    assert answer.short == "3 µA"


def test_equal_values_are_said_to_be_equal() -> None:
    answer = ask("Which has the longer pulse width, the QX1620 or the QX1720?")
    assert answer.short == "the same: 3 ms"


def test_nothing_is_asserted_where_the_question_names_no_property() -> None:
    for question in ("Which is faster, the QX1620 or the QX1720?", "Which is bigger, the QX1620 or the QX1720?"):
        answer = ask(question)
        assert answer.status is AnswerStatus.NOT_MENTIONED
        assert "names no property" in answer.text
        assert not answer.citations


def test_a_property_that_neither_gives_is_not_replaced_by_another() -> None:
    answer = ask("Which has the higher storage temperature, the QX1620 or the QX1720?")
    assert "has the higher" not in answer.text
