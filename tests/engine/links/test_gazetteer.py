"""Names of documents and the keys they are compared in."""

from __future__ import annotations

import pytest

from engine.core.ids import DocumentId
from engine.core.ports import NameKind
from engine.links.gazetteer import entries_of, phrase_key

DOCUMENT = DocumentId("d")


def kinds(title: str, *parts: str) -> dict[str, NameKind]:
    return {entry.key: entry.kind for entry in entries_of(DOCUMENT, title, parts)}


def test_parts_titles_and_shorter_forms() -> None:
    found = kinds("AVR360: Step Motor Controller", "AVR360")
    assert found["AVR360"] is NameKind.PART
    assert found["avr360 step motor controller"] is NameKind.TITLE
    assert found["step motor controller"] is NameKind.ALIAS


@pytest.mark.parametrize(
    ("part", "alias"), [("AT89S52", "89S52"), ("HD44780U", "44780"), ("74HC147", "74147"), ("SN74F147", "74147")]
)
def test_parts_are_known_without_the_makers_letters(part: str, alias: str) -> None:
    assert kinds("x y z", part)[alias] is NameKind.ALIAS


def test_short_numbers_are_no_aliases() -> None:
    assert set(kinds("x y z", "LM317")) == {"LM317", "x y z"}


def test_titles_without_the_parenthesis_and_before_the_comma() -> None:
    assert "brian tse" in kinds("Brian Tse (writer)")
    assert "hugh iv" in kinds("Hugh IV, Duke of Burgundy")
    assert "low noise" not in kinds("Low noise, precision amplifier")


def test_keys_ignore_case_and_punctuation() -> None:
    assert phrase_key("Princess Ra'ad (Writer)") == phrase_key("princess ra ad writer")


def test_an_empty_title_names_nothing() -> None:
    assert entries_of(DOCUMENT, "", ()) == ()


def test_numbers_that_run_along_every_page_are_names() -> None:
    facts = (
        "SBOS032C - JUNE 2003",
        "Rev. 2",
        "2487D-MICRO-6/08",
        "Copyright2000 Acme B.V.2007",
        "DS21298B-page 4",
        "2006 Acme",
    )
    found = {entry.key: entry.kind for entry in entries_of(DOCUMENT, "A title of words", (), (), facts)}
    assert found["SBOS032C"] is NameKind.ALIAS
    assert found["2487DMICRO608"] is NameKind.ALIAS
    assert len(found) == 3, "the title is the third"
