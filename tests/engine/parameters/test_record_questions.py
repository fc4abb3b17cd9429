"""Questions made from records: exactly answered, repeatable, and unanswerable only where the sheet is silent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.known import KnownQuestion, as_json
from engine.core.results import DocumentInfo
from engine.parameters.compute import answer_from_records
from engine.parameters.questions import questions_from_records
from tests.engine.parameters.conftest import LIMITS, Shelf
from tests.engine.parameters.tables import parsed, table

_PRINTED = "40 90 45 2.7 4.5 5.5 25 0.05 2 4 0.1 0.2 1 0.4 7 1.5 2.2 60 50 100"


def made(shelf: Shelf, text: str = _PRINTED, most: int = 300, seed: int = 0) -> tuple[KnownQuestion, ...]:
    def page_text(_document: DocumentInfo, _page: int) -> str:
        return text

    return questions_from_records(shelf.store, shelf.documents, page_text, lambda _document: text, most=most, seed=seed)


def of_kind(questions: tuple[KnownQuestion, ...], kind: str) -> list[KnownQuestion]:
    return [question for question in questions if question.kind == kind]


def test_every_exact_question_is_answered_by_the_record_it_was_made_from(shelf: Shelf) -> None:
    records = {record.id: record for record in shelf.store.records()}
    exact = of_kind(made(shelf), "exact")
    assert {"What is the maximum supply current (ICC) of the AX101 at VCC = 3 V?"} <= {one.question for one in exact}
    for question in exact:
        record = records[question.records[0]]
        assert question.answer == f"{record.value_raw} {record.unit_raw}"
        assert question.gold[0][1:] == (record.page, record.value_raw)


def test_pairs_name_the_part_with_the_clearly_higher_value(shelf: Shelf) -> None:
    answers = {one.question: one.answer for one in of_kind(made(shelf), "higher")}
    assert answers["Which has the higher maximum supply current, the AX101 or the AX102?"] == "AX102"
    assert "Which has the higher maximum supply current, the AX101 or the AX205?" in answers
    assert not any("maximum supply voltage" in question for question in answers), "equal values make no pair"


def test_what_a_sheet_names_in_its_text_is_never_asked_as_unanswerable(shelf: Shelf) -> None:
    asked = {one.question for one in of_kind(made(shelf), "unanswerable")}
    assert "What is the typical slew rate of the RG317?" in asked
    assert not any("slew rate" in question and "AX101" in question for question in asked)
    silent = of_kind(made(shelf, f"{_PRINTED} the slew rate is not tested"), "unanswerable")
    assert not any("slew rate" in one.question for one in silent)


@pytest.mark.parametrize("change", [{"confidence": 0.8}, {"doubts": ("the cell may belong to another row",)}])
def test_a_doubted_record_makes_no_question(shelf: Shelf, change: dict[str, object]) -> None:
    document = shelf.documents[0]
    doubted = [replace(record, **change) for record in shelf.store.records([document.id])]  # type: ignore[arg-type]
    shelf.store.put(document.id, doubted)
    assert not any("AX101" in one.question for one in of_kind(made(shelf), "exact"))


def test_a_value_that_does_not_stand_on_its_page_makes_no_question(shelf: Shelf) -> None:
    assert of_kind(made(shelf, "nothing printed here"), "exact") == []


def test_two_values_of_one_name_and_conditions_make_no_question(shelf: Shelf) -> None:
    rows = [("Gain", "A", "", "", "", "40", "V/V"), ("Gain", "A", "", "", "", "45", "V/V")]
    shelf.add(9, "QZ900 Amplifier", ("QZ900",), parsed([table(LIMITS, rows)]))
    assert not any("QZ900" in one.question for one in of_kind(made(shelf), "exact"))


def test_the_same_seed_makes_the_same_questions_and_each_kind_is_limited(shelf: Shelf) -> None:
    assert made(shelf, most=3, seed=1) == made(shelf, most=3, seed=1)
    assert all(len(of_kind(made(shelf, most=3), kind)) <= 3 for kind in ("exact", "higher", "unanswerable"))


def test_the_lines_have_the_form_of_the_question_files(shelf: Shelf) -> None:
    for question in made(shelf):
        line = as_json(question)
        assert line["type"] in ("exact", "higher", "unanswerable")
        assert ("absent_terms" in line) == (line["type"] == "unanswerable")
        assert bool(line["gold"]) != (line["type"] == "unanswerable")


def test_the_records_answer_their_own_questions_or_abstain(shelf: Shelf) -> None:
    for question in made(shelf):
        answer = answer_from_records(question.question, shelf.store, shelf.documents)
        if question.kind == "unanswerable":
            assert answer is None, question.question
        elif answer is not None:
            assert question.answer in answer.text, question.question
