"""What a document is about: several kinds of evidence, not one mention."""

from __future__ import annotations

from engine.core.model import FileKind, Heading, PageInfo, ParsedDocument
from engine.links.identifiers import about_parts


def document(
    title: str, *pages: str, facts: tuple[str, ...] = (), headings: tuple[str, ...] = (), metadata_title: str = ""
) -> ParsedDocument:
    return ParsedDocument(
        kind=FileKind.PDF,
        title=title,
        headings=tuple(Heading(text, 1, 1, (text,)) for text in headings),
        blocks=(),
        tables=(),
        figures=(),
        pages=tuple(PageInfo(n, str(n), 595, 842, text) for n, text in enumerate(pages, start=1)),
        facts=facts,
        metadata={"title": metadata_title},
    )


def test_the_titles_part_and_not_the_replacement_it_names() -> None:
    parsed = document(
        "8-bit Microcontroller AT89C51", "AT89C51\nNot Recommended for New Designs. Use AT89S51.", "The AT89C51 runs."
    )
    assert about_parts(parsed) == ("AT89C51",)


def test_headers_speak_where_the_title_does_not() -> None:
    parsed = document(
        "INTEGRATED CIRCUITS", "DATA SHEET\n74F148", "text 74F148", facts=("8-input priority encoder 74F148",)
    )
    assert about_parts(parsed) == ("74F148",)


def test_a_number_that_opens_every_page_is_enough() -> None:
    assert about_parts(document("Application Note", "AVR202: Arithmetics", "AVR202", "AVR202")) == ("AVR202",)


def test_lists_in_titles_are_taken_apart_in_order() -> None:
    parsed = document("LPC2141/42/44 microcontrollers", "LPC2141/42/44 microcontrollers with 16-bit/32-bit core")
    assert about_parts(parsed) == ("LPC2141", "LPC2142", "LPC2144")


def test_literature_numbers_and_revisions_are_not_parts() -> None:
    parsed = document(
        "AN10356 Entering ISP mode",
        "AN10356 Entering ISP mode. SCHS046B",
        "AN10356_3 SCHS046B",
        "AN10356_3 SCHS046B",
        facts=("AN10356_3", "SCHS046B"),
    )
    assert about_parts(parsed) == ("AN10356",)


def test_pins_packages_standards_and_counts_are_not_parts() -> None:
    text = "P0.14 TO-92 SOT23 DIP14 RS-232 IEC 60601-1-2 I2C 16-bit 1-Wire 10-to-4 24-SEP-2007 VCC1"
    assert about_parts(document(text, text, text, facts=(text,))) == ()


def test_a_keyword_that_is_never_printed_is_not_believed() -> None:
    parsed = document(
        "Priority Encoder", "MC14532B encoder", "MC14532B", facts=("MC14532B",), metadata_title="CD4532 Datasheet"
    )
    assert about_parts(parsed) == ("MC14532B",)


def test_a_part_in_an_adjective_counts() -> None:
    assert about_parts(document("How to control a HD44780-based LCD", "How to control a HD44780-based LCD")) == (
        "HD44780",
    )


def test_an_empty_document_is_about_nothing() -> None:
    assert about_parts(document("")) == ()
