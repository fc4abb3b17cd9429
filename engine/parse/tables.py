"""Tables of a page, ruled and unruled, and tables that run over several pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.core.model import Box, Table
from engine.parse.layout import PageLayout, Word
from engine.parse.page_columns import holds
from engine.parse.table_aligned import aligned_regions
from engine.parse.table_build import build
from engine.parse.table_caption import with_caption
from engine.parse.table_drawing import drawn_in, inside, is_grid, is_listing
from engine.parse.table_header import read_head
from engine.parse.table_join import join_tables
from engine.parse.table_open import Region, header_regions, is_header_row, open_table, pair_regions
from engine.parse.table_roles import is_label
from engine.parse.table_rules import (
    MOST_RULES,
    Cluster,
    Line,
    clusters,
    goes_on,
    joined_pieces,
    merged_lines,
    without_frames,
)
from engine.parse.table_sheet import drawn_sheet
from engine.parse.table_stack import NUMBERED, stack_regions, stacks
from engine.parse.table_text import Row, hull, is_filler, phrases, printed_rows

__all__ = ["find_tables", "join_tables"]

_RULED, _ACROSS, _HEADED, _PAIRS = 1.0, 0.95, 0.9, 0.85
_HEADING = re.compile(rf"(?:{NUMBERED.pattern}|\d+(?:\.\d+)+\.?\s)", re.IGNORECASE)
_OVER = 6.0
"""How far (points) a ruling may reach over the edge of its column."""
_NARROWEST = 0.22
"""Share of the page's width below which rulings are no table of their own."""


def find_tables(layout: PageLayout, areas: Sequence[Box] = ()) -> tuple[Table, ...]:
    """The tables of a page in reading order, boxes in the layout's coordinates, headings left at -1.

    `areas` part the page where it is set in columns: rows of tables without vertical rulings never run from one into
    another.
    """
    if len(layout.words) < 4:
        return ()
    words = [word for word in layout.words if word.text.strip() and not is_filler(word.text)]
    across, down = merged_lines(layout.rules)
    if len(across) + len(down) > MOST_RULES:
        across, down = [], []
    across, down = without_frames(across, down, layout.width, layout.height)
    page = _Page(layout, words, across, down, [])
    page.ruled()
    whole = Box(0.0, 0.0, layout.width, layout.height)
    captioned: list[Table] = []
    for area in areas if len(areas) > 1 else (whole,):
        captioned += _in_area(page, area, whole=area == whole)
    return tuple(sorted(captioned, key=lambda table: (table.regions[0].box.y0, table.regions[0].box.x0)))


def _in_area(page: _Page, area: Box, whole: bool) -> list[Table]:
    """The tables of one column or stretch of the page, ruled or not, with their captions."""
    part = page if whole else page.part(area)
    part.stacked(part.rows())
    part.opened(header_regions(part.rows()), _HEADED)
    part.opened(aligned_regions(part.rows()), _PAIRS)
    part.opened(pair_regions(part.rows()), _PAIRS)
    rows = part.rows()
    return [with_caption(table, rows, page.layout.height) for table in part.found]


def _labelled(row: Row) -> bool:
    """Bold header words of a table without limits."""
    found = phrases(row)
    return all(word.bold for word in row.words) and sum(is_label(phrase.text) for phrase in found) >= 2


def _area(cluster: Cluster) -> float:
    """Grids inside the cell of another come first."""
    box = cluster.box
    return (box.x1 - box.x0) * (box.y1 - box.y0)


