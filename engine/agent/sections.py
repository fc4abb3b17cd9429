"""A document as its sections: the passages under one heading, with their whole sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from engine.agent.prose import is_caption, items_in, sentences_of
from engine.agent.terms import word_forms
from engine.core.model import Segment, SegmentKind

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


_HEADING, _HEADING_WORDS = 70, 8
"""Characters and words of the longest heading."""


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
    """Sections in the order in which each begins; short ones that share a passage are told apart by their headings."""
    grouped: dict[tuple[str, ...], list[Segment]] = {}
    for segment in segments:
        for path, piece in _pieces(segment):
            grouped.setdefault(path, []).append(piece)
    return [Section(path, tuple(group)) for path, group in grouped.items()]


def _pieces(segment: Segment) -> list[tuple[tuple[str, ...], Segment]]:
    if segment.kind is not SegmentKind.TEXT:
        return [(segment.path, segment)]
    lines = segment.text.splitlines()
    heads = [n for n, (line, below) in enumerate(pairwise([*lines, ""])) if _heads(line.strip(), below.strip())]
    starts = [0, *(n for n in heads if n > 0)]
    found = []
    for start, end in zip(starts, [*starts[1:], len(lines)]):
        path = (*segment.path, lines[start].strip()) if start in heads else segment.path
        found.append((path, replace(segment, text="\n".join(lines[start:end]))))
    return found


def _heads(line: str, below: str) -> bool:
    """Whether a line of a passage is a heading that was not worth a passage of its own."""
    words = [word for word in re.findall(r"[^\W\d_]+", line) if len(word) > 3 or word.isupper()]
    shaped = (
        3 <= len(line) <= _HEADING and len(line.split()) <= _HEADING_WORDS and not re.search(r"[.,;:!?=|]$|[=|]", line)
    )
    if not shaped or not words or not (line[0].isupper() or _NUMBER.match(line)) or is_caption(line):
        return False
    large = sum(1 for word in words if word[0].isupper())
    opens = bool(re.match(r"[\u2022\u25cf\u25aa*]", below)) or (below[:1].isupper() and len(below) > len(line))
    return large >= 0.6 * len(words) and opens
