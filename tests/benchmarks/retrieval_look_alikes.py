"""The degradation curve of HiQA's Figures 1 and 7: recall as look-alike documents are added, flat against ours."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from engine.core.ids import DocumentId
from engine.core.results import SearchFilter
from engine.embed.cache import CachedEmbedder
from tests.benchmarks import retrieval_ablation as ablation
from tests.benchmarks.retrieval_library import (
    Item,
    OpenLibrary,
    Question,
    datasheet_questions,
    open_library,
)
from tests.benchmarks.retrieval_scores import Search, score

_SIZES = (5, 10, 20, 40)
_ROUNDS = 3
"""Each question is asked among so many random choices of the other documents."""


def figures(
    shared: Path, models: Path, cache: Path, embedder: CachedEmbedder, more: Path | None
) -> Iterator[dict[str, object]]:
    """One line per size and way; the whole library (and `more`, if given) last."""
    questions = datasheet_questions(shared / "datasheets" / "questions.jsonl")
    handed = shared / "datasheets" / "library"
    libraries = [("datasheets", handed, True)] + ([("more", more, False)] if more is not None else [])
    for name, folder, sizes in libraries:
        library = open_library(name, folder, cache, embedder, models)
        try:
            yield from _curve(library, questions, _SIZES if sizes else ())
        finally:
            library.close()


def _curve(library: OpenLibrary, questions: Sequence[Question], sizes: Sequence[int]) -> Iterator[dict[str, object]]:
    everything = sorted(library.files())
    by_file = {file: document for document, files in library.files().items() for file in files}
    flat = ablation.fixed_chunks(library)
    matrix = library.embedder.embed_passages([passage.text for passage in flat])
    retriever = library.retriever()
    files = library.files()
    for size in (*sizes, len(everything)):
        for way in ("flat chunks, dense", "as delivered"):
            rows = []
            for round_number in range(_ROUNDS if size < len(everything) else 1):
                for question in questions:
                    chosen = _documents(question, everything, by_file, size, round_number)
                    names = frozenset(file for document in chosen for file in files[document])

                    def flat_search(text: str, k: int, names: frozenset[str] = names) -> list[frozenset[Item]]:
                        order = np.argsort(-(matrix @ library.embedder.embed_query(text)), kind="stable")
                        kept = (flat[place].places for place in order)
                        return [places for places in kept if any(file in names for file, _ in places)][:k]

                    def full_search(
                        text: str, k: int, chosen: tuple[DocumentId, ...] = tuple(chosen)
                    ) -> list[frozenset[Item]]:
                        hits = retriever.search(text, k, chosen=SearchFilter(documents=chosen)).hits
                        return [
                            frozenset(
                                (file, page) for file in files[hit.segment.document] for page in hit.segment.pages
                            )
                            for hit in hits
                        ]

                    search: Search = flat_search if way.startswith("flat") else full_search
                    rows.append((question, search))
            yield {"curve": "look-alikes", "documents": size, **_together(way, rows, library.catalog.totals()[2])}


def _documents(
    question: Question, everything: Sequence[DocumentId], by_file: dict[str, DocumentId], size: int, seed: int
) -> list[DocumentId]:
    """The question's own documents and as many others as make up the size."""
    own = sorted({by_file[file] for group in question.evidence for file, _ in group if file in by_file})
    others = [document for document in everything if document not in own]
    random.Random(f"{question.id}/{seed}").shuffle(others)
    return own + others[: max(0, size - len(own))]


def _together(way: str, rows: Sequence[tuple[Question, Search]], candidates: int) -> dict[str, object]:
    """One figure over questions that are each asked of their own selection of documents."""
    pending = iter(rows)

    def search(text: str, k: int) -> Sequence[frozenset[Item]]:
        question, own = next(pending)
        assert question.text == text
        return own(text, k)

    return score(way, [question for question, _ in rows], search, candidates)
