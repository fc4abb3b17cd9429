"""Questions that the documents do not answer, though they have much that sounds like it: nothing is given for them."""

from __future__ import annotations

import json
import re

import pytest

from engine.agent.asked import narrower, undesignated, unnamed
from engine.agent.cite import as_printed
from engine.agent.cues import asked_phrase
from engine.agent.evidence import Evidence
from engine.agent.misspelt import mended
from engine.agent.question import understand
from engine.agent.units import Unit, units_of
from engine.answer import Answerer
from engine.api import Engine
from engine.core.model import SegmentKind
from engine.core.results import AnswerStatus
from tests.engine.agent.shelf import Shelf, shelf, sources_of
from tests.engine.agent.test_lying_model import ASKED, ScriptedModel

ABSENT = (
    "What is the maximum SCL clock frequency of the SHT1620?",  # a signal it has not
    "What is the typical supply current of the SHA90 in shutdown?",  # a mode it has not
    "What is the minimum adjustment pin current of the SHF337?",  # only typical and maximum
    "What is the maximum adjustment pin current of the SHF317L at 48 V?",  # a condition outside those stated
    "What is the maximum storage time of the SHT1621?",  # it has a storage temperature
    "Thermal resistance of the SHF317L in a QFN package?",
    "What is the typical data hold time of the SHA290?",
    "How long must the reset pin of the SHT1621 be held low?",
    "What is the maximum output leakage current of the SHF317?",  # its output current is another
    "What is the maximum junction temperature of the SHT1620?",
    "How many bytes of EEPROM does the SHC3204 have?",
    "What is the slew rate of the SHF317?",  # the amplifier beside it has one
    "What is the typical dropout time of the SHA90?",
)
PRESENT = (
    ("What is the maximum adjustment pin current of the SHF317L?", "80"),
    ("What is the storage temperature of the SHF317?", "150"),
    ("What is the maximum SCL clock frequency of the SHT1621?", "400"),
    ("What is the maximum active supply current of the SHT1620?", "1.2"),
)


def keen(prompt: str) -> str:
    """Finds an answer in everything: the first quantity of the first passage."""
    line = next(line for line in prompt.splitlines() if line.startswith("["))
    value = re.search(r"-?[0-9][0-9.]*(?: ?[A-Za-zµ°%]+)?", line.partition("] ")[2])
    return json.dumps({"found": True, "passage": 1, "answer": value.group() if value else line[4:40]})


def test_what_the_sample_library_does_not_say_is_not_answered(engine: Engine) -> None:
    given = {one: engine.ask("sample", one, quoted=True) for one in ABSENT}
    answered = {one: answer.text for one, answer in given.items() if answer.status is not AnswerStatus.NOT_MENTIONED}
    assert answered == {}


@pytest.mark.parametrize(("asked", "value"), PRESENT)
def test_what_it_says_in_the_same_words_is_answered(engine: Engine, asked: str, value: str) -> None:
    answer = engine.ask("sample", asked, quoted=True)
    assert answer.status is AnswerStatus.ANSWERED
    assert value in answer.short


@pytest.mark.parametrize(
    "asked",
    [
        "What is the SCL supply current of the TPX12?",
        "What is the minimum dropout voltage of the TPX12 at 100 mA?",
        "What is the maximum supply current of the TPX12 at VIN = 4 V?",
        "What is the typical supply leakage current of the TPX12?",
        "What is the maximum dropout voltage of the TPX14?",
        "How long must the EN pin of the TPX12 be held low?",
        "How many CAN channels has the QLC2148?",
    ],
)
def test_a_model_that_finds_an_answer_in_everything_is_not_believed(asked: str) -> None:
    model = ScriptedModel(keen, confidence=0.99)
    answer = Answerer("shelf", sources_of(shelf()), model, limits=ASKED).ask(asked)
    assert answer.status is AnswerStatus.NOT_MENTIONED


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("What is the minimum SCL clock frequency of the AB12?", ("scl", "clock", "frequency")),
        ("Typical quiescent current of the AB12 at 5 V?", ("quiescent", "current")),
        ("How long must the reset pin of the AB12 be held low?", ("reset", "pin")),
        ("What is the data hold time?", ("data", "hold", "time")),
        ("How many CAN channels has the AB12?", ("can", "channels")),
        ("How many more bytes of RAM has it?", ("bytes",)),
        ("How many tape drives hang on the AB12?", ("tape", "drives")),
        ("How many status bytes are sent?", ("status", "bytes")),
        ("How large an undo history does it keep?", ("undo", "history")),
        ("Which maker has it?", ()),
        ("What does the EN pin do?", ()),
    ],
)
def test_the_words_that_name_a_quantity(asked: str, words: tuple[str, ...]) -> None:
    assert asked_phrase(understand(asked).folded) == words


