"""Searching the abstract tree (Psi-RAG, Algorithm 2), and two ways the paper does not use.

Top-down keeps the k nearest nodes of each height and goes on with their children. All heights at once takes the
nearest nodes wherever they stand and expands their subtrees. Both end in leaves ranked by their own vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.core.ids import SegmentId
from engine.core.model import AbstractNode, AbstractState
from engine.core.ports import Scored, Vector
from engine.core.tree_ports import Grove, LeafVectors, TreeSource

EXPANDED_LEAVES = 400
"""How many leaves a subtree expansion may rank: more would be a flat search."""


class TreeSearch:
    """The tree as a route. `beam` nodes are kept at each height on the way down."""

    def __init__(self, tree: TreeSource, leaves: LeafVectors, *, beam: int = 10) -> None:
        self._tree = tree
        self._leaves = leaves
        self._beam = beam

    def top_down(self, vector: Vector, k: int) -> list[Scored]:
        """The k best leaves below the `beam` best nodes of each height (Algorithm 2)."""
        grove = self._tree.grove()
        if not grove.nodes:
            return []
        row_of = grove.row_of
        frontier = [row for row, node in enumerate(grove.nodes) if not node.parent]
        while grove.nodes[frontier[0]].height > 1:
            chosen = _nearest(grove, vector, frontier, max(self._beam, k))
            frontier = [row_of[child] for row in chosen for child in grove.nodes[row].children]
        chosen = _nearest(grove, vector, frontier, max(self._beam, k))
        return self._ranked(vector, [SegmentId(leaf) for row in chosen for leaf in grove.nodes[row].children], k)

    def all_heights(self, vector: Vector, k: int) -> list[Scored]:
        """The k best leaves below the nearest nodes of any height, expanded until there are enough leaves."""
        grove = self._tree.grove()
        if not grove.nodes:
            return []
        row_of = grove.row_of
        leaves: dict[SegmentId, None] = {}
        for row in _nearest(grove, vector, range(len(grove.nodes)), 4 * max(self._beam, k)):
            leaves.update(dict.fromkeys(leaves_below(grove, row_of, grove.nodes[row])))
            if len(leaves) >= EXPANDED_LEAVES:
                break
        return self._ranked(vector, list(leaves)[:EXPANDED_LEAVES], k)

    def nodes(self, vector: Vector, k: int, *, height: int | None = None) -> list[tuple[AbstractNode, float]]:
        """The k nodes nearest to a query, at one height or any: abstracts as context for abstract questions.

        A node below which a leaf has gone is marked stale: what its abstract says may not be true any more.
        """
        grove = self._tree.grove()
        row_of = grove.row_of
        rows = [row for row, node in enumerate(grove.nodes) if height is None or node.height == height]
        found = []
        for row in _nearest(grove, vector, rows, k):
            below = leaves_below(grove, row_of, grove.nodes[row])
            whole = len(self._leaves.present(below)[0]) == len(below)
            node = grove.nodes[row] if whole else replace(grove.nodes[row], state=AbstractState.STALE)
            found.append((node, float(grove.vectors[row] @ vector)))
        return found

    def _ranked(self, vector: Vector, leaves: Sequence[SegmentId], k: int) -> list[Scored]:
        known, vectors = self._leaves.present(leaves)
        if not known:
            return []
        scores = vectors @ vector
        order = sorted(range(len(known)), key=lambda i: (-scores[i], known[i]))
        return [Scored(known[i], float(scores[i])) for i in order[:k]]


def leaves_below(grove: Grove, row_of: dict[str, int], node: AbstractNode) -> list[SegmentId]:
    """Every leaf below a node, in the tree's order."""
    if node.height == 1:
        return [SegmentId(child) for child in node.children]
    return [leaf for child in node.children for leaf in leaves_below(grove, row_of, grove.nodes[row_of[child]])]


def _nearest(grove: Grove, vector: Vector, rows: Sequence[int], k: int) -> list[int]:
    if not rows:
        return []
    wanted = np.fromiter(rows, dtype=np.int64)
    scores = grove.vectors[wanted] @ vector
    order = sorted(range(len(wanted)), key=lambda i: (-scores[i], grove.nodes[int(wanted[i])].id))
    return [int(wanted[i]) for i in order[:k]]
