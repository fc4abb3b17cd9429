"""How word processors and translators set tables: shaded paragraphs, broken headers, tall cells, lost glyphs."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from engine.core.model import ColumnRole
from engine.parse import mupdf
from engine.parse.layout import Rule
from engine.parse.pdf import page_layout
from engine.parse.shades import inset_shades
from engine.parse.table_roles import named_glyphs, role_of
from engine.parse.tables import find_tables
from tests.engine.parse.test_tables import HEADER, XS, grid, page, put, row_words


def _shade(
    x0: float, y0: float, x1: float, y1: float, color: int = 0xC0C0C0, stroked: bool = False
) -> dict[str, object]:
    return {"type": 3, "isrect": True, "stroked": False, "alpha": 255, "color": color, "bbox": (x0, y0, x1, y1)}


def test_the_shade_of_a_paragraph_inside_a_shaded_cell_is_no_cell() -> None:
    cell, paragraph = _shade(85, 135, 139, 147), _shade(90, 135, 134, 147.2)
    assert inset_shades([cell, paragraph]) == {1}
    assert inset_shades([paragraph, cell]) == {0}


@pytest.mark.parametrize(
    "other",
    [_shade(90, 135, 134, 147, color=0xFF0000), _shade(90, 135, 110, 147), _shade(90, 135, 134, 170)],
    ids=["another colour", "part of its width", "reaching below"],
)
def test_other_boxes_inside_a_cell_keep_their_edges(other: dict[str, object]) -> None:
    assert inset_shades([_shade(85, 135, 139, 147), other]) == frozenset()


def test_a_shaded_header_of_a_word_processor_adds_no_columns(tmp_path: Path) -> None:
    fitz = mupdf.load()
    document = fitz.open()
    sheet = document.new_page()
    xs = [85.0, 140.0, 300.0, 360.0, 420.0, 480.0]
    for left, right in itertools.pairwise(xs):
        for inset in (0.0, 5.0):
            box = fitz.Rect(left + inset, 100, right - inset, 114)
            sheet.draw_rect(box, color=None, fill=(0.75, 0.75, 0.75), width=0)
    rows = [["Symbol", "Parameter", "Min.", "Max.", "Unit"], ["VDD", "Logic supply", "-0.3", "4.0", "V"]]
    for y in (100, 114, 128):
        sheet.draw_line((xs[0], y), (xs[-1], y), width=0.5)
    for x in xs:
        sheet.draw_line((x, 100), (x, 128), width=0.5)
    for line, texts in enumerate(rows):
        for x, text in zip(xs, texts):
            sheet.insert_text((x + 7, 110 + 14 * line), text, fontsize=8)
    (table,) = find_tables(page_layout(sheet))
    assert [column.name for column in table.columns] == rows[0]
    assert [cell.text for cell in table.rows[0].cells] == rows[1]


@pytest.mark.parametrize(
    ("header", "role"),
    [
        ("Minimu m", ColumnRole.MIN),
        ("Maxi mum", ColumnRole.MAX),
        ("Prameter", ColumnRole.PARAMETER),
        ("Smybol", ColumnRole.SYMBOL),
        ("Max BC548 / A / B / C", ColumnRole.MAX),
        ("Max. Power", ColumnRole.OTHER),
        ("Diameter", ColumnRole.OTHER),
        ("Perimeter", ColumnRole.OTHER),
    ],
)
def test_headers_broken_over_lines_or_misspelt(header: str, role: ColumnRole) -> None:
    assert role_of(header) is role


def test_numbers_between_min_and_max_are_typical_however_spelt() -> None:
    head = [text if text != "Typ" else "Tpy" for text in HEADER]
    words = row_words(104, head) + row_words(124, ["Hysteresis", "VH", "1", "2", "3", "V"])
    (table,) = find_tables(page(words, grid(XS, [100, 120, 140])))
    assert table.columns[3].role is ColumnRole.TYP


def test_a_text_beside_rows_of_its_own_is_one_text_where_a_line_goes_on_in_the_next() -> None:
    words = row_words(104, HEADER)
    for i, text in enumerate(["Segment current,", "Display on,", "panel off"]):
        words += put(54, 124 + 20 * i, text)
    for i, value in enumerate(["100", "69", "25"]):
        words += put(334, 124 + 20 * i, value) + put(384, 124 + 20 * i, "uA")
    rules = grid(XS, [100, 120, 180]) + [Rule(280, y, 440, y) for y in (140.0, 160.0)]
    (table,) = find_tables(page(words, rules))
    assert [row.cells[0].text for row in table.rows] == ["Segment current, Display on, panel off"] * 3


def test_a_note_mark_below_a_value_starts_no_row() -> None:
    words = row_words(104, HEADER) + row_words(124, ["Frame rate", "FFRM", "", "", "77", "Hz"]) + put(334, 138, "(2)")
    words += row_words(164, ["Reset", "RES", "3", "", "", "us"])
    (table,) = find_tables(page(words, grid(XS, [100, 120, 160, 180])))
    assert [row.cells[4].text for row in table.rows] == ["77 (2)", ""]


@pytest.mark.parametrize(
    ("text", "role", "read"),
    [
        ("\ufffdA", ColumnRole.UNIT, "\u00b5A"),
        ("k\ufffd", ColumnRole.UNIT, "k\u03a9"),
        ("\ufffd", ColumnRole.MIN, "\u2212"),
        ("\ufffd0.4", ColumnRole.MIN, "\ufffd0.4"),
        ("\ufffdA", ColumnRole.PARAMETER, "\ufffdA"),
    ],
)
def test_glyphs_that_only_one_sign_can_be(text: str, role: ColumnRole, read: str) -> None:
    assert named_glyphs(text, role) == read
