"""The page pass: one page of a PDF to its printed lines in reading order, its tables and its figure regions.

It looks at nothing but the page, so that a page that fails can be replaced by its plain text without touching others.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.core.model import Box, PageStatus, Table
from engine.parse.columns import straddles_columns
from engine.parse.content import PageContent, PageLine, RegionKind
from engine.parse.figures import figure_regions
from engine.parse.glyphs import clean, unreadable_share
from engine.parse.layout import PageLayout, Rule, TextLine, Word, join_words, turn_box
from engine.parse.ocr import Scanner
from engine.parse.page_columns import areas_of, clipped, find_splits
from engine.parse.pdf import page_layout
from engine.parse.reading import Row, reading_rows
from engine.parse.tables import find_tables

_ORNAMENTS = re.compile(r"dingbat|wingding|webding|pithree|bullet|monotypesorts|marlett", re.IGNORECASE)
SIDEWAYS = -2
"""Region of lines that stand on their side."""
_WIDE = 2.0
_UNREADABLE = 0.4
_SCAN_SHARE = 0.5
"""Share of the page's area that pictures must cover for little text to mean a scan."""
_SCAN_WORDS = 60
_MARGIN = 0.12


def read_page(page: Any, scanner: Scanner | None = None) -> PageContent:
    """The content of a `pymupdf.Page`; a picture of text is read by `scanner` where there is one."""
    layout = page_layout(page)
    status, reason = _status(layout)
    if status is PageStatus.NEEDS_OCR and scanner is not None:
        layout, status, reason = _scanned(page, layout, reason, scanner)
    splits = find_splits(layout)
    areas = areas_of(layout, splits)
    tables = tuple(table for table in _tables(layout, areas) if not _across_columns(layout, table))
    table_boxes = [_flow_box(layout, region.box) for table in tables for region in table.regions]
    parts = [clipped(layout, area) for area in areas] if splits else [layout]
    figures = sorted((box for part in parts for box in figure_regions(part, table_boxes)), key=lambda b: (b.y0, b.x0))
    upright = [line for line in layout.lines if line.words[0].angle == 0]
    rows = reading_rows(upright, [*table_boxes, *figures], layout.height, splits)
    sideways = [line for line in layout.lines if line.words[0].angle]
    rows += [Row((line,), (line.box.x0, line.box.x1), _region_of(line.box, table_boxes, figures)) for line in sideways]
    underlines = _Underlines(layout.rules)
    lines = tuple(
        line
        for row in rows
        if (line := _page_line(layout, row, len(table_boxes), underlines)) is not None and line.text
    )
    width, height = layout.width, layout.height
    if layout.turn in (90, 270):
        width, height = height, width
    return PageContent(
        number=layout.number,
        label=page.get_label() or str(layout.number),
        width=width,
        height=height,
        flow=(layout.width, layout.height),
        rotation=layout.rotation,
        status=status,
        reason=reason,
        lines=lines,
        tables=tables,
        figures=tuple(layout.to_display(box) for box in figures),
    )


def _region_of(box: Box, tables: Sequence[Box], figures: Sequence[Box]) -> int:
    """The region a line on its side stands in: labels of axes belong to their plot, names at the edge to nothing."""
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    for index, region in enumerate([*tables, *figures]):
        if region.x0 - 20 <= x <= region.x1 + 20 and region.y0 - 10 <= y <= region.y1 + 10:
            return index
    return SIDEWAYS


def _across_columns(layout: PageLayout, table: Table) -> bool:
    return any(straddles_columns(_flow_box(layout, region.box), layout.lines) for region in table.regions)


def _tables(layout: PageLayout, areas: Sequence[Box]) -> tuple[Table, ...]:
    found = find_tables(layout, areas)
    return tuple(_displayed(layout, table) for table in found) if layout.turn else found


def _displayed(layout: PageLayout, table: Table) -> Table:
    """A table found on a turned layout, in the coordinates of the displayed page."""
    rows = []
    for row in table.rows:
        cells = tuple(replace(c, box=layout.to_display(c.box)) if c.box else c for c in row.cells)
        rows.append(replace(row, cells=cells, box=layout.to_display(row.box) if row.box else None))
    regions = tuple(replace(region, box=layout.to_display(region.box)) for region in table.regions)
    return replace(table, rows=tuple(rows), regions=regions)


def _flow_box(layout: PageLayout, box: Box) -> Box:
    if not layout.turn:
        return box
    width, height = layout.width, layout.height
    if layout.turn in (90, 270):
        width, height = height, width
    return turn_box(box, layout.turn, width, height)


# --- status -----------------------------------------------------------------------------------------------------------


def _status(layout: PageLayout) -> tuple[PageStatus, str]:
    """A page whose body is a picture is a scan even if a header and footer are printed over it."""
    top, foot = _MARGIN * layout.height, (1 - _MARGIN) * layout.height
    body = [w for w in layout.words if top <= (w.box.y0 + w.box.y1) / 2 <= foot]
    covered = _covered(layout)
    if covered >= _SCAN_SHARE and len(body) < _SCAN_WORDS:
        return PageStatus.NEEDS_OCR, "The page is a picture of text."
    if unreadable_share("".join(w.text for w in layout.words)) > _UNREADABLE:
        return PageStatus.NEEDS_OCR, "The fonts of this page do not say which characters they show."
    if not layout.words:
        if covered >= 0.02:
            return PageStatus.NEEDS_OCR, "The page holds a picture and no text."
        return PageStatus.EMPTY, "The page is blank."
    return PageStatus.TEXT, ""


