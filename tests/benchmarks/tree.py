"""The abstract tree at several sizes: seconds and memory of every step, and of one document's insert and delete.

    python -m tests.benchmarks.tree --corpus 2wiki/corpus.json --model MODEL_FOLDER --cache DIR [--sizes 42000 350000]

The first line is over the real passages of the corpus, embedded once into the cache. Larger sizes are drawn to have
their statistics: a point on the way from a real vector to one of its neighbours, with noise as large as what the
principal components leave over. One JSON object a line.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from engine.core.ids import DocumentId, segment_id
from engine.core.model import Segment, SegmentKind
from engine.core.ports import Matrix
from engine.embed.batch import FastEmbedder
from engine.embed.cache import CachedEmbedder
from engine.tree.abstracts import corpus_statistics, keyword_abstract, leaf_terms, leaves_of_children, sampled_leaves
from engine.tree.collapse import collapse
from engine.tree.cost import dasgupta_cost
from engine.tree.nodes import tree_nodes
from engine.tree.rebalance import Split, rebalance
from engine.tree.spanning import delete, insert, maximum_spanning_tree, quantise

_DOCUMENT = 50
"""Leaves of the document that comes and goes."""
_NEIGHBOURS = 8


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one line a size, then one of the statistical abstracts and one for each way of splitting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--sizes", type=int, nargs="*", default=[])
    chosen = parser.parse_args(arguments)
    segments = passages(chosen.corpus)
    real = vectors_of(segments, chosen.model, chosen.cache)
    print(json.dumps(measure(real)), flush=True)
    print(json.dumps(measure_abstracts(segments, real)), flush=True)
    for line in measure_splits(real):
        print(json.dumps(line), flush=True)
    for size in chosen.sizes:
        print(json.dumps(measure(alike(real, size))), flush=True)


def passages(corpus: Path) -> list[Segment]:
    """The passages of a corpus of {title, text}, as segments in ascending order of their ids."""
    made = []
    for number, one in enumerate(json.loads(corpus.read_text(encoding="utf-8"))):
        document = DocumentId(f"{number:08}")
        title, text = one["title"], one["text"]
        made.append(
            Segment(
                segment_id(document, 1, 0, text),
                document,
                0,
                SegmentKind.TEXT,
                title,
                (),
                text,
                f"{title}\n{text}",
                1,
                (1,),
            )
        )
    return sorted(made, key=lambda segment: segment.id)


def vectors_of(segments: Sequence[Segment], model: Path, cache: Path) -> Matrix:
    """Unit vectors, shape (n, d), from the cache where they are there."""
    embedder = CachedEmbedder(FastEmbedder(model), cache / "embeddings.db")
    try:
        return embedder.embed_passages([segment.embed_text for segment in segments])
    finally:
        embedder.close()


def alike(real: Matrix, count: int, seed: int = 7) -> Matrix:
    """`count` unit vectors with the statistics of real ones."""
    rng = np.random.default_rng(seed)
    near = np.argsort(-(real[:2000] @ real.T), axis=1)[:, 1 : _NEIGHBOURS + 1]
    noise = float(np.std(real[:2000] - real[near[:, 0]])) * 0.7
    rows = rng.integers(0, len(near), count)
    made = np.empty((count, real.shape[1]), dtype=np.float32)
    for start in range(0, count, 10_000):
        chosen = rows[start : start + 10_000]
        other = real[near[chosen, rng.integers(0, _NEIGHBOURS, len(chosen))]]
        way = rng.random((len(chosen), 1), dtype=np.float32)
        drawn = real[chosen] * (1 - way) + other * way + rng.normal(0, noise, other.shape).astype(np.float32)
        made[start : start + 10_000] = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return made


def measure(vectors: Matrix) -> dict[str, object]:
    """Build, then insert and delete one document's leaves; the updated tree must equal the built one."""
    whole = quantise(vectors)
    clock = _Clock()
    with clock("spanning"):
        edges = maximum_spanning_tree(whole)
    with clock("collapse"):
        levels = collapse(len(whole), edges)
    with clock("rebalance"):
        balanced = rebalance(levels, edges)
    gone = np.zeros(len(whole), dtype=bool)
    gone[np.random.default_rng(1).choice(len(whole), _DOCUMENT, replace=False)] = True
    with clock("delete_50"):
        smaller = delete(edges, whole[~gone], gone)
        collapse(len(whole) - _DOCUMENT, smaller)
    with clock("insert_50"):
        again = insert(smaller.renumbered(np.flatnonzero(~gone)), whole, np.flatnonzero(gone))
        rebalance(collapse(len(whole), again), again)
    exact = np.array_equal(again.lower, edges.lower) and np.array_equal(again.higher, edges.higher)
    return {
        "benchmark": "tree",
        "leaves": len(whole),
        **clock.seconds,
        "exact": bool(exact),
        "height": balanced.height,
        "nodes": sum(int(labels.max()) + 1 for labels in balanced.labels[1:]),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000),
        "vectors_mb": round(whole.nbytes / 1e6),
    }


def measure_abstracts(segments: Sequence[Segment], vectors: Matrix) -> dict[str, object]:
    """Statistical abstracts of all nodes over real passages."""
    whole = quantise(vectors)
    edges = maximum_spanning_tree(whole)
    nodes = tree_nodes([one.id for one in segments], rebalance(collapse(len(whole), edges), edges))
    clock = _Clock()
    with clock("terms"):
        terms = {one.id: leaf_terms(one) for one in segments}
        corpus = corpus_statistics(terms.values())
    with clock("abstracts"):
        below = sampled_leaves(nodes)
        for node in nodes:
            groups = leaves_of_children(node, below)
            keyword_abstract([[terms[leaf] for leaf in group] for group in groups], corpus).text()
    rate = len(nodes) / clock.seconds["abstracts_seconds"]
    return {"benchmark": "abstracts", "nodes": len(nodes), **clock.seconds, "nodes_per_second": round(rate)}


def measure_splits(vectors: Matrix) -> Iterator[dict[str, object]]:
    """Dasgupta cost (Psi-RAG, eq. 6) of both ways to split, at several child limits."""
    whole = quantise(vectors)
    edges = maximum_spanning_tree(whole)
    levels = collapse(len(whole), edges)
    for limit in (10, 20, 40, 80, len(whole)):
        for split in Split:
            balanced = rebalance(levels, edges, limit=limit, split=split)
            yield {
                "benchmark": "tree_split",
                "limit": limit if limit < len(whole) else "none",
                "split": split.value,
                "cost": round(dasgupta_cost(balanced, vectors) / 1e6, 3),
                "height": balanced.height,
            }


class _Clock:
    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        began = time.perf_counter()
        yield
        self.seconds[f"{name}_seconds"] = round(time.perf_counter() - began, 3)


if __name__ == "__main__":
    main()
