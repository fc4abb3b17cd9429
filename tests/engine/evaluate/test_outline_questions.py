"""Questions made from outlines: what a section alone speaks of, where it begins, and what only other sheets have."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.ids import DocumentId, SegmentId
from engine.core.known import KnownQuestion, as_json
from engine.core.model import Segment, SegmentKind
from engine.core.results import DocumentInfo, DocumentStatus, Place
from engine.evaluate.outlines import questions_from_outlines

Sheets = Mapping[str, list[tuple[str, int, str]]]

_SHEETS: Sheets = {
    "QX100": [
        ("Register Map", 2, "The EOSC bit starts the oscillator. Clear EOSC at power-up. See also BSQW."),
        ("Power Control", 5, "BSQW selects the output. BSQW is cleared at reset."),
        ("Alarm Registers", 6, "Alarms are set here."),
    ],
    "QX200": [("Alarm Registers", 3, "Alarms."), ("Power Control", 4, "Power. EOSC is absent.")],
    "QX300": [("Register Map", 1, "Registers."), ("Power Control", 2, "Power.")],
}


def _made(sheets: Sheets, most: int = 300, seed: int = 0) -> tuple[KnownQuestion, ...]:
    documents, segments = [], {}
    for number, (part, sections) in enumerate(sheets.items()):
        identity = DocumentId(f"{number:064d}")
        place = (Place("/lib", f"{part}.pdf"),)
        documents.append(DocumentInfo(identity, part, "pdf", DocumentStatus.INDEXED, place, 9, 1, parts=(part,)))
        segments[identity] = [
            Segment(SegmentId(f"{part}{n}"), identity, n, SegmentKind.TEXT, part, (title,), text, text, page, (page,))
            for n, (title, page, text) in enumerate(sections)
        ]
    texts = {i: " ".join(f"{s.path[-1]} {s.text}" for s in found) for i, found in segments.items()}
    return questions_from_outlines(documents, segments.__getitem__, lambda d: texts[d.id], most, seed)


def test_a_term_that_one_section_describes_is_asked_for_by_its_section() -> None:
    (asked,) = [one for one in _made(_SHEETS) if one.kind == "section"]
    assert asked.question == "In which section of the QX100 data sheet is EOSC described?"
    assert asked.answer == "Register Map"
    assert asked.gold == (("QX100.pdf", 2, "EOSC"),)


def test_sections_are_asked_for_by_the_page_they_begin_on() -> None:
    pages = {one.question: one.answer for one in _made(_SHEETS) if one.kind == "page"}
    assert pages['On which page of the QX100 data sheet does the section "Power Control" begin?'] == "page 5"
    assert len(pages) == 7


def test_a_section_of_other_sheets_that_this_one_names_nowhere_cannot_be_answered() -> None:
    absent = {(one.document, one.absent) for one in _made(_SHEETS) if one.kind == "unanswerable"}
    assert absent == {("QX200.pdf", ("Register Map",)), ("QX300.pdf", ("Alarm Registers",))}
    assert all(as_json(one)["absent_terms"] for one in _made(_SHEETS) if one.kind == "unanswerable")


def test_the_choice_is_by_seed_and_a_shared_part_is_not_asked_about() -> None:
    assert _made(_SHEETS, most=1) == _made(_SHEETS, most=1)
    assert {one.kind for one in _made(_SHEETS, most=1)} == {"section", "page", "unanswerable"}
    assert len(_made(_SHEETS, most=1)) == 3
