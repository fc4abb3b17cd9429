"""Buckets of near vectors (Psi-RAG, appendix E.1): above some size only pairs of near buckets are looked at.

The paper builds a tree inside each bucket and joins them at the top. Here a bucket is also compared with the buckets
near it, so the spanning tree crosses buckets wherever its vectors do; what is lost are edges between far buckets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.core.ports import Matrix
from engine.tree.edges import Ints, sorted_edges, spanning_forest

BUCKET_ROWS = 600
"""Mean number of rows a bucket."""
NEAR = 32
"""How many buckets a bucket is compared with, itself included; nearness that only one of two sees counts for both."""
_ROUNDS = 8
_SAMPLE = 64
"""Rows a bucket that its centre is found from."""
_SLAB_ROWS = 8192


@dataclass(frozen=True, slots=True)
class Buckets:
    """A partition of rows. `near[b]` are the buckets whose rows those of b are compared with, b among them."""

    of_row: Ints
    members: tuple[Ints, ...]
    """Rows of each bucket, ascending."""
    near: tuple[Ints, ...]

    def columns(self, bucket: int) -> Ints:
        """The rows that a bucket's rows are compared with, ascending."""
        return np.sort(np.concatenate([self.members[other] for other in self.near[bucket]]))


def bucketed(vectors: Matrix, *, rows: int = BUCKET_ROWS, near: int = NEAR) -> Buckets:
    """Spherical k-means over unit or quantised vectors, shape (n, d), in about n / `rows` buckets.

    The rows' order decides everything: equal input gives equal buckets. The graph of near buckets is connected.
    """
    count = max(1, len(vectors) // rows)
    centres = _centres(vectors, count)
    owner = _nearest(vectors, centres)
    names, of_row = np.unique(owner, return_inverse=True)
    of_row = of_row.ravel().astype(np.int64)
    order = np.argsort(of_row, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(of_row))[:-1])
    return Buckets(of_row, tuple(members), _adjacent(centres[names], near))


def _centres(vectors: Matrix, count: int) -> Matrix:
    """Unit centres from an even sample: rows stand in the order of hashes, so every n-th is a fair one."""
    sample = vectors[:: max(1, len(vectors) // (count * _SAMPLE))]
    centres = _unit(sample[:: max(1, len(sample) // count)][:count].astype(np.float32))
    for _ in range(_ROUNDS):
        owner = _nearest(sample, centres)
        order = np.argsort(owner, kind="stable")
        names, starts = np.unique(owner[order], return_index=True)
        centres[names] = _unit(np.add.reduceat(sample[order], starts, axis=0))
    return centres


def _nearest(vectors: Matrix, centres: Matrix) -> Ints:
    found = [
        (vectors[start : start + _SLAB_ROWS] @ centres.T).argmax(axis=1) for start in range(0, len(vectors), _SLAB_ROWS)
    ]
    return np.concatenate(found).astype(np.int64)


def _unit(rows: Matrix) -> Matrix:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Matrix = (rows / np.maximum(lengths, 1e-12)).astype(np.float32)
    return unit


def _adjacent(centres: Matrix, near: int) -> tuple[Ints, ...]:
    """For each bucket its `near` nearest ones, made mutual, and joined by the centres' own spanning tree."""
    count = len(centres)
    products = centres @ centres.T
    joined: NDArray[np.bool_] = np.zeros((count, count), dtype=bool)
    width = min(near, count)
    nearest = np.argpartition(-products, width - 1, axis=1)[:, :width]
    joined[np.arange(count)[:, None], nearest] = True
    left, right = np.triu_indices(count, 1)
    tree = spanning_forest(count, sorted_edges(left, right, np.rint(products[left, right] * 1e6).astype(np.int64)))
    joined[tree.lower, tree.higher] = True
    joined |= joined.T
    np.fill_diagonal(joined, True)
    return tuple(np.flatnonzero(row) for row in joined)