@dataclass(slots=True)
class _Page:
    """A page being read: tables found so far take their words out of what the later passes see."""

    layout: PageLayout
    words: list[Word]
    across: list[Line]
    down: list[Line]
    found: list[Table]
    lines: list[Row] = field(default_factory=list)
    seen: int = -1

    def part(self, area: Box) -> _Page:
        """What of the page lies in an area; rulings that leave it belong to no table inside."""
        words = [word for word in self.words if holds(area, word.box)]
        across = [
            line
            for line in self.across
            if area.y0 <= line.at <= area.y1 and line.start >= area.x0 - _OVER and line.end <= area.x1 + _OVER
        ]
        found = [table for table in self.found if holds(area, table.regions[0].box)]
        return _Page(self.layout, words, across, self.down, found)

    def rows(self) -> list[Row]:
        """The printed lines outside the tables found so far."""
        if self.seen == len(self.found):
            return self.lines
        self.seen = len(self.found)
        boxes = [table.regions[0].box for table in self.found]
        if boxes:
            self.words = [word for word in self.words if not any(inside(word.box, box) for box in boxes)]
        self.lines = printed_rows(self.words)
        return self.lines

    def ruled(self) -> None:
        used: set[Line] = set()
        for cluster in sorted(self._whole_clusters(), key=_area):
            box = cluster.box
            if box.x1 - box.x0 < 40 or box.y1 - box.y0 < 14 or len(cluster.across) + len(cluster.down) < 4:
                continue
            sheet = drawn_sheet(cluster, self.words)
            if sheet is None or not is_grid(cluster, sheet, self.layout):
                continue
            table = build(sheet, read_head(sheet), self.layout.number, _RULED)
            if table is not None and len(table.columns) >= 2:
                self.found.append(table)
                used.update(cluster.across)
                self.words = [word for word in self.words if not inside(word.box, box)]
        self.across = [line for line in self.across if line not in used]

    def _whole_clusters(self) -> list[Cluster]:
        """Clusters, put together where only a sub-header interrupts the vertical rulings."""
        found: list[Cluster] = []
        for cluster in sorted(clusters(self.across, self.down), key=lambda c: c.box.y0):
            upper = next((c for c in reversed(found) if goes_on(c, cluster) and self._label_between(c, cluster)), None)
            if upper is not None:
                found[found.index(upper)] = Cluster(upper.across + cluster.across, upper.down + cluster.down)
            else:
                found.append(cluster)
        return found

    def _label_between(self, upper: Cluster, lower: Cluster) -> bool:
        above, below = upper.box, lower.box
        between = [w for w in self.words if above.y1 - 2 < (w.box.y0 + w.box.y1) / 2 < below.y0 + 2]
        between = [w for w in between if (w.box.x0 + w.box.x1) / 2 < above.x1 + 2]
        rows = printed_rows(between)
        if len(rows) > 1 or any(_HEADING.match(row.text) for row in rows):
            return False
        first = printed_rows(w for w in self.words if inside(w.box, Box(below.x0, below.y0, below.x1, below.y0 + 24)))
        return not any(is_header_row(row) or _labelled(row) for row in first[:2])

    def stacked(self, rows: Sequence[Row]) -> None:
        across = [line for line in joined_pieces(self.across) if not self._boxed(line)]
        for main, inner in stacks(across, _NARROWEST * self.layout.width):
            taken = [table.regions[0].box for table in self.found]
            free = [row for row in rows if not any(inside(row.box, box) for box in taken)]
            self.opened(stack_regions(main, inner, free), _ACROSS)

    def _boxed(self, line: Line) -> bool:
        """Whether a ruling is the side of a small box drawn inside a cell."""
        ends = [
            any(abs(v.at - x) < 2.0 and v.start - 2.0 <= line.at <= v.end + 2.0 for v in self.down)
            for x in (line.start, line.end)
        ]
        return all(ends) and line.length < _NARROWEST * self.layout.width

    def opened(self, regions: Sequence[Region], confidence: float) -> None:
        for region in regions:
            box = hull(row.box for row in region.rows)
            if drawn_in(self.layout, self.across, self.down, box, len(region.rows)):
                continue
            table = open_table(region, self.layout.number, confidence)
            if table is not None and len(table.columns) >= 2 and (region.header or is_listing(table)):
                self.found.append(table)
