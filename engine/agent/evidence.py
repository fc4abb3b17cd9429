"""Choosing, from the documents a question speaks about, the sentences and rows that could answer it."""

from __future__ import annotations

import difflib
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine.agent.question import Question
from engine.agent.sources import SegmentRanks, Sources
from engine.agent.targets import Targets
from engine.agent.terms import canonical, word_forms
from engine.agent.units import Unit, units_of
from engine.core.ids import DocumentId
from engine.core.model import Segment
from engine.core.text import fold_case

_WHOLE_DOCUMENT = 4000
"""Segments: below this a named document is read whole, above only what retrieval found in it."""
_AROUND = 0.55
"""Worth of a term that stands in the section path, caption or previous sentence instead of the unit itself."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Units to choose from, the retrieval ranks of their segments, and how rare each question term is among them."""

    units: tuple[Unit, ...]
    ranks: SegmentRanks
    weights: dict[str, float]
    terms: tuple[str, ...]
    """The question's terms, misspellings mended against the pool's own words."""

    @property
    def absent(self) -> tuple[str, ...]:
        """Terms that no unit of the pool holds."""
        held: set[str] = set()
        for unit in self.units:
            held |= unit.forms | unit.around_forms
        return tuple(term for term in self.terms if not holds(held, term))


@dataclass(frozen=True, slots=True)
class Evidence:
    """A unit and how well it fits: `coverage` is the rarity-weighted share of question terms found in or around it."""

    unit: Unit
    score: float
    coverage: float
    inside: float
    """The share found in the unit itself."""
    missing: tuple[str, ...]
    in_section: bool


def holds(forms: Iterable[str] | set[str] | frozenset[str], term: str) -> bool:
    """Whether a set of word forms answers to a term; a compound also by all of its pieces."""
    known = forms if isinstance(forms, (set, frozenset)) else set(forms)
    if term in known:
        return True
    pieces = [piece for piece in re.split(r"[-/.+]", term) if len(piece) > 1]
    if len(pieces) > 1:
        return all(canonical(piece) in known for piece in pieces) or "".join(pieces) in known
    return False


def gather(question: Question, sources: Sources, targets: Targets, k: int = 30, query: str | None = None) -> Pool:
    """Read the target documents whole where they are of a readable size, else the segments retrieval found."""
    documents = targets.documents
    result = sources.search(query or question.text, k, documents)
    if documents and not result.hits:
        result = sources.search(query or question.text, k)
    ranks = {hit.segment.id: hit.rank for hit in result.hits}
    segments: list[Segment] = [hit.segment for hit in result.hits]
    for document in documents[:6]:
        whole = sources.segments_of(document)
        if len(whole) <= _WHOLE_DOCUMENT:
            segments.extend(whole)
    allowed: set[DocumentId] = set(documents)
    kept = {s.id: s for s in segments if not allowed or s.document in allowed}
    return make_pool(question, list(kept.values()), ranks)


def make_pool(question: Question, segments: Sequence[Segment], ranks: SegmentRanks) -> Pool:
    """All sentences and rows of the segments, with the question's terms weighted by how rare they are among them."""
    units = tuple(units_of(segments))
    vocabulary: Counter[str] = Counter()
    for unit in units:
        vocabulary.update(unit.forms)
    terms = tuple(_mend(term, vocabulary) for term in question.terms)
    total = max(1, len(units))
    weights = {}
    for term in terms:
        count = sum(1 for unit in units if holds(unit.forms, term)) if len(term) > 2 else vocabulary[term]
        weights[term] = min(math.log(1 + (total - count + 0.5) / (count + 0.5)), 7.0)
    return Pool(units, ranks, weights, terms)


def _mend(term: str, vocabulary: Counter[str]) -> str:
    """A misspelt word becomes the nearest word of the documents; numbers and short words are left alone."""
    if len(term) < 5 or any(c.isdigit() for c in term) or holds(set(vocabulary), term):
        return term
    near = difflib.get_close_matches(term, [w for w in vocabulary if abs(len(w) - len(term)) <= 2], n=3, cutoff=0.82)
    near = [word for word in near if word[0] == term[0]]
    return (
        max(near, key=lambda word: (difflib.SequenceMatcher(None, term, word).ratio(), vocabulary[word]))
        if near
        else term
    )


def rank(question: Question, pool: Pool, limit: int = 40) -> list[Evidence]:
    """Score every unit of the pool, best first."""
    total = sum(pool.weights.values()) or 1.0
    found: list[Evidence] = []
    sections = [fold_case(name) for name in question.sections]
    for unit in pool.units:
        inside = around = 0.0
        missing: list[str] = []
        for term in pool.terms:
            if holds(unit.forms, term):
                inside += pool.weights[term]
            elif holds(unit.around_forms, term):
                around += pool.weights[term]
            else:
                missing.append(term)
        if inside == 0.0:
            continue
        in_section = bool(sections) and _in_section(unit, sections)
        coverage = (inside + around) / total
        score = (inside + _AROUND * around) / total
        score += 0.25 if in_section else 0.0
        place = pool.ranks.get(unit.segment.id)
        score += 0.15 / math.sqrt(place) if place else 0.0
        score -= 0.06 * max(0.0, len(unit.text) / 200 - 1)
        found.append(Evidence(unit, score, coverage, inside / total, tuple(missing), in_section))
    found.sort(key=lambda e: (-e.score, e.unit.order))
    return found[:limit]


def _in_section(unit: Unit, sections: Sequence[str]) -> bool:
    place = fold_case(" > ".join(unit.segment.path) + " " + unit.around)
    return any(name in place or _mostly(name, place) for name in sections)


def _mostly(name: str, place: str) -> bool:
    words = word_forms(name)
    return len(words) >= 2 and len(words & word_forms(place)) / len(words) >= 0.75


def adjust(evidence: Evidence, bonus: float) -> Evidence:
    return replace(evidence, score=evidence.score + bonus)
