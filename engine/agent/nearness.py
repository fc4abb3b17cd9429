"""How near the words of a question stand to a value in running text."""

from __future__ import annotations

import re

from engine.agent.evidence import Pool, holds
from engine.agent.quantities import Quantity, find_quantities
from engine.agent.question import Question
from engine.agent.terms import canonical, word_forms

CLAUSE_END = re.compile(r"[;.]\s")
_CLAUSE_GAP = 60
"""Characters a clause border counts for."""


def closeness(pool: Pool, text: str, start: int, end: int) -> float:
    """Rarity-weighted nearness of the question's terms to the characters [start, end)."""
    near = 0.0
    for term in pool.terms:
        gap = min((_clause_gap(text, m, start, end) for m in _places(text, term)), default=None)
        if gap is not None:
            near += pool.weights[term] / (1.0 + gap / 25.0)
    return near / pool.total


def said(pool: Pool, words: str) -> float:
    """Share of the question's weight in some words beside a value: "2K bytes of EEPROM"."""
    forms = word_forms(words)
    return sum(pool.weights[term] for term in pool.terms if holds(forms, term)) / pool.total


def near_given(question: Question, text: str, quantity: Quantity) -> float:
    """Nearness to a condition the question states: "from 18 V to 32 V, use 100 kohm"."""
    best = 0.0
    for there in find_quantities(text):
        if there.start == quantity.start or not any(there.same(given) for given in question.given):
            continue
        between = text[min(there.end, quantity.end) : max(there.start, quantity.start)]
        gap = _gap((there.start, there.end), quantity.start, quantity.end)
        best = max(best, (0.7 if not CLAUSE_END.search(between) else 0.1) / (1.0 + gap / 30.0))
    return best


def _clause_gap(text: str, place: tuple[int, int], start: int, end: int) -> int:
    """Characters between a word and a value; a word of another clause speaks of another value."""
    between = text[place[1] : start] if place[1] <= start else text[end : place[0]]
    return _gap(place, start, end) + (_CLAUSE_GAP if CLAUSE_END.search(between) else 0)


def _gap(place: tuple[int, int], start: int, end: int) -> int:
    return max(0, start - place[1], place[0] - end)


def _places(text: str, term: str) -> list[tuple[int, int]]:
    return [
        (m.start(), m.end())
        for m in re.finditer(r"[^\W_]+(?:[-/.+][^\W_]+)*", text.casefold())
        if canonical(m.group()) == term
        or ("-" in m.group() and holds({canonical(p) for p in m.group().split("-")}, term))
    ]
