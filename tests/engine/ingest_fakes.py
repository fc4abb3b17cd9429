"""Fakes of the engine's Protocols for tests of the ingest: a parser of marked-up text, a hashing embedder."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from engine.core.cancel import CancelToken
from engine.core.errors import KnownError
from engine.core.model import (
    Block,
    BlockKind,
    Box,
    FileKind,
    Heading,
    Line,
    PageBox,
    PageInfo,
    PageStatus,
    ParsedDocument,
)
from engine.core.ports import Matrix, Vector

BOX = Box(10, 10, 200, 20)


class TextParser:
    """Reads text files: `# x` headings, `---` page breaks, `!fail why`, `!ocr` for a page without text."""

    def __init__(self) -> None:
        self.parsed: list[str] = []

    def parse(
        self, path: Path, *, cancel: CancelToken, on_page: Callable[[int, int], None] | None = None
    ) -> ParsedDocument:
        cancel.raise_if_cancelled()
        self.parsed.append(path.name)
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:  # as every parser must tell it
            raise KnownError(f"{path.name} cannot be opened.") from error
        if text.startswith("!fail"):
            raise KnownError(text[6:].strip() or "it is damaged")
        if text.startswith("!bug"):
            raise IndexError("list index out of range")
        return parse_text(text, on_page)

    def locate(self, path: Path, page: int, quote: str) -> tuple[PageBox, ...]:
        return ()

    def close(self) -> None:
        return None


def parse_text(text: str, on_page: Callable[[int, int], None] | None = None) -> ParsedDocument:
    headings: list[Heading] = []
    blocks: list[Block] = []
    pages: list[PageInfo] = []
    sheets = text.split("\n---\n")
    for number, sheet in enumerate(sheets, start=1):
        status = PageStatus.NEEDS_OCR if sheet.strip() == "!ocr" else PageStatus.TEXT
        shown = "" if status is PageStatus.NEEDS_OCR else sheet
        pages.append(PageInfo(number, str(number), 612, 792, shown, status))
        for paragraph in shown.split("\n\n"):
            words = paragraph.strip()
            if not words:
                continue
            lines = tuple(Line(line, number, BOX) for line in words.splitlines())
            if words.startswith("#"):
                level = len(words) - len(words.lstrip("#"))
                title = words.lstrip("# ")
                above = [h for h in headings if h.level < level]
                path = (*above[-1].path, title) if above else (title,)
                headings.append(Heading(title, level, number, path, headings.index(above[-1]) if above else -1))
                blocks.append(Block(BlockKind.HEADING, title, lines, len(headings) - 1))
            else:
                blocks.append(Block(BlockKind.PARAGRAPH, words, lines, len(headings) - 1))
        if on_page is not None:
            on_page(number, len(sheets))
    title = headings[0].title if headings else text.strip().split("\n")[0][:60]
    return ParsedDocument(FileKind.TEXT, title, tuple(headings), tuple(blocks), (), (), tuple(pages))


class HashEmbedder:
    """Words hashed into `dimension` buckets: texts that share words are near. Counts what it embeds."""

    def __init__(self, key: str = "fake:1", dimension: int = 32) -> None:
        self._key = key
        self._dimension = dimension
        self.embedded = 0

    @property
    def model_key(self) -> str:
        return self._key

    @property
    def dimension(self) -> int:
        return self._dimension

    def embed_passages(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Matrix:
        if cancel is not None:
            cancel.raise_if_cancelled()
        self.embedded += len(texts)
        return np.array([self._vector(text) for text in texts], dtype=np.float32).reshape(len(texts), self._dimension)

    def embed_query(self, text: str) -> Vector:
        return self._vector(text)

    def _vector(self, text: str) -> Vector:
        vector = np.zeros(self._dimension, dtype=np.float32)
        for word in text.casefold().split():
            digest = hashlib.blake2b(word.encode(), digest_size=4).digest()
            vector[int.from_bytes(digest) % self._dimension] += 1.0
        norm = float(np.linalg.norm(vector))
        return vector / norm if norm else vector + np.float32(1 / np.sqrt(self._dimension))
