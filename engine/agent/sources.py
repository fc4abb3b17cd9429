"""What the answerers need from the rest of the program, as narrow Protocols."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from engine.core.ids import DocumentId, SegmentId
from engine.core.model import Segment
from engine.core.ports import MentionSource, Reranker, SegmentSource
from engine.core.results import DocumentInfo, Route, SearchFilter, SearchResult, Topic
from engine.core.revision_ports import RevisionSource, standing


class Searcher(Protocol):
    """Retrieval over one library (engine/retrieve)."""

    def search(
        self, query: str, k: int = 10, route: Route = Route.HYBRID, chosen: SearchFilter | None = None
    ) -> SearchResult: ...


class TopicSource(Protocol):
    """Abstracts of parts of the library: context for abstract questions, never evidence."""

    def topics(self, query: str, k: int) -> list[Topic]: ...


@dataclass(frozen=True, slots=True)
class Sources:
    """Everything evidence is read from. `reranker` and `mentions` sharpen the choice but are not required. With
    `revisions` the documents are those that stand for their family in answers to `question`."""

    searcher: Searcher
    catalog: SegmentSource
    mentions: MentionSource | None = None
    reranker: Reranker | None = None
    route: Route = Route.HYBRID
    revisions: RevisionSource | None = None
    question: str = ""
    abstracts: TopicSource | None = None
    _known: list[DocumentInfo] = field(default_factory=list)

    def documents(self) -> list[DocumentInfo]:
        """All visible documents, read once for one question; of several revisions the one that stands for them."""
        if not self._known:
            documents = self.catalog.documents()
            standing_ones = documents if self.revisions is None else standing(documents, self.revisions, self.question)
            self._known.extend(standing_ones)
        return self._known

    def revision_notes(self, documents: Iterable[DocumentId]) -> tuple[str, ...]:
        """A sentence for each of these documents of which the library holds several revisions."""
        notes = []
        for document in dict.fromkeys(documents):
            revision = self.revisions.revision_of(document) if self.revisions is not None else None
            places = self.catalog.places(document)
            if revision is not None and places:
                notes.append(f"{places[0].file} is {revision.text}.")
        return tuple(notes)

    def search(self, query: str, k: int, documents: Sequence[DocumentId] = ()) -> SearchResult:
        chosen = SearchFilter(documents=tuple(documents)) if documents else None
        return self.searcher.search(query, k, self.route, chosen)

    def topics(self, query: str, k: int) -> list[Topic]:
        """Parts of the library nearest to a query; none where there is no tree."""
        return self.abstracts.topics(query, k) if self.abstracts is not None else []

    def segments_of(self, document: DocumentId) -> list[Segment]:
        return self.catalog.document_segments(document)

    def page_text(self, document: DocumentId, page: int) -> str:
        info = self.catalog.page(document, page)
        return info.text if info is not None else ""


SegmentRanks = dict[SegmentId, int]
"""1-based retrieval rank of a segment."""
