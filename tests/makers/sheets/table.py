"""Sets a table: wraps cells, draws rulings, spans and bands, carries on over pages with the header repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.makers.sheets.describe import Band, Column, Grid
from tests.makers.sheets.ink import plain, width, wrap
from tests.makers.sheets.truth import BoxTuple, TrueCell, TrueRow, TrueTable

if TYPE_CHECKING:
    from tests.makers.sheets.compose import Composer

_PAD_X = 3.0
_PAD_Y = 2.5
_CENTRED = {"min", "typ", "max", "nom", "value", "unit"}


class TableSetter:
    """Puts one grid into the composer's current frame."""

    def __init__(self, composer: Composer, grid: Grid) -> None:
        self.composer = composer
        self.grid = grid
        self.size = composer.style.body - 1.0
        self.leading = self.size * 1.25
        total = sum(column.weight for column in grid.columns)
        self.widths = [composer.frame.width * column.weight / total for column in grid.columns]
        self.truth = TrueTable(
            plain(grid.caption),
            [{"name": plain(c.name), "role": c.role, "group": [plain(name) for name in c.group]} for c in grid.columns],
            composer.truth.heading,
            grid.rules,
        )
        self._top = 0.0
        self._section = ""

    def put(self) -> None:
        composer = self.composer
        composer.need(self._caption_height() + self._head_height() + self._group_height(0) + 6)
        self._open(first=True)
        index = 0
        while index < len(self.grid.rows):
            row = self.grid.rows[index]
            if composer.frame.y + self._group_height(index) > composer.frame.bottom:
                self._close()
                composer.next_frame()
                self._open(first=False)
            if isinstance(row, Band):
                self._band(row)
                index += 1
            else:
                index = self._group(index)
        self._close()
        self._notes()
        composer.truth.tables.append(self.truth)

    # --- measuring ----------------------------------------------------------------------------------------------------

    def _wrapped(self, text: str, column: int, bold: bool = False, span: int = 1) -> list[str]:
        room = sum(self.widths[column : column + span]) - 2 * _PAD_X
        return wrap(text, self.composer.face("bold" if bold else ""), self.size, room)

    def _levels(self) -> int:
        return max(len(column.group) for column in self.grid.columns)

    def _head_lines(self) -> list[list[str]]:
        return [self._wrapped(column.name, index, bold=True) for index, column in enumerate(self.grid.columns)]

    def _head_height(self) -> float:
        lines = max(len(lines) for lines in self._head_lines())
        return (lines + self._levels()) * self.leading + (1 + self._levels()) * 2 * _PAD_Y

    def _caption_height(self) -> float:
        if not self.grid.caption:
            return 4.0
        lines = wrap(self.grid.caption, self.composer.face("bold"), self.size + 0.5, self.composer.frame.width)
        return 7.5 + len(lines) * self.leading * 1.1

    def _span_end(self, index: int) -> int:
        """First row after `index` that continues no cell from above: rows are kept together up to it."""
        end = index + 1
        while end < len(self.grid.rows):
            row = self.grid.rows[end]
            if isinstance(row, Band) or None not in row:
                break
            end += 1
        return end

    def _row_heights(self, start: int, end: int) -> list[float]:
        heights = []
        for index in range(start, end):
            row = self.grid.rows[index]
            assert not isinstance(row, Band)
            lines = 1
            for column, text in enumerate(row):
                if text is not None and self._cell_end(index, column, end) == index + 1:
                    lines = max(lines, len(self._wrapped(text, column)))
            heights.append(lines * self.leading + 2 * _PAD_Y)
        for index in range(start, end):
            row = self.grid.rows[index]
            assert not isinstance(row, Band)
            for column, text in enumerate(row):
                stop = self._cell_end(index, column, end)
                if text is not None and stop > index + 1:
                    wanted = len(self._wrapped(text, column)) * self.leading + 2 * _PAD_Y
                    have = sum(heights[index - start : stop - start])
                    heights[stop - start - 1] += max(0.0, wanted - have)
        return heights

    def _cell_end(self, index: int, column: int, end: int) -> int:
        stop = index + 1
        while stop < end:
            row = self.grid.rows[stop]
            assert not isinstance(row, Band)
            if row[column] is not None:
                break
            stop += 1
        return stop

    def _group_height(self, index: int) -> float:
        row = self.grid.rows[index]
        if isinstance(row, Band):
            return self.leading + 2 * _PAD_Y + self._group_height(index + 1)
        return sum(self._row_heights(index, self._span_end(index)))

    # --- drawing ------------------------------------------------------------------------------------------------------

    def _open(self, first: bool) -> None:
        composer = self.composer
        frame = composer.frame
        if self.grid.caption:
            said = self.grid.caption if first else f"{self.grid.caption} (continued)"
            frame.y += 4
            for line in wrap(said, composer.face("bold"), self.size + 0.5, frame.width):
                frame.y += self.leading * 1.1
                kind = "caption" if first else "repeated"
                composer.page.text(frame.x, frame.y, line, composer.face("bold"), self.size + 0.5, kind)
            frame.y += 3.5
        else:
            frame.y += 4
        self._top = frame.y
        self._head("head" if first else "repeated")

    def _head(self, kind: str) -> None:
        composer = self.composer
        frame = composer.frame
        height = self._head_height()
        ruled = self.grid.rules != "none"
        if self.grid.rules == "all":
            composer.page.frame(frame.x, frame.y, frame.x + sum(self.widths), frame.y + height, fill=0.9)
        level_height = self.leading + 2 * _PAD_Y
        for level in range(self._levels()):
            self._group_row(level, frame.y + level * level_height, kind)
        for index, lines in enumerate(self._head_lines()):
            top = frame.y + len(self.grid.columns[index].group) * level_height
            self._cell_text(index, lines, top, frame.y + height, bold=True, kind=kind)
        if ruled:
            self._across(frame.y)
        frame.y += height
        self._across(frame.y)

    def _group_row(self, level: int, top: float, kind: str) -> None:
        """Spanning headers at one depth, each over the columns that share it."""
        columns = self.grid.columns
        start = 0
        while start < len(columns):
            stop = start + 1
            while stop < len(columns) and columns[start].group and _same(columns, start, stop, level):
                stop += 1
            if len(columns[start].group) > level:
                bottom = top + self.leading + 2 * _PAD_Y
                name = columns[start].group[level]
                lines = self._wrapped(name, start, bold=True, span=stop - start)
                self._cell_text(start, lines, top, bottom, bold=True, kind=kind, span=stop - start, centred=True)
                left = self.composer.frame.x + sum(self.widths[:start])
                self.composer.page.line(left, bottom, left + sum(self.widths[start:stop]), bottom)
            start = stop

    def _band(self, band: Band) -> None:
        composer = self.composer
        frame = composer.frame
        self._section = plain(band.text)
        bottom = frame.y + self.leading + 2 * _PAD_Y
        baseline = frame.y + _PAD_Y + self.size
        composer.page.text(frame.x + _PAD_X, baseline, band.text, composer.face("bold"), self.size, "band")
        frame.y = bottom
        if self.grid.rules != "none":
            self._across(frame.y)

    def _group(self, start: int) -> int:
        """Draw the rows that hang together by spans; the index after them."""
        composer = self.composer
        end = self._span_end(start)
        heights = self._row_heights(start, end)
        top = composer.frame.y
        tops = [top + sum(heights[:offset]) for offset in range(end - start + 1)]
        above: list[TrueCell] = []
        for index in range(start, end):
            row = self.grid.rows[index]
            assert not isinstance(row, Band)
            cells: list[TrueCell] = []
            for column, text in enumerate(row):
                if text is None:
                    cells.append(TrueCell(above[column].text, above[column].box, inherited=True))
                    continue
                stop = self._cell_end(index, column, end)
                box = self._cell_text(
                    column, self._wrapped(text, column), tops[index - start], tops[stop - start], kind="cell"
                )
                cells.append(TrueCell(plain(text), box))
                if self._ruled_below(stop == end):
                    left = composer.frame.x + sum(self.widths[:column])
                    composer.page.line(left, tops[stop - start], left + self.widths[column], tops[stop - start])
            above = cells
            self.truth.rows.append(TrueRow(cells, composer.page.number, self._section))
        composer.frame.y = tops[-1]
        return end

    def _ruled_below(self, last: bool) -> bool:
        return self.grid.rules in ("all", "rows") or (self.grid.rules == "groups" and last)

    def _cell_text(
        self,
        column: int,
        lines: list[str],
        top: float,
        bottom: float,
        *,
        kind: str,
        bold: bool = False,
        span: int = 1,
        centred: bool = False,
    ) -> BoxTuple | None:
        """Print a cell's lines, in the middle of its height where the grid is ruled, else at its top."""
        if not lines:
            return None
        composer = self.composer
        font = composer.face("bold" if bold else "")
        left = composer.frame.x + sum(self.widths[:column])
        room = sum(self.widths[column : column + span])
        height = len(lines) * self.leading
        middle = self.grid.rules == "all"
        y = top + ((bottom - top - height) / 2 if middle else _PAD_Y) + self.size * 0.95
        boxes = []
        for line in lines:
            shift = _PAD_X
            if centred or self.grid.columns[column].role in _CENTRED:
                shift = (room - width(line, font, self.size)) / 2
            boxes.append(composer.page.text(left + shift, y, line, font, self.size, kind))
            y += self.leading
        return (
            min(box[0] for box in boxes),
            min(box[1] for box in boxes),
            max(box[2] for box in boxes),
            max(box[3] for box in boxes),
        )

    def _across(self, y: float) -> None:
        frame = self.composer.frame
        self.composer.page.line(frame.x, y, frame.x + sum(self.widths), y, 0.6)

    def _close(self) -> None:
        composer = self.composer
        frame = composer.frame
        right = frame.x + sum(self.widths)
        if self.grid.rules == "all":
            self._uprights(right)
        self._across(frame.y)
        region = (round(frame.x, 2), round(self._top, 2), round(right, 2), round(frame.y, 2))
        self.truth.regions.append((composer.page.number, region))

    def _uprights(self, right: float) -> None:
        """Vertical rulings, broken where a band or a spanning header crosses them."""
        page = self.composer.page
        frame = self.composer.frame
        page.line(frame.x, self._top, frame.x, frame.y)
        page.line(right, self._top, right, frame.y)
        level_height = self.leading + 2 * _PAD_Y
        bands = self._band_spans()
        for column in range(1, len(self.grid.columns)):
            x = frame.x + sum(self.widths[:column])
            shared = _shared_levels(self.grid.columns[column - 1], self.grid.columns[column])
            y = self._top + shared * level_height
            for top, bottom in bands:
                page.line(x, y, x, top)
                y = bottom
            page.line(x, y, x, frame.y)

    def _band_spans(self) -> list[tuple[float, float]]:
        page = self.composer.page
        texts = {plain(row.text) for row in self.grid.rows if isinstance(row, Band)}
        height = self.leading + 2 * _PAD_Y
        spans = []
        for line in page.printed:
            if line.kind == "band" and line.text in texts and line.box[1] >= self._top:
                baseline = line.box[3] + self.composer.face("bold").descender * self.size
                top = baseline - _PAD_Y - self.size
                spans.append((top, top + height))
        return spans

    def _notes(self) -> None:
        composer = self.composer
        frame = composer.frame
        frame.y += 2
        for note in self.grid.notes:
            self.truth.notes.append(plain(note))
            for line in wrap(note, composer.face(), self.size - 0.5, frame.width):
                composer.need(self.leading)
                composer.frame.y += self.leading
                composer.page.text(composer.frame.x, composer.frame.y, line, composer.face(), self.size - 0.5, "note")
        composer.frame.y += 6


def _same(columns: tuple[Column, ...], first: int, second: int, level: int) -> bool:
    return columns[first].group[: level + 1] == columns[second].group[: level + 1]


def _shared_levels(left: Column, right: Column) -> int:
    shared = 0
    for one, other in zip(left.group, right.group):
        if one != other:
            break
        shared += 1
    return shared
