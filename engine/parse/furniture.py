"""Running headers and footers: lines that come back at the same place on page after page."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core.model import PageStatus
from engine.core.text import fold_case
from engine.parse.content import PageContent, PageLine, RegionKind

_ZONE = 0.14
"""Share of the page's height at the top and at the foot where running lines are looked for."""
_EDGE = 0.1
_WIDE_ZONE = 0.2
_STEP = 4.0
_LARGER = 1.15
_DIGITS = re.compile(r"\d+")
_MARK = re.compile(r"^#\s+(?=\S)|(?<=\S)\s+#$")
_PAGE_MARK = re.compile(r"^\d{1,4}\s+(?=\D)|(?<=\D)\s+\d{1,4}$")
"""A page number beside a running title is no part of it."""
_NUMBER = re.compile(r"^(?:[a-z]|[ivx]+|\d+(?:\.\d+)*)\.?\s+")
_ROMAN = re.compile(r"^((?:page |p\. ?)?)[ivxlc]{1,6}$")
_PAGE_NUMBER = re.compile(r"^\W*(?:page|seite|p\.)?\s*#(?:[-.]#)?\s*(?:(?:of|/|von)\s*#)?\W*$")


@dataclass(frozen=True, slots=True)
class Furniture:
    """`lines` are (page, index of line) of running lines; `facts` their texts, once each."""

    lines: frozenset[tuple[int, int]]
    facts: tuple[str, ...]


def find_furniture(pages: Sequence[PageContent]) -> Furniture:
    """Lines in the margins whose text (page numbers aside) recurs at one height on several pages."""
    groups: dict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for page in pages:
        for index in _margin_lines(page):
            line = page.lines[index]
            groups[(_key(line.text), _slot(page, line))].append((page.number, index))
    found: set[tuple[int, int]] = set()
    facts: dict[str, str] = {}
    by_number = {page.number: page for page in pages}
    merged = _neighbours(groups)
    for (key, _), members in merged.items():
        count = len({number for number, _ in members})
        edge = all(_at_edge(by_number[number], by_number[number].lines[index]) for number, index in members)
        if count < _needed(len(pages), edge) or not _steady(by_number, members):
            continue
        found.update(members)
        if fact := _fact(key, [by_number[number].lines[index].text for number, index in members]):
            facts.setdefault(key, fact)
    _swapping(pages, found, facts)
    _wandering(pages, found, facts)
    found |= _page_numbers(pages) | _elsewhere(pages, _running_texts(pages, found, facts)) | _section_names(pages)
    return Furniture(frozenset(found), tuple(facts.values()))


def _steady(pages: Mapping[int, PageContent], members: Sequence[tuple[int, int]]) -> bool:
    """True if the text stays the same but for numbers that count with the pages: rows of tables do not do that."""
    numbers = {number: _DIGITS.findall(pages[number].lines[index].text) for number, index in members}
    for position in range(max(map(len, numbers.values()))):
        values = {number: int(found[position]) for number, found in numbers.items() if position < len(found)}
        if len(set(values.values())) > 1 and len({value - number for number, value in values.items()}) > 2:
            return False
    return True


def _fact(key: str, texts: Sequence[str]) -> str:
    """What a running line says on every page: its text where that stays the same, else without the numbers."""
    if len(set(texts)) == 1:
        return texts[0] if len(texts[0]) > 4 else ""
    if _PAGE_NUMBER.match(key):
        return ""
    fixed = _PAGE_MARK.sub("", texts[0])
    return fixed if any(c.isalpha() for c in fixed) else ""


def _swapping(pages: Sequence[PageContent], found: set[tuple[int, int]], facts: dict[str, str]) -> None:
    """Texts at the very edge of a third of the pages, now at the top, now at the foot."""
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for page in pages[1:]:
        for index in _margin_lines(page):
            line = page.lines[index]
            if line.kind is RegionKind.TEXT and _at_edge(page, line) and any(c.isalpha() for c in line.text):
                places[_key(line.text)].append((page.number, index))
    for key, members in places.items():
        if len({number for number, _ in members}) >= max(2, len(pages) / 3):
            found.update(members)
            if fact := _fact(key, [pages[number - 1].lines[index].text for number, index in members]):
                facts.setdefault(key, fact)