@pytest.mark.parametrize(
    ("asked", "lacking"),
    [
        ("What is the maximum supply current of the TPX12?", ()),
        ("What is the maximum leakage current of the TPX12?", ("leakage",)),
        ("What is the maximum standby supply current of the TPX12?", ("standby",)),
    ],
)
def test_every_word_of_the_name_is_wanted(asked: str, lacking: tuple[str, ...]) -> None:
    library = shelf()
    row = next(u for u in units_of(library.document_segments(library.documents()[0].id)) if "Supply current" in u.shown)
    assert unnamed(understand(asked), Evidence(row, 1.0, 1.0, 1.0, ())) == lacking


@pytest.mark.parametrize(
    ("asked", "name", "other"),
    [
        ("What is the output current of the AB12?", "Output leakage current", True),
        ("What is the output voltage of the AB12?", "Output High-voltage (Port 0)", True),
        ("What is the output leakage current of the AB12?", "Output leakage current", False),
        ("What is the supply current of the AB12?", "Supply current", False),
        ("What is the sink current of the AB12?", "SEG drive sink current", False),
        ("What current does the AB12 need?", "Standby current", False),
    ],
)
def test_a_row_of_a_narrower_quantity_is_another(asked: str, name: str, other: bool) -> None:
    segment = shelf().document_segments(shelf().documents()[0].id)[1]
    row = Unit(segment, f"{name} 45 mA", 0, (("Parameter", name), ("Max", "45 mA")))
    assert bool(narrower(understand(asked), row)) is other


@pytest.mark.parametrize(
    ("asked", "page", "other"),
    [
        ("What is the supply current of the LND 7317 tube?", "supply current of a tube", ("7317",)),
        ("What is the supply current of the LND 7317 tube?", "supply current of the LND 7317", ()),
        ("What is the supply current of the TPX12 at 5000 Hz?", "supply current", ()),
    ],
)
def test_what_is_said_of_others_is_not_taken(asked: str, page: str, other: tuple[str, ...]) -> None:
    library = shelf()
    row = units_of(library.document_segments(library.documents()[0].id))[-1]
    assert undesignated(understand(asked), Evidence(row, 1.0, 1.0, 1.0, ()), page) == other


@pytest.mark.parametrize(
    ("term", "meant"),
    [("quiscent", "quiescent"), ("resitor", "resistor"), ("stabl", "stabl"), ("tempratur", "temperatur")],
)
def test_a_slip_is_mended_and_another_word_is_not(term: str, meant: str) -> None:
    assert mended(term, {"quiescent": 3, "resistor": 2, "suitabl": 5, "temperatur": 4}) == meant


@pytest.mark.parametrize(
    ("quote", "page", "printed"),
    [
        ("Settling Time (1) 3 ms", "Settling Time 1 3 ms", "Settling Time 1 3 ms"),
        ("DC Characteristics. The values", "DC Characteristics\nThe values", "DC Characteristics The values"),
        ("IIIL Low level", "I IL Low level", "\u2026 Low level"),
        ("+3.3V 4.7K", "+3.3V 4,7K", "+3.3V 4,7K"),
        ("as printed, whole.", "as printed, whole.", "as printed, whole."),
        ("no text layer", "", "no text layer"),
    ],
)
def test_a_quote_claims_only_words_that_the_page_prints(quote: str, page: str, printed: str) -> None:
    assert as_printed(quote, page) == printed


def test_a_stated_size_of_what_is_counted_may_be_worded_otherwise() -> None:
    library = Shelf(("drum.pdf", "DR7 drum", (), [(SegmentKind.TEXT, "Layout", "The drum holds 174K 36b words.")]))
    unit = units_of(library.document_segments(library.documents()[0].id))[0]
    evidence = Evidence(unit, 1.0, 1.0, 1.0, ())
    assert unnamed(understand("How many 36-bit words fit on the drum?"), evidence) == ()
    assert unnamed(understand("How many tracks fit on the drum?"), evidence) == ("tracks",)
