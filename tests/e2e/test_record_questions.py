"""`sheaf eval questions` on the sample library: JSON lines whose every value stands on the page they name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import cli
from engine.api import Engine
from engine.core.text import fold


def test_questions_from_records_are_written_as_json_lines(
    engine: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "questions.jsonl"
    words = ["eval", "questions", "sample", "--from", "records", "--most", "60", "-o", str(output)]
    assert cli.main(["--home", str(engine.home.root), *words]) == 0
    assert "Wrote" in capsys.readouterr().out
    questions = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    kinds = {question["type"] for question in questions}
    assert kinds == {"exact", "higher", "unanswerable"}
    files = {place.file: document.id for document in engine.documents("sample") for place in document.places}
    for question in questions:
        for gold in question["gold"]:
            page = engine.page("sample", files[gold["file"]], gold["page"])
            assert page is not None
            assert fold(gold["quote"]) in fold(page.text)


def test_a_library_that_was_never_indexed_says_what_to_do(
    engine: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine.add_library("new", [tmp_path])
    assert cli.main(["--home", str(engine.home.root), "eval", "questions", "new", "--from", "records"]) == 2
    assert "sheaf index new" in capsys.readouterr().err
