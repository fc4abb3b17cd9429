"""The checked questions have the agreed shape; that they are true is checked by tests/benchmarks/check_questions.py."""

from __future__ import annotations

import json
from collections import Counter

from tests.meta.committed import ROOT

_FILE = ROOT / "tests" / "benchmarks" / "questions" / "datasheets.jsonl"
_QUESTIONS = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()]


def test_there_are_enough_of_every_kind() -> None:
    types = Counter(question["type"] for question in _QUESTIONS)
    assert len(_QUESTIONS) >= 150
    assert types["unanswerable"] >= 30
    assert min(types["table"], types["comparison"], types["multi_hop"]) >= 14


def test_no_question_is_asked_twice() -> None:
    assert len({question["id"] for question in _QUESTIONS}) == len(_QUESTIONS)
    assert len({question["question"].casefold() for question in _QUESTIONS}) == len(_QUESTIONS)


def test_half_of_each_kind_is_held_out() -> None:
    halves = Counter((question["type"], question["split"]) for question in _QUESTIONS)
    for kind in {question["type"] for question in _QUESTIONS}:
        assert 0 <= halves[kind, "dev"] - halves[kind, "held_out"] <= 1


def test_each_is_answered_by_a_page_or_said_to_be_absent() -> None:
    for question in _QUESTIONS:
        if question["type"] == "unanswerable":
            assert question["gold"] == []
            assert question["absent_terms"]
        else:
            assert all(gold["page"] >= 1 and 0 < len(gold["quote"]) <= 120 for gold in question["gold"])
            assert question["answer"]
