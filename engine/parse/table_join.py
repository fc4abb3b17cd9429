"""Tables that run over several pages put together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.core.model import Box, Table, TableRow

_CONTINUED = re.compile(r"\(?(?:continued|\bcont(?:['’]?d)?\.?|fortsetzung|suite)\b\)?", re.IGNORECASE)
_SHIFT = 12.0
_LOW = 380.0
"""Points from the top of the page below which a table may go on on the next; pages are 600 points high or more."""


def join_tables(tables: Sequence[Table]) -> tuple[Table, ...]:
    """Tables in page order, each with its parts on the pages that follow.

    A part goes on with the table before it when it begins its page's tables, the table before it ended the previous
    page's, and both have the same columns (or the part has none of its own) at the same places.
    """
    joined: list[Table] = []
    for index, table in enumerate(tables):
        first_on_page = index == 0 or tables[index - 1].page != table.page
        if joined and first_on_page and _goes_on(joined[-1], table):
            joined[-1] = _with_part(joined[-1], table)
        else:
            joined.append(table)
    return tuple(joined)


def _goes_on(table: Table, part: Table) -> bool:
    last = table.regions[-1]
    if part.page != last.page + 1 or len(table.columns) != len(part.columns):
        return False
    own, other = last.box, part.regions[0].box
    placed = abs(own.x0 - other.x0) <= _SHIFT and abs(own.x1 - other.x1) <= _SHIFT
    if _continued(part):
        return _same_header(table, part) or not _named(part)
    if not placed or not part.opens_page or not _from_foot_to_head(own, other):
        return False
    if _same_header(table, part):
        return not part.caption or _bare(part.caption) == _bare(table.caption)
    return not _named(part) and not part.caption


def _from_foot_to_head(above: Box, below: Box) -> bool:
    """Whether a table ended low on its page and its part begins high on the next.

    The same table printed once on every page is many tables.
    """
    return above.y1 >= _LOW and below.y0 <= 0.45 * above.y1


def _continued(part: Table) -> bool:
    return bool(_CONTINUED.search(part.caption))


def _named(table: Table) -> bool:
    return any(column.name for column in table.columns)


def _same_header(table: Table, part: Table) -> bool:
    return [_bare(c.name) for c in table.columns] == [_bare(c.name) for c in part.columns]


def _bare(text: str) -> str:
    return re.sub(r"[^0-9a-z]+", " ", _CONTINUED.sub("", text).casefold()).strip()


def _with_part(table: Table, part: Table) -> Table:
    rows = list(part.rows)
    if rows and not _named(part) and _repeats(table, rows[0]):
        rows = rows[1:]
    section = table.rows[-1].section if table.rows else ""
    if section:
        carried: list[TableRow] = []
        for row in rows:
            if row.section:
                break
            carried.append(replace(row, section=section))
        rows = [*carried, *rows[len(carried) :]]
    return replace(
        table,
        rows=(*table.rows, *rows),
        regions=(*table.regions, *part.regions),
        notes=(*table.notes, *(note for note in part.notes if note not in table.notes)),
        confidence=min(table.confidence, part.confidence),
        doubts=tuple(dict.fromkeys((*table.doubts, *part.doubts))),
    )


def _repeats(table: Table, row: TableRow) -> bool:
    return [_bare(cell.text) for cell in row.cells] == [_bare(column.name) for column in table.columns]
