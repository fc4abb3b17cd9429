"""Word, PowerPoint and Excel files to parsed documents, by python-docx, python-pptx and openpyxl."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

from engine.core.errors import KnownError
from engine.core.model import BlockKind, FileKind, HeadingSource, ParsedDocument
from engine.parse.flow import FlowBuilder
from engine.parse.numbering import read_numbering

_HEADING_STYLE = re.compile(r"^(?:heading|überschrift|titre|título|titolo)\s*(\d)", re.IGNORECASE)
_LIST_STYLE = re.compile(r"^list|^aufzählung|^listen", re.IGNORECASE)
_MAX_ROWS = 20_000
"""Rows of one sheet that are read; a sheet that holds more says so."""
_DAMAGE = (KeyError, ValueError, OSError, SyntaxError, AttributeError, TypeError, IndexError, zipfile.BadZipFile)
"""What the readers raise on files that are not what their names say."""


def _damaged(path: Path, error: Exception) -> KnownError:
    return KnownError(
        f"{path.name} is damaged and cannot be read ({type(error).__name__}).",
        help="Open it in its own program, save it anew and try again.",
        code="damaged",
    )


# --- Word -------------------------------------------------------------------------------------------------------------


def read_docx(path: Path) -> ParsedDocument:
    """Paragraphs, lists and tables in order; headings by style, else by weight and numbering."""
    import docx

    try:
        document = docx.Document(str(path))
        builder = FlowBuilder(FileKind.DOCX)
        parts = list(document.iter_inner_content())
        styled = any(_docx_level(part) for part in parts if hasattr(part, "runs"))
        title = ""
        for part in parts:
            if hasattr(part, "rows"):
                builder.table(_docx_rows(part))
            else:
                title = title or (part.text if part.style is not None and part.style.name == "Title" else "")
                _docx_paragraph(part, builder, styled)
        return builder.build((document.core_properties.title or "").strip() or title)
    except _DAMAGE as error:
        raise _damaged(path, error) from error


def _docx_paragraph(paragraph: Any, builder: FlowBuilder, styled: bool) -> None:
    for _ in range(_page_breaks(paragraph)):
        builder.new_page()
    text = " ".join(paragraph.text.split())
    if not text:
        return
    level = _docx_level(paragraph)
    if level:
        builder.heading(text, level)
    elif not styled and (guessed := _unstyled_level(paragraph, text)):
        source = HeadingSource.NUMBERING if read_numbering(text) else HeadingSource.FONT
        builder.heading(text, guessed, source)
    elif paragraph._p.pPr is not None and (
        paragraph._p.pPr.numPr is not None or _LIST_STYLE.match(paragraph.style.name or "")
    ):
        builder.text(f"• {text}", BlockKind.LIST)
    else:
        builder.text(text)


def _docx_level(paragraph: Any) -> int:
    """Outline level of the paragraph's style (1-9), 0 for running text."""
    style = paragraph.style
    while style is not None:
        if match := _HEADING_STYLE.match(style.name or ""):
            return int(match[1])
        outline = style.element.find(".//" + _w("outlineLvl"))
        if outline is not None and (value := outline.get(_w("val"), "9")).isdigit() and int(value) < 9:
            return int(value) + 1
        style = style.base_style
    return 0


def _unstyled_level(paragraph: Any, text: str) -> int:
    """Documents typed without styles: a short bold paragraph of its own is a heading."""
    runs = [run for run in paragraph.runs if run.text.strip()]
    if not runs or len(text) > 100 or text.endswith((".", ",", ";")) or not all(run.bold for run in runs):
        return 0
    numbering = read_numbering(text)
    return numbering.depth if numbering else 1


def _page_breaks(paragraph: Any) -> int:
    """Page breaks before the paragraph's text: set by hand, or noted by the program that last laid it out."""
    if paragraph.rendered_page_breaks:
        return len(paragraph.rendered_page_breaks)
    breaks = [b for b in paragraph._p.iter(_w("br")) if b.get(_w("type")) == "page"]
    return len(breaks)


def _w(name: str) -> str:
    return "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}" + name


