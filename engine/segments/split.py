"""Cutting a parsed document into segments that each stand under one section path.

Over-long sections are cut at block or sentence borders, preferably at a page break; neighbouring sections of a line or
two are put together where they share parent and page. Printed contents lists make no segments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from engine.core.ids import DocumentId, segment_id
from engine.core.model import Block, BlockKind, Box, Figure, Line, PageBox, ParsedDocument, Segment, SegmentKind
from engine.segments.cascade import common_path, embed_text
from engine.segments.tables import table_parts

VERSION = "2"
"""Changes whenever segments of the same document would come out different."""
MAX_CHARS = 1200
"""About 400 tokens of technical text: with the path in front it stays below the embedder's 512."""
_PAGE_CUT = 400
"""A segment at least this long ends with its page."""
_TINY = 280
_MERGED = 900
_LEAST_LABELS = 12
"""Characters: shorter labels of a figure say nothing that could be asked for."""
_CONTEXT = 240
_SENTENCE = re.compile(r"(?<=[.!?。])\s+(?=[^\s])|\n+")
_LEFT_OUT = (BlockKind.HEADING, BlockKind.CONTENTS)


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    lines: tuple[Line, ...]
    page: int
    pages: tuple[int, ...]
    at: int


@dataclass(slots=True)
class _Part:
    """Consecutive pieces of one section: a segment in the making."""

    heading: int
    path: tuple[str, ...]
    pieces: list[_Piece] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(piece.text for piece in self.pieces)

    @property
    def size(self) -> int:
        return sum(len(piece.text) + 1 for piece in self.pieces)

    @property
    def pages(self) -> tuple[int, ...]:
        return tuple(sorted({page for piece in self.pieces for page in piece.pages}))


def make_segments(document: DocumentId, parsed: ParsedDocument) -> tuple[Segment, ...]:
    """All segments in reading order. The same parsed document always gives the same segments."""
    drafts = [*_texts(parsed), *_tables(parsed), *_figures(parsed), *_labels(parsed)]
    order = sorted(range(len(drafts)), key=lambda n: (drafts[n].at, n))
    return tuple(
        Segment(
            id=segment_id(document, drafts[n].page, ordinal, drafts[n].text),
            document=document,
            ordinal=ordinal,
            kind=drafts[n].kind,
            title=parsed.title,
            path=drafts[n].path,
            text=drafts[n].text,
            embed_text=embed_text(parsed.title, drafts[n].path, drafts[n].embedded),
            page=drafts[n].page,
            pages=drafts[n].pages,
            boxes=drafts[n].boxes,
            table=drafts[n].table,
        )
        for ordinal, n in enumerate(order)
    )


@dataclass(frozen=True, slots=True)
class _Draft:
    kind: SegmentKind
    path: tuple[str, ...]
    text: str
    embedded: str
    page: int
    pages: tuple[int, ...]
    boxes: tuple[PageBox, ...]
    at: int
    """Index of the block it begins with: its place in the reading order."""
    table: int = -1


# --- running text -----------------------------------------------------------------------------------------------------


def _texts(parsed: ParsedDocument) -> Iterator[_Draft]:
    for group in _merged(_parts(parsed)):
        path = group[0].path if len(group) == 1 else common_path([part.path for part in group])
        text = group[0].text if len(group) == 1 else "\n".join(_titled(part, path) for part in group)
        pieces = [piece for part in group for piece in part.pieces]
        pages = tuple(sorted({page for piece in pieces for page in piece.pages}))
        lines = [line for piece in pieces for line in piece.lines]
        yield _Draft(SegmentKind.TEXT, path, text, text, pieces[0].page, pages, _page_boxes(lines), pieces[0].at)


def _titled(part: _Part, shared: tuple[str, ...]) -> str:
    own = " > ".join(part.path[len(shared) :])
    return f"{own}\n{part.text}" if own and own != part.text else part.text


