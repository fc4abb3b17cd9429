"""Maximum spanning tree of a set of vectors, exact, in blocks, and its update under insertion and deletion.

Only pairs that join two components act in Psi-RAG's Algorithm 1, and taken in descending order those are exactly
Kruskal's edges: the whole abstract tree is a function of this spanning tree.

Similarities are whole numbers (:func:`quantise`), so a product is the same whatever the block it was computed in.
Edges are ordered by (similarity, lower id, higher id); rows stand in ascending order of their ids, so positions
compare as ids do, and the spanning tree is unique.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.core.ports import Matrix

Ints = NDArray[np.int64]

SCALE = 4000.0
"""Every partial sum of a product of two quantised unit vectors stays below 2**24, hence exact in float32."""
NEIGHBOURS = 16
"""Length of the neighbour list kept for each row between rounds."""
_SLAB_BYTES = 48 << 20
_GROUPS = 64


def quantise(vectors: Matrix) -> Matrix:
    """Round `4000 * unit vector` to whole numbers, held as float32; shape (n, d) in and out."""
    whole: Matrix = np.rint(vectors * np.float32(SCALE)).astype(np.float32)
    return whole


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


def maximum_spanning_tree(vectors: Matrix) -> Edges:
    """Exact maximum spanning tree of quantised vectors, shape (n, d); n - 1 edges, memory O(n) beside the vectors."""
    count = len(vectors)
    return _Boruvka(vectors, np.arange(count, dtype=np.int64)).run()


def insert(tree: Edges, vectors: Matrix, new_rows: Ints) -> Edges:
    """Spanning tree after `new_rows` joined; `tree` spans the other rows and is numbered like `vectors`.

    The new tree lies within (old edges + edges from the new rows to all), so nothing else is computed.
    """
    count = len(vectors)
    if len(new_rows) * 2 > count:
        return maximum_spanning_tree(vectors)
    columns = np.arange(count, dtype=np.int64)
    products = (vectors[new_rows] @ vectors.T).astype(np.int64)
    left = np.repeat(new_rows, count)
    right = np.tile(columns, len(new_rows))
    is_new = np.zeros(count, dtype=bool)
    is_new[new_rows] = True
    keep = (left != right) & ~(is_new[right] & (right < left))
    edges = sorted_edges(
        np.concatenate((tree.lower, left[keep])),
        np.concatenate((tree.higher, right[keep])),
        np.concatenate((tree.similarity, products.ravel()[keep])),
    )
    return spanning_forest(count, edges)


def delete(tree: Edges, vectors: Matrix, gone: NDArray[np.bool_]) -> Edges:
    """Spanning tree after the rows marked in `gone` left, numbered by the rows that stay.

    The surviving edges stay in the tree; the pieces are rejoined by their best crossing edges.
    """
    kept_rows = np.cumsum(~gone, dtype=np.int64) - 1
    alive = tree.chosen(~gone[tree.lower] & ~gone[tree.higher]).renumbered(kept_rows)
    rest = np.ascontiguousarray(vectors[~gone])
    return _Boruvka(rest, components(len(rest), alive), alive).run()


def components(count: int, edges: Edges) -> Ints:
    """Component label of each row: the lowest row of its component."""
    labels = np.arange(count, dtype=np.int64)
    return _merge_labels(labels, edges.lower, edges.higher)


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
        labels = _merge_labels(labels, edges.lower[picked], edges.higher[picked])
    ranks = np.sort(np.concatenate(taken)) if taken else np.empty(0, dtype=np.int64)
    return edges.chosen(ranks)


def _merge_labels(labels: Ints, left: Ints, right: Ints) -> Ints:
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


class _Boruvka:
    """Boruvka's rounds over dense vectors that are never multiplied out.

    Each row keeps its best few neighbours outside its component. The first `sure` of them are certain, in order; every
    other pair of the row is at most `bound` similar. A row whose list is used up is computed again only if its bound
    could beat what its component has found, and the largest component never searches: the others find the way to it.
    """

    def __init__(self, vectors: Matrix, labels: Ints, edges: Edges | None = None) -> None:
        self._vectors = vectors
        self._count = len(vectors)
        self._labels = labels
        self._edges = [] if edges is None else [edges]
        self._neighbours = np.zeros((self._count, NEIGHBOURS), dtype=np.int32)
        self._similar = np.full((self._count, NEIGHBOURS), -np.inf, dtype=np.float32)
        self._bound = np.full(self._count, np.inf, dtype=np.float32)
        self._sure = np.zeros(self._count, dtype=np.int32)

    def run(self) -> Edges:
        while True:
            names, sizes = np.unique(self._labels, return_counts=True)
            if len(names) <= 1:
                break
            searching = self._labels != names[np.argmax(sizes)]
            self._edges.append(self._round(np.flatnonzero(searching)))
            found = self._edges[-1]
            self._labels = _merge_labels(self._labels, found.lower, found.higher)
        empty = np.empty(0, dtype=np.int64)
        parts = self._edges or [Edges(empty, empty, empty)]
        return sorted_edges(
            np.concatenate([part.lower for part in parts]),
            np.concatenate([part.higher for part in parts]),
            np.concatenate([part.similarity for part in parts]),
        )

    def _round(self, rows: Ints) -> Edges:
        """The best edge out of each component that `rows` make up."""
        sure, similarity, target = self._from_lists(rows)
        best = np.full(self._count, -np.inf, dtype=np.float32)
        np.maximum.at(best, self._labels[rows[sure]], similarity[sure])
        # A tie with the best of the component must be looked at too: a lower id might win.
        open_rows = rows[~sure][self._bound[rows[~sure]] >= best[self._labels[rows[~sure]]]]
        for slab in self._slabs(open_rows):
            self._refill(slab)
        sure, similarity, target = self._from_lists(rows)
        return self._best_edges(rows[sure], similarity[sure], target[sure])

    def _from_lists(self, rows: Ints) -> tuple[NDArray[np.bool_], NDArray[np.float32], Ints]:
        """For each row whether its list still holds a certain best neighbour outside, its similarity and row."""
        outside = self._labels[self._neighbours[rows]] != self._labels[rows][:, None]
        outside &= np.arange(NEIGHBOURS) < self._sure[rows][:, None]
        first = outside.argmax(axis=1)
        index = np.arange(len(rows))
        return outside[index, first], self._similar[rows, first], self._neighbours[rows, first].astype(np.int64)

    def _best_edges(self, rows: Ints, similarity: NDArray[np.float32], target: Ints) -> Edges:
        edges = sorted_edges(rows, target, similarity.astype(np.int64))
        ranks = np.arange(len(edges), dtype=np.int64)
        best = np.full(self._count, len(edges), dtype=np.int64)
        searching = np.zeros(self._count, dtype=bool)
        searching[self._labels[rows]] = True
        for ends in (edges.lower, edges.higher):
            owners = self._labels[ends]
            mine = searching[owners]
            np.minimum.at(best, owners[mine], ranks[mine])
        picked = edges.chosen(np.unique(best[best < len(edges)]))
        once = np.unique(np.stack((picked.lower, picked.higher)), axis=1, return_index=True)[1]
        return picked.chosen(np.sort(once))

    def _slabs(self, rows: Ints) -> Iterator[Ints]:
        height = max(1, _SLAB_BYTES // (4 * max(1, self._count)))
        for start in range(0, len(rows), height):
            yield rows[start : start + height]

    def _refill(self, rows: Ints) -> None:
        """Fill the lists of `rows` with their best neighbours outside their components."""
        products = self._vectors[rows] @ self._vectors.T
        products[self._labels[rows][:, None] == self._labels[None, :]] = -np.inf
        chosen, values = _best_columns(products, min(NEIGHBOURS + 1, self._count))
        width = min(NEIGHBOURS, values.shape[1])
        # A column beyond the list is at most as similar as the last one seen; ties with that one are not certain.
        self._bound[rows] = values[:, -1] if values.shape[1] > NEIGHBOURS else -np.inf
        self._neighbours[rows, :width] = chosen[:, :width]
        self._similar[rows, :width] = values[:, :width]
        self._sure[rows] = (values[:, :width] > self._bound[rows][:, None]).sum(axis=1)
        tied = np.flatnonzero(self._sure[rows] == 0)
        if len(tied):
            # The whole list ties: argmax takes the lowest row, and that one is certain.
            self._neighbours[rows[tied], 0] = products[tied].argmax(axis=1)
            self._sure[rows[tied]] = 1


def _best_columns(products: Matrix, k: int) -> tuple[Ints, Matrix]:
    """The k best columns of each row, ordered by (value descending, column ascending).

    Strided groups are reduced first, so that only k groups a row need a real selection.
    """
    height, width = products.shape
    groups = -(-width // _GROUPS)
    if groups <= k:
        candidates = np.broadcast_to(np.arange(width), (height, width))
        values = products
    else:
        padded = products
        if width % groups or width != groups * _GROUPS:
            padded = np.full((height, groups * _GROUPS), -np.inf, dtype=np.float32)
            padded[:, :width] = products
        stacked = padded.reshape(height, _GROUPS, groups)
        tops = stacked.max(axis=1)
        best_groups = np.argpartition(tops, groups - k, axis=1)[:, groups - k :]
        row = np.arange(height)[:, None, None]
        layer = np.arange(_GROUPS)[None, :, None]
        values = stacked[row, layer, best_groups[:, None, :]].reshape(height, -1)
        candidates = (layer * groups + best_groups[:, None, :]).reshape(height, -1)
    if values.shape[1] > k:
        part = np.argpartition(values, values.shape[1] - k, axis=1)[:, values.shape[1] - k :]
        values = np.take_along_axis(values, part, axis=1)
        candidates = np.take_along_axis(candidates, part, axis=1)
    order = np.lexsort((candidates, -values), axis=1)
    return np.take_along_axis(candidates, order, axis=1), np.take_along_axis(values, order, axis=1)
