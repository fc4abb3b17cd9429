"""A keyword index over a few made-up passages, without the rest of the program."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from hashlib import sha256
from pathlib import Path
from types import TracebackType

from engine.core.ids import DocumentId, segment_id
from engine.core.model import Segment, SegmentKind
from engine.core.ports import Visible
from engine.keyword.index import KeywordStore


class Shown:
    """Visibility that a test sets by hand."""

    def __init__(self) -> None:
        self.generations: dict[DocumentId, int] = {}
        self.names: dict[DocumentId, str] = {}
        self.state = 0

    def visible(self) -> Visible:
        return Visible(self.state, dict(self.generations), dict(self.names), "t")


class Indexed(AbstractContextManager["Indexed"]):
    """`texts` maps a label to a passage; each is a document of its own."""

    def __init__(self, folder: Path, texts: Mapping[str, str]) -> None:
        self.shown = Shown()
        self.store = KeywordStore(folder, self.shown)
        self.labels: dict[str, str] = {}
        self.segments: dict[str, Segment] = {}
        self.add(texts, 1)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.store.close()

    def add(self, texts: Mapping[str, str], generation: int, *, show: bool = True) -> None:
        made = [self.segment(label, text) for label, text in texts.items()]
        self.store.write(made, {one.document: generation for one in made})
        if show:
            self.shown.generations |= {one.document: generation for one in made}
            self.shown.state += 1

    def segment(self, label: str, text: str, title: str = "", path: tuple[str, ...] = ()) -> Segment:
        document = document_of(label)
        made = Segment(
            segment_id(document, 1, 0, text), document, 0, SegmentKind.TEXT, title, path, text, text, 1, (1,)
        )
        self.labels[made.id] = label
        self.segments[label] = made
        return made

    def found(self, query: str, k: int = 10) -> list[str]:
        """Labels, best first."""
        return [self.labels[hit.segment] for hit in self.store.search(query, k)]


def document_of(label: str) -> DocumentId:
    return DocumentId(sha256(label.encode()).hexdigest())
