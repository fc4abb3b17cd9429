"""Glyphs whose code and meaning differ, rulings whose pen is broader than long."""

from __future__ import annotations

from types import SimpleNamespace

from engine.core.model import Box
from engine.parse.glyphs import clean, controls, greek, is_greek_font
from engine.parse.layout import Rule
from engine.parse.pens import broad_strokes, is_pen, maybe_pen


def test_latin_letters_of_the_symbol_font_are_greek() -> None:
    assert is_greek_font("ABCDEF+Symbol")
    assert not is_greek_font("SegoeUISymbolic")
    assert greek("m") == "µ"
    assert greek("W") == "Ω"
    assert greek("25") == "25"


def test_an_unmapped_glyph_before_c_is_a_degree() -> None:
    assert clean("–55\ufffdC") == "–55°C"
    assert clean("125 §C") == "125 °C"
    assert clean("2\ufffd0V") == "2\ufffd0V"


def test_a_glyph_known_only_by_a_control_code_is_unmapped_not_nothing() -> None:
    assert clean("2\x010V") == "2\ufffd0V"
    assert controls("2\x010V\n") == 1


def test_a_short_stroke_with_a_broad_pen_is_a_ruling_across_it() -> None:
    drawing = {"type": "s", "items": [("l", (100.0, 300.0), (100.5, 300.0))], "width": 80.0}
    page = SimpleNamespace(get_cdrawings=lambda: [drawing])
    ((rule, boxes),) = broad_strokes(page)
    assert rule == Rule(100.25, 260.0, 100.25, 340.0)
    assert Box(60.0, 260.0, 140.5, 340.0) in boxes
    square = {"bbox": (60.0, 260.0, 140.5, 340.0), "stroked": True}
    assert maybe_pen(square)
    assert is_pen(square, [(rule, boxes)], 612, 792)
    assert not is_pen({"bbox": (60.0, 200.0, 140.5, 280.0)}, [(rule, boxes)], 612, 792)
