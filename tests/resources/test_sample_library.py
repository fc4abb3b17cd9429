"""The committed sample library is what its generator makes, byte for byte, and says what its truth says."""

from __future__ import annotations

import json
from pathlib import Path

import pymupdf
import pytest

import resources
from tests.makers import sample_library
from tests.makers.sheets.describe import Sheet

_GOLDEN = sorted(sample_library.GOLDEN.glob("*.json"))


def test_library_and_truth_are_what_the_generator_makes() -> None:
    assert sample_library.differences() == []


def test_library_is_small_and_has_enough_documents() -> None:
    files = [path for path in resources.sample_library().rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 2_000_000
    assert len([path for path in files if path.suffix == ".pdf"]) >= 8


@pytest.mark.parametrize("path", _GOLDEN, ids=lambda path: path.stem)
def test_printed_lines_stand_in_their_boxes(path: Path) -> None:
    """The truth is checked against the PDF itself by a reader that knows nothing of the generator's layout."""
    told = json.loads(path.read_text(encoding="utf-8"))
    document = pymupdf.open(sample_library.LIBRARY / told["file"])
    pages = [_words(page) for page in document]
    sizes = [page.rect for page in document]
    labels = [page.get_label() or str(page.number + 1) for page in document]
    toc = [[level, title, page] for level, title, page in document.get_toc()]
    document.close()

    assert told["page_labels"] == labels
    assert all(sizes[number - 1].width > sizes[number - 1].height for number in told["turned"])
    if toc:
        assert toc == [[h["level"], h["title"], h["page"]] for h in told["headings"]]
    for number, _, text, box in told["printed"]:
        x0, y0, x1, y1 = box
        inside = "".join(w for w, x, y in pages[number - 1] if x0 <= x <= x1 and y0 <= y <= y1)
        assert _bare(text) in _bare(inside), f"page {number}: {text!r} is not in {box}, which holds {inside!r}"


def _words(page: pymupdf.Page) -> list[tuple[str, float, float]]:
    """Words with the middle of their box as displayed."""
    out = []
    for x0, y0, x1, y1, text, *_ in page.get_text("words"):
        box = pymupdf.Rect(x0, y0, x1, y1) * page.rotation_matrix
        out.append((text, (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2))
    return out


def _bare(text: str) -> str:
    return "".join(text.replace("\ufb01", "fi").split())


def test_questions_cover_every_type_and_cite_pages() -> None:
    lines = resources.read_text("sample_library", "questions.jsonl").splitlines()
    questions = [json.loads(line) for line in lines]
    types = {question["type"] for question in questions}
    assert len(questions) >= 40
    assert len({question["id"] for question in questions}) == len(questions)
    assert types == {
        "direct_fact",
        "section_constrained",
        "table",
        "comparison",
        "multi_hop",
        "colloquial",
        "unanswerable",
        "abstract",
    }
    for question in questions:
        assert question["gold"] or question["absent_terms"]


def test_a_quote_that_is_not_printed_is_refused() -> None:
    from tests.makers.parts import questions

    with pytest.raises(ValueError, match="does not say"):
        questions.dump({question.gold[0][0]: [(1, "nothing")] for question in questions.QUESTIONS if question.gold})


def test_a_changed_byte_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sheet: Sheet = sample_library.SHEETS[1]
    data, _ = sample_library.draw(sheet)
    path = tmp_path / "sheet.pdf"
    path.write_bytes(data.replace(b"%PDF-1", b"%PDF-2", 1))
    monkeypatch.setattr(sample_library, "ROOT", tmp_path)
    monkeypatch.setattr(sample_library, "LIBRARY", tmp_path / "none")
    monkeypatch.setattr(sample_library, "GOLDEN", tmp_path / "none")
    monkeypatch.setattr(sample_library, "outputs", lambda: iter([(path, data)]))
    assert sample_library.differences() == ["sheet.pdf"]


def test_loader_finds_resources_in_a_frozen_bundle(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "resources" / "sample_library").mkdir(parents=True)
    monkeypatch.setattr("sys._MEIPASS", str(tmp_path), raising=False)
    assert resources.sample_library() == tmp_path / "resources" / "sample_library"


def test_loader_says_what_is_missing() -> None:
    with pytest.raises(FileNotFoundError, match=r"icons/none\.svg is missing"):
        resources.find("icons", "none.svg")
