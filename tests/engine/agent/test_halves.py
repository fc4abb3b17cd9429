"""Questions cut into their sides by structure, and answers put together from what each side gives."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest

from engine.agent.alone import alone, plainly
from engine.agent.draft import Draft, Notes
from engine.agent.halved import answer_halves, may_be_halved, tells_of_all
from engine.agent.halves import halves_of
from engine.agent.question import understand
from engine.core.events import ignore
from engine.core.ids import DocumentId, SegmentId
from engine.core.results import AnswerStatus, Citation, Place, Sentence


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What baud rate is set in sleep and what in idle mode?", ("sleep", "idle")),
        ("Which buffer sits on the Falcon and which on the Kestrel Two?", ("Falcon", "Kestrel Two")),
        ("Default timeout: telnet versus Tcl RPC?", ("telnet", "Tcl RPC")),
        ("What gain results for narrowband and for wideband?", ("narrowband", "wideband")),
        ("Which of TX11, TX12 and TX14 is the most sensitive tube?", ("TX11", "TX12", "TX14")),
        ("What resistance does the Q20 have in the SOIC package and what in the PDIP package?", ("SOIC", "PDIP")),
        ("How does the delay of the QX10 (5 V, 15 pF) compare with that of the QX20?", ("QX10", "QX20")),
        ("supply current: qx10 / qx20 / qx30?", ("qx10", "qx20", "qx30")),
    ],
)
def test_sides_are_read_from_the_structure(question: str, names: tuple[str, ...]) -> None:
    halves = halves_of(understand(question))
    assert halves is not None
    assert halves.names == names


@pytest.mark.parametrize(
    "question",
    [
        "What is the rise and fall time of the output?",
        "How long do read and write cycles take?",
        "What is the supply range between 2.7 V and 5.5 V?",
        "On which microcontroller was the software tested, and how much flash does its sheet list?",
        "Does the Q10 run from 0 to 70 °C?",
    ],
)
def test_what_belongs_together_is_left_whole(question: str) -> None:
    assert halves_of(understand(question)) is None


def test_each_side_is_asked_as_one_would_ask_it() -> None:
    halves = halves_of(understand("How long may the history be on the QX-11 and how long on the QX-8 one?"))
    assert halves is not None
    assert halves.questions == ("How long may the history be on the QX-11?", "How long may the history be on the QX-8?")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which has the longer hold time, the QX1?", "What hold time does QX1 have?"),
        ("QX1: which one lists more timers?", "How many timers does QX1 list?"),
        ("Which of QX1 is the most sensitive tube?", "How sensitive is QX1 tube?"),
        ("How does the capacity differ between the QX1?", "What is the capacity of the QX1?"),
        ("Do the QX1 use the same counter code?", "What counter code does the QX1 use?"),
        ("How many more bytes of RAM are in a QX1?", "How many bytes of RAM are in a QX1?"),
        ("Supply current of the QX1?", "Supply current of the QX1?"),
    ],
)
def test_what_orders_is_taken_out_of_a_sides_question(text: str, expected: str) -> None:
    assert alone(text, "QX1") == expected


def test_the_clause_that_asks_for_the_margin_is_no_part_of_what_is_compared() -> None:
    assert plainly("Which draws more, A1 or B2, and by how much?") == "Which draws more, A1 or B2?"


_NUMBERS = count(1)


def _said(short: str, quote: str, document: str = "d", title: str = "Manual") -> Draft:
    citation = Citation(
        1, DocumentId(document), SegmentId(f"s{next(_NUMBERS)}"), Place("", ""), 1, "1", (), quote, title=title
    )
    return Draft(AnswerStatus.ANSWERED, short, (Sentence(quote, True, (1,)),), (citation,), "quoted")


def _absent() -> Draft:
    return Draft(AnswerStatus.NOT_MENTIONED, "Not mentioned", (Sentence("Not mentioned.", True, ()),), (), "quoted")


def _answered(question: str, drafts: list[Draft]) -> tuple[Draft | None, Draft | None]:
    understood = understand(question)
    halves = halves_of(understood)
    assert halves is not None
    assert may_be_halved(understood, halves)
    given = iter(drafts)
    return answer_halves(understood, halves, lambda _: next(given), Notes(ignore))


def test_values_of_modes_are_listed_with_a_citation_each() -> None:
    drafts = [_said("40 mA", "In sleep mode it draws 40 mA."), _said("90 mA", "In idle mode it draws 90 mA.")]
    whole, _ = _answered("What current is drawn in sleep and what in idle mode?", drafts)
    assert whole is not None
    assert whole.short == "sleep: 40 mA; idle: 90 mA"
    assert [sentence.citations for sentence in whole.sentences] == [(1,), (2,)]
    assert [citation.n for citation in whole.citations] == [1, 2]


def test_the_winner_and_the_margin_are_computed() -> None:
    drafts = [_said("40 µs", "The QX1 waits 40 µs."), _said("0.1 ms", "The QX2 waits 0.1 ms.")]
    whole, _ = _answered("Which has the longer wait, the QX1 or the QX2, and by how much?", drafts)
    assert whole is not None
    assert whole.short.startswith("QX2, by 60 us")


def test_what_speaks_of_the_other_side_answers_for_none() -> None:
    drafts = [_said("40 mA", "In idle mode it draws 40 mA."), _said("40 mA", "In idle mode it draws 40 mA.")]
    whole, some = _answered("What current is drawn in sleep and what in idle mode?", drafts)
    assert whole is None
    assert some is not None
    assert some.short == "idle: 40 mA"
    assert "Nothing was found for sleep." in some.warnings


def test_a_comparison_without_one_side_is_no_answer_and_names_it() -> None:
    drafts = [_said("40 µs", "The QX1 waits 40 µs."), _absent()]
    whole, some = _answered("Which has the longer wait, the QX1 or the QX2?", drafts)
    assert whole is None
    assert some is not None
    assert some.status is AnswerStatus.NOT_MENTIONED
    assert "Nothing was found for QX2." in some.text


def test_rows_that_name_other_things_are_not_compared() -> None:
    drafts = [_said("80 V", "VCBO collector-base voltage QX1 open emitter 80 V"),
              _said("45 V", "VCEO forward breakdown QX2 shorted base 45 V")]  # fmt: skip
    whole, _ = _answered("Which has the higher voltage rating, the QX1 or the QX2?", drafts)
    assert whole is None


def test_whether_both_have_the_same_is_said() -> None:
    drafts = [_said("6 pF", "The QX1 needs 6 pF."), _said("12.5 pF", "The QX2 needs 12.5 pF.")]
    whole, _ = _answered("Do the QX1 and the QX2 need the same load capacitance?", drafts)
    assert whole is not None
    assert whole.short == "No: QX1: 6 pF; QX2: 12.5 pF"


@pytest.mark.parametrize(
    ("question", "short", "quote", "tells"),
    [
        (
            "Which buffer sits on the Falcon and which on the Kestrel?",
            "LP43",
            "LP43 buffer: the Falcon had none.",
            False,
        ),
        (
            "Which buffer sits on the Falcon and which on the Kestrel?",
            "The Falcon has an LP43, the Kestrel an LP44",
            "The Falcon has an LP43, the Kestrel an LP44.",
            True,
        ),
        ("Which of the Falcon and the Kestrel is faster?", "Falcon", "The Falcon runs at 40 MHz.", False),
        ("Which of the Falcon and the Kestrel is faster?", "Falcon", "The Falcon is faster than the Kestrel.", True),
    ],
)
def test_a_passage_about_one_side_answers_for_none(question: str, short: str, quote: str, tells: bool) -> None:
    understood = understand(question)
    halves = halves_of(understood)
    assert halves is not None
    assert tells_of_all(understood, _said(short, quote), halves) is tells


def test_a_name_in_a_following_sentence_does_not_make_a_value_its_own() -> None:
    after = _said("6666", "The port number defaults to 6666.")
    sentences = (*after.sentences, Sentence("In sleep mode nothing listens.", True, (1,)))
    drafts = [replace(after, sentences=sentences), _said("4444", "In idle mode the port number defaults to 4444.")]
    whole, some = _answered("Which port listens in sleep and which in idle mode?", drafts)
    assert whole is None
    assert some is not None
    assert some.short == "idle: 4444"


def test_a_property_of_two_parts_to_be_compared_is_asked_of_each() -> None:
    question = understand("Compare the rated life of the QX27 panel with that of the QX90.")
    halves = halves_of(question)
    assert halves is not None
    assert halves.questions == (
        "What is the rated life of the QX27 panel?",
        "What is the rated life of the QX90 panel?",
    )
    assert may_be_halved(question, halves)


def test_whole_parts_to_be_compared_are_not_cut() -> None:
    question = understand("Compare the QX27 and the QX90.")
    halves = halves_of(question)
    assert halves is None or not may_be_halved(question, halves)


def test_a_part_nearer_to_a_sides_name_is_its_own() -> None:
    question = "Which buffer sits on the Falcon and which on the Kestrel?"
    drafts = [_said("LP4320", "LP4320 buffer: the Falcon had an LP4330."), _said("LP55", "The Kestrel has an LP55.")]
    whole, some = _answered(question, drafts)
    assert whole is None
    assert some is not None
    assert some.short == "Kestrel: LP55"
