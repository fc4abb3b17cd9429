"""Hops that are told by what they lead to, and lines that are titles."""

from __future__ import annotations

from engine.agent.units import is_title, units_of
from engine.answer import Answerer
from engine.core.model import SegmentKind
from engine.core.results import Answer
from tests.engine.agent.shelf import Shelf, sources_of

CONVERTER = [
    (
        SegmentKind.TEXT,
        "FEATURES",
        "\u2022 Supply voltage range of 2.7 V to 5.5 V\n\u2022 Converts at up to 100 ksps on all channels\n"
        "\u2022 Four single-ended input channels",
    ),
    (
        SegmentKind.TEXT,
        "Analog Inputs",
        "Converter Inputs of the QC3204\nThe inputs of the converter are sampled by a capacitor of 20 pF.\n"
        "For a source above 1 kΩ see the QA90, which is a suitable buffer amplifier.",
    ),
    (SegmentKind.TEXT, "Revision History", "The order codes of the converter were corrected in revision B."),
]
FASTER = [
    (
        SegmentKind.TEXT,
        "FEATURES",
        "\u2022 Supply voltage range of 3.0 V to 5.5 V\n\u2022 Converts at up to 200 ksps on all channels\n"
        "\u2022 Shuts down by itself between conversions",
    ),
]
AMPLIFIER = [
    (
        SegmentKind.TEXT,
        "FEATURES",
        "The QA90 is a micropower amplifier.\nThe gain-bandwidth product is 20 kHz typical.",
    ),
]
NOTE = [
    (
        SegmentKind.TEXT,
        "Setting Up",
        "The reference QC3204 board is set up by its jumpers.\nThe output of the reference is 2.5 V.",
    ),
]


def library() -> Shelf:
    return Shelf(
        ("qc3204.pdf", "QC3204 Analog-to-Digital Converter", ("QC3204",), CONVERTER),
        ("qc3304.pdf", "QC3304 Analog-to-Digital Converter", ("QC3304",), FASTER),
        ("qa90.pdf", "QA90 Micropower Amplifier", ("QA90",), AMPLIFIER),
        ("qn12.pdf", "Interfacing a QC3204", ("QN-12",), NOTE),
    )


def ask(question: str) -> Answer:
    return Answerer("shelf", sources_of(library())).ask(question)


def test_what_the_last_sentence_calls_that_is_followed() -> None:
    answer = ask("The QC3204 sheet names a buffer amplifier. What gain-bandwidth product does that amplifier have?")
    assert answer.short == "20 kHz"
    assert [citation.place.file for citation in answer.citations] == ["qa90.pdf", "qc3204.pdf"]


def test_a_title_is_not_read_into_the_sentence_below_it() -> None:
    segments = [one for info in library().documents() for one in library().document_segments(info.id)]
    texts = [unit.text for unit in units_of(segments)]
    assert "The inputs of the converter are sampled by a capacitor of 20 pF." in texts


def test_titles_are_told_from_sentences() -> None:
    assert is_title("Electrical Characteristics of the QC3204")
    assert not is_title("The inputs are sampled by a capacitor")
    assert not is_title("Supply, Reference,")


def test_the_pointer_itself_is_part_of_the_answer_where_it_is_asked_for() -> None:
    answer = ask(
        "The QC3204 sheet names a buffer amplifier. Which one, and what gain-bandwidth product does that have?"
    )
    assert answer.short == "QA90; 20 kHz"


def test_a_pointer_may_be_followed_by_command() -> None:
    answer = ask("The QC3204 sheet names a buffer amplifier. Follow its pointer: what is the gain-bandwidth product?")
    assert answer.short == "20 kHz"
