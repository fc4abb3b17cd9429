"""What errors of the outline cost: HiQA's noise study (section 5.6, Table 12) on our datasheets.

    python -m tests.benchmarks.outline_noise --cache FOLDER [--folder DIR --questions FILE]

Every document is parsed once; then its outline is damaged, the library indexed and the questions asked, as delivered.
Prints one JSON line a setting. Documents and questions come from $SHEAF_SHARED, models from $SHEAF_MODELS.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from engine.core.cancel import CancelToken
from engine.core.model import Heading, OutlineEntry, PageBox, ParsedDocument
from engine.parse.corrections import apply_outline
from engine.parse.host import ParserHost
from engine.retrieve.settings import RetrievalSettings
from tests.benchmarks.retrieval import OWN_QUESTIONS, searcher
from tests.benchmarks.retrieval_library import datasheet_questions, open_embedder, open_library
from tests.benchmarks.retrieval_scores import score

Noise = Callable[[ParsedDocument, random.Random], ParsedDocument]
_LOOKALIKES = {"o": "0", "l": "1", "i": "l", "e": "c", "m": "rn", "s": "5", "g": "q", "t": "f", "a": "o"}
_MAX_LEVEL = 6


class NoisyParser:
    """Implements ports.Parser: parses each file once and damages the outline the same way at every call."""

    def __init__(self, parser: ParserHost) -> None:
        self.noise: Noise = clean
        self._parser = parser
        self._parsed: dict[Path, ParsedDocument] = {}

    def parse(
        self, path: Path, *, cancel: CancelToken, on_page: Callable[[int, int], None] | None = None
    ) -> ParsedDocument:
        if path not in self._parsed:
            self._parsed[path] = self._parser.parse(path, cancel=cancel, on_page=on_page)
        return self.noise(self._parsed[path], random.Random(path.name))

    def locate(self, path: Path, page: int, quote: str) -> tuple[PageBox, ...]:
        return self._parser.locate(path, page, quote)

    def close(self) -> None:
        self._parser.close()


def clean(parsed: ParsedDocument, chance: random.Random) -> ParsedDocument:
    return parsed


def deletion(share: float) -> Noise:
    """Headings missed: their text falls to the heading before."""

    def damage(parsed: ParsedDocument, chance: random.Random) -> ParsedDocument:
        return apply_outline(parsed, [e for e in _entries(parsed.headings) if chance.random() >= share])

    return damage


def wrong_levels(share: float) -> Noise:
    """Headings one level too high or too low."""

    def damage(parsed: ParsedDocument, chance: random.Random) -> ParsedDocument:
        entries = [
            replace(e, level=min(_MAX_LEVEL, max(1, e.level + chance.choice((-1, 1)))))
            if chance.random() < share
            else e
            for e in _entries(parsed.headings)
        ]
        return apply_outline(parsed, entries)

    return damage


def misread_titles(share: float) -> Noise:
    """Titles as OCR may read them: every fourth letter taken for one that looks like it."""

    def damage(parsed: ParsedDocument, chance: random.Random) -> ParsedDocument:
        titles = [
            "".join(_LOOKALIKES.get(c, c) if chance.random() < 0.25 else c for c in h.title)
            if chance.random() < share
            else h.title
            for h in parsed.headings
        ]
        return replace(parsed, headings=_rebuilt(parsed.headings, titles, [h.parent for h in parsed.headings]))

    return damage


def wrong_parents(share: float) -> Noise:
    """Headings hung, with all below them, under another heading of the document."""

    def damage(parsed: ParsedDocument, chance: random.Random) -> ParsedDocument:
        parents = []
        for index, heading in enumerate(parsed.headings):
            others = [i for i in range(index) if i != heading.parent]
            parents.append(chance.choice(others) if others and chance.random() < share else heading.parent)
        return replace(parsed, headings=_rebuilt(parsed.headings, [h.title for h in parsed.headings], parents))

    return damage


def no_outline(parsed: ParsedDocument, chance: random.Random) -> ParsedDocument:
    """No heading found at all."""
    return apply_outline(parsed, [])


SETTINGS: tuple[tuple[str, Noise], ...] = (
    ("clean", clean),
    ("10% heading deletion", deletion(0.1)),
    ("20% heading deletion", deletion(0.2)),
    ("30% heading deletion", deletion(0.3)),
    ("30% heading-level corruption", wrong_levels(0.3)),
    ("20% OCR-like heading noise", misread_titles(0.2)),
    ("20% wrong parent assignment", wrong_parents(0.2)),
    ("no outline", no_outline),
)


def _entries(headings: Sequence[Heading]) -> list[OutlineEntry]:
    return [OutlineEntry(h.title, h.level, h.page, h.box) for h in headings]


def _rebuilt(headings: Sequence[Heading], titles: Sequence[str], parents: Sequence[int]) -> tuple[Heading, ...]:
    built: list[Heading] = []
    for heading, title, parent in zip(headings, titles, parents):
        path = (*built[parent].path, title) if parent >= 0 else (title,)
        built.append(replace(heading, title=title, parent=parent, path=path, level=min(_MAX_LEVEL, len(path))))
    return tuple(built)


def main() -> None:
    shared, models = Path(os.environ.get("SHEAF_SHARED", "")), Path(os.environ.get("SHEAF_MODELS", ""))
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--cache", type=Path, required=True, help="folder for indexes and embeddings, kept")
    arguments.add_argument("--folder", type=Path, default=shared / "datasheets" / "library")
    arguments.add_argument("--questions", type=Path, default=shared / "datasheets" / "questions.jsonl")
    arguments.add_argument("--only", default="", help="settings whose name contains this")
    chosen = arguments.parse_args()
    own = [q for q in datasheet_questions(OWN_QUESTIONS) if q.split != "held_out"]
    questions = [*datasheet_questions(chosen.questions), *own]
    embedder = open_embedder(models, chosen.cache)
    parser = NoisyParser(ParserHost(workers=os.cpu_count() or 1, ocr=False))
    try:
        for name, noise in SETTINGS:
            if chosen.only not in name:
                continue
            parser.noise = noise
            home = name.replace("%", "").replace(" ", "-")
            library = open_library(f"noise-{home}", chosen.folder, chosen.cache, embedder, models, parser)
            figure = score(name, questions, searcher(library, RetrievalSettings()), library.catalog.totals()[2])
            library.close()
            print(json.dumps({"benchmark": "outline_noise", **figure}), flush=True)
    finally:
        parser.close()
        embedder.close()


if __name__ == "__main__":
    main()
