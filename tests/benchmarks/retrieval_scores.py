"""Scores of one way of retrieving over a set of questions, as one JSON-ready figure with intervals."""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Sequence

from engine.evaluate import metrics
from tests.benchmarks.retrieval_library import Item, Question

Search = Callable[[str, int], Sequence[frozenset[Item]]]
"""(question, k) -> the places of each hit, best first."""
_DEPTH = 10


def score(name: str, questions: Sequence[Question], search: Search, candidates: int) -> dict[str, object]:
    """Recall@1/5/10 with Wilson intervals over pieces of evidence, MRR, nDCG@10, Log-Rank, latency, recall per type."""
    recalls: dict[int, list[float]] = defaultdict(list)
    by_kind: dict[str, list[float]] = defaultdict(list)
    found = {1: 0.0, 5: 0.0, 10: 0.0}
    pieces = 0
    rest: dict[str, list[float]] = defaultdict(list)
    seconds = []
    for question in questions:
        started = time.perf_counter()
        hits = search(question.text, _DEPTH)
        seconds.append(time.perf_counter() - started)
        ranks = ranks_in(hits, question.evidence)
        pieces += len(ranks)
        for k in found:
            recalls[k].append(metrics.recall_at(ranks, k))
            found[k] += metrics.recall_at(ranks, k) * len(ranks)
        by_kind[question.kind].append(metrics.recall_at(ranks, 5))
        rest["mrr"].append(metrics.reciprocal_rank(ranks))
        rest["ndcg_at_10"].append(metrics.ndcg_at(ranks, 10))
        rest["log_rank"].append(metrics.log_rank(ranks, candidates))
        rest["precision_at_5"].append(precision(hits, question.evidence, 5))
    figure: dict[str, object] = {"variant": name, "questions": len(questions), "evidence": pieces}
    for k, values in recalls.items():
        figure[f"recall_at_{k}"] = round(statistics.fmean(values), 4)
        interval = metrics.wilson(found[k], pieces)
        figure[f"recall_at_{k}_interval"] = [round(interval.low, 4), round(interval.high, 4)]
    figure |= {key: round(statistics.fmean(values), 4) for key, values in rest.items()}
    figure["seconds_median"] = round(statistics.median(seconds), 4)
    figure["seconds_p95"] = round(sorted(seconds)[int(0.95 * (len(seconds) - 1))], 4)
    figure["recall_at_5_by_kind"] = {
        kind: [round(statistics.fmean(values), 4), len(values)] for kind, values in sorted(by_kind.items())
    }
    return figure


def ranks_in(hits: Sequence[frozenset[Item]], evidence: Sequence[frozenset[Item]]) -> tuple[int | None, ...]:
    """Rank of the first hit with a place that serves each piece of evidence."""
    return tuple(
        next((rank for rank, places in enumerate(hits, start=1) if not places.isdisjoint(group)), None)
        for group in evidence
    )


def precision(hits: Sequence[frozenset[Item]], evidence: Sequence[frozenset[Item]], k: int) -> float:
    relevant = frozenset().union(*evidence)
    return sum(not places.isdisjoint(relevant) for places in hits[:k]) / k
