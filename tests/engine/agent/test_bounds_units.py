"""A value of another kind than asked is no answer; a bare "250K" may be of any."""

from __future__ import annotations

import pytest

from engine.agent.bounds import lacks_value
from engine.agent.question import understand
from engine.answer import Answerer
from engine.core.model import SegmentKind
from tests.engine.agent.shelf import Shelf, sources_of


@pytest.mark.parametrize(
    ("sentence", "short"),
    [
        ("While keys are read the highest clock frequency of the KLM12 is less than 250K.", "250K"),
        ("While keys are read the highest clock frequency of the KLM12 needs 250 mA.", "Not mentioned"),
    ],
)
def test_a_bare_thousand_is_of_the_kind_asked_for(sentence: str, short: str) -> None:
    library = Shelf(("klm12.pdf", "KLM12 key scanner", ("KLM12",), [(SegmentKind.TEXT, "Keys", sentence)]))
    question = "What is the highest clock frequency of the KLM12 while keys are read?"
    assert Answerer("shelf", sources_of(library)).ask(question).short == short


@pytest.mark.parametrize(
    ("question", "short", "lacks"),
    [
        ("How many mA can I take from the port of the KLM12?", "Yes", True),
        ("How many mA can I take from the port of the KLM12?", "50 mA", False),
        ("Does the port of the KLM12 give power?", "Yes", False),
    ],
)
def test_a_bare_yes_is_no_amount(question: str, short: str, lacks: bool) -> None:
    assert lacks_value(understand(question), short) is lacks
