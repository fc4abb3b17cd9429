"""Citations: numbered as they are first used, each on the page where its quote really stands."""

from __future__ import annotations

import re

from engine.agent.sources import Sources
from engine.agent.units import Unit
from engine.agent.verify import first_page_with, quote_stands
from engine.core.model import PageBox, Segment
from engine.core.results import Citation, Place
from engine.core.text import fold_case

_GAP = "\u2026"
_QUOTE = 300
"""Characters of a quote before it is cut at a word."""


class Citations:
    """Collects the citations of one answer and gives out their numbers."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._made: dict[tuple[str, int, str], Citation] = {}

    def cite(self, unit: Unit) -> int:
        """The number of the citation for a unit, made on first use."""
        return self.cite_text(unit.segment, unit.text)

    def cite_page(self, segment: Segment, page: int, quote: str) -> int:
        """Cite a page of the segment's document for words that stand apart from one another on it."""
        return self._number(segment, page, quote)

    def cite_text(self, segment: Segment, text: str) -> int:
        """Cite a text of a segment on the page where it stands."""
        quote = _cut(text)
        return self._number(segment, self._page(segment, quote), quote)

    def _number(self, segment: Segment, page: int, quote: str) -> int:
        quote = as_printed(quote, self._sources.page_text(segment.document, page))
        key = (segment.document, page, quote)
        if key not in self._made:
            self._made[key] = self._make(len(self._made) + 1, segment, page, quote)
        return self._made[key].n

    def page_text(self, number: int) -> str:
        citation = self.all[number - 1]
        return self._sources.page_text(citation.document, citation.page)

    @property
    def all(self) -> tuple[Citation, ...]:
        return tuple(self._made.values())

    def pick(self, numbers: tuple[int, ...]) -> tuple[Citation, ...]:
        made = self.all
        return tuple(made[n - 1] for n in numbers)

    def _page(self, segment: Segment, quote: str) -> int:
        pages = segment.pages or (segment.page,)
        if len(pages) == 1:
            return pages[0]
        texts = [(number, self._sources.page_text(segment.document, number)) for number in pages]
        for number, text in texts:
            if quote_stands(quote, text):
                return number
        return first_page_with(quote, texts) or segment.page

    def _make(self, number: int, segment: Segment, page: int, quote: str) -> Citation:
        catalog = self._sources.catalog
        info = catalog.page(segment.document, page)
        places = catalog.places(segment.document)
        boxes: tuple[PageBox, ...] = tuple(box for box in segment.boxes if box.page == page)
        return Citation(
            n=number,
            document=segment.document,
            segment=segment.id,
            place=places[0] if places else Place("", ""),
            page=page,
            page_label=info.label if info is not None else str(page),
            path=segment.path,
            quote=quote,
            title=segment.title,
            boxes=boxes,
        )


def as_printed(quote: str, page: str) -> str:
    """A quote with only words that the page prints; a gap is left for what the page's text does not have.

    A passage is put together from what is printed: superscripts come in brackets, headings that run in end in a full
    stop, overprinted letters come twice. A quote claims to be the page's own words, and claims no more here.
    """
    there = _packed(page)
    if not there:
        return quote
    words: list[str] = []
    for word in quote.split():
        printed = next((form for form in _forms(word) if _packed(form) in there), _GAP)
        if printed != _GAP or words[-1:] != [_GAP]:
            words.append(printed)
    return " ".join(words) if any(word != _GAP for word in words) else quote


def _forms(word: str) -> tuple[str, ...]:
    """How a word may be printed: as it is, without a stop behind it, a superscript without its brackets, with a decimal
    comma."""
    bare = word.rstrip(".:;,")
    return tuple(form for form in (word, bare, re.sub(r"[()]", "", word), bare.replace(".", ",")) if form)


def _packed(text: str) -> str:
    return re.sub(r"\s+", "", fold_case(text))


def _cut(text: str) -> str:
    if len(text) <= _QUOTE:
        return text
    return text[: text.rfind(" ", 0, _QUOTE)]
