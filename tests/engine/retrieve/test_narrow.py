"""Filters over the real stores: each restricts exactly, none hides what it should show."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.errors import UsageError
from engine.core.model import Segment, SegmentKind
from engine.core.results import SearchFilter
from engine.retrieve.narrow import passes, prints
from tests.engine.retrieve.real_shelf import RealShelf

LONG = "Words that keep a section apart from its neighbours stand here. " * 12
SHEETS = {
    "regulators/lm317.txt": f"# LM317 regulator\n\n## Limits\n\nThe LM317 gives 1.5 A. {LONG}\n\n"
    f"## Use\n\nSee LM317-N too. {LONG}",
    "regulators/lm317-n.txt": f"# LM317-N regulator\n\n## Limits\n\nThe LM317-N gives 1.0 A. {LONG}\n\n"
    f"## Use\n\nAs LM117/317. {LONG}",
    "notes/supply.md": f"# Supply design\n\n## Limits of a supply\n\nA supply gives what its transistor gives. {LONG}",
}


class Shelf(RealShelf):
    def __init__(self, root: Path) -> None:
        super().__init__(root, SHEETS)
        os.utime(self.case.docs / "notes/supply.md", (1_000_000_000, 1_000_000_000))  # 9 September 2001
        self.index()

    def found(self, query: str, chosen: SearchFilter) -> list[Segment]:
        return [hit.segment for hit in self.retriever.search(query, 20, chosen=chosen).hits]

    def files(self, query: str, chosen: SearchFilter) -> set[str]:
        return {self.case.catalog.places(segment.document)[0].file for segment in self.found(query, chosen)}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    made = Shelf(tmp_path_factory.mktemp("narrow"))
    yield made
    made.close()


LM317, LM317N, NOTE = SHEETS


@pytest.mark.parametrize(
    ("chosen", "files"),
    [
        (SearchFilter(), {LM317, LM317N, NOTE}),
        (SearchFilter(folders=("notes",)), {NOTE}),
        (SearchFilter(parts=("lm317n",)), {LM317N}),
        (SearchFilter(parts=("LM317",)), {LM317}),
        (SearchFilter(kinds=("pdf",)), set()),
        (SearchFilter(until="2001-09-09"), {NOTE}),
        (SearchFilter(until="2001-09-08"), set()),
        (SearchFilter(since="2001-09-10"), {LM317, LM317N}),
        (SearchFilter(section="limits of a supply"), {NOTE}),
        (SearchFilter(phrase="gives 1.0\u00a0A"), {LM317N}),
        (SearchFilter(phrase="give 1.0 A"), set()),
        (SearchFilter(phrase="transistor gives", kinds=("text",)), {NOTE}),
        (SearchFilter(identifier="lm317-n"), {LM317, LM317N}),
        (SearchFilter(contents=("table",)), set()),
        (SearchFilter(contents=("text", "table"), folders=("notes",)), {NOTE}),
    ],
)
def test_filters_let_through_what_they_say(shelf: Shelf, chosen: SearchFilter, files: set[str]) -> None:
    assert shelf.files("gives limits", chosen) == files


def test_documents_are_chosen_by_id(shelf: Shelf) -> None:
    (note,) = shelf.case.catalog.visible_documents(SearchFilter(folders=("notes",))) or []
    assert shelf.files("gives", SearchFilter(documents=(note,))) == {NOTE}


def test_an_identifier_is_matched_whole(shelf: Shelf) -> None:
    texts = [segment.text for segment in shelf.found("", SearchFilter(identifier="LM317"))]
    assert any("The LM317 gives" in text for text in texts)
    assert any("LM117/317" in text for text in texts), "a list that means the part prints it"
    assert not any("The LM317-N gives" in text for text in texts)


def test_a_phrase_alone_is_a_search(shelf: Shelf) -> None:
    assert [segment.text for segment in shelf.found(" ", SearchFilter(phrase="its transistor"))]
    assert shelf.found("", SearchFilter()) == []


def test_more_like_this_keeps_to_the_filter(shelf: Shelf) -> None:
    start = shelf.found("", SearchFilter(phrase="gives 1.5 A"))[0]
    hits = shelf.retriever.like(start.id, 5, SearchFilter(section="limits", parts=("LM317-N",))).hits
    assert [hit.segment.text[:24] for hit in hits] == ["The LM317-N gives 1.0 A."]


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (SearchFilter(since="yesterday"), "yesterday is not a date"),
        (SearchFilter(until="2024-13-01"), "2024-13-01 is not a date"),
        (SearchFilter(kinds=("doc",)), "no file type doc"),
        (SearchFilter(contents=("picture",)), "no kind of content picture"),
    ],
)
def test_a_filter_that_makes_no_sense_is_said(shelf: Shelf, chosen: SearchFilter, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        shelf.retriever.search("gives", 5, chosen=chosen)


def test_a_filter_that_lets_nothing_through_is_said(shelf: Shelf) -> None:
    warnings = shelf.retriever.search("gives", 5, chosen=SearchFilter(folders=("nowhere",))).warnings
    assert warnings == ("Nothing in the library passes these filters.",)


@pytest.mark.parametrize(
    ("identifier", "text", "printed"),
    [
        ("LM317", "the LM317.", True),
        ("lm317", "(LM317)", True),
        ("LM317", "LM317-N", False),
        ("LM317", "LM3170", False),
        ("LM317", "LM317L", False),
        ("LPC2144", "LPC2141/42/44", True),
        ("IEC 60601-1", "after IEC 60601-1-2", False),
        ("IEC 60601-1-2", "after IEC 60601-1-2", True),
        ("0402", "size 0402", True),
        ("VCC", "at VCC = 5 V", True),
    ],
)
def test_exactly_printed(identifier: str, text: str, printed: bool) -> None:
    assert prints(identifier, text) is printed


@given(st.text(max_size=40), st.text(max_size=40), st.sampled_from(["phrase", "section", "identifier"]))
def test_no_filter_text_can_raise(shelf: Shelf, text: str, query: str, field: str) -> None:
    chosen = replace(SearchFilter(), **{field: text})
    for segment in shelf.found(query, chosen):
        assert passes(segment, chosen)


@given(st.sampled_from(sorted(SHEETS)), st.integers(0, 12), st.integers(1, 5))
def test_any_run_of_printed_words_is_found_as_a_phrase(shelf: Shelf, name: str, start: int, length: int) -> None:
    (document,) = [info.id for info in shelf.case.catalog.documents() if info.places[0].file == name]
    for segment in shelf.case.catalog.document_segments(document):
        words = segment.text.split()[start : start + length]
        if words and segment.kind is SegmentKind.TEXT:
            phrase = " ".join(words)
            assert segment.id in {one.id for one in shelf.found("", SearchFilter(phrase=phrase))}
