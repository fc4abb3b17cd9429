"""Boruvka's rounds over dense vectors that are never multiplied out, exact within the graph they may look at."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from engine.core.ports import Matrix
from engine.tree.buckets import Buckets
from engine.tree.edges import Edges, Ints, merge_labels, sorted_edges

NEIGHBOURS = 16
"""Length of the neighbour list kept for each row between rounds."""
SLAB_BYTES = 48 << 20
"""Products held at a time, unless that is fewer rows than"""
SLAB_ROWS = 128
"""rows whose products with all others are made at once: with fewer, reading the others takes longer than multiplying
them (at 350,000 rows 3.4 ms a row by 35 at once, 2.3 by 140)."""
_GROUPS = 64


class Boruvka:
    """Boruvka's rounds over dense vectors that are never multiplied out.

    Each row keeps its best few neighbours outside its component. The first `sure` of them are certain, in order; every
    other pair of the row is at most `bound` similar. A row whose list is used up is computed again only if its bound
    could beat what its component has found, and the largest component never searches: the others find the way to it.

    With `buckets` a row looks at rows of near buckets only, and the tree is the best one of that graph.
    """

    def __init__(
        self, vectors: Matrix, labels: Ints, edges: Edges | None = None, buckets: Buckets | None = None
    ) -> None:
        self._vectors = vectors
        self._buckets = buckets
        self._count = len(vectors)
        self._labels = labels
        self._edges = [] if edges is None else [edges]
        self._neighbours = np.zeros((self._count, NEIGHBOURS), dtype=np.int32)
        self._similar = np.full((self._count, NEIGHBOURS), -np.inf, dtype=np.float32)
        self._bound = np.full(self._count, np.inf, dtype=np.float32)
        self._sure = np.zeros(self._count, dtype=np.int32)
        self._room = np.empty(0, dtype=np.float32)

    def run(self) -> Edges:
        while True:
            names, sizes = np.unique(self._labels, return_counts=True)
            if len(names) <= 1:
                break
            searching = self._labels != names[np.argmax(sizes)]
            self._edges.append(self._round(np.flatnonzero(searching)))
            found = self._edges[-1]
            self._labels = merge_labels(self._labels, found.lower, found.higher)
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
        for slab, columns in self._slabs(open_rows):
            self._refill(slab, columns)
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

    def _slabs(self, rows: Ints) -> Iterator[tuple[Ints, Ints | None]]:
        """Rows to be looked at together, with the rows they are compared with (None: all)."""
        if self._buckets is None:
            yield from ((slab, None) for slab in slabs(rows, self._count))
            return
        owners = self._buckets.of_row[rows]
        order = np.argsort(owners, kind="stable")
        names, starts = np.unique(owners[order], return_index=True)
        for bucket, inside in zip(names.tolist(), np.split(rows[order], starts[1:])):
            columns = self._buckets.columns(bucket)
            yield from ((slab, columns) for slab in slabs(inside, len(columns)))

    def _refill(self, rows: Ints, columns: Ints | None) -> None:
        """Fill the lists of `rows` with their best neighbours among `columns` outside their components."""
        others, labels = self._vectors, self._labels
        if columns is not None:
            others, labels = others[columns], labels[columns]
        products = self._products(rows, others)
        np.copyto(products[:, : len(labels)], -np.inf, where=self._labels[rows][:, None] == labels[None, :])
        chosen, values = _best_columns(products, min(NEIGHBOURS + 1, len(labels)))
        # Where nothing is left outside, the list may name the padding.
        chosen = np.minimum(chosen, len(labels) - 1)
        width = min(NEIGHBOURS, values.shape[1])
        # A column beyond the list is at most as similar as the last one seen; ties with that one are not certain.
        self._bound[rows] = values[:, -1] if values.shape[1] > NEIGHBOURS else -np.inf
        self._neighbours[rows, :width] = chosen[:, :width] if columns is None else columns[chosen[:, :width]]
        self._similar[rows, :width] = values[:, :width]
        self._sure[rows] = (values[:, :width] > self._bound[rows][:, None]).sum(axis=1)
        tied = np.flatnonzero(self._sure[rows] == 0)
        if len(tied):
            # The whole list ties: argmax takes the lowest row, and that one is certain.
            first = products[tied].argmax(axis=1)
            self._neighbours[rows[tied], 0] = first if columns is None else columns[first]
            self._sure[rows[tied]] = 1

    def _products(self, rows: Ints, others: Matrix) -> Matrix:
        """Products of `rows` with all `others`, padded with -inf to a width that divides into groups.

        They stand in the same memory every time: fresh pages would cost half as much as the products themselves.
        """
        width = -(-len(others) // _GROUPS) * _GROUPS
        if self._room.size < len(rows) * width:
            self._room = np.empty(len(rows) * width, dtype=np.float32)
        products = self._room[: len(rows) * width].reshape(len(rows), width)
        # What stood there, infinities too, must not be touched by the multiplication.
        products[:] = 0.0
        np.matmul(self._vectors[rows], others.T, out=products[:, : len(others)])
        products[:, len(others) :] = -np.inf
        return products


def slabs(rows: Ints, width: int) -> Iterator[Ints]:
    """`rows` in pieces whose products with `width` others fit `SLAB_BYTES`, of at least `SLAB_ROWS`."""
    height = max(SLAB_ROWS, SLAB_BYTES // (4 * max(1, width)))
    for start in range(0, len(rows), height):
        yield rows[start : start + height]


def _best_columns(products: Matrix, k: int) -> tuple[Ints, Matrix]:
    """The k best columns of each row, ordered by (value descending, column ascending); the width is a multiple of
    `_GROUPS`.

    Strided groups are reduced first, so that only k groups a row need a real selection.
    """
    height, width = products.shape
    groups = width // _GROUPS
    if groups <= k:
        candidates = np.broadcast_to(np.arange(width), (height, width))
        values = products
    else:
        stacked = products.reshape(height, _GROUPS, groups)
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
