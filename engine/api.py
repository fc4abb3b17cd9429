"""The engine's front: everything a window, a command or another program may ask of it."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from engine.core.cancel import CancelToken
from engine.core.errors import KnownError, UsageError
from engine.core.events import Emit, ignore
from engine.core.ids import DocumentId, SegmentId
from engine.core.log import start_logging
from engine.core.model import AbstractKind, AbstractNode, Box, Markdown, OutlineEntry, PageBox, PageInfo, ParsedDocument
from engine.core.paths import Home, find_home
from engine.core.results import (
    Answer,
    Component,
    DocumentInfo,
    Forecast,
    IndexReport,
    Library,
    Route,
    SearchFilter,
    SearchResult,
)
from engine.core.settings import Settings
from engine.core.storage import write_whole
from engine.core.text import number_of
from engine.library.pace import Pace

if TYPE_CHECKING:
    from engine.core.known import KnownQuestion
    from engine.corrections import Corrections
    from engine.machinery import Machinery
    from engine.models.store import ModelStore
    from engine.parameters.results import CompareTable, FindResult
    from engine.parse.host import ParserHost
    from engine.refine import RefineReport
    from engine.session import Session


class Engine:
    """Opens a home folder and serves requests on it. Methods may be called from any thread; one index run of a
    library at a time, over all processes. Close it, or use it as a context, so that no child process stays.
    """

    def __init__(self, home: Home) -> None:
        from engine.models.store import ModelStore
        from engine.store.answers import AnswerStore
        from engine.store.database import Connections
        from engine.store.lexicon import LexiconStore
        from engine.store.preferences import Preferences
        from engine.store.registry import Registry

        self.home = home
        self._connections = Connections(home.database)
        self._registry = Registry(home, self._connections)
        self._answers = AnswerStore(self._connections)
        self._preferences = Preferences(self._connections)
        self.lexicon = LexiconStore(self._connections)
        self._models = ModelStore(home.models)
        self._lock = threading.RLock()
        self._machinery: Machinery | None = None
        self._sessions: dict[str, Session] = {}
        self._parser: ParserHost | None = None
        self._pace = Pace()
        self._follow(self.settings())

    @classmethod
    def open(cls, home: Path | None = None) -> Engine:
        """Open `home`, else $SHEAF_HOME, else the platform's data folder; makes it if it is not there.

        Raises KnownError when the folder cannot be used.
        """
        found = find_home(home)
        try:
            found.root.mkdir(parents=True, exist_ok=True)
            start_logging(found.logs)
        except OSError as error:
            raise KnownError(
                f"{found.root} cannot be used: {error.strerror}.",
                help="Choose another folder with --home.",
                code="home",
            ) from error
        return cls(found)

    def close(self) -> None:
        with self._lock:
            self._drop_sessions()
            if self._parser is not None:
                self._parser.close()
                self._parser = None
            if self._machinery is not None:
                self._machinery.close()
                self._machinery = None
            self._connections.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- libraries ----------------------------------------------------------------------------------------------------

    @property
    def models(self) -> ModelStore:
        return self._models

    def libraries(self) -> list[Library]:
        return self._registry.libraries()

    def add_library(self, name: str, folders: Sequence[Path]) -> Library:
        """Name a library and the folders it watches, or add folders to one. Raises UsageError."""
        with self._lock:
            self._drop_sessions(name)
            return self._registry.add(name, folders)

    def remove_library(self, name: str) -> None:
        """Forget a library, its index and its answers; the documents stay where they are."""
        with self._lock:
            self._drop_sessions(name)
            self._registry.remove(name)
            self._answers.forget(name)
            self.lexicon.forget(name)

    def export_library(self, name: str, file: Path) -> int:
        """Write a library's index, corrections and answers, without its documents, to one file. Returns its size in
        bytes. Raises KnownError."""
        from engine.store.archive import export_library
        from engine.store.lock import WriterLock

        library = self._registry.library(name)
        with WriterLock(library.home, purpose="exporting"):
            return export_library(library, file, self._answers.of_export(name), self.lexicon.of_export(name))

    def import_library(self, name: str, file: Path, folders: Sequence[Path]) -> Library:
        """Bring an exported library here as `name`; `folders` are its watched folders on this machine, in the order of
        the exported ones. Raises UsageError where their number or the name does not fit, KnownError otherwise."""
        from engine.store.archive import import_library, read_answers, read_lexicon, read_manifest

        _, before = read_manifest(_existing(file))
        if len(before) != len(folders) or any(library.name == name for library in self.libraries()):
            raise UsageError(
                f"{file.name} has {number_of(len(before), 'watched folder')} and needs a name that is not taken.",
                help=f"Name a folder for each of: {', '.join(before)}.",
                code="import",
            )
        library = self.add_library(name, folders)
        try:
            import_library(file, library.home, dict(zip(before, library.folders, strict=True)))
            moved = dict(zip(before, map(str, library.folders), strict=True))
            self._answers.take_in(name, read_answers(file), moved)
            self.lexicon.take_in(name, read_lexicon(file))
        except KnownError:
            self.remove_library(name)
            raise
        return library

    def index(self, name: str, *, emit: Emit = ignore, cancel: CancelToken | None = None) -> IndexReport:
        """Bring a library up to date with its folders. Raises KnownError when another process is at it."""
        return self._session(name).index(emit, cancel or CancelToken())

    def forecast(self, name: str, changes: Mapping[str, object] | None = None) -> Forecast:
        """What the next index run would do again, with settings changed (key -> value) if given. Raises UsageError."""
        return self._session(name).forecast(changes or {})

    def pause(self) -> None:
        """Hold indexing up, in all libraries of this engine, until :meth:`resume`."""
        self._pace.pause()

    def resume(self) -> None:
        self._pace.resume()

    def look_at(self, name: str, documents: Sequence[DocumentId], *, listed: bool = False) -> None:
        """Have these read first where they wait to be: the user has opened them, or they are `listed` before them."""
        attention = self._session(name).attention
        (attention.browse if listed else attention.look_at)(documents)

    def retry_failed(self, name: str, documents: Sequence[DocumentId] | None = None) -> int:
        """Have failed documents (all, or those named) tried again at the next `index`. Returns how many."""
        return self._session(name).retry_failed(documents)

    def set_outline(self, name: str, document: DocumentId, entries: Sequence[OutlineEntry] | None) -> None:
        """Keep the outline a user has corrected, through re-indexing and new parsers; None goes back to the parser's.
        It is in force after the next `index`, which re-does this document only."""
        self._session(name).set_outline(document, entries)

    def documents(self, name: str) -> list[DocumentInfo]:
        return self._session(name).documents()

    def watch(self, name: str, *, emit: Emit = ignore, cancel: CancelToken) -> None:
        """Keep a library up to date until the token is set. Returns then; raises KnownError as `index` does."""
        self._session(name).watch(emit, cancel)

    def tree(self, name: str) -> tuple[AbstractNode, ...]:
        """The nodes of the library's abstract tree; empty before the first index run. Stale ones say nothing."""
        return self._session(name).tree.grove().nodes

    def refine(
        self,
        name: str,
        *,
        seconds: float,
        model: str | None = None,
        kind: AbstractKind = AbstractKind.KEYWORD,
        emit: Emit = ignore,
        cancel: CancelToken | None = None,
    ) -> RefineReport:
        """Word the tree's abstracts with a local model for `seconds` of work; waits while there is no spare time."""
        return self._session(name).refine(model, kind, seconds, emit, cancel or CancelToken())

    def tree_picture(self, name: str, *, by: str = "document", outline: bool = False) -> str:
        """SVG of the abstract tree, coloured by "document", "folder" or "level"; "" where there is no tree yet."""
        return self._session(name).tree_picture(by, outline)

    # --- settings -----------------------------------------------------------------------------------------------------

    def settings(self) -> Settings:
        return self._preferences.settings()

    def set_setting(self, key: str, value: object) -> Settings:
        """Check and keep one value; it holds from the next index run on. Raises UsageError in plain words."""
        settings = self._preferences.set(key, value)
        self._follow(settings)
        with self._lock:
            if self._parser is not None and key in ("index.workers", "index.page_seconds", "index.page_memory_mb"):
                self._drop_sessions()
                self._parser.close()
                self._parser = None
        return settings

    def _follow(self, settings: Settings) -> None:
        self._pace.share = settings.number("index.cpu_share") / 100
        self._pace.on_battery = settings.flag("index.on_battery")

    # --- documents ----------------------------------------------------------------------------------------------------

    def outline(self, file: Path, *, cancel: CancelToken | None = None) -> ParsedDocument:
        """Parse one file, whether it belongs to a library or not. Raises KnownError with a plain reason."""
        return self.parser().parse(_existing(file), cancel=cancel or CancelToken())

    def markdown(self, file: Path, *, cancel: CancelToken | None = None) -> Markdown:
        from engine.parse.markdown import render

        return render(self.outline(file, cancel=cancel))

    def page(self, name: str, document: DocumentId, number: int) -> PageInfo | None:
        return self._session(name).catalog.page(document, number)

    def file_of(self, name: str, document: DocumentId) -> Path:
        """A path at which the document can be opened now. Raises KnownError if none of its places is there."""
        return self._session(name).catalog.file_of(document)

    def page_image(
        self, name: str, document: DocumentId, number: int, *, zoom: float = 1.5, clip: Box | None = None
    ) -> bytes:
        """A page, or the part of it inside `clip` (points), as PNG."""
        self.look_at(name, [document])
        return self.parser().render_page(self.file_of(name, document), number, zoom, clip)

    def locate(self, name: str, document: DocumentId, page: int, quote: str) -> tuple[PageBox, ...]:
        """Boxes of a quote's words on a page."""
        return self.parser().locate(self.file_of(name, document), page, quote)

    # --- questions ----------------------------------------------------------------------------------------------------

    def search(
        self,
        name: str,
        query: str,
        *,
        k: int = 10,
        route: Route = Route.HYBRID,
        chosen: SearchFilter | None = None,
    ) -> SearchResult:
        return self._session(name).search(query, k, route, chosen or SearchFilter())

    def like(self, name: str, segment: SegmentId, *, k: int = 10, chosen: SearchFilter | None = None) -> SearchResult:
        """Passages nearest in meaning to one; raises UsageError if it is no longer in the library."""
        return self._session(name).like(segment, k, chosen or SearchFilter())

    def documents_called(self, name: str, wanted: Sequence[str]) -> tuple[DocumentId, ...]:
        """Documents of these file names, titles or part numbers, for a filter. Raises UsageError for one unknown."""
        return self._session(name).documents_called(wanted)

    def ask(
        self,
        name: str,
        question: str,
        *,
        model: str | None = None,
        quoted: bool = False,
        thread: str = "",
        route: Route = Route.HYBRID,
        emit: Emit = ignore,
        cancel: CancelToken | None = None,
    ) -> Answer:
        """Answer with citations and keep the answer. `model` is a model id; None takes the best one that is here,
        `quoted` none. `thread` is the id of an earlier answer beside which this one is kept. `route` is how passages
        are retrieved: for measuring."""
        earlier = self._answers.thread(thread) if thread else []
        answer = self._session(name).ask(question, model, quoted, earlier, emit, cancel or CancelToken(), route)
        self._answers.keep(answer, earlier[0].id if earlier else "")
        return answer

    def find(self, name: str, expression: str, *, about: str = "", where: Sequence[str] = ()) -> FindResult:
        """Parts whose limits keep bounds: "supply current max < 50 uA and supply voltage min <= 3 V"."""
        return self._session(name).find(expression, about, where)

    def compare(
        self,
        name: str,
        parameters: Sequence[str],
        *,
        documents: Sequence[str] = (),
        about: str = "",
        where: Sequence[str] = (),
    ) -> CompareTable:
        """Parts x parameters, over documents named by file, title or part, or all that are `about` a kind of device."""
        return self._session(name).compare(parameters, documents, about, where)

    def known_questions(self, name: str, source: str, most: int = 300, seed: int = 0) -> tuple[KnownQuestion, ...]:
        """Up to `most` questions of each kind, made from verified "records" or "outlines" without a model."""
        return self._session(name).known_questions(source, most, seed)

    def corrections(self, name: str) -> Corrections:
        """A user's corrections of the values read from tables."""
        return self._session(name).corrections

    def answers(self, name: str) -> list[Answer]:
        """Answers of a library, newest first."""
        return self._answers.of_library(name)

    def answer(self, answer_id: str) -> Answer:
        return self._answers.answer(answer_id)

    def export(self, answer_id: str, format: str, path: Path) -> None:
        """Write an answer with numbered citations. Raises UsageError for an unknown format or answer."""
        from engine import wire

        self.write_text(path, wire.exported(self.answer(answer_id), format))

    # --- this machine -------------------------------------------------------------------------------------------------

    def doctor(self) -> list[Component]:
        """Try every component once."""
        from engine.doctor import check

        return check(self.home)

    @staticmethod
    def write_text(path: Path, text: str) -> None:
        """Write a file whole or not at all. Raises KnownError."""
        write_whole(path, text)

    # --- inside -------------------------------------------------------------------------------------------------------

    def parser(self) -> ParserHost:
        from engine.parse.host import ParserHost

        with self._lock:
            if self._parser is None:
                settings = self.settings()
                self._parser = ParserHost(
                    workers=int(settings.number("index.workers")) or os.cpu_count() or 1,
                    page_seconds=settings.number("index.page_seconds"),
                    memory_bytes=int(settings.number("index.page_memory_mb")) << 20,
                )
            return self._parser

    def _session(self, name: str) -> Session:
        from engine.machinery import Machinery
        from engine.session import Session

        with self._lock:
            machinery = self._machinery = self._machinery or Machinery(self.home, self._models)
            if name not in self._sessions:
                library, lexicon = self._registry.library(name), partial(self.lexicon.lexicon, name)
                self._sessions[name] = Session(library, machinery, self.parser(), self.settings, self._pace, lexicon)
            return self._sessions[name]

    def _drop_sessions(self, *names: str) -> None:
        for name in names or tuple(self._sessions):
            if session := self._sessions.pop(name, None):
                session.close()


def _existing(file: Path) -> Path:
    if not file.is_file():
        raise KnownError(f"{file} is not a file.", help="Name a file that exists.", code="no-file")
    return file
