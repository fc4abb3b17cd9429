"""The abstract tree of a library and its exact update: the updated tree equals one built from scratch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.core.errors import BugError
from engine.core.ids import SegmentId
from engine.core.ports import Matrix
from engine.tree.collapse import Levels, collapse
from engine.tree.nodes import TreeNode, tree_nodes
from engine.tree.rebalance import CHILD_LIMIT, Split, rebalance
from engine.tree.spanning import Edges, delete, insert, maximum_spanning_tree, quantise


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


def build(leaves: Sequence[SegmentId], vectors: Matrix, shape: Shape = Shape()) -> AbstractTree:
    """Build from scratch; `vectors` are unit vectors, shape (n, d), row i belonging to leaf i, in any order."""
    order = sorted(range(len(leaves)), key=leaves.__getitem__)
    names = tuple(leaves[i] for i in order)
    if len(set(names)) != len(names):
        raise BugError("a leaf was given twice")
    whole = np.ascontiguousarray(quantise(vectors)[order])
    return _finish(names, whole, maximum_spanning_tree(whole), shape)


def follow(
    before: Sequence[SegmentId], edges: Edges, leaves: Sequence[SegmentId], vectors: Matrix, shape: Shape = Shape()
) -> AbstractTree:
    """The tree over `leaves` (any order; unit vectors, shape (n, d)) from the spanning tree over `before` (ascending).

    Equal, node for node, to :func:`build` over `leaves`; only what came and went is computed.
    """
    if len(edges) != max(0, len(before) - 1):
        raise BugError("the stored spanning tree does not span its leaves")
    order = sorted(range(len(leaves)), key=leaves.__getitem__)
    names = tuple(leaves[i] for i in order)
    whole = np.ascontiguousarray(quantise(vectors)[order])
    row_of = {name: row for row, name in enumerate(names)}
    rows = np.array([row_of.get(name, -1) for name in before], dtype=np.int64)
    gone = rows < 0
    kept = rows[~gone]
    if not len(kept):
        return _finish(names, whole, maximum_spanning_tree(whole), shape)
    if gone.any():
        old = np.zeros((len(before), whole.shape[1]), dtype=np.float32)
        old[~gone] = whole[kept]
        edges = delete(edges, old, gone)
    fresh = np.setdiff1d(np.arange(len(names), dtype=np.int64), kept)
    edges = edges.renumbered(kept)
    if len(fresh):
        edges = insert(edges, whole, fresh)
    return _finish(names, whole, edges, shape)


def _finish(leaves: tuple[SegmentId, ...], vectors: Matrix, edges: Edges, shape: Shape) -> AbstractTree:
    levels = rebalance(collapse(len(leaves), edges), edges, limit=shape.limit, split=shape.split)
    return AbstractTree(leaves, vectors, edges, levels, shape)
