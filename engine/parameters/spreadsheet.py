"""Comparison tables as CSV and XLSX: one sheet to read, one with every value, its page and its conditions."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.core.errors import KnownError
from engine.parameters.results import CompareTable, FindResult, ResultRow, ValueCell

_DETAILS = (
    *("part", "document", "asked", "parameter", "kind", "value", "unit", "low", "high", "common unit", "conditions"),
    *("section", "file", "page", "x0", "y0", "x1", "y1", "confidence", "doubts", "corrected"),
)
_STARTS_FORMULA = ("=", "@", "\t", "\r")


def write_csv(table: CompareTable | FindResult, path: Path) -> None:
    """Parts x parameters as UTF-8 with a byte-order mark, for spreadsheets. Raises KnownError as the disk does."""
    try:
        with path.open("w", encoding="utf-8-sig", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["part", "document", *table.parameters, "file and page"])
            for row in table.rows:
                writer.writerow([_inert(text) for text in _readable(row)])
    except OSError as error:
        raise _unwritable(path, error) from error


def write_xlsx(table: CompareTable | FindResult, path: Path) -> None:
    """Two sheets: "Comparison" to read, "Values" with numbers in common units, conditions and places."""
    import xlsxwriter

    try:
        book = xlsxwriter.Workbook(str(path), {"strings_to_formulas": False, "strings_to_urls": False})
        bold, wrap = (
            book.add_format({"bold": True, "text_wrap": True}),
            book.add_format({"text_wrap": True, "valign": "top"}),
        )
        head = ["part", "document", *table.parameters, "file and page"]
        sheet = book.add_worksheet("Comparison")
        sheet.write_row(0, 0, head, bold)
        for number, row in enumerate(table.rows, 1):
            sheet.write_row(number, 0, _readable(row), wrap)
        sheet.set_column(0, len(head), 24)
        sheet.freeze_panes(1, 2)
        sheet.autofilter(0, 0, max(1, len(table.rows)), len(head) - 1)
        values = book.add_worksheet("Values")
        values.write_row(0, 0, _DETAILS, bold)
        for number, line in enumerate(_details(table.parameters, table.rows), 1):
            values.write_row(number, 0, line)
        values.set_column(0, len(_DETAILS), 16)
        values.freeze_panes(1, 0)
        book.close()
    except (OSError, xlsxwriter.exceptions.FileCreateError) as error:
        raise _unwritable(path, error) from error


def cell_text(cell: ValueCell) -> str:
    """ "max 40 µA at VCC = 3 V" as one line of a cell."""
    kind = "" if cell.kind == "value" else f"{cell.kind} "
    unit = f" {cell.unit}" if cell.unit and cell.unit not in cell.value else ""
    conditions = f" at {', '.join(cell.conditions[:3])}" if cell.conditions else ""
    doubt = " (uncertain)" if cell.doubts else ""
    return f"{kind}{cell.value}{unit}{conditions}{doubt}"


def _readable(row: ResultRow) -> list[str]:
    cells = ["\n".join(cell_text(cell) for cell in cells) for cells in row.cells]
    places = dict.fromkeys(f"{cell.file} p. {cell.page}" for cells in row.cells for cell in cells)
    return [row.part, row.title, *cells, "\n".join(places)]


def _details(parameters: Sequence[str], rows: Sequence[ResultRow]) -> Iterator[list[str | float]]:
    for row in rows:
        for asked, cells in zip(parameters, row.cells):
            for cell in cells:
                box = cell.box
                yield [
                    *(row.part, row.title, asked, cell.parameter, cell.kind, cell.value, cell.unit),
                    *("" if value is None else value for value in (cell.low, cell.high)),
                    *(cell.common_unit, "; ".join(cell.conditions), cell.section, cell.file, float(cell.page)),
                    *((box.x0, box.y0, box.x1, box.y1) if box else ("", "", "", "")),
                    *(cell.confidence, "; ".join(cell.doubts), "yes" if cell.corrected else ""),
                ]


def _inert(text: str) -> str:
    """Text from a document must not run as a formula in whatever opens the file."""
    return f"'{text}" if text.startswith(_STARTS_FORMULA) else text


def _unwritable(path: Path, error: Exception) -> KnownError:
    return KnownError(
        f"{path} cannot be written: {getattr(error, 'strerror', None) or error}.",
        help="Choose another place, or close the program that has the file open.",
        code="unwritable",
    )
