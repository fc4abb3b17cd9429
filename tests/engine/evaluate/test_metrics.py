"""Metrics against values worked out by hand."""

from __future__ import annotations

import math

import pytest

from engine.evaluate import metrics

RANKED = ["a", "b", "c", "d", "e"]


def test_rank_is_that_of_the_first_item_serving_the_evidence() -> None:
    evidence = [{"c", "e"}, {"a"}, {"z"}]
    assert metrics.ranks_of(RANKED, evidence) == (3, 1, None)


def test_repeated_items_count_at_their_first_place() -> None:
    assert metrics.ranks_of(["x", "y", "x", "z"], [{"x"}, {"z"}]) == (1, 4)


def test_recall() -> None:
    ranks = (3, 1, None, 6)
    assert metrics.recall_at(ranks, 1) == 0.25
    assert metrics.recall_at(ranks, 5) == 0.5
    assert metrics.recall_at(ranks, 10) == 0.75


def test_precision_counts_empty_places_as_misses() -> None:
    assert metrics.precision_at(RANKED, [{"a", "c"}], 5) == pytest.approx(0.4)
    assert metrics.precision_at(["a"], [{"a"}], 5) == pytest.approx(0.2)
    with pytest.raises(ValueError, match="at least 1"):
        metrics.precision_at(RANKED, [{"a"}], 0)


def test_reciprocal_rank() -> None:
    assert metrics.reciprocal_rank((4, 2, None)) == 0.5
    assert metrics.reciprocal_rank((None,)) == 0.0


def test_ndcg() -> None:
    # Two pieces of evidence at ranks 1 and 3: (1 + 1/2) / (1 + 1/log2(3))
    assert metrics.ndcg_at((1, 3)) == pytest.approx(1.5 / (1 + 1 / math.log2(3)))
    assert metrics.ndcg_at((1, 2)) == 1.0
    assert metrics.ndcg_at((11,)) == 0.0


@pytest.mark.parametrize(("rank", "score"), [(1, 1.0), (5, 0.767), (20, 0.566), (100, 0.333), (500, 0.100)])
def test_log_rank_follows_the_formula(rank: int, score: float) -> None:
    assert metrics.log_rank((rank,), 1000) == pytest.approx(score, abs=5e-4)


def test_log_rank_of_missing_evidence_is_that_of_the_last_place() -> None:
    assert metrics.log_rank((None,), 1000) == 0.0
    assert metrics.log_rank((1, None), 1000) == 0.5
    assert metrics.log_rank((1,), 1) == 1.0


def test_steeper_log_rank_drops_faster() -> None:
    assert metrics.log_rank((5,), 1000, gamma=10) < metrics.log_rank((5,), 1000, gamma=0.1)


def test_a_question_without_evidence_is_an_error_not_a_score() -> None:
    for metric in (metrics.reciprocal_rank, metrics.ndcg_at):
        with pytest.raises(ValueError, match="without evidence"):
            metric(())
    with pytest.raises(ValueError, match="without evidence"):
        metrics.recall_at((), 5)


def test_wilson_against_the_textbook() -> None:
    # 8 of 10 at 95 %: 0.4902 to 0.9433
    interval = metrics.wilson(8, 10)
    assert interval.low == pytest.approx(0.4902, abs=1e-4)
    assert interval.high == pytest.approx(0.9433, abs=1e-4)
    assert metrics.wilson(0, 0).low == 0.0
    assert metrics.wilson(5, 5).high == pytest.approx(1.0)
