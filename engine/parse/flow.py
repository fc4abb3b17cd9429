"""Documents without pages (Markdown, HTML, text, office files): the same headings, blocks and tables as a PDF gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.errors import KnownError
from engine.core.model import (
    Block,
    BlockKind,
    Box,
    Cell,
    Column,
    FileKind,
    Heading,
    HeadingSource,
    Line,
    PageBox,
    PageInfo,
    ParsedDocument,
    Table,
    TableRow,
)
from engine.parse.glyphs import clean

_NOWHERE = Box(0.0, 0.0, 0.0, 0.0)
_MAX_LEVEL = 6


class FlowBuilder:
    """Gathers headings and blocks in order; a new page starts where the format has one (slides, sheets)."""

    def __init__(self, kind: FileKind) -> None:
        self._kind = kind
        self._headings: list[Heading] = []
        self._levels: list[tuple[int, int]] = []
        self._blocks: list[Block] = []
        self._tables: list[Table] = []
        self._texts: list[list[str]] = [[]]
        self._labels: list[str] = ["1"]

    @property
    def page(self) -> int:
        return len(self._texts)

    def new_page(self, label: str = "") -> None:
        """Start the next page; the first call before any content only names page 1."""
        if self._texts[-1]:
            self._texts.append([])
            self._labels.append("")
        self._labels[-1] = label or str(len(self._texts))

    def heading(self, title: str, level: int, source: HeadingSource = HeadingSource.MARKUP) -> None:
        """A heading under the nearest earlier heading of a lower level."""
        title = clean(title)
        if not title:
            return
        while self._levels and self._levels[-1][1] >= level:
            self._levels.pop()
        parent = self._levels[-1][0] if self._levels else -1
        path = (*self._headings[parent].path, title) if parent >= 0 else (title,)
        index = len(self._headings)
        self._headings.append(Heading(title, min(len(path), _MAX_LEVEL), self.page, path, parent, None, source, 1.0))
        self._levels.append((index, level))
        self._add(BlockKind.HEADING, title)

    def text(self, text: str, kind: BlockKind = BlockKind.PARAGRAPH) -> None:
        if kind is BlockKind.CODE:
            kept = text.strip("\n")
        else:
            kept = "\n".join(line for line in map(clean, text.split("\n")) if line)
        if kept.strip():
            self._add(kind, kept)

    def table(self, rows: Sequence[Sequence[str]], caption: str = "") -> None:
        """A grid whose first row is the header; short rows are filled with blanks."""
        grid = [[clean(cell) for cell in row] for row in rows]
        grid = [row for row in grid if any(row)]
        if not grid:
            return
        width = max(map(len, grid))
        grid = [row + [""] * (width - len(row)) for row in grid]
        page = self.page
        text = "\n".join(" | ".join(row) for row in grid)
        columns = tuple(Column(name) for name in grid[0])
        body = tuple(TableRow(tuple(map(Cell, row)), page) for row in grid[1:])
        heading = len(self._headings) - 1
        self._tables.append(Table(columns, body, page, (PageBox(page, _NOWHERE),), clean(caption), (), heading))
        self._add(BlockKind.TABLE, text, len(self._tables) - 1)

    def build(
        self, title: str, metadata: Mapping[str, str] | None = None, warnings: Sequence[str] = ()
    ) -> ParsedDocument:
        """The document. Raises KnownError where nothing was gathered."""
        if not self._blocks:
            raise KnownError("The file holds no text.", help="Check that the right file was saved.", code="no-text")
        first = next((b.text for b in self._blocks if b.text.strip()), "")
        pages = tuple(
            PageInfo(number, label, 0.0, 0.0, "\n".join(texts))
            for number, (label, texts) in enumerate(zip(self._labels, self._texts, strict=True), start=1)
        )
        return ParsedDocument(
            kind=self._kind,
            title=clean(title) or first.split("\n")[0][:160],
            headings=tuple(self._headings),
            blocks=tuple(self._blocks),
            tables=tuple(self._tables),
            figures=(),
            pages=pages,
            metadata=dict(metadata or {}),
            warnings=tuple(warnings),
        )

    def _add(self, kind: BlockKind, text: str, table: int = -1) -> None:
        lines = tuple(Line(line, self.page, _NOWHERE) for line in text.split("\n") if line.strip())
        self._blocks.append(Block(kind, text, lines, len(self._headings) - 1, table=table))
        self._texts[-1].append(text)
