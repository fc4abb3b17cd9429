"""Recall@5 of the abstract tree as a route: descents, ways to split, child limits, what a node is searched by.

    python -m tests.benchmarks.tree_recall --cache FOLDER [--only datasheets|2wiki]

Psi-RAG's Figure 11 and Table 13 without a model: every tree has statistical abstracts. Flat search over the same
vectors is the upper bound the paper names; `leaves_compared` is how many of them a question is compared with.
Questions and documents come from $SHEAF_SHARED, models from $SHEAF_MODELS. One JSON object a line.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from engine.core.ids import DocumentId, SegmentId
from engine.core.model import AbstractNode, Segment
from engine.core.ports import Embedder, Matrix, Scored, Vector
from engine.core.tree_ports import Grove
from engine.evaluate import metrics
from engine.retrieve.tree_search import Descent, TreeSearch
from engine.tree.abstracts import (
    CorpusStatistics,
    LeafTerms,
    corpus_statistics,
    keyword_abstract,
    leaf_terms,
    leaves_of_children,
    sampled_leaves,
)
from engine.tree.rebalance import CHILD_LIMIT, Split
from engine.tree.update import AbstractTree, Shape, build
from tests.benchmarks.retrieval import OWN_QUESTIONS
from tests.benchmarks.retrieval_library import (
    Item,
    OpenLibrary,
    Question,
    datasheet_questions,
    open_embedder,
    open_library,
    wiki_file,
    wiki_questions,
)
from tests.benchmarks.retrieval_scores import ranks_in
from tests.benchmarks.tree import passages

LIMITS = (10, 20, 40, 80, 1_000_000)
BEAMS = (5, 10, 20, 40)
_BEAM = 10
"""For the comparison of shapes: narrow, so that they differ."""
_K = 5


@dataclass(frozen=True, slots=True)
class Corpus:
    """Leaves of one library with what they say, and the questions asked of it."""

    leaves: tuple[SegmentId, ...]
    vectors: Matrix
    terms: Mapping[SegmentId, LeafTerms]
    statistics: CorpusStatistics
    places: Mapping[SegmentId, frozenset[Item]]
    questions: Sequence[Question]
    asked: Matrix


class CountedLeaves:
    """The leaves' vectors in memory; counts how many are looked at. Implements LeafVectors; knows no documents."""

    def __init__(self, corpus: Corpus) -> None:
        self._row_of = {leaf: row for row, leaf in enumerate(corpus.leaves)}
        self._vectors = corpus.vectors
        self.compared = 0

    def present(self, segments: Sequence[SegmentId]) -> tuple[list[SegmentId], Matrix]:
        self.compared += len(segments)
        return list(segments), self.vectors(segments)

    def document_segments(self, document: DocumentId) -> Sequence[Segment]:
        return ()

    def vectors(self, segments: Sequence[SegmentId]) -> Matrix:
        return self._vectors[[self._row_of[segment] for segment in segments]]


@dataclass(frozen=True, slots=True)
class GrownTree:
    """A tree that stands still. Implements TreeSource."""

    nodes: Grove

    def grove(self) -> Grove:
        return self.nodes


