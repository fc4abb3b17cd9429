"""Which documents are revisions of one another, in what order, and which of them a question means."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.core.ids import DocumentId
from engine.core.model import FileKind, PageInfo, ParsedDocument
from engine.core.ports import Visible
from engine.core.revision_ports import RevisionEntry
from engine.links.revision_marks import asked_codes, asks_for_older, code_key, mark_of
from engine.links.revisions import RevisionIndex, families_of, revision_entry


def parsed(title: str, *lines: str, facts: Sequence[str] = (), body: str = "") -> ParsedDocument:
    page = PageInfo(1, "1", 612, 792, "\n".join((title, *lines, body)))
    return ParsedDocument(FileKind.PDF, title, (), (), (), (), (page,), tuple(facts))


def text(seed: int, changed: int = 0) -> str:
    """Twelve paragraphs of their own; the first `changed` are another revision's."""
    words = [f"w{seed}x{n}" for n in range(240)]
    words[: changed * 20] = [f"new{seed}x{n}" for n in range(changed * 20)]
    return " ".join(words)


def entry(name: str, title: str, body: str, *facts: str, parts: Sequence[str] = ("LM417",)) -> RevisionEntry:
    return revision_entry(DocumentId(name), parsed(title, facts=facts, body=body), parts, [body])


def order(*entries: RevisionEntry) -> list[list[str]]:
    return [[one.document for one in family] for family in families_of(entries)]


@pytest.mark.parametrize(
    ("line", "code", "date"),
    [
        ("Rev. 03 — 13 September 2006", "03", "2006-09-13"),
        ("Rev. A2, August 2002", "A2", "2002-08"),
        ("REV. 0", "0", ""),
        ("Rev 4; 12/06", "4", "2006-12"),
        ("Rev. 0265G–02/00", "G", "2000-02"),
        ("1919C–MICRO–3/05", "C", "2005-03"),
        ("SNOSC16B –MAY 2004–REVISED SEPTEMBER 2004", "B", "2004-09"),
        ("SLVS044 – SEPTEMBER 1997", "", "1997-09"),
        ("DS21298B-page", "B", ""),
        ("V 2.1, 2011-05", "2.1", "2011-05"),
        ("Issue 3", "3", ""),
        ("1997 May 29", "", "1997-05-29"),
        ("REV: 121906", "", "2006-12-19"),
        ("16-bit, 1/2 duty, 2.0 V to 5.5 V", "", ""),
        ("Revision history", "", ""),
        ("reverse 5 V protection", "", ""),
    ],
)
def test_marks_as_makers_print_them(line: str, code: str, date: str) -> None:
    mark = mark_of(parsed("LM417", "one line", line, "another"))
    assert (mark.code, mark.date) == (code, date)


def test_codes_grow_through_numbers_and_letters() -> None:
    codes = ["", "0", "0.9", "03", "10", "A", "A2", "B", "AA"]
    assert sorted({*codes}, key=code_key) == codes


def test_mostly_equal_documents_of_one_part_are_revisions_in_the_order_of_their_codes() -> None:
    found = order(
        entry("c", "LM417 Regulator", text(1, 4), "Rev. C"),
        entry("a", "LM417 Regulator", text(1), "Rev. A"),
        entry("b", "LM417 Regulator", text(1, 2), "Rev. B"),
    )
    assert found == [["a", "b", "c"]]


def test_dates_order_what_codes_do_not() -> None:
    found = order(
        entry("new", "LM417 Regulator", text(1, 2), "Rev. 1", "March 2019"),
        entry("old", "LM417 Regulator", text(1), "Rev. D", "June 2012"),
    )
    assert found == [["old", "new"]]


def test_a_short_first_edition_is_a_revision_where_the_titles_agree() -> None:
    long = text(1) + " " + text(2) + " " + text(3) + " " + text(4)
    first = entry("a", "LM417 1.2-A Adjustable Regulator", text(1), "Rev. A")
    assert order(first, entry("c", "LM417 1.4-A Adjustable Regulator", long, "Rev. C")) == [["a", "c"]]
    assert order(first, entry("e", "LM417 family errata", long, "Rev. C")) == []


@pytest.mark.parametrize(
    "other",
    [
        entry("x", "LM417 Regulator", text(9), "Rev. B"),  # another maker's sheet
        entry("x", "LM417L Regulator", text(1, 2), "Rev. B", parts=("LM417L", "LM417")),  # a look-alike
        entry("x", "LM417 Regulator", text(1, 2)),  # no mark tells the order
        entry("x", "LM417 Regulator", text(1, 2), "Rev. A"),  # the same revision, printed anew
        entry("x", "LM417 Regulator", "", "Rev. B"),  # a scan without text
    ],
)
def test_what_is_no_revision(other: RevisionEntry) -> None:
    assert order(entry("a", "LM417 Regulator", text(1), "Rev. A"), other) == []


class _Library:
    def __init__(self, *entries: RevisionEntry) -> None:
        self.held = list(entries)
        self.state = 1

    def entries(self) -> list[RevisionEntry]:
        return self.held

    def visible(self) -> Visible:
        return Visible(self.state, {}, {})


@pytest.fixture
def library() -> _Library:
    return _Library(
        entry("a", "LM417 Regulator", text(1), "Rev. A, June 2012"),
        entry("b", "LM417 Regulator", text(1, 2), "Rev. B, May 2015"),
        entry("z", "LM999 Timer", text(5), "Rev. A", parts=("LM999",)),
    )


@pytest.mark.parametrize(
    ("question", "outdated"),
    [
        ("What is the dropout of the LM417?", {"a": "b"}),
        ("What is the dropout of the LM417 in its current revision?", {"a": "b"}),
        ("What is the dropout in revision A of the LM417?", {"b": "a"}),
        ("And by the 2012 sheet?", {"b": "a"}),
        ("How do revisions A and B differ?", {}),
        ("What did the older data sheet say?", {}),
        ("What changed between the two?", {}),
    ],
)
def test_which_revision_a_question_means(library: _Library, question: str, outdated: dict[str, str]) -> None:
    index = RevisionIndex(library, library)
    assert dict(index.outdated(question)) == outdated


def test_revisions_say_which_they_are_and_follow_the_library(library: _Library) -> None:
    index = RevisionIndex(library, library)
    older, newest = index.revision_of(DocumentId("a")), index.revision_of(DocumentId("b"))
    assert older is not None
    assert newest is not None
    assert older.text == "revision A of 2 revisions (1 newer)"
    assert newest.text == "revision B of 2 revisions (the newest)"
    assert index.revision_of(DocumentId("z")) is None
    library.held = [one for one in library.held if one.document != "b"]
    library.state += 1
    assert index.revision_of(DocumentId("a")) is None


def test_words_about_revisions() -> None:
    assert asked_codes("revisions a and c of the sheet") == {"a", "c"}
    assert asked_codes("the revision of the sheet is old") == set()
    assert asks_for_older("the previous issue of the sheet")
    assert not asks_for_older("what is the first pin of the sensor?")
