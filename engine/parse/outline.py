"""The outline of a document from all its evidence, in stated order.

1. The file's bookmarks, where they are sane: then they are the outline.
2. Otherwise printed lines are weighed (font, weight, numbering, place, wording, the printed contents list) and those
   that pass become headings; section numbers decide the level, styles seen with numbers pass it on to others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.core.model import Box, Heading, HeadingSource
from engine.core.text import fold_case
from engine.parse.bookmarks import Bookmark, Match, are_sane, clean_bookmarks, match_bookmarks
from engine.parse.candidates import Body, Candidate, body_style, find_candidates
from engine.parse.content import PageContent
from engine.parse.contents import Contents, is_contents_title
from engine.parse.levels import assign_levels, build_tree

_ACCEPT = 2.2
_SURE = 5.0


@dataclass(frozen=True, slots=True)
class Outline:
    """Headings in reading order; `spans[i]` is (page, first line, end line) of the lines that print heading i."""

    headings: tuple[Heading, ...]
    spans: tuple[tuple[int, int, int], ...]
    warnings: tuple[str, ...] = ()


def make_outline(
    pages: Sequence[PageContent],
    raw_bookmarks: Sequence[Sequence[object]],
    furniture: frozenset[tuple[int, int]],
    contents: Contents,
    title_lines: frozenset[tuple[int, int]],
) -> Outline:
    """Headings of a document from bookmarks, numbering, contents list and fonts, in reading order."""
    bookmarks = clean_bookmarks(raw_bookmarks, len(pages))
    if bookmarks:
        matches = match_bookmarks(bookmarks, _without(pages, furniture))
        if are_sane(matches):
            return _from_bookmarks(matches, pages)
    skip = furniture | contents.lines | title_lines
    body = body_style(pages, skip)
    return _from_print(pages, skip, body, contents)


def _without(pages: Sequence[PageContent], skip: frozenset[tuple[int, int]]) -> Sequence[PageContent]:
    """Running headers repeat titles and must not be taken for them; indices of lines stay."""
    if not skip:
        return pages
    blank = []
    for page in pages:
        lines = tuple(replace(line, text="") if (page.number, i) in skip else line for i, line in enumerate(page.lines))
        blank.append(replace(page, lines=lines))
    return blank


def _from_bookmarks(matches: Sequence[Match], pages: Sequence[PageContent]) -> Outline:
    by_number = {page.number: page for page in pages}
    entries: list[tuple[str, int, Candidate | None, int, HeadingSource, float]] = []
    for match in matches:
        bookmark: Bookmark = match.bookmark
        confidence = 1.0 if match.found else 0.8
        entries.append((bookmark.title, match.page, None, bookmark.level, HeadingSource.BOOKMARK, confidence))
    headings = list(build_tree(entries))
    spans = []
    for index, match in enumerate(matches):
        lines = by_number[match.page].lines[match.start : match.end] if match.found else ()
        if lines:
            headings[index] = replace(headings[index], box=_hull([line.box for line in lines]))
        spans.append((match.page, match.start, match.end))
    return Outline(tuple(headings), tuple(spans))


def _from_print(
    pages: Sequence[PageContent], skip: frozenset[tuple[int, int]], body: Body, contents: Contents
) -> Outline:
    known = frozenset(fold_case(entry.title) for entry in contents.entries)
    accepted: list[Candidate] = []
    for page in pages:
        for candidate in find_candidates(page, skip, body, known):
            if candidate.score >= _ACCEPT and not is_contents_title(candidate.title):
                accepted.append(candidate)
    levels = assign_levels(accepted)
    entries = []
    for candidate, level in zip(accepted, levels, strict=True):
        folded = fold_case(candidate.title)
        source = HeadingSource.FONT
        if candidate.numbering is not None:
            source = HeadingSource.NUMBERING
        elif folded in known:
            source = HeadingSource.CONTENTS
        confidence = round(min(0.95, 0.5 + 0.45 * (candidate.score - _ACCEPT) / (_SURE - _ACCEPT)), 2)
        entries.append((candidate.title, candidate.page, candidate, level, source, confidence))
    spans = tuple((c.page, c.start, c.end) for c in accepted)
    return Outline(build_tree(entries), spans)


def _hull(boxes: Sequence[Box]) -> Box:
    return Box(min(b.x0 for b in boxes), min(b.y0 for b in boxes), max(b.x1 for b in boxes), max(b.y1 for b in boxes))
