"""A document as its sections: the passages under one heading, with their whole sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.agent.prose import items_in, sentences_of
from engine.agent.terms import word_forms
from engine.core.model import Segment

_NUMBER = re.compile(r"^(?:[0-9]+|[A-Z])(?:\.[0-9]+)*\.?\s+")
_LEADS = re.compile(
    r"^(?:(?:general|functional|product|device|brief|short)\s+)?(?:description|overview|introduction|scope|abstract|"
    r"synopsis|summary|purpose|about this \w+)$",
    re.I,
)


_ASIDE = re.compile(
    r"\b(?:legal|disclaimers?|trademarks?|contacts?|revision|history|references?|contents|ordering|packag\w+|mechanical|"
    r"outlines?|dimensions?|errata|definitions|support|feedback|headquarters|bibliography|index|notices?)\b",
    re.I,
)


@dataclass(frozen=True)
class Quote:
    """A sentence and the passage it stands in."""

    segment: Segment
    text: str

    @cached_property
    def forms(self) -> frozenset[str]:
        return frozenset(word_forms(self.text))


@dataclass(frozen=True)
class Section:
    """Passages in reading order that share a heading."""

    path: tuple[str, ...]
    segments: tuple[Segment, ...]

    @property
    def name(self) -> str:
        """The heading without its number; "" before the first."""
        return _NUMBER.sub("", self.path[-1]).strip() if self.path else ""

    @property
    def page(self) -> int:
        return self.segments[0].page

    @property
    def place(self) -> str:
        """ "Pin Description, page 3"."""
        return f"{self.name}, page {self.page}" if self.name else f"page {self.page}"

    @cached_property
    def quotes(self) -> tuple[Quote, ...]:
        found: dict[str, Quote] = {}
        for segment in self.segments:
            for text in sentences_of(segment):
                found.setdefault(text, Quote(segment, text))
        return tuple(found.values())

    @cached_property
    def forms(self) -> frozenset[str]:
        """Words of its heading and of all its passages."""
        return frozenset(word_forms(" ".join((*self.path, *(segment.text for segment in self.segments)))))

    @property
    def aside(self) -> bool:
        """Whether it is about the document or its delivery, not about its subject."""
        return bool(_ASIDE.search(self.name))

    @property
    def leads(self) -> bool:
        """Whether it says what its document is about."""
        return bool(_LEADS.match(self.name))


def items_of(segment: Segment) -> list[Quote]:
    """The items of a passage's lists."""
    return [Quote(segment, text) for text in items_in(segment)]


def sections_of(segments: Sequence[Segment]) -> list[Section]:
    """Sections in the order in which each begins."""
    grouped: dict[tuple[str, ...], list[Segment]] = {}
    for segment in segments:
        grouped.setdefault(segment.path, []).append(segment)
    return [Section(path, tuple(group)) for path, group in grouped.items()]
