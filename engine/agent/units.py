"""Passages cut into what can be quoted: sentences and table rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from engine.agent.terms import word_forms
from engine.core.model import Segment, SegmentKind
from engine.core.text import fold_case

_END = re.compile(r"(?<=[.!?;])[\"'\u201d)]*\s+(?=[\"'\u201c(]?[A-Z0-9\u00b1\u2022]|--?[A-Za-z])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|no|fig|figs|typ|max|min|nom|approx|resp|ref|eq|dr|mr|mrs|ms|st|jr|sr|inc|ltd|co|corp|rev|vol|"
    r"ca|cf|sec|temp|par|mt|ft|prof|gen|col|lt|capt|hon|jan|feb|apr|aug|sept?|oct|nov|dec)|\b[A-Z]|\b(?:[A-Z]\.)+[A-Z])\.$",
    re.IGNORECASE,
)
_BULLET = re.compile(
    r"^\s*(?:[\u2022\u25cf\u25aa\u25e6\u2023\u25a0\u25c6\u00b7*]|[-\u2013\u2014](?=\s)|\(?[0-9]{1,2}[.)](?=\s)|\(?[a-z][.)](?=\s))\s*"
)
_INLINE = re.compile(r"(?:^|(?<=\s))(?:[\u2022\u25cf\u25aa\u25a0\u25c6\ufffd\uf0b7\uf06e]O?\s?|[nl]\s)(?=[A-Z0-9])")
_LEADERS = re.compile(r"(?:\s?\.){5,}\s?")
"""Dots that lead the eye from a name to its value end no sentence."""
_GAP = re.compile(r"\s{2,}|\t|\s\|\s")
_RULE = re.compile(r"^\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?$")
_VALUE = re.compile(r"[-+\u00b1<>=]*\s?[0-9][0-9.,]*(?:\s?[a-zA-Z%\u00b0\u00b5\u03bc\u03a9]{1,4})?|[XHL01]")
_NUMBER = re.compile(r"[-+\u00b1<>=]*\s?[0-9][0-9.,]*(?:\s?[a-zA-Z%\u00b0\u00b5\u03bc\u03a9]{1,3})?")
_ENTRY = re.compile(r"^(?=\S*[0-9])(?=\S*[A-Z])\S{5,}\s(?=.*[0-9].*\s.*[0-9])")
"""A line of a table that was set as text: a name with digits, then values."""
_OPTION = re.compile(r"^--?[A-Za-z][\w-]*(?=[\s,=<\[]|$)")
"""A switch of a command line, which the sentences of its paragraph describe."""
_LIGHT_WORD = 4
"""Letters of words that titles write small ("with", "from")."""
_LONGEST = 420
"""Characters: a longer sentence is no quote but a page."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One sentence, list item or table row of a segment, with what it stands under.

    `cells` pairs each non-empty cell of a row with its column header ("" where unknown); empty for sentences.
    `around` is the text that gives it meaning: section path, caption, and the sentence before.
    """

    segment: Segment
    text: str
    order: int
    cells: tuple[tuple[str, str], ...] = ()
    around: str = ""
    forms: frozenset[str] = frozenset()
    around_forms: frozenset[str] = frozenset()

    @property
    def is_row(self) -> bool:
        return bool(self.cells)

    @property
    def texts(self) -> tuple[str, ...]:
        """Headers and cells of a row, for checking a value against them; empty for sentences."""
        return tuple(text for pair in self.cells for text in pair if text)

    @property
    def shown(self) -> str:
        """The row with its headers, or the sentence."""
        if not self.cells:
            return self.text
        return "; ".join(f"{head}: {cell}" if head else cell for head, cell in self.cells)


def units_of(segments: Iterable[Segment]) -> list[Unit]:
    """All units of some segments, in order, without repeats of the same text in the same document."""
    found: list[Unit] = []
    seen: set[tuple[str, str]] = set()
    for segment in segments:
        for unit in _segment_units(segment, len(found)):
            # "GND 5 4" of two tables are two rows.
            under = f"{segment.path[-1:]} {unit.shown}" if unit.is_row else unit.text
            key = (segment.document, " ".join(under.split()))
            if key not in seen:
                seen.add(key)
                found.append(unit)
    return found


def _segment_units(segment: Segment, start: int) -> list[Unit]:
    path = " > ".join(segment.path)
    lines = [line for line in segment.text.splitlines() if line.strip()]
    if any(line.lstrip().startswith("|") for line in lines):
        return _grid_units(segment, lines, path, start)
    if segment.kind is SegmentKind.TABLE:
        return [_unit(segment, line.strip(), start + n, path) for n, line in enumerate(lines)]
    found: list[Unit] = []
    before = head = ""
    for paragraph in _paragraphs(lines):
        entry = bool(_ENTRY.match(paragraph))
        option = ""
        for sentence in split_sentences(paragraph):
            option = sentence if _OPTION.match(sentence) else option
            above = head if entry else before if option in (before, sentence) else f"{option} {before}"
            found.append(_unit(segment, sentence, start + len(found), f"{path} {above}".strip()))
            before = sentence
        if not entry:
            head = f"{head[-160:]} {paragraph}"[-300:] if not found or not _ENTRY.match(before) else paragraph
    return found


def _unit(segment: Segment, text: str, order: int, around: str) -> Unit:
    parts = [part.strip() for part in _GAP.split(text.strip()) if part.strip()]
    cells = tuple(("", part) for part in parts) if len(parts) >= 3 else ()
    clean = " ".join(text.split())
    return Unit(segment, clean, order, cells, around, frozenset(word_forms(clean)), frozenset(word_forms(around)))


def _grid_units(segment: Segment, lines: Sequence[str], path: str, start: int) -> list[Unit]:
    """Rows of a table written with pipes; other lines (caption, sub-headers, notes) are units and context."""
    found: list[Unit] = []
    head: list[str] = []
    caption = section = ""
    headless = _headless([_cells_of(line) for line in lines if line.lstrip().startswith("|")])
    for number, line in enumerate(lines):
        stripped = line.strip()
        if not stripped.startswith("|"):
            found.append(_unit(segment, stripped, start + len(found), f"{path} {caption}".strip()))
            if head:
                section = stripped
            else:
                caption = f"{caption} {stripped}".strip()
            continue
        if _RULE.match(stripped):
            continue
        cells = _cells_of(stripped)
        filled = [cell for cell in cells if cell]
        if not filled:
            continue
        ruled = number + 1 < len(lines) and bool(_RULE.match(lines[number + 1].strip()))
        if (
            not head
            and not headless
            and (ruled or 2 * sum(bool(_VALUE.fullmatch(cell)) for cell in filled) < len(filled))
        ):
            head = cells
            continue
        if len(filled) == 1 and cells[0].startswith("**"):
            section = cells[0].strip("*")
            continue
        found.append(_row(segment, cells, head, f"{path} {caption} {section}".strip(), start + len(found)))
    return found


def _cells_of(line: str) -> list[str]:
    pieces = re.split(r"(?<!\\)\|", line.strip()[1:].rstrip("|"))
    return [" ".join(cell.replace("\\|", "|").split()) for cell in pieces]


def _headless(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row of a grid is one like the others: a value stands over values. Numbers that count columns
    name them."""
    first, below = (rows[0], rows[1:]) if len(rows) > 2 else ((), ())
    numbers = [int(cell) for cell in first if cell.isdigit()]
    if len(numbers) > 2 and {b - a for a, b in pairwise(numbers)} in ({1}, {-1}):
        return False
    for place, cell in enumerate(first):
        column = [row[place] for row in below if len(row) > place and row[place]]
        alike = sum(bool(_NUMBER.fullmatch(one)) for one in column)
        if _NUMBER.fullmatch(cell) and column and alike > 0.6 * len(column):
            return True
    return False


