"""What a file is, by its content; the extension only decides between kinds of text."""

from __future__ import annotations

import zipfile
from pathlib import Path

from engine.core.errors import KnownError
from engine.core.model import FileKind

_HEAD = 4096
_TEXT_KINDS = {
    ".md": FileKind.MARKDOWN,
    ".markdown": FileKind.MARKDOWN,
    ".mkd": FileKind.MARKDOWN,
    ".htm": FileKind.HTML,
    ".html": FileKind.HTML,
    ".xhtml": FileKind.HTML,
}
_MARKERS = (
    ("word/document.xml", FileKind.DOCX),
    ("ppt/presentation.xml", FileKind.PPTX),
    ("xl/workbook.xml", FileKind.XLSX),
    ("META-INF/container.xml", FileKind.EPUB),
)
SUFFIXES = frozenset((*_TEXT_KINDS, ".pdf", ".txt", ".text", ".docx", ".pptx", ".xlsx", ".epub"))
"""Endings of the files a scan offers to the parser."""


def sniff(path: Path) -> FileKind:
    """The kind of a file. Raises KnownError with a plain reason where it is none of ours or cannot be read."""
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
    except FileNotFoundError as error:
        raise KnownError(
            f"There is no file {path.name}.", help="It may have been moved; scan again.", code="no-file"
        ) from error
    except OSError as error:
        reason = error.strerror or "input/output error"
        raise KnownError(
            f"{path.name} cannot be read: {reason}.",
            help="Check that you may open the file.",
            code="unreadable",
            retryable=True,
        ) from error
    if size == 0:
        raise KnownError("The file is empty (0 bytes).", help="Copy or download it again.", code="empty-file")
    suffix = path.suffix.casefold()
    if b"%PDF-" in head[:1024]:
        return FileKind.PDF
    if head.startswith(b"PK\x03\x04"):
        return _archive_kind(path)
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        raise KnownError(
            "It is a binary Office file: an old format, or protected by a password.",
            help="Save it as DOCX, XLSX, PPTX or PDF without a password.",
            code="unsupported",
        )
    if _is_html(head):
        if suffix == ".pdf":
            raise KnownError(
                "It is a web page with the name of a PDF; the download probably failed.",
                help="Download the document again, or rename the file to .html to index the page itself.",
                code="html-not-pdf",
            )
        return FileKind.HTML if suffix not in (".md", ".markdown", ".txt") else _TEXT_KINDS.get(suffix, FileKind.TEXT)
    if suffix == ".pdf":
        return _headless_pdf(path)
    if not _is_text(head):
        raise KnownError(
            "It is no document Sheaf knows: its content is neither text nor any supported format.",
            help="Supported are PDF, DOCX, PPTX, XLSX, EPUB, HTML, Markdown and plain text.",
            code="unknown-format",
        )
    return _TEXT_KINDS.get(suffix, FileKind.TEXT)


def _archive_kind(path: Path) -> FileKind:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except zipfile.BadZipFile as error:
        raise KnownError(
            "The file is a damaged archive (cut off or overwritten).", help="Copy or download it again.", code="damaged"
        ) from error
    for marker, kind in _MARKERS:
        if marker in names:
            return kind
    raise KnownError(
        "It is an archive, not a document.", help="Unpack it and add the documents inside.", code="unknown-format"
    )


def _is_html(head: bytes) -> bool:
    start = head.lstrip(b"\xef\xbb\xbf\r\n\t ").lower()
    if start.startswith(b"<?xml"):
        start = start.partition(b"?>")[2].lstrip()
    while start.startswith(b"<!--"):
        start = start.partition(b"-->")[2].lstrip()
    return start.startswith((b"<!doctype html", b"<html", b"<head", b"<body"))


def _headless_pdf(path: Path) -> FileKind:
    """A PDF whose header is lost can be repaired as long as its objects are there."""
    with path.open("rb") as stream:
        start = stream.read(1 << 20)
    if b" obj" in start and (b"endobj" in start or b"stream" in start):
        return FileKind.PDF
    raise KnownError("It is named .pdf but holds no PDF data.", help="Copy or download it again.", code="not-a-pdf")


def _is_text(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    if b"\x00" in head:
        return False
    control = sum(byte < 0x20 and byte not in (0x09, 0x0A, 0x0C, 0x0D, 0x1B) for byte in head)
    if control > 0.01 * len(head):
        return False
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        # The cut at 4096 bytes may fall inside a character; other encodings have few high bytes.
        return error.start >= len(head) - 3 or sum(byte >= 0x80 for byte in head) < 0.4 * len(head)
    return True
