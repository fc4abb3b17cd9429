"""Printed lines between headings to blocks: paragraphs, lists, notes, code, tables, figures."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.core.model import Block, BlockKind, Box, Figure, Line, PageBox, Table
from engine.parse.candidates import CAPTION, Body
from engine.parse.content import PageContent, PageLine, RegionKind
from engine.parse.drawings import Drawing, drawings_of
from engine.parse.joining import Vocabulary, join_lines

_ITEM = re.compile(r"^(?:[•\-–—*>»·]|\(?\d{1,2}[.)]|\(?[a-z][.)]|o(?=\s[A-Z]))\s")
_NOTE = re.compile(r"^(?:notes?\b\s*\d*\s*[:.]?|\(\d{1,2}\)|\*+|†|‡|\d{1,2}[.)]?)\s*\S", re.IGNORECASE)
_NOTE_WORD = re.compile(r"^notes?\s*\d*\s*[:.]", re.IGNORECASE)
_MONOSPACED = re.compile(r"cour|mono|consol|typewriter|lucidacons", re.IGNORECASE)
_ENDS = (".", "!", "?", ":", ";", "。", "！", "？")


@dataclass(slots=True)
class _Run:
    """Lines gathered for the block under construction."""

    kind: BlockKind = BlockKind.PARAGRAPH
    lines: list[PageLine] = field(default_factory=list)
    items: list[int] = field(default_factory=list)
    """Where in `lines` the items of a list start."""


@dataclass(frozen=True, slots=True)
class Placed:
    """What is already known of the lines: headings, what to leave out, where tables and figures start."""

    headings: Mapping[tuple[int, int], int]
    """(page, first line) -> heading."""
    spans: frozenset[tuple[int, int]]
    skip: frozenset[tuple[int, int]]
    contents: frozenset[tuple[int, int]]
    table_of: Mapping[tuple[int, int], int]
    """(page, region) -> table of the document."""
    title: frozenset[tuple[int, int]] = frozenset()
    """Lines that print the document's title."""


def make_blocks(
    pages: Sequence[PageContent],
    placed: Placed,
    orphans: Mapping[int, Sequence[int]],
    body: Body,
    words: Vocabulary,
    titles: Sequence[str],
    title: str,
) -> tuple[tuple[Block, ...], tuple[Figure, ...], dict[int, int]]:
    """Blocks in reading order, figures, and the heading each table stands under.

    `orphans[page]` are headings (from bookmarks) whose title is not printed: they begin at the top of their page.
    """
    maker = _Maker(placed, body, words, titles)
    for page in pages:
        maker.show_title(page, title)
        for heading in orphans.get(page.number, ()):
            maker.start_heading(heading, [])
        maker.read(page)
    maker.flush()
    return tuple(maker.blocks), tuple(maker.figures), maker.heading_of_table


