"""Searching the abstract tree (Psi-RAG, Algorithm 2), and two ways the paper does not use.

Top-down keeps the best nodes of each height and goes on with their children. All heights at once takes the nearest
nodes wherever they stand and expands their subtrees. Both end in leaves ranked by their own vectors.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Protocol

import numpy as np

from engine.core.ids import DocumentId, SegmentId
from engine.core.model import AbstractNode, Segment
from engine.core.ports import Matrix, Scored, Vector
from engine.core.tree_ports import Grove, LeafVectors, TreeSource

BEAM = 40
"""Nodes kept at each height on the way down: a few milliseconds, and most of what flat search finds
(tests/benchmarks/tree_recall.py); with ten, a quarter of it is lost."""
EXPANDED_LEAVES = 400
"""How many leaves a subtree expansion may rank: more would be a flat search."""


class Descent(StrEnum):
    """How the tree is searched."""

    TOP_DOWN = "top_down"
    ALL_HEIGHTS = "all_heights"


class DocumentLeaves(Protocol):
    """Which segments a document has."""

    def document_segments(self, document: DocumentId) -> Sequence[Segment]: ...


class TreeSearch:
    """The tree as a dense index: what a search may see is the leaves its descent reaches."""

    def __init__(
        self,
        tree: TreeSource,
        leaves: LeafVectors,
        segments: DocumentLeaves,
        *,
        descent: Descent = Descent.TOP_DOWN,
        beam: int = BEAM,
    ) -> None:
        self._tree = tree
        self._leaves = leaves
        self._segments = segments
        self._descent = descent
        self._beam = beam

    def search(self, vector: Vector, k: int, within: Sequence[DocumentId] | None = None) -> list[Scored]:
        """The k best leaves that the descent reaches; with `within` only nodes above those documents are seen."""
        grove = self._tree.grove()
        if within is not None:
            kept = {segment.id for document in within for segment in self._segments.document_segments(document)}
            grove = pruned(grove, kept)
        if not grove.nodes:
            return []
        descend = self._top_down if self._descent is Descent.TOP_DOWN else self._all_heights
        return self._ranked(vector, descend(grove, vector), k)

    def vectors(self, segments: Sequence[SegmentId]) -> Matrix:
        """Stored vectors in the order asked; raises BugError for an unknown segment."""
        return self._leaves.vectors(segments)

    def nodes(self, vector: Vector, k: int, *, height: int | None = None) -> list[tuple[AbstractNode, float]]:
        """The k nodes nearest to a query, at one height or any: abstracts as context for abstract questions."""
        grove = self._tree.grove()
        rows = [row for row, node in enumerate(grove.nodes) if height is None or node.height == height]
        return [(grove.nodes[row], float(grove.vectors[row] @ vector)) for row in _nearest(grove, vector, rows, k)]

    def _top_down(self, grove: Grove, vector: Vector) -> list[SegmentId]:
        """Leaves below the best nodes of each height (Algorithm 2)."""
        row_of = grove.row_of
        frontier = [row for row, node in enumerate(grove.nodes) if not node.parent]
        while True:
            chosen = [grove.nodes[row] for row in _nearest(grove, vector, frontier, self._beam)]
            if chosen[0].height == 1:
                return [SegmentId(leaf) for node in chosen for leaf in node.children]
            frontier = [row_of[child] for node in chosen for child in node.children]

    def _all_heights(self, grove: Grove, vector: Vector) -> list[SegmentId]:
        """Leaves below the nearest nodes of any height, nearest first, until there are enough."""
        row_of = grove.row_of
        leaves: dict[SegmentId, None] = {}
        for row in _nearest(grove, vector, range(len(grove.nodes)), 4 * self._beam):
            leaves.update(dict.fromkeys(leaves_below(grove, row_of, grove.nodes[row])))
            if len(leaves) >= EXPANDED_LEAVES:
                break
        return list(leaves)[:EXPANDED_LEAVES]

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


def pruned(grove: Grove, leaves: Collection[str]) -> Grove:
    """The tree without what does not lead to one of `leaves`."""
    kept: dict[str, AbstractNode] = {}
    rows = []
    # Stored nodes stand in no order of heights; children must be known before their parents.
    for row in sorted(range(len(grove.nodes)), key=lambda row: grove.nodes[row].height):
        node = grove.nodes[row]
        known: Collection[str] = leaves if node.height == 1 else kept
        children = tuple(child for child in node.children if child in known)
        if children:
            kept[node.id] = replace(node, children=children)
            rows.append(row)
    return Grove(tuple(kept.values()), grove.vectors[rows], grove.state)


def _nearest(grove: Grove, vector: Vector, rows: Sequence[int], k: int) -> list[int]:
    if not rows:
        return []
    wanted = np.fromiter(rows, dtype=np.int64)
    scores = grove.vectors[wanted] @ vector
    order = sorted(range(len(wanted)), key=lambda i: (-scores[i], grove.nodes[int(wanted[i])].id))
    return [int(wanted[i]) for i in order[:k]]
