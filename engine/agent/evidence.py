"""Choosing, from the documents a question speaks about, the sentences and rows that could answer it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache

from engine.agent.cells import stated_in_cells
from engine.agent.instructions import instructs
from engine.agent.misspelt import mended
from engine.agent.parts import expand, looks_like_part, names_same
from engine.agent.quantities import Quantity, find_quantities
from engine.agent.question import Expect, Question
from engine.agent.sources import SegmentRanks, Sources
from engine.agent.targets import Targets
from engine.agent.terms import canonical, light_terms, neighbours, stop_words, word_forms
from engine.agent.units import Unit, loose_lines, units_of
from engine.core.ids import DocumentId
from engine.core.model import Segment
from engine.core.results import Hit
from engine.core.text import fold, fold_case, identifiers

_WHOLE_DOCUMENT = 4000
"""Segments: below this a named document is read whole, above only what retrieval found in it."""
_AROUND = 0.55
"""Worth of a term that stands in the section path, caption or previous sentence instead of the unit itself."""
_KINDS = {
    canonical(word): frozenset(dimensions)
    for word, dimensions in {
        "time": ("time",),
        "duration": ("time",),
        "delay": ("time",),
        "frequency": ("frequency",),
        "voltage": ("voltage",),
        "current": ("current",),
        "resistance": ("resistance",),
        "capacitance": ("capacitance",),
        "temperature": ("temperature",),
        "power": ("power",),
        "byte": ("bytes",),
        "bit": ("bits",),
        "size": ("bytes", "bits", "length"),
        "capacity": ("bytes", "bits", "charge"),
        "rate": ("sample rate", "bit rate", "frequency"),
    }.items()
}
"""Names of kinds of quantity, by canonical word."""
_LIGHT = 0.3
"""Worth of a filler of questions ("hold", "main") beside a word that carries meaning."""
_ASIDE = 0.1
"""What is left of a word that only the clauses around the question have, and no document."""
_CODES = frozenset(canonical(word) for word in ("code", "address", "hex", "byte", "opcode"))
_HEX = re.compile(r"\b[0-9A-F]{1,4}h\b|\b0x[0-9A-Fa-f]+\b|\b[0-9][0-9A-F]*H\b|\b[01]{6,}")
_ANY = ("x", "-", "don't care")
"""Cells of a truth table that any value satisfies."""
_SAID_NAME = 8
"""Letters from which a section's name in running text is no accident."""
_NAMED = 0.2
"""A document about one part need not repeat its name in every row."""
_LEADING = 3
"""Passages that retrieval ranks so high are looked at whole: a paraphrase shares no word with its question."""
_HEAD_UNITS = 25
"""Units at the start of a document that say what it is: maker, year, subject."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Units to choose from, the retrieval ranks of their segments, and how rare each question term is among them."""

    units: tuple[Unit, ...]
    ranks: SegmentRanks
    weights: dict[str, float]
    terms: tuple[str, ...]
    """The question's terms, misspellings mended against the pool's own words."""
    heads: dict[DocumentId, frozenset[str]] = field(default_factory=dict)
    """What each document says about itself on its first page."""
    targets: frozenset[DocumentId] = frozenset()
    absent: tuple[str, ...] = ()
    """Terms that no unit of the pool holds."""
    listed: frozenset[str] = frozenset()
    """Single parts the target documents are about: "2N2222A" beside the "2N2222" asked for is a sibling."""

    @property
    def total(self) -> float:
        return sum(self.weights.values()) or 1.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """A unit and how well it fits: `coverage` is the rarity-weighted share of question terms found in or around it."""

    unit: Unit
    score: float
    coverage: float
    inside: float
    """The share found in the unit itself."""
    missing: tuple[str, ...]
    local: float = 0.0
    """The share found in the unit or right around it: path, caption, sentence before."""
    in_section: bool = False
    conditions: float = 0.0
    """1 if every stated condition stands in the unit, -1 if another value of the same kind does instead."""
    wrong_part: bool = False
    """The row or sentence names a sibling of the part asked for, and not that part."""


def holds(forms: Set[str], term: str) -> bool:
    """Whether a set of word forms answers to a term; a compound also by all of its pieces."""
    if term in forms:
        return True
    pieces = [piece for piece in re.split(r"[-/.+]", term) if len(piece) > 1 and piece not in stop_words()]
    if len(pieces) > 1:
        return all(canonical(piece) in forms for piece in pieces) or "".join(pieces) in forms
    return False