def _wandering(pages: Sequence[PageContent], found: set[tuple[int, int]], facts: dict[str, str]) -> None:
    """On scanned pages: texts at the top or foot of more than half of them, at no fixed height."""
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    pages_read = [page for page in pages[1:] if page.status is PageStatus.OCR]
    for page in pages_read:
        for index, line in enumerate(page.lines):
            middle = (line.place.y0 + line.place.y1) / (2 * max(page.flow[1], 1.0))
            outer = middle < _WIDE_ZONE or middle > 1 - _WIDE_ZONE
            if outer and line.kind is RegionKind.TEXT and line.cells == 1 and any(c.isalpha() for c in line.text):
                places[_key(line.text)].append((page.number, index))
    for key, members in places.items():
        if len({number for number, _ in members}) > max(2, len(pages) / 2) and key not in facts:
            texts = [pages[number - 1].lines[index].text for number, index in members]
            if len(set(texts)) == 1 and len(texts[0]) > 4:
                found.update(members)
                facts[key] = texts[0]


@dataclass(frozen=True, slots=True)
class _Running:
    """How large a running text is set where it runs, and the first page it runs on."""

    text: str
    size: float = 0.0
    first: int = 0


def _elsewhere(pages: Sequence[PageContent], running: Sequence[_Running]) -> set[tuple[int, int]]:
    """The same texts, or parts of them, at other heights of the margin, unless they head what runs after them."""
    found = set()
    for page in pages:
        for index in _margin_lines(page):
            line = page.lines[index]
            key = _key(line.text)
            if line.kind is not RegionKind.TEXT or not any(c.isalpha() for c in key) or len(key) < 4:
                continue
            # On the first page it may be the title, set larger and further down.
            if page.number == 1 and not _at_edge(page, line):
                continue
            same = [one for one in running if f" {key} " in f" {one.text} "]
            if any(not _heads(line, page.number, one) for one in same):
                found.add((page.number, index))
    return found


def _heads(line: PageLine, page: int, running: _Running) -> bool:
    """Whether a line is the chapter's title that its own and the following pages repeat, smaller, in their margins."""
    return page <= running.first and line.size > _LARGER * running.size > 0


def _running_texts(
    pages: Sequence[PageContent], found: set[tuple[int, int]], facts: Mapping[str, str]
) -> list[_Running]:
    lines: dict[str, list[tuple[int, PageLine]]] = defaultdict(list)
    for number, index in sorted(found):
        line = pages[number - 1].lines[index]
        lines[_key(line.text)].append((number, line))
    return [
        _Running(key, max(line.size for _, line in lines[key]), lines[key][0][0]) if key in lines else _Running(key)
        for key in facts
    ]


def _section_names(pages: Sequence[PageContent]) -> set[tuple[int, int]]:
    """Headers that name the section a page is in: at one place, in one type, and printed as a heading, too, on the
    page or an earlier one."""
    headings: dict[str, list[tuple[int, int, PageLine]]] = defaultdict(list)
    groups: dict[tuple[int, float, bool, str], list[tuple[int, int]]] = defaultdict(list)
    for page in pages:
        margin = set(_margin_lines(page))
        for index, line in enumerate(page.lines):
            if index in margin and line.kind is RegionKind.TEXT and _at_edge(page, line) and _apart(page, index):
                groups[(_slot(page, line), line.size, line.bold, line.font)].append((page.number, index))
            headings[_name(line.text)].append((page.number, index, line))
    found = set()
    for members in groups.values():
        named = [member for member in members if _is_headed(pages, member, headings)]
        if len(named) >= 0.6 * len(members):
            found.update(members)
    return found


