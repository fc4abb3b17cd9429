"""One file to one parsed document; runs in the child process."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.core.errors import Cancelled, KnownError
from engine.core.model import FileKind, PageStatus, ParsedDocument
from engine.parse import mupdf
from engine.parse.assemble import assemble
from engine.parse.content import PageContent
from engine.parse.epub import read_epub
from engine.parse.faults import Faults
from engine.parse.kinds import sniff
from engine.parse.markup import read_html, read_markdown, read_text
from engine.parse.ocr import Scanner
from engine.parse.office import read_docx, read_pptx, read_xlsx
from engine.parse.page import lost_page, plain_page, read_page

_SALVAGE_BYTES = 512 << 20
_READERS = {
    FileKind.MARKDOWN: read_markdown,
    FileKind.HTML: read_html,
    FileKind.TEXT: read_text,
    FileKind.DOCX: read_docx,
    FileKind.PPTX: read_pptx,
    FileKind.XLSX: read_xlsx,
    FileKind.EPUB: read_epub,
}
OnPage = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Attempt:
    """How to read: what failed before, where page contents are kept between attempts, how to notice a cancel,
    and what reads scanned pages (None: they are only named).

    `starting` is told each page before it is touched (0: the pass over the whole document), so that whoever kills the
    process knows what it died of.
    """

    faults: Faults = field(default_factory=Faults)
    spool: Path | None = None
    starting: OnPage | None = None
    cancelled: Callable[[], bool] | None = None
    scanner: Scanner | None = None


def read_document(path: Path, on_page: OnPage | None = None, attempt: Attempt | None = None) -> ParsedDocument:
    """Parse `path` by what it holds. Raises KnownError with a plain reason, Cancelled on cancel."""
    attempt = attempt or Attempt()
    kind = sniff(path)
    if kind is FileKind.PDF:
        return _read_pdf(path, on_page, attempt)
    return _READERS[kind](path)


def open_pdf(path: Path) -> Any:
    """A `pymupdf.Document` with at least one page and no password."""
    fitz = mupdf.load()
    try:
        document = fitz.open(str(path), filetype="pdf")
    except (RuntimeError, ValueError, fitz.mupdf.FzErrorBase):
        document = _salvaged(path)
    if document.needs_pass:
        document.close()
        raise KnownError(
            "A password is needed to open this PDF.",
            help="Save a copy without the password and put it in its place.",
            code="password",
        )
    if document.page_count == 0:
        document.close()
        raise KnownError(
            "The PDF is damaged: it holds no page that can be read.",
            help="Copy or download it again.",
            code="no-pages",
        )
    return document


def _salvaged(path: Path) -> Any:
    """What is left of a PDF cut off inside an object: everything up to the last whole one."""
    fitz = mupdf.load()
    damaged = KnownError("The PDF is damaged beyond repair.", help="Copy or download it again.", code="damaged")
    if path.stat().st_size > _SALVAGE_BYTES:
        raise damaged
    data = path.read_bytes()
    end = data.rfind(b"endobj")
    if end < 0:
        raise damaged
    try:
        return fitz.open(stream=data[: end + len(b"endobj")] + b"\n", filetype="pdf")
    except (RuntimeError, ValueError, fitz.mupdf.FzErrorBase) as error:
        raise damaged from error


def _read_pdf(path: Path, on_page: OnPage | None, attempt: Attempt) -> ParsedDocument:
    document = open_pdf(path)
    try:
        warnings = _repairs(document, path)
        contents = _spooled(attempt.spool)
        total = int(document.page_count)
        for number in range(len(contents) + 1, total + 1):
            if attempt.cancelled is not None and attempt.cancelled():
                raise Cancelled
            if attempt.starting is not None:
                attempt.starting(number, total)
            content = _read_one(document, number, attempt)
            contents.append(content)
            _spool(attempt.spool, content)
            if on_page is not None:
                on_page(number, total)
        if attempt.starting is not None:
            attempt.starting(0, total)
        _refuse_blank(contents)
        bookmarks = _bookmarks(document)
        metadata = {key: str(value) for key, value in (document.metadata or {}).items() if value}
    finally:
        document.close()
        mupdf.load().TOOLS.store_shrink(100)
    failed = [page for page in contents if page.status is PageStatus.FALLBACK]
    warnings += [f"Page {page.number}: {page.reason}" for page in failed[:20]]
    if attempt.faults.flat:
        return assemble(contents, [], metadata, [*warnings, f"No outline: {attempt.faults.flat}"], flat=True)
    return assemble(contents, bookmarks, metadata, warnings)


def _read_one(document: Any, number: int, attempt: Attempt) -> PageContent:
    fitz = mupdf.load()
    faults = attempt.faults
    if number in faults.lost:
        return lost_page(number, faults.lost[number])
    reason = faults.plain.get(number, "")
    try:
        page = document.load_page(number - 1)
        if not reason:
            return read_page(page, attempt.scanner)
    except MemoryError:
        reason = "the layout needs more memory than it may use; plain text is used."
    except (RuntimeError, ValueError, fitz.mupdf.FzErrorBase) as error:
        reason = f"the layout cannot be read ({_short(error)}); plain text is used."
    try:
        return plain_page(document.load_page(number - 1), reason)
    except (RuntimeError, ValueError, MemoryError, fitz.mupdf.FzErrorBase) as error:
        return lost_page(number, f"the page is damaged and cannot be read ({_short(error)}).")


def _short(error: BaseException) -> str:
    return " ".join(str(error).split())[:80] or type(error).__name__


def _repairs(document: Any, path: Path) -> list[str]:
    if not document.is_repaired:
        return []
    with path.open("rb") as stream:
        stream.seek(0, 2)
        stream.seek(max(0, stream.tell() - 2048))
        cut = b"%%EOF" not in stream.read()
    what = "it is cut off; what is left of it" if cut else "it"
    return [f"The PDF was damaged: {what} was repaired, and pages or text may be missing."]


def _bookmarks(document: Any) -> Sequence[Sequence[object]]:
    fitz = mupdf.load()
    try:
        toc: Sequence[Sequence[object]] = document.get_toc(simple=True)
    except (RuntimeError, ValueError, TypeError, KeyError, IndexError, fitz.mupdf.FzErrorBase):
        return []
    return toc


def _refuse_blank(contents: Sequence[PageContent]) -> None:
    if all(page.status is PageStatus.EMPTY for page in contents):
        pages = "its only page is" if len(contents) == 1 else f"all {len(contents)} pages are"
        raise KnownError(
            f"The PDF holds no text: {pages} blank.", help="Check that the right file was saved.", code="no-text"
        )


# --- page contents kept between attempts ------------------------------------------------------------------------------


def _spooled(spool: Path | None) -> list[PageContent]:
    """What an earlier attempt, ended by a kill, had finished; a half-written tail is left out."""
    contents: list[PageContent] = []
    if spool is None or not spool.exists():
        return contents
    with spool.open("rb") as stream:
        sound = 0
        while True:
            try:
                contents.append(pickle.load(stream))
            except (EOFError, pickle.UnpicklingError, ValueError):
                break
            sound = stream.tell()
    with spool.open("r+b") as stream:
        stream.truncate(sound)
    return contents


def _spool(spool: Path | None, content: PageContent) -> None:
    if spool is not None:
        with spool.open("ab") as stream:
            pickle.dump(content, stream)
