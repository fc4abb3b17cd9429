"""What stages need from one another, as Protocols. Implementations live in the stages; composers join them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.core.cancel import CancelToken
from engine.core.ids import DocumentId, SegmentId
from engine.core.model import PageBox, PageInfo, ParameterRecord, ParsedDocument, Segment
from engine.core.results import DocumentInfo, Place, SearchFilter

Vector = NDArray[np.float32]
"""Shape (d,), unit length."""
Matrix = NDArray[np.float32]
"""Shape (n, d), rows of unit length."""


class Parser(Protocol):
    """Turns a file into a parsed document in a killable child process."""

    def parse(
        self, path: Path, *, cancel: CancelToken, on_page: Callable[[int, int], None] | None = None
    ) -> ParsedDocument:
        """Raise KnownError with a plain reason for a file that cannot be read, Cancelled on cancel.

        `on_page(page, pages)` is called as pages are done.
        """

    def locate(self, path: Path, page: int, quote: str) -> tuple[PageBox, ...]:
        """Boxes of the words of `quote` on `page`, empty if it does not stand there."""

    def close(self) -> None: ...


class Embedder(Protocol):
    """Text to unit vectors, one text per inference call so that results never depend on the batch."""

    @property
    def model_key(self) -> str:
        """Model id and file hash: what cached vectors are keyed by."""

    @property
    def dimension(self) -> int: ...

    def embed_passages(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Matrix: ...

    def embed_query(self, text: str) -> Vector: ...


class Reranker(Protocol):
    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """Relevance of each passage, higher is better; one pair per inference call."""


@dataclass(frozen=True, slots=True)
class Visible:
    """What readers may see, at one committed state of the catalogue: every route filters by it."""

    state: int
    """Grows with every committed change; equal states are equal snapshots."""
    generations: Mapping[DocumentId, int]
    """The visible generation of every document that has one."""
    names: Mapping[DocumentId, str]
    """File and folder names of a document's places, for the keyword route: a rename touches no index."""
    vectors: str = ""
    """Name of the vector table that serves (one per embedding model), "" before the first."""


class Visibility(Protocol):
    """The catalogue as the other stores see it."""

    def visible(self) -> Visible:
        """The present snapshot; cheap when nothing has changed."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A segment as one route returned it, best first. `score` is the route's own scale."""

    segment: SegmentId
    score: float
    matched: tuple[str, ...] = ()


class DenseIndex(Protocol):
    """Vectors of the visible generation (LanceDB)."""

    def search(self, vector: Vector, k: int, within: Sequence[DocumentId] | None = None) -> list[Scored]:
        """The k nearest by cosine similarity, restricted to `within` if given."""

    def vectors(self, segments: Sequence[SegmentId]) -> Matrix:
        """Stored vectors in the order asked; raises BugError for an unknown segment."""


class KeywordIndex(Protocol):
    """BM25F over title, path, identifiers, body and the names of places (Whoosh)."""

    def search(
        self,
        text: str,
        k: int,
        within: Sequence[DocumentId] | None = None,
        among: Collection[SegmentId] | None = None,
    ) -> list[Scored]:
        """The k best for raw user text, which is never query syntax and never yields an empty query.

        Restricted to the documents `within` and to the segments `among`, if given.
        """

    def holding(self, text: str, k: int, within: Sequence[DocumentId] | None = None, field: str = "") -> list[Scored]:
        """The k best of those that hold every word of a text, in one field (title, path, identifiers, body) or any."""

    def document_frequency(self, term: str) -> int:
        """In how many segments an analysed term occurs."""

    def starting(self, beginning: str, k: int) -> list[str]:
        """At most k identifiers in passages that begin so, in lower case, the most frequent first."""


class SegmentSource(Protocol):
    """Read side of the catalogue, at one committed generation."""

    def segments(self, ids: Sequence[SegmentId]) -> list[Segment]:
        """In the order asked; ids that are no longer visible are left out."""

    def document_segments(self, document: DocumentId) -> list[Segment]: ...

    def documents(self) -> list[DocumentInfo]: ...

    def places(self, document: DocumentId) -> tuple[Place, ...]: ...

    def page(self, document: DocumentId, number: int) -> PageInfo | None: ...

    def visible_documents(self, chosen: SearchFilter) -> list[DocumentId] | None:
        """Documents that pass a filter; None if it restricts nothing."""


class NameKind(StrEnum):
    """Where a name of a document comes from, strongest first."""

    PART = "part"
    """An identifier the document is about."""
    TITLE = "title"
    ALIAS = "alias"
    """A shorter form of its title or part: without the parenthesis, without the maker's letters."""
    SECTION = "section"
    """A section title that is a name."""
    LEXICON = "lexicon"
    """From the user's own lexicon."""


@dataclass(frozen=True, slots=True)
class NameEntry:
    """One entry of the gazetteer: `key` is the form names are compared in, `name` the printed one."""

    key: str
    name: str
    kind: NameKind
    document: DocumentId
    segment: SegmentId | None = None


class NameSource(Protocol):
    """The gazetteer's entries of all visible documents, stored with the catalogue."""

    def find(self, keys: Collection[str]) -> list[NameEntry]:
        """Entries whose key is one of these, in a fixed order."""

    def openers(self, words: Collection[str]) -> set[str]:
        """Those of some words that are a key or the first word of one."""

    def starting(self, prefix: str, limit: int) -> list[NameEntry]:
        """PART entries whose key starts with `prefix`, in the order of their keys."""

    def named(self, documents: Sequence[DocumentId]) -> list[NameEntry]:
        """All entries of these documents."""