def _is_headed(
    pages: Sequence[PageContent],
    member: tuple[int, int],
    headings: Mapping[str, Sequence[tuple[int, int, PageLine]]],
) -> bool:
    """Whether the line's text stands in the text too, larger or bolder: a list of contents does not print it so."""
    number, index = member
    line = pages[number - 1].lines[index]
    return any(c.isalpha() for c in line.text) and any(
        page <= number
        and (page, at) != member
        and (other.size, other.bold) >= (line.size, line.bold)
        and (other.size, other.bold, other.font) != (line.size, line.bold, line.font)
        for page, at, other in headings[_name(line.text)]
    )


def _name(text: str) -> str:
    """A title without its number, which headers leave out."""
    return _NUMBER.sub("", fold_case(text))


def _apart(page: PageContent, index: int) -> bool:
    """White space, as between a header and the text, on the inner side of the line."""
    place = page.lines[index].place
    top = place.y1 < page.flow[1] / 2
    inner = [
        line.place for line in page.lines if (line.place.y0 > place.y1 - 1 if top else line.place.y1 < place.y0 + 1)
    ]
    gaps = [other.y0 - place.y1 if top else place.y0 - other.y1 for other in inner]
    return min(gaps, default=0.0) > 1.2 * (place.y1 - place.y0)


def _needed(pages: int, edge: bool) -> int:
    """Pages a running line must be on. Left and right pages of a short document may have it twice only."""
    if pages <= 3 or (edge and pages < 9):
        return 2
    return 3 if pages < 30 else max(3, pages // 30)


def _at_edge(page: PageContent, line: PageLine) -> bool:
    return line.place.y1 < _EDGE * page.flow[1] or line.place.y0 > (1 - _EDGE) * page.flow[1]


def _margin_lines(page: PageContent) -> list[int]:
    """Lines in the top and bottom zones; rows of a table only if nothing stands between them and the page's edge."""
    if not page.lines:
        return []
    height = page.flow[1]
    tops = min(line.place.y0 for line in page.lines)
    feet = max(line.place.y1 for line in page.lines)
    found = []
    for index, line in enumerate(page.lines):
        middle = (line.place.y0 + line.place.y1) / 2
        if not (middle < _ZONE * height or middle > (1 - _ZONE) * height):
            # Pages on their side carry their header and footer at the left and right edges.
            continue
        outermost = line.place.y0 <= tops + 2 * line.height or line.place.y1 >= feet - 2 * line.height
        if line.kind is RegionKind.TEXT or outermost or line.cells <= 2:
            found.append(index)
    return found


def _key(text: str) -> str:
    folded = fold_case(text)
    key = _ROMAN.sub(r"\1#", _DIGITS.sub("#", folded))
    return key if _PAGE_NUMBER.match(key) else _MARK.sub("", key) or key


def _slot(page: PageContent, line: PageLine) -> int:
    middle = (line.place.y0 + line.place.y1) / 2
    # The foot is measured from below: pages of one document may differ in height.
    return round(middle / _STEP) if middle < page.flow[1] / 2 else -1 - round((page.flow[1] - middle) / _STEP)


def _neighbours(
    groups: dict[tuple[str, int], list[tuple[int, int]]],
) -> dict[tuple[str, int], list[tuple[int, int]]]:
    """Heights that fall on either side of a rounding step are one."""
    merged: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for (text, slot), members in groups.items():
        near = [m for offset in (-1, 1) for m in groups.get((text, slot + offset), ())]
        merged[(text, slot)] = [*members, *near]
    return merged


def _page_numbers(pages: Sequence[PageContent]) -> set[tuple[int, int]]:
    """Bare numbers in the margin that count up with the pages."""
    candidates: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for page in pages:
        for index in _margin_lines(page):
            text = page.lines[index].text.strip(" -–—|•")
            if text.isdigit() and len(text) <= 4:
                candidates[int(text) - page.number].append((page.number, index))
    counts = Counter({offset: len({n for n, _ in members}) for offset, members in candidates.items()})
    return {
        member for offset, count in counts.items() if count >= max(2, len(pages) // 3) for member in candidates[offset]
    }
