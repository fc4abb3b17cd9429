"""The ablations of HiQA Table 8 on our libraries: how text is cut and what stands before it, dense route only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.core.model import Segment
from engine.core.ports import Embedder
from engine.segments.cascade import head
from tests.benchmarks.retrieval_library import Item, OpenLibrary
from tests.benchmarks.retrieval_scores import Search

_CHUNK = 1600
"""Characters of a fixed chunk, as in the probe of algorithms.md."""


@dataclass(frozen=True, slots=True)
class Passage:
    text: str
    places: frozenset[Item]


def fixed_chunks(library: OpenLibrary) -> list[Passage]:
    """A document's pages run together and cut every 1,600 characters; a chunk stands on every page it touches.

    A Markdown file's heading is left out, as a chunker that knows nothing of structure would not repeat it.
    """
    files = library.files()
    passages = []
    for document, names in files.items():
        spans, whole = [], ""
        for page in library.catalog.pages(document):
            start = len(whole)
            whole += page.text + "\n"
            spans.append((start, len(whole), page.number))
        for at in range(0, len(whole), _CHUNK):
            pages = [number for start, end, number in spans if start < at + _CHUNK and end > at]
            text = whole[at : at + _CHUNK].strip()
            if text:
                passages.append(Passage(text, frozenset((file, page) for file in names for page in pages)))
    return passages


def section_chunks(library: OpenLibrary) -> list[Passage]:
    """Segments without any metadata."""
    return [Passage(_body(segment), _places(library, segment)) for segment in library.catalog.all_segments()]


def nearest_titles(library: OpenLibrary) -> list[Passage]:
    """Segments under their nearest heading only."""
    return [
        Passage("\n".join((*segment.path[-1:], _body(segment))), _places(library, segment))
        for segment in library.catalog.all_segments()
    ]


def full_paths(library: OpenLibrary) -> list[Passage]:
    """Segments as the product embeds them: document title and section path in front."""
    return [Passage(segment.embed_text, _places(library, segment)) for segment in library.catalog.all_segments()]


def dense_search(passages: Sequence[Passage], embedder: Embedder) -> Search:
    """Exact cosine search over passages held in memory."""
    matrix = embedder.embed_passages([passage.text for passage in passages])

    def search(question: str, k: int) -> list[frozenset[Item]]:
        scores = matrix @ embedder.embed_query(question)
        return [passages[place].places for place in np.argsort(-scores, kind="stable")[:k]]

    return search


def _body(segment: Segment) -> str:
    """What was embedded of the content itself (of a table its headers, not its figures)."""
    return segment.embed_text.removeprefix(head(segment.title, segment.path) + "\n") or segment.text


def _places(library: OpenLibrary, segment: Segment) -> frozenset[Item]:
    names = [place.file for place in library.catalog.places(segment.document)]
    return frozenset((file, page) for file in names for page in segment.pages)
