"""What rules read out of a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.ids import DocumentId
from engine.core.ports import NameEntry, NameKind, NameMatch
from engine.retrieve.abbreviations import written_out
from engine.retrieve.plan import asks_of, inner_query
from engine.retrieve.understand import QuestionKind, Understanding, understand, wants_figure


def name(text: str, *documents: str, exact: bool = True, siblings: int = 0) -> list[NameMatch]:
    return [
        NameMatch(text, NameEntry(text, text, NameKind.PART, DocumentId(one)), exact, siblings) for one in documents
    ]


def read(question: str, *names: list[NameMatch]) -> Understanding:
    return understand(question, [match for some in names for match in some])


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What does the reset pin do?", QuestionKind.FACT),
        ("What is the maximum supply current?", QuestionKind.TABLE),
        ("List the layout rules.", QuestionKind.ENUMERATION),
        ("Which is faster?", QuestionKind.FACT),
    ],
)
def test_kinds(question: str, kind: QuestionKind) -> None:
    assert read(question).kind is kind


def test_a_comparison_needs_two_names() -> None:
    two = read("Which is faster, X10 or X20?", name("X10", "a"), name("X20", "b"))
    assert two.kind is QuestionKind.COMPARISON
    asks = asks_of(two)
    assert [ask.documents for ask in asks] == [("a",), ("b",)]
    assert "X20" not in asks[0].query
    assert "X10" in asks[0].query


def test_a_shared_document_belongs_to_the_narrower_name() -> None:
    asked = read("Compare the BC548 of 1997 and the BC546 of 2002", name("BC548", "old", "new"), name("BC546", "new"))
    assert [ask.documents for ask in asks_of(asked)] == [("old",), ("new",)]


def test_names_of_one_document_are_one_ask() -> None:
    asked = read("Compare LPC2141 and LPC2142 RAM", name("LPC2141", "a"), name("LPC2142", "a"))
    (ask,) = asks_of(asked)
    assert ask.documents == ("a",)


def test_related_spellings_give_way_to_exact_names_of_the_same_document() -> None:
    asked = read("X10A or X10", name("X10A", "a"), name("X10", "a", exact=False))
    assert [subject.text for subject in asked.subjects] == ["X10A"]


def test_quoted_sections_pages_and_unknown_identifiers() -> None:
    asked = read('In the "Reset Function" section on page 7 of the ZX99, see "busy state lasts"')
    assert asked.sections == ("Reset Function",)
    assert asked.pages == (7,)
    assert set(asked.terms) == {"ZX99", "Reset Function", "busy state lasts"}
    assert read("quoted on its front page").pages == (1,)


@pytest.mark.parametrize(
    ("question", "hop"),
    [
        ("The X10 sheet names a replacement. What is its supply?", True),
        ("AVR444 refers to another application note. What speed does that note give?", True),
        ("X10 was tested on one controller. How much RAM has that controller?", True),
        ("What is the supply voltage of the X10?", False),
    ],
)
def test_questions_that_lead_elsewhere(question: str, hop: bool) -> None:
    assert read(question, name("X10", "a")).hop is hop


def test_the_inner_query_drops_names_and_where_to_look() -> None:
    text = "According to the X10 data sheet, what is the supply voltage?"
    assert inner_query(text, ["X10"]) == ", what is the supply voltage?"
    assert inner_query("X10", ["X10"]) == "X10"
    assert inner_query("the data sheet", []) == "the data sheet"


@pytest.mark.parametrize("siblings", [0, 4])
def test_inside_its_documents_a_name_is_not_asked_for(siblings: int) -> None:
    """Not in a sheet of several parts either: three terms of one name would outweigh all that is asked."""
    (ask,) = asks_of(read("flash of the LPC2144", name("LPC2144", "a", siblings=siblings)))
    assert ask.inner_queries == ("flash of the",)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What maximum power-down supply current does the sheet specify?", True),
        ("How long does a conversion take?", True),
        ("Which of the two works from the lower supply?", True),
        ("What does the watchdog do in sleep mode?", False),
        ("Which pin resets the counter?", False),
    ],
)
def test_questions_for_a_number(question: str, wanted: bool) -> None:
    assert wants_figure(question) is wanted


def test_abbreviations_are_written_out_beside_themselves() -> None:
    assert written_out("hd44780 abs max vcc") == "hd44780 abs max vcc absolute maximum ratings"
    assert written_out("absolute maximum ratings, abs max") == "absolute maximum ratings, abs max"
    assert written_out("template") == "template"


@given(st.text(max_size=120))
def test_any_text_is_understood(text: str) -> None:
    for ask in asks_of(read(text)):
        assert ask.query == read(text).text
        assert len(ask.inner_queries) >= 1
