"""Dasgupta's cost of a tree (Psi-RAG, eq. 6), without ever looking at a pair."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.core.ports import Matrix
from engine.tree.collapse import Levels
from engine.tree.edges import Ints


def dasgupta_cost(levels: Levels, vectors: Matrix) -> float:
    """Sum over leaf pairs of (1 - cosine) times the number of leaves below their lowest common ancestor.

    `vectors` are unit vectors, shape (n, d). The distance within a node follows from the sum of its vectors, so the
    cost takes O(n d) a height instead of O(n^2 d).
    """
    total = 0.0
    below = np.zeros(levels.leaves)
    previous: Ints | None = None
    for labels in levels.labels[1:]:
        sizes = np.bincount(labels)
        within = _distance_within(labels, sizes, vectors)
        inherited = np.zeros(len(sizes))
        if previous is not None:
            owner = np.empty(len(below), dtype=np.int64)
            owner[previous] = labels
            np.add.at(inherited, owner, below)
        total += float(((within - inherited) * sizes).sum())
        below, previous = within, labels
    return total


def _distance_within(labels: Ints, sizes: Ints, vectors: Matrix) -> NDArray[np.float64]:
    """Sum of 1 - cosine over the pairs inside each node."""
    sums = np.zeros((len(sizes), vectors.shape[1]))
    np.add.at(sums, labels, vectors.astype(np.float64))
    squares = np.bincount(labels, weights=np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
    similar = (np.einsum("ij,ij->i", sums, sums) - squares) / 2
    pairs = sizes * (sizes - 1) / 2
    distances: NDArray[np.float64] = pairs - similar
    return distances
