"""The PDF's own outline: taken where it is sane, and tied to the printed lines it names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from engine.core.text import fold_case
from engine.parse.candidates import CAPTION
from engine.parse.content import PageContent, PageLine
from engine.parse.contents import is_contents_title
from engine.parse.numbering import read_numbering

_MIN_ENTRIES = 3
_MIN_FOUND = 0.5
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_JUNK = re.compile(r"^(?:page\s*\d+|untitled|bookmark\s*\d*|_\w+\d{6,}|.*\.(?:pdf|docx?|indd|qxd|fm))$", re.IGNORECASE)
_MAX_LINES = 5


@dataclass(frozen=True, slots=True)
class Bookmark:
    level: int
    title: str
    page: int


@dataclass(frozen=True, slots=True)
class Match:
    """Lines `start` to `end` (exclusive) of page `page` that print the bookmark's title; end == start if none do."""

    bookmark: Bookmark
    page: int
    start: int
    end: int

    @property
    def found(self) -> bool:
        return self.end > self.start


def clean_bookmarks(raw: Sequence[Sequence[object]], pages: int) -> tuple[Bookmark, ...]:
    """Entries [level, title, page] of the file with readable titles and pages that exist."""
    kept = []
    for entry in raw:
        level, title, page = int(str(entry[0])), _clean(str(entry[1])), int(str(entry[2]))
        if title and 1 <= page <= pages and not _JUNK.match(title):
            kept.append(Bookmark(level, title, page))
    # Captions are figures and tables, and a contents list heads nothing, unless other entries stand under them.
    return tuple(
        bookmark
        for bookmark, after in zip_longest(kept, kept[1:])
        if (after is not None and after.level > bookmark.level)
        or not (CAPTION.match(bookmark.title) or is_contents_title(bookmark.title))
    )


def match_bookmarks(bookmarks: Sequence[Bookmark], pages: Sequence[PageContent]) -> tuple[Match, ...]:
    """Where each bookmark's title is printed: on its page, or the one after or before it."""
    by_number = {page.number: page for page in pages}
    taken: set[tuple[int, int]] = set()
    matches = []
    for bookmark in bookmarks:
        found = None
        for number in (bookmark.page, bookmark.page + 1, bookmark.page - 1):
            page = by_number.get(number)
            if page is not None and (found := _find(bookmark.title, page, taken)) is not None:
                break
        if found is None:
            matches.append(Match(bookmark, bookmark.page, 0, 0))
        else:
            taken.update((found[0], index) for index in range(found[1], found[2]))
            matches.append(Match(bookmark, *found))
    return tuple(matches)


def are_sane(matches: Sequence[Match]) -> bool:
    """Enough entries, most of them printed where they say, and not one and the same title throughout."""
    if len(matches) < _MIN_ENTRIES:
        return False
    titles = {fold_case(m.bookmark.title) for m in matches}
    return sum(m.found for m in matches) >= _MIN_FOUND * len(matches) and len(titles) > 0.3 * len(matches)


def letters(text: str) -> str:
    """Letters and digits only: what two spellings of one title have in common."""
    return "".join(c for c in fold_case(unicodedata.normalize("NFKD", text)) if c.isalnum())


def _find(title: str, page: PageContent, taken: set[tuple[int, int]]) -> tuple[int, int, int] | None:
    wanted = letters(title)
    numbering = read_numbering(title)
    bare = letters(numbering.rest) if numbering else wanted
    if not bare:
        return None
    best: tuple[float, int, int] | None = None
    for start, line in enumerate(page.lines):
        if (page.number, start) in taken:
            continue
        held = ""
        for end in range(start, min(start + _MAX_LINES, len(page.lines))):
            held += letters(page.lines[end].text)
            if len(held) > len(wanted) + 12 and end > start:
                break
            worth = _worth(held, wanted, bare, line)
            if worth and (best is None or worth > best[0]):
                best = (worth, start, end + 1)
    return (page.number, best[1], best[2]) if best else None


def _worth(held: str, wanted: str, bare: str, line: PageLine) -> float:
    """How well printed letters fit a bookmark: exact, or without the number, bold and large lines first."""
    if held == wanted:
        fit = 4.0
    elif held == bare or held.lstrip("0123456789") == bare.lstrip("0123456789"):
        fit = 3.0
    elif len(wanted) >= 12 and held.startswith(wanted) and len(held) <= len(wanted) + 12:
        fit = 1.5
    elif letters(line.text.split("(")[0]) == wanted and "(" in line.text:
        # The page may print test conditions behind the title.
        fit = 2.0
    else:
        return 0.0
    return fit + line.bold + min(line.size, 40.0) / 40.0


def _clean(title: str) -> str:
    return " ".join(_CONTROL.sub(" ", title).split())
