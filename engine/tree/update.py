"""The abstract tree of a library and its exact update: the updated tree equals one built from scratch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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


@dataclass(frozen=True, slots=True)
class TreeChange:
    """What an update must write: nodes that are new, nodes whose parent changed, ids that are gone."""

    fresh: tuple[TreeNode, ...]
    moved: tuple[TreeNode, ...]
    gone: tuple[str, ...]


def build(leaves: Sequence[SegmentId], vectors: Matrix, shape: Shape = Shape()) -> AbstractTree:
    """Build from scratch; `vectors` are unit vectors, shape (n, d), row i belonging to leaf i, in any order."""
    order = sorted(range(len(leaves)), key=leaves.__getitem__)
    names = tuple(leaves[i] for i in order)
    if len(set(names)) != len(names):
        raise BugError("a leaf was given twice")
    whole = np.ascontiguousarray(quantise(vectors)[order])
    return _finish(names, whole, maximum_spanning_tree(whole), shape)


def restore(leaves: Sequence[SegmentId], vectors: Matrix, edges: Edges, shape: Shape = Shape()) -> AbstractTree:
    """A stored tree again: leaves ascending, their unit vectors and the edges that were kept."""
    if len(edges) != max(0, len(leaves) - 1):
        raise BugError("the stored spanning tree does not span the leaves")
    return _finish(tuple(leaves), quantise(vectors), edges, shape)


def update(
    tree: AbstractTree, added: Sequence[SegmentId], vectors: Matrix, removed: Iterable[SegmentId]
) -> AbstractTree:
    """Remove and add leaves; `vectors` are the unit vectors of `added`, shape (len(added), d).

    Equal, node for node, to `build` over the leaves that result.
    """
    leaving = set(removed)
    gone = np.fromiter((leaf in leaving for leaf in tree.leaves), dtype=bool, count=len(tree.leaves))
    if gone.sum() != len(leaving):
        raise BugError("a leaf that is to be removed is not in the tree")
    kept = [leaf for leaf in tree.leaves if leaf not in leaving]
    edges, rows = tree.edges, tree.vectors
    if leaving:
        edges, rows = delete(edges, rows, gone), rows[~gone]
    if not added:
        return _finish(tuple(kept), rows, edges, tree.shape)
    names = [*kept, *added]
    order = np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    everything = np.ascontiguousarray(np.vstack((rows, quantise(vectors)))[order])
    edges = insert(edges.renumbered(place[: len(kept)]), everything, place[len(kept) :])
    return _finish(tuple(names[i] for i in order.tolist()), everything, edges, tree.shape)


def changes(before: Iterable[TreeNode], after: Iterable[TreeNode]) -> TreeChange:
    """Compare two lists of nodes by identity."""
    old = {node.id: node for node in before}
    new = {node.id: node for node in after}
    return TreeChange(
        fresh=tuple(node for node in new.values() if node.id not in old),
        moved=tuple(node for node in new.values() if node.id in old and old[node.id].parent != node.parent),
        gone=tuple(name for name in old if name not in new),
    )


def _finish(leaves: tuple[SegmentId, ...], vectors: Matrix, edges: Edges, shape: Shape) -> AbstractTree:
    levels = rebalance(collapse(len(leaves), edges), edges, limit=shape.limit, split=shape.split)
    return AbstractTree(leaves, vectors, edges, levels, shape)