@dataclass(frozen=True, slots=True)
class Mention:
    """`segment` (of another document) mentions `entry`, a name that `target` is about.

    `context` is the folded sentence around the mention, `shared` the number of documents that go by that name.
    """

    segment: SegmentId
    entry: str
    target: DocumentId
    target_segment: SegmentId | None = None
    context: str = ""
    shared: int = 1


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A question's words `text` name `entry`. `exact` is False for a related spelling (a variant, a base part).

    `siblings` counts the parts its document is about that the question does not name: inside a document of several
    parts the name still tells which is meant.
    """

    text: str
    entry: NameEntry
    exact: bool = True
    siblings: int = 0


class MentionSource(Protocol):
    """Names and mention links (algorithms.md section 3), resolved over the gazetteer."""

    def mentions_in(self, segments: Sequence[Segment]) -> list[Mention]:
        """Links from these segments to other documents, in the order of the segments and of the text."""

    def names_in(self, question: str) -> list[NameMatch]:
        """Documents a question names, in the order of the question; every document of a shared name."""


class RecordSource(Protocol):
    """Read side of the parameter store."""

    def records(self, documents: Sequence[DocumentId] | None = None) -> Iterable[ParameterRecord]: ...


@dataclass(frozen=True, slots=True)
class RecordName:
    """A distinct parameter name of the store, with the symbol printed beside it."""

    number: int
    parameter: str
    symbol: str


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Restricts a selection of records; None and empty restrict nothing. Values are in the common form of `unit`.

    `above` and `below` keep every record that reaches past the bound with either end of its value.
    """

    names: tuple[int, ...] | None = None
    documents: tuple[DocumentId, ...] | None = None
    kinds: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    unit: str | None = None
    above: float | None = None
    below: float | None = None
    least_confidence: float = 0.0
    descending: bool = False
    """Order by value; ascending otherwise."""
    limit: int = 500


class RecordIndex(RecordSource, Protocol):
    """Search over the parameter store."""

    def names(self, alternatives: Sequence[Sequence[str]], limit: int = 2000) -> list[RecordName]:
        """Names that hold every word of one of the alternatives (words as `engine.core.naming.name_words` gives)."""

    def count(self, wanted: RecordFilter | None = None) -> int:
        """How many records pass, counted up to the filter's limit; all records without a filter."""

    def giving(self, wanted: RecordFilter) -> tuple[DocumentId, ...]:
        """Documents of the records that pass, in the order of :meth:`select`; the limit is one of documents."""

    def select(self, wanted: RecordFilter) -> list[ParameterRecord]:
        """Records that pass, ordered by value where bounds or a unit are given."""


@dataclass(frozen=True, slots=True)
class Message:
    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote for one request, with what it cost: tokens read and written, seconds."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    finished: bool = True
    """False when the token budget ran out."""
    confidence: float = 1.0
    """The lowest probability the model itself gave a token it wrote, before the grammar: 0..1."""
    tokens: tuple[tuple[str, float], ...] = ()
    """What was written, token by token, each with that probability; empty where the model does not tell."""


class LanguageModel(Protocol):
    """A local model in a child process."""

    @property
    def model_id(self) -> str: ...

    @property
    def context_tokens(self) -> int: ...

    def count_tokens(self, text: str) -> int: ...

    def complete(
        self,
        messages: Sequence[Message],
        *,
        grammar: str | None = None,
        max_tokens: int = 256,
        cancel: CancelToken | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> Completion:
        """Greedy completion under an optional GBNF grammar. Raises Cancelled within a second of the token being set,
        KnownError when the model cannot be loaded."""

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class DocumentBundle:
    """All that one document's ingest writes, made before anything is written."""

    document: DocumentId
    parsed: ParsedDocument
    segments: tuple[Segment, ...]
    vectors: Matrix
    parts: tuple[str, ...] = ()
    records: tuple[ParameterRecord, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)


class IngestStage(Protocol):
    """One more thing made of every document, stored in the same transaction that makes the document visible.

    `make` may be slow and runs before anything is written; `write` and `forget` run inside the transaction on the
    catalogue's connection (a `sqlite_utils.Database`) and must only touch the stage's own tables.
    """

    @property
    def name(self) -> str:
        """The stage in the ledger: "linked", "recorded"."""

    @property
    def version(self) -> str:
        """Changes whenever the stage would make something else of the same document: it is then made again."""

    def make(self, bundle: DocumentBundle) -> DocumentBundle:
        """The bundle with what the stage adds (parts, records, extra)."""

    def write(self, database: Any, bundle: DocumentBundle) -> None:
        """Replace what is stored for the bundle's document."""

    def forget(self, database: Any, documents: Sequence[str]) -> None:
        """Delete what is stored for documents that are gone."""


class KeywordWrites(Protocol):
    """Write side of the keyword index, as the ingest and the repair use it."""

    @property
    def path(self) -> Path:
        """The folder the index lies in."""

    @property
    def version(self) -> str:
        """Version of analysis and schema: an index of another version is rebuilt."""

    def write(
        self,
        segments: Sequence[Segment],
        generations: Mapping[DocumentId, int],
        stale: Sequence[tuple[DocumentId, int]] = (),
    ) -> None:
        """Commit a batch, each segment under its document's generation; delete `stale` (document, generation)s."""

    def held(self) -> dict[tuple[DocumentId, int], int]:
        """(document, generation) -> rows. Raises KnownError if the index cannot be opened."""

    def mark(self) -> int:
        """Number of the last commit, 0 where there is no index: tells whether anything was written since."""

    def compact(self) -> None: ...

    def sweep_files(self) -> None:
        """Delete files that a killed commit left behind."""

    def drop(self) -> None:
        """Remove the whole index."""
