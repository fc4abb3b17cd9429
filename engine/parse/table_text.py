"""Words to printed lines, phrases and cell text.

PyMuPDF's own cell text damages decimals, so cells are put together here from the page's words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.core.model import Box
from engine.parse.glyphs import clean
from engine.parse.layout import Word

PHRASE_GAP = 0.75
"""Words of a line further apart than this many font sizes belong to different phrases."""
_SPACED = 3.0
"""Mean letters a word up to which a line counts as letter-spaced."""
_UNITS = re.compile(r"(?:^|[\d\s/(])(?:[mc]?m|s|in|V|A|W|Hz|C)$")
_EXPONENT = re.compile(r"[-+−–]?\d{1,2}$")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words of one line with ordinary spaces between them."""

    words: tuple[Word, ...]
    box: Box

    @property
    def text(self) -> str:
        return join(self.words)

    @property
    def middle(self) -> float:
        return (self.box.x0 + self.box.x1) / 2

    @property
    def bold(self) -> bool:
        return all(word.bold for word in self.words)


@dataclass(frozen=True, slots=True)
class Row:
    """One printed line: its words, left to right."""

    words: tuple[Word, ...]
    box: Box

    @property
    def middle(self) -> float:
        return (self.box.y0 + self.box.y1) / 2

    @property
    def text(self) -> str:
        return join(self.words)

    @property
    def size(self) -> float:
        return max(word.size for word in self.words)


def hull(boxes: Iterable[Box]) -> Box:
    """The smallest box around at least one box."""
    items = iter(boxes)
    first = next(items)
    x0, y0, x1, y1 = first.x0, first.y0, first.x1, first.y1
    for box in items:
        x0 = min(x0, box.x0)
        y0 = min(y0, box.y0)
        x1 = max(x1, box.x1)
        y1 = max(y1, box.y1)
    return Box(x0, y0, x1, y1)


def printed_rows(words: Iterable[Word]) -> list[Row]:
    """Words of angle 0 gathered into printed lines, top to bottom; raised and lowered words stay with their line."""
    upright = sorted((word for word in words if word.angle == 0), key=lambda w: w.box.y0 + w.box.y1)
    groups: list[list[Word]] = []
    cores: list[tuple[float, float]] = []
    for word in upright:
        for index in range(len(groups) - 1, max(-1, len(groups) - 4), -1):
            if _same_line(cores[index], word):
                groups[index].append(word)
                cores[index] = _wider(cores[index], word)
                break
        else:
            groups.append([word])
            cores.append((word.box.y0, word.box.y1))
    rows = []
    for group in groups:
        group.sort(key=lambda w: w.box.x0)
        rows.append(Row(tuple(group), hull(w.box for w in group)))
    rows.sort(key=lambda r: r.middle)
    return rows


def _same_line(core: tuple[float, float], word: Word) -> bool:
    overlap = min(core[1], word.box.y1) - max(core[0], word.box.y0)
    return overlap >= 0.55 * min(core[1] - core[0], word.box.y1 - word.box.y0)


def _wider(core: tuple[float, float], word: Word) -> tuple[float, float]:
    """A small raised word must not define the line; the tallest does, but hulls with subscripts grow only a little."""
    if word.box.y1 - word.box.y0 > 1.15 * (core[1] - core[0]):
        return word.box.y0, word.box.y1
    return core


def phrases(row: Row, gap: float = PHRASE_GAP) -> list[Phrase]:
    """The row cut where the space is wider than `gap` font sizes."""
    found: list[list[Word]] = []
    for word in row.words:
        if found and word.box.x0 - found[-1][-1].box.x1 <= gap * max(word.size, found[-1][-1].size):
            found[-1].append(word)
        else:
            found.append([word])
    return [Phrase(tuple(words), hull(w.box for w in words)) for words in found]


def join(words: Sequence[Word]) -> str:
    """Words of one line as text.

    A raised figure after a number is a power ("10^6"), after a word a note mark, which is set apart in brackets so that
    it never reads as part of a value.
    """
    parts: list[str] = []
    spaced = sum(len(word.text) for word in words) <= _SPACED * len(words)
    last: Word | None = None
    for word in words:
        text = clean(word.text)
        touches = word.attached or (spaced and last is not None and _touch(last, word))
        last = word
        if not parts or not touches:
            parts.append(text)
        elif word.superscript and _EXPONENT.fullmatch(text):
            parts[-1] += _raised(parts[-1], text)
        else:
            parts[-1] += text
    return " ".join(parts)


def _touch(last: Word, word: Word) -> bool:
    """Letters set apart to fill a line: MuPDF reads them as words of one or two letters without a space between."""
    digits = last.text[-1:].isdigit() and word.text[:1].isdigit()
    return not digits and -0.4 * last.size < word.box.x0 - last.box.x1 < 0.1 * last.size


def _raised(before: str, mark: str) -> str:
    power = before.endswith("10") or _UNITS.search(before) or not mark[:1].isdigit()
    return f"^{mark}" if power else f" ({mark})"


def cell_text(words: Sequence[Word]) -> str:
    """Text of a cell of any number of lines; words on their side follow in content order."""
    lines = [row.text for row in printed_rows(words)]
    lines += [word.text for word in words if word.angle]
    return join_lines(lines)


def broken_number(above: str, below: str) -> bool:
    """Whether a narrow cell broke a decimal at its point: "V+−1" over ".5"."""
    return bool(re.search(r"\d$", above) and re.match(r"\.\d", below))


def is_filler(text: str) -> bool:
    """Runs of one sign that draw a line or shade a cell."""
    return len(text) >= 5 and len(set(text)) == 1 and text[0] not in ".0123456789"


def join_lines(lines: Iterable[str]) -> str:
    """Lines of one cell as one text: a word broken at a hyphen is closed, everything else keeps a space."""
    text = ""
    for line in lines:
        if text and re.search(r"[a-z]{2}-$", text) and re.match(r"[a-z]{2}", line):
            text = text[:-1] + line
        elif text and broken_number(text, line):
            text += line
        else:
            text = f"{text} {line}" if text else line
    return text.strip()
