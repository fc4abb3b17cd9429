"""Yes and no: only where a passage bears the claim out, or itself denies it."""

from __future__ import annotations

import pytest

from engine.answer import Answerer
from engine.core.model import SegmentKind
from engine.core.results import Answer, AnswerStatus
from tests.engine.agent.shelf import Shelf, sources_of

CLOCK = """TRK70 real-time clock
Features
The battery backup input keeps the time when the supply fails.
If a backup battery is not required, the input must be grounded.
The TRK70 supports a serial interface for two wires.
The alarm output is not available in the small package.
The amplifier of the comparator can be operated from dual power supplies.
The device operates over a voltage range of 2.7 V to 5.5 V.
This allows the 12-bit part to be used in the same socket."""
PINS = """Pin description
| Pin | Name | Function |
| 3 | VB | Backup supply input for any standard lithium cell. The cell must be held between its limits for proper \
operation, and diodes in series may prevent that. If no backup supply is wanted, ground the pin. |"""


def ask(question: str) -> Answer:
    text, table = SegmentKind.TEXT, SegmentKind.TABLE
    library = Shelf(("trk70.pdf", "TRK70 Clock", ("TRK70",), [(text, "Features", CLOCK), (table, "Pins", PINS)]))
    return Answerer("shelf", sources_of(library)).ask(question)


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Does the TRK70 have a battery backup input?", "Yes"),  # a condition with "not" beside it denies nothing
        ("Does the TRK70 support a serial interface?", "Yes"),
        ("Is the alarm output of the TRK70 available in the small package?", "No"),
        ("Does the TRK70 operate over a voltage range of 3 V to 5 V?", "Yes"),
        ("Does the TRK70 operate over a voltage range of 2 V to 5 V?", "No"),
    ],
)
def test_a_claim_is_judged_by_what_the_passage_says(question: str, word: str) -> None:
    answer = ask(question)
    assert answer.short.split(",")[0] == word
    assert answer.status is AnswerStatus.ANSWERED


@pytest.mark.parametrize(
    "question",
    [
        "Is the TRK70 a dual amplifier?",  # "dual" is said of the supplies
        "Is the TRK70 a 12-bit part number?",
        "Does the TRK70 have a temperature sensor?",
    ],
)
def test_what_no_passage_tells_is_neither_yes_nor_no(question: str) -> None:
    answer = ask(question)
    assert answer.short.split(",")[0] not in ("Yes", "No")
    assert answer.status is not AnswerStatus.ANSWERED


def test_of_a_long_row_the_sentence_that_tells_is_quoted() -> None:
    answer = ask("Does the TRK70 have a backup supply input for a lithium cell?")
    assert answer.text == "Yes: Backup supply input for any standard lithium cell."
