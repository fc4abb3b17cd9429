"""One sub-question read from one pool of evidence: the seam between composing an answer and finding its pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from engine.agent.evidence import Evidence, Pool, rank
from engine.agent.printed import printed
from engine.agent.quantities import Quantity, quantity_of
from engine.agent.question import Expect, Question
from engine.agent.sources import Sources
from engine.agent.spans import Span, find_span
from engine.agent.sufficient import Thresholds, judge
from engine.agent.units import Unit
from engine.core.cancel import CancelToken

_TOP = 40
_RERANKED = 20
_WHOLE = 0.85
"""Share of the question that a row must hold itself for code to be certain of it."""
_PLACED = 0.25
"""How far behind the best a unit of the named section may be and still be preferred."""
_NEAR = 0.4
"""How far behind the best a unit may be and still answer where the best does not."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: the short answer, the unit it stands in, and how far the evidence suffices (0, 0.5 or 1)."""

    short: str
    evidence: Evidence
    sufficient: float
    quantity: Quantity | None = None
    by: str = "quoted"
    """"quoted" or the model's id."""
    certain: bool = False
    """Code needs no model here: the row or sentence holds everything asked and itself says which value it is."""

    @property
    def found(self) -> bool:
        return self.sufficient > 0.0


class Reader(Protocol):
    """Finds the short answer to a question in a pool of evidence."""

    @property
    def name(self) -> str: ...

    def read(self, question: Question, pool: Pool, cancel: CancelToken) -> Reading | None:
        """The best reading, which may be insufficient; None if nothing comes near."""

    def extract(self, asked: str, units: Sequence[Unit], cancel: CancelToken) -> tuple[str, Unit] | None:
        """The short answer in one of a few sentences that are known to speak of the matter; None if it is not there.

        Without a model there is none: what code cannot read by its patterns it does not guess.
        """


class QuotedReader:
    """Reads without a model: the best sentence or row, and the likeliest span in it."""

    name = "quoted"

    def __init__(self, sources: Sources, limits: Thresholds | None = None) -> None:
        self._sources = sources
        self._limits = limits or Thresholds()

    def read(self, question: Question, pool: Pool, cancel: CancelToken) -> Reading | None:
        cancel.raise_if_cancelled()
        scored: list[tuple[float, Reading]] = []
        for evidence in reranked(question, self._sources, rank(question, pool, _TOP)):
            span = find_span(question, pool, evidence)
            score = evidence.score
            if question.expect is not Expect.TEXT:
                score += 0.35 * span.fit if span is not None else -0.4
            scored.append((score, reading_of(question, pool, evidence, span, self._limits)))
        if not scored:
            return None
        top = max(score for score, _ in scored)
        near = [pair for pair in scored if pair[1].found and pair[0] >= top - _NEAR]
        whole = max((reading.evidence.coverage for _, reading in near), default=0.0) - 0.1
        placed = [
            (s, r) for s, r in near if r.evidence.in_section and s >= top - _PLACED and r.evidence.coverage >= whole
        ]
        return max(placed or near or scored, key=lambda pair: pair[0])[1]

    def extract(self, asked: str, units: Sequence[Unit], cancel: CancelToken) -> tuple[str, Unit] | None:
        return None


def reading_of(question: Question, pool: Pool, evidence: Evidence, span: Span | None, limits: Thresholds) -> Reading:
    """A reading of a unit with its span, judged for sufficiency."""
    unit = evidence.unit
    short = printed(unit.shown if unit.is_row else unit.text, span.text) if span is not None else unit.text
    quantity = span.quantity if span is not None and span.quantity is not None else quantity_of(short)
    sufficient = judge(question, pool, evidence, span, limits)
    whole = evidence.inside >= _WHOLE or (question.pairs and evidence.conditions >= 1.0)
    certain = bool(sufficient == 1.0 and span is not None and span.sure and whole)
    return Reading(short, evidence, sufficient, quantity, certain=certain)


def reranked(question: Question, sources: Sources, ranked: list[Evidence]) -> list[Evidence]:
    """Let the cross-encoder, where there is one, move the leading units; it never overrules a section or identifier."""
    if sources.reranker is None or not ranked:
        return ranked
    head = ranked[:_RERANKED]
    scores = sources.reranker.score(question.text, [f"{e.unit.around[-160:]} {e.unit.shown}" for e in head])
    low, high = min(scores), max(scores)
    spread = (high - low) or 1.0
    moved = [replace(e, score=e.score + 0.3 * (s - low) / spread) for e, s in zip(head, scores)]
    moved.sort(key=lambda e: -e.score)
    return moved + ranked[_RERANKED:]
