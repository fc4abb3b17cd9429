"""One sub-question read from one pool of evidence: the seam between composing an answer and finding its pieces."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.agent.counts import counted
from engine.agent.evidence import Evidence, Pool, rank
from engine.agent.printed import printed
from engine.agent.quantities import Quantity, quantity_of
from engine.agent.question import Expect, Question
from engine.agent.sources import Sources
from engine.agent.spans import Span, find_span
from engine.agent.sufficient import Thresholds
from engine.agent.support import field_of, probability, promising, signs, trust
from engine.agent.units import Unit
from engine.core.cancel import CancelToken

_BEST_WORDED = 22
"""Units that share most words with the question ..."""
_BEST_FOUND = 5
"""... and all units of the passages that retrieval ranks first go to the cross-encoder ..."""
_SHORTLIST = 50
"""... up to so many."""
_ADJECTIVE = re.compile(r"(?<=[0-9])-(?=[A-Za-z])")
""" "409.6-ms intervals": the value is 409.6 ms."""
_WHOLE = 0.85
"""Share of the question that a row must hold itself for code to be certain of it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: the short answer, the unit it stands in, and how far the evidence suffices (0, 0.5 or 1)."""

    short: str
    evidence: Evidence
    sufficient: float
    quantity: Quantity | None = None
    by: str = "quoted"
    """"quoted" or the model's id."""
    chance: float = 0.0
    """Probability that the unit answers the question (engine/agent/support.py)."""
    trust: float = 0.0
    """How far it may be answered with: of the likeliest reading also by how far the next is behind it."""
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

    def readings(self, question: Question, pool: Pool, cancel: CancelToken) -> list[Reading]:
        """Every reading of the shortlist as code reads it, the one most probably right first."""

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
        readings = self.readings(question, pool, cancel)
        return readings[0] if readings else None

    def readings(self, question: Question, pool: Pool, cancel: CancelToken) -> list[Reading]:
        """All readings of the shortlist, the one most probably right first."""
        cancel.raise_if_cancelled()
        found = sorted(weighed(question, pool, self._sources), key=lambda one: -one.chance)
        trusts = [one.chance for one in found]
        if found and not found[0].evidence.wrong_part:
            rival = next((one.signs for one in found[1:] if one.chance > 0.0 and not _agree(found[0], one)), None)
            trusts[0] = trust(question, found[0].signs, rival)
        return [
            reading_of(question, one.evidence, one.span, one.chance, self._limits, trusted)
            for one, trusted in zip(found, trusts)
        ]

    def extract(self, asked: str, units: Sequence[Unit], cancel: CancelToken) -> tuple[str, Unit] | None:
        return None


@dataclass(frozen=True, slots=True)
class Weighed:
    """A unit with its span, its signs and the probability that it answers the question."""

    evidence: Evidence
    span: Span | None
    signs: Mapping[str, float]
    chance: float


def weighed(question: Question, pool: Pool, sources: Sources) -> list[Weighed]:
    """The promising units of the shortlist, each with its span and the probability that it answers the question."""
    chosen = shortlist(question, pool)
    spans = [find_span(question, pool, evidence) for evidence in chosen]
    field = field_of(chosen, None)
    found = [signs(question, pool, one, span, None, field) for one, span in zip(chosen, spans)]
    places = list(range(len(chosen)))
    if sources.reranker is not None and chosen:
        places = promising(found)
        read = [chosen[place] for place in places]
        relevance = sources.reranker.score(question.text, [passage(evidence) for evidence in read])
        field = field_of(chosen, relevance)
        for place, logit in zip(places, relevance):
            found[place] = signs(question, pool, chosen[place], spans[place], logit, field)
    # A row of a sibling part is no evidence, however well it fits.
    return [
        Weighed(
            chosen[place], spans[place], found[place], 0.0 if chosen[place].wrong_part else probability(found[place])
        )
        for place in places
    ]


def _agree(one: Weighed, other: Weighed) -> bool:
    """Whether two units give the same value: what a sheet says twice is no rival to itself."""
    if one.span is None or other.span is None:
        return False
    if one.span.quantity is not None and other.span.quantity is not None:
        return one.span.quantity.same(other.span.quantity)
    return "".join(one.span.text.split()).casefold() == "".join(other.span.text.split()).casefold()


def shortlist(question: Question, pool: Pool) -> list[Evidence]:
    """Units that share most words with the question and those of the passages that retrieval ranks first."""
    ranked = rank(question, pool)
    first = set(sorted(pool.ranks, key=lambda segment: pool.ranks[segment])[:_BEST_FOUND])
    worded = ranked[:_BEST_WORDED]
    found = [evidence for evidence in ranked[_BEST_WORDED:] if evidence.unit.segment.id in first]
    return [*worded, *found][:_SHORTLIST]


def passage(evidence: Evidence) -> str:
    """A unit as the cross-encoder reads it: the document's title and the nearest headings, then its own words."""
    segment = evidence.unit.segment
    return f"{segment.title[:60]}: {' > '.join(segment.path[-2:])}: {evidence.unit.shown}"


def reading_of(
    question: Question, evidence: Evidence, span: Span | None, chance: float, limits: Thresholds, trusted: float
) -> Reading:
    """A reading of a unit with its span, judged for sufficiency by how far it is trusted."""
    unit = evidence.unit
    short = printed(unit.shown, span.text) if span is not None else unit.text
    quantity = span.quantity if span is not None and span.quantity is not None else quantity_of(short)
    if quantity is not None and span is not None and span.quantity is not None:
        short = _ADJECTIVE.sub(" ", short)
    quantity = quantity or (counted(short) if question.expect is Expect.NUMBER else None)
    sufficient = 1.0 if trusted >= limits.answered and chance >= limits.likely else 0.0
    stated = evidence.conditions >= 1.0 if question.pairs else evidence.inside >= _WHOLE
    whole = stated or (not unit.is_row and evidence.inside >= _WHOLE)
    certain = bool(sufficient == 1.0 and span is not None and span.sure and whole)
    return Reading(short, evidence, sufficient, quantity, certain=certain, chance=chance, trust=trusted)
