"""Rows of tables to look a cell up in, with the words of the text that leads to each table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.agent.evidence import Pool, make_pool
from engine.agent.question import Question
from engine.agent.sources import SegmentRanks, Sources
from engine.agent.targets import Targets
from engine.agent.terms import word_forms
from engine.core.ids import DocumentId, SegmentId
from engine.core.model import Segment, SegmentKind

_HITS = 20
"""Passages whose pages are searched for tables where no document is named."""
_WHOLE = 6
"""Target documents all of whose tables are read."""
_LED = 500
"""Characters of each text on a table's page, under its heading, that say what it tabulates."""


@dataclass(frozen=True, slots=True)
class TablePool:
    """Rows of tables among the units of a pool, and by segment the words of the text that leads to its table."""

    pool: Pool
    led: dict[SegmentId, frozenset[str]]


def table_pool(question: Question, sources: Sources, targets: Targets) -> TablePool:
    """The tables of the target documents, and those on the pages that retrieval finds."""
    documents = targets.documents
    hits = list(sources.search(question.text, _HITS, documents).hits)
    ranks: SegmentRanks = {hit.segment.id: hit.rank for hit in hits}
    pages = {(hit.segment.document, page) for hit in hits for page in hit.segment.pages or (hit.segment.page,)}
    segments: dict[str, Segment] = {hit.segment.id: hit.segment for hit in hits}
    for document in dict.fromkeys([*documents[:_WHOLE], *(document for document, _ in sorted(pages))]):
        for segment in sources.segments_of(document):
            near = any((document, page) in pages for page in segment.pages or (segment.page,))
            if near or (document in documents and segment.kind is SegmentKind.TABLE):
                segments.setdefault(segment.id, segment)
    pool = make_pool(question, list(segments.values()), ranks, documents)
    return TablePool(_ranked_by_page(pool), _leading(segments.values()))


def _ranked_by_page(pool: Pool) -> Pool:
    """A table that no search found stands just behind the best passage of its page."""
    best: dict[tuple[DocumentId, int], int] = {}
    for unit in pool.units:
        place = pool.ranks.get(unit.segment.id)
        if place is not None:
            key = (unit.segment.document, unit.segment.page)
            best[key] = min(place, best.get(key, place))
    ranks = dict(pool.ranks)
    for unit in pool.units:
        key = (unit.segment.document, unit.segment.page)
        if key in best:
            ranks.setdefault(unit.segment.id, best[key] + 1)
    return replace(pool, ranks=ranks)


def _leading(segments: Iterable[Segment]) -> dict[SegmentId, frozenset[str]]:
    """By table: the words of the text on its page under the same heading, or the one above."""
    texts: dict[tuple[DocumentId, int, tuple[str, ...]], str] = defaultdict(str)
    tables = []
    for segment in segments:
        if segment.kind is SegmentKind.TABLE:
            tables.append(segment)
        else:
            texts[segment.document, segment.page, segment.path] += f" {segment.text[:_LED]}"
    found = {}
    for table in tables:
        paths = (table.path, table.path[:-1]) if table.path else (table.path,)
        text = " ".join(texts[table.document, table.page, path] for path in paths)
        found[table.id] = frozenset(word_forms(text))
    return found
