"""Abstract questions: lists, summaries and comparisons by coverage, every line a quotation with its citation.

The documents' own sections are the plan: the sections a question is about are read whole, aspects of a comparison are
looked up document by document, and what was examined is stated (ASTRA-QA's topic recall and precision are what counts).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.agent.cite import Citations
from engine.agent.draft import Draft, Notes, not_mentioned, status_of
from engine.agent.evidence import Evidence, Pool, gather, holds, rank
from engine.agent.prose import is_item, is_noise, is_prose
from engine.agent.question import Expect, Form, Question, understand
from engine.agent.sources import Sources
from engine.agent.targets import Targets, resolve
from engine.agent.terms import canonical, content_terms, word_forms
from engine.agent.units import Unit
from engine.agent.verify import check_sentence
from engine.core.cancel import CancelToken
from engine.core.ids import DocumentId
from engine.core.results import DocumentInfo, Sentence, Step

_MOST_LINES, _MOST_CHARACTERS = 8, 900
_FEWEST_LINES = 2
"""Lines of a document that is one of many."""
_LINES_A_CELL = 1
_SHORT = 220
"""Characters: longer sentences are left out of lists where shorter ones say as much."""
_ENOUGH = 0.45
"""Coverage of an aspect's words from which a line speaks of it."""
_ALIKE = 0.6
"""Share of common words from which a second line says nothing new."""
_DOCUMENTS = 8
_HITS, _TOPICS = 20, 1
_UNNAMED = 3
"""Documents examined for a question that names none, where no abstract says that more are about it."""
_ASPECTS = re.compile(
    r"(?::|\bin terms of|\bwith respect to|\bregarding|\bas to|\bby their|\bon the basis of) (.+)$", re.I
)
_ASK_WORDS = frozenset(
    content_terms(
        "list compare summarize summarise describe outline explain enumerate overview main key important major all "
        "choice new design differences difference similarities briefly rules rule guidelines guideline steps step "
        "recommendations recommendation points features advice give gives given tips measures techniques reasons ways "
        "say says manual guide handbook note"
    )
)
_DIRECTIVE = re.compile(
    r"\b(?:should|must|shall|recommend\w*|avoid|ensure|keep|place|use|connect|never|always|need(?:s|ed)? to|do not|"
    r"make sure|minimi[sz]e|important)\b",
    re.I,
)
_RULES_ASKED = re.compile(
    r"\b(?:rules?|guidelines?|recommend\w*|advice|tips|precautions?|measures|considerations?)\b", re.I
)
_CHAFF = re.compile(
    r"\.{4,}|www\.|^\W*\d+\W*$|\b(?:copyright|all rights reserved|rev\.? \d)\b|^(?:figure|table) \d", re.I
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the answer: under what it stands, its quotation."""

    under: str
    evidence: Evidence


def wants_overview(question: Question) -> bool:
    """Whether a question asks for a list, a summary or a comparison in words."""
    return question.form is Form.SUMMARY


def answer_overview(question: Question, sources: Sources, notes: Notes, cancel: CancelToken, model: str) -> Draft:
    """Examine the named documents, or those retrieval finds, and quote what they say on each aspect."""
    infos = {info.id: info for info in sources.documents()}
    targets = resolve(question, list(infos.values()))
    if targets.unknown and not targets.named:
        return not_mentioned(f"No document here is about {targets.unknown[0]}.", model)
    chosen = _documents(question, sources, targets, notes)
    most = max(_FEWEST_LINES, _MOST_LINES // max(1, len(chosen[:_DOCUMENTS])))
    aspects = aspects_of(question)
    lines: list[Line] = []
    examined = 0
    for document in chosen[:_DOCUMENTS]:
        cancel.raise_if_cancelled()
        name = _name(targets, document, infos.get(document))
        found = (
            _aspect_lines(question, aspects, sources, document, name)
            if aspects
            else _list(question, sources, document)[:most]
        )
        examined += bool(found)
        notes.step(
            Step("retrieve", name, tuple(line.evidence.unit.segment.id for line in found), f"{len(found)} lines")
        )
        lines += found
    if not lines:
        return not_mentioned("", model)
    coverage = f"{examined} of {len(chosen)} documents speak of it; {min(len(chosen), _DOCUMENTS)} examined"
    return _compose(lines, sources, notes, coverage, model)


def aspects_of(question: Question) -> tuple[str, ...]:
    """ "...: interface, alarm or thermostat outputs and supply" -> the aspects, in order; empty if none are listed."""
    match = _ASPECTS.search(question.folded)
    if not match:
        return ()
    pieces = re.split(r",\s*(?:and\s+)?|;\s*|\s+and\s+", match.group(1).rstrip(" .?"))
    return tuple(piece.strip() for piece in pieces if piece.strip())


def _documents(question: Question, sources: Sources, targets: Targets, notes: Notes) -> list[DocumentId]:
    """The named documents; else those that retrieval finds and, before the others, those of the part of the library
    nearest to the question. Abstracts only say where to look."""
    if targets.named:
        firsts = [documents[0] for documents in targets.named.values()]
        return list(dict.fromkeys(firsts))
    found = list(dict.fromkeys(hit.segment.document for hit in sources.search(question.text, _HITS).hits))
    topics = sources.topics(question.text, _TOPICS)
    for topic in topics:
        about = " | ".join(topic.abstract.splitlines())
        notes.step(Step("abstract", about, (), f"{topic.passages} passages of {len(topic.documents)} documents"))
    covered = {document for topic in topics for document in topic.documents}
    both = [document for document in found if document in covered]
    return [*both, *(document for document in found if document not in covered)][: max(_UNNAMED, len(both))]


def _name(targets: Targets, document: DocumentId, info: DocumentInfo | None) -> str:
    for name, documents in targets.named.items():
        if documents[0] == document:
            return name
    return info.title if info is not None else ""


# --- aspects ----------------------------------------------------------------------------------------------------------


def _aspect_lines(
    question: Question, aspects: Sequence[str], sources: Sources, document: DocumentId, name: str
) -> list[Line]:
    found: list[Line] = []
    for aspect in aspects:
        sub = replace(understand(f"{aspect}?"), expect=Expect.TEXT, parts=question.parts)
        pool = gather(sub, sources, Targets({name: (document,)}), only_targets=True)
        ranked = [_fronted(e) for e in rank(sub, pool, 30) if _speaks(e)]
        ranked.sort(key=lambda e: -e.score)
        found += [Line(f"{aspect} \u2014 {name}", e) for e in _different(ranked, _LINES_A_CELL)]
    return found


def _speaks(evidence: Evidence) -> bool:
    unit = evidence.unit
    return evidence.coverage >= _ENOUGH and not evidence.wrong_part and _quotable(unit, rows=True)


def _fronted(evidence: Evidence) -> Evidence:
    """Statements of the first page (features, description) sum a document up; long sentences do not."""
    bonus = 0.25 if evidence.unit.segment.page == 1 else 0.0
    return replace(evidence, score=evidence.score + bonus - (0.2 if len(evidence.unit.text) > _SHORT else 0.0))


# --- lists ------------------------------------------------------------------------------------------------------------


def _list(question: Question, sources: Sources, document: DocumentId) -> list[Line]:
    """The sentences of the sections a question is about, directives first where rules are asked for."""
    topic = tuple(term for term in question.terms if term not in _ASK_WORDS)
    sub = replace(question, terms=topic or question.terms, expect=Expect.TEXT)
    pool = gather(sub, sources, Targets({"": (document,)}), only_targets=True)
    weights = _sections(sub, pool)
    rules = bool(_RULES_ASKED.search(question.folded))
    scored: list[Evidence] = []
    for evidence in rank(sub, pool, 10_000):
        unit = evidence.unit
        if not _quotable(unit, rows=bool(question.dimensions)):
            continue
        score = evidence.score + weights.get(unit.segment.path, 0.0)
        if rules:
            score += 0.5 if _DIRECTIVE.search(unit.text) else -0.3
        scored.append(replace(evidence, score=score))
    known = {id(e.unit) for e in scored}
    for unit in pool.units:  # sentences without any word of the question count by their section alone
        weight = weights.get(unit.segment.path, 0.0)
        fits = weight >= 0.5 and _quotable(unit, rows=False)
        if id(unit) not in known and fits and (not rules or _DIRECTIVE.search(unit.text)):
            scored.append(Evidence(unit, weight + (0.5 if rules else 0.0), 0.0, 0.0, ()))
    scored.sort(key=lambda e: -e.score)
    best = scored[0].score if scored else 0.0
    kept = _short_enough(_different([e for e in scored if e.score >= 0.45 * best], _MOST_LINES))
    kept.sort(key=lambda e: (e.unit.segment.page, e.unit.order))
    return [Line("", e) for e in kept]


def _quotable(unit: Unit, *, rows: bool) -> bool:
    """A whole sentence, an item of a list, or a table row where values are asked for."""
    if unit.is_row:
        return rows and len(unit.shown) <= _SHORT and not is_noise(unit.text)
    return not _CHAFF.search(unit.text) and (is_prose(unit.text) or is_item(unit.text))


def _short_enough(ranked: Sequence[Evidence]) -> list[Evidence]:
    """The best lines that together are still read at a glance."""
    kept: list[Evidence] = []
    for evidence in ranked:
        if kept and sum(len(e.unit.text) for e in kept) + len(evidence.unit.text) > _MOST_CHARACTERS:
            break
        kept.append(evidence)
    return kept


def _sections(question: Question, pool: Pool) -> dict[tuple[str, ...], float]:
    """How much each section is about the topic: its title's words, and how many of its sentences have topic words."""
    sums: dict[tuple[str, ...], list[float]] = {}
    for unit in pool.units:
        inside = sum(pool.weights[t] for t in pool.terms if holds(unit.forms, t)) / pool.total
        sums.setdefault(unit.segment.path, []).append(inside)
    found = {}
    for path, shares in sums.items():
        title = word_forms(path[-1]) if path else set()
        named = sum(1 for t in pool.terms if holds(title, t)) / max(1, len(pool.terms))
        asked = 0.3 if title & {canonical(w) for w in ("guideline", "recommendation", "consideration", "rule")} else 0.0
        dense = sum(1 for share in shares if share > 0.2) / len(shares)
        found[path] = named + 0.6 * dense + (asked if question.text and _RULES_ASKED.search(question.folded) else 0.0)
    return found


def _different(ranked: Sequence[Evidence], most: int) -> list[Evidence]:
    """The best lines that do not repeat one another."""
    kept: list[Evidence] = []
    for evidence in ranked:
        forms = evidence.unit.forms
        if all(len(forms & other.unit.forms) < _ALIKE * min(len(forms), len(other.unit.forms)) for other in kept):
            kept.append(evidence)
        if len(kept) == most:
            break
    return kept


# --- wording ----------------------------------------------------------------------------------------------------------


def _compose(lines: Sequence[Line], sources: Sources, notes: Notes, coverage: str, model: str) -> Draft:
    citations = Citations(sources)
    sentences: list[Sentence] = []
    for line in lines:
        unit: Unit = line.evidence.unit
        number = citations.cite(unit)
        text = f"{line.under}: {unit.shown}" if line.under else unit.shown
        verified = check_sentence(unit.shown, [citations.page_text(number)], cells=unit.texts).verified
        sentences.append(notes.sentence(Sentence(text, verified, (number,)), citations.pick))
    notes.step(Step("answer", coverage, (), f"{len(sentences)} lines"))
    short = sentences[0].text if len(sentences) == 1 else f"{len(sentences)} points; {coverage}"
    status = status_of(sentences)
    return Draft(status, short, tuple(sentences), citations.all, model, coverage, separator="\n")
