"""Fusion: equation 2 by hand, its edges, and what every method must keep."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.ids import SegmentId
from engine.core.ports import Scored
from engine.retrieve.fuse import Critical, Floors, Fused, Fusion, Weights, fuse, min_max


def scored(*pairs: tuple[str, float]) -> list[Scored]:
    return [Scored(SegmentId(name), score) for name, score in pairs]


def as_dict(fused: list[Fused]) -> dict[str, float]:
    return {item.segment: item.score for item in fused}


DENSE = scored(("a", 0.9), ("b", 0.8), ("c", 0.7))
LEXICAL = scored(("c", 12.0), ("d", 6.0), ("a", 2.0))


def test_equation_2_by_hand() -> None:
    critical = Critical(3, {SegmentId("d"): 3.0, SegmentId("b"): 1.0})
    result = as_dict(fuse(Fusion.MIN_MAX, DENSE, LEXICAL, weights=Weights(0.6, 0.4), critical=critical))
    assert result["a"] == pytest.approx(0.6 * 1.0 + 0.4 * 0.0)
    assert result["b"] == pytest.approx(0.6 * 0.5 + 0.4 * math.log(2) / math.log(4))
    assert result["c"] == pytest.approx(0.6 * 0.0 + 0.4 * 1.0)
    assert result["d"] == pytest.approx(0.4 * 0.4 + 0.4)


def test_without_critical_terms_there_is_no_bonus() -> None:
    plain = fuse(Fusion.MIN_MAX, DENSE, LEXICAL, weights=Weights(0.5, 5.0))
    assert all(item.bonus == 0.0 for item in plain)


def test_constant_scores_and_single_candidates_say_nothing() -> None:
    assert min_max(scored(("a", 3.0), ("b", 3.0))) == {"a": 0.0, "b": 0.0}
    assert min_max(scored(("a", 3.0))) == {"a": 0.0}
    assert min_max([]) == {}


def test_rrf_by_hand() -> None:
    result = as_dict(fuse(Fusion.RRF, DENSE, LEXICAL, weights=Weights(0.5, 0.0, rrf_k=60)))
    assert result["a"] / result["b"] == pytest.approx((1 / 61 + 1 / 63) / (1 / 62))


def test_z_score_of_a_route_ignores_its_scale() -> None:
    blown = [Scored(s.segment, s.score * 1000 + 7) for s in LEXICAL]
    first = fuse(Fusion.Z_SCORE, DENSE, LEXICAL, weights=Weights())
    second = fuse(Fusion.Z_SCORE, DENSE, blown, weights=Weights())
    assert [f.segment for f in first] == [f.segment for f in second]


def test_collection_floor_keeps_a_flat_pool_from_being_stretched() -> None:
    flat = scored(("a", 0.90), ("b", 0.89))
    stretched = as_dict(fuse(Fusion.MIN_MAX, flat, [], weights=Weights(1.0, 0.0)))
    kept = as_dict(fuse(Fusion.COLLECTION, flat, [], weights=Weights(1.0, 0.0), floors=Floors(0.5)))
    assert stretched["b"] == 0.0
    assert kept["b"] == pytest.approx(0.975)


def test_ties_fall_to_the_smaller_id() -> None:
    result = fuse(Fusion.MIN_MAX, scored(("z", 1.0), ("y", 1.0)), [], weights=Weights())
    assert [item.segment for item in result] == ["y", "z"]


scores = st.dictionaries(st.text("abcdef", min_size=1, max_size=2), st.floats(-50, 50), max_size=12)


@given(scores, scores, st.sampled_from(list(Fusion)), st.floats(0, 1))
def test_every_candidate_once_with_a_finite_score(
    dense: dict[str, float], lexical: dict[str, float], method: Fusion, alpha: float
) -> None:
    left = scored(*sorted(dense.items(), key=lambda p: -p[1]))
    right = scored(*sorted(lexical.items(), key=lambda p: -p[1]))
    result = fuse(method, left, right, weights=Weights(alpha, 0.3))
    assert sorted(f.segment for f in result) == sorted({*dense, *lexical})
    assert all(math.isfinite(f.score) for f in result)
    assert [f.score for f in result] == sorted((f.score for f in result), reverse=True)


@given(scores, st.sampled_from(list(Fusion)))
def test_one_route_alone_keeps_its_order(dense: dict[str, float], method: Fusion) -> None:
    left = scored(*sorted(dense.items(), key=lambda p: (-p[1], p[0])))
    result = as_dict(fuse(method, left, [], weights=Weights(1.0, 0.0), floors=Floors(-50.0)))
    for better, worse in itertools.pairwise(left):
        assert result[better.segment] >= result[worse.segment] - 1e-12
