"""Flows the blocks of a sheet over its pages: columns, side-by-side blocks, figures, running headers."""

from __future__ import annotations

from dataclasses import dataclass

import pymupdf

from tests.makers.sheets import figures
from tests.makers.sheets.describe import (
    Beside,
    Block,
    Break,
    Code,
    Columns,
    Contents,
    Drawing,
    Grid,
    Head,
    Items,
    Label,
    Para,
    Scan,
    Sheet,
    Turned,
)
from tests.makers.sheets.ink import Faces, Page, plain, width, wrap
from tests.makers.sheets.scan import picture
from tests.makers.sheets.table import TableSetter
from tests.makers.sheets.truth import BoxTuple, Truth

MARGIN = 52.0
TOP = 66.0
FOOT = 60.0
GUTTER = 18.0
_RUNNING_SIZE = 7.5


@dataclass
class Frame:
    """Where text goes next: `y` is the top of the free room, `others` the columns still to fill on this page."""

    x: float
    y: float
    width: float
    bottom: float


class Composer:
    """Draws one sheet. `known` holds (title, level, label) of every heading from an earlier pass, `pages` its count."""

    def __init__(self, sheet: Sheet, known: list[tuple[str, int, str]], pages: int) -> None:
        self.sheet = sheet
        self.style = sheet.style
        self.faces = Faces()
        self.truth = Truth()
        self.pages: list[Page] = []
        self._known = known
        self._total = pages
        self._waiting: list[Frame] = []
        self._columns = 1
        first = sheet.blocks[0]
        self.page = self._new_page(bare=isinstance(first, Scan) and not first.native)
        self.frame = self._full_frame()

    # --- pages and frames ---------------------------------------------------------------------------------------------

    def face(self, weight: str = "") -> pymupdf.Font:
        return self.faces.face(self.style, weight)

    def label(self, page: int) -> str:
        return page_label(self.sheet.labels, page)

    def _new_page(self, turned: bool = False, bare: bool = False) -> Page:
        page = Page(len(self.pages) + 1, turned)
        self.pages.append(page)
        if not bare:
            self._running(page)
        return page

    def _running(self, page: Page) -> None:
        fill = {"page": str(page.number), "pages": str(self._total), "label": self.label(page.number)}
        font = self.face()
        for texts, y in ((self.sheet.header, 36.0), (self.sheet.footer, page.height - 30.0)):
            for text, share in zip(texts, (0.0, 0.5, 1.0)):
                if text:
                    said = text.format(**fill)
                    room = page.width - 2 * MARGIN - width(said, font, _RUNNING_SIZE)
                    page.text(MARGIN + room * share, y, said, font, _RUNNING_SIZE, "running")

    def _full_frame(self) -> Frame:
        return Frame(MARGIN, TOP, self.page.width - 2 * MARGIN, self.page.height - FOOT)

    def next_frame(self) -> None:
        """Go to the next column, or to a new page with as many columns."""
        if self._waiting:
            self.frame = self._waiting.pop(0)
            return
        self.page = self._new_page(turned=self.page.turned)
        self.frame = self._full_frame()
        if self._columns == 2:
            self._split()

    def _split(self) -> None:
        whole = self.frame
        half = (whole.width - GUTTER) / 2
        self.frame = Frame(whole.x, whole.y, half, whole.bottom)
        self._waiting = [Frame(whole.x + half + GUTTER, whole.y, half, whole.bottom)]

    def need(self, height: float) -> None:
        """Move on if less than `height` is left, unless the frame is still empty."""
        if self.frame.y + height > self.frame.bottom:
            self.next_frame()

    # --- blocks -------------------------------------------------------------------------------------------------------

    def put_all(self, blocks: tuple[Block, ...]) -> None:
        for block, following in zip(blocks, (*blocks[1:], None)):
            if isinstance(block, Head):
                self._head(block, 110.0 if isinstance(following, Grid | Drawing) else 34.0)
            else:
                self.put(block)

    def put(self, block: Block) -> None:
        match block:
            case Para():
                self._para(block)
            case Items():
                for item in block.items:
                    self._lines(item, "item", indent=9.0, mark="•")
                self.frame.y += 3
            case Code():
                self._code(block)
            case Grid():
                TableSetter(self, block).put()
            case Drawing():
                self._drawing(block)
            case Contents():
                self._contents(block)
            case _:
                self._place(block)

    def _place(self, block: Block) -> None:
        """Blocks that change where the next ones go."""
        match block:
            case Break():
                self._waiting.clear()
                self.page = self._new_page()
                self.frame = self._full_frame()
            case Beside():
                self._beside(block)
            case Columns():
                self._in_columns(block)
            case Turned():
                self._on_turned_page(block)
            case Scan():
                self._scan(block)

    def title(self) -> None:
        if not self.sheet.title:
            return
        sizes = (20.0, 13.0, 11.0)
        for size, line in zip(sizes, self.sheet.title):
            self.frame.y += size * 1.3
            self.page.text(self.frame.x, self.frame.y, line, self.face("bold"), size, "title")
        self.frame.y += 8
        self.page.line(self.frame.x, self.frame.y, self.frame.x + self.frame.width, self.frame.y, 1.2)
        self.frame.y += 6

    def _head(self, head: Head, following: float) -> None:
        """A heading is kept on one page with `following` points of what comes after it."""
        size = self.style.heads[min(head.level, len(self.style.heads)) - 1]
        said = head.title.upper() if self.style.capitals and head.level == 1 else head.title
        lines = wrap(said, self.face("bold"), size, self.frame.width)
        self.need(size * 1.4 * len(lines) + following)
        self.frame.y += size * 0.6
        boxes = []
        for line in lines:
            self.frame.y += size * 1.25
            boxes.append(self.page.text(self.frame.x, self.frame.y, line, self.face("bold"), size, "heading"))
        self.truth.add_heading(said, head.level, self.page.number, _union(boxes))
        if self.style.rule_under_head and head.level == 1:
            self.page.line(self.frame.x, self.frame.y + 4, self.frame.x + self.frame.width, self.frame.y + 4, 0.4)
        self.frame.y += size * 0.45

    def _para(self, para: Para) -> None:
        self._lines(para.text, para.kind, weight="italic" if para.kind == "note" else "")
        self.frame.y += 4

    def _lines(self, text: str, kind: str, indent: float = 0.0, mark: str = "", weight: str = "") -> None:
        size = self.style.body
        font = self.face(weight)
        pages: list[int] = []
        for index, line in enumerate(wrap(text, font, size, self.frame.width - indent)):
            self.need(size * 1.3)
            self.frame.y += size * 1.3
            if mark and index == 0:
                self.page.text(self.frame.x, self.frame.y, mark, font, size, "mark")
            self.page.text(self.frame.x + indent, self.frame.y, line, font, size, kind)
            if self.page.number not in pages:
                pages.append(self.page.number)
        self.truth.add_text(kind, plain(text), pages)

    def _code(self, code: Code) -> None:
        size = self.style.body - 1
        self.need(size * 1.3 * len(code.lines) + 4)
        for line in code.lines:
            self.frame.y += size * 1.3
            self.page.text(self.frame.x + 6, self.frame.y, line, self.face("mono"), size, "code")
        self.truth.add_text("code", "\n".join(code.lines), [self.page.number])
        self.frame.y += 5

    def _drawing(self, drawing: Drawing) -> None:
        size = self.style.body - 0.5
        caption = f"Figure {drawing.number}. {drawing.caption}"
        lines = wrap(caption, self.face("bold"), size, self.frame.width)
        self.need(drawing.height + 16 + size * 1.3 * len(lines))
        room = min(self.frame.width, 330.0)
        left = self.frame.x + (self.frame.width - room) / 2
        area = (left, self.frame.y + 8, left + room, self.frame.y + 8 + drawing.height)
        figures.KINDS[drawing.kind](self.page, area, drawing.labels, self.face())
        self.frame.y = area[3] + 6
        for line in lines:
            self.frame.y += size * 1.3
            self.page.text(self.frame.x, self.frame.y, line, self.face("bold"), size, "caption")
        self.frame.y += 8
        self.truth.figures.append(
            {
                "number": drawing.number,
                "caption": caption,
                "page": self.page.number,
                "box": [round(edge, 2) for edge in area],
                "heading": self.truth.heading,
            }
        )

    def _contents(self, contents: Contents) -> None:
        size = self.style.body
        font = self.face()
        if contents.title:
            self.frame.y += size * 2
            self.page.text(self.frame.x, self.frame.y, contents.title, self.face("bold"), size + 1, "contents")
        for title, level, label in self._known:
            self.need(size * 1.5)
            self.frame.y += size * 1.5
            left = self.frame.x + 12 * (level - 1)
            right = self.frame.x + self.frame.width - width(label, font, size)
            dots = int((right - left - width(title, font, size) - 8) / width(".", font, size))
            line = f"{title} {'.' * max(dots, 3)} {label}"
            self.page.text(left, self.frame.y, line, font, size, "contents")
        self.frame.y += 6

    def _beside(self, beside: Beside) -> None:
        whole = self.frame
        count = len(beside.columns)
        room = (whole.width - GUTTER * (count - 1)) / count
        lowest = whole.y
        for index, blocks in enumerate(beside.columns):
            self.frame = Frame(whole.x + index * (room + GUTTER), whole.y, room, whole.bottom)
            self.put_all(blocks)
            lowest = max(lowest, self.frame.y)
        self.frame = Frame(whole.x, lowest + 4, whole.width, whole.bottom)

    def _in_columns(self, columns: Columns) -> None:
        self._columns = 2
        self._split()
        self.put_all(columns.blocks)
        self._columns = 1
        used_second = not self._waiting
        self._waiting.clear()
        bottom = self.frame.bottom if used_second else self.frame.y
        self.frame = Frame(MARGIN, bottom, self.page.width - 2 * MARGIN, self.page.height - FOOT)

    def _on_turned_page(self, turned: Turned) -> None:
        self.page = self._new_page(turned=True)
        self.truth.turned.append(self.page.number)
        self.frame = self._full_frame()
        self.put_all(turned.blocks)
        self.frame.y = self.frame.bottom

    def _scan(self, scan: Scan) -> None:
        if self.pages[-1].printed or self.truth.scanned:
            self.page = self._new_page(bare=not scan.native)
        self.page.picture = picture(scan.lines)
        self.truth.scanned.append(self.page.number)

    def write(self) -> pymupdf.Document:
        """Write all pages; the truth then holds every printed line in the order it was printed."""
        document = pymupdf.open()
        for page in self.pages:
            page.write(document)
            self.truth.printed.extend(page.printed)
        return document


def page_label(labels: tuple[Label, ...], page: int) -> str:
    """The printed label of a physical page; the number itself where no label is set."""
    current = next((label for label in reversed(labels) if label.first <= page), None)
    if current is None:
        return str(page)
    value = current.start + page - current.first
    return current.prefix + (_roman(value) if current.style == "r" else str(value))


def _roman(value: int) -> str:
    out = ""
    for number, letters in ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")):
        while value >= number:
            out += letters
            value -= number
    return out


def _union(boxes: list[BoxTuple]) -> BoxTuple:
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )
