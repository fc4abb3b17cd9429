"""Summaries, explanations and procedures on the sample library: a few whole sentences, in order, each on its page."""

from __future__ import annotations

import pytest

from engine.agent.prose import is_prose
from engine.api import Engine
from engine.core.results import Answer, AnswerStatus
from engine.core.text import fold

_LONGEST = 900


def _ask(engine: Engine, question: str) -> Answer:
    return engine.ask("sample", question, quoted=True)


@pytest.mark.parametrize(
    ("question", "file", "said"),
    [
        ("Summarise application note SHN-12.", "notes/SHN-12 split supplies.pdf", "share one transformer"),
        ("What is the SHT1621?", "thermometers/SHT1621.pdf", "9-bit temperature readings"),
        ("Describe the SHF337.", "SHF337.pdf", "adjustable negative regulator"),
        ("Explain how the offset of the SHA90 is nulled", "SHA90.pdf", "offset null circuit"),
        ("How do I keep the SHF337 from oscillating?", "SHF337.pdf", "oscillates without it"),
        ("Summarise SHS-114", "notes/SHS-114 environmental tests.pdf", "environmental tests"),
        ("Explain the thermostat control of the SHT1621", "thermometers/SHT1621.pdf", "polarity of the POL bit"),
        ("How do I read a sample from the SHC3204?", "converters/SHC3204_3208.pdf", "in three bytes"),
    ],
)
def test_it_is_told_in_a_few_whole_sentences_of_the_right_document(
    engine: Engine, question: str, file: str, said: str
) -> None:
    answer = _ask(engine, question)
    assert answer.status is AnswerStatus.ANSWERED
    assert said in answer.text
    assert {citation.place.file for citation in answer.citations} == {file}
    assert all(is_prose(sentence.text) and sentence.verified for sentence in answer.sentences)
    assert 1 <= len(answer.sentences) <= 6
    assert len(answer.text) <= _LONGEST + 5


def test_every_sentence_stands_on_the_page_it_cites(engine: Engine) -> None:
    answer = _ask(engine, "Summarise application note SHN-12.")
    for sentence in answer.sentences:
        citation = answer.citations[sentence.citations[0] - 1]
        page = engine.page("sample", citation.document, citation.page)
        assert page is not None
        assert "".join(fold(sentence.text).split()) in "".join(fold(page.text).split())


def test_a_list_of_the_document_is_given_as_it_stands(engine: Engine) -> None:
    answer = _ask(engine, "What are the features of the SHF337?")
    assert [sentence.text for sentence in answer.sentences][:2] == [
        "Output adjustable from -1.25 V to -34 V",
        "Output current up to 1.3 A",
    ]


def test_a_part_that_no_document_is_about_is_not_described(engine: Engine) -> None:
    assert _ask(engine, "Describe the SHX999.").status is AnswerStatus.NOT_MENTIONED
