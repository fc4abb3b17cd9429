"""Symbol fonts under anonymous names, and what letters of words must not suffer."""

from __future__ import annotations

from typing import Any

from engine.parse.glyphs import makes_words
from engine.parse.symbols import mark_symbol_fonts


def span(text: str, font: str) -> dict[str, Any]:
    return {"text": text, "font": font}


def read(spans: list[dict[str, Any]]) -> str:
    mark_symbol_fonts([{"lines": [{"spans": spans}]}])
    return "".join(s["text"].translate(s.get("signs", {})) for s in spans)


def test_operators_and_micro_of_anonymous_fonts() -> None:
    line = [
        span("b", "III00550"),
        span("40 to ", "III02400"),
        span("a", "III00550"),
        span("85, VCC", "III02400"),
        span("e", "III00550"),
        span("2 V, ", "III02400"),
        span("g", "III00550"),
        span("20 ", "III02400"),
        span("m", "III00920"),
        span("A", "III02400"),
    ]
    assert read(line) == "−40 to +85, VCC=2 V, ±20 µA"


def test_letters_that_are_variables_or_words_stay() -> None:
    assert read([span("a", "Times-Italic"), span("1 and ", "Times-Roman"), span("b", "Times-Italic")]) == "a1 and b"
    assert read([span("mA ", "III00920"), span("bag", "III00550"), span("e", "III00550")]) == "mA bage"
    assert read([span("m", "T3"), span(" long", "F1")]) == "m long"


def test_section_sign_before_a_temperature_scale_is_a_degree() -> None:
    assert read([span("at 25", "F1"), span("§", "F2"), span("C and 30§C", "F1")]) == "at 25°C and 30°C"
    assert read([span("see § 5 of", "F1"), span(" the law", "F1")]) == "see § 5 of the law"


def test_words_are_told_from_shifted_codes() -> None:
    prose = "The regulator keeps its output within two per cent over the whole range of input voltages and loads"
    assert makes_words(prose)
    assert not makes_words("".join(chr(ord(c) + 3) if c.isalpha() else c for c in prose))
