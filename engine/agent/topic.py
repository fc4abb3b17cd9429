"""How much a section is about a topic, by words that are weighed by how rare they are in its document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from engine.agent.evidence import holds
from engine.agent.sections import Section
from engine.agent.sources import Sources
from engine.agent.terms import word_forms
from engine.core.ids import DocumentId
from engine.core.results import Hit

_DOCUMENTS = 3
_NAMED, _RANKED, _HOME = 1.5, 0.8, 0.15
"""Worth of a heading with all of the topic, of retrieval's first place, of the part's own sheet."""
_TITLED, _ABSENT = 0.3, 0.4
"""Worth of a word that stands in the document's title, of one that stands nowhere."""
_STEM = 5
"""Letters that two words must share from their beginning to be forms of one."""
_MANY_DIGITS = 3
"""Digits from which a number is a name: a section that lacks it is about another thing."""


class Topic:
    """The words of a topic, weighed by how few sections of one document have them."""

    def __init__(self, terms: Sequence[str], title: Set[str], sections: Sequence[Section]) -> None:
        self._in_title = {term for term in terms if speaks(title, term)}
        self._weights: dict[str, float] = {}
        for term in terms:
            count = sum(speaks(section.forms, term) for section in sections)
            rare = 1.0 / (1 + count) ** 0.5
            self._weights[term] = _TITLED * rare if term in self._in_title else rare if count else _ABSENT
        self._total = sum(self._weights.values()) or 1.0

    def share(self, section: Section) -> float:
        """Share of the topic that a section has, words of the document's title given; 0 where it lacks a number."""
        held = {term for term in self._weights if term in self._in_title or speaks(section.forms, term)}
        if any(term not in held and sum(c.isdigit() for c in term) >= _MANY_DIGITS for term in self._weights):
            return 0.0
        return sum(self._weights[term] for term in held) / self._total

    def titled(self, section: Section, levels: int = 2) -> float:
        """Share of the topic in the last headings a section stands under."""
        named = word_forms(" ".join(section.path[-levels:]))
        return sum(weight for term, weight in self._weights.items() if speaks(named, term)) / self._total


def speaks(forms: Set[str], term: str) -> bool:
    """Whether some words have a term, in whatever ending: "initialise" is "initialization"."""
    if holds(forms, term):
        return True
    stem = term[: max(_STEM, len(term) - 1)]
    return len(term) >= _STEM and term.isalpha() and any(form.startswith(stem) for form in forms)


def documents_to_read(homes: Iterable[DocumentId], hits: Iterable[Hit], sources: Sources) -> dict[DocumentId, str]:
    """The documents that sections are looked for in, with their titles: the parts' own, then those retrieval finds."""
    # Of several revisions only the standing ones are among the documents.
    titles = {info.id: info.title for info in sources.documents()}
    found = [one for one in dict.fromkeys([*homes, *(hit.segment.document for hit in hits)]) if one in titles]
    return {one: titles[one] for one in found[:_DOCUMENTS]}


class Standing:
    """How far a section is the one meant, beside what it says: where retrieval puts it, whether its sheet is the part's
    own."""

    def __init__(self, homes: Iterable[DocumentId], hits: Iterable[Hit]) -> None:
        self._homes = frozenset(homes)
        self._ranks = {hit.segment.id: hit.rank for hit in hits}

    def score(self, section: Section, share: float, titled: float) -> float:
        """The worth of a section with a share of the topic in its words and one in its headings."""
        rank = min((self._ranks[one.id] for one in section.segments if one.id in self._ranks), default=0)
        home = _HOME if section.segments[0].document in self._homes else 0.0
        return share + _NAMED * titled + (_RANKED / rank if rank else 0.0) + home
