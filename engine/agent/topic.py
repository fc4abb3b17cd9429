"""How much a section is about a topic, by words that are weighed by how rare they are in its document."""

from __future__ import annotations

from collections.abc import Sequence, Set

from engine.agent.evidence import holds
from engine.agent.sections import Section
from engine.agent.terms import word_forms

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
