"""EPUB books: the documents of the spine, each read as HTML and each a page of its own."""

from __future__ import annotations

import posixpath
import zipfile
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

from engine.core.errors import KnownError
from engine.core.model import FileKind, ParsedDocument
from engine.parse.flow import FlowBuilder
from engine.parse.html import HtmlWalker

_ENCRYPTION = "META-INF/encryption.xml"
_MAX_CHAPTER = 50 << 20
"""Bytes of one unpacked chapter: a longer one is a bomb, not a book."""


def read_epub(path: Path) -> ParsedDocument:
    """Chapters in reading order. Raises KnownError where the container is broken or protected."""
    try:
        with zipfile.ZipFile(path) as book:
            if "META-INF/encryption.xml" in book.namelist() and b"EncryptedData" in book.read(
                "META-INF/encryption.xml"
            ):
                raise KnownError(
                    "The book is protected against copying.", help="Use an unprotected copy.", code="password"
                )
            package = _package(book)
            title, chapters = _spine(book, package)
            builder = FlowBuilder(FileKind.EPUB)
            for number, chapter in enumerate(chapters):
                if book.getinfo(chapter).file_size > _MAX_CHAPTER:
                    continue
                if number:
                    builder.new_page()
                walker = HtmlWalker(builder)
                walker.feed(book.read(chapter).decode("utf-8", "replace"))
                walker.finish()
            return builder.build(title)
    except (zipfile.BadZipFile, KeyError, ElementTree.ParseError, OSError, ValueError) as error:
        raise KnownError(
            f"{path.name} is damaged and cannot be read.", help="Copy or download it again.", code="damaged"
        ) from error


def _package(book: zipfile.ZipFile) -> str:
    root = ElementTree.fromstring(book.read("META-INF/container.xml"))
    for element in root.iter():
        if element.tag.endswith("rootfile"):
            return element.attrib["full-path"]
    raise KeyError("rootfile")


def _spine(book: zipfile.ZipFile, package: str) -> tuple[str, list[str]]:
    """Title and paths of the documents in reading order."""
    root = ElementTree.fromstring(book.read(package))
    title, files, order = "", {}, []
    for element in root.iter():
        name = element.tag.rpartition("}")[2]
        if name == "title" and not title:
            title = (element.text or "").strip()
        elif name == "item":
            files[element.attrib.get("id", "")] = element.attrib.get("href", "")
        elif name == "itemref":
            order.append(element.attrib.get("idref", ""))
    folder = posixpath.dirname(package)
    names = set(book.namelist())
    paths = [posixpath.normpath(posixpath.join(folder, unquote(files[key]))) for key in order if files.get(key)]
    return title, [path for path in paths if path in names]
