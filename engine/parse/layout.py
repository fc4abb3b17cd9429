"""A page as the layout passes see it: words with their fonts, printed lines, rulings and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.model import Box


@dataclass(frozen=True, slots=True)
class Word:
    """A run of glyphs without white space. `text` is as printed; normalisation comes later.

    `size` is the largest in the word, so that V with a subscript keeps the size of the V. `superscript` words are split
    from what they follow and `attached` to it; `angle` is the direction of the text, 0 when it runs to the right, 90
    when it runs down the page.
    """

    text: str
    box: Box
    size: float
    font: str
    bold: bool
    italic: bool
    superscript: bool = False
    attached: bool = False
    angle: int = 0


@dataclass(frozen=True, slots=True)
class TextLine:
    """Words that share a baseline and a column of text, left to right."""

    words: tuple[Word, ...]
    box: Box

    @property
    def text(self) -> str:
        return join_words(self.words)


@dataclass(frozen=True, slots=True)
class Rule:
    """A horizontal (y0 == y1) or vertical (x0 == x1) ruling; edges of filled boxes count as rulings."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def horizontal(self) -> bool:
        return abs(self.y1 - self.y0) <= abs(self.x1 - self.x0)


@dataclass(frozen=True, slots=True)
class PageLayout:
    """Everything on a page in reading orientation, in content order.

    Coordinates are those of the page as displayed (page rotation applied), turned by a further `turn` degrees clockwise
    where most of the text stands on its side; :meth:`to_display` undoes that turn. `width` and `height` are of the
    turned page. `strokes` are the boxes of drawing that is no ruling (curves, diagonals): where figures are.
    """

    number: int
    width: float
    height: float
    rotation: int
    words: tuple[Word, ...]
    lines: tuple[TextLine, ...]
    rules: tuple[Rule, ...]
    images: tuple[Box, ...]
    turn: int = 0
    strokes: tuple[Box, ...] = ()

    def to_display(self, box: Box) -> Box:
        """A box of this layout in the coordinates of the displayed page."""
        return turn_box(box, -self.turn % 360, self.width, self.height)


_MEASURES = frozenset(("m", "mm", "cm", "km", "in", "s", "V", "A", "W", "Hz"))


def join_words(words: Sequence[Word]) -> str:
    """The words as a person reads them: raised figures after a number are a power, after a word a note mark."""
    parts: list[str] = []
    for index, word in enumerate(words):
        inside = index + 1 < len(words) and words[index + 1].attached
        if not parts or not word.attached:
            parts.append(word.text)
        elif word.superscript and parts[-1][-1:].isdigit() and word.text.lstrip("-+−–").isdigit():
            parts[-1] += "^" + word.text
        elif word.superscript and word.text[:1].isdigit() and not inside and not _closes_unit(parts[-1]):
            parts.append(word.text)
        else:
            parts[-1] += word.text
    return " ".join(parts)


def _closes_unit(text: str) -> bool:
    tail = text.rsplit("/", 1)[-1].lstrip("0123456789.,+-±")
    return tail in _MEASURES


def turn_box(box: Box, degrees: int, width: float, height: float) -> Box:
    """`box` on a page of `width` x `height` after the page is turned clockwise by a multiple of 90 degrees."""
    if degrees == 90:
        return Box(height - box.y1, box.x0, height - box.y0, box.x1)
    if degrees == 180:
        return Box(width - box.x1, height - box.y1, width - box.x0, height - box.y0)
    if degrees == 270:
        return Box(box.y0, width - box.x1, box.y1, width - box.x0)
    return box
