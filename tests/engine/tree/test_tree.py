"""The fast tree against the literal one, its invariants, and its exactness under any updates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.ids import SegmentId
from engine.tree import boruvka, spanning
from engine.tree.buckets import bucketed
from engine.tree.collapse import Levels, collapse
from engine.tree.cost import dasgupta_cost
from engine.tree.edges import Edges, sorted_edges, spanning_forest
from engine.tree.nodes import tree_nodes
from engine.tree.rebalance import Split, rebalance
from engine.tree.spanning import delete, insert, maximum_spanning_tree, quantise
from tests.engine.tree import literal

seeds = st.integers(0, 2**32 - 1)


def unit_vectors(seed: int, count: int, dimension: int, *, ties: bool) -> np.ndarray:
    """Random unit vectors; with `ties` from a coarse grid, so that many similarities and whole vectors are equal."""
    rng = np.random.default_rng(seed)
    raw = rng.integers(-1, 2, (count, dimension)).astype(float) if ties else rng.standard_normal((count, dimension))
    raw[np.linalg.norm(raw, axis=1) == 0] = 1.0
    return (raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype(np.float32)


def leaf_sets(levels: Levels) -> list[set[frozenset[int]]]:
    found = []
    for labels in levels.labels:
        groups: dict[int, set[int]] = {}
        for leaf, label in enumerate(labels.tolist()):
            groups.setdefault(label, set()).add(leaf)
        found.append({frozenset(group) for group in groups.values()})
    return found


@settings(max_examples=150, deadline=None)
@given(seeds, st.integers(1, 60), st.integers(1, 6), st.booleans())
def test_equals_the_literal_algorithm(seed: int, count: int, dimension: int, ties: bool) -> None:
    vectors = quantise(unit_vectors(seed, count, dimension, ties=ties))
    fast = collapse(count, maximum_spanning_tree(vectors))
    assert leaf_sets(fast) == literal.partitions(literal.abstract_tree(vectors))


@settings(max_examples=80, deadline=None)
@given(seeds, st.integers(2, 80), st.integers(1, 6), st.booleans(), st.data())
def test_any_updates_give_the_tree_of_a_fresh_build(
    seed: int, count: int, dimension: int, ties: bool, data: st.DataObject
) -> None:
    vectors = quantise(unit_vectors(seed, count, dimension, ties=ties))
    rng = np.random.default_rng(seed)
    present = rng.random(count) < 0.6
    present[0] = True
    tree = maximum_spanning_tree(vectors[present])
    for _ in range(data.draw(st.integers(1, 4))):
        wanted = rng.random(count) < data.draw(st.floats(0.2, 0.9))
        wanted[rng.integers(count)] = True
        staying = present & wanted
        if not staying.any():
            continue
        tree = delete(tree, vectors[staying], ~wanted[present])
        rows = np.flatnonzero(staying[wanted])
        tree = insert(tree.renumbered(rows), vectors[wanted], np.flatnonzero(~staying[wanted]))
        present = wanted
        fresh = maximum_spanning_tree(vectors[present])
        assert np.array_equal(tree.lower, fresh.lower)
        assert np.array_equal(tree.higher, fresh.higher)
        assert np.array_equal(tree.similarity, fresh.similarity)


def test_any_block_size_gives_the_same_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = quantise(unit_vectors(5, 240, 4, ties=True))
    whole = maximum_spanning_tree(vectors)
    monkeypatch.setattr(boruvka, "SLAB_BYTES", 4 * 240 * 7)
    monkeypatch.setattr(boruvka, "SLAB_ROWS", 7)
    monkeypatch.setattr(spanning, "_CANDIDATES", 500)
    assert same(maximum_spanning_tree(vectors), whole)
    old = np.arange(0, 240, 2)
    tree = maximum_spanning_tree(np.ascontiguousarray(vectors[old])).renumbered(old)
    assert same(insert(tree, vectors, np.arange(1, 240, 2)), whole)


def same(first: Edges, second: Edges) -> bool:
    pairs = ((first.lower, second.lower), (first.higher, second.higher), (first.similarity, second.similarity))
    return all(np.array_equal(one, other) for one, other in pairs)


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(2, 120), st.integers(1, 6), st.booleans(), st.integers(2, 20), st.integers(1, 4))
def test_buckets_give_the_best_tree_of_the_pairs_they_look_at(
    seed: int, count: int, dimension: int, ties: bool, rows: int, near: int
) -> None:
    vectors = quantise(unit_vectors(seed, count, dimension, ties=ties))
    buckets = bucketed(vectors, rows=rows, near=near)
    left, right = np.triu_indices(count, 1)
    seen = np.array(
        [buckets.of_row[b] in buckets.near[buckets.of_row[a]] for a, b in zip(left.tolist(), right.tolist())],
        dtype=bool,
    )
    similarity = (vectors @ vectors.T)[left, right].astype(np.int64)
    best = spanning_forest(count, sorted_edges(left[seen], right[seen], similarity[seen]))
    assert len(best) == count - 1
    assert same(maximum_spanning_tree(vectors, buckets), best)
    everything = bucketed(vectors, rows=rows, near=count)
    assert same(maximum_spanning_tree(vectors, everything), maximum_spanning_tree(vectors))


@settings(max_examples=100, deadline=None)
@given(seeds, st.integers(1, 200), st.integers(1, 5), st.booleans(), st.sampled_from(Split), st.integers(3, 12))
def test_rebalanced_tree_is_equi_depth_and_narrow(
    seed: int, count: int, dimension: int, ties: bool, split: Split, limit: int
) -> None:
    vectors = quantise(unit_vectors(seed, count, dimension, ties=ties))
    edges = maximum_spanning_tree(vectors)
    levels = rebalance(collapse(count, edges), edges, limit=limit, split=split)
    nodes = tree_nodes([SegmentId(f"{i:04}") for i in range(count)], levels)
    by_id = {node.id: node for node in nodes}
    assert len(by_id) == len(nodes)
    assert [node.leaves for node in nodes if not node.parent] == [count]
    for node in nodes:
        assert len(node.children) <= limit
        assert len(node.children) >= 2 or count == 1
        assert len(set(node.children)) == len(node.children)
        if node.height > 1:
            assert all(by_id[child].height == node.height - 1 for child in node.children)
            assert all(by_id[child].parent == node.id for child in node.children)
            assert sum(by_id[child].leaves for child in node.children) == node.leaves
        else:
            assert node.leaves == len(node.children)


def test_a_node_below_which_nothing_changed_keeps_its_identity() -> None:
    vectors = quantise(unit_vectors(7, 300, 8, ties=False))
    names = [SegmentId(f"{i:04}") for i in range(300)]

    def ids(rows: np.ndarray) -> set[str]:
        edges = maximum_spanning_tree(vectors[rows])
        levels = rebalance(collapse(len(rows), edges), edges)
        return {node.id for node in tree_nodes([names[row] for row in rows], levels)}

    before, after = ids(np.arange(300)), ids(np.arange(1, 300))
    assert len(after - before) < len(after) / 4


@pytest.mark.parametrize("count", [2, 17, 40])
def test_cost_equals_its_definition(count: int) -> None:
    vectors = unit_vectors(3, count, 5, ties=False)
    edges = maximum_spanning_tree(quantise(vectors))
    levels = collapse(count, edges)
    expected = 0.0
    for i in range(count):
        for j in range(i + 1, count):
            height = next(h for h in range(len(levels.labels)) if levels.labels[h][i] == levels.labels[h][j])
            size = int((levels.labels[height] == levels.labels[height][i]).sum())
            expected += (1 - float(vectors[i] @ vectors[j])) * size
    assert dasgupta_cost(levels, vectors) == pytest.approx(expected, rel=1e-5)


def test_products_do_not_depend_on_the_block() -> None:
    vectors = quantise(unit_vectors(1, 500, 384, ties=False))
    whole = vectors @ vectors.T
    assert np.array_equal(whole, (vectors.astype(np.int64) @ vectors.astype(np.int64).T).astype(np.float32))
    for height in (1, 3, 64):
        assert np.array_equal(whole[:height], vectors[:height] @ vectors.T)