def _row(segment: Segment, cells: list[str], head: list[str], around: str, order: int) -> Unit:
    names = head + [""] * (len(cells) - len(head))
    paired = tuple((name, cell) for name, cell in zip(names, cells) if cell)
    text = " ".join(cell for _, cell in paired)
    said = f"{' '.join(name for name, _ in paired)} {text}"
    return Unit(segment, text, order, paired, around, frozenset(word_forms(said)), frozenset(word_forms(around)))


def loose_lines(page_text: str, page: int, segments: Sequence[Segment]) -> list[Unit]:
    """Lines of a page that none of its segments holds, each a unit of the page's first segment.

    Running headers repeat on every page and carry no answer; a line must have two words to count.
    """
    held = "".join("".join(fold_case(segment.text.replace("|", " ")).split()) for segment in segments)
    home = replace(segments[0], page=page, pages=(page,), path=(), boxes=())
    found: list[Unit] = []
    for line in page_text.splitlines():
        solid = "".join(fold_case(line).split())
        if len(line.split()) >= 2 and solid and solid not in held:
            found.append(_unit(home, line.strip(), len(found), ""))
    return found


def _paragraphs(lines: Sequence[str]) -> list[str]:
    """Join wrapped lines; a bullet, a gap as between columns, or an ended sentence before a capital starts anew."""
    found: list[str] = []
    last = ""
    for line in lines:
        bullet = _BULLET.match(line)
        if found and not bullet and _continues(last, line):
            joined = found[-1]
            if joined.endswith("-") and line.lstrip()[:1].islower():
                found[-1] = joined + line.strip()
            else:
                found[-1] = f"{joined} {line.strip()}"
        else:
            found.append(line[bullet.end() :].strip() if bullet else line.strip())
        last = line.strip()
    return [line for line in found if line]


