"""Claims: whether a passage bears out what a yes-no question or a statement says (HiQA 7.8).

Code says "no" only where the passage itself denies the claim or gives a value that excludes it; what it cannot tell is
quoted as partial, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum

from engine.agent.cite import Citations
from engine.agent.draft import Draft, Notes
from engine.agent.quantities import Quantity, find_quantities
from engine.agent.question import Form, Question
from engine.agent.reading import Reading
from engine.agent.sources import Sources
from engine.agent.terms import canonical, tokens, word_forms
from engine.agent.units import Unit, split_sentences
from engine.agent.verify import check_sentence
from engine.core.results import AnswerStatus, Sentence, Step
from engine.core.text import fold

_UPPER = re.compile(r"\b(?:max(?:imum)?|up to|at most|only|no more than|less than|below|not exceed)\b|<", re.I)
_LOWER = re.compile(r"\b(?:min(?:imum)?|at least|no less than|more than|above|from)\b|>", re.I)
_NEGATED = re.compile(
    r"\b(?:not|no|never|cannot|can't|without|nor|neither|isn't|aren't|doesn't|don't|lacks?|unable)\b", re.I
)
_OPERATES = re.compile(r"\b(?:suppl|operat|power)", re.I)
"""What a passage must speak of that is to say whether a part runs at a bare "3.3 V"."""
_CLAUSE = re.compile(r"[.;:]\s|,\s|\s(?=(?:if|when|unless|while|where|because|although|but|which|that)\b)", re.I)
_CONDITIONAL = re.compile(r"^\s*(?:if|when|unless|in case|should)\b", re.I)
_WHOLE = 0.75
"""Share of a claim's words that the passage itself must hold."""
_DENIED = 0.6
"""Share of a claim's words in a negated clause from which it denies the claim."""
_NEAR = 4
"""Words that may stand between two that a claim puts side by side."""


_LONG = 160
"""Characters of a row beyond which only the sentence that tells is shown."""
_JUDGED = 5
"""Passages that are asked whether the claim holds."""


class Verdict(StrEnum):
    YES = "yes"
    NO = "no"
    OPEN = "open"


def judge_claim(question: Question, reading: Reading) -> Verdict:
    """Whether the evidence bears out what a yes-no question or a statement claims.

    A claim with a quantity is held against the quantities of a sentence; the rows of limit tables are judged by
    engine/parameters. A claim without one is borne out by a passage that says the same words near one another.
    """
    if reading.sufficient < 1.0:
        return Verdict.OPEN
    if question.terms and reading.evidence.inside < _WHOLE:
        return Verdict.OPEN
    if question.given:
        return _judge_values(question, reading.evidence.unit)
    text = fold(telling(question, reading.evidence.unit))
    if _denied(question, text) != bool(_NEGATED.search(question.folded)):
        return Verdict.NO
    claimed = [pair for pair in question.phrases if set(pair) <= set(question.terms)]
    return Verdict.YES if _side_by_side(claimed, text) else Verdict.OPEN


def _judge_values(question: Question, unit: Unit) -> Verdict:
    text = fold(unit.text)
    if unit.is_row or (not question.terms and not _OPERATES.search(text)):
        return Verdict.OPEN
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


def _denied(question: Question, text: str) -> bool:
    """Whether a clause that is no condition negates the claim's own words, not something beside them."""
    wanted = set(question.terms)
    for clause in _CLAUSE.split(text):
        if not _NEGATED.search(clause) or _CONDITIONAL.match(clause) or not wanted:
            continue
        if len(wanted & word_forms(clause)) >= _DENIED * len(wanted):
            return True
    return False


def _side_by_side(phrases: Iterable[tuple[str, str]], text: str) -> bool:
    """Whether words that the claim puts side by side stand near one another wherever the passage has both.

    "A dual amplifier" is not borne out by an amplifier with dual supplies.
    """
    words = [canonical(token) for token in tokens(text)]
    for first, second in phrases:
        places = [n for n, word in enumerate(words) if word == first]
        others = [n for n, word in enumerate(words) if word == second]
        if places and others and min(abs(a - b) for a in places for b in others) > _NEAR:
            return False
    return True


def telling(question: Question, unit: Unit) -> str:
    """The sentence of a unit that says most of the question: of a long row the sentence of a cell."""
    if not unit.is_row or len(unit.shown) <= _LONG:
        return unit.shown
    wanted = set(question.terms)
    cells = [text for text in unit.texts if len(text.split()) > 2]
    sentences = [sentence for text in cells for sentence in split_sentences(text)]
    return max(sentences, key=lambda one: len(wanted & word_forms(one)), default=unit.shown)


def answer_claim(question: Question, readings: Sequence[Reading], sources: Sources, notes: Notes) -> Draft:
    """Yes or no (true or false) with the first passage that tells; where none does, the best alone and "partial".

    `readings` has at least one, the likeliest first.
    """
    judged = [(judge_claim(question, one), one) for one in readings[:_JUDGED]]
    verdict, reading = next((one for one in judged if one[0] is not Verdict.OPEN), judged[0])
    unit = reading.evidence.unit
    passage = telling(question, unit)
    citations = Citations(sources)
    number = citations.cite(unit)
    said = {Form.TRUE_FALSE: ("True", "False")}.get(question.form, ("Yes", "No"))
    word = {Verdict.YES: said[0], Verdict.NO: said[1]}.get(verdict, "")
    text = f"{word}: {passage}" if word else passage
    verified = check_sentence(text, [citations.page_text(number)], question.text, unit.texts).verified
    sentence = notes.sentence(Sentence(text, verified, (number,)), citations.pick)
    notes.step(Step("answer", question.text, (unit.segment.id,), word or reading.by))
    status = AnswerStatus.ANSWERED if word and verified else AnswerStatus.PARTIAL
    value = f"{word}, {reading.short}" if reading.quantity else word
    return Draft(status, value if word else passage, (sentence,), citations.all, reading.by)
