"""The main job on the sample library, from its folder to a cited answer, with the real search models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import resources
from engine.api import Engine
from engine.core.model import PageStatus
from engine.core.results import AnswerStatus, DocumentStatus
from engine.core.text import fold

_QUESTIONS = [json.loads(line) for line in resources.read_text("sample_library", "questions.jsonl").splitlines()]
_FACTS = [question for question in _QUESTIONS if question["type"] == "direct_fact"]


def test_every_file_is_indexed_or_listed_with_a_reason(engine: Engine) -> None:
    documents = engine.documents("sample")
    files = {place.file for document in documents for place in document.places}
    folder = resources.sample_library()
    wanted = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.suffix in (".pdf", ".md", ".html")}
    assert files == {name.replace("\\", "/") for name in wanted}
    assert {document.status for document in documents} == {DocumentStatus.INDEXED}


def test_a_scanned_report_is_read(engine: Engine) -> None:
    hits = engine.search("sample", "lot 0417 worst offset voltage", k=3).hits
    found = [hit for hit in hits if hit.places[0].file == "notes/lot report 0417.pdf"]
    assert found
    page = engine.page("sample", found[0].segment.document, 1)
    assert page is not None
    assert page.status is PageStatus.OCR
    assert "402" in page.text


@pytest.mark.parametrize("question", _FACTS, ids=lambda question: str(question["id"]))
def test_a_plain_fact_is_found_on_its_page(engine: Engine, question: dict[str, object]) -> None:
    gold = question["gold"]
    assert isinstance(gold, list)
    wanted = {(place["file"], place["page"]) for item in gold for place in (item, *item.get("also", []))}
    hits = engine.search("sample", str(question["question"]), k=5).hits
    assert wanted & {(hit.places[0].file, page) for hit in hits for page in hit.segment.pages}


def test_a_quoted_answer_cites_words_that_stand_on_the_page(engine: Engine) -> None:
    answer = engine.ask("sample", str(_FACTS[0]["question"]), quoted=True)
    assert answer.status is AnswerStatus.ANSWERED
    assert "40,000" in answer.text
    assert answer.citations
    for citation in answer.citations:
        page = engine.page("sample", citation.document, citation.page)
        assert page is not None
        assert "".join(fold(citation.quote).split()) in "".join(fold(page.text).split())


def test_answers_are_kept_and_exported_with_their_citations(engine: Engine, tmp_path: Path) -> None:
    answer = engine.ask("sample", "Which mounting torque does the SHF337 need?", quoted=True)
    assert answer.status is AnswerStatus.NOT_MENTIONED
    assert engine.answer(answer.id) == answer
    engine.export(answer.id, "md", tmp_path / "answer.md")
    assert "mounting torque" in (tmp_path / "answer.md").read_text(encoding="utf-8")


def test_of_two_revisions_the_newest_answers_and_both_say_which_they_are(engine: Engine) -> None:
    revisions = {one.places[0].file: one.revision for one in engine.documents("sample") if one.revision is not None}
    assert set(revisions) == {"shf317.pdf", "archive/shf317_rev_a.pdf"}
    newest, older = revisions["shf317.pdf"], revisions["archive/shf317_rev_a.pdf"]
    assert (newest.number, older.number) == (2, 1)
    hits = engine.search("sample", "SHF317 maximum input to output voltage differential", k=6).hits
    order = [hit.places[0].file for hit in hits]
    assert order[0] == "shf317.pdf"
    assert "archive/shf317_rev_a.pdf" not in order[:3]
    asked = engine.search("sample", "Output current of the SHF317 in revision A", k=3).hits
    assert asked[0].places[0].file == "archive/shf317_rev_a.pdf"
    answer = engine.ask(
        "sample", "What does the revision history of the SHF317 say about the output current?", quoted=True
    )
    assert any("revision C of 2 revisions" in warning for warning in answer.warnings)


@pytest.mark.parametrize(
    "question", ["thermal resistance of SHF337 in TO-220", "What is the RθJC of the SHF337 in TO-220?"]
)
def test_a_sheet_without_the_value_never_borrows_a_siblings(engine: Engine, question: str) -> None:
    assert engine.ask("sample", question, quoted=True).status is AnswerStatus.NOT_MENTIONED


@pytest.mark.parametrize(
    ("part", "package", "value"), [("SHF317L", "SO-8", "119 °C/W"), ("SHF317L", "TO-92", "157 °C/W")]
)
def test_a_package_has_its_own_thermal_value(engine: Engine, part: str, package: str, value: str) -> None:
    answer = engine.ask(
        "sample", f"What junction-to-ambient thermal resistance has the {part} in {package}?", quoted=True
    )
    assert answer.short == value
