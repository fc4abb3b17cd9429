"""Retrieval on the handed datasheets and on 2wiki: routes, fusions and the ablations of HiQA's Table 8.

    python -m tests.benchmarks.retrieval --cache FOLDER [--only PART] [--questions FILE]

Prints one JSON line per figure. Questions and documents come from $SHEAF_SHARED, models from $SHEAF_MODELS. Indexes and
embeddings are kept in --cache: the first run takes minutes, later ones seconds. `--held-out` adds the frozen half of
our own questions; use it once per release.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from engine.core.results import Route
from engine.embed.cache import CachedEmbedder
from engine.retrieve.fuse import Fusion, Weights
from engine.retrieve.settings import RetrievalSettings
from tests.benchmarks import retrieval_ablation as ablation
from tests.benchmarks import retrieval_latency, retrieval_look_alikes, retrieval_overlap
from tests.benchmarks.retrieval_library import (
    Item,
    OpenLibrary,
    Question,
    datasheet_questions,
    open_embedder,
    open_library,
    wiki_folder,
    wiki_questions,
)
from tests.benchmarks.retrieval_scores import Search, score

OWN_QUESTIONS = Path(__file__).parent / "questions" / "datasheets.jsonl"
PLAIN = RetrievalSettings(names=False, links=False, per_page=0)
"""Two routes and equation 2 without critical terms."""
RERANK_POOL = 24
RERANKED = 5


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--shared", type=Path, default=Path(os.environ.get("SHEAF_SHARED", "")))
    arguments.add_argument("--models", type=Path, default=Path(os.environ.get("SHEAF_MODELS", "")))
    arguments.add_argument("--cache", type=Path, required=True, help="folder for indexes and embeddings, kept")
    arguments.add_argument("--only", choices=("datasheets", "2wiki", "latency", "look_alikes", "overlap"))
    arguments.add_argument("--more", type=Path, help="folder of further look-alike documents for the curve")
    arguments.add_argument("--segments", type=int, default=retrieval_latency.SIZE, help="of the latency figures")
    arguments.add_argument("--held-out", action="store_true")
    arguments.add_argument("--questions", type=Path, nargs="*", default=[], help="further questions on the datasheets")
    chosen = arguments.parse_args()
    embedder = open_embedder(chosen.models, chosen.cache)
    try:
        for figure in _figures(chosen, embedder):
            print(json.dumps({"benchmark": "retrieval", **figure}), flush=True)
    finally:
        embedder.close()


def _figures(chosen: argparse.Namespace, embedder: CachedEmbedder) -> Iterator[dict[str, object]]:
    only = chosen.only
    if only in (None, "datasheets"):
        folder = chosen.shared / "datasheets" / "library"
        library = open_library("datasheets", folder, chosen.cache, embedder, chosen.models)
        handed = datasheet_questions(chosen.shared / "datasheets" / "questions.jsonl")
        own = datasheet_questions(OWN_QUESTIONS)
        sets = {"handed": handed, "dev": [q for q in own if q.split != "held_out"]}
        if chosen.held_out:
            sets["held_out"] = [q for q in own if q.split == "held_out"]
        sets |= {path.stem: datasheet_questions(path) for path in chosen.questions}
        yield from _compared("datasheets", library, sets)
        library.close()
    if only in (None, "2wiki"):
        folder = wiki_folder(chosen.shared, chosen.cache)
        library = open_library("2wiki", folder, chosen.cache, embedder, chosen.models)
        yield from _compared("2wiki", library, {"handed": wiki_questions(chosen.shared)})
        library.close()
    if only in (None, "latency"):
        yield from retrieval_latency.figures(chosen.shared, chosen.models, chosen.cache, embedder, chosen.segments)
    if only in (None, "overlap"):
        home = retrieval_latency.home_of(chosen.shared, chosen.models, chosen.cache, embedder, chosen.segments)
        yield from retrieval_overlap.figures(home, retrieval_latency.questions_of(chosen.shared))
    if only in (None, "look_alikes"):
        yield from retrieval_look_alikes.figures(chosen.shared, chosen.models, chosen.cache, embedder, chosen.more)


def _compared(corpus: str, library: OpenLibrary, sets: dict[str, list[Question]]) -> Iterator[dict[str, object]]:
    searches = list(_variants(library))
    segments = library.catalog.totals()[2]
    for split, questions in sets.items():
        for name, search in searches:
            yield {"corpus": corpus, "split": split, **score(name, questions, search, segments)}


def _variants(library: OpenLibrary) -> Iterator[tuple[str, Search]]:
    """HiQA's Table 8, line by line, then single routes and the other fusions on the full retriever."""
    cuts = (
        ("fixed chunks, dense", ablation.fixed_chunks),
        ("section chunks, dense", ablation.section_chunks),
        ("nearest title, dense", ablation.nearest_titles),
        ("full path, dense", ablation.full_paths),
    )
    for name, cut in cuts:
        yield name, ablation.dense_search(cut(library), library.embedder)
    full = RetrievalSettings()
    steps: Sequence[tuple[str, RetrievalSettings]] = (
        ("+ keyword", PLAIN),
        ("+ identifier bonus", replace(full, links=False)),
        ("+ reranker alone", replace(full, links=False, rerank_pool=RERANK_POOL, rerank_weight=1e6)),
        ("+ reranker beside places", replace(full, links=False, rerank_pool=RERANKED)),
        ("+ links (as delivered)", full),
        ("+ links + reranker beside places", replace(full, rerank_pool=RERANKED)),
    )
    for name, settings in steps:
        yield name, searcher(library, settings)
    yield "keyword only", searcher(library, full, Route.KEYWORD)
    yield "dense only", searcher(library, full, Route.DENSE)
    for fusion in Fusion:
        yield f"fusion {fusion.value}", searcher(library, replace(full, fusion=fusion))
    for alpha in (0.0, 0.2, 0.5, 0.8, 1.0):
        yield f"alpha {alpha}", searcher(library, replace(full, weights=Weights(alpha, full.weights.beta)))
    for beta in (0.0, 0.3, 3.0):
        yield f"beta {beta}", searcher(library, replace(full, weights=Weights(full.weights.alpha, beta)))


def searcher(library: OpenLibrary, settings: RetrievalSettings, route: Route = Route.HYBRID) -> Search:
    """The product's retriever over an open library."""
    files = library.files()
    retriever = library.retriever(settings)

    def search(question: str, k: int) -> list[frozenset[Item]]:
        hits = retriever.search(question, k, route).hits
        return [
            frozenset((file, page) for file in files[hit.segment.document] for page in hit.segment.pages)
            for hit in hits
        ]

    return search


if __name__ == "__main__":
    main()
