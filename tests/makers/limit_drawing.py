"""Draws a generated limit table to a PDF, over as many pages as it needs."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import pymupdf

from tests.makers.limit_tables import LIMITS, LimitTable, Line

_PROSE = (
    "The device is specified over the whole range of supply voltage and temperature unless otherwise noted. "
    "Limits in this section are guaranteed by test or by design; typical values are not tested and describe the "
    "centre of production."
)
_WIDTHS = {"PARAMETER": 120.0, "SYMBOL": 42.0, "CONDITIONS": 125.0, "UNIT": 36.0, "NOTES": 34.0}
_SUB = 0.7
_FONTS = {name: pymupdf.Font(name) for name in ("helv", "hebo", "tiro", "tibo")}


def draw(table: LimitTable) -> pymupdf.Document:
    """The document; the truth of every row is `table.rows`."""
    return _Drawing(table).document


@dataclass(frozen=True)
class _Block:
    """Lines drawn together: a sub-header, or all rows of a parameter."""

    lines: tuple[Line, ...]
    heights: tuple[float, ...]

    @property
    def height(self) -> float:
        return sum(self.heights)


class _Drawing:
    """One pass over the table; coordinates are those of upright text, turned when written."""

    def __init__(self, table: LimitTable) -> None:
        self.table = table
        self.style = table.style
        self.document = pymupdf.open()
        self.wide, self.tall = (792.0, 612.0) if self.style.turn else (612.0, 792.0)
        self.bounds = self._bounds()
        self.pitch = self.style.size * self.style.leading
        self.page = self._new_page()
        self.y = 60.0
        self._intro()
        self._body()

    # --- geometry -----------------------------------------------------------------------------------------------------

    def _bounds(self) -> list[float]:
        size = self.style.size / 8.0
        value = 46.0 if len(self.table.kinds) <= 8 else 38.0
        widths = [_WIDTHS.get(kind, value) * max(size, 0.85) for kind in self.table.kinds]
        room = self.wide - 90.0
        scale = min(1.0, room / sum(widths))
        left = 45.0
        bounds = [left]
        for width in widths:
            bounds.append(bounds[-1] + width * scale)
        return bounds

    def _wrap(self, text: str, column: int, font: str) -> list[str]:
        room = self.bounds[column + 1] - self.bounds[column] - 2 * self.style.pad - 1
        lines: list[str] = []
        for word in text.split(" "):
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self._length(longer, font) <= room:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def _length(self, text: str, font: str, size: float = 0.0) -> float:
        return float(_FONTS[font].text_length(text, size or self.style.size))

    def _height(self, line: Line) -> float:
        if line.label:
            return self.pitch + 2 * self.style.pad
        most = max(len(self._wrap(text, c, self.style.font)) for c, text in enumerate(line.cells))
        return most * self.pitch + 2 * self.style.pad

    def _blocks(self) -> list[_Block]:
        blocks: list[_Block] = []
        current: list[Line] = []
        for line in self.table.lines:
            if current and (line.label or line.group != current[0].group):
                blocks.append(self._block(current))
                current = []
            current.append(line)
        return [*blocks, self._block(current)]

    def _block(self, lines: list[Line]) -> _Block:
        if lines[0].label or not self._shares(lines):
            return _Block(tuple(lines), tuple(self._height(line) for line in lines))
        heights = []
        for line in lines:
            own = [
                self._wrap(text, c, self.style.font) for c, text in enumerate(line.cells) if c not in self.table.plain
            ]
            heights.append(max(len(text) for text in own) * self.pitch + 2 * self.style.pad)
        shared = max(len(self._wrap(lines[0].cells[c], c, self.style.font)) for c in self.table.plain)
        missing = shared * self.pitch + 2 * self.style.pad - sum(heights)
        if missing > 0:
            heights[-1] += missing
        return _Block(tuple(lines), tuple(heights))

    def _shares(self, lines: list[Line] | tuple[Line, ...]) -> bool:
        return self.style.spans and len(lines) > 1

    # --- ink ----------------------------------------------------------------------------------------------------------

    def _new_page(self) -> pymupdf.Page:
        turned = self.style.turn == "text"
        page = self.document.new_page(width=612 if turned else self.wide, height=792 if turned else self.tall)
        if self.style.turn == "page":
            # Drawn for a viewer that turns the page: the page itself stands on its side.
            self.document.delete_page(-1)
            page = self.document.new_page(width=612, height=792)
            page.set_rotation(90)
        return page

    def _point(self, x: float, y: float) -> pymupdf.Point:
        if self.style.turn == "text":
            return pymupdf.Point(y, 792 - x)
        if self.style.turn == "page":
            return pymupdf.Point(x, y) * self.page.derotation_matrix
        return pymupdf.Point(x, y)

    def _write(self, x: float, baseline: float, text: str, font: str, size: float) -> None:
        rotate = {"text": 90, "page": 90, "": 0}[self.style.turn]
        self.page.insert_font(fontname=f"F{font}", fontbuffer=_FONTS[font].buffer)
        self.page.insert_text(self._point(x, baseline), text, fontname=f"F{font}", fontsize=size, rotate=rotate)

    def _rule(self, x0: float, y0: float, x1: float, y1: float) -> None:
        self.page.draw_line(self._point(x0, y0), self._point(x1, y1), width=0.5)

    def _intro(self) -> None:
        self._write(45, 30, "SHEAF SEMICONDUCTOR", self.style.font, 8)
        self._write(self.wide - 160, 30, f"SHX{self.table.seed} data sheet", self.style.font, 8)
        if self.style.prose:
            words = _PROSE.split(" ")
            line = ""
            for word in words:
                if self._length(f"{line} {word}", self.style.font, 9) > self.wide - 100:
                    self._write(45, self.y, line, self.style.font, 9)
                    self.y += 11
                    line = ""
                line = f"{line} {word}".strip()
            self._write(45, self.y, line, self.style.font, 9)
            self.y += 24
        self._caption(self.table.caption)

    def _caption(self, text: str) -> None:
        self._write(45, self.y, text, self.style.bold, 10)
        self.y += 8

    def _body(self) -> None:
        self._head()
        blocks = self._blocks()
        for block, following in itertools.zip_longest(blocks, blocks[1:]):
            kept = following.height if block.lines[0].label and following else 0.0  # no sub-header ends a page
            if self.y + block.height + kept > self.tall - 60:
                self._foot()
                self.page = self._new_page()
                self.y = 50.0
                self._caption(f"{self.table.caption} (continued)")
                self._head()
            self._block_ink(block)
        self._foot()
        self.y += 14
        for note in self.table.notes:
            self._write(45, self.y, note, self.style.font, 7)
            self.y += 9

    def _head(self) -> None:
        self.top = self.y
        grouped = any(self.table.groups)
        rows = 2 if grouped else 1
        height = rows * (self.pitch + 2 * self.style.pad)
        half = self.y + height / 2
        for c, name in enumerate(self.table.names):
            limit = self.table.kinds[c] in LIMITS
            top = half if grouped and limit else self.y
            self._cell([name], c, c + 1, top, self.y + height, bold=True, middle=True)
        if grouped:
            self._group_heads(half)
        self.y += height
        self.head = self.y
        if self.style.rulings in ("grid", "rows", "open", "frame"):
            self._rule(self.bounds[0], self.top, self.bounds[-1], self.top)
            self._rule(self.bounds[0], self.y, self.bounds[-1], self.y)

    def _group_heads(self, half: float) -> None:
        groups = self.table.groups
        start = next(i for i, group in enumerate(groups) if group)
        while start < len(groups) and groups[start]:
            end = start
            while end < len(groups) and groups[end] == groups[start]:
                end += 1
            self._cell([groups[start]], start, end, self.y, half, bold=True, middle=True, centred=True)
            if self.style.rulings != "none":
                inset = 0.0 if self.style.rulings in ("grid", "frame") else 3.0
                self._rule(self.bounds[start] + inset, half, self.bounds[end] - inset, half)
            start = end

    def _foot(self) -> None:
        if self.style.rulings in ("grid", "open", "frame", "rows"):
            self._rule(self.bounds[0], self.y, self.bounds[-1], self.y)
        if self.style.rulings in ("grid", "frame"):
            grouped = any(self.table.groups)
            half = (self.top + self.head) / 2
            for i, x in enumerate(self.bounds):
                inner = grouped and 0 < i < len(self.bounds) - 1 and self._inside_group(i)
                for y0, y1 in self._wall_pieces(half if inner else self.top):
                    self._rule(x, y0, x, y1) if 0 < i < len(self.bounds) - 1 else None
            for x in (self.bounds[0], self.bounds[-1]):
                self._rule(x, self.top, x, self.y)
        self._write(45, self.tall - 25, f"Page {len(self.document)}", self.style.font, 7)
        self.gaps: list[tuple[float, float]] = []

    def _inside_group(self, bound: int) -> bool:
        groups = self.table.groups
        return bool(groups[bound]) and groups[bound] == groups[bound - 1]

    def _wall_pieces(self, top: float) -> list[tuple[float, float]]:
        """Vertical rulings leave out sub-headers."""
        pieces = []
        at = top
        for low, high in getattr(self, "gaps", []):
            if low > at:
                pieces.append((at, low))
            at = high
        if at < self.y:
            pieces.append((at, self.y))
        return pieces

    def _block_ink(self, block: _Block) -> None:
        if not hasattr(self, "gaps"):
            self.gaps = []
        if block.lines[0].label:
            self._cell([block.lines[0].cells[0]], 0, len(self.table.kinds), self.y, self.y + block.height, bold=True)
            self.gaps.append((self.y, self.y + block.height))
            self.y += block.height
            self._floor(0, len(self.table.kinds), self.y)
            return
        shares = self._shares(block.lines)
        bottom = self.y + block.height
        if shares:
            for c in self.table.plain:
                text = self._wrap(block.lines[0].cells[c], c, self.style.font)
                self._cell(text, c, c + 1, self.y, bottom)
        for position, (line, height) in enumerate(zip(block.lines, block.heights, strict=True)):
            for c, text in enumerate(line.cells):
                if not (shares and c in self.table.plain):
                    self._cell(self._wrap(text, c, self.style.font), c, c + 1, self.y, self.y + height)
            self.y += height
            last = position == len(block.lines) - 1
            for c in range(len(self.table.kinds)):
                if last or not (shares and c in self.table.plain):
                    self._floor(c, c + 1, self.y)

    def _floor(self, first: int, end: int, y: float) -> None:
        if self.style.rulings in ("grid", "rows"):
            self._rule(self.bounds[first], y, self.bounds[end], y)

    def _cell(
        self,
        lines: list[str],
        first: int,
        end: int,
        top: float,
        bottom: float,
        *,
        bold: bool = False,
        middle: bool = False,
        centred: bool | None = None,
    ) -> None:
        font = self.style.bold if bold else self.style.font
        size = self.style.size
        kind = self.table.kinds[first]
        if centred is None:
            centred = end == first + 1 and self.style.centred and kind in (*LIMITS, "UNIT", "SYMBOL", "NOTES")
        spare = bottom - top - len(lines) * self.pitch - 2 * self.style.pad
        y = top + self.style.pad + (spare / 2 if middle or self.style.middle else 0.0) + size * 0.8
        for text in lines:
            width = self._symbol_length(text, font) if kind == "SYMBOL" and not bold else self._length(text, font)
            x = self.bounds[first] + self.style.pad
            if centred:
                x = (self.bounds[first] + self.bounds[end] - width) / 2
            if kind == "SYMBOL" and not bold:
                self._symbol(x, y, text, font)
            elif text:
                self._write(x, y, text, font, size)
            y += self.pitch

    def _symbol_length(self, text: str, font: str) -> float:
        return self._length(text[:1], font) + self._length(text[1:], font, self.style.size * _SUB)

    def _symbol(self, x: float, y: float, text: str, font: str) -> None:
        """The first letter, the rest as a subscript."""
        size = self.style.size
        self._write(x, y, text[:1], font, size)
        if text[1:]:
            self._write(x + self._length(text[:1], font), y + 0.15 * size, text[1:], font, size * _SUB)
