"""The sufficient-context test: whether evidence answers the question or merely looks like it.

A look-alike passage shares the common words of a question; an answer also has its rare ones and holds a span of the
kind asked for. The test is deliberately strict: "not mentioned" costs an engineer a minute, a wrong limit a board.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.agent.evidence import Evidence, Pool
from engine.agent.question import Expect, Question
from engine.agent.spans import Span


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Calibrated by tests/benchmarks/answers.py; shares of rarity-weighted question terms."""

    answered: float = 0.62
    partial: float = 0.45
    rare_missing: float = 0.34
    """Largest share of the weight that one missing term may carry."""
    gate: float = 0.3
    """Coverage below which the model is not even asked."""
    local: float = 0.4
    """Share that a value's own sentence or row must hold, its surroundings counted less."""
    absent: float = 0.4
    """Largest share of the weight that terms found nowhere in the documents may carry."""


def judge(question: Question, pool: Pool, evidence: Evidence, span: Span | None, limits: Thresholds) -> float:
    """0.0 no evidence, 0.5 partial, 1.0 sufficient."""
    if span is None and question.expect is not Expect.TEXT:
        return 0.0
    if evidence.wrong_part or not gate(question, pool, evidence, limits):
        return 0.0
    own = evidence.inside + 0.6 * (evidence.local - evidence.inside)
    if span is not None and span.quantity is not None and own < limits.local:
        return 0.0
    worst = max((pool.weights[term] / pool.total for term in evidence.missing), default=0.0)
    if worst >= limits.rare_missing and evidence.conditions <= 0:
        return 0.0
    if evidence.coverage >= limits.answered:
        return 1.0
    enough = limits.partial if question.expect is not Expect.TEXT else limits.answered
    return 0.5 if evidence.coverage >= enough else 0.0


def gate(question: Question, pool: Pool, evidence: Evidence, limits: Thresholds) -> bool:
    """Whether the documents speak of what is asked at all: the cheap half of the test, before any model is asked."""
    lost = sum(pool.weights[term] for term in pool.absent) / pool.total
    if any(term.startswith("^") for term in pool.absent):
        return False
    return lost < limits.absent and (evidence.coverage >= limits.gate or evidence.conditions > 0)
