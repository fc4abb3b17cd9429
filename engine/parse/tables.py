"""Tables of a page, ruled and unruled, and tables that run over several pages."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.model import Box, Table
from engine.parse.layout import PageLayout, Word
from engine.parse.table_build import build
from engine.parse.table_caption import with_caption
from engine.parse.table_header import read_head
from engine.parse.table_join import join_tables
from engine.parse.table_open import header_regions, open_table, pair_regions, stack_regions
from engine.parse.table_rules import MOST_RULES, Cluster, Line, clusters, merged_lines, stacks
from engine.parse.table_sheet import Sheet, drawn_sheet
from engine.parse.table_text import cell_text, printed_rows

__all__ = ["find_tables", "join_tables"]

_RULED, _ACROSS, _HEADED, _PAIRS = 1.0, 0.95, 0.9, 0.85


def find_tables(layout: PageLayout) -> tuple[Table, ...]:
    """The tables of a page in reading order, boxes in the layout's coordinates, headings left at -1."""
    if len(layout.words) < 4:
        return ()
    words = [word for word in layout.words if word.text.strip()]
    across, down = merged_lines(layout.rules)
    if len(across) + len(down) > MOST_RULES:
        across, down = [], []
    found: list[Table] = []
    used: list[Line] = []
    for cluster in clusters(across, down):
        table = _ruled(cluster, words, layout)
        if table is not None:
            found.append(table)
            used += cluster.across
    rest = _outside(words, [table.regions[0].box for table in found])
    rows = printed_rows(rest)
    spent = set(used)
    for stack in stacks([line for line in across if line not in spent]):
        for region in stack_regions(stack, rows):
            _add(found, open_table(region, layout.number, _ACROSS))
    rows = printed_rows(_outside(rest, [table.regions[0].box for table in found]))
    for region in header_regions(rows):
        _add(found, open_table(region, layout.number, _HEADED))
    rows = printed_rows(_outside(rest, [table.regions[0].box for table in found]))
    for region in pair_regions(rows):
        _add(found, open_table(region, layout.number, _PAIRS))
    rows = printed_rows(_outside(rest, [table.regions[0].box for table in found]))
    found.sort(key=lambda table: (table.regions[0].box.y0, table.regions[0].box.x0))
    return tuple(with_caption(table, rows) for table in found)


def _add(found: list[Table], table: Table | None) -> None:
    if table is not None and len(table.columns) >= 2:
        found.append(table)


def _outside(words: Sequence[Word], boxes: Sequence[Box]) -> list[Word]:
    return [word for word in words if not any(_in(word.box, box) for box in boxes)]


def _in(box: Box, frame: Box) -> bool:
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return frame.x0 - 1 <= x <= frame.x1 + 1 and frame.y0 - 1 <= y <= frame.y1 + 1


def _ruled(cluster: Cluster, words: Sequence[Word], layout: PageLayout) -> Table | None:
    box = cluster.box
    if box.x1 - box.x0 < 40 or box.y1 - box.y0 < 14 or len(cluster.across) + len(cluster.down) < 4:
        return None
    sheet = drawn_sheet(cluster, words)
    if sheet is None or not _is_table(sheet, layout):
        return None
    return build(sheet, read_head(sheet), layout.number, _RULED)


def _is_table(sheet: Sheet, layout: PageLayout) -> bool:
    """Whether a drawn grid holds a table rather than a plot, a diagram or a frame."""
    if sheet.columns < 2 or len(sheet.bands) < 3:
        return False
    filled = [area for area in sheet.areas if area.words]
    if len(filled) < 4 or len(filled) < 0.3 * len(sheet.areas):
        return False
    box = sheet.box
    drawn = sum(1 for stroke in layout.strokes if _in(stroke, box) and stroke.x1 - stroke.x0 > 3)
    if drawn > 0.5 * len(filled):
        return False
    rows = {area.b0 for area in filled}
    columns = {area.c0 for area in filled}
    longest = max(len(cell_text(area.words)) for area in filled)
    return len(rows) >= 2 and len(columns) >= 2 and longest < 4000
