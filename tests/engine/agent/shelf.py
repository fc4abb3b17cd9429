"""A small library in memory: documents of invented parts, searched by shared words."""

from __future__ import annotations

from collections.abc import Sequence

from engine.agent.sources import Sources
from engine.agent.terms import word_forms
from engine.core.ids import DocumentId, SegmentId, segment_id
from engine.core.model import PageInfo, Segment, SegmentKind
from engine.core.results import DocumentInfo, DocumentStatus, Hit, Place, Route, SearchFilter, SearchResult

REGULATOR = """TPX12 low-dropout regulator
Features
The input voltage range is 2.7 V to 5.5 V.
Quiescent current of only 32 µA in operation.
Not recommended for new designs. Use TPX14.
The EN pin must not be left floating.
For driving long lines connect a 0.1 µF capacitor between OUT and GND."""
REGULATOR_TABLE = """Table 1. Electrical Characteristics
| Parameter | Conditions | Min | Typ | Max | Unit |
| Supply current | VIN = 5 V | | 32 | 45 | µA |
| Supply current | VIN = 3 V | | 28 | 40 | µA |
| Dropout voltage | IOUT = 100 mA | | 120 | 190 | mV |"""
SUCCESSOR = """TPX14 low-dropout regulator
Features
The input voltage range is 1.8 V to 6.5 V.
Quiescent current of only 3 µA in operation.
Wake-up time from shutdown is 250 µs."""
FAMILY_TABLE = """Ordering options
| Type number | Flash | RAM |
| QLC2141 | 32 kB | 8 kB |
| QLC2144 | 128 kB | 16 kB |
| QLC2148 | 512 kB | 40 kB |"""


class Shelf:
    """SegmentSource and Searcher over a few documents given as (file, title, parts, [(kind, path, text), ...])."""

    def __init__(self, *documents: tuple[str, str, tuple[str, ...], list[tuple[SegmentKind, str, str]]]) -> None:
        self._infos: list[DocumentInfo] = []
        self._segments: dict[DocumentId, list[Segment]] = {}
        self._places: dict[DocumentId, tuple[Place, ...]] = {}
        for file, title, parts, pieces in documents:
            self._add(file, title, parts, pieces)
        self.queries: list[str] = []

    def _add(self, file: str, title: str, parts: tuple[str, ...], pieces: list[tuple[SegmentKind, str, str]]) -> None:
        document = DocumentId(f"{len(self._infos):064x}")
        segments = []
        for number, (kind, path, text) in enumerate(pieces, 1):
            made = segment_id(document, number, number, text)
            where = (path,) if path else ()
            segments.append(
                Segment(made, document, number, kind, title, where, text, text, number, (number,), table=number)
            )
        self._segments[document] = segments
        self._places[document] = (Place("/library", file),)
        self._infos.append(
            DocumentInfo(
                document,
                title,
                "pdf",
                DocumentStatus.INDEXED,
                self._places[document],
                len(pieces),
                len(segments),
                parts=parts,
            )
        )

    def segments(self, ids: Sequence[SegmentId]) -> list[Segment]:
        known = {segment.id: segment for group in self._segments.values() for segment in group}
        return [known[one] for one in ids if one in known]

    def document_segments(self, document: DocumentId) -> list[Segment]:
        return self._segments[document]

    def documents(self) -> list[DocumentInfo]:
        return list(self._infos)

    def places(self, document: DocumentId) -> tuple[Place, ...]:
        return self._places[document]

    def page(self, document: DocumentId, number: int) -> PageInfo | None:
        found = [s for s in self._segments[document] if s.page == number]
        text = found[0].text.replace("|", " ") if found else ""
        return PageInfo(number, str(number), 600.0, 800.0, text)

    def visible_documents(self, chosen: SearchFilter) -> list[DocumentId] | None:
        return list(chosen.documents) or None

    def search(
        self, query: str, k: int = 10, route: Route = Route.HYBRID, chosen: SearchFilter | None = None
    ) -> SearchResult:
        self.queries.append(query)
        wanted = word_forms(query)
        allowed = set(chosen.documents) if chosen and chosen.documents else set(self._segments)
        scored = [
            (len(wanted & word_forms(f"{s.title} {s.text}")), s)
            for document in self._segments
            if document in allowed
            for s in self._segments[document]
        ]
        scored.sort(key=lambda pair: -pair[0])
        hits = [
            Hit(rank, float(score), segment, self._places[segment.document])
            for rank, (score, segment) in enumerate(scored[:k], 1)
            if score
        ]
        return SearchResult(query, tuple(hits))


def shelf() -> Shelf:
    """Two look-alike regulators and a family of controllers."""
    text, table = SegmentKind.TEXT, SegmentKind.TABLE
    return Shelf(
        (
            "tpx12.pdf",
            "TPX12 Regulator",
            ("TPX12",),
            [(text, "Features", REGULATOR), (table, "Electrical Characteristics", REGULATOR_TABLE)],
        ),
        ("tpx14.pdf", "TPX14 Regulator", ("TPX14",), [(text, "Features", SUCCESSOR)]),
        (
            "qlc214x.pdf",
            "QLC2141/44/48 controllers",
            ("QLC2141", "QLC2144", "QLC2148"),
            [(table, "Ordering options", FAMILY_TABLE)],
        ),
    )


def sources_of(library: Shelf) -> Sources:
    return Sources(library, library)