def main() -> None:
    """Print the table of one corpus or of both."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--shared", type=Path, default=Path(os.environ.get("SHEAF_SHARED", "")))
    arguments.add_argument("--models", type=Path, default=Path(os.environ.get("SHEAF_MODELS", "")))
    arguments.add_argument("--cache", type=Path, required=True, help="folder for indexes and embeddings, kept")
    arguments.add_argument("--only", choices=("datasheets", "2wiki"))
    chosen = arguments.parse_args()
    embedder = open_embedder(chosen.models, chosen.cache)
    try:
        for name in (chosen.only,) if chosen.only else ("datasheets", "2wiki"):
            questions = questions_of(name, chosen.shared)
            if name == "2wiki":
                corpus = read_passages(chosen.shared / "2wiki" / "corpus.json", questions, embedder)
            else:
                folder = chosen.shared / name / "library"
                library = open_library(name, folder, chosen.cache, embedder, chosen.models)
                corpus = read_corpus(library, questions, embedder)
                library.close()
            for line in table(corpus, embedder):
                print(json.dumps({"benchmark": "tree_recall", "corpus": name, **line}), flush=True)
    finally:
        embedder.close()


def questions_of(name: str, shared: Path) -> list[Question]:
    """The handed questions, for datasheets with the development half of our own."""
    if name == "2wiki":
        return wiki_questions(shared)
    own = [one for one in datasheet_questions(OWN_QUESTIONS) if one.split != "held_out"]
    return [*datasheet_questions(shared / "datasheets" / "questions.jsonl"), *own]


def read_corpus(library: OpenLibrary, questions: Sequence[Question], embedder: Embedder) -> Corpus:
    """The passages of an indexed library."""
    segments: list[Segment] = library.catalog.segments(library.catalog.segment_ids())
    files = library.files()
    places = {one.id: frozenset((f, page) for f in files[one.document] for page in one.pages) for one in segments}
    return _corpus(segments, library.vectors.vectors([one.id for one in segments]), places, questions, embedder)


def read_passages(corpus: Path, questions: Sequence[Question], embedder: Embedder) -> Corpus:
    """The passages of a corpus of {title, text}, each a leaf."""
    segments = passages(corpus)
    places = {one.id: frozenset([(wiki_file(one.title, one.text), 1)]) for one in segments}
    return _corpus(segments, embedder.embed_passages([one.embed_text for one in segments]), places, questions, embedder)


def _corpus(
    segments: Sequence[Segment],
    vectors: Matrix,
    places: Mapping[SegmentId, frozenset[Item]],
    questions: Sequence[Question],
    embedder: Embedder,
) -> Corpus:
    terms = {one.id: leaf_terms(one) for one in segments}
    asked = np.stack([embedder.embed_query(one.text) for one in questions])
    leaves = tuple(one.id for one in segments)
    return Corpus(leaves, vectors, terms, corpus_statistics(terms.values()), places, questions, asked)


def table(corpus: Corpus, embedder: Embedder) -> Iterator[dict[str, object]]:
    """Flat first; then every shape, descent and node vector; then beams at the shape that is delivered."""
    flat = corpus.vectors
    yield {"route": "flat", **recall(corpus, lambda vector: exact(corpus, flat, vector)), "leaves_compared": len(flat)}
    for limit in LIMITS:
        for split in Split:
            tree = build(corpus.leaves, corpus.vectors, Shape(limit, split))
            shape = {"limit": limit if limit < len(flat) else "none", "split": split.value}
            for searched_by, grove in groves(corpus, tree, embedder):
                for descent in Descent:
                    yield {**shape, "nodes_by": searched_by, **route(corpus, grove, descent, _BEAM)}
    delivered = build(corpus.leaves, corpus.vectors)
    for searched_by, grove in groves(corpus, delivered, embedder):
        for beam in BEAMS:
            line = route(corpus, grove, Descent.TOP_DOWN, beam)
            yield {"limit": CHILD_LIMIT, "split": Split.WEAKEST.value, "nodes_by": searched_by, "beam": beam, **line}


def groves(corpus: Corpus, tree: AbstractTree, embedder: Embedder) -> Iterator[tuple[str, Grove]]:
    """The tree searched by the centroids of its nodes, by their embedded abstracts, and by the mean of both."""
    grove = statistical(corpus, tree)
    yield "centroid", grove
    texts = embedder.embed_passages([node.abstract for node in grove.nodes])
    yield "abstract", replace(grove, vectors=texts)
    both = grove.vectors + texts
    yield "both", replace(grove, vectors=both / np.linalg.norm(both, axis=1, keepdims=True))


def statistical(corpus: Corpus, tree: AbstractTree) -> Grove:
    """The nodes with their statistical abstracts, searched by centroids."""
    nodes = tree.nodes()
    below = sampled_leaves(nodes)
    made = []
    for node in nodes:
        said = [[corpus.terms[leaf] for leaf in child] for child in leaves_of_children(node, below)]
        text = keyword_abstract(said, corpus.statistics).text()
        made.append(AbstractNode(node.id, node.height, node.parent, node.children, node.leaves, text))
    return Grove(tuple(made), tree.centroids(), 0)


def route(corpus: Corpus, grove: Grove, descent: Descent, beam: int) -> dict[str, object]:
    """Recall of one way down one tree."""
    leaves = CountedLeaves(corpus)
    search = TreeSearch(GrownTree(grove), leaves, leaves, descent=descent, beam=beam)
    began = time.perf_counter()
    figure = recall(corpus, lambda vector: search.search(vector, _K))
    spent = (time.perf_counter() - began) / len(corpus.questions)
    compared = round(leaves.compared / len(corpus.questions))
    return {"route": descent.value, **figure, "leaves_compared": compared, "ms": round(1000 * spent, 2)}


def exact(corpus: Corpus, vectors: Matrix, vector: Vector) -> list[Scored]:
    scores = vectors @ vector
    return [Scored(corpus.leaves[row], float(scores[row])) for row in np.argsort(-scores)[:_K]]


def recall(corpus: Corpus, search: Callable[[Vector], list[Scored]]) -> dict[str, object]:
    """Mean over questions of the share of their evidence within the first five, with Wilson's interval over pieces."""
    shares: list[float] = []
    found, pieces = 0.0, 0
    for question, vector in zip(corpus.questions, corpus.asked):
        ranks = ranks_in([corpus.places[hit.segment] for hit in search(vector)], question.evidence)
        share = metrics.recall_at(ranks, _K)
        shares.append(share)
        found += share * len(ranks)
        pieces += len(ranks)
    interval = metrics.wilson(found, pieces)
    return {
        "recall_at_5": round(statistics.fmean(shares), 4),
        "interval": [round(interval.low, 3), round(interval.high, 3)],
    }


if __name__ == "__main__":
    main()
