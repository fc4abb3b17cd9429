"""Answering without a model: the best sentence or table row, quoted, with the likely span as the short answer."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.agent.cite import Citations
from engine.agent.draft import Draft, Notes, not_mentioned
from engine.agent.evidence import Evidence, Pool, gather, rank
from engine.agent.question import Expect, Question
from engine.agent.sources import Sources
from engine.agent.spans import Span, find_span
from engine.agent.sufficient import Thresholds, judge
from engine.agent.targets import Targets, resolve
from engine.agent.verify import check_sentence
from engine.core.results import AnswerStatus, Sentence, Step

_RERANKED = 24
_TOP = 40
_LIMITS = Thresholds()


@dataclass(frozen=True, slots=True)
class Pick:
    """The evidence chosen, its short answer, and how sufficient it is (0, 0.5, 1)."""

    evidence: Evidence
    span: Span | None
    sufficient: float

    @property
    def short(self) -> str:
        return self.span.text if self.span is not None else self.evidence.unit.text


def pick(question: Question, sources: Sources, targets: Targets, limits: Thresholds) -> tuple[Pick | None, Pool]:
    """The best answering unit for a question among its targets, None if nothing comes near."""
    pool = gather(question, sources, targets)
    best: Pick | None = None
    best_score = float("-inf")
    for evidence in reranked(question, sources, rank(question, pool, _TOP)):
        span = find_span(question, pool, evidence)
        score = evidence.score + (0.35 * span.fit if span is not None else -0.4)
        if question.expect is Expect.TEXT:
            score = evidence.score
        if score > best_score:
            best_score = score
            best = Pick(evidence, span, judge(question, pool, evidence, span, limits))
    return best, pool


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


def answer_quoted(question: Question, sources: Sources, notes: Notes, limits: Thresholds = _LIMITS) -> Draft:
    """Answer by quoting alone. Steps: the parts resolved, one retrieval, one quotation."""
    targets = resolve(question, sources.catalog.documents())
    unknown = missing_subject(question, targets)
    if unknown:
        return not_mentioned(f"No document here is about {unknown}.", "quoted")
    best, pool = pick(question, sources, targets, limits)
    used = tuple(dict.fromkeys([best.evidence.unit.segment.id] if best else []))
    notes.step(Step("retrieve", question.text, used, f"{len(pool.units)} sentences and rows read"))
    if best is None or best.sufficient == 0.0:
        return not_mentioned("", "quoted")
    citations = Citations(sources)
    unit = best.evidence.unit
    number = citations.cite(unit)
    verdict = check_sentence(unit.text, [citations.page_text(number)])
    sentence = notes.sentence(Sentence(unit.text, verdict.verified, (number,)), citations.pick)
    notes.step(Step("answer", question.text, used, "quoted"))
    status = AnswerStatus.ANSWERED if best.sufficient == 1.0 and verdict.verified else AnswerStatus.PARTIAL
    return Draft(status, best.short, (sentence,), citations.all, "quoted")


def missing_subject(question: Question, targets: Targets) -> str:
    """The part a question is about when no document is about it, and none of its other parts is known; else ""."""
    return targets.unknown[0] if targets.unknown and not targets.named else ""
