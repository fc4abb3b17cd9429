"""A page as the layout passes see it: words with their fonts, printed lines, rulings and pictures."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.model import Box


@dataclass(frozen=True, slots=True)
class Word:
    """A run of glyphs without white space. `text` is as printed; normalisation comes later."""

    text: str
    box: Box
    size: float
    font: str
    bold: bool
    italic: bool
    superscript: bool = False


@dataclass(frozen=True, slots=True)
class TextLine:
    """Words that share a baseline and a column of text, left to right."""

    words: tuple[Word, ...]
    box: Box

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


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
    """Everything on a page, in display coordinates (page rotation applied), in content order."""

    number: int
    width: float
    height: float
    rotation: int
    words: tuple[Word, ...]
    lines: tuple[TextLine, ...]
    rules: tuple[Rule, ...]
    images: tuple[Box, ...]
