"""The title of a document, read from its first page: file names and metadata titles often lie."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core.text import fold_case
from engine.parse.content import PageContent, PageLine, RegionKind
from engine.parse.numbering import read_numbering

_JUNK = re.compile(
    r"^(?:microsoft (?:word|powerpoint|excel)\b.*|untitled.*|.*\.(?:docx?|pdf|indd|qxd|fm|pptx?|xlsx?|book|wpd|tex|p65)"
    r"|document\s*\d*|slide\s*\d+|titel|title|no title|data ?sheets?|print|layout \d+|\d+)$",
    re.IGNORECASE,
)
_GENERIC = re.compile(
    r"^(?:data ?sheet|product (?:specification|data ?sheet)|application notes?|technical (?:data|note)"
    r"|user(?:'s)? (?:guide|manual)|features|description|general description|contents|preliminary"
    r"|rev(?:ision)?\b.*|www\..*)$",
    re.IGNORECASE,
)
_TOP = 0.5
_MAX = 160


@dataclass(frozen=True, slots=True)
class Title:
    text: str
    lines: frozenset[tuple[int, int]]


def find_title(
    pages: Sequence[PageContent],
    furniture: frozenset[tuple[int, int]],
    metadata: Mapping[str, str],
    body_size: float,
) -> Title:
    """The largest lines in the upper part of the first page with text, else the metadata's title, else ""."""
    page = next((p for p in pages if p.lines), None)
    if page is not None:
        lines = [
            (i, line)
            for i, line in enumerate(page.lines)
            if line.kind is not RegionKind.TABLE and line.place.y0 < _TOP * page.flow[1] and line.size
        ]
        if printed := _printed(page, lines, body_size):
            return printed
    from_metadata = metadata.get("title", "").strip()
    if from_metadata and not _JUNK.match(from_metadata):
        return Title(from_metadata, frozenset())
    if page is not None:
        first = next((line.text for line in page.lines if len(line.text) > 3), "")
        return Title(first[:_MAX], frozenset())
    return Title("", frozenset())


def _printed(page: PageContent, lines: Sequence[tuple[int, PageLine]], body_size: float) -> Title | None:
    usable = [(i, line) for i, line in lines if _titular(line)]
    if not usable:
        return None
    largest = max(line.size for _, line in usable)
    if largest < 1.25 * body_size:
        return None
    lead = next((i, line) for i, line in usable if line.size == largest)
    chosen = [lead]
    for i, line in usable:
        # A title may be set in two sizes: part number large, description below it smaller.
        near = abs(line.place.y0 - chosen[-1][1].place.y1) < 2.2 * line.size or _side_by_side(line, chosen[-1][1])
        if i > chosen[-1][0] and line.size >= max(1.25 * body_size, 0.5 * largest) and near and len(chosen) < 5:
            chosen.append((i, line))
    text = " ".join(line.text for _, line in chosen)
    if len(text) > _MAX:
        text = lead[1].text
        chosen = [lead]
    return Title(text[:_MAX], frozenset((page.number, i) for i, _ in chosen))


def _titular(line: PageLine) -> bool:
    letters = sum(c.isalnum() for c in line.text)
    if letters < 3 or _GENERIC.match(fold_case(line.text)):
        return False
    return read_numbering(line.text) is None or line.text[:1].isalpha()


def _side_by_side(a: PageLine, b: PageLine) -> bool:
    return min(a.place.y1, b.place.y1) - max(a.place.y0, b.place.y0) > 0.3 * min(a.height, b.height)
