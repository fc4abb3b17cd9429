"""Tables and parsed documents by hand, for tests of the parameter records."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.ids import DocumentId
from engine.core.model import (
    Block,
    BlockKind,
    Box,
    Cell,
    Column,
    ColumnRole,
    FileKind,
    Heading,
    Line,
    ParameterRecord,
    ParsedDocument,
    Table,
    TableRow,
)
from engine.parameters.records import extract_records

DOCUMENT = DocumentId("d" * 64)
LIMITS = ("Parameter", "Symbol", "Conditions", "Min", "Typ", "Max", "Unit")
ROLES = {
    "parameter": ColumnRole.PARAMETER,
    "symbol": ColumnRole.SYMBOL,
    "conditions": ColumnRole.CONDITION,
    "min": ColumnRole.MIN,
    "typ": ColumnRole.TYP,
    "max": ColumnRole.MAX,
    "value": ColumnRole.VALUE,
    "unit": ColumnRole.UNIT,
}


def table(
    header: Sequence[str | tuple[str, ...]],
    rows: Sequence[Sequence[str]],
    *,
    caption: str = "",
    notes: tuple[str, ...] = (),
    heading: int = 0,
    sections: Sequence[str] = (),
    doubtful: frozenset[tuple[int, int]] = frozenset(),
) -> Table:
    """`header` items are names or (group..., name); a cell "^" spans down from the row above."""
    columns = []
    for item in header:
        *group, name = item if isinstance(item, tuple) else (item,)
        columns.append(Column(name, ROLES.get(name.casefold(), ColumnRole.OTHER), tuple(group)))
    body: list[TableRow] = []
    for number, texts in enumerate(rows):
        cells = []
        for column, text in enumerate(texts):
            box = Box(100.0 * column, 20.0 * number, 100.0 * column + 90, 20.0 * number + 15)
            spanned = body[-1].cells[column].text if text == "^" else text
            cells.append(Cell(spanned, box, inherited=text == "^", doubtful=(number, column) in doubtful))
        box = Box(0, 20.0 * number, 100.0 * len(texts), 20.0 * number + 15)
        body.append(TableRow(tuple(cells), 3, box, sections[number] if sections else ""))
    return Table(tuple(columns), tuple(body), 3, caption=caption, notes=notes, heading=heading)


def parsed(
    tables: Sequence[Table], heading: str = "Electrical Characteristics", features: Sequence[str] = (), lead: str = ""
) -> ParsedDocument:
    """A document with one heading over its tables and one features section."""
    box = Box(0, 0, 100, 10)
    headings = (Heading(heading, 1, 3, (heading,)), Heading("Features", 1, 1, ("Features",)))
    lines = tuple(Line(text, 1, box) for text in features)
    blocks = [Block(BlockKind.LIST, "\n".join(features), lines, 1)] if features else []
    if lead:
        blocks.append(Block(BlockKind.PARAGRAPH, lead, (Line(lead, 3, box),), 0))
    blocks.extend(Block(BlockKind.TABLE, "", (), 0, table=index) for index in range(len(tables)))
    return ParsedDocument(FileKind.PDF, "XY100", headings, tuple(blocks), tuple(tables), (), ())


def records(*tables: Table, heading: str = "Electrical Characteristics", **more: str) -> list[ParameterRecord]:
    """The records of the tables as they stand in one document about the XY100."""
    return list(extract_records(DOCUMENT, parsed(tables, heading, **more), ("XY100",)))  # type: ignore[arg-type]
