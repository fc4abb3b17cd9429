"""One opened library: its stores, joined to the ingest, the retriever and the answerer."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from engine.agent.sources import Sources
from engine.agent.switches import Piece
from engine.answer import Answerer
from engine.core.called import documents_called
from engine.core.cancel import CancelToken
from engine.core.errors import Cancelled, KnownError, UsageError
from engine.core.events import Emit, Noted
from engine.core.ids import DocumentId, SegmentId
from engine.core.known import KnownQuestion
from engine.core.lexicon import Lexicon
from engine.core.model import AbstractKind, OutlineEntry
from engine.core.preflight import preflight
from engine.core.results import Answer, DocumentInfo, Forecast, IndexReport, Library, Route, SearchFilter, SearchResult
from engine.core.revision_ports import standing
from engine.core.settings import Redo, Settings
from engine.corrections import Corrections
from engine.evaluate.outlines import questions_from_outlines
from engine.grow import CurrentTree, Grower
from engine.ingest import Ingest
from engine.keyword.index import KeywordStore
from engine.library.attention import Attention
from engine.library.pace import Pace
from engine.library.scan import scan_options, takes
from engine.library.watch import Watcher
from engine.links.mentions import MentionIndex
from engine.links.revisions import RevisionIndex
from engine.machinery import Machinery
from engine.parameters.documents import about_kind, documents_about
from engine.parameters.finding import compare, find
from engine.parameters.questions import questions_from_records
from engine.parameters.results import CompareTable, FindResult
from engine.parse.host import ParserHost
from engine.pictures import tree_picture
from engine.refine import Refiner, RefineReport
from engine.retrieve.retriever import Retriever
from engine.retrieve.settings import RetrievalSettings
from engine.retrieve.tree_search import TreeSearch
from engine.stages import PARSED_VERSION, Linked, Recorded, Revised
from engine.store.forecast import forecast, is_other, note_run
from engine.store.health import open_catalog
from engine.store.ledger import Ledger, library_database
from engine.store.lock import WriterLock
from engine.store.names import NameStore
from engine.store.nodes import NodeStore
from engine.store.outlines import OutlineStore
from engine.store.records import RecordStore
from engine.store.reembed import NoVectors, serves
from engine.store.revisions import RevisionStore
from engine.store.vectors import VectorStore, table_name
from engine.topics import TreeTopics

_PATIENCE = 5.0
"""Seconds that a worded abstract waits for another writer."""


class Session:
    """Readers of a library may be in several processes; they see only what is committed."""

    def __init__(
        self,
        library: Library,
        machinery: Machinery,
        parser: ParserHost,
        settings: Callable[[], Settings],
        pace: Pace,
        lexicon: Callable[[], Lexicon] = Lexicon,
    ) -> None:
        database = library_database(library.home)
        self.library = library
        self._machinery = machinery
        self._parser = parser
        self._settings = settings
        self._pace = pace
        self._lexicon = lexicon
        self.catalog = open_catalog(database)
        self.vectors = VectorStore(library.home / "vectors", self.catalog)
        self.keyword = KeywordStore(library.home / "keyword", self.catalog)
        self.names = NameStore(database)
        self.records = RecordStore(database)
        self.outlines = OutlineStore(database)
        self.nodes = NodeStore(library.home / "tree", database)
        self.tree = CurrentTree(self.catalog, self.nodes)
        self._mentions = MentionIndex(self.names)
        self._revision_entries = RevisionStore(database)
        self.revisions = RevisionIndex(self._revision_entries, self.catalog)
        self._told: set[str] = set()
        self.attention = Attention()
        self.corrections = Corrections(library, self.catalog, self.records)

    def close(self) -> None:
        beside = (self.names, self.records, self.outlines, self._revision_entries)
        for store in (self.nodes, self.vectors, self.keyword, *beside, self.catalog):
            store.close()

    # --- library ------------------------------------------------------------------------------------------------------

    def index(self, emit: Emit, cancel: CancelToken) -> IndexReport:
        """Bring everything up to date; what is done again is told first (Noted). Raises KnownError, and before
        anything is written where the place cannot hold an index."""
        for warning in preflight(self.library.home):
            if warning not in self._told:
                self._told.add(warning)
                emit(Noted(warning))
        settings = self._settings()
        ingest = self._ingest(settings)
        made_by = repr((ingest.stages, ingest.attempt, scan_options(settings)))
        if is_other(self.catalog, made_by) and (again := self.forecast({}).text):
            emit(Noted(again))
        report = ingest.run(emit, cancel)
        with WriterLock(self.library.home, purpose="growing the tree"):
            note_run(self.catalog, made_by, report.pages_read, report.seconds)
            Grower(self.catalog, self.vectors, self.nodes).grow(cancel)
        self.keyword.prepare()
        return report

    def forecast(self, changes: Mapping[str, object]) -> Forecast:
        """What an index run with changed settings (key -> value) would do again. Raises KnownError where there is no
        embedding model, UsageError for a value that a setting does not take."""
        settings = self._settings()
        for key, value in changes.items():
            settings = settings.with_value(key, value)
        ingest = self._ingest(settings)
        table = table_name(self._machinery.embedder().model_key)
        options = scan_options(settings)
        return forecast(self.catalog, ingest.stages, ingest.attempt, table, lambda file: takes(options, file))

    def _ingest(self, settings: Settings) -> Ingest:
        return Ingest(
            self.library,
            self.catalog,
            self.vectors,
            self.keyword,
            self._parser,
            self._machinery.embedder(),
            extensions=(Linked(self.names), Recorded(self.records), Revised(self._revision_entries)),
            options=scan_options(settings),
            workers=int(settings.number("index.workers")) or None,
            parser_version=PARSED_VERSION,
            retry_key=settings.fingerprint(Redo.FAILURES),
            pace=self._pace,
            outlines=self.outlines,
            attention=self.attention,
        )

    def watch(self, emit: Emit, cancel: CancelToken) -> None:
        """Keep the library up to date until `cancel` is set: events say when to look, a scan says what changed. Returns
        at once where the user has switched that off."""
        if not self._settings().flag("watch.enabled"):
            emit(Noted("The folders are not watched: that is switched off in the settings."))
            return

        def update() -> bool:
            report = self.index(emit, cancel)
            return bool(report.added or report.changed or report.removed or report.moved)

        with contextlib.suppress(Cancelled):
            own = (self._machinery.home.root.resolve(),)
            Watcher(self.library.folders, update, lambda text: emit(Noted(text)), own=own).run(cancel)

    def retry_failed(self, documents: Sequence[DocumentId] | None) -> int:
        with WriterLock(self.library.home, purpose="noting what to try again"):
            return Ledger(self.catalog).retry(documents)

    def set_outline(self, document: DocumentId, entries: Sequence[OutlineEntry] | None) -> None:
        """Keep a user's outline of one document (None: the parser's again); the next run re-does that document."""
        with WriterLock(self.library.home, purpose="keeping your outline"):
            if entries is None:
                self.outlines.drop(document)
            else:
                self.outlines.put(document, entries)
            Ledger(self.catalog).forget_stages([document], ["parsed"])

    def documents(self) -> list[DocumentInfo]:
        return [replace(one, revision=self.revisions.revision_of(one.id)) for one in self.catalog.documents()]

    def _standing(self, question: str) -> list[DocumentInfo]:
        return standing(self.documents(), self.revisions, question)

    def refine(
        self, model: str | None, kind: AbstractKind, seconds: float, emit: Emit, cancel: CancelToken
    ) -> RefineReport:
        """Word abstracts with a model for a while. Raises KnownError ("no-model") where there is none."""
        language = self._machinery.language_model(model)
        if language is None:
            raise KnownError(
                "There is no answering model here.", help="Run `sheaf models fetch standard`.", code="no-model"
            )
        refiner = Refiner(
            self.catalog,
            self.nodes,
            self._machinery.embedder(),
            language,
            spare=self._pace,
            writing=lambda: WriterLock(self.library.home, seconds=_PATIENCE, purpose="wording abstracts"),
        )
        return refiner.run(cancel, seconds=seconds, kind=kind, emit=emit)

    def tree_picture(self, by: str, outline: bool) -> str:
        """SVG of the tree; raises UsageError for an unknown colouring."""
        return tree_picture(self.tree.grove().nodes, self.documents(), self.catalog, by, outline=outline)

    # --- questions ----------------------------------------------------------------------------------------------------

    def search(self, query: str, k: int, route: Route, chosen: SearchFilter) -> SearchResult:
        self._require_index()
        found = self._retriever().search(query, k, route, chosen)
        self.attention.look_at([hit.segment.document for hit in found.hits])
        return found

    def like(self, segment: SegmentId, k: int, chosen: SearchFilter) -> SearchResult:
        """Passages nearest in meaning to one."""
        self._require_index()
        return self._retriever().like(segment, k, chosen)

    def documents_called(self, wanted: Sequence[str]) -> tuple[DocumentId, ...]:
        """Raises UsageError for a name that no document has."""
        known = self.documents()
        return tuple(
            dict.fromkeys(one.id for each in wanted for one in documents_called(each, known, self.library.name))
        )

    def ask(
        self,
        question: str,
        model: str | None,
        quoted: bool,
        earlier: Sequence[Answer],
        emit: Emit,
        cancel: CancelToken,
        route: Route = Route.HYBRID,
        without: Collection[Piece] = (),
    ) -> Answer:
        """`without` are pieces of the answerer switched off for a measurement."""
        self._require_index()
        language = None if quoted else self._machinery.language_model(model)
        with self._pace.question():
            sources = self.sources(question, route, linked=Piece.LINKS not in without)
            answerer = Answerer(self.library.name, sources, language, self.records, without, lexicon=self._lexicon())
            answer = answerer.ask(question, emit, cancel, earlier)
        self.attention.look_at([citation.document for citation in answer.citations])
        return answer

    def sources(self, question: str, route: Route = Route.HYBRID, *, linked: bool = True) -> Sources:
        """What evidence is read from, for one question; without mention links where it is not `linked`."""
        mentions, reranker = self._mentions if linked else None, self._machinery.reranker()
        retriever = self._retriever(linked=linked)
        search = TreeSearch(self.tree, self.vectors, self.catalog)
        topics = TreeTopics(self.tree, search, self.nodes, self.catalog, self._machinery.embedder())
        return Sources(retriever, self.catalog, mentions, reranker, route, self.revisions, question, topics)

    # --- parameters ---------------------------------------------------------------------------------------------------

    def find(self, expression: str, about: str, where: Sequence[str]) -> FindResult:
        """Parts whose records keep the bounds of an expression."""
        self._require_index()
        expression = self._lexicon().in_words(expression)
        return find(
            expression, self.records, self._standing(expression), about=about, where=where, page_text=self._first_page
        )

    def compare(
        self, parameters: Sequence[str], documents: Sequence[str], about: str, where: Sequence[str]
    ) -> CompareTable:
        """Raises UsageError for a document that is not in the library."""
        self._require_index()
        chosen = self._standing(" ".join(parameters)) if not documents else self.documents()
        if documents:
            chosen = [one for wanted in documents for one in documents_called(wanted, chosen, self.library.name)]
        if about:
            by_part = documents_about([about], chosen)
            chosen = by_part or [one for one in chosen if about_kind(about, one, self._first_page(one))]
        parameters = [self._lexicon().in_words(parameter) for parameter in parameters]
        return compare(parameters, self.records, list(dict.fromkeys(chosen)), where=where)

    def known_questions(self, source: str, most: int, seed: int) -> tuple[KnownQuestion, ...]:
        """Up to `most` exactly answered questions of each kind, from verified "records" or from "outlines"."""
        self._require_index()

        def whole_text(document: DocumentInfo) -> str:
            return "\n".join(page.text for page in self.catalog.pages(document.id))

        if source == "outlines":
            return questions_from_outlines(self.documents(), self.catalog.document_segments, whole_text, most, seed)
        return questions_from_records(self.records, self.documents(), self._page_text, whole_text, most=most, seed=seed)

    def _page_text(self, document: DocumentInfo, number: int) -> str:
        page = self.catalog.page(document.id, number)
        return page.text if page is not None else ""

    def _first_page(self, document: DocumentInfo) -> str:
        return self._page_text(document, 1)

    def _retriever(self, *, linked: bool = True) -> Retriever:
        own = serves(self.catalog, self._machinery.embedder().model_key)
        return Retriever(
            self.vectors if own else NoVectors(),
            self.keyword,
            self.catalog,
            self._mentions,
            self._machinery.embedder(),
            self._machinery.reranker(),
            RetrievalSettings(links=linked),
            revisions=self.revisions,
            lexicon=self._lexicon(),
            tree=TreeSearch(self.tree, self.vectors, self.catalog) if own else None,
            beside=self._machinery.beside(),
        )

    def _require_index(self) -> None:
        if not self.catalog.visible().generations:
            raise UsageError(
                f"The library {self.library.name} has not been indexed yet.",
                help=f"Run `sheaf index {self.library.name}` first.",
                code="not-indexed",
            )
