"""Statistical, model-keyword and summative abstracts of a small library: seconds a node, and recall down the tree.

    python -m tests.benchmarks.tree_abstracts --cache FOLDER [--model ID] [--files NAME ...] [--show N]

Every kind is made by the product's own composers on stores of its own. A tree is searched by its nodes' centroids, by
their embedded abstracts, and by the mean of both. Documents and questions come from $SHEAF_SHARED, models from
$SHEAF_MODELS; only questions whose evidence lies in the chosen files count. One JSON object a line.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.core.cancel import CancelToken
from engine.core.model import AbstractKind, AbstractNode, AbstractState
from engine.core.ports import Embedder, LanguageModel
from engine.core.tree_ports import Grove
from engine.embed.cache import CachedEmbedder
from engine.grow import Grower
from engine.llm.host import LlamaModel
from engine.refine import Refiner
from engine.retrieve.tree_search import Descent
from engine.store.ledger import library_database
from engine.store.nodes import NodeStore
from tests.benchmarks.retrieval_library import OpenLibrary, Question, open_embedder, open_library
from tests.benchmarks.tree_recall import Corpus, exact, questions_of, read_corpus, recall, route

FILES = ("2n2222.pdf", "BC547.pdf", "BC556557.PDF", "DS1302 1.pdf", "DS1307.pdf", "DS1621.pdf", "DS1620.pdf")
"""277 passages: transistors, clocks and thermometers that differ in their numbers only."""
_BEAMS = (2, 4)
_HOURS = 3600.0 * 8


def main() -> None:
    """Print a line for each kind of abstract, way of searching by it and beam."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--shared", type=Path, default=Path(os.environ.get("SHEAF_SHARED", "")))
    arguments.add_argument("--models", type=Path, default=Path(os.environ.get("SHEAF_MODELS", "")))
    arguments.add_argument("--cache", type=Path, required=True, help="folder for indexes and embeddings, kept")
    arguments.add_argument("--model", default="qwen2.5-coder-1.5b-instruct-q4_k_m")
    arguments.add_argument("--files", nargs="*", default=FILES)
    arguments.add_argument("--show", type=int, default=0, help="print so many abstracts of each kind")
    chosen = arguments.parse_args()
    embedder = open_embedder(chosen.models, chosen.cache)
    model = LlamaModel(next((chosen.models / chosen.model).glob("*.gguf")), chosen.model)
    try:
        folder = _chosen_files(chosen.shared / "datasheets" / "library", chosen.files, chosen.cache / "few-files")
        library = open_library("few", folder, chosen.cache, embedder, chosen.models)
        questions = _within(questions_of("datasheets", chosen.shared), chosen.files)
        try:
            for line in compared(library, chosen.cache / "few", questions, embedder, model, chosen.show):
                print(json.dumps({"benchmark": "tree_abstracts", **line}), flush=True)
        finally:
            library.close()
    finally:
        model.close()
        embedder.close()


def _chosen_files(library: Path, files: Sequence[str], folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in files:
        shutil.copy2(library / name, folder / Path(name).name)
    return folder


def _within(questions: Sequence[Question], files: Sequence[str]) -> list[Question]:
    wanted = set(files)
    return [one for one in questions if all(any(file in wanted for file, _ in group) for group in one.evidence)]


def compared(
    library: OpenLibrary,
    home: Path,
    questions: Sequence[Question],
    embedder: CachedEmbedder,
    model: LanguageModel,
    show: int,
) -> Iterator[dict[str, object]]:
    """Flat search, then each kind of abstract on a tree grown for it."""
    corpus = read_corpus(library, questions, embedder)
    flat = recall(corpus, lambda vector: exact(corpus, corpus.vectors, vector))
    yield {"abstracts": "none, flat", "leaves": len(corpus.leaves), "questions": len(questions), **flat}
    for kind in (None, AbstractKind.KEYWORD, AbstractKind.SUMMATIVE):
        nodes = NodeStore(home / f"tree-{kind}", library_database(home))
        try:
            nodes.drop()
            began = time.perf_counter()
            Grower(library.catalog, library.vectors, nodes).grow(CancelToken())
            made: dict[str, object] = {"abstracts": kind or "statistical", "nodes": len(nodes.grove().nodes)}
            if kind is None:
                made["seconds"] = round(time.perf_counter() - began, 2)
            else:
                done = Refiner(library.catalog, nodes, embedder, model).run(CancelToken(), seconds=_HOURS, kind=kind)
                made |= {"seconds_a_node": round(done.seconds / (done.worded + done.failed), 2), "failed": done.failed}
            _show(nodes.grove().nodes, show)
            yield from ({**made, **line} for line in searched(corpus, nodes.grove(), embedder))
        finally:
            nodes.close()


def searched(corpus: Corpus, grove: Grove, embedder: Embedder) -> Iterator[dict[str, object]]:
    """Recall down the tree, by what nodes are searched by and how many are kept at each height."""
    centroids = _centroids(grove, corpus)
    texts = embedder.embed_passages([node.abstract for node in grove.nodes])
    both = centroids + texts
    for name, vectors in (
        ("centroid", centroids),
        ("abstract", texts),
        ("both", both / np.linalg.norm(both, axis=1, keepdims=True)),
    ):
        for beam in _BEAMS:
            line = route(corpus, replace(grove, vectors=vectors), Descent.TOP_DOWN, beam)
            yield {"nodes_by": name, "beam": beam, **line}


def _centroids(grove: Grove, corpus: Corpus) -> np.ndarray:
    row_of = {leaf: row for row, leaf in enumerate(corpus.leaves)}
    sums: dict[str, np.ndarray] = {leaf: corpus.vectors[row] for leaf, row in row_of.items()}
    for node in sorted(grove.nodes, key=lambda one: one.height):
        sums[node.id] = np.sum([sums[child] for child in node.children], axis=0)
    rows = np.stack([sums[node.id] for node in grove.nodes])
    unit: np.ndarray = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def _show(nodes: Sequence[AbstractNode], count: int) -> None:
    order = sorted(nodes, key=lambda node: (-node.height, -node.leaves, node.id))
    for node in order[:: max(1, len(order) // count)][:count] if count else ():
        state = "" if node.state is AbstractState.MODEL else f" ({node.state.value})"
        print(f"--- {node.height}, {node.leaves} passages{state}\n{node.abstract}", file=sys.stderr)


if __name__ == "__main__":
    main()