def _parts(parsed: ParsedDocument) -> Iterator[_Part]:
    """Sections in reading order, each cut to at most MAX_CHARS."""
    silent = _silent_headings(parsed)
    current: _Part | None = None
    for heading, piece in _pieces(parsed, silent):
        if current is not None and (current.heading != heading or _full(current, piece)):
            yield current
            current = None
        if current is None:
            current = _Part(heading, _path(parsed, heading))
        current.pieces.append(piece)
    if current is not None:
        yield current


def _full(part: _Part, piece: _Piece) -> bool:
    if part.size + len(piece.text) > MAX_CHARS:
        return True
    return part.size >= _PAGE_CUT and piece.page > part.pieces[-1].pages[-1]


def _pieces(parsed: ParsedDocument, silent: set[int]) -> Iterator[tuple[int, _Piece]]:
    for at, block in enumerate(parsed.blocks):
        if block.kind is BlockKind.HEADING:
            # A heading that nothing stands under is kept as text: it may be the only trace of its line.
            if block.heading in silent and block.text.strip():
                yield block.heading, _piece(block.text.strip(), block.lines, block.page, at)
        elif block.kind not in _LEFT_OUT and block.table < 0 and block.figure < 0 and block.text.strip():
            for piece in _cut(block, at):
                yield block.heading, piece


def _silent_headings(parsed: ParsedDocument) -> set[int]:
    spoken = {block.heading for block in parsed.blocks if block.kind is not BlockKind.HEADING}
    spoken |= {heading.parent for heading in parsed.headings}
    spoken |= {table.heading for table in parsed.tables} | {figure.heading for figure in parsed.figures}
    return set(range(len(parsed.headings))) - spoken


def _cut(block: Block, at: int) -> Iterable[_Piece]:
    """A block whole, or at sentence borders (in need, at blanks) with its lines shared out in proportion."""
    text = block.text.strip()
    if len(text) <= MAX_CHARS:
        return (_piece(text, block.lines, block.page, at),)
    chunks = list(_chunks(text))
    total = sum(len(chunk) for chunk in chunks)
    pieces: list[_Piece] = []
    done, first = 0, 0
    for chunk in chunks:
        done += len(chunk)
        last = max(first + 1, round(len(block.lines) * done / total)) if block.lines else 0
        lines = block.lines[first:last] or block.lines[-1:]
        pieces.append(_piece(chunk, lines, block.page, at))
        first = min(last, len(block.lines))
    return pieces


def _chunks(text: str) -> Iterator[str]:
    held = ""
    for sentence in _SENTENCE.split(text):
        for bit in _hard(sentence.strip()):
            if held and len(held) + len(bit) + 1 > MAX_CHARS:
                yield held
                held = ""
            held = f"{held} {bit}" if held else bit
    if held:
        yield held


