"""A parsed document as hierarchical markdown with its page map (HiQA, section 3.1)."""

from __future__ import annotations

from engine.core.model import Anchor, Block, BlockKind, Box, Line, Markdown, ParsedDocument, Table, TableRow

_MAX_LEVEL = 6


def render(parsed: ParsedDocument) -> Markdown:
    """Markdown of the whole document; every character of its content leads back to a page and a box."""
    writer = _Writer()
    if parsed.title:
        first = parsed.pages[0].number if parsed.pages else 1
        writer.put(f"# {parsed.title}", first, None)
        writer.put("\n\n", first, None)
    for block in parsed.blocks:
        if block.kind is BlockKind.CONTENTS:
            continue
        _write_block(writer, parsed, block)
    return writer.finish()


def _write_block(writer: _Writer, parsed: ParsedDocument, block: Block) -> None:
    page, box = _where(block.lines)
    if block.kind is BlockKind.HEADING:
        heading = parsed.headings[block.heading]
        # The document's title is level one, so sections start at two.
        marks = "#" * min(_MAX_LEVEL, heading.level + 1)
        writer.put(f"{marks} {heading.title}", heading.page, heading.box or box)
    elif block.kind is BlockKind.TABLE and block.table >= 0:
        _write_table(writer, parsed.tables[block.table], block.lines)
    elif block.kind is BlockKind.CODE:
        writer.put("```\n", page, box)
        _write_lines(writer, block)
        writer.put("\n```", *_where(block.lines[-1:]))
    elif block.kind is BlockKind.LIST:
        items = block.text.split("\n")
        writer.spread("\n".join(_item(item) for item in items), block.lines)
    elif block.kind is BlockKind.FIGURE and block.figure >= 0:
        figure = parsed.figures[block.figure]
        caption = tuple(line for line in block.lines if line.text and line.text in figure.caption)
        writer.put("![", figure.page, figure.box)
        if figure.caption:
            writer.spread(figure.caption, caption)
        else:
            writer.put("figure", figure.page, figure.box)
        writer.put(f"](page={figure.page})", figure.page, figure.box)
    else:
        writer.spread(block.text, block.lines)
    writer.put("\n\n", *_where(block.lines[-1:]))


def _item(text: str) -> str:
    return f"- {text[1:].strip()}" if text[:1] in "•–—*·►-" else f"- {text}"


def _write_lines(writer: _Writer, block: Block) -> None:
    for index, line in enumerate(block.lines):
        if index:
            writer.put("\n", line.page, line.box)
        writer.put(line.text, line.page, line.box)


def _write_table(writer: _Writer, table: Table, lines: tuple[Line, ...]) -> None:
    region = table.regions[0] if table.regions else None
    page, box = (region.page, region.box) if region else (table.page, None)
    if table.caption:
        writer.put(f"**{table.caption}**\n\n", page, box)
    names = [" / ".join((*column.group, column.name)) for column in table.columns]
    writer.put("| " + " | ".join(map(_escape, names)) + " |\n", page, box)
    writer.put("|" + " --- |" * len(names) + "\n", page, box)
    section = ""
    for row in table.rows:
        if row.section and row.section != section:
            blank = " |" * (len(names) - 1)
            writer.put(f"| **{_escape(row.section)}** |{blank}\n", row.page, _printed_at(row, lines))
        section = row.section
        writer.put("|", row.page, row.box)
        for cell in row.cells:
            writer.put(f" {_escape(cell.text)} |", row.page, cell.box or row.box)
        writer.put("\n", row.page, row.box)
    for note in table.notes:
        writer.put(f"\n{note}\n", page, box)


def _printed_at(row: TableRow, lines: tuple[Line, ...]) -> Box | None:
    """Where the band a row stands under is printed: the nearest line above the row with its text."""
    above = [
        line.box
        for line in lines
        if line.page == row.page and line.text == row.section and (row.box is None or line.box.y0 < row.box.y1)
    ]
    return above[-1] if above else row.box


def _escape(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _where(lines: tuple[Line, ...]) -> tuple[int, Box | None]:
    return (lines[0].page, lines[0].box) if lines else (1, None)


class _Writer:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._anchors: list[Anchor] = []
        self._length = 0

    def put(self, text: str, page: int, box: Box | None) -> None:
        if not text:
            return
        start, self._length = self._length, self._length + len(text)
        self._parts.append(text)
        last = self._anchors[-1] if self._anchors else None
        if last is not None and (last.page, last.box) == (page, box):
            self._anchors[-1] = Anchor(last.start, self._length, page, box)
        else:
            self._anchors.append(Anchor(start, self._length, page, box))

    def spread(self, text: str, lines: tuple[Line, ...]) -> None:
        """`text` joined from `lines`: each stretch goes to the line it came from."""
        at = 0
        for index, line in enumerate(lines):
            end = len(text) if index == len(lines) - 1 else _end_of(text, at, line.text)
            self.put(text[at:end], line.page, line.box)
            at = end
        if not lines:
            self.put(text, 1, None)

    def finish(self) -> Markdown:
        return Markdown("".join(self._parts), tuple(self._anchors))


def _end_of(text: str, at: int, line: str) -> int:
    """Where the characters of `line` end in `text`; hyphens and marks that joining took away are passed over."""
    position = at
    for character in line:
        if character.isspace():
            continue
        here = position
        while here < len(text) and text[here].isspace():
            here += 1
        if here < len(text) and text[here] == character:
            position = here + 1
        elif character.isalnum():
            found = text.find(character, here)
            position = found + 1 if found >= 0 else position
    return min(position + (position < len(text) and text[position].isspace()), len(text))
