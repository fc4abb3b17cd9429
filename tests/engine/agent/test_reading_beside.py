"""What a quoted sentence needs beside it, switches of command lines, and what a question is read to ask for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.agent.evidence import make_pool
from engine.agent.question import Expect, understand
from engine.agent.units import split_sentences, units_of
from engine.answer import Answerer
from engine.core.model import SegmentKind
from engine.core.results import Answer
from tests.engine.agent.shelf import Shelf, sources_of

SWITCHES = (
    "-k Keep the fuses as they are. The programmer then skips the fuse page. It is slower.\n"
    "-q Quell the progress report. Nothing is printed then while the part is written."
)
SECTIONS = (
    "The start-up code is placed into sections.\n"
    ".boot4:\nBound to clear the frame register before the stack is used.\n"
    ".boot6:\nUsed by the constructors of static objects."
)
TROUBLE = (
    "Problem: the flasher cannot open the port called tty9 under the emulation layer.\n"
    "Solution: give the port as /dev/tty9. This helps with every version."
)
ORDER = (
    "The tool looks for its files in these folders, in the order listed:\nthe current folder\nthe folder of the user"
)


def ask(question: str) -> Answer:
    text = SegmentKind.TEXT
    library = Shelf(
        ("flasher.pdf", "Flasher manual", (), [(text, "Options", SWITCHES), (text, "Trouble", TROUBLE)]),
        ("runtime.pdf", "Runtime manual", (), [(text, "Sections", SECTIONS), (text, "Files", ORDER)]),
    )
    return Answerer("shelf", sources_of(library)).ask(question)


def test_a_switch_is_the_answer_where_one_is_asked_for() -> None:
    assert ask("Which switch of the flasher keeps the fuses as they are?").short == "-k"


def test_a_later_sentence_belongs_to_the_switch_of_its_paragraph() -> None:
    answer = ask("Which option of the flasher makes the programmer skip the fuse page?")
    assert answer.short == "-k"


def test_switches_that_were_printed_in_one_run_are_told_apart() -> None:
    run = "--slow <n> Set the pause between pulses. --fast <n> Set the rate of the clock."
    assert len(split_sentences(run)) == 2


def test_the_label_above_a_sentence_is_said_with_it() -> None:
    answer = ask("Which section is bound to clear the frame register before the stack is used?")
    assert ".boot4:" in answer.text


def test_the_solution_is_said_with_the_problem() -> None:
    answer = ask("What if the flasher cannot open the port tty9 under the emulation layer?")
    assert "/dev/tty9" in answer.text


def test_the_list_that_a_colon_announces_is_said_with_it() -> None:
    answer = ask("In which order does the tool look for its files in folders?")
    assert "the folder of the user" in answer.text


def test_a_passage_that_is_the_answer_is_said_once() -> None:
    answer = ask("How long does the flasher keep the fuses as they are?")
    said = [sentence.text for sentence in answer.sentences]
    assert len(said) == len(set(said))


def test_a_month_cut_short_ends_no_sentence() -> None:
    assert len(split_sentences("Days are counted from midnight, Oct. 14, 1582. Earlier ones have none.")) == 2


@pytest.mark.parametrize(
    ("question", "expect"),
    [
        ("When the timer overflows, how long is the pulse?", Expect.QUANTITY),
        ("When was the tool released?", Expect.DATE),
        ("From which moment does it count its dates?", Expect.DATE),
        ("How many clock periods long is the reset pulse?", Expect.NUMBER),
        ("How many mA does it take at full brightness?", Expect.QUANTITY),
        ("Which switch turns the report off?", Expect.OPTION),
        ("Which option of the QX12 doubles the rate?", Expect.TEXT),
    ],
)
def test_what_kind_of_answer_a_question_expects(question: str, expect: Expect) -> None:
    assert understand(question).expect is expect


def test_the_length_of_a_pulse_is_a_time_that_of_a_block_may_be_bytes_and_a_clock_has_a_frequency() -> None:
    assert "time" in understand("What is the minimum length of the reset pulse?").dimensions
    assert understand("What SPI clock does the demo run the card at?").dimensions == {"frequency"}
    assert {"length", "bytes"} <= understand("Which block length does the example set?").dimensions
    assert "length" in understand("How big is the window of the tube?").dimensions
    assert understand("What is the default voltage tolerance?").dimensions == {"ratio", "voltage"}
    assert understand("What tolerance does the resistor have?").dimensions == {"ratio"}
    assert "long" not in understand("How many clock periods long is the reset pulse?").terms


def test_a_switch_stands_around_the_sentences_about_it() -> None:
    library = Shelf(("f.pdf", "F", (), [(SegmentKind.TEXT, "Options", SWITCHES)]))
    units = units_of(library.document_segments(library.documents()[0].id))
    slower = next(unit for unit in units if unit.text == "It is slower.")
    assert "-k Keep" in slower.around


def test_what_is_told_around_the_question_weighs_little_where_no_document_has_it() -> None:
    chatty = "My bench keeps humming since Friday, what must stand under the slow cooker: which switch keeps the fuses?"
    asked = understand(chatty)
    assert {"bench", "friday"} <= asked.aside
    assert "fus" not in asked.aside
    assert not understand("Which switch keeps the fuses as they are?").aside
    library = Shelf(("flasher.pdf", "Flasher manual", (), [(SegmentKind.TEXT, "Options", SWITCHES)]))
    pool = make_pool(asked, library.document_segments(library.documents()[0].id), {})
    plain = make_pool(replace(asked, aside=frozenset()), library.document_segments(library.documents()[0].id), {})
    assert pool.weights["bench"] < 0.2 * plain.weights["bench"]
    assert pool.weights["fus"] == plain.weights["fus"]
