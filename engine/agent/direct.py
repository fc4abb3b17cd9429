"""A question that one passage can answer: read the evidence, verify, cite."""

from __future__ import annotations

from collections.abc import Sequence

from engine.agent.cite import Citations
from engine.agent.draft import Draft, Notes, not_mentioned
from engine.agent.evidence import gather
from engine.agent.question import Expect, Question
from engine.agent.reading import Reader, Reading
from engine.agent.sources import Sources
from engine.agent.targets import Targets, resolve
from engine.agent.units import Unit
from engine.agent.verify import check_sentence
from engine.core.cancel import CancelToken
from engine.core.results import AnswerStatus, Sentence, Step

_SHORT = 160
"""Characters: a short answer longer than this is the sentence itself."""


def answer_directly(question: Question, sources: Sources, reader: Reader, notes: Notes, cancel: CancelToken) -> Draft:
    """One retrieval, one reading. Steps: the retrieval, then the answer or that nothing was found."""
    targets = resolve(question, sources.catalog.documents())
    unknown = missing_subject(targets)
    if unknown:
        notes.step(Step("retrieve", question.text, (), f"no document is about {unknown}"))
        return not_mentioned(f"No document here is about {unknown}.", reader.name)
    pool = gather(question, sources, targets)
    cancel.raise_if_cancelled()
    reading = reader.read(question, pool, cancel)
    used = (reading.evidence.unit.segment.id,) if reading is not None else ()
    notes.step(Step("retrieve", question.text, used, f"{len(pool.units)} sentences and rows read"))
    if reading is None or not reading.found:
        notes.step(Step("not mentioned", question.text, used))
        return not_mentioned("", reader.name)
    notes.step(Step("answer", question.text, used, reading.by))
    return draft_of(question, reading, sources, notes)


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


def missing_subject(targets: Targets) -> str:
    """The part a question is about when no document is about it, and none of its other parts is known; else ""."""
    return targets.unknown[0] if targets.unknown and not targets.named else ""