def gather(
    question: Question,
    sources: Sources,
    targets: Targets,
    k: int = 30,
    query: str | None = None,
    *,
    only_targets: bool = False,
) -> Pool:
    """Read the target documents whole where they are of a readable size, and what retrieval found elsewhere.

    Beside the targets only segments that name one of the parts count; without targets everything found does.
    """
    documents = targets.documents
    found: list[Hit] = list(sources.search(query or question.text, k, documents).hits)
    if documents and not only_targets:
        wider = sources.search(query or question.text, k).hits
        found += [hit for hit in wider if names_part(question, hit.segment)]
    ranks: SegmentRanks = {}
    for hit in found:
        ranks[hit.segment.id] = min(hit.rank, ranks.get(hit.segment.id, hit.rank))
    segments: list[Segment] = [hit.segment for hit in found]
    for document in documents[:6]:
        whole = sources.segments_of(document)
        if len(whole) <= _WHOLE_DOCUMENT:
            segments.extend(whole)
    kept = {segment.id: segment for segment in segments}
    about = {info.id: info.parts for info in sources.documents()}
    listed = frozenset(one for document in documents for part in about.get(document, ()) for one in expand(part))
    pool = make_pool(question, list(kept.values()), ranks, documents, _margins(sources, documents[:6], kept.values()))
    pages = {info.id: info.pages for info in sources.documents()}
    heads = {d: pool.heads.get(d, frozenset()) | _imprint(sources, d, pages.get(d, 1)) for d in documents[:6]}
    return replace(pool, listed=listed, heads={**pool.heads, **heads})


def _imprint(sources: Sources, document: DocumentId, pages: int) -> frozenset[str]:
    """Words of the first and the last page, where maker and year are printed."""
    return frozenset(word_forms(f"{sources.page_text(document, 1)} {sources.page_text(document, pages)}"))


def _margins(sources: Sources, documents: Sequence[DocumentId], segments: Iterable[Segment]) -> list[Unit]:
    """Printed lines of the targets that no segment holds (margin notes, drawings), as units of their page."""
    by_page: dict[tuple[DocumentId, int], list[Segment]] = {}
    for segment in segments:
        for page in segment.pages or (segment.page,):
            by_page.setdefault((segment.document, page), []).append(segment)
    found: list[Unit] = []
    for (document, page), there in by_page.items():
        if document in documents:
            text = sources.page_text(document, page)
            if text:
                found += loose_lines(text, page, there)
    return found


def names_part(question: Question, segment: Segment) -> bool:
    """Whether a passage, with its title and path, names one of the question's parts."""
    names = identifiers(f"{segment.title} {' '.join(segment.path)} {segment.text}")
    return any(names_same(part, name) >= 0.8 for part in question.parts for name in names)


def make_pool(
    question: Question,
    segments: Sequence[Segment],
    ranks: SegmentRanks,
    targets: Iterable[DocumentId] = (),
    more: Sequence[Unit] = (),
) -> Pool:
    """The units of some segments with the weight of each question term among them (rarity, capped)."""
    units = tuple(unit for unit in (*units_of(segments), *more) if not instructs(unit.text))
    vocabulary: Counter[str] = Counter()
    heads: dict[DocumentId, set[str]] = {}
    read: Counter[DocumentId] = Counter()
    for unit in units:
        vocabulary.update(unit.forms)
        document = unit.segment.document
        read[document] += 1
        if read[document] <= _HEAD_UNITS:
            heads.setdefault(document, set(word_forms(unit.segment.title))).update(unit.forms)
    known = set(vocabulary)
    terms = tuple(dict.fromkeys(term if holds(known, term) else mended(term, vocabulary) for term in question.terms))
    light = light_terms() | question.section_terms | question.light
    total = max(1, len(units))
    weights: dict[str, float] = {}
    absent: list[str] = []
    for term in terms:
        count = sum(1 for unit in units if holds(unit.forms, term))
        rarity = min(math.log(1 + (total - count + 0.5) / (count + 0.5)), 7.0)
        weights[term] = rarity * _LIGHT if term in light else rarity
        if count == 0 and not any(holds(unit.around_forms, term) for unit in units):
            weights[term] *= _ASIDE if term in question.aside else 1.0
            absent.append(term)
    frozen = {document: frozenset(forms) for document, forms in heads.items()}
    return Pool(units, ranks, weights, terms, frozen, frozenset(targets), tuple(absent))


