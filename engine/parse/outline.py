"""The outline of a document from all its evidence, in stated order.

1. The file's bookmarks, where they are sane: then they are the outline.
2. Otherwise printed lines are weighed (font, weight, numbering, place, wording, the printed contents list) and those
   that pass become headings; section numbers decide the level, styles seen with numbers pass it on to others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.core.model import Box, Heading, HeadingSource
from engine.core.text import fold_case
from engine.parse.bookmarks import Match, are_sane, clean_bookmarks, match_bookmarks
from engine.parse.candidates import Body, Candidate, Look, find_candidates
from engine.parse.content import PageContent, PageLine, RegionKind
from engine.parse.contents import Contents
from engine.parse.levels import Entry, assign_levels, build_tree

_ACCEPT = 2.2
_SURE = 5.0
_ALIKE = 1.2
"""What looking like three or more accepted headings is worth."""

_FAINT = 0.9
"""The least a line in body size is worth that is only slanted or underlined."""

Lines = frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Outline:
    """Headings in reading order; `spans[i]` is (page, first line, end line) of the lines that print heading i."""

    headings: tuple[Heading, ...]
    spans: tuple[tuple[int, int, int], ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where the headings are, before the title is told apart from them: bookmarks if sane, else printed candidates."""

    matches: tuple[Match, ...]
    candidates: tuple[Candidate, ...]
    styles: frozenset[tuple[float, bool]]
    """(size, bold) that headings have twice after the first page, or three times: no title is set like that."""


def gather(
    pages: Sequence[PageContent],
    raw_bookmarks: Sequence[Sequence[object]],
    furniture: Lines,
    contents: Contents,
    body: Body,
) -> Evidence:
    """Weigh bookmarks and printed lines; the outline is made from this once the title is known."""
    bookmarks = clean_bookmarks(raw_bookmarks, len(pages))
    if bookmarks:
        matches = match_bookmarks(bookmarks, _without(pages, furniture | contents.lines))
        if are_sane(matches):
            by_number = {page.number: page for page in pages}
            leads = [(m.page, by_number[m.page].lines[m.start]) for m in matches if m.found]
            return Evidence(matches, (), _recurrent([(page, line.size, line.bold) for page, line in leads]))
    known = frozenset(fold_case(entry.title) for entry in contents.entries)
    skip = furniture | contents.lines
    accepted = _accepted([c for page in pages for c in find_candidates(page, skip, body, known)], body)
    return Evidence((), tuple(accepted), _recurrent([(c.page, c.style.size, c.style.bold) for c in accepted]))


def _accepted(candidates: Sequence[Candidate], body: Body) -> list[Candidate]:
    """Those that stand on their own, and weaker ones that look just like several of them."""
    candidates = _without_plot_titles(_plainly_numbered(candidates))
    looks = Counter(c.look for c in candidates if c.score >= _ACCEPT and not c.inside)
    slanted = _slanted(candidates, body)
    kept = []
    for candidate in candidates:
        alike = looks[candidate.look]
        if candidate.inside:
            kept += [candidate] if alike >= 2 and candidate.score >= _ACCEPT - 0.5 else []
        elif (
            candidate.score >= _ACCEPT
            or (alike >= 3 and candidate.score >= _ACCEPT - _ALIKE)
            or (candidate.look in slanted and candidate.score >= _FAINT)
        ):
            kept.append(candidate)
    return kept


def _slanted(candidates: Sequence[Candidate], body: Body) -> frozenset[Look]:
    """Looks of the lowest headings some houses have: in body size, only slanted or underlined, but again and again so.

    Most lines set like that must be short and stand by themselves: names and remarks in running text do not.
    """
    fit: Counter[Look] = Counter()
    all_of: Counter[Look] = Counter()
    for candidate in candidates:
        style = candidate.style
        if not style.bold and abs(style.size - body.size) < 0.6 and (style.italic or style.underlined):
            all_of[candidate.look] += 1
            fit[candidate.look] += candidate.score >= _FAINT and not candidate.inside and not candidate.over_figure
    return frozenset(look for look, count in fit.items() if count >= 3 and count >= 0.6 * all_of[look])


def _plainly_numbered(candidates: Sequence[Candidate]) -> list[Candidate]:
    """ "14 PINS SHOWN" is numbered only in a document that also has a 13 or 15 among its section numbers."""
    tops = {c.numbering.number[0] for c in candidates if c.numbering and c.numbering.kind == "decimal"}
    kept = []
    for candidate in candidates:
        numbering = candidate.numbering
        single = numbering is not None and numbering.kind == "decimal" and len(numbering.number) == 1
        if numbering is not None and single and not candidate.title.startswith(f"{numbering.label}."):
            first = numbering.number[0]
            if first > 1 and not {first - 1, first + 1} & tops:
                candidate = replace(candidate, numbering=None, score=candidate.score - 2.0)
        kept.append(candidate)
    return kept


