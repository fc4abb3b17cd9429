"""Wording a reading: the short answer and the passage it stands in, verified against the cited page."""

from __future__ import annotations

from collections.abc import Sequence

from engine.agent.cite import Citations
from engine.agent.draft import Draft, Notes
from engine.agent.question import Expect, Question
from engine.agent.reading import Reading
from engine.agent.sources import Sources
from engine.agent.units import Unit
from engine.agent.verify import check_sentence
from engine.core.results import AnswerStatus, Sentence

_SHORT = 160
"""Characters: a short answer longer than this is the sentence itself."""


def draft_of(
    question: Question, reading: Reading, sources: Sources, notes: Notes, before: Sequence[Unit] = ()
) -> Draft:
    """The short answer and the passage it stands in, verified against the cited page.

    `before` are the passages that led there; each is quoted with its own citation after the answer.
    """
    citations = Citations(sources)
    unit = reading.evidence.unit
    number = citations.cite(unit)
    page = citations.page_text(number)
    sentences = []
    short = reading.short
    if question.expect is not Expect.TEXT or (short != unit.text and len(short) <= _SHORT):
        sentences.append(_sentence(f"{short}.", page, number, unit))
    sentences.append(_sentence(unit.shown if unit.is_row else unit.text, page, number, unit))
    for led in before:
        n = citations.cite(led)
        sentences.append(_sentence(led.shown if led.is_row else led.text, citations.page_text(n), n, led))
    for sentence in sentences:
        notes.sentence(sentence, citations.pick)
    verified = all(sentence.verified for sentence in sentences)
    status = AnswerStatus.ANSWERED if reading.sufficient == 1.0 and verified else AnswerStatus.PARTIAL
    return Draft(status, short, tuple(sentences), citations.all, reading.by)


def _sentence(text: str, page: str, number: int, unit: Unit) -> Sentence:
    return Sentence(text, check_sentence(text, [page], cells=unit.texts).verified, (number,))
