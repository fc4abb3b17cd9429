"""The parser as the rest of the program sees it: files in, documents out, every danger kept in a child process."""

from __future__ import annotations

import functools
import queue
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.core.cancel import CancelToken
from engine.core.child import Child, ChildGone, Handler
from engine.core.errors import BugError, Cancelled, KnownError
from engine.core.memory import give_back
from engine.core.model import Box, PageBox, ParsedDocument
from engine.parse.faults import Faults

_PAGE_SECONDS = 30.0
_START_SECONDS = 120.0
"""What a child may take to start on a machine that is busy with other things."""
_MEMORY = 3 << 30
_MAX_FAULTS = 12
"""Pages of one document that may fail before the document is given up."""


class ParserHost:
    """Implements `ports.Parser` over `workers` child processes, and one more for what the window asks meanwhile.

    `page_seconds` and `memory_bytes` bound each page: a page that spins, explodes or crashes is killed and falls back
    to its plain text, with the reason in its `PageInfo`; the rest of the document goes on. With `ocr` scanned pages
    are read where an OCR engine is installed, else they are only named. Thread-safe.
    """

    def __init__(
        self,
        workers: int = 1,
        page_seconds: float = _PAGE_SECONDS,
        memory_bytes: int = _MEMORY,
        factory: Callable[..., Handler] | None = None,
        ocr: bool = True,
    ) -> None:
        self._shared = tempfile.TemporaryDirectory(prefix="sheaf-parsers-", ignore_cleanup_errors=True)
        # A factory of a test takes `ocr` alone; ours also the file by which workers take turns at reading scans.
        turn = Path(self._shared.name) / "scanning"
        make = functools.partial(factory, ocr) if factory is not None else functools.partial(parse_worker, ocr, turn)
        self._seconds = page_seconds
        self._workers = [Child(f"parser-{i}", make, memory_bytes=memory_bytes) for i in range(max(1, workers))]
        self._free: queue.SimpleQueue[Child] = queue.SimpleQueue()
        for worker in self._workers:
            self._free.put(worker)
        self._viewer = Child("page-viewer", make, memory_bytes=memory_bytes)

    def parse(
        self, path: Path, *, cancel: CancelToken, on_page: Callable[[int, int], None] | None = None
    ) -> ParsedDocument:
        """Parse a file; see `ports.Parser.parse`."""
        with self._worker(cancel) as worker, tempfile.TemporaryDirectory(prefix="sheaf-parse-") as folder:
            faults, seconds = Faults(), self._seconds
            while True:
                spool = str(Path(folder) / "pages") if faults.count else ""
                watch = _Watch(on_page)
                try:
                    result: ParsedDocument = worker.request(
                        ("parse", str(path), faults, spool),
                        cancel=cancel,
                        timeout=seconds,
                        on_report=watch.report,
                    )
                    return result
                except (ChildGone, BugError) as error:
                    faults = self._next(path, faults, watch, _crash_reason(error))
                except KnownError as error:
                    if error.code not in ("timeout", "memory"):
                        raise
                    if error.code == "timeout" and not watch.heard and seconds < _START_SECONDS:
                        # The child was not even up: that is the machine's doing, not the file's.
                        seconds = _START_SECONDS
                        continue
                    faults = self._next(path, faults, watch, self._limit_reason(error))
                seconds = self._seconds

    def locate(self, path: Path, page: int, quote: str) -> tuple[PageBox, ...]:
        """Boxes of the words of `quote` on `page`, one per printed line."""
        found: tuple[PageBox, ...] = self._view(("locate", str(path), page, quote))
        return found

    def render_page(self, path: Path, page: int, zoom: float = 1.5, clip: Box | None = None) -> bytes:
        """A PNG picture of the page, or of `clip` (points on the displayed page), at `zoom` pixels a point."""
        picture: bytes = self._view(("render", str(path), page, zoom, clip))
        return picture

    def close(self) -> None:
        for child in (*self._workers, self._viewer):
            child.close()
        self._shared.cleanup()

    def _view(self, request: tuple[Any, ...]) -> Any:
        try:
            return self._viewer.request(request, timeout=self._seconds)
        except ChildGone as error:
            raise KnownError("The page cannot be shown: it crashes the PDF library.", code="page-crash") from error

    @contextmanager
    def _worker(self, cancel: CancelToken) -> Iterator[Child]:
        while True:
            try:
                worker = self._free.get(timeout=0.1)
                break
            except queue.Empty:
                if cancel.cancelled:
                    raise Cancelled from None
        try:
            yield worker
        finally:
            self._free.put(worker)

    def _next(self, path: Path, faults: Faults, watch: _Watch, reason: str) -> Faults:
        if watch.page is None:
            raise KnownError(
                f"{path.name} cannot be opened: {reason}",
                help="Save it anew from another program.",
                code="parser-crash",
            )
        if faults.count >= _MAX_FAULTS or (watch.page == 0 and faults.flat):
            raise KnownError(
                f"{path.name} cannot be parsed: too many of its pages fail ({reason})",
                help="Save it anew from another program.",
                code="parser-crash",
            )
        return faults.after(watch.page, reason)

    def _limit_reason(self, error: KnownError) -> str:
        if error.code == "timeout":
            return f"the layout took longer than {self._seconds:g} s; plain text is used."
        return "the layout needs more memory than it may use; plain text is used."


class _Watch:
    """Keeps the page the child is busy with and passes finished pages on."""

    def __init__(self, on_page: Callable[[int, int], None] | None) -> None:
        self.page: int | None = None
        self.heard = False
        """The child has taken the request."""
        self._on_page = on_page

    def report(self, part: tuple[str, int, int]) -> None:
        kind, page, pages = part
        self.heard = True
        if kind == "starting":
            self.page = page
        elif kind == "done" and self._on_page is not None:
            self._on_page(page, pages)


def _crash_reason(error: Exception) -> str:
    if isinstance(error, BugError):
        return f"the layout pass failed ({error}); plain text is used."
    return "the layout pass crashed; plain text is used."


def parse_worker(ocr: bool = True, turn: Path | None = None) -> Handler:
    """Runs in the child: heavy imports once, then one request at a time."""
    from engine.parse import mupdf, reader, views
    from engine.parse.ocr import Scanner

    mupdf.load()
    scanner = Scanner(turn=turn) if ocr else None

    def handle(request: Any, report: Callable[[Any], None], cancelled: Callable[[], bool]) -> Any:
        what, name, *rest = request
        path = Path(name)
        if what == "parse":
            faults, spool = rest
            report(("alive", 0, 0))
            attempt = reader.Attempt(
                faults,
                Path(spool) if spool else None,
                lambda page, pages: report(("starting", page, pages)),
                cancelled,
                scanner,
            )
            if scanner is not None:
                # Reading a scan takes seconds a page: every line read is a sign of life.
                scanner.alive = lambda: report(("alive", 0, 0))
            try:
                return reader.read_document(path, lambda page, pages: report(("done", page, pages)), attempt)
            finally:
                give_back()
        if what == "locate":
            return views.locate(path, *rest)
        if what == "render":
            return views.render(path, *rest)
        raise BugError(f"no such request: {what}")

    return handle