def rank(question: Question, pool: Pool, limit: int | None = None) -> list[Evidence]:
    """Score every unit of the pool, best first; those without a word or value of the question are left out."""
    sections = [fold_case(name) for name in question.sections]
    found = [evidence for unit in pool.units if (evidence := _score(question, pool, unit, sections)) is not None]
    return sorted(found, key=lambda e: (-e.score, e.unit.order))[:limit]


def _score(question: Question, pool: Pool, unit: Unit, sections: Sequence[str]) -> Evidence | None:
    inside = around = described = 0.0
    titled = {term for term in pool.terms if holds(_title_forms(unit.segment.title), term)}
    missing: list[str] = []
    head = pool.heads.get(unit.segment.document, frozenset())
    implied = implied_terms(question, pool, unit)
    for term in pool.terms:
        if term in implied or holds(unit.forms, term):
            inside += pool.weights[term]
        elif holds(unit.around_forms, term):
            around += pool.weights[term]
        elif term in titled or (term in question.proper and holds(head, term)):
            described += 0.8 * pool.weights[term]
        else:
            missing.append(term)
    conditions = stated_conditions(question, unit)
    stated = stated_pairs(question, unit)
    place = pool.ranks.get(unit.segment.id)
    if inside == 0.0 and conditions <= 0 and stated <= 0 and not (place and place <= _LEADING):
        return None
    in_section = bool(sections) and _in_section(unit, sections)
    part = part_fit(question, pool, unit)
    score = (inside + _AROUND * (around + described)) / pool.total
    score += 0.05 * (unit.segment.page == 1) + 0.15 * (question.rated and "rating" in unit.around_forms)
    score += 0.2 * _order(question, unit) if question.phrases else 0.0
    score += 0.25 * in_section + 0.35 * conditions + 0.6 * stated + 0.2 * part
    score += 0.15 / math.sqrt(place) if place else 0.0
    score += 0.2 * _name_fit(pool, unit) if question.expect is not Expect.TEXT else 0.0
    score -= 0.06 * max(0.0, len(unit.text) / 200 - 1)
    if pool.targets and unit.segment.document not in pool.targets:
        score -= 0.15
    return Evidence(
        unit,
        score,
        coverage=(inside + around + described) / pool.total,
        inside=inside / pool.total,
        missing=tuple(missing),
        local=(inside + around) / pool.total,
        in_section=in_section,
        conditions=max(conditions, stated),
        wrong_part=part < 0,
    )


@lru_cache(maxsize=512)
def _title_forms(title: str) -> frozenset[str]:
    return frozenset(word_forms(title))


def _order(question: Question, unit: Unit) -> float:
    """Share of the question's pairs of neighbouring content words that the unit has too, in that order."""
    there = neighbours(f"{unit.around} {unit.shown}" if unit.is_row else unit.text)
    return len(question.phrases & there) / len(question.phrases)


def _name_fit(pool: Pool, unit: Unit) -> float:
    """How far the name of a table row (its first cell of words) is what is asked for, and nothing else."""
    name = next((cell for _, cell in unit.cells if len(cell) > 4 and not any(c.isdigit() for c in cell)), "")
    forms = word_forms(name)
    return sum(1 for form in forms if form in pool.weights) / len(forms) if forms else 0.0


def implied_terms(question: Question, pool: Pool, unit: Unit) -> frozenset[str]:
    """Words a value says by its unit: "750 ms" is a time whether or not the sentence says so."""
    if question.expect is Expect.HEX:
        return _CODES if _HEX.search(unit.shown) else frozenset()
    kinds = {term: _KINDS[term] for term in pool.terms if term in _KINDS}
    if not kinds or not question.dimensions:
        return frozenset()
    there = {quantity.dimension for quantity in find_quantities(fold(unit.shown))}
    return frozenset(term for term, wanted in kinds.items() if wanted & there & question.dimensions)


def _in_section(unit: Unit, sections: Sequence[str]) -> bool:
    if unit.segment.page == 1 and any(name in ("front page", "first page") for name in sections):
        return True
    place = fold_case(" > ".join(unit.segment.path) + " " + unit.around)
    if any(name in place or _mostly(name, place) for name in sections):
        return True
    # A heading the outline missed still stands in the text of its passage.
    said = fold_case(unit.segment.text)
    return any(len(name) >= _SAID_NAME and name in said for name in sections)


