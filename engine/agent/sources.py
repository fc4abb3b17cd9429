"""What the answerers need from the rest of the program, as narrow Protocols."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from engine.core.ids import DocumentId, SegmentId
from engine.core.model import Segment
from engine.core.ports import MentionSource, Reranker, SegmentSource
from engine.core.results import DocumentInfo, Route, SearchFilter, SearchResult


class Searcher(Protocol):
    """Retrieval over one library (engine/retrieve)."""

    def search(
        self, query: str, k: int = 10, route: Route = Route.HYBRID, chosen: SearchFilter | None = None
    ) -> SearchResult: ...


@dataclass(frozen=True, slots=True)
class Sources:
    """Everything evidence is read from. `reranker` and `mentions` sharpen the choice but are not required."""

    searcher: Searcher
    catalog: SegmentSource
    mentions: MentionSource | None = None
    reranker: Reranker | None = None
    route: Route = Route.HYBRID
    _known: list[DocumentInfo] = field(default_factory=list)

    def documents(self) -> list[DocumentInfo]:
        """All visible documents, read once for one question."""
        if not self._known:
            self._known.extend(self.catalog.documents())
        return self._known

    def search(self, query: str, k: int, documents: Sequence[DocumentId] = ()) -> SearchResult:
        chosen = SearchFilter(documents=tuple(documents)) if documents else None
        return self.searcher.search(query, k, self.route, chosen)

    def segments_of(self, document: DocumentId) -> list[Segment]:
        return self.catalog.document_segments(document)

    def page_text(self, document: DocumentId, page: int) -> str:
        info = self.catalog.page(document, page)
        return info.text if info is not None else ""


SegmentRanks = dict[SegmentId, int]
"""1-based retrieval rank of a segment."""
