"""The abstract tree of a library and its exact update: the updated tree equals one built from scratch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.core.errors import BugError
from engine.core.ids import SegmentId
from engine.core.ports import Matrix
from engine.tree.buckets import bucketed
from engine.tree.collapse import Levels, collapse
from engine.tree.edges import Edges
from engine.tree.nodes import TreeNode, tree_nodes
from engine.tree.rebalance import CHILD_LIMIT, Split, rebalance
from engine.tree.spanning import delete, insert, maximum_spanning_tree, quantise

EXACT_LEAVES = 100_000
"""Above this many leaves a tree is built from pairs of near buckets only; see ARCHITECTURE.md for what both cost."""
_REBUILD = 16
"""A tree is built anew when more than one leaf in so many is new: taking them in one by one would take longer."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How wide nodes are cut; part of what makes two trees equal."""

    limit: int = CHILD_LIMIT
    split: Split = Split.WEAKEST


@dataclass(frozen=True, slots=True)
class AbstractTree:
    """Leaves in ascending order of their ids, the spanning tree over them and the heights above them."""

    leaves: tuple[SegmentId, ...]
    vectors: Matrix
    """Quantised, shape (n, d), one row a leaf."""
    edges: Edges
    levels: Levels
    shape: Shape = Shape()

    def nodes(self) -> list[TreeNode]:
        """Abstract nodes, lowest height first."""
        return tree_nodes(self.leaves, self.levels)

    def centroids(self) -> Matrix:
        """Unit mean vector of every node's leaves, in the order of `nodes()`: what a node is searched by until its
        abstract has been embedded."""
        width = self.vectors.shape[1] if self.vectors.ndim == 2 else 0
        found = [np.empty((0, width), dtype=np.float32)]
        for labels in self.levels.labels[1:]:
            sums = np.zeros((int(labels.max()) + 1, width), dtype=np.float64)
            np.add.at(sums, labels, self.vectors)
            unit = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)
            found.append(unit.astype(np.float32))
        return np.concatenate(found)


def build(leaves: Sequence[SegmentId], vectors: Matrix, shape: Shape = Shape()) -> AbstractTree:
    """Build from scratch; `vectors` are unit vectors, shape (n, d), row i belonging to leaf i, in any order."""
    order = sorted(range(len(leaves)), key=leaves.__getitem__)
    names = tuple(leaves[i] for i in order)
    if len(set(names)) != len(names):
        raise BugError("a leaf was given twice")
    whole = quantise(vectors[order])
    return _finish(names, whole, spanning_tree(whole), shape)


def spanning_tree(whole: Matrix) -> Edges:
    """Over quantised vectors: exact up to `EXACT_LEAVES`, over the pairs of near buckets beyond."""
    return maximum_spanning_tree(whole, bucketed(whole) if len(whole) > EXACT_LEAVES else None)


def follow(
    before: Sequence[SegmentId], edges: Edges, leaves: Sequence[SegmentId], vectors: Matrix, shape: Shape = Shape()
) -> AbstractTree:
    """The tree over `leaves` (any order; unit vectors, shape (n, d)) from the spanning tree over `before` (ascending).

    Only what came and went is computed. Equal, node for node, to :func:`build` over `leaves` where that is exact; the
    edges of a leaf that comes or goes are exact at any size.
    """
    if len(edges) != max(0, len(before) - 1):
        raise BugError("the stored spanning tree does not span its leaves")
    order = sorted(range(len(leaves)), key=leaves.__getitem__)
    names = tuple(leaves[i] for i in order)
    whole = quantise(vectors[order])
    row_of = {name: row for row, name in enumerate(names)}
    rows = np.array([row_of.get(name, -1) for name in before], dtype=np.int64)
    gone = rows < 0
    kept = rows[~gone]
    fresh = np.setdiff1d(np.arange(len(names), dtype=np.int64), kept)
    if len(fresh) * _REBUILD > len(names):
        return _finish(names, whole, spanning_tree(whole), shape)
    if gone.any():
        edges = delete(edges, whole[kept] if len(fresh) else whole, gone)
    edges = edges.renumbered(kept)
    if len(fresh):
        edges = insert(edges, whole, fresh)
    return _finish(names, whole, edges, shape)


def _finish(leaves: tuple[SegmentId, ...], vectors: Matrix, edges: Edges, shape: Shape) -> AbstractTree:
    levels = rebalance(collapse(len(leaves), edges), edges, limit=shape.limit, split=shape.split)
    return AbstractTree(leaves, vectors, edges, levels, shape)
