"""Edges between rows and what is built of them alone: an order, components, a spanning forest.

Edges are ordered by (similarity, lower id, higher id); rows stand in ascending order of their ids, so positions
compare as ids do, and the maximum spanning tree is unique.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Edges:
    """Edges between rows, best first: `lower[i] < higher[i]`, `similarity[i]` a whole number."""

    lower: Ints
    higher: Ints
    similarity: Ints

    def __len__(self) -> int:
        return len(self.lower)

    def renumbered(self, rows: Ints) -> Edges:
        """The same edges where old row r is now `rows[r]`; `rows` must be increasing, so the order stays."""
        return Edges(rows[self.lower], rows[self.higher], self.similarity)

    def chosen(self, mask: NDArray[np.bool_] | Ints) -> Edges:
        return Edges(self.lower[mask], self.higher[mask], self.similarity[mask])


def sorted_edges(left: Ints, right: Ints, similarity: Ints) -> Edges:
    """Order any pairs by (similarity descending, lower id, higher id)."""
    lower, higher = np.minimum(left, right), np.maximum(left, right)
    order = np.lexsort((higher, lower, -similarity))
    return Edges(lower[order], higher[order], similarity[order])


def components(count: int, edges: Edges) -> Ints:
    """Component label of each row: the lowest row of its component."""
    labels = np.arange(count, dtype=np.int64)
    return merge_labels(labels, edges.lower, edges.higher)


def spanning_forest(count: int, edges: Edges) -> Edges:
    """Maximum spanning forest of sorted edges: Boruvka's rounds over edge ranks, all in arrays."""
    labels = np.arange(count, dtype=np.int64)
    active = np.arange(len(edges), dtype=np.int64)
    taken: list[Ints] = []
    none = len(edges)
    while len(active):
        left, right = labels[edges.lower[active]], labels[edges.higher[active]]
        crossing = left != right
        active, left, right = active[crossing], left[crossing], right[crossing]
        if not len(active):
            break
        best = np.full(count, none, dtype=np.int64)
        np.minimum.at(best, left, active)
        np.minimum.at(best, right, active)
        picked = np.unique(best[best < none])
        taken.append(picked)
        labels = merge_labels(labels, edges.lower[picked], edges.higher[picked])
    ranks = np.sort(np.concatenate(taken)) if taken else np.empty(0, dtype=np.int64)
    return edges.chosen(ranks)


def merge_labels(labels: Ints, left: Ints, right: Ints) -> Ints:
    """Labels after joining rows pairwise: hook the higher label under the lower and jump pointers until stable."""
    parent = np.arange(len(labels), dtype=np.int64)
    a, b = labels[left], labels[right]
    while True:
        low, high = np.minimum(a, b), np.maximum(a, b)
        open_pairs = low != high
        if not open_pairs.any():
            break
        np.minimum.at(parent, high[open_pairs], low[open_pairs])
        while not np.array_equal(jumped := parent[parent], parent):
            parent = jumped
        a, b = parent[low], parent[high]
    merged: Ints = parent[labels]
    return merged
