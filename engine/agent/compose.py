"""Wording a reading: the short answer and the passage it stands in, verified against the cited page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.agent.cite import Citations
from engine.agent.draft import Draft, Notes, not_mentioned
from engine.agent.question import Expect, Question
from engine.agent.reading import Reading
from engine.agent.sources import Sources
from engine.agent.units import Unit
from engine.agent.verify import check_sentence
from engine.core.results import AnswerStatus, Sentence

_SHORT = 160
"""Characters: a short answer longer than this is the sentence itself."""
_NEAR = 0.3
"""Least probability of a reading from which its passage is worth a look where it is not answered with."""


def draft_of(
    question: Question,
    reading: Reading,
    sources: Sources,
    notes: Notes,
    led: Sequence[Unit] = (),
    beside: tuple[Sequence[Unit], Sequence[Unit]] = ((), ()),
) -> Draft:
    """The short answer and the passage it stands in, verified against the cited page.

    `beside` are the sentences before and after it that it needs; `led` are the passages that led there. Each is quoted
    with its own citation.
    """
    citations = Citations(sources)
    unit = reading.evidence.unit
    number = citations.cite(unit)
    sentences = []
    short = reading.short
    if short != unit.shown and (question.expect is not Expect.TEXT or len(short) <= _SHORT):
        sentences.append(_sentence(f"{short}.", citations, number, unit))
    for one in (*beside[0], unit, *beside[1], *led):
        sentences.append(_sentence(one.shown, citations, citations.cite(one), one))
    for sentence in sentences:
        notes.sentence(sentence, citations.pick)
    verified = all(sentence.verified for sentence in sentences)
    status = AnswerStatus.ANSWERED if reading.sufficient == 1.0 and verified else AnswerStatus.PARTIAL
    return Draft(status, short, tuple(sentences), citations.all, reading.by)


def withheld(reason: str, reading: Reading | None, sources: Sources, notes: Notes, model: str) -> Draft:
    """ "Not mentioned", and the passage that comes nearest with its page, which claims nothing: whoever asked sees at a
    glance whether it answers. Nothing of a look-alike is shown, nor what does not come near."""
    draft = not_mentioned(reason, model)
    if reason or reading is None or reading.evidence.wrong_part or reading.chance < _NEAR:
        return draft
    citations = Citations(sources)
    unit = reading.evidence.unit
    near = _sentence(f"Nearest to it: {unit.shown}", citations, citations.cite(unit), unit)
    if not near.verified:
        return draft
    notes.sentence(near, citations.pick)
    return replace(draft, sentences=(*draft.sentences, near), citations=citations.all)


def with_passage(draft: Draft, unit: Unit, sources: Sources, notes: Notes) -> Draft:
    """An answer with the passage that led to it, quoted last with its own citation."""
    led = Citations(sources)
    said = _sentence(unit.shown, led, led.cite(unit), unit)
    number = len(draft.citations) + 1
    cited = tuple(replace(one, n=number) for one in led.all)
    sentence = notes.sentence(replace(said, citations=(number,)), lambda numbers: cited)
    return replace(draft, sentences=(*draft.sentences, sentence), citations=(*draft.citations, *cited))


def _sentence(text: str, citations: Citations, number: int, unit: Unit) -> Sentence:
    page = citations.page_text(number)
    return Sentence(text, check_sentence(text, [page], cells=unit.texts).verified, (number,))