def _hard(sentence: str) -> Iterator[str]:
    while len(sentence) > MAX_CHARS:
        at = sentence.rfind(" ", MAX_CHARS // 2, MAX_CHARS)
        at = at if at > 0 else MAX_CHARS
        yield sentence[:at].strip()
        sentence = sentence[at:].strip()
    if sentence:
        yield sentence


def _piece(text: str, lines: Sequence[Line], page: int, at: int) -> _Piece:
    pages = tuple(sorted({line.page for line in lines})) or (page,)
    return _Piece(text, tuple(lines), pages[0], pages, at)


def _merged(parts: Iterable[_Part]) -> Iterator[list[_Part]]:
    """Runs of tiny sibling sections on one page together; every other part alone."""
    group: list[_Part] = []
    for part in parts:
        if group and not _joins(group, part):
            yield group
            group = []
        group.append(part)
    if group:
        yield group


def _joins(group: Sequence[_Part], part: _Part) -> bool:
    if part.size > _TINY or any(one.size > _TINY for one in group):
        return False
    if part.pages != group[-1].pages or len(part.pages) != 1:
        return False
    if part.heading != group[-1].heading and part.path[:-1] != group[-1].path[:-1]:
        return False
    return sum(one.size for one in group) + part.size <= _MERGED


def _path(parsed: ParsedDocument, heading: int) -> tuple[str, ...]:
    return parsed.headings[heading].path if 0 <= heading < len(parsed.headings) else ()


def _page_boxes(lines: Sequence[Line]) -> tuple[PageBox, ...]:
    """One box per run of lines on a page that touch; few enough to draw."""
    boxes: list[PageBox] = []
    for line in lines:
        last = boxes[-1] if boxes else None
        if last is not None and last.page == line.page and _adjacent(last.box, line.box):
            boxes[-1] = PageBox(line.page, _union(last.box, line.box))
        else:
            boxes.append(PageBox(line.page, line.box))
    return tuple(boxes)


def _adjacent(above: Box, below: Box) -> bool:
    gap = below.y0 - above.y1
    height = max(1.0, below.y1 - below.y0)
    return -height * 1.5 <= gap <= height * 1.5 and below.x0 < above.x1 and above.x0 < below.x1


def _union(a: Box, b: Box) -> Box:
    return Box(min(a.x0, b.x0), min(a.y0, b.y0), max(a.x1, b.x1), max(a.y1, b.y1))


# --- tables and figures -----------------------------------------------------------------------------------------------


def _tables(parsed: ParsedDocument) -> Iterator[_Draft]:
    blocks = {block.table: at for at, block in enumerate(parsed.blocks) if block.table >= 0}
    for number, table in enumerate(parsed.tables):
        at = blocks.get(number, _first_after(parsed, table.page))
        heading = parsed.blocks[at].heading if table.heading < 0 and number in blocks else table.heading
        for part in table_parts(table):
            yield _Draft(
                SegmentKind.TABLE,
                _path(parsed, heading),
                part.text,
                part.embedded,
                part.page,
                part.pages,
                part.boxes,
                at,
                number,
            )


def _figures(parsed: ParsedDocument) -> Iterator[_Draft]:
    """Captions found together on a page under one heading make one segment, embedded with the text around them."""
    blocks = {block.figure: at for at, block in enumerate(parsed.blocks) if block.figure >= 0}
    groups: dict[tuple[int, int], list[Figure]] = {}
    for figure in parsed.figures:
        if figure.caption.strip():
            groups.setdefault((figure.page, figure.heading), []).append(figure)
    for (page, heading), figures in groups.items():
        for start in range(0, len(figures), 8):
            chosen = figures[start : start + 8]
            text = "\n".join(figure.caption.strip() for figure in chosen)[:MAX_CHARS]
            around = _surroundings(parsed, page, heading)
            embedded = f"Figure: {text}\n{around}" if around else f"Figure: {text}"
            boxes = tuple(PageBox(page, figure.box) for figure in chosen)
            at = blocks.get(parsed.figures.index(chosen[0]), _first_after(parsed, page))
            yield _Draft(SegmentKind.FIGURE, _path(parsed, heading), text, embedded, page, (page,), boxes, at)


def _labels(parsed: ParsedDocument) -> Iterator[_Draft]:
    """What is printed inside figures: labels of a drawing, but also boxed remarks and listings that look like one.

    Nothing printed on a page may be beyond the reach of a search.
    """
    for at, block in enumerate(parsed.blocks):
        if block.figure < 0 or block.kind in _LEFT_OUT or len(block.text.strip()) < _LEAST_LABELS:
            continue
        figure = parsed.figures[block.figure] if block.figure < len(parsed.figures) else None
        caption = figure.caption.strip() if figure is not None else ""
        for piece in _cut(block, at):
            if piece.text == caption:
                continue
            text = piece.text if not caption or caption in piece.text else f"{caption}\n{piece.text}"
            boxes = _page_boxes(piece.lines)
            path = _path(parsed, block.heading)
            yield _Draft(SegmentKind.TEXT, path, text, text, piece.pages[0], piece.pages, boxes, at)


def _first_after(parsed: ParsedDocument, page: int) -> int:
    """Index of the first block beyond a page: where things that no block stands for are put."""
    return next((at for at, block in enumerate(parsed.blocks) if block.page > page), len(parsed.blocks))


def _surroundings(parsed: ParsedDocument, page: int, heading: int) -> str:
    for block in parsed.blocks:
        if block.kind is BlockKind.PARAGRAPH and block.heading == heading and block.page == page:
            return block.text.strip()[:_CONTEXT]
    return ""
