"""A small press: PDFs set line by line for one check each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.core.model import ParsedDocument
from engine.parse import mupdf
from engine.parse.reader import read_document

PROSE = (
    "The regulator keeps its output within two per cent over the whole range of input",
    "voltages and loads. A ceramic capacitor close to the input pin keeps the supply",
    "quiet while the pass transistor follows fast changes of the load current that a",
    "microcontroller draws when it wakes from sleep and starts to run at full speed.",
)


@dataclass(frozen=True)
class Put:
    """One printed line at (x, y of the baseline)."""

    text: str
    x: float = 72.0
    y: float = 100.0
    size: float = 10.0
    bold: bool = False
    underline: bool = False


class Press:
    """Builds a PDF page by page."""

    def __init__(self, width: float = 595.0, height: float = 842.0) -> None:
        self._fitz = mupdf.load()
        self.document: Any = self._fitz.open()
        self._size = (width, height)
        self.page: Any = None

    def new_page(self) -> None:
        self.page = self.document.new_page(width=self._size[0], height=self._size[1])

    def put(self, lines: Sequence[Put]) -> None:
        for line in lines:
            font = "hebo" if line.bold else "helv"
            self.page.insert_text((line.x, line.y), line.text, fontsize=line.size, fontname=font)
            if line.underline:
                end = line.x + self._fitz.get_text_length(line.text, fontname=font, fontsize=line.size)
                self.page.draw_line((line.x, line.y + 2), (end, line.y + 2))

    def prose(self, y: float, x: float = 72.0, size: float = 10.0, lines: Sequence[str] = PROSE) -> float:
        """Running text from baseline `y` downwards; returns the next free baseline."""
        for line in lines:
            self.put([Put(line, x, y, size)])
            y += 1.25 * size
        return y

    def save(self, path: Path, **options: Any) -> Path:
        self.document.save(str(path), **options)
        self.document.close()
        return path

    def parse(self, folder: Path, name: str = "check.pdf") -> ParsedDocument:
        return read_document(self.save(folder / name))


def outline(parsed: ParsedDocument) -> list[tuple[str, int, int]]:
    """(title, level, page) of every heading."""
    return [(heading.title, heading.level, heading.page) for heading in parsed.headings]


def block_texts(parsed: ParsedDocument) -> list[str]:
    return [block.text for block in parsed.blocks]