def _without_plot_titles(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Bold lines over plots are figure titles where most lines set like them stand over drawings."""
    over: Counter[Look] = Counter()
    all_of: Counter[Look] = Counter()
    for candidate in candidates:
        if candidate.numbering is None and candidate.score >= _ACCEPT - _ALIKE:
            all_of[candidate.look] += 1
            over[candidate.look] += candidate.over_figure
    plots = {look for look, count in over.items() if count >= 3 and count >= 0.5 * all_of[look]}
    return [c for c in candidates if c.look not in plots or c.numbering is not None]


def _recurrent(leads: Sequence[tuple[int, float, bool]]) -> frozenset[tuple[float, bool]]:
    first = min((page for page, _, _ in leads), default=1)
    later = Counter((size, bold) for page, size, bold in leads if page > first)
    every = Counter((size, bold) for _, size, bold in leads)
    return frozenset(style for style, count in every.items() if later[style] >= 2 or count >= 3)


def make_outline(
    pages: Sequence[PageContent], evidence: Evidence, contents: Contents, title_lines: Lines, title: str
) -> Outline:
    """The tree of headings, in reading order."""
    if evidence.matches:
        return _from_bookmarks(evidence.matches, pages)
    title = fold_case(title)
    kept = [
        c
        for c in evidence.candidates
        if not any((c.page, i) in title_lines for i in range(c.start, c.end)) and fold_case(c.title) != title
    ]
    return _from_print(_without_cover(kept, pages, evidence.styles, _title_size(pages, title_lines)), contents)


def _without(pages: Sequence[PageContent], skip: Lines) -> Sequence[PageContent]:
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
    entries = []
    spans = []
    for match in matches:
        lines = by_number[match.page].lines[match.start : match.end] if match.found else ()
        box = _hull([line.box for line in lines]) if lines else None
        confidence = 1.0 if match.found else 0.8
        bookmark = match.bookmark
        entries.append(Entry(bookmark.title, match.page, box, bookmark.level, HeadingSource.BOOKMARK, confidence))
        spans.append((match.page, match.start, match.end))
    return Outline(build_tree(entries), tuple(spans))


def _title_size(pages: Sequence[PageContent], title_lines: Lines) -> float:
    sizes = [line.size for page in pages[:3] for i, line in enumerate(page.lines) if (page.number, i) in title_lines]
    return max(sizes, default=0.0)


def _without_cover(
    candidates: Sequence[Candidate],
    pages: Sequence[PageContent],
    styles: frozenset[tuple[float, bool]],
    title_size: float,
) -> list[Candidate]:
    """Large lines around the title (series, company, author) head nothing: no text stands below them."""
    first = next((page for page in pages if page.lines), None)
    if first is None:
        return list(candidates)
    kept = []
    for position, candidate in enumerate(candidates):
        if candidate.page == first.number and candidate.numbering is None:
            following = candidates[position + 1] if position + 1 < len(candidates) else None
            end = following.start if following is not None and following.page == first.number else len(first.lines)
            between = first.lines[candidate.end : end]
            style = (candidate.style.size, candidate.style.bold)
            here = sum(style == (c.style.size, c.style.bold) for c in candidates if c.page == first.number)
            single = here <= 1 and style not in styles
            if single and (not any(map(_content, between)) or 0 < title_size <= candidate.style.size):
                continue
        kept.append(candidate)
    return kept


def _content(line: PageLine) -> bool:
    return line.kind is RegionKind.TABLE or len(line.text.split()) >= 7 or line.text[:1] == "•"


def _from_print(kept: Sequence[Candidate], contents: Contents) -> Outline:
    known = frozenset(fold_case(entry.title) for entry in contents.entries)
    levels = assign_levels(kept)
    while len(kept) >= 4 and kept[0].numbering is None and levels[0] < min(levels[1:]) and kept[0].page == 1:
        # One heading over all others is the title of the document.
        kept, levels = kept[1:], levels[1:]
    entries = []
    for candidate, level in zip(kept, levels, strict=True):
        source = HeadingSource.FONT
        if candidate.numbering is not None:
            source = HeadingSource.NUMBERING
        elif fold_case(candidate.title) in known:
            source = HeadingSource.CONTENTS
        confidence = round(min(0.95, 0.5 + 0.45 * (candidate.score - _ACCEPT) / (_SURE - _ACCEPT)), 2)
        entries.append(Entry(candidate.title, candidate.page, candidate.box, level, source, confidence))
    spans = tuple((c.page, c.start, c.end) for c in kept)
    return Outline(build_tree(entries), spans)


def _hull(boxes: Sequence[Box]) -> Box:
    return Box(min(b.x0 for b in boxes), min(b.y0 for b in boxes), max(b.x1 for b in boxes), max(b.y1 for b in boxes))
