"""The degradation curve of HiQA's Figure 1 in answers: accuracy as look-alike documents are added, flat against ours.

    python -m tests.benchmarks.look_alike_answers --home HOME --library NAME --questions FILE [--sizes 5 10 20 40]

Every answerable question is asked among its own documents and as many others, drawn by lot, as make up each size, and
at last in the whole library, which may hold any further folder. Ours is the program's quoted answerer. Flat is the same
reader (sentences and rows weighed without a model) over the thirty nearest of fixed chunks of 1,600 characters by the
same vectors: no titles, paths, tables, names, records or links. One JSON line per size and way.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from engine.agent.compose import draft_of
from engine.agent.draft import Draft, Notes
from engine.agent.evidence import gather
from engine.agent.question import understand
from engine.agent.reading import QuotedReader
from engine.agent.sources import Sources
from engine.agent.targets import Targets
from engine.answer import Answerer
from engine.api import Engine
from engine.core.cancel import CancelToken
from engine.core.events import ignore
from engine.core.ids import DocumentId, segment_id
from engine.core.model import ParameterRecord, Segment, SegmentKind
from engine.core.ports import Embedder, RecordFilter, RecordIndex, SegmentSource
from engine.core.results import Answer, AnswerStatus, DocumentInfo, Hit, Route, SearchFilter, SearchResult
from engine.evaluate.metrics import wilson
from engine.retrieve.retriever import Retriever
from engine.session import Session
from tests.benchmarks.answers import accepted, is_right, says

_SIZES = (5, 10, 20, 40)
_CHUNK = 1600
_NEAREST = 30


class Some:
    """A library of which only some documents are seen: searcher and catalogue."""

    def __init__(self, retriever: Retriever, catalog: SegmentSource, documents: frozenset[DocumentId]) -> None:
        self._retriever = retriever
        self._catalog = catalog
        self._documents = documents

    def search(
        self, query: str, k: int = 10, route: Route = Route.HYBRID, chosen: SearchFilter | None = None
    ) -> SearchResult:
        wanted = chosen or SearchFilter()
        seen = self._documents & set(wanted.documents) if wanted.documents else self._documents
        if not seen:
            return SearchResult(query, ())
        return self._retriever.search(query, k, route, replace(wanted, documents=tuple(sorted(seen))))

    def documents(self) -> list[DocumentInfo]:
        return [info for info in self._catalog.documents() if info.id in self._documents]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._catalog, name)


class SomeRecords:
    """Records of some documents only."""

    def __init__(self, records: RecordIndex, documents: frozenset[DocumentId]) -> None:
        self._records = records
        self._documents = documents

    def records(self, documents: Sequence[DocumentId] | None = None) -> Iterator[ParameterRecord]:
        seen = self._documents if documents is None else self._documents & set(documents)
        yield from self._records.records(sorted(seen))

    def select(self, wanted: RecordFilter) -> list[ParameterRecord]:
        return self._records.select(self._narrowed(wanted))

    def giving(self, wanted: RecordFilter) -> tuple[DocumentId, ...]:
        return self._records.giving(self._narrowed(wanted))

    def count(self, wanted: RecordFilter | None = None) -> int:
        return self._records.count(self._narrowed(wanted or RecordFilter()))

    def names(self, alternatives: Sequence[Sequence[str]], limit: int = 2000) -> Any:
        return self._records.names(alternatives, limit)

    def _narrowed(self, wanted: RecordFilter) -> RecordFilter:
        seen = self._documents if wanted.documents is None else self._documents & set(wanted.documents)
        return replace(wanted, documents=tuple(sorted(seen)))


class Flat:
    """Fixed chunks of every page's text, found by their vectors alone."""

    def __init__(self, session: Session, embedder: Embedder) -> None:
        self._embedder = embedder
        self._places = {info.id: info.places for info in session.documents()}
        self._chunks = [
            chunk for info in session.documents() for chunk in _chunks(info.id, session.catalog.pages(info.id))
        ]
        self._matrix = embedder.embed_passages([chunk.text for chunk in self._chunks])
        self.seen: frozenset[DocumentId] = frozenset()

    def search(
        self, query: str, k: int = 10, route: Route = Route.HYBRID, chosen: SearchFilter | None = None
    ) -> SearchResult:
        scores = self._matrix @ self._embedder.embed_query(query)
        order = [place for place in np.argsort(-scores, kind="stable") if self._chunks[place].document in self.seen][:k]
        hits = [
            Hit(rank, float(scores[place]), self._chunks[place], self._places[self._chunks[place].document])
            for rank, place in enumerate(order, start=1)
        ]
        return SearchResult(query, tuple(hits))


