"""The tree from pairs of near buckets beside the exact one: seconds, memory, and what is lost in tree and recall.

    python -m tests.benchmarks.tree_buckets --corpus 2wiki/corpus.json --model MODEL_FOLDER --cache DIR --size 350000

Psi-RAG's appendix E.1 without its index: a bucket is compared with the buckets near it. The exact spanning tree is made
once for a size and kept in the cache; `--without-exact` leaves that out, and the nearest neighbours of sampled rows
alone tell the loss. One JSON object a line.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from engine.core.ids import DocumentId, SegmentId
from engine.core.model import AbstractNode, Segment
from engine.core.ports import Matrix
from engine.core.tree_ports import Grove
from engine.retrieve.tree_search import Descent, TreeSearch
from engine.tree.buckets import BUCKET_ROWS, NEAR, bucketed
from engine.tree.collapse import collapse
from engine.tree.edges import Edges
from engine.tree.rebalance import rebalance
from engine.tree.spanning import maximum_spanning_tree, quantise
from engine.tree.update import AbstractTree
from tests.benchmarks.tree import alike, passages, vectors_of
from tests.benchmarks.tree_recall import GrownTree

_QUERIES = 300
_K = 5
_SAMPLED = 2000


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the exact tree's line, then one for each number of near buckets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--size", type=int, default=350_000)
    parser.add_argument("--near", type=int, nargs="*", default=[NEAR])
    parser.add_argument("--rows", type=int, default=BUCKET_ROWS, help="mean rows a bucket")
    parser.add_argument("--without-exact", action="store_true")
    chosen = parser.parse_args(arguments)
    drawn = alike(vectors_of(passages(chosen.corpus), chosen.model, chosen.cache), chosen.size + _QUERIES)
    queries, whole = drawn[chosen.size :].copy(), quantise(drawn[: chosen.size])
    del drawn
    exact = None
    if not chosen.without_exact:
        began, work = time.perf_counter(), time.process_time()
        exact = _kept(chosen.cache / f"spanning-{chosen.size}.npz", whole)
        made = {
            "tree": "exact",
            "leaves": chosen.size,
            "seconds": round(time.perf_counter() - began, 1),
            "cpu_seconds": round(time.process_time() - work, 1),
        }
        print(json.dumps({"benchmark": "tree_buckets", **made, **_recall(exact, queries)}), flush=True)
    for near in chosen.near:
        print(
            json.dumps({"benchmark": "tree_buckets", **measure(whole, near, chosen.rows, exact, queries)}), flush=True
        )


def _kept(path: Path, whole: Matrix) -> AbstractTree:
    """The exact tree; its spanning tree is computed unless the cache has it."""
    if not path.is_file():
        edges = maximum_spanning_tree(whole)
        np.savez(path, lower=edges.lower, higher=edges.higher, similarity=edges.similarity)
    held = np.load(path)
    return _tree(whole, Edges(held["lower"], held["higher"], held["similarity"]))


def _tree(whole: Matrix, edges: Edges) -> AbstractTree:
    leaves = tuple(SegmentId(f"{row:08}") for row in range(len(whole)))
    return AbstractTree(leaves, whole, edges, rebalance(collapse(len(whole), edges), edges))


def measure(whole: Matrix, near: int, rows: int, exact: AbstractTree | None, queries: Matrix) -> dict[str, object]:
    """Build through buckets; compare with the exact tree where there is one."""
    began, work = time.perf_counter(), time.process_time()
    buckets = bucketed(whole, rows=rows, near=near)
    split = time.perf_counter()
    edges = maximum_spanning_tree(whole, buckets)
    spanned = time.perf_counter()
    tree = _tree(whole, edges)
    line = {
        "tree": "buckets",
        "leaves": len(whole),
        "rows": rows,
        "near": near,
        "bucket_seconds": round(split - began, 1),
        "spanning_seconds": round(spanned - split, 1),
        "collapse_seconds": round(time.perf_counter() - spanned, 1),
        "cpu_seconds": round(time.process_time() - work, 1),
        "largest_bucket": max(len(members) for members in buckets.members),
        "pairs_seen": round(_pairs(buckets.members, buckets.near) / len(whole) ** 2, 4),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000),
    }
    line["nearest_kept"] = nearest_kept(whole, edges)
    return {**line, **_recall(tree, queries), **({} if exact is None else loss(tree, exact))}


def nearest_kept(whole: Matrix, edges: Edges) -> float:
    """Share of sampled rows whose edge to their nearest neighbour the tree has: the exact tree has all of them."""
    rows = np.random.default_rng(3).choice(len(whole), min(_SAMPLED, len(whole)), replace=False)
    best = np.full(len(whole), -np.inf, dtype=np.float32)
    for ends in (edges.lower, edges.higher):
        np.maximum.at(best, ends, edges.similarity.astype(np.float32))
    kept = 0
    for start in range(0, len(rows), 100):
        chosen = rows[start : start + 100]
        products = whole[chosen] @ whole.T
        products[np.arange(len(chosen)), chosen] = -np.inf
        kept += int((best[chosen] >= products.max(axis=1)).sum())
    return round(kept / len(rows), 4)


def _pairs(members: Sequence[np.ndarray], near: Sequence[np.ndarray]) -> int:
    sizes = np.array([len(rows) for rows in members])
    return int(sum(sizes[bucket] * sizes[others].sum() for bucket, others in enumerate(near)))


def loss(tree: AbstractTree, exact: AbstractTree) -> dict[str, object]:
    """Shares of the exact tree that the other one has too."""
    count = len(exact.vectors)
    own, best = (one.edges.lower * count + one.edges.higher for one in (tree, exact))
    nodes, wanted = ({node.id for node in one.nodes()} for one in (tree, exact))
    return {
        "edges_equal": round(float(np.isin(best, own).mean()), 4),
        "similarity_kept": round(float(tree.edges.similarity.sum() / exact.edges.similarity.sum()), 6),
        "nodes_equal": round(len(nodes & wanted) / len(wanted), 4),
        "nodes": len(nodes),
        "nodes_exact": len(wanted),
    }


class _Rows:
    """Leaves' unit vectors by the row in their names. Implements LeafVectors; belongs to no document."""

    def __init__(self, whole: Matrix) -> None:
        self._whole = whole

    def present(self, segments: Sequence[SegmentId]) -> tuple[list[SegmentId], Matrix]:
        return list(segments), self.vectors(segments)

    def document_segments(self, document: DocumentId) -> Sequence[Segment]:
        return ()

    def vectors(self, segments: Sequence[SegmentId]) -> Matrix:
        rows = self._whole[[int(segment) for segment in segments]]
        unit: Matrix = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit


def _recall(tree: AbstractTree, queries: Matrix) -> dict[str, object]:
    """Share of the five nearest leaves that the way down the tree finds, over drawn queries; nodes by centroid."""
    nodes = [AbstractNode(one.id, one.height, one.parent, one.children, one.leaves, "") for one in tree.nodes()]
    grown = GrownTree(Grove(tuple(nodes), tree.centroids(), 0))
    leaves = _Rows(tree.vectors)
    nearest = [set(np.argpartition(-(tree.vectors @ query), _K)[:_K].tolist()) for query in queries]
    found: dict[str, object] = {}
    for beam in (10, 40):
        search = TreeSearch(grown, leaves, leaves, descent=Descent.TOP_DOWN, beam=beam)
        shares = [
            len(best & {int(hit.segment) for hit in search.search(query, _K)}) / _K
            for query, best in zip(queries, nearest)
        ]
        found[f"recall_of_flat_5_beam_{beam}"] = round(statistics.fmean(shares), 4)
    return found


if __name__ == "__main__":
    main()
