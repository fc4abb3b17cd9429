"""The pass over the whole document: page contents to one :class:`ParsedDocument`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.core.model import Block, BlockKind, FileKind, PageInfo, ParsedDocument
from engine.parse.blocks import Placed, iter_orphans, make_blocks, printed, table_places
from engine.parse.candidates import body_style
from engine.parse.content import PageContent, PageLine, RegionKind
from engine.parse.contents import find_contents
from engine.parse.furniture import find_furniture
from engine.parse.joining import Vocabulary, mend_line_ends
from engine.parse.outline import gather, make_outline
from engine.parse.tables import join_tables
from engine.parse.title import evidence_of, find_title


def assemble(
    pages: Sequence[PageContent],
    bookmarks: Sequence[Sequence[object]],
    metadata: Mapping[str, str],
    warnings: Sequence[str] = (),
    flat: bool = False,
) -> ParsedDocument:
    """The document from its pages; `flat` leaves out every pass over the whole but the joining of paragraphs."""
    if flat:
        return _flat(pages, metadata, warnings)
    furniture = find_furniture(pages)
    contents = find_contents(pages, furniture.lines)
    words = Vocabulary(line.text for page in pages for line in page.lines)
    body = body_style(pages, furniture.lines | contents.lines)
    evidence = gather(pages, bookmarks, furniture.lines, contents, body)
    title = find_title(pages, furniture.lines, evidence_of(metadata, furniture.facts, evidence.styles, body.size))
    outline = make_outline(pages, evidence, contents, title.lines, title.text if title.lines else "")
    tables = join_tables([table for page in pages for table in page.tables])
    starts = {(page, start): i for i, (page, start, end) in enumerate(outline.spans) if end > start}
    spans = frozenset((page, line) for page, start, end in outline.spans for line in range(start, end))
    orphans: dict[int, list[int]] = defaultdict(list)
    for page, heading in iter_orphans(outline.spans):
        orphans[page].append(heading)
    placed = Placed(starts, spans, furniture.lines, contents.lines, table_places(pages, tables), title.lines)
    titles = [heading.title for heading in outline.headings]
    blocks, figures, heading_of = make_blocks(pages, placed, orphans, body, words, titles, title.text)
    tables = tuple(replace(table, heading=heading_of.get(i, -1)) for i, table in enumerate(tables))
    return ParsedDocument(
        kind=FileKind.PDF,
        title=title.text,
        headings=outline.headings,
        blocks=blocks,
        tables=tables,
        figures=figures,
        pages=tuple(_info(page, words) for page in pages),
        facts=furniture.facts,
        metadata=dict(metadata),
        warnings=(*warnings, *outline.warnings),
    )


def _flat(pages: Sequence[PageContent], metadata: Mapping[str, str], warnings: Sequence[str]) -> ParsedDocument:
    words = Vocabulary(())
    blocks = [
        Block(BlockKind.PARAGRAPH, text, tuple(map(printed, page.lines)), -1)
        for page in pages
        if (text := "\n".join(line.text for line in page.lines))
    ]
    title = find_title(pages, frozenset(), evidence_of(metadata, (), frozenset(), 10.0))
    infos = tuple(_info(page, words) for page in pages)
    return ParsedDocument(
        FileKind.PDF, title.text, (), tuple(blocks), (), (), infos, (), dict(metadata), tuple(warnings)
    )


def _info(page: PageContent, words: Vocabulary) -> PageInfo:
    flows = [_same_flow(a, b) for a, b in zip(page.lines, page.lines[1:], strict=False)]
    text = mend_line_ends([line.text for line in page.lines], flows, words)
    return PageInfo(page.number, page.label, page.width, page.height, text, page.status, page.reason, page.rotation)


def _same_flow(before: PageLine, after: PageLine) -> bool:
    text = before.kind is RegionKind.TEXT and after.kind is RegionKind.TEXT
    return text and before.column == after.column and before.cells == 1
