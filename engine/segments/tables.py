"""Tables as segments: figures kept in the text, left out of what is embedded (HiQA 7.4, 7.6)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engine.core.model import Column, ColumnRole, PageBox, Table, TableRow

MAX_TABLE_CHARS = 1500
_MAX_EMBEDDED = 1100
_FIGURES = frozenset(
    (ColumnRole.MIN, ColumnRole.TYP, ColumnRole.MAX, ColumnRole.NOM, ColumnRole.VALUE, ColumnRole.CONDITION)
)
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class TablePart:
    """Some rows of a table under its caption and header."""

    text: str
    embedded: str
    page: int
    pages: tuple[int, ...]
    boxes: tuple[PageBox, ...]


def table_parts(table: Table) -> Iterator[TablePart]:
    """A table in parts of at most about MAX_TABLE_CHARS, cut between rows, caption and header on each."""
    head = _head(table)
    room = max(200, MAX_TABLE_CHARS - len(head))
    group: list[TableRow] = []
    size = 0
    for row in table.rows:
        line = len(_row_line(row)) + len(row.section)
        if group and size + line > room:
            yield _part(table, head, group)
            group, size = [], 0
        group.append(row)
        size += line
    if group or head:
        yield _part(table, head, group)


def _part(table: Table, head: str, rows: list[TableRow]) -> TablePart:
    lines = [head] if head else []
    section = ""
    for row in rows:
        if row.section and row.section != section:
            lines.append(row.section)
        section = row.section
        lines.append(_row_line(row))
    if rows and rows[-1] is table.rows[-1]:
        lines += table.notes
    pages = tuple(sorted({row.page for row in rows})) or (table.page,)
    return TablePart("\n".join(lines), _embedded(table, rows), pages[0], pages, _boxes(table, rows, pages))


def _head(table: Table) -> str:
    titles = [_title(column) for column in table.columns]
    lines = [table.caption] if table.caption else []
    if any(titles):
        lines.append("| " + " | ".join(titles) + " |")
    return "\n".join(lines)


def _title(column: Column) -> str:
    return " ".join(dict.fromkeys(one for one in (*column.group, column.name) if one))


def _row_line(row: TableRow) -> str:
    return "| " + " | ".join(cell.text for cell in row.cells) + " |"


def _embedded(table: Table, rows: list[TableRow]) -> str:
    """Caption, headers, names of rows, units and words; no figures."""
    said: dict[str, None] = {}
    for text in (table.caption, *(_title(column) for column in table.columns)):
        if text:
            said.setdefault(text)
    for row in rows:
        if row.section:
            said.setdefault(row.section)
        for column, cell in zip(table.columns, row.cells, strict=False):
            named = column.role in (ColumnRole.KEY, ColumnRole.PARAMETER, ColumnRole.SYMBOL, ColumnRole.UNIT)
            worded = column.role not in _FIGURES and _WORD.search(cell.text) is not None
            if cell.text and (named or worded):
                said.setdefault(cell.text)
    text = "; ".join(said)
    return text if len(text) <= _MAX_EMBEDDED else text[:_MAX_EMBEDDED].rsplit("; ", 1)[0]


def _boxes(table: Table, rows: list[TableRow], pages: tuple[int, ...]) -> tuple[PageBox, ...]:
    """The rows' own boxes where known, else the table's regions on these pages."""
    own = tuple(PageBox(row.page, row.box) for row in rows if row.box is not None)
    if own and len(own) == len(rows):
        return own
    return tuple(region for region in table.regions if region.page in pages)