class _Maker:
    def __init__(self, placed: Placed, body: Body, words: Vocabulary, titles: Sequence[str]) -> None:
        self.blocks: list[Block] = []
        self.figures: list[Figure] = []
        self.heading_of_table: dict[int, int] = {}
        self._block_of_table: dict[int, int] = {}
        self._placed = placed
        self._body = body
        self._words = words
        self._titles = titles
        self._heading = -1
        self._run = _Run()

    def read(self, page: PageContent) -> None:
        """Turn a page's lines into blocks."""
        self._drawings = drawings_of(page, self._placed.skip)
        self._shown: set[Drawing] = set()
        index = 0
        while index < len(page.lines):
            key = (page.number, index)
            line = page.lines[index]
            if key in self._placed.headings:
                end = index + 1
                while (page.number, end) in self._placed.spans and (page.number, end) not in self._placed.headings:
                    end += 1
                self.start_heading(self._placed.headings[key], page.lines[index:end])
                index = end
            elif self._left_out(key) or line.kind is RegionKind.MARGIN:
                index += 1
            elif line.region >= 0 and line.kind is not RegionKind.TEXT:
                end = _region_end(page.lines, index)
                self._region(page, index, end)
                index = end
            else:
                self._line(page, index)
                index += 1
        for drawing in self._drawings.unlabelled:
            self._figure(page, drawing)

    def _left_out(self, key: tuple[int, int]) -> bool:
        return key in self._placed.skip or key in self._placed.spans or key in self._placed.title

    def show_title(self, page: PageContent, title: str) -> None:
        """The title as one line of its own: its printed lines may repeat in the running header."""
        lines = [line for i, line in enumerate(page.lines) if (page.number, i) in self._placed.title]
        if lines:
            line = Line(title, page.number, _hull([line.box for line in lines]))
            self.blocks.append(Block(BlockKind.PARAGRAPH, title, (line,), -1))

    def start_heading(self, heading: int, lines: Sequence[PageLine]) -> None:
        self.flush()
        self._heading = heading
        self.blocks.append(Block(BlockKind.HEADING, self._titles[heading], tuple(map(printed, lines)), heading))

    def flush(self) -> None:
        run, self._run = self._run, _Run()
        if not run.lines:
            return
        lines = tuple(map(printed, run.lines))
        if run.kind in (BlockKind.CODE, BlockKind.CONTENTS):
            text = "\n".join(line.text for line in run.lines)
        elif run.kind is BlockKind.LIST:
            starts = [*run.items, len(run.lines)]
            parts = [[line.text for line in run.lines[a:b]] for a, b in itertools.pairwise(starts)]
            text = "\n".join(join_lines(part, self._words) for part in parts)
        else:
            text = join_lines([line.text for line in run.lines], self._words)
        self.blocks.append(Block(run.kind, text, lines, self._heading))

    def _region(self, page: PageContent, start: int, end: int) -> None:
        lines = page.lines[start:end]
        inner = tuple(map(printed, lines))
        if lines[0].kind is RegionKind.TABLE:
            table = self._placed.table_of.get((page.number, lines[0].region), -1)
            self.flush()
            if table >= 0 and table not in self.heading_of_table:
                self.heading_of_table[table] = self._heading
                text = "\n".join(line.text for line in lines)
                self._block_of_table[table] = len(self.blocks)
                self.blocks.append(Block(BlockKind.TABLE, text, inner, self._heading, table=table))
            elif table >= 0:
                # The table goes on over the page: one block holds it whole.
                at = self._block_of_table[table]
                block = self.blocks[at]
                text = "\n".join((block.text, *(line.text for line in lines)))
                self.blocks[at] = replace(block, text=text, lines=(*block.lines, *inner))
            return
        regions = sum(len(table.regions) for table in page.tables)
        self._figure(page, self._drawings.by_figure.get(lines[0].region - regions, Drawing(lines[0].region - regions)))

    def _figure(self, page: PageContent, drawing: Drawing) -> None:
        """One block holds a figure's caption and labels, where the first of them is read."""
        if drawing in self._shown:
            return
        self._shown.add(drawing)
        self.flush()
        captions = [page.lines[i] for i in drawing.lines]
        caption = join_lines([line.text for line in captions], self._words)
        regions = sum(len(table.regions) for table in page.tables)
        labels = [
            line
            for line in page.lines
            if drawing.figure >= 0 and line.kind is RegionKind.FIGURE and line.region - regions == drawing.figure
        ]
        box = page.figures[drawing.figure] if drawing.figure >= 0 else _hull([line.box for line in captions])
        self.figures.append(Figure(page.number, box, caption, drawing.number, self._heading))
        text = "\n".join(part for part in (caption, " ".join(line.text for line in labels)) if part)
        lines = tuple(map(printed, (*captions, *labels)))
        self.blocks.append(Block(BlockKind.FIGURE, text, lines, self._heading, figure=len(self.figures) - 1))

    def _line(self, page: PageContent, index: int) -> None:
        line = page.lines[index]
        if index in self._drawings.by_line:
            self._figure(page, self._drawings.by_line[index])
            return
        if (page.number, index) in self._placed.contents:
            self._add(BlockKind.CONTENTS, line, self._run.kind is BlockKind.CONTENTS)
            return
        if _MONOSPACED.search(line.font):
            self._add(BlockKind.CODE, line, self._run.kind is BlockKind.CODE)
            return
        before = self._run.lines[-1] if self._run.lines else None
        if _ITEM.match(line.text):
            joined = self._run.kind is BlockKind.LIST and before is not None and not self._gap(before, line, 2.2)
            self._add(BlockKind.LIST, line, joined)
            self._run.items.append(len(self._run.lines) - 1)
            return
        small = bool(line.size) and line.size < 0.95 * self._body.size
        if _NOTE_WORD.match(line.text) or (small and _NOTE.match(line.text)):
            self._add(BlockKind.NOTE, line, False)
            return
        kind = self._run.kind if before is not None else BlockKind.PARAGRAPH
        if (
            before is not None
            and kind in (BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.NOTE)
            and self._goes_on(before, line)
        ):
            self._run.lines.append(line)
            return
        self._add(BlockKind.PARAGRAPH, line, False)

    def _add(self, kind: BlockKind, line: PageLine, joined: bool) -> None:
        if not joined:
            self.flush()
            self._run = _Run(kind)
        self._run.lines.append(line)

    def _goes_on(self, before: PageLine, line: PageLine) -> bool:
        """True if `line` continues the paragraph that `before` belongs to, over columns and pages if need be."""
        if CAPTION.match(line.text) or (before.cells != line.cells and max(before.cells, line.cells) > 2):
            return False
        if before.page != line.page or before.column != line.column or line.place.y0 < before.place.y0:
            open_end = not before.text.endswith(_ENDS)
            return open_end and before.size == line.size and (line.text[:1].islower() or before.text[-1:] in "-,\u00ad")
        if self._run.kind is BlockKind.LIST and line.place.x0 < before.place.x0 - 2 and before.text.endswith(_ENDS):
            return False
        if abs(before.size - line.size) > 0.6 or (before.bold != line.bold and not before.lead):
            return not self._gap(before, line, 1.0)
        return not self._gap(before, line, 1.45)

    def _gap(self, before: PageLine, line: PageLine, factor: float) -> bool:
        """True if the line stands further below than `factor` times the document's line distance."""
        if before.page != line.page or before.column != line.column:
            return False
        size = max(before.size, line.size) or before.height
        return line.place.y1 - before.place.y1 > factor * max(1.15, self._body.leading) * size