def _chunks(document: DocumentId, pages: Sequence[Any]) -> Iterator[Segment]:
    number = 0
    for page in pages:
        for start in range(0, len(page.text), _CHUNK):
            text = page.text[start : start + _CHUNK].strip()
            if text:
                own = segment_id(document, page.number, number, text)
                yield Segment(own, document, number, SegmentKind.TEXT, "", (), text, text, page.number, (page.number,))
                number += 1


@dataclass(frozen=True, slots=True)
class Asked:
    """One question's own documents and what it accepts."""

    row: Mapping[str, Any]
    own: frozenset[DocumentId]


def main() -> None:
    """Ask every question at every size and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--sizes", type=int, nargs="*", default=list(_SIZES))
    parser.add_argument("--split", default="")
    chosen = parser.parse_args()
    with Engine.open(chosen.home) as engine:
        session = engine._session(chosen.library)
        everything = sorted(info.id for info in session.documents())
        asked = _asked(chosen, session)
        flat = Flat(session, session._machinery.embedder())
        for size in (*[one for one in chosen.sizes if one < len(everything)], len(everything)):
            right = {"flat chunks": 0, "as delivered": 0}
            withheld = dict.fromkeys(right, 0)
            for one in asked:
                seen = _among(one, everything, size)
                flat.seen = seen
                for way, (correct, silent) in {
                    "flat chunks": _flat_right(one, flat, session),
                    "as delivered": _ours_right(one, seen, session),
                }.items():
                    right[way] += correct
                    withheld[way] += silent
            for way in right:
                interval = wilson(right[way], len(asked))
                print(
                    json.dumps(
                        {
                            "benchmark": "look-alike answers",
                            "documents": size,
                            "variant": way,
                            "questions": len(asked),
                            "right": round(right[way] / len(asked), 3),
                            "interval": [round(interval.low, 3), round(interval.high, 3)],
                            "withheld": round(withheld[way] / len(asked), 3),
                        }
                    ),
                    flush=True,
                )


def _asked(chosen: argparse.Namespace, session: Session) -> list[Asked]:
    by_file = {place.file: info.id for info in session.documents() for place in info.places}
    rows = [json.loads(line) for file in chosen.questions for line in file.read_text("utf-8").splitlines() if line]
    return [
        Asked(row, frozenset(by_file[gold["file"]] for gold in row["gold"]))
        for row in rows
        if row["gold"] and row["type"] != "unanswerable" and chosen.split in ("", row.get("split"))
    ]


def _among(one: Asked, everything: Sequence[DocumentId], size: int) -> frozenset[DocumentId]:
    others = [document for document in everything if document not in one.own]
    random.Random(one.row["id"]).shuffle(others)
    return one.own | frozenset(others[: max(0, size - len(one.own))])


def _ours_right(one: Asked, seen: frozenset[DocumentId], session: Session) -> tuple[bool, bool]:
    whole = session.sources(one.row["question"])
    some = Some(session._retriever(), session.catalog, seen)
    sources = replace(whole, searcher=some, catalog=some, _known=[])
    answer: Answer = Answerer("some", sources, None, SomeRecords(session.records, seen)).ask(one.row["question"])
    silent = answer.status is AnswerStatus.NOT_MENTIONED
    return not silent and is_right(answer, one.row), silent


def _flat_right(one: Asked, flat: Flat, session: Session) -> tuple[bool, bool]:
    question = understand(one.row["question"])
    sources = Sources(flat, session.catalog, None, session._machinery.reranker())
    pool = gather(question, sources, Targets({}), _NEAREST)
    reading = QuotedReader(sources).read(question, pool, CancelToken())
    if reading is None or not reading.found:
        return False, True
    draft: Draft = draft_of(question, reading, sources, Notes(ignore))
    wanted = one.row.get("parts") or ()
    said = [says(draft.short, wording, draft.text) for wording in wanted or accepted(one.row)]
    return (all(said) if wanted else any(said)), draft.status is AnswerStatus.NOT_MENTIONED


if __name__ == "__main__":
    main()
