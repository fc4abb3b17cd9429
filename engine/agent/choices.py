"""Answers to questions that offer options: the one, or those, that the best evidence states (HiQA 7.8, 7.9)."""

from __future__ import annotations

import re

from engine.agent.cite import Citations
from engine.agent.draft import Draft, Notes
from engine.agent.evidence import Evidence, Pool, rank
from engine.agent.quantities import find_quantities
from engine.agent.question import Form, Option, Question
from engine.agent.sources import Sources
from engine.agent.verify import check_sentence, stands
from engine.core.results import AnswerStatus, Sentence, Step
from engine.core.text import fold, fold_case

_EVIDENCE = 25
_SEVERAL = re.compile(r"\b(?:are|which of the following|all that apply|multiple choice)\b", re.I)


def answer_choice(question: Question, pool: Pool, sources: Sources, notes: Notes, model: str) -> Draft | None:
    """The option, or options, that the best evidence states; None where none or several stand out alike."""
    ranked = rank(question, pool, _EVIDENCE)
    support = {option.label: _support(option, ranked) for option in question.options}
    held = [(found[0], option, found[1]) for option in question.options if (found := support[option.label]) is not None]
    if not held:
        return None
    held.sort(key=lambda one: -one[0])
    several = bool(_SEVERAL.search(question.folded)) and question.form is Form.CHOICE
    best = held[0][0]
    chosen = [one for one in held if one[0] >= 0.8 * best] if several else held[:1]
    if not several and len(held) > 1 and held[1][0] >= 0.97 * best:
        return None
    citations = Citations(sources)
    sentences = []
    for _, option, evidence in sorted(chosen, key=lambda one: one[1].label):
        number = citations.cite(evidence.unit)
        text = f"{option.label}: {option.text} \u2014 {evidence.unit.shown}"
        verified = check_sentence(text, [citations.page_text(number)], question.text, evidence.unit.texts).verified
        sentences.append(notes.sentence(Sentence(text, verified, (number,)), citations.pick))
    labels = ", ".join(sorted(option.label for _, option, _ in chosen))
    short = f"{labels}: " + "; ".join(option.text for _, option, _ in sorted(chosen, key=lambda one: one[1].label))
    notes.step(Step("answer", question.text, tuple(e.unit.segment.id for _, _, e in chosen), labels))
    return Draft(AnswerStatus.ANSWERED, short, tuple(sentences), citations.all, model)


def _support(option: Option, ranked: list[Evidence]) -> tuple[float, Evidence] | None:
    """The best evidence that states an option, with its score."""
    wanted = find_quantities(fold(option.text))
    for evidence in ranked:
        text = fold(evidence.unit.shown)
        if stands(option.text, text) or fold_case(option.text) in text.casefold():
            return evidence.score, evidence
        if len(wanted) == 1 and any(q.same(wanted[0]) for q in find_quantities(text)):
            return evidence.score, evidence
    return None
