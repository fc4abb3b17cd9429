"""A user's corrected outline put in place of the one the parser read (HiQA, section 5.6, asks for this in earnest use).

Entries hang on page and box, not on the parser's headings, so that they survive a better parser: whatever block now
holds the line at that place is parted there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.core.model import Block, BlockKind, Box, Heading, HeadingSource, Line, OutlineEntry, ParsedDocument
from engine.core.text import fold_case
from engine.parse.levels import Entry, build_tree


@dataclass(frozen=True, slots=True)
class _Place:
    """Lines `start` to `end` of block `block` print the heading; end == start where nothing prints it."""

    block: int
    start: int
    end: int


def apply_outline(parsed: ParsedDocument, entries: Sequence[OutlineEntry]) -> ParsedDocument:
    """`parsed` with exactly these headings, in reading order; texts, tables and figures move under them.

    An entry whose line is nowhere on its page heads the page from its top. No entries mean a document without headings.
    """
    plain = [_without_heading(block) for block in parsed.blocks]
    placed = sorted(((_place(entry, plain), at, entry) for at, entry in enumerate(entries)), key=_order)
    headings = _headings([entry for _, _, entry in placed])
    blocks: list[Block] = []
    current = -1
    waiting = [(place, number) for number, (place, _, _) in enumerate(placed)]
    for index, block in enumerate(plain):
        at = 0
        while waiting and waiting[0][0].block == index:
            place, number = waiting.pop(0)
            blocks += _part(block, at, place.start, current)
            current = number
            lines = block.lines[place.start : place.end]
            blocks.append(Block(BlockKind.HEADING, headings[number].title, lines, number))
            at = max(at, place.end)
        blocks += _part(block, at, len(block.lines), current)
    for _, number in waiting:
        blocks.append(Block(BlockKind.HEADING, headings[number].title, (), number))
    under = {block.table: block.heading for block in blocks if block.table >= 0}
    figures_under = {block.figure: block.heading for block in blocks if block.figure >= 0}
    return replace(
        parsed,
        headings=headings,
        blocks=tuple(blocks),
        tables=tuple(replace(table, heading=under.get(i, -1)) for i, table in enumerate(parsed.tables)),
        figures=tuple(replace(figure, heading=figures_under.get(i, -1)) for i, figure in enumerate(parsed.figures)),
    )


def _without_heading(block: Block) -> Block:
    kind = BlockKind.PARAGRAPH if block.kind is BlockKind.HEADING else block.kind
    return replace(block, kind=kind, heading=-1)


def _headings(entries: Sequence[OutlineEntry]) -> tuple[Heading, ...]:
    return build_tree([Entry(e.title, e.page, e.box, e.level, HeadingSource.USER, 1.0) for e in entries])


def _order(item: tuple[_Place, int, OutlineEntry]) -> tuple[int, int, int]:
    place, at, _ = item
    return (place.block, place.start, at)


def _place(entry: OutlineEntry, blocks: Sequence[Block]) -> _Place:
    """By box, else by title, else the first block of the page."""
    by_title: _Place | None = None
    first = len(blocks)
    for index, block in enumerate(blocks):
        pages = [line.page for line in block.lines]
        if first == len(blocks) and pages and pages[0] >= entry.page:
            first = index
        if entry.page not in pages or block.table >= 0 or block.kind is BlockKind.CONTENTS:
            continue
        hits = [i for i, line in enumerate(block.lines) if _covers(entry, line)]
        if hits:
            return _Place(index, hits[0], hits[-1] + 1)
        if by_title is None:
            by_title = _titled(entry, block, index)
    return by_title or _Place(first, 0, 0)


def _covers(entry: OutlineEntry, line: Line) -> bool:
    if entry.box is None or line.page != entry.page:
        return False
    middle = (line.box.y0 + line.box.y1) / 2
    across = min(entry.box.x1, line.box.x1) - max(entry.box.x0, line.box.x0)
    return entry.box.y0 <= middle <= entry.box.y1 and across > 0.5 * _width(line.box)


def _titled(entry: OutlineEntry, block: Block, index: int) -> _Place | None:
    wanted = fold_case(entry.title)
    for start in range(len(block.lines)):
        held = ""
        for end in range(start, min(start + 4, len(block.lines))):
            held = f"{held} {block.lines[end].text}".strip()
            if fold_case(held) == wanted:
                return _Place(index, start, end + 1)
    return None


def _width(box: Box) -> float:
    return max(box.x1 - box.x0, 0.1)


def _part(block: Block, start: int, end: int, heading: int) -> list[Block]:
    """The stretch of a block between two headings, as a block of its own; a whole block keeps its text."""
    if start == 0 and end == len(block.lines):
        return [replace(block, heading=heading)] if block.lines or block.text else []
    lines = block.lines[start:end]
    if not lines:
        return []
    if block.table >= 0 or block.figure >= 0:
        return [replace(block, heading=heading)]
    separator = "\n" if block.kind in (BlockKind.LIST, BlockKind.CODE, BlockKind.CONTENTS) else " "
    return [replace(block, text=separator.join(line.text for line in lines), lines=lines, heading=heading)]
