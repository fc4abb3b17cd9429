"""Questions that lead on from a part the documents name to that part's own document."""

from __future__ import annotations

from engine.agent.hops import leads_on, wants_hop
from engine.agent.question import understand
from engine.answer import Answerer
from engine.core.model import SegmentKind
from engine.core.results import Answer, AnswerStatus
from tests.engine.agent.shelf import Shelf, sources_of


def _library() -> Shelf:
    old = [(SegmentKind.TEXT, "FEATURES", "\u2022 Supply voltage range of 2.7 V to 5.5 V\n\u2022 Four input channels")]
    new = [(SegmentKind.TEXT, "FEATURES", "\u2022 Supply voltage range of 3.0 V to 3.6 V\n\u2022 Eight input channels")]
    primer = [(SegmentKind.TEXT, "Introduction", "The QC3304 converter is meant as a replacement for the QC3204.")]
    note = [(SegmentKind.TEXT, "Software", "The sample software of this note has been tested on the QC3204 converter.")]
    return Shelf(
        ("qc3204.pdf", "QC3204 Analog-to-Digital Converter", ("QC3204",), old),
        ("qc3304.pdf", "QC3304 Analog-to-Digital Converter", ("QC3304",), new),
        ("primer.pdf", "QC3304 Primer", ("QC3304",), primer),
        ("qn12.pdf", "QN-12 Sample Software", ("QN-12",), note),
    )


def _ask(question: str) -> Answer:
    return Answerer("shelf", sources_of(_library())).ask(question)


def test_a_pointer_leads_to_the_other_part_not_back_to_the_one_told_of() -> None:
    answer = _ask(
        "The QC3304 primer says the chip replaces the QC3204. What supply voltage range did that predecessor have?"
    )
    assert answer.status is AnswerStatus.ANSWERED
    assert "2.7 V to 5.5 V" in answer.short


def test_what_is_asked_first_may_lead_on() -> None:
    question = (
        "On which converter was the software of QN-12 tested, and what supply voltage range does its data sheet give?"
    )
    assert leads_on(understand(question))
    assert wants_hop(understand(question))
    answer = _ask(question)
    assert answer.short.startswith("QC3204;")
    assert "2.7 V to 5.5 V" in answer.short


def test_two_questions_of_one_part_lead_nowhere() -> None:
    assert not leads_on(understand("How many channels has the QC3204 and how fast does it sample?"))
