"""Follow-ups: what they stand for in their thread, and what an answer asked again says about its change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.agent.thread import changes, in_thread, resolved_question
from engine.answer import Answerer
from engine.core.results import Answer
from tests.engine.agent.shelf import shelf, sources_of


def ask(question: str, *earlier: Answer) -> Answer:
    return Answerer("shelf", sources_of(shelf())).ask(question, earlier=earlier)


SUPPLY = "What is the maximum supply current of the TPX12 at VIN = 5 V?"


@pytest.mark.parametrize(
    ("follow_up", "whole"),
    [
        ("and its dropout voltage?", "What is the TPX12's dropout voltage?"),
        ("What is its dropout voltage?", "What is the TPX12's dropout voltage?"),
        ("and the dropout voltage?", "What is the dropout voltage of the TPX12?"),
        ("what about the TPX14?", "What is the maximum supply current of the TPX14 at VIN = 5 V?"),
        ("and at 3 V?", "What is the maximum supply current of the TPX12 at VIN = 3 V?"),
        ("and the typical?", "What is the typical supply current of the TPX12 at VIN = 5 V?"),
        (
            "what about over temperature?",
            "What is the maximum supply current of the TPX12 at VIN = 5 V over temperature?",
        ),
        (
            "and in the SO-8 package?",
            "What is the maximum supply current of the TPX12 at VIN = 5 V in the SO-8 package?",
        ),
        ("In which package?", "In which package for the TPX12?"),
        ("Can it drive long lines?", "Can the TPX12 drive long lines?"),
        ("How much RAM does the QLC2144 have?", "How much RAM does the QLC2144 have?"),
        ("Which regulators are recommended?", "Which regulators are recommended?"),
    ],
)
def test_a_follow_up_is_made_whole(follow_up: str, whole: str) -> None:
    assert in_thread(follow_up, [ask(SUPPLY)]) == whole


def test_without_a_thread_a_question_stays_as_it_is() -> None:
    assert in_thread("and its dropout voltage?", []) == "and its dropout voltage?"


def test_follow_ups_are_answered_and_may_follow_one_another() -> None:
    first = ask(SUPPLY)
    second = ask("and at 3 V?", first)
    third = ask("and the typical?", first, second)
    assert (first.short, second.short, third.short) == ("45 µA", "40 µA", "28 µA")
    assert second.question == "and at 3 V?"
    assert third.steps[0].query == "What is the typical supply current of the TPX12 at VIN = 3 V?"
    assert resolved_question(third) == third.steps[0].query


def test_what_changed_is_said() -> None:
    before = replace(ask(SUPPLY), created="2026-01-02T03:04:05+00:00")
    assert changes(before, ask(SUPPLY)) == "The answer is as on 2026-01-02."
    other = changes(replace(before, short="44 µA"), ask(SUPPLY))
    assert other == "Changed since 2026-01-02: the answer was 44 µA, now it is 45 µA."
