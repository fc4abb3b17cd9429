"""What readers and writers of the abstract tree need from one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.core.ids import SegmentId
from engine.core.model import AbstractNode
from engine.core.ports import Matrix


@dataclass(frozen=True, slots=True)
class Grove:
    """All nodes of the abstract tree in memory: `vectors[i]`, a unit vector, belongs to `nodes[i]`."""

    nodes: tuple[AbstractNode, ...]
    vectors: Matrix
    state: int
    """State of the catalogue the tree was grown at: where the catalogue has moved on, ancestors of what has changed
    are stale."""

    @property
    def row_of(self) -> dict[str, int]:
        """Position of every node by id."""
        return {node.id: row for row, node in enumerate(self.nodes)}


class LeafVectors(Protocol):
    """The vectors of those leaves of a tree that are still visible."""

    def present(self, segments: Sequence[SegmentId]) -> tuple[list[SegmentId], Matrix]:
        """The visible ones among `segments`, in their order, with their vectors as rows."""

    def vectors(self, segments: Sequence[SegmentId]) -> Matrix:
        """Stored vectors in the order asked; raises BugError for an unknown segment."""


class TreeSource(Protocol):
    """Read side of the abstract tree."""

    def grove(self) -> Grove:
        """The present tree; empty before the first."""
