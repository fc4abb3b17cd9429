"""Puts text and lines on PDF pages and remembers every printed line with its box."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import pymupdf

from tests.makers.sheets.describe import Style

_FACES = {
    "sans": ("helv", "hebo", "heit"),
    "serif": ("tiro", "tibo", "tiit"),
    "mono": ("cour", "cobo", "coit"),
}
_SUBSCRIPT = re.compile(r"_\{([^}]*)\}")
_SUB_SIZE = 0.7
_SUB_DROP = 0.18
A4 = (595.0, 842.0)


@dataclass(frozen=True)
class Printed:
    """A printed line: its text as read, its kind, physical page and box in display coordinates."""

    text: str
    kind: str
    page: int
    box: tuple[float, float, float, float]


def plain(text: str) -> str:
    """The text as it is read: without markup for subscripts, soft hyphens and break marks."""
    return _SUBSCRIPT.sub(r"\1", text).replace("\u00ad", "").replace("\u200b", "")


@dataclass
class Faces:
    """The faces of one document, loaded once so that each is embedded once."""

    fonts: dict[str, pymupdf.Font] = field(default_factory=dict)

    def face(self, style: Style, weight: str) -> pymupdf.Font:
        family = "mono" if weight == "mono" else style.family
        name = _FACES[family][{"bold": 1, "italic": 2}.get(weight, 0)]
        if name not in self.fonts:
            self.fonts[name] = pymupdf.Font(name)
        return self.fonts[name]


def width(text: str, font: pymupdf.Font, size: float) -> float:
    """Printed width in points, subscripts at their smaller size."""
    return sum(font.text_length(piece, fontsize=size * scale) for piece, scale in _pieces(text))


def _pieces(text: str) -> list[tuple[str, float]]:
    out: list[tuple[str, float]] = []
    for index, piece in enumerate(_SUBSCRIPT.split(text.replace("\u200b", "").replace("\u00ad", ""))):
        if piece:
            out.append((piece, _SUB_SIZE if index % 2 else 1.0))
    return out


def wrap(text: str, font: pymupdf.Font, size: float, room: float) -> list[str]:
    """Break into lines no wider than `room`; a hyphen is added only where a soft hyphen allows it."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        trial = f"{line} {word}" if line else word
        if width(trial, font, size) <= room:
            line = trial
            continue
        head, tail = _divide(line, word, font, size, room)
        if head:
            lines.append(head)
            line = tail
        else:
            if line:
                lines.append(line)
            line = word
    if line:
        lines.append(line)
    return lines


def _divide(line: str, word: str, font: pymupdf.Font, size: float, room: float) -> tuple[str, str]:
    for mark, added in (("\u00ad", "-"), ("\u200b", "")):
        places = [i for i, letter in enumerate(word) if letter == mark]
        for place in reversed(places):
            head = f"{line} {word[:place]}{added}" if line else word[:place] + added
            if width(head, font, size) <= room:
                return head, word[place + 1 :]
    return "", ""


class Page:
    """One page being drawn: strokes are kept until `write`, since PyMuPDF drops its page handles on every new page.

    `turned` pages are drawn in landscape and stored rotated.
    """

    def __init__(self, number: int, turned: bool = False) -> None:
        self.number = number
        self.turned = turned
        self.width, self.height = (A4[1], A4[0]) if turned else A4
        self.printed: list[Printed] = []
        self.picture = b""
        self._words: list[tuple[tuple[float, float], str, pymupdf.Font, float]] = []
        self._strokes: list[Callable[[pymupdf.Shape], None]] = []

    def text(
        self, x: float, baseline: float, text: str, font: pymupdf.Font, size: float, kind: str
    ) -> tuple[float, float, float, float]:
        """Print one line and return its box."""
        start = x
        for piece, scale in _pieces(text):
            drop = 0.0 if scale == 1.0 else size * _SUB_DROP
            self._words.append(((x, baseline + drop), piece, font, size * scale))
            x += font.text_length(piece, fontsize=size * scale)
        box = (start, baseline - font.ascender * size, x, baseline - font.descender * size)
        rounded = (round(box[0], 2), round(box[1], 2), round(box[2], 2), round(box[3], 2))
        self.printed.append(Printed(plain(text), kind, self.number, rounded))
        return rounded

    def line(self, x0: float, y0: float, x1: float, y1: float, weight: float = 0.5) -> None:
        def stroke(shape: pymupdf.Shape) -> None:
            shape.draw_line((x0, y0), (x1, y1))
            shape.finish(width=weight)

        self._strokes.append(stroke)

    def curve(self, points: list[tuple[float, float]], weight: float = 1.0) -> None:
        def stroke(shape: pymupdf.Shape) -> None:
            shape.draw_polyline(points)
            shape.finish(width=weight, closePath=False)

        self._strokes.append(stroke)

    def frame(self, x0: float, y0: float, x1: float, y1: float, fill: float | None = None) -> None:
        """A box: filled grey without an edge, or an empty one with an edge."""

        def stroke(shape: pymupdf.Shape) -> None:
            shape.draw_rect((x0, y0, x1, y1))
            if fill is None:
                shape.finish(width=0.7)
            else:
                shape.finish(fill=(fill, fill, fill), color=None, width=0)

        self._strokes.append(stroke)

    def write(self, document: pymupdf.Document) -> None:
        """Append the page to `document`; lines and fills lie under the text."""
        page = document.new_page(width=self.width, height=self.height)
        if self.picture:
            page.insert_image(page.rect, stream=self.picture)
        shape = page.new_shape()
        for stroke in self._strokes:
            stroke(shape)
        if self._strokes:
            shape.commit()
        if self._words:
            writer = pymupdf.TextWriter(page.rect)
            for point, piece, font, size in self._words:
                writer.append(point, piece, font=font, fontsize=size)
            writer.write_text(page)
        if self.turned:
            _turn(document, page)


def _turn(document: pymupdf.Document, page: pymupdf.Page) -> None:
    """Store upright with /Rotate 90: content drawn at landscape (u, v) goes to (width - v, u)."""
    contents = page.get_contents()
    first, last = contents[0], contents[-1]
    before = f"q 0 1 -1 0 {A4[0]:g} 0 cm\n".encode()
    document.update_stream(first, before + document.xref_stream(first))
    document.update_stream(last, document.xref_stream(last) + b"\nQ\n")
    page.set_mediabox(pymupdf.Rect(0, 0, *A4))
    page.set_rotation(90)