def _scanned(page: Any, layout: PageLayout, reason: str, scanner: Scanner) -> tuple[PageLayout, PageStatus, str]:
    if scanner.missing:
        return layout, PageStatus.NEEDS_OCR, f"{reason.rstrip('.')}, and {scanner.missing}."
    readable = unreadable_share("".join(word.text for word in layout.words)) <= _UNREADABLE
    read = scanner.layout(page, layout, readable)
    if len(read.words) <= len(layout.words) and readable:
        # A picture without text: a photograph, a drawing, an empty form.
        status = PageStatus.TEXT if layout.words else PageStatus.EMPTY
        return layout, status, "" if layout.words else "The page holds a picture without text."
    return read, PageStatus.OCR, "Text read from a picture."


def _covered(layout: PageLayout) -> float:
    """Share of the page that pictures cover; overlapping strips of a scan are counted by their hull in rows."""
    area = layout.width * layout.height
    if not area:
        return 0.0
    total = sum(
        max(0.0, min(b.x1, layout.width) - max(b.x0, 0.0)) * max(0.0, min(b.y1, layout.height) - max(b.y0, 0.0))
        for b in layout.images
    )
    return min(1.0, total / area)


# --- lines ------------------------------------------------------------------------------------------------------------


def _page_line(layout: PageLayout, row: Row, tables: int, underlines: _Underlines) -> PageLine | None:
    words = [_bullet(word) for line in row.lines for word in line.words]
    source = join_words(words)
    # A raised mark before the first word points to a note or a revision and is no part of the line.
    marked = len(words) > 1 and words[0].superscript and words[1].attached and words[0].text.isdigit()
    text = clean(join_words(words[1:]) if marked else source)
    if not text:
        return None
    place = _hull([line.box for line in row.lines])
    size, font, bold, italic = _style(words)
    if row.region == SIDEWAYS:
        kind = RegionKind.MARGIN
    else:
        kind = RegionKind.TEXT if row.region < 0 else RegionKind.TABLE if row.region < tables else RegionKind.FIGURE
    return PageLine(
        text=text,
        source=source if source != text else "",
        page=layout.number,
        place=place,
        box=layout.to_display(place),
        size=size,
        font=font,
        bold=bold,
        italic=italic,
        column=row.column,
        cells=_cells(row.lines, size),
        kind=kind,
        region=row.region,
        underlined=underlines.under(place),
        lead=_lead(words, bold),
        side=row.side,
    )


def _bullet(word: Word) -> Word:
    """In fonts of ornaments a letter at the start of a line is drawn as a square or a disc."""
    if len(word.text) == 1 and _ORNAMENTS.search(word.font):
        return replace(word, text="•")
    return word


def _cells(lines: Sequence[TextLine], size: float) -> int:
    gaps = sum(b.box.x0 - a.box.x1 > _WIDE * size for a, b in itertools.pairwise(lines))
    return 1 + gaps


def _style(words: Sequence[Word]) -> tuple[float, str, bool, bool]:
    """Size, font and weight that most of the line's characters have."""
    sizes: Counter[float] = Counter()
    fonts: Counter[str] = Counter()
    bold = italic = total = 0
    for word in words:
        count = len(word.text)
        sizes[round(word.size * 2) / 2] += count
        fonts[word.font] += count
        bold += count * word.bold
        italic += count * word.italic
        total += count
    return sizes.most_common(1)[0][0], fonts.most_common(1)[0][0], bold > 0.6 * total, italic > 0.6 * total


def _lead(words: Sequence[Word], bold: bool) -> str:
    if bold or not words[0].bold:
        return ""
    end = next((i for i, word in enumerate(words) if not word.bold), len(words))
    return clean(join_words(words[:end]))


class _Underlines:
    """The page's horizontal rulings by height, to ask quickly whether one closely underlines a line of text."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = sorted((rule for rule in rules if rule.horizontal), key=lambda rule: rule.y0)
        self._heights = [rule.y0 for rule in self._rules]

    def under(self, place: Box) -> bool:
        width, height = place.x1 - place.x0, place.y1 - place.y0
        first = bisect_right(self._heights, place.y1 - 0.35 * height)
        last = bisect_left(self._heights, place.y1 + 3.0)
        return any(
            abs(rule.x0 - place.x0) < 4.0 and abs(rule.x1 - place.x1) < max(4.0, 0.05 * width)
            for rule in self._rules[first:last]
        )


def _hull(boxes: Sequence[Box]) -> Box:
    return Box(min(b.x0 for b in boxes), min(b.y0 for b in boxes), max(b.x1 for b in boxes), max(b.y1 for b in boxes))


def plain_page(page: Any, reason: str) -> PageContent:
    """The fallback: the words in content order, without layout."""
    lines = []
    width, height = float(page.rect.width), float(page.rect.height)
    for x0, y0, x1, y1, text, _, kind in page.get_text("blocks"):
        if kind == 0:
            box = Box(x0, y0, x1, y1)
            pieces = [clean(piece) for piece in text.splitlines()]
            step = (y1 - y0) / max(1, len(pieces))
            for index, piece in enumerate(pieces):
                if piece:
                    part = Box(x0, y0 + index * step, x1, y0 + (index + 1) * step)
                    lines.append(
                        PageLine(piece, "", page.number + 1, part, part, 0.0, "", False, False, (box.x0, box.x1))
                    )
    return PageContent(
        page.number + 1,
        page.get_label() or str(page.number + 1),
        width,
        height,
        (width, height),
        int(page.rotation),
        PageStatus.FALLBACK,
        reason,
        tuple(lines),
    )


def lost_page(number: int, reason: str) -> PageContent:
    """A page of which not even the plain text can be had."""
    return PageContent(number, str(number), 0.0, 0.0, (0.0, 0.0), 0, PageStatus.FALLBACK, reason, ())