def _mostly(name: str, place: str) -> bool:
    words = word_forms(name)
    return len(words) >= 2 and len(words & word_forms(place)) / len(words) >= 0.75


def stated_conditions(question: Question, unit: Unit) -> float:
    """How the quantities stated in the question stand to those of the unit: all there 1, contradicted -1, else 0."""
    if question.offers:
        held = find_quantities(fold(unit.shown))
        return 1.0 if any(math.isclose(q.low, v, rel_tol=1e-6) for q in held for v in question.offered) else 0.0
    if not question.given:
        return 0.0
    there = find_quantities(fold(unit.shown))
    bare = stated_in_cells(unit)
    met = sum(1 for given in question.given if any(meets(given, q) for q in (*there, *bare)))
    kinds = {given.dimension for given in question.given} - question.dimensions
    apart = [q for q in bare if q.dimension in kinds and not any(meets(given, q) for given in question.given)]
    if apart:
        return -0.5
    if met:
        return met / len(question.given)
    return -0.5 if any(q.dimension in kinds for q in there) else 0.0


def meets(given: Quantity, there: Quantity) -> bool:
    """Whether a stated condition is this value, or lies in this range."""
    return given.same(there) or (
        given.dimension == there.dimension and there.is_range and there.low <= given.low and given.high <= there.high
    )


def stated_pairs(question: Question, unit: Unit) -> float:
    """How the column values stated in the question ("RS3-RS0 = 0011") stand in a row: share met, -0.5 if none is."""
    if not question.pairs or not (unit.is_row or any(c.isdigit() for c in unit.text)):
        return 0.0
    met = sum(_pair_met(name, value, unit) for name, value in question.pairs)
    return met / len(question.pairs) if met > 0 else (-0.3 if unit.is_row else 0.0)


def _pair_met(name: str, value: str, unit: Unit) -> float:
    headed = [cell for head, cell in unit.cells if head and _same_name(name, head)]
    if headed:
        exact = any(cell.casefold() == value.casefold() for cell in headed)
        return 1.0 if exact else 0.5 if any(cell.casefold() in _ANY for cell in headed) else -1.0
    spaced = r"\s*".join(re.escape(c) for c in value)
    if len(value) > 1 and re.search(rf"(?<![0-9A-Za-z]){spaced}(?![0-9A-Za-z])", fold(unit.text), re.I):
        return 1.0
    return 0.0


def _same_name(name: str, head: str) -> bool:
    one, other = fold_case(name), fold_case(head)
    return one == other or one.replace(" ", "") == other.replace(" ", "") or one in other


def part_fit(question: Question, pool: Pool, unit: Unit) -> float:
    """-1 if the unit names a sibling instead of the part asked for, a little above 0 if it names the part itself."""
    if not question.parts:
        return 0.0
    names = [name for name in identifiers(unit.shown) if looks_like_part(name)]
    if unit.is_row and pool.targets and unit.segment.document not in pool.targets:
        names += [name for name in identifiers(unit.around) if looks_like_part(name)]
        if not any(names_same(part, name) >= 0.8 for part in question.parts for name in names):
            return -1.0  # a table of another part's sheet
    if not names:
        return 0.0
    single = [part for part in question.parts if len(expand(part)) == 1] or question.parts
    best = max(names_same(part, name) for part in single for name in names)
    if best == 1.0:
        return _NAMED
    others = {one for one in pool.listed if all(names_same(part, one) < 1.0 for part in single)}
    wrong = any(names_same(one, name) >= 0.8 for one in others for name in names)
    if not wrong and best < 0.8 and (unit.is_row or unit.segment.document not in pool.targets):
        wrong = any(is_sibling(part, name) for part in single for name in names)
    if wrong and question.expect is not Expect.IDENTIFIER:
        return -1.0
    return _NAMED if best >= 0.8 else 0.0


def is_sibling(part: str, name: str) -> bool:
    """Another part of the same family: the same letters in front, other digits ("LPC2142" and "LPC2144")."""
    one, other = fold(part).upper(), fold(name).upper()
    common = re.match(r"[0-9]{0,2}[A-Z]+[0-9]?", one)
    return bool(
        common and len(common.group()) >= 3 and other.startswith(common.group()) and names_same(part, name) == 0
    )
