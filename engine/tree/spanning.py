"""Maximum spanning tree of a set of vectors, exact, in blocks, and its update under insertion and deletion.

Only pairs that join two components act in Psi-RAG's Algorithm 1, and taken in descending order those are exactly
Kruskal's edges: the whole abstract tree is a function of this spanning tree.

Similarities are whole numbers (:func:`quantise`), so a product is the same whatever the block it was computed in.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.core.ports import Matrix
from engine.tree.boruvka import Boruvka, slabs
from engine.tree.buckets import Buckets
from engine.tree.edges import Edges, Ints, components, sorted_edges, spanning_forest

SCALE = 4000.0
"""Every partial sum of a product of two quantised unit vectors stays below 2**24, hence exact in float32."""
_CANDIDATES = 4_000_000
"""Edges of new rows that are gathered before the spanning tree takes them in."""


def quantise(vectors: Matrix) -> Matrix:
    """Round `4000 * unit vector` to whole numbers, held as float32; shape (n, d) in and out."""
    whole: Matrix = np.multiply(vectors, np.float32(SCALE), dtype=np.float32)
    np.rint(whole, out=whole)
    return whole


def maximum_spanning_tree(vectors: Matrix, buckets: Buckets | None = None) -> Edges:
    """Maximum spanning tree of quantised vectors, shape (n, d); n - 1 edges, memory O(n) beside the vectors.

    Exact; with `buckets` exact over the pairs of near buckets.
    """
    return Boruvka(vectors, np.arange(len(vectors), dtype=np.int64), buckets=buckets).run()


def insert(tree: Edges, vectors: Matrix, new_rows: Ints) -> Edges:
    """Spanning tree after `new_rows` joined; `tree` spans the other rows and is numbered like `vectors`.

    The new tree lies within (old edges + edges from the new rows to all), so nothing else is computed. Of those most
    are the weakest edge of a triangle with an old edge, hence in no maximum spanning tree.
    """
    count = len(vectors)
    is_new = np.zeros(count, dtype=bool)
    is_new[new_rows] = True
    grown = tree
    waiting: list[Edges] = []
    for slab in slabs(new_rows, count):
        products = vectors[slab] @ vectors.T
        keep = _not_weakest(products, tree)
        keep &= ~(is_new[None, :] & (np.arange(count)[None, :] >= slab[:, None]))
        row, right = np.nonzero(keep)
        left = slab[row]
        waiting.append(Edges(np.minimum(left, right), np.maximum(left, right), products[row, right].astype(np.int64)))
        if sum(len(one) for one in waiting) > _CANDIDATES:
            grown, waiting = _joined(count, [grown, *waiting]), []
    return _joined(count, [grown, *waiting])


def _not_weakest(products: Matrix, tree: Edges) -> NDArray[np.bool_]:
    """Which of the edges from new rows (their products with all rows, shape (r, n)) survive all triangles over an edge
    of the tree."""
    keep = np.ones(products.shape, dtype=bool)
    strength = tree.similarity.astype(np.float32)
    for row, kept in zip(products, keep):
        lower, higher = row[tree.lower], row[tree.higher]
        kept[tree.lower[(lower < higher) & (lower < strength)]] = False
        kept[tree.higher[(higher < lower) & (higher < strength)]] = False
    return keep


def _joined(count: int, parts: list[Edges]) -> Edges:
    edges = sorted_edges(
        np.concatenate([part.lower for part in parts]),
        np.concatenate([part.higher for part in parts]),
        np.concatenate([part.similarity for part in parts]),
    )
    return spanning_forest(count, edges)


def delete(tree: Edges, rest: Matrix, gone: NDArray[np.bool_]) -> Edges:
    """Spanning tree after the rows marked in `gone` left, numbered by the rows that stay; `rest` are their vectors.

    The surviving edges stay in the tree; the pieces are rejoined by their best crossing edges.
    """
    kept_rows = np.cumsum(~gone, dtype=np.int64) - 1
    alive = tree.chosen(~gone[tree.lower] & ~gone[tree.higher]).renumbered(kept_rows)
    return Boruvka(rest, components(len(rest), alive), alive).run()