def _region_end(lines: Sequence[PageLine], start: int) -> int:
    end = start
    while end < len(lines) and lines[end].region == lines[start].region and lines[end].kind is lines[start].kind:
        end += 1
    return end


def _hull(boxes: Sequence[Box]) -> Box:
    return Box(min(b.x0 for b in boxes), min(b.y0 for b in boxes), max(b.x1 for b in boxes), max(b.y1 for b in boxes))


def printed(line: PageLine) -> Line:
    return Line(line.text, line.page, line.box, line.source)


def table_places(pages: Sequence[PageContent], tables: Sequence[Table]) -> dict[tuple[int, int], int]:
    """(page, region on the page) -> index of the joined table that region belongs to."""
    owner: dict[PageBox, int] = {region: i for i, table in enumerate(tables) for region in table.regions}
    found: dict[tuple[int, int], int] = {}
    for page in pages:
        at = 0
        for table in page.tables:
            for region in table.regions:
                if region in owner:
                    found[(page.number, at)] = owner[region]
                at += 1
    return found


def iter_orphans(spans: Sequence[tuple[int, int, int]]) -> Iterator[tuple[int, int]]:
    """(page, heading) of headings that no line prints."""
    for heading, (page, start, end) in enumerate(spans):
        if end <= start:
            yield page, heading
