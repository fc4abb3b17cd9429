"""What the parser makes of the sample library against what its generator knows to be there."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

import pytest

from engine.core.model import BlockKind, PageStatus
from engine.core.text import fold
from tests.golden.open_differences import OPEN
from tests.golden.renew import IGNORE_VARIABLE
from tests.golden.sample_truth import CONTENT, NAMES, close, markdown, overlap, parsed, squeeze, truth


def documents(test: str) -> Callable[[Callable[[str], None]], Callable[[str], None]]:
    """Run a test on every document. Known differences must still differ: when one is mended its entry must go."""
    mend = pytest.mark.xfail(strict=True, reason="known difference; if it passes: python -m tests.golden.renew")
    known = () if os.environ.get(IGNORE_VARIABLE) else OPEN.get(test, ())
    cases = [pytest.param(name, marks=[mend] if name in known else []) for name in NAMES]
    marked: Callable[[Callable[[str], None]], Callable[[str], None]] = pytest.mark.parametrize("name", cases)
    return marked


_MARKUP = re.compile(r"[\s|#*_`>\-]*")


@documents("test_outline")
def test_outline(name: str) -> None:
    """Titles, levels, pages and paths of all headings, in reading order, and nothing else."""
    told = [(fold(h["title"]), h["level"], h["page"], [fold(t) for t in h["path"]]) for h in truth(name)["headings"]]
    found = [(fold(h.title), h.level, h.page, [fold(t) for t in h.path]) for h in parsed(name).headings]
    assert found == told


@documents("test_parents_and_places_of_headings")
def test_parents_and_places_of_headings(name: str) -> None:
    told = truth(name)["headings"]
    found = parsed(name).headings
    assert [h.parent for h in found] == [h["parent"] for h in told]
    for heading, true in zip(found, told):
        assert heading.box is not None
        assert close(heading.box, true["box"], 4.0), f"{heading.title}: {heading.box} is not {true['box']}"


@documents("test_title")
def test_title(name: str) -> None:
    if not truth(name)["title"]:
        pytest.skip("a scanned document prints no title as text")
    assert fold(parsed(name).title) == fold(truth(name)["title"])


@documents("test_page_labels_sizes_and_scanned_pages")
def test_page_labels_sizes_and_scanned_pages(name: str) -> None:
    told = truth(name)
    pages = parsed(name).pages
    assert [page.label for page in pages] == told["page_labels"]
    assert [page.number for page in pages if page.width > page.height] == told["turned"]
    wanting = [page.number for page in pages if page.status in (PageStatus.NEEDS_OCR, PageStatus.OCR)]
    assert wanting == told["needs_ocr"]


@documents("test_running_headers_are_facts_once_and_not_content")
def test_running_headers_are_facts_once_and_not_content(name: str) -> None:
    told = truth(name)
    if told["pages"] == 1 or told["needs_ocr"]:
        return
    steady = [fold(text) for text in told["facts"] if "{" not in text]
    facts = [fold(fact) for fact in parsed(name).facts]
    for text in steady:
        assert sum(text in fact for fact in facts) >= 1
    running = [(page, text, box) for page, kind, text, box in told["printed"] if kind == "running"]
    for block in parsed(name).blocks:
        for line in block.lines:
            for page, text, box in running:
                assert line.page != page or not overlap(line.box, box), f"{text!r} on page {page} is content"


@documents("test_reading_order")
def test_reading_order(name: str) -> None:
    """Every paragraph and list item is whole, in the order in which it reads, under its heading."""
    document = parsed(name)
    kinds = {BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.CODE, BlockKind.NOTE}
    found = [(squeeze(block.text), block.heading) for block in document.blocks if block.kind in kinds]
    at = 0
    for text in truth(name)["texts"]:
        wanted = squeeze(text["text"])
        places = [i for i in range(at, len(found)) if wanted in found[i][0]]
        assert places, f"not whole or out of order: {text['text']!r}"
        at = places[0]
        assert found[at][1] == text["heading"], f"under another heading: {text['text']!r}"


@documents("test_table_cells")
def test_table_cells(name: str) -> None:
    """Every table once, joined over pages, each cell's text where it belongs, blanks blank, spans marked."""
    told = truth(name)["tables"]
    found = parsed(name).tables
    assert [len(table.rows) for table in found] == [len(table["rows"]) for table in told]
    for table, true in zip(found, told):
        for row, true_row in zip(table.rows, true["rows"]):
            assert [fold(cell.text) for cell in row.cells] == [fold(cell["text"]) for cell in true_row["cells"]]
            assert [cell.inherited for cell in row.cells] == [cell["inherited"] for cell in true_row["cells"]]
            assert fold(row.section) == fold(true_row["section"])
            assert row.page == true_row["page"]
            assert not any(cell.doubtful for cell in row.cells)


@documents("test_table_headers")
def test_table_headers(name: str) -> None:
    """Names, roles and spanning headers of columns, captions, notes and the heading a table stands under."""
    told = truth(name)["tables"]
    found = parsed(name).tables
    assert len(found) == len(told)
    for table, true in zip(found, told):
        assert [fold(c.name) for c in table.columns] == [fold(c["name"]) for c in true["columns"]]
        assert [c.role.value for c in table.columns] == [c["role"] for c in true["columns"]]
        assert [[fold(g) for g in c.group] for c in table.columns] == [
            [fold(g) for g in c["group"]] for c in true["columns"]
        ]
        assert table.heading == true["heading"]
        assert [fold(note) for note in table.notes] == [fold(note) for note in true["notes"]]
        if true["caption"]:
            assert fold(table.caption) == fold(true["caption"])


@documents("test_table_cells_lie_in_their_boxes")
def test_table_cells_lie_in_their_boxes(name: str) -> None:
    for table, true in zip(parsed(name).tables, truth(name)["tables"]):
        for row, true_row in zip(table.rows, true["rows"]):
            for cell, told in zip(row.cells, true_row["cells"]):
                if told["box"] is not None and squeeze(cell.text) == squeeze(told["text"]):
                    assert cell.box is not None
                    assert overlap(cell.box, told["box"]), f"{cell.text!r} at {cell.box}, printed at {told['box']}"


@documents("test_figures")
def test_figures(name: str) -> None:
    told = [(figure["number"], figure["page"], figure["heading"]) for figure in truth(name)["figures"]]
    found = [(f.number.removeprefix("Figure").strip(" ."), f.page, f.heading) for f in parsed(name).figures]
    assert found == told
    for figure, true in zip(parsed(name).figures, truth(name)["figures"]):
        assert fold(figure.caption) == fold(true["caption"])
        assert overlap(figure.box, true["box"])


@documents("test_page_map")
def test_page_map(name: str) -> None:
    """Every printed line of content is in the markdown, and its characters lead back to its page and place."""
    document = markdown(name)
    for page, kind, text, box in truth(name)["printed"]:
        if kind not in CONTENT:
            continue
        near = [a for a in document.anchors if a.page == page and a.box is not None and overlap(a.box, box)]
        said = squeeze("".join(document.text[anchor.start : anchor.end] for anchor in near))
        assert squeeze(text) in said, f"page {page}: {text!r} does not lead back to {box}"


@documents("test_page_map_leaves_nothing_out")
def test_page_map_leaves_nothing_out(name: str) -> None:
    document = markdown(name)
    at = 0
    for anchor in document.anchors:
        assert anchor.start >= at
        assert _MARKUP.fullmatch(document.text[at : anchor.start])
        at = anchor.end
    assert _MARKUP.fullmatch(document.text[at:])
