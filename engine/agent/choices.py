"""A choice among offered options (HiQA 7.8, 7.9): the option, or options, that the evidence states."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.agent.cite import Citations
from engine.agent.counts import counted
from engine.agent.draft import Draft, Notes
from engine.agent.evidence import Evidence, Pool, holds
from engine.agent.quantities import find_quantities
from engine.agent.question import Form, Option, Question
from engine.agent.reading import Reading
from engine.agent.sources import Sources
from engine.agent.terms import content_terms, tokens
from engine.agent.verify import check_sentence, stands, stands_in_unit
from engine.core.results import AnswerStatus, Sentence, Step
from engine.core.text import fold, fold_case

_EVIDENCE = 25
_LEAST = 0.25
"""Support from which an option may be chosen: that one of them is right is given."""
_APART = 0.02
"""Support by which the best option must lead."""
_SHORT_ANSWER = 1.5
"""How much more it counts that an option is the short answer of a reading than that it stands beside it."""
_SEVERAL = re.compile(r"\b(?:are|which of the following|all that apply|multiple choice)\b", re.I)


@dataclass(frozen=True, slots=True)
class Held:
    """An option with the unit that states it, and how surely (0..1.5)."""

    option: Option
    support: float
    evidence: Evidence


def answer_choice(
    question: Question, readings: Sequence[Reading], pool: Pool, sources: Sources, notes: Notes, model: str
) -> Draft | None:
    """The option, or options, that the evidence states; None where none or several stand out alike.

    Of a single choice the option that the likeliest reading gives; of several choices each that one sentence of the
    documents asked about holds whole.
    """
    several = bool(_SEVERAL.search(question.folded)) and question.form is Form.CHOICE
    if several:
        chosen = [one for option in question.options if (one := _stated(option, pool)) is not None]
    else:
        held = [one for option in question.options if (one := _given(option, readings)) is not None]
        held.sort(key=lambda one: -one.support)
        tied = len(held) > 1 and held[1].support > held[0].support - _APART
        chosen = [] if tied or not held or held[0].support < _LEAST else held[:1]
    if not chosen:
        return None
    citations = Citations(sources)
    sentences = []
    for one in chosen:
        unit = one.evidence.unit
        number = citations.cite(unit)
        text = f"{one.option.label}: {one.option.text} \u2014 {unit.shown}"
        verified = check_sentence(text, [citations.page_text(number)], question.text, unit.texts).verified
        sentences.append(notes.sentence(Sentence(text, verified, (number,)), citations.pick))
    labels = ", ".join(one.option.label for one in chosen)
    short = f"{labels}: " + "; ".join(one.option.text for one in chosen)
    notes.step(Step("answer", question.text, tuple(one.evidence.unit.segment.id for one in chosen), labels))
    return Draft(AnswerStatus.ANSWERED, short, tuple(sentences), citations.all, model)


def _given(option: Option, readings: Sequence[Reading]) -> Held | None:
    """The likeliest reading that gives an option: as its short answer, or less surely somewhere in its unit."""
    best: Held | None = None
    for reading in readings[:_EVIDENCE]:
        if reading.evidence.wrong_part:
            continue
        unit = reading.evidence.unit
        exact = _says(option, reading.short)
        there = _says(option, unit.shown) or stands_in_unit(option.text, unit.shown, unit.texts)
        support = reading.chance * (_SHORT_ANSWER if exact else 1.0)
        if (exact or there) and (best is None or support > best.support):
            best = Held(option, support, reading.evidence)
    return best


def _says(option: Option, text: str) -> bool:
    """Whether a text states an option: its words, its quantity in any unit, or its count in words."""
    folded = fold(text)
    if stands(option.text, folded) or fold_case(option.text) in folded.casefold():
        return True
    wanted = find_quantities(fold(option.text))
    if len(wanted) == 1 and any(q.same(wanted[0]) for q in find_quantities(folded)):
        return True
    count = counted(option.text)
    return count is not None and any((one := counted(word)) is not None and one.same(count) for word in tokens(text))


def _stated(option: Option, pool: Pool) -> Held | None:
    """The sentence or row of the documents asked about that holds all words of an option."""
    wanted = set(content_terms(option.text))
    if not wanted:
        return None
    for unit in pool.units:
        asked = not pool.targets or unit.segment.document in pool.targets
        if asked and all(holds(unit.forms, term) for term in wanted):
            return Held(option, 1.0, Evidence(unit, 1.0, 1.0, 1.0, ()))
    return None
