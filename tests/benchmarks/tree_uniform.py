"""The uniform effect (Psi-RAG, appendix D.2 and Figure 5): how trees mix a large group of passages with a small one.

    python -m tests.benchmarks.tree_uniform --cache FOLDER [--pictures FOLDER]

Skewed mixtures of two real groups of datasheets: passages of microcontrollers, and a tenth as many of another kind.
Ours is compared with a tree of Gaussian mixtures, RAPTOR's method: clusters within clusters, their number chosen by the
Bayesian information criterion, on ten principal components (RAPTOR reduces by UMAP). A second Gaussian-mixture tree is
given as many clusters a height as ours has nodes, so that only the objective differs. Documents come from
$SHEAF_SHARED, models from $SHEAF_MODELS; needs `pip install sheaf[benchmark]`. One JSON object a line.

`confused` are nodes over both groups; `noise` is the share of the large group's passages that stand below one, which is
what a search for the small group is led through by mistake.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

from engine.core.ids import SegmentId
from engine.core.model import AbstractNode
from engine.core.ports import Matrix
from engine.tree.edges import Ints
from engine.tree.picture import circular_tree, confused_nodes
from engine.tree.update import build
from tests.benchmarks.retrieval_library import OpenLibrary, open_embedder, open_library

MAJOR = ("AT89", "LPC2", "Lpc213")
MINORS: Mapping[str, tuple[str, ...]] = {
    "clocks": ("DS12", "DS13", "Real Time Clock"),
    "displays": ("HD44780", "LCD"),
    "op amps": ("OP90", "lm124"),
    "thermometers": ("DS162", "ds1820"),
}
_MAJOR_PASSAGES, _MINOR_PASSAGES = 500, 50
_COMPONENTS = 10
_CLUSTERS = (1, 2, 3, 5, 8, 12, 18, 27, 40)
"""Numbers of clusters that the information criterion chooses from."""
_TOP = 5
"""A height of so few nodes gets the root above it."""
_SEEDS = range(3)


def main() -> None:
    """Print a line for each mixture and tree; draw them with --pictures."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--shared", type=Path, default=Path(os.environ.get("SHEAF_SHARED", "")))
    arguments.add_argument("--models", type=Path, default=Path(os.environ.get("SHEAF_MODELS", "")))
    arguments.add_argument("--cache", type=Path, required=True, help="folder for indexes and embeddings, kept")
    arguments.add_argument("--pictures", type=Path, help="folder the circular trees are drawn into")
    chosen = arguments.parse_args()
    embedder = open_embedder(chosen.models, chosen.cache)
    folder = chosen.shared / "datasheets" / "library"
    library = open_library("datasheets", folder, chosen.cache, embedder, chosen.models)
    try:
        for name, starts in MINORS.items():
            for line in compared(library, name, starts, chosen.pictures):
                print(json.dumps({"benchmark": "tree_uniform", "small group": name, **line}), flush=True)
    finally:
        library.close()
        embedder.close()


def compared(
    library: OpenLibrary, name: str, starts: Sequence[str], pictures: Path | None
) -> Iterator[dict[str, object]]:
    """Ours, then both Gaussian-mixture trees as means over seeds."""
    major = group(library, MAJOR)[:_MAJOR_PASSAGES]
    minor = group(library, starts)[:_MINOR_PASSAGES]
    class_of = {**dict.fromkeys(major, "large"), **dict.fromkeys(minor, name)}
    leaves = sorted(class_of)
    vectors = library.vectors.vectors([SegmentId(leaf) for leaf in leaves])
    tree = build([SegmentId(leaf) for leaf in leaves], vectors)
    ours = [AbstractNode(one.id, one.height, one.parent, one.children, one.leaves, "") for one in tree.nodes()]
    sizes = {"large": len(major), "small": len(minor)}
    yield {"tree": "ours", **sizes, **mixing(ours, class_of)}
    _draw(pictures, f"{name}-ours", ours, class_of)
    widths = [int(labels.max()) + 1 for labels in tree.levels.labels[1:-1]]
    trees: dict[str, Callable[[int], list[AbstractNode]]] = {
        "gaussian, clusters by BIC": lambda seed: gaussian_tree(leaves, vectors, seed, None),
        "gaussian, as many clusters": lambda seed: gaussian_tree(leaves, vectors, seed, widths),
    }
    for kind, grow in trees.items():
        grown = [grow(seed) for seed in _SEEDS]
        lines = [mixing(nodes, class_of) for nodes in grown]
        yield {"tree": kind, **sizes, **{key: _mean([line[key] for line in lines]) for key in lines[0]}}
        _draw(pictures, f"{name}-{'bic' if 'BIC' in kind else 'matched'}", grown[0], class_of)


