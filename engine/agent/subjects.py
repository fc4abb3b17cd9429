"""The things a question sets side by side: parts, or two documents about one part, each with its own documents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.agent.parts import expand
from engine.agent.question import Question
from engine.agent.sources import Sources
from engine.agent.targets import Targets
from engine.agent.terms import tokens
from engine.core.ids import DocumentId
from engine.core.results import DocumentInfo
from engine.core.text import fold_case

_LINK = re.compile(
    r"(?:'s?)?(?: (?:data ?)?(?:sheets?|notes?|parts?|sensors?|devices?))?,?"
    r"(?: ?(?:and|or|versus|vs\.?|than|with|to|against))?"
    r"(?: (?:the|that|those|of|on|in|for|by|at|sheets?|data|which|what|how|does|do|one|its|plain))* ?",
    re.I,
)
_SHEET = r"(?:data ?)?(?:sheets?|notes?|manual|guide)\b"
_SET_AGAINST = re.compile(r"\bthan\b|\b(?:that|those) of\b|\bexceeds?\b", re.I)
_LABELS = re.compile(r"\bone for (?:the )?([\w/-]+) and (?:one|the other) for (?:the )?([\w/-]+)", re.I)


@dataclass(frozen=True, slots=True)
class Subject:
    """One side of a comparison: its name in the question and the documents that speak for it."""

    name: str
    documents: tuple[DocumentId, ...]


def subjects_of(question: Question, targets: Targets, sources: Sources) -> list[Subject]:
    """The sides of a comparison, at least two, or an empty list where the question compares nothing."""
    labelled = _labelled(question, targets, sources)
    if labelled:
        return labelled
    named = _distinct(question, targets)
    apart = len({s.documents[0] for s in named}) > 1 or _SET_AGAINST.search(question.folded)
    if len(named) >= 2 and (apart or coordinated(question, named)):
        return _apart(question, named, sources)
    by_year = _by_year(question, targets, sources)
    return by_year if len(by_year) >= 2 else []


def coordinated(question: Question, subjects: Sequence[Subject]) -> bool:
    """Whether the parts are set side by side in words: "A and B", "of A, B and C", "on the A and which on the B"."""
    places = sorted((question.folded.find(subject.name), subject.name) for subject in subjects)
    if any(place < 0 for place, _ in places):
        return False
    between = [question.folded[place + len(name) : following] for (place, name), (following, _) in pairwise(places)]
    return all(_LINK.fullmatch(text) for text in between)


def _distinct(question: Question, targets: Targets) -> list[Subject]:
    """One subject for each part named; a list ("BC548/A/B/C") and its first member count once.

    A name that only says where to look ("the OP90G in Maxim's OP90 data sheet") is none.
    """
    found: list[Subject] = []
    for name, documents in targets.named.items():
        members = set(expand(name))
        others = [other for other in targets.named if other != name]
        if any(members < set(expand(other)) for other in others):
            continue
        place = re.search(rf"\b(?:in|from|per|to) (?:[\w']+ ){{0,3}}{re.escape(name)} {_SHEET}", question.folded, re.I)
        if place and any(targets.named[other][:1] == documents[:1] for other in others):
            continue
        found.append(Subject(name, documents))
    return found


def _apart(question: Question, subjects: Sequence[Subject], sources: Sources) -> list[Subject]:
    """Give each document to the subject that names it best, so that no document speaks for two sides."""
    firsts = {subject.documents[0] for subject in subjects}
    if len(firsts) == 1:
        return [Subject(subject.name, subject.documents[:1]) for subject in subjects]
    years = _years_of(sources, {d for s in subjects for d in s.documents}, question.years)
    found = []
    for subject in subjects:
        others = {other.documents[0] for other in subjects if other is not subject}
        own = [d for d in subject.documents if d not in others or d == subject.documents[0]]
        year = _year_before(question, subject.name)
        dated = [d for d in own if year and year in years.get(d, set())]
        found.append(Subject(subject.name, tuple(dated or own)[:2]))
    return found


def _year_before(question: Question, name: str) -> str:
    """ "its 1997 BC548 sheet" -> "1997"."""
    match = re.search(rf"\b((?:19|20)[0-9]{{2}}) {re.escape(name)}", question.folded)
    return match.group(1) if match else ""


def _by_year(question: Question, targets: Targets, sources: Sources) -> list[Subject]:
    """Two documents about one part, told apart by the years the question names."""
    if len(question.years) < 2 or len(targets.documents) < 2:
        return []
    years = _years_of(sources, set(targets.documents), question.years)
    found = []
    for year in question.years:
        dated = tuple(d for d in targets.documents if year in years[d])
        if dated:
            found.append(Subject(year, dated[:1]))
    return found if len({s.documents for s in found}) == len(found) else []


def _years_of(sources: Sources, documents: set[DocumentId], years: Sequence[str]) -> dict[DocumentId, set[str]]:
    if not years:
        return {}
    infos = {info.id: info for info in sources.documents() if info.id in documents}
    return {d: {y for y in years if _says(sources, infos[d], y)} for d in documents if d in infos}


def _says(sources: Sources, info: DocumentInfo, word: str) -> bool:
    return any(word in sources.page_text(info.id, page) for page in range(1, min(info.pages, 40) + 1))


def _labelled(question: Question, targets: Targets, sources: Sources) -> list[Subject]:
    """ "one for AT91 and one for LPC": documents told apart by what they are for."""
    match = _LABELS.search(question.folded)
    if not match:
        return []
    wanted = set(targets.documents)
    for info in sources.documents():
        if any(fold_case(name) in _words(info) for name in question.parts):
            wanted.add(info.id)
    infos = [info for info in sources.documents() if info.id in wanted]
    found = []
    for label in match.groups():
        held = tuple(info.id for info in infos if _labels(info, label))
        if held:
            found.append(Subject(label, held[:1]))
    return found if len(found) == 2 and found[0].documents != found[1].documents else []


def _labels(info: DocumentInfo, label: str) -> bool:
    return fold_case(label) in _words(info)


def _words(info: DocumentInfo) -> set[str]:
    """Words of a document's title and of the paths it lies at."""
    paths = " ".join(place.file for place in info.places)
    return set(tokens(info.title)) | {piece for piece in re.split(r"[^a-z0-9-]+", fold_case(paths)) if piece}