def _docx_rows(table: Any) -> list[list[str]]:
    rows = []
    for row in table.rows:
        cells: list[str] = []
        before = None
        for cell in row.cells:
            # A merged cell is given once for each column it spans.
            cells.append("" if cell._tc is before else " ".join(cell.text.split()))
            before = cell._tc
        rows.append(cells)
    return rows


# --- PowerPoint -------------------------------------------------------------------------------------------------------


def read_pptx(path: Path) -> ParsedDocument:
    """One page a slide, its title the heading; speaker's notes are kept as notes."""
    import pptx

    try:
        deck = pptx.Presentation(str(path))
        builder = FlowBuilder(FileKind.PPTX)
        for number, slide in enumerate(deck.slides, start=1):
            if number > 1:
                builder.new_page(str(number))
            heading = slide.shapes.title
            if heading is not None and heading.text_frame.text.strip():
                builder.heading(" ".join(heading.text_frame.text.split()), 1)
            for shape in _shapes(slide.shapes):
                if heading is None or shape.shape_id != heading.shape_id:
                    _pptx_shape(shape, builder)
            if slide.has_notes_slide and (notes := slide.notes_slide.notes_text_frame) is not None:
                builder.text(notes.text, BlockKind.NOTE)
        return builder.build((deck.core_properties.title or "").strip())
    except _DAMAGE as error:
        raise _damaged(path, error) from error


def _shapes(shapes: Any) -> Iterator[Any]:
    """Shapes as they are read, from top to bottom, groups opened."""
    for shape in sorted(shapes, key=lambda s: (s.top or 0, s.left or 0)):
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes)
        else:
            yield shape


def _pptx_shape(shape: Any, builder: FlowBuilder) -> None:
    if getattr(shape, "has_table", False):
        builder.table([[" ".join(cell.text.split()) for cell in row.cells] for row in shape.table.rows])
    elif getattr(shape, "has_text_frame", False):
        lines = [" ".join(p.text.split()) for p in shape.text_frame.paragraphs]
        lines = [line for line in lines if line]
        if len(lines) > 1:
            builder.text("\n".join(f"• {line}" for line in lines), BlockKind.LIST)
        elif lines:
            builder.text(lines[0])


# --- Excel ------------------------------------------------------------------------------------------------------------


def read_xlsx(path: Path) -> ParsedDocument:
    """One page and one heading a sheet; blank rows part its tables."""
    import openpyxl

    warnings: list[str] = []
    try:
        book = openpyxl.load_workbook(str(path), read_only=True, data_only=True)
        builder = FlowBuilder(FileKind.XLSX)
        for position, sheet in enumerate(book.worksheets):
            if position:
                builder.new_page(sheet.title)
            builder.heading(sheet.title, 1)
            rows: list[list[str]] = []
            for number, row in enumerate(sheet.iter_rows(values_only=True)):
                if number >= _MAX_ROWS:
                    warnings.append(f"Sheet {sheet.title}: only the first {_MAX_ROWS} rows were read.")
                    break
                cells = [_value(value) for value in row]
                if any(cells):
                    rows.append(cells)
                else:
                    _sheet_table(rows, builder)
                    rows = []
            _sheet_table(rows, builder)
        title = (book.properties.title or "").strip()
        book.close()
        return builder.build(title or path.stem, warnings=warnings)
    except _DAMAGE as error:
        raise _damaged(path, error) from error


def _sheet_table(rows: list[list[str]], builder: FlowBuilder) -> None:
    used = [i for i in range(max(map(len, rows), default=0)) if any(i < len(row) and row[i] for row in rows)]
    grid = [[row[i] if i < len(row) else "" for i in used] for row in rows]
    if len(used) == 1 or len(grid) == 1:
        builder.text("\n".join(" ".join(cell for cell in row if cell) for row in grid))
    elif grid:
        builder.table(grid)


def _value(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.12g}"
    if isinstance(value, datetime):
        return value.isoformat(" ") if value.time() != datetime.min.time() else value.date().isoformat()
    return value.isoformat() if isinstance(value, date) else " ".join(str(value).split())
