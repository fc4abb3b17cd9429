"""The composer of the abstract tree: it follows the catalogue after an ingest, and shows what still holds until then.

visible segments -> spanning tree, updated exactly -> nodes -> keyword abstracts of the new ones -> one new version of
the store. Nodes below which nothing changed keep their identity, hence their abstract and vector.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.core.cancel import CancelToken
from engine.core.errors import KnownError
from engine.core.ids import SegmentId
from engine.core.model import AbstractNode
from engine.core.ports import DenseIndex, Matrix
from engine.core.tree_ports import Grove
from engine.store.catalog import Catalog
from engine.store.nodes import NodeStore, StoredTree
from engine.tree.abstracts import VERSION as ABSTRACTS
from engine.tree.abstracts import (
    CorpusStatistics,
    LeafTerms,
    corpus_of_bytes,
    corpus_statistics,
    keyword_abstract,
    leaf_terms,
    leaves_of_children,
    sampled_leaves,
)
from engine.tree.edges import Edges
from engine.tree.nodes import TreeNode
from engine.tree.stale import marked
from engine.tree.update import AbstractTree, Shape, build, follow

_DRIFT = 1.25
"""The corpus snapshot is frozen until the library is so much larger or smaller: until then equal nodes have equal
abstracts, whatever else came or went."""


class Grower:
    """Keeps one library's tree in step with its catalogue. The writer lock must be held."""

    def __init__(self, catalog: Catalog, vectors: DenseIndex, nodes: NodeStore, shape: Shape | None = None) -> None:
        self._catalog = catalog
        self._vectors = vectors
        self._nodes = nodes
        self._shape = shape or Shape()

    def grow(self, cancel: CancelToken) -> bool:
        """Bring the tree up to date; False if it was. Raises Cancelled (the former tree stays), KnownError."""
        self._mend()
        visible = self._catalog.visible()
        shape = f"{self._shape.split.value}/{self._shape.limit}/{ABSTRACTS}"
        stored = self._readable(visible.vectors, shape)
        if stored is not None and stored.state == visible.state:
            self._nodes.tidy()
            return False
        leaves = self._catalog.segment_ids()
        tree = self._tree(stored, leaves)
        cancel.raise_if_cancelled()
        words = _Words(self._catalog)
        corpus = self._corpus(stored, leaves, words)
        cancel.raise_if_cancelled()
        fresh_start = stored is None or stored.corpus != corpus.to_bytes()
        before = Grove((), np.empty((0, 0), dtype=np.float32), -1) if fresh_start else self._nodes.grove()
        gone = [node.id for node in self._nodes.grove().nodes] if fresh_start else []
        changed, vectors, left = self._changes(tree, before, words, corpus)
        record = StoredTree(visible.state, visible.vectors, shape, tree.leaves, _to_rows(tree.edges), corpus.to_bytes())
        self._nodes.write(record, changed, vectors, [*gone, *left])
        return True

    def _mend(self) -> None:
        try:
            self._nodes.mend()
        except KnownError as error:
            if error.code in ("disk-full", "read-only"):
                raise
            self._nodes.drop()

    def _readable(self, vectors: str, shape: str) -> StoredTree | None:
        """The stored tree, or None after dropping one that is damaged or of another model or shape."""
        try:
            stored = self._nodes.stored()
            self._nodes.grove()
        except KnownError:
            stored = None
        if stored is None or (stored.vectors, stored.shape) != (vectors, shape):
            self._nodes.drop()
            return None
        return stored

    def _tree(self, stored: StoredTree | None, leaves: Sequence[SegmentId]) -> AbstractTree:
        vectors = self._vectors.vectors(leaves)
        if stored is None or not leaves:
            return build(leaves, vectors, self._shape)
        return follow(stored.leaves, _of_rows(stored.edges), leaves, vectors, self._shape)

    def _corpus(self, stored: StoredTree | None, leaves: Sequence[SegmentId], words: _Words) -> CorpusStatistics:
        if stored is not None and stored.corpus:
            corpus = corpus_of_bytes(stored.corpus)
            if corpus.leaves / _DRIFT <= len(leaves) <= corpus.leaves * _DRIFT:
                return corpus
        return corpus_statistics(words.of(leaves))

    def _changes(
        self, tree: AbstractTree, before: Grove, words: _Words, corpus: CorpusStatistics
    ) -> tuple[list[AbstractNode], Matrix, list[str]]:
        """Nodes to write with their vectors, and ids to delete. A node that only got another parent is written too."""
        nodes = tree.nodes()
        known = before.row_of
        below = sampled_leaves(nodes)
        centroids = tree.centroids()
        changed: list[AbstractNode] = []
        rows: list[Matrix] = []
        for position, node in enumerate(nodes):
            row = known.get(node.id)
            if row is None:
                text = self._abstract(node, below, words, corpus)
                changed.append(AbstractNode(node.id, node.height, node.parent, node.children, node.leaves, text))
                rows.append(centroids[position])
            elif before.nodes[row].parent != node.parent:
                old = before.nodes[row]
                changed.append(
                    AbstractNode(
                        old.id, old.height, node.parent, old.children, old.leaves, old.abstract, old.kind, old.state
                    )
                )
                rows.append(before.vectors[row])
        present = {node.id for node in nodes}
        vectors = np.stack(rows) if rows else np.empty((0, tree.vectors.shape[1]), dtype=np.float32)
        return changed, vectors, [name for name in known if name not in present]

    def _abstract(
        self,
        node: TreeNode,
        below: Mapping[str, tuple[SegmentId, ...]],
        words: _Words,
        corpus: CorpusStatistics,
    ) -> str:
        children = leaves_of_children(node, below)
        return keyword_abstract([words.of(child) for child in children], corpus).text()


class CurrentTree:
    """The stored tree as it may be shown now: where the catalogue has moved on since it was grown, nodes above what
    is gone are stale. Implements TreeSource."""

    def __init__(self, catalog: Catalog, nodes: NodeStore) -> None:
        self._catalog = catalog
        self._nodes = nodes
        self._shown: tuple[Grove, int, Grove] | None = None

    def grove(self) -> Grove:
        """The present tree; empty before the first."""
        stored = self._nodes.grove()
        state = self._catalog.visible().state
        if stored.state == state or not stored.nodes:
            return stored
        shown = self._shown
        if shown is None or shown[0] is not stored or shown[1] != state:
            shown = self._shown = (stored, state, marked(stored, frozenset(self._catalog.segment_ids())))
        return shown[2]


class _Words:
    """Terms of leaves, read from the catalogue when they are first wanted."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._known: dict[SegmentId, LeafTerms] = {}

    def of(self, leaves: Sequence[SegmentId]) -> list[LeafTerms]:
        missing = [leaf for leaf in leaves if leaf not in self._known]
        for segment in self._catalog.segments(missing):
            self._known[segment.id] = leaf_terms(segment)
        return [self._known[leaf] for leaf in leaves if leaf in self._known]


def _to_rows(edges: Edges) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    return np.stack((edges.lower, edges.higher, edges.similarity), axis=1)


def _of_rows(rows: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Edges:
    return Edges(rows[:, 0], rows[:, 1], rows[:, 2])
