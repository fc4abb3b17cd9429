"""Answers in the form asked: yes or no, true or false, a choice among options (HiQA 7.8, 7.9).

Code decides wherever the evidence holds comparable values; what remains is quoted as partial, never guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.agent.cite import Citations
from engine.agent.compose import draft_of
from engine.agent.draft import Draft, Notes
from engine.agent.evidence import Evidence, Pool, rank
from engine.agent.quantities import Quantity, find_quantities
from engine.agent.question import Expect, Form, Option, Question
from engine.agent.reading import Reading
from engine.agent.sources import Sources
from engine.agent.verify import check_sentence, stands
from engine.core.results import AnswerStatus, Sentence, Step
from engine.core.text import fold, fold_case

_UPPER = re.compile(r"\b(?:max(?:imum)?|up to|at most|only|no more than|less than|below|not exceed)\b|<", re.I)
_LOWER = re.compile(r"\b(?:min(?:imum)?|at least|no less than|more than|above|from)\b|>", re.I)
_NEGATED = re.compile(r"\b(?:not|no|never|cannot|can't|without|nor|neither|isn't|doesn't|don't|unable)\b", re.I)
_EVIDENCE = 25
_SEVERAL = re.compile(r"\b(?:are|which of the following|all that apply|multiple choice)\b", re.I)


class Verdict(StrEnum):
    YES = "yes"
    NO = "no"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict with the unit it rests on."""

    verdict: Verdict
    evidence: Evidence


def judge_claim(question: Question, reading: Reading) -> Verdict:
    """Whether the evidence bears out what a yes-no question or a statement claims, by its stated quantities.

    Without a quantity in the claim a sentence with all of its words bears it out, unless one of the two is negated.
    """
    unit = reading.evidence.unit
    text = fold(unit.shown)
    if not question.given:
        if reading.sufficient < 1.0 or reading.evidence.inside < 0.75:
            return Verdict.OPEN
        return Verdict.NO if bool(_NEGATED.search(text)) != bool(_NEGATED.search(question.folded)) else Verdict.YES
    verdicts = [_against(one, find_quantities(text), text) for one in question.given]
    if Verdict.NO in verdicts:
        return Verdict.NO
    return Verdict.YES if all(v is Verdict.YES for v in verdicts) else Verdict.OPEN


def _against(claimed: Quantity, there: list[Quantity], text: str) -> Verdict:
    same = [q for q in there if q.dimension == claimed.dimension]
    if any(q.same(claimed) for q in same):
        return Verdict.YES
    for quantity in same:
        if quantity.is_range:
            inside = quantity.low <= claimed.low and claimed.high <= quantity.high
            return Verdict.YES if inside else Verdict.NO
        near = text[max(0, quantity.start - 30) : quantity.end + 12]
        if _UPPER.search(near):
            return Verdict.YES if claimed.high <= quantity.high else Verdict.NO
        if _LOWER.search(near):
            return Verdict.YES if claimed.low >= quantity.low else Verdict.NO
    return Verdict.OPEN


def answer_claim(question: Question, reading: Reading, sources: Sources, notes: Notes) -> Draft:
    """Yes or no (true or false) with the passage; where code cannot tell, the passage alone and "partial"."""
    verdict = judge_claim(question, reading)
    quoted = replace(question, expect=Expect.TEXT)
    whole = replace(reading, short=reading.evidence.unit.text)
    if verdict is Verdict.OPEN:
        return draft_of(quoted, replace(whole, sufficient=min(reading.sufficient, 0.5)), sources, notes)
    said = {Form.TRUE_FALSE: ("True", "False")}.get(question.form, ("Yes", "No"))
    word = said[0] if verdict is Verdict.YES else said[1]
    citations = Citations(sources)
    unit = reading.evidence.unit
    number = citations.cite(unit)
    text = f"{word}: {unit.shown if unit.is_row else unit.text}"
    verified = check_sentence(text, [citations.page_text(number)], question.text, unit.texts).verified
    sentence = notes.sentence(Sentence(text, verified, (number,)), citations.pick)
    notes.step(Step("answer", question.text, (unit.segment.id,), word))
    status = AnswerStatus.ANSWERED if reading.sufficient == 1.0 and verified else AnswerStatus.PARTIAL
    short = word if not reading.quantity else f"{word}, {reading.short}"
    return Draft(status, short, (sentence,), citations.all, reading.by)


# --- choices ----------------------------------------------------------------------------------------------------------


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