def group(library: OpenLibrary, starts: Sequence[str]) -> list[str]:
    """Passages of the documents whose file begins so, in the order of their ids: a fair sample of any length."""
    chosen = [document for document, files in library.files().items() if files[0].startswith(tuple(starts))]
    return sorted(one.id for document in chosen for one in library.catalog.document_segments(document))


def mixing(nodes: Sequence[AbstractNode], class_of: Mapping[str, str]) -> dict[str, float]:
    """Nodes over both groups at the lowest three heights, and the noise they cause."""
    below: dict[str, list[str]] = {}
    figures: dict[str, float] = {"nodes": len(nodes), "confused_parents_of_leaves": confused_nodes(nodes, class_of)}
    for node in sorted(nodes, key=lambda one: one.height):
        children = node.children if node.height == 1 else [leaf for child in node.children for leaf in below[child]]
        below[node.id] = list(children)
    total = sum(name == "large" for name in class_of.values())
    figures["height"] = max(node.height for node in nodes)
    for height in (1, 2, 3):
        # Above the root all are under one roof.
        here = [below[node.id] for node in nodes if node.height == min(height, figures["height"])]
        mixed = [leaves for leaves in here if len({class_of[leaf] for leaf in leaves}) > 1]
        misled = sum(class_of[leaf] == "large" for leaves in mixed for leaf in leaves)
        figures[f"confused_{height}"] = len(mixed)
        figures[f"noise_{height}"] = round(misled / total, 3)
    return figures


def gaussian_tree(
    leaves: Sequence[str], vectors: Matrix, seed: int, widths: Sequence[int] | None
) -> list[AbstractNode]:
    """Clusters of clusters until few are left; a cluster's vector is the unit mean of its leaves'."""
    names, sizes, sums = list(leaves), np.ones(len(leaves), dtype=np.int64), vectors
    nodes: list[AbstractNode] = []
    for height in itertools.count(1):
        labels = np.zeros(len(names), dtype=np.int64)
        if len(names) > _TOP and (widths is None or height <= len(widths)):
            rows = sums / np.linalg.norm(sums, axis=1, keepdims=True)
            labels = _nested(rows, seed) if widths is None else _clusters(rows, widths[height - 1], seed)
        count = int(labels.max()) + 1
        if count == len(names):
            labels, count = np.zeros_like(labels), 1
        children = [tuple(names[i] for i in np.flatnonzero(labels == label)) for label in range(count)]
        sizes = np.bincount(labels, weights=sizes).astype(np.int64)
        names = [f"{height}/{label}" for label in range(count)]
        nodes += [
            AbstractNode(*made, "") for made in zip(names, [height] * count, [""] * count, children, sizes.tolist())
        ]
        if count == 1:
            break
        grown = np.zeros((count, vectors.shape[1]), dtype=np.float32)
        np.add.at(grown, labels, sums)
        sums = grown
    return nodes


def _nested(rows: Matrix, seed: int) -> Ints:
    """RAPTOR's two steps: clusters of everything, then clusters within each."""
    outer = _clusters(rows, None, seed)
    labels = np.zeros(len(rows), dtype=np.int64)
    fresh = 0
    for name in np.unique(outer).tolist():
        inside = np.flatnonzero(outer == name)
        inner = (
            _clusters(rows[inside], None, seed) if len(inside) > _COMPONENTS + 1 else np.zeros(len(inside), np.int64)
        )
        labels[inside] = inner + fresh
        fresh += int(inner.max()) + 1
    return labels


def _clusters(rows: Matrix, count: int | None, seed: int) -> Ints:
    """The likeliest component of each row; without a count the one with the best information criterion."""
    reduced = PCA(min(_COMPONENTS, len(rows) - 1, rows.shape[1]), random_state=seed).fit_transform(rows)
    counts = [count] if count else [one for one in _CLUSTERS if one <= max(1, len(rows) // 2)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fitted = [GaussianMixture(one, covariance_type="diag", random_state=seed).fit(reduced) for one in counts]
        best = min(fitted, key=lambda mixture: mixture.bic(reduced))
    labels: Ints = best.predict(reduced).astype(np.int64)
    return np.unique(labels, return_inverse=True)[1].ravel()


def _mean(values: Sequence[float]) -> float:
    return round(statistics.fmean(values), 3)


def _draw(folder: Path | None, name: str, nodes: Sequence[AbstractNode], class_of: Mapping[str, str]) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        parent = {child: node.id for node in nodes if node.height > 1 for child in node.children}
        rooted = [AbstractNode(n.id, n.height, parent.get(n.id, ""), n.children, n.leaves, "") for n in nodes]
        (folder / f"{name.replace(' ', '-')}.svg").write_text(circular_tree(rooted, class_of), encoding="utf-8")


if __name__ == "__main__":
    main()
