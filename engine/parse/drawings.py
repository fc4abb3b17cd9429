"""Which caption belongs to which figure region of a page."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.model import Box
from engine.parse.content import PageContent, PageLine, RegionKind
from engine.parse.figures import FIGURE_CAPTION, is_figure_caption

_REACH = 90.0
_MAX_LINES = 3
_AREA = 2500.0
"""Smallest area, in square points, of a figure without caption or labels that is worth a reference."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure of the page: its region (`figure`, -1 if none was found) and the lines of its caption."""

    figure: int
    lines: tuple[int, ...] = ()
    number: str = ""


@dataclass(frozen=True, slots=True)
class Drawings:
    by_line: dict[int, Drawing]
    by_figure: dict[int, Drawing]
    unlabelled: tuple[Drawing, ...]
    """Regions with neither caption nor label."""


def drawings_of(page: PageContent, skip: frozenset[tuple[int, int]]) -> Drawings:
    """Pair captions with regions, the nearest first, each once."""
    captions = [
        (i, line)
        for i, line in enumerate(page.lines)
        if (page.number, i) not in skip and line.kind is not RegionKind.TABLE and is_figure_caption(line.text)
    ]
    pairs = sorted(
        (distance, i, figure)
        for i, line in captions
        for figure, box in enumerate(page.figures)
        if (distance := _distance(line.box, box)) <= _REACH
    )
    region_of: dict[int, int] = {}
    for _, i, figure in pairs:
        if i not in region_of and figure not in region_of.values():
            region_of[i] = figure
    by_line: dict[int, Drawing] = {}
    by_figure: dict[int, Drawing] = {}
    for i, line in captions:
        match = FIGURE_CAPTION.match(line.text)
        drawing = Drawing(region_of.get(i, -1), _caption_lines(page, i), match["n"].strip() if match else "")
        by_line.update(dict.fromkeys(drawing.lines, drawing))
        if drawing.figure >= 0:
            by_figure[drawing.figure] = drawing
    regions = sum(len(table.regions) for table in page.tables)
    labelled = {line.region - regions for line in page.lines if line.kind is RegionKind.FIGURE}
    bare = [
        Drawing(figure)
        for figure, box in enumerate(page.figures)
        if figure not in by_figure and figure not in labelled and (box.x1 - box.x0) * (box.y1 - box.y0) >= _AREA
    ]
    return Drawings(by_line, by_figure, tuple(bare))


def _distance(caption: Box, figure: Box) -> float:
    """Points between caption and figure, a caption below it counting as nearer than one above."""
    across = max(figure.x0 - caption.x1, caption.x0 - figure.x1, 0.0)
    if caption.y0 >= figure.y1 - 8:
        return max(caption.y0 - figure.y1, 0.0) + 0.3 * across
    if caption.y1 <= figure.y0 + 8:
        return 1.4 * max(figure.y0 - caption.y1, 0.0) + 6.0 + 0.3 * across
    return 0.3 * across


def _caption_lines(page: PageContent, start: int) -> tuple[int, ...]:
    """A caption that fills its column may go on in the next line."""
    lines = [start]
    while len(lines) < _MAX_LINES and lines[-1] + 1 < len(page.lines):
        last, following = page.lines[lines[-1]], page.lines[lines[-1] + 1]
        if not _goes_on(last, following):
            break
        lines.append(lines[-1] + 1)
    return tuple(lines)


def _goes_on(last: PageLine, following: PageLine) -> bool:
    width = last.column[1] - last.column[0]
    alike = following.size == last.size and following.bold == last.bold and following.region == last.region
    near = 0 < following.place.y1 - last.place.y1 < 1.6 * max(last.size, 1.0)
    full = last.place.x1 - last.place.x0 > 0.7 * width and not last.text.endswith(".")
    return alike and near and full and not is_figure_caption(following.text)
