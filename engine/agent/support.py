"""How probably a passage answers a question: a logistic model over a few signs of fit.

Replaces thresholds on shared words, which took every paraphrase for "not mentioned". Weights are fitted by
`python -m tests.benchmarks.fit_support` on questions with known answers and on questions the documents do not answer;
no weight may have a sign other than the one its meaning demands, so that a small sample cannot teach nonsense.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from engine.agent.evidence import Evidence, Pool
from engine.agent.question import Expect, Question
from engine.agent.spans import Span

_TYPED = (Expect.QUANTITY, Expect.NUMBER, Expect.HEX, Expect.IDENTIFIER)
_NUMERIC = (Expect.QUANTITY, Expect.NUMBER)
_EXACT = re.compile(r"[\w/+-]*[A-Z0-9][\w/+-]*")
_LOGIT = 4.0
"""Scale of the cross-encoder's logits, which run from about -11 to 9."""

POSITIVE = ("relevance", "lexical", "coverage", "typed", "place", "condition_met", "in_section")
NEGATIVE = (
    "behind", "worst_missing", "exact_missing", "absent", "untyped", "no_digit", "off_target", "wrong_part",
    "condition_broken", "outside_section", "year_missing",
)  # fmt: skip


def signs(
    question: Question, pool: Pool, evidence: Evidence, span: Span | None, relevance: float | None, best: float | None
) -> dict[str, float]:
    """The signs of one candidate. `relevance` and `best` are cross-encoder logits of it and of the best candidate,
    None where there is no cross-encoder."""
    typed = question.expect in _TYPED
    own = span is not None and not span.loose
    place = pool.ranks.get(evidence.unit.segment.id)
    held = evidence.unit.segment.document in pool.targets
    lost = [pool.weights[term] / pool.total for term in evidence.missing]
    found = {
        "lexical": min(1.5, evidence.score),
        "coverage": min(1.0, evidence.coverage),
        "worst_missing": max(lost, default=0.0),
        "exact_missing": _exact_missing(question, pool, evidence),
        "absent": sum(pool.weights[term] for term in pool.absent) / pool.total,
        "typed": float(typed and own),
        "untyped": float(typed and not own),
        "no_digit": float(question.expect in _NUMERIC and not any(c.isdigit() for c in evidence.unit.shown)),
        "place": 1 / math.sqrt(place) if place else 0.0,
        "off_target": float(bool(pool.targets) and not held),
        "wrong_part": float(evidence.wrong_part),
        "condition_met": max(0.0, evidence.conditions),
        "condition_broken": -min(0.0, evidence.conditions),
        "in_section": float(evidence.in_section),
        "outside_section": float(bool(question.sections) and not evidence.in_section),
        "year_missing": float(any(term in question.years for term in evidence.missing)),
    }
    if relevance is not None and best is not None:
        found["relevance"] = max(-2.0, min(2.0, relevance / _LOGIT))
        found["behind"] = (best - relevance) / _LOGIT
    return found


def probability(found: Mapping[str, float]) -> float:
    """0..1 that the candidate answers; the weights without a cross-encoder serve where `relevance` is not among the
    signs."""
    weights = WITH_RERANKER if "relevance" in found else LEXICAL
    logit = weights["bias"] + sum(weights[name] * value for name, value in found.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


def _exact_missing(question: Question, pool: Pool, evidence: Evidence) -> float:
    """Share of the question's weight in missing words that have no other wording: acronyms, symbols, figures."""
    exact = {
        token.casefold()
        for token in _EXACT.findall(question.folded[1:])
        if sum(c.isupper() for c in token) >= 2 or any(c.isdigit() for c in token)
    }
    lost = [term for term in evidence.missing if term in exact or term.startswith("^")]
    return sum(pool.weights[term] for term in lost) / pool.total


WITH_RERANKER: Mapping[str, float] = {
    "relevance": 0.0,
    "lexical": 1.234,
    "coverage": 0.045,
    "typed": 0.262,
    "place": 1.115,
    "condition_met": 0.957,
    "in_section": 0.198,
    "behind": -2.18,
    "worst_missing": -4.332,
    "exact_missing": -0.32,
    "absent": -0.408,
    "untyped": -0.731,
    "no_digit": -2.566,
    "off_target": -2.094,
    "wrong_part": -1.231,
    "condition_broken": -0.578,
    "outside_section": -0.552,
    "year_missing": -2.961,
    "bias": -0.741,
}
LEXICAL: Mapping[str, float] = {
    "lexical": 2.596,
    "coverage": 0.733,
    "typed": 0.25,
    "place": 1.36,
    "condition_met": 0.614,
    "in_section": 0.209,
    "worst_missing": -3.404,
    "exact_missing": -0.446,
    "absent": 0.0,
    "untyped": -1.016,
    "no_digit": -2.843,
    "off_target": -2.329,
    "wrong_part": -0.899,
    "condition_broken": 0.0,
    "outside_section": -1.485,
    "year_missing": -2.397,
    "bias": -3.821,
}
