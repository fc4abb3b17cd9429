"""What the page pass leaves of a page for the passes over the whole document: no glyphs, only printed lines."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.core.model import Box, PageStatus, Table


class RegionKind(StrEnum):
    TEXT = "text"
    TABLE = "table"
    FIGURE = "figure"
    MARGIN = "margin"
    """Text on its side at the edge of the page: part of the page, but of no paragraph."""


@dataclass(frozen=True, slots=True)
class PageLine:
    """A printed line of one column in reading order (a whole row where cells stand side by side).

    `place` is the line in reading orientation, which all layout reasoning uses; `box` the same on the displayed page.
    `column` is the horizontal extent of the column. `cells` counts the pieces with wide gaps between them.
    `underlined` is true for a ruling close below,
    `lead` is the bold run the line starts with, `side` is true for a heading in the margin beside the text.
    """

    text: str
    source: str
    page: int
    place: Box
    box: Box
    size: float
    font: str
    bold: bool
    italic: bool
    column: tuple[float, float]
    cells: int = 1
    kind: RegionKind = RegionKind.TEXT
    region: int = -1
    underlined: bool = False
    lead: str = ""
    side: bool = False

    @property
    def height(self) -> float:
        return self.place.y1 - self.place.y0


@dataclass(frozen=True, slots=True)
class PageContent:
    """One page after the page pass: `width` and `height` as displayed, `flow` the same in reading orientation."""

    number: int
    label: str
    width: float
    height: float
    flow: tuple[float, float]
    rotation: int
    status: PageStatus
    reason: str
    lines: tuple[PageLine, ...]
    tables: tuple[Table, ...] = ()
    figures: tuple[Box, ...] = ()