def _continues(before: str, line: str) -> bool:
    """Whether a line goes on with the paragraph whose last line is `before`."""
    if line.lstrip()[:1].isupper() and (is_title(before) or line.isupper()):
        return False
    if _ENTRY.match(line) or len(_GAP.split(line.strip())) >= 3 or len(_GAP.split(before)) >= 3:
        return False
    if before.endswith((".", "!", "?", ":")) and not line.lstrip()[:1].islower():
        return False
    return len(before) >= 40 or line.lstrip()[:1].islower() or before.endswith((",", "-"))


def is_title(line: str) -> bool:
    """Whether a line reads as a title: its words of weight begin with capitals, and nothing ends it."""
    words = [word for word in re.findall(r"[^\W\d_][\w'-]*", line) if len(word) > _LIGHT_WORD]
    return bool(words) and all(word[0].isupper() for word in words) and not line.rstrip().endswith((",", "-"))


def split_sentences(text: str) -> list[str]:
    """Sentences of running text; abbreviations and initials do not end one."""
    found: list[str] = []
    for run in _inline_items(_LEADERS.sub(" \u2026 ", text)):
        found.extend(_sentences(run))
    return found


def _inline_items(text: str) -> list[str]:
    """Items of a list whose bullets were printed inside one run of text."""
    marks = _INLINE.findall(text)
    return [piece for piece in _INLINE.split(text) if piece.strip()] if len(marks) >= 2 else [text]


def _sentences(text: str) -> list[str]:
    found: list[str] = []
    for piece in _END.split(" ".join(text.split(" "))):
        if found and _ABBREVIATION.search(found[-1]):
            found[-1] = f"{found[-1]} {piece}"
        else:
            found.append(piece)
    whole: list[str] = []
    for sentence in found:
        whole.extend(_halve(sentence))
    return [sentence.strip() for sentence in whole if sentence.strip()]


def _halve(sentence: str) -> list[str]:
    """Cut an over-long run (a list without full stops) at spaces so that it can be quoted."""
    pieces: list[str] = []
    rest = sentence
    while len(rest) > _LONGEST:
        cut = rest.rfind(". ", 80, _LONGEST)
        cut = cut + 1 if cut > 0 else rest.rfind(" ", 80, _LONGEST)
        if cut <= 0:
            break
        pieces.append(rest[:cut])
        rest = rest[cut:].lstrip()
    return [*pieces, rest]
