"""Sets the sheets in made-up house styles; the truth is the outline as drawn."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from engine.parse import mupdf
from tests.makers.house_styles import House, draw_house
from tests.makers.house_words import LISTS, PROSE, SECTIONS, TITLES, Section

_FACES = {
    ("sans", False, False): "helv",
    ("sans", True, False): "hebo",
    ("sans", False, True): "heit",
    ("sans", True, True): "hebi",
    ("serif", False, False): "tiro",
    ("serif", True, False): "tibo",
    ("serif", False, True): "tiit",
    ("serif", True, True): "tibi",
}
_WIDTH, _HEIGHT = 595.0, 842.0
_TOP, _FOOT = 72.0, 66.0
_BLUE, _BLACK, _WHITE = (0.1, 0.2, 0.55), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)


@dataclass
class Drawn:
    """A sheet as drawn: the document and its headings as (title as printed, level, page)."""

    document: Any
    house: House
    headings: list[tuple[str, int, int]] = field(default_factory=list)


def draw_sheet(seed: int) -> Drawn:
    """A sheet of three to six pages, the same for the same seed."""
    chance = random.Random(f"house {seed}")
    return _Setter(draw_house(chance), chance).set()


@dataclass
class _Frame:
    x: float
    y: float
    width: float
    bottom: float


class _Setter:
    def __init__(self, house: House, chance: random.Random) -> None:
        self._fitz = mupdf.load()
        self.house = house
        self.chance = chance
        self.drawn = Drawn(self._fitz.open(), house)
        self.part = chance.choice(("XR", "MB", "TQ", "LDC")) + str(chance.randint(100, 9999)) + chance.choice("ABN")
        self.about = chance.choice(TITLES)
        self.section = ""
        self.counts = [0, 0, 0]
        self.tables = self.figures = 0
        self.page: Any = None
        self.frames: list[_Frame] = []
        self.columns = 1
        self._fonts: dict[str, Any] = {}

    def set(self) -> Drawn:
        sections = [s for s in SECTIONS if s.always or self.chance.random() < 0.6]
        self.section = sections[0].title
        self._new_page()
        self._title()
        front = [s for s in sections if s.front]
        self._front(front)
        for section in (s for s in sections if not s.front):
            self._section(section)
        return self.drawn

    # --- pages ---

    @property
    def frame(self) -> _Frame:
        return self.frames[0]

    def _new_page(self) -> None:
        house = self.house
        self.page = self.drawn.document.new_page(width=_WIDTH, height=_HEIGHT)
        number, small = self.page.number + 1, max(6.5, house.body - 1.5)
        head = {"part": self.part, "both": f"{self.part} {self.about}", "section": self.section}.get(house.running, "")
        if head and (number > 1 or house.running == "part"):
            bold = house.running != "both"
            self._text(head, house.margin, 40.0, small + 1.5 * bold, bold=bold)
            self._rule(house.margin, 46.0, _WIDTH - house.margin, 0.5)
        self._text("Rev. C", house.margin, _HEIGHT - 30, small)
        self._text(str(number), _WIDTH / 2, _HEIGHT - 30, small)
        whole = _Frame(house.margin, _TOP, _WIDTH - 2 * house.margin, _HEIGHT - _FOOT)
        self.frames = self._split(whole, self.columns)

    @staticmethod
    def _split(whole: _Frame, count: int) -> list[_Frame]:
        room = (whole.width - 18 * (count - 1)) / count
        return [_Frame(whole.x + i * (room + 18), whole.y, room, whole.bottom) for i in range(count)]

    def _need(self, height: float) -> None:
        if self.frame.y + height > self.frame.bottom:
            if len(self.frames) > 1:
                self.frames.pop(0)
            else:
                self._new_page()

    # --- ink ---

    def _text(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        bold: bool = False,
        italic: bool = False,
        family: str = "",
        color: tuple[float, float, float] = _BLACK,
    ) -> float:
        """Prints on baseline `y`; returns the right end."""
        name = _FACES[(family or self.house.family, bold, italic)]
        self.page.insert_text((x, y), text, fontsize=size, fontname=name, color=color)
        return x + self._width(text, size, name)

    def _width(self, text: str, size: float, name: str) -> float:
        if name not in self._fonts:
            self._fonts[name] = self._fitz.Font(name)
        return float(self._fonts[name].text_length(text, fontsize=size))

    def _rule(self, x0: float, y: float, x1: float, weight: float) -> None:
        self.page.draw_line((x0, y), (x1, y), width=weight)

    def _wrap(self, text: str, size: float, room: float, name: str) -> Iterator[str]:
        line = ""
        for word in text.split(" "):
            trial = f"{line} {word}" if line else word
            if line and self._width(trial, size, name) > room:
                yield line
                line = word
            else:
                line = trial
        yield line

    # --- blocks ---

    def _title(self) -> None:
        house, frame = self.house, self.frame
        size = self.chance.choice((16.0, 20.0, 24.0))
        said = f"{self.part} {self.about}" if house.title == "one size" else self.part
        if house.title == "bar":
            self.page.draw_rect((frame.x, frame.y, frame.x + frame.width, frame.y + size * 1.5), fill=_BLUE, color=None)
        x = frame.x + (frame.width * 0.45 if house.title == "right" else 6.0 * (house.title == "bar"))
        name = _FACES[(house.family, True, False)]
        for line in self._wrap(said, size, frame.width - (x - frame.x), name):
            frame.y += size * 1.15
            self._text(line, x, frame.y, size, bold=True, color=_WHITE if house.title == "bar" else _BLACK)
        frame.y += size * 0.35
        if house.title != "one size":
            frame.y += size * 0.6
            self._text(self.about, x, frame.y, size * 0.62)
        frame.y += 16

    def _front(self, sections: list[Section]) -> None:
        if self.house.front == "stacked":
            for section in sections:
                self._section(section)
            return
        count = 3 if self.house.front == "three columns" else 2
        whole = self.frame
        shares: list[list[Section]] = [[] for _ in range(count)]
        for index, section in enumerate(sections):
            shares[min(count - 1, index * count // len(sections))].append(section)
        lowest = whole.y
        for part, frame in zip(shares, self._split(whole, count)):
            self.frames = [frame]
            for section in part:
                self._section(section)
            lowest = max(lowest, self.frame.y)
        if self.house.front == "boxed":
            self._rule(whole.x, lowest + 6, whole.x + whole.width, 1.0)
        whole.y = lowest + 14
        self.columns = self.house.columns
        self.frames = self._split(whole, self.columns)

    def _section(self, section: Section, level: int = 1) -> None:
        if level == 1:
            self.section = section.title
        self._head(section.title, level)
        if section.kind == "list":
            self._list()
        elif section.kind == "table":
            self._table()
        elif section.kind == "plots":
            self._plots()
        elif not section.inner or self.chance.random() < 0.5:
            for _ in range(self.chance.randint(1, 2)):
                self._prose()
        for inner in section.inner:
            if self.chance.random() < 0.85:
                self._section(inner, level + 1)

    def _head(self, title: str, level: int) -> None:
        house = self.house
        style = house.heads[level - 1]
        self.counts[level - 1] += 1
        self.counts[level:] = [0] * (3 - level)
        number = self._number(level)
        said = title.upper() if style.caps else title
        size = round(house.body * style.size * 2) / 2
        family = {"other": "serif" if house.family == "sans" else "sans"}.get(style.family, house.family)
        name = _FACES[(family, style.bold, style.italic)]
        gap = "\u2003" if house.tabbed else " "
        lines = list(self._wrap(f"{number}\u00a0{said}" if number else said, size, self.frame.width - 10, name))
        self._need(size * 1.3 * len(lines) + 60)
        frame = self.frame
        frame.y += house.body * 0.7
        if style.rule == -1:
            self._rule(frame.x, frame.y, frame.x + frame.width, 0.8)
        color = _WHITE if style.bar else _BLUE if style.blue else _BLACK
        for index, line in enumerate(lines):
            if style.bar:
                box = (frame.x, frame.y + size * 0.2, frame.x + frame.width, frame.y + size * 1.6)
                self.page.draw_rect(box, fill=_BLUE, color=None)
            frame.y += size * 1.25
            x = frame.x + 3 * style.bar
            if style.centred:
                x = frame.x + (frame.width - self._width(line, size, name)) / 2
            if number and index == 0 and house.tabbed:
                self._text(number, x, frame.y, size, style.bold, style.italic, family, color)
                x += max(28.0, self._width(number + gap, size, name))
                line = line.split("\u00a0", 1)[1]
            end = self._text(line.replace("\u00a0", " "), x, frame.y, size, style.bold, style.italic, family, color)
            if style.underlined:
                self._rule(x, frame.y + 1.5, end, 0.5)
        if style.rule == 1:
            self._rule(frame.x, frame.y + 4, frame.x + frame.width, 0.8)
        frame.y += size * 0.45 + 3 * style.bar
        self.drawn.headings.append((f"{number} {said}" if number else said, level, self.page.number + 1))

    def _number(self, level: int) -> str:
        kind, counts = self.house.numbers, self.counts
        if kind == "1.0" and level == 1:
            return f"{counts[0]}.0"
        if kind in ("1", "1.0"):
            return ".".join(map(str, counts[:level]))
        if kind == "I" and level == 1:
            return ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")[counts[0]] + "."
        if kind == "A" and level == 1:
            return chr(64 + counts[0]) + "."
        return ""

    def _prose(self) -> None:
        text = " ".join(self.chance.sample(PROSE, self.chance.randint(2, 5))).replace("{part}", self.part)
        self._lines(text, self.frame.width)
        self.frame.y += self.house.body * 0.6
        if self.chance.random() < 0.15:
            self._lead("Note:", self.chance.choice(PROSE).replace("{part}", self.part))

    def _lead(self, lead: str, text: str) -> None:
        self._need(self.house.body * 3)
        self.frame.y += self.house.body * self.house.leading
        end = self._text(lead, self.frame.x, self.frame.y, self.house.body, bold=True)
        name = _FACES[(self.house.family, False, False)]
        first, *_ = self._wrap(text, self.house.body, self.frame.width - (end - self.frame.x) - 6, name)
        self._text(first, end + 4, self.frame.y, self.house.body)
        if rest := text[len(first) :].strip():
            self._lines(rest, self.frame.width)

    def _lines(self, text: str, room: float, indent: float = 0.0, mark: str = "") -> None:
        house = self.house
        name = _FACES[(house.family, False, False)]
        for index, line in enumerate(self._wrap(text, house.body, room - indent, name)):
            self._need(house.body * house.leading)
            self.frame.y += house.body * house.leading
            if mark and index == 0:
                self._text(mark, self.frame.x, self.frame.y, house.body)
            self._text(line, self.frame.x + indent, self.frame.y, house.body)

    def _list(self) -> None:
        for item in self.chance.sample(LISTS, self.chance.randint(3, 6)):
            self._lines(item, self.frame.width, 10.0, "\u2022")
        self.frame.y += self.house.body * 0.5

    def _table(self) -> None:
        house, small = self.house, max(6.5, self.house.body - 1)
        self.tables += 1
        rows = self.chance.randint(4, 8)
        step = small * 1.5
        self._need(step * (rows + 2) + 20)
        frame = self.frame
        if self.chance.random() < 0.5:
            frame.y += step
            self._text(f"Table {self.tables}. Limits over temperature", frame.x, frame.y, small, bold=True)
        top, shares = frame.y + 5, (0.0, 0.42, 0.55, 0.68, 0.81, 0.92)
        frame.y += 3
        names = ("Supply current", "Input offset voltage", "Output swing", "Slew rate", "Input bias current", "Gain")
        lines = [("Parameter", "Symbol", "Min", "Typ", "Max", "Unit")]
        for _ in range(rows):
            low = self.chance.randint(1, 40)
            symbol = self.chance.choice(("ICC", "VOS", "VO", "SR", "IB"))
            cells = (self.chance.choice(names), symbol, str(low), str(low + 3), str(low + 9), "mA")
            lines.append(cells)
        for index, cells in enumerate(lines):
            frame.y += step
            for share, cell in zip(shares, cells):
                self._text(cell, frame.x + 3 + share * frame.width, frame.y - 3, small, bold=index == 0)
            if house.tables in ("grid", "rows") or (house.tables == "head" and index == 0):
                self._rule(frame.x, frame.y + 1, frame.x + frame.width, 0.5)
        if house.tables in ("grid", "rows"):
            self._rule(frame.x, top, frame.x + frame.width, 0.5)
        if house.tables == "grid":
            for share in (*shares, 1.0):
                x = frame.x + share * frame.width
                self.page.draw_line((x, top), (x, frame.y + 1), width=0.5)
        frame.y += small

    def _plots(self) -> None:
        house, small = self.house, max(6.0, self.house.body - 1.5)
        for _ in range(self.chance.randint(2, 3)):
            self.figures += 1
            self._need(150)
            frame = self.frame
            x, y, wide, high = frame.x + 30, frame.y + 10, min(200.0, frame.width - 40), 90.0
            self.page.draw_rect((x, y, x + wide, y + high), width=0.7)
            for i in range(1, 5):
                self.page.draw_line((x, y + i * high / 5), (x + wide, y + i * high / 5), width=0.3)
                self.page.draw_line((x + i * wide / 5, y), (x + i * wide / 5, y + high), width=0.3)
            self.page.draw_bezier((x, y + high), (x + wide / 3, y), (x + wide / 2, y + high / 2), (x + wide, y + 5))
            for i in range(5):
                self._text(str(i * 20), x - 16, y + high - i * high / 5, small)
                self._text(str(i * 25 - 50), x + i * wide / 5, y + high + 9, small)
            self._text("Temperature (\u00b0C)", x + wide / 3, y + high + 18, small)
            frame.y = y + high + 30
            self._text(f"Figure {self.figures}. Supply current against temperature", frame.x, frame.y, small, bold=True)
            frame.y += house.body
