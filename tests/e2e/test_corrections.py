"""A corrected value stays corrected: through re-indexing, a new reader of records, and a new parser."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from engine import cli
from engine.api import Engine

Run = Callable[..., dict[str, Any]]
PARAMETER = "adjustment pin current"


@pytest.fixture
def run(engine: Engine, capsys: pytest.CaptureFixture[str]) -> Run:
    """A `sheaf` command of the sample library's home: its JSON object."""

    def run(*words: str, code: int = 0) -> dict[str, Any]:
        assert cli.main(["--home", str(engine.home.root), "--json", *words]) == code
        printed: dict[str, Any] = json.loads(capsys.readouterr().out)
        return printed

    return run


def the_cell(run: Run) -> dict[str, Any]:
    rows = run("compare", "sample", "--parameters", PARAMETER, "--documents", "shf317.pdf")["rows"]
    cells = [cell for row in rows for column in row["cells"] for cell in column if cell["kind"] == "max"]
    cells = [cell for cell in cells if "change" not in cell["parameter"].casefold()]
    assert len(cells) == 1
    found: dict[str, Any] = cells[0]
    return found


def holds(run: Run, engine: Engine, page: int) -> None:
    cell = the_cell(run)
    assert (cell["value"], cell["unit"], cell["corrected"], cell["page"]) == ("77", "nA", True, page)
    assert "SHF317" in {row["part"] for row in run("find", "sample", f"{PARAMETER} max < 100 nA")["rows"]}
    document = next(d for d in engine.documents("sample") if any(p.file == "shf317.pdf" for p in d.places))
    records = engine._session("sample").records.records([document.id])
    assert sum(record.corrected for record in records) == 1


def test_a_correction_shows_everywhere_and_outlives_the_reading_of_its_document(
    run: Run, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = the_cell(run)
    changed = run("correct", "sample", before["record"], "--value", "77", "--unit", "nA")["record"]
    assert changed["high"] == pytest.approx(77e-9)
    holds(run, engine, before["page"])
    for version in ("engine.stages.RECORDED_VERSION", "engine.session.PARSED_VERSION"):
        monkeypatch.setattr(version, "a newer one")
        run("index", "sample")
        holds(run, engine, before["page"])
    kept = run("correct", "sample")["corrections"]
    assert [(one["file"], one["printed"]) for one in kept] == [("shf317.pdf", before["value"])]
    assert run("correct", "sample", the_cell(run)["record"], "--withdraw")["withdrawn"] == 1
    run("index", "sample")
    after = the_cell(run)
    assert (after["value"], after["unit"], after["corrected"]) == (before["value"], before["unit"], False)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--value", "about ten"), "about ten is not a value"),
        (("--unit", "furlong"), "furlong is not a unit"),
        (("--limit", "most"), "most is no limit"),
        ((), "Nothing is to be corrected"),
    ],
)
def test_what_cannot_be_read_changes_nothing(run: Run, words: tuple[str, ...], told: str) -> None:
    before = the_cell(run)
    error = run("correct", "sample", before["record"], *words, code=2)["error"]
    assert told in error["message"]
    assert error["help"]
    assert the_cell(run) == before


def test_a_value_that_is_not_there_is_told(run: Run) -> None:
    assert run("correct", "sample", "f00d", "--value", "1", code=2)["error"]["code"] == "no-record"
