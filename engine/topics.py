"""The composer of topics: which parts of a library a question is about, by the abstracts of its tree."""

from __future__ import annotations

import contextlib
from collections import Counter

from engine.core.errors import KnownError
from engine.core.model import AbstractState
from engine.core.ports import Embedder, SegmentSource
from engine.core.results import Topic
from engine.core.tree_ports import TreeSource
from engine.retrieve.tree_search import TreeSearch, leaves_below
from engine.store.nodes import NodeStore

_MOST_LEAVES = 400
"""A node over more passages is about everything, and tells nothing."""


class TreeTopics:
    """Topics of the present tree. What was of use is counted: those nodes are worded by a model first."""

    def __init__(
        self, tree: TreeSource, search: TreeSearch, nodes: NodeStore, segments: SegmentSource, embedder: Embedder
    ) -> None:
        self._tree = tree
        self._search = search
        self._nodes = nodes
        self._segments = segments
        self._embedder = embedder

    def topics(self, query: str, k: int) -> list[Topic]:
        """The k nodes nearest to a query that are not stale, each with its documents, the fullest first."""
        grove = self._tree.grove()
        row_of = grove.row_of
        found: list[Topic] = []
        used: list[str] = []
        for node, _ in self._search.nodes(self._embedder.embed_query(query), 4 * k):
            if node.state is AbstractState.STALE or node.leaves > _MOST_LEAVES or len(found) == k:
                continue
            leaves = leaves_below(grove, row_of, node)
            documents = Counter(segment.document for segment in self._segments.segments(leaves))
            order = sorted(documents, key=lambda document: (-documents[document], document))
            found.append(Topic(node.abstract, node.leaves, tuple(order)))
            used.append(node.id)
        with contextlib.suppress(KnownError):  # a note for later must not cost anybody an answer
            self._nodes.note_use(used)
        return found
