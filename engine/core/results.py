"""The frozen values a caller gets back: hits, answers, reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from engine.core.ids import DocumentId, SegmentId
from engine.core.model import PageBox, ParameterRecord, Segment
from engine.core.text import number_of, spoken_time

# --- libraries and documents ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Library:
    name: str
    folders: tuple[Path, ...]
    home: Path
    """Folder that holds this library's stores."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document lies: a watched folder and a path inside it, with forward slashes."""

    folder: str
    file: str


@dataclass(frozen=True, slots=True)
class Revision:
    """Which of several revisions of one document this is: `number` 1 is the oldest of `of`."""

    code: str
    """As printed ("B", "03"); "" where only a date tells."""
    date: str
    """ISO, to the day or the month; "" where none is printed."""
    number: int
    of: int
    newest: DocumentId

    @property
    def label(self) -> str:
        """ "revision B", "revision of 2012-06"."""
        return f"revision {self.code}" if self.code else f"revision of {self.date}"

    @property
    def text(self) -> str:
        """ "revision B of 2 revisions" in words, with "newest" or how many are newer."""
        rank = "the newest" if self.number == self.of else f"{self.of - self.number} newer"
        return f"{self.label} of {self.of} revisions ({rank})"


class DocumentStatus(StrEnum):
    PENDING = "pending"
    INDEXED = "indexed"
    NEEDS_OCR = "needs_ocr"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document of a library: what it is, where it lies and how far its indexing is."""

    id: DocumentId
    title: str
    kind: str
    status: DocumentStatus
    places: tuple[Place, ...]
    pages: int
    segments: int
    reason: str = ""
    needs_ocr: tuple[int, ...] = ()
    parts: tuple[str, ...] = ()
    """Part numbers the document is about, apart from those it merely mentions."""
    warnings: tuple[str, ...] = ()
    revision: Revision | None = None
    """Set where the library holds several revisions of it."""


@dataclass(frozen=True, slots=True)
class FileProblem:
    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What one `index` run found: totals of the library, then the changes of this run."""

    documents: int
    pages: int
    segments: int
    added: int
    changed: int
    removed: int
    unchanged: int
    needs_ocr: tuple[FileProblem, ...]
    skipped: tuple[FileProblem, ...]
    failed: tuple[FileProblem, ...]
    seconds: float
    moved: int = 0
    """Files that turned up elsewhere: nothing was read or embedded again for them."""
    warnings: tuple[str, ...] = ()
    pages_read: int = 0


@dataclass(frozen=True, slots=True)
class Forecast:
    """What an index run would do again, apart from new and changed files, and about how long that takes."""

    documents: int
    pages: int
    passages: int
    """To be embedded for another model."""
    seconds: float
    leaving: int = 0
    """Documents that the settings would no longer take."""

    @property
    def text(self) -> str:
        """One sentence; "" where nothing is done again."""
        parts = []
        if self.documents:
            read = f"{number_of(self.documents, 'document')} ({number_of(self.pages, 'page')})"
            parts.append(f"{read} {'is' if self.documents == 1 else 'are'} read again")
        if self.passages:
            verb = "is" if self.passages == 1 else "are"
            parts.append(f"{number_of(self.passages, 'passage')} {verb} embedded again")
        if self.leaving:
            verb = "leaves" if self.leaving == 1 else "leave"
            parts.append(f"{number_of(self.leaving, 'document')} {verb} the library")
        if not parts:
            return ""
        stays = "; the index as it is serves until that is complete" if self.passages else ""
        return f"{' and '.join(parts)}, about {spoken_time(self.seconds)}{stays}."


# --- search -----------------------------------------------------------------------------------------------------------


class Route(StrEnum):
    HYBRID = "hybrid"
    DENSE = "dense"
    KEYWORD = "keyword"
    TREE = "tree"
    """Down the abstract tree to the leaves (Psi-RAG, Algorithm 2)."""


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """All given fields must hold. Empty means no restriction."""

    folders: tuple[str, ...] = ()
    documents: tuple[DocumentId, ...] = ()
    parts: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    section: str = ""
    phrase: str = ""
    since: str = ""
    """ISO date: only documents modified on or after it."""
    until: str = ""
    """ISO date: only documents modified on or before it."""
    contents: tuple[str, ...] = ()
    """Kinds of passage: text, table, figure."""
    identifier: str = ""
    """Only passages that print exactly this part number, standard or register: LM317, not LM317-N."""


@dataclass(frozen=True, slots=True)
class RouteScore:
    """What one route thought of a segment: its raw score and 1-based rank there."""

    route: str
    score: float
    rank: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found, with why; `rank` is 1-based."""

    rank: int
    score: float
    segment: Segment
    places: tuple[Place, ...]
    page_label: str = ""
    routes: tuple[RouteScore, ...] = ()
    matched: tuple[str, ...] = ()
    found_through: str = ""
    """For hits reached over a mention link: "LM317 -> LM337"."""
    revision: Revision | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    query: str
    hits: tuple[Hit, ...]
    warnings: tuple[str, ...] = ()
    explanation: Mapping[str, object] = field(default_factory=dict)


# --- answers ----------------------------------------------------------------------------------------------------------


class AnswerStatus(StrEnum):
    ANSWERED = "answered"
    PARTIAL = "partial"
    NOT_MENTIONED = "not_mentioned"


@dataclass(frozen=True, slots=True)
class Citation:
    """`n` is 1-based; `quote` stands on `page` as printed; `boxes` highlight it."""

    n: int
    document: DocumentId
    segment: SegmentId | None
    place: Place
    page: int
    page_label: str
    path: tuple[str, ...]
    quote: str
    title: str = ""
    boxes: tuple[PageBox, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    verified: bool
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Topic:
    """A part of the library: its abstract, its passages counted, and the documents they come from, fullest first."""

    abstract: str
    passages: int
    documents: tuple[DocumentId, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One turn of the answering agent, kept so that the user can see how the answer came about."""

    action: str
    query: str
    segments: tuple[SegmentId, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as it is kept: sentences with their citations, and how it came about."""

    id: str
    library: str
    question: str
    text: str
    short: str
    status: AnswerStatus
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    steps: tuple[Step, ...]
    coverage: str
    """What was examined, in words: "8 of 13 passages used", "14 of 20 documents examined"; "" if all."""
    warnings: tuple[str, ...]
    model: str
    """Model id, or "quoted" / "computed"."""
    seconds: float
    created: str = ""
    """ISO 8601, UTC."""
    tokens_read: int = 0
    """Tokens of the prompts, 0 where no model was asked; those it wrote likewise. Not kept with the answer."""
    tokens_written: int = 0


# --- health -----------------------------------------------------------------------------------------------------------


class Health(StrEnum):
    OK = "ok"
    OFF = "off"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Component:
    name: str
    health: Health
    reason: str = ""


# --- side by side -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SharedCell:
    """What one part's sheet gives for a parameter, in words, and the records it is printed in."""

    text: str
    records: tuple[ParameterRecord, ...]


@dataclass(frozen=True, slots=True)
class SharedRow:
    """A parameter that several parts give: one cell a part, in their order."""

    name: str
    cells: tuple[SharedCell, ...]


@dataclass(frozen=True, slots=True)
class SideBySide:
    """`rows` are the most telling of the `shared` parameters that all parts give; `own` counts what only one gives."""

    rows: tuple[SharedRow, ...]
    shared: int
    own: tuple[int, ...]
