"""Critical terms (HiQA 3.3, 7.12): which of the question's names and identifiers each candidate answers to.

A name that the library has documents for is matched by those documents' segments, whatever their text says, and by no
others: a mention elsewhere is not the document. A term nobody is about is matched by the text that holds it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property

from engine.core.ids import DocumentId, SegmentId
from engine.core.model import Segment
from engine.core.ports import NameKind
from engine.core.text import fold_case, key_of_folded, part_key
from engine.retrieve.fuse import Critical
from engine.retrieve.understand import Subject, Understanding

_MENTION = 0.4
"""A text that mentions the name of another document, or of a family, counts this much of the document itself."""
Files = Callable[[DocumentId], Iterable[str]]
_TITLE_MENTION = 0.1
_FAMILY = re.compile(r"[A-Z]+[0-9]+00|[A-Z]+[0-9]*X{2,3}|[A-Z]+[0-9]+[A-Z]*[0-9]*X{2,3}")
_FAMILY_MENTION = 0.9
"""`LPC2000` is a family: many documents speak of it, few carry it in their title."""
_INSIDE = 0.2
"""In a sheet of several parts, a passage that names the part asked about counts this much more. At 1.0 it outweighed
the passages that answer (Recall@5 over 227 questions 0.916 against 0.938); at 0 order tables were found too late."""
_PART_OF_ANOTHER = 0.5
_PAGE = 1.0
_PLACE = 0.6
"""A term in the name of the document's file, but not in its text."""
_RELATED = 0.7
"""A related spelling (variant, base part) counts less than the name itself."""
_WEIGHT = {NameKind.PART: 1.0, NameKind.TITLE: 1.0, NameKind.LEXICON: 1.0, NameKind.ALIAS: 0.8, NameKind.SECTION: 0.6}


def critical_terms(
    asked: Understanding, segments: Iterable[Segment], files: Files, wording_of: Callable[[Segment], Wording]
) -> Critical:
    """M and, for each segment, m of equation 2. `files` gives the names of a document's places: file names can lie,
    but a term that stands only there still tells documents apart."""
    phrases = [(fold_case(term), part_key(term)) for term in asked.terms]
    sections = [fold_case(section) for section in asked.sections]
    names = [(fold_case(subject.text), part_key(subject.text)) for subject in asked.subjects]
    pages = frozenset(asked.pages)
    inside = sum(subject.siblings > 0 for subject in asked.subjects)
    count = len(asked.subjects) + inside + len(phrases) + len(sections) + bool(pages)
    if count == 0:
        return Critical()
    matched: dict[SegmentId, float] = {}
    held: dict[DocumentId, str] = {}

    def keyed_files(document: DocumentId) -> str:
        if document not in held:
            held[document] = part_key(" ".join(files(document)))
        return held[document]

    for segment in segments:
        total = 0.0
        wording = wording_of(segment)
        for subject, name in zip(asked.subjects, names):
            if segment.document in subject.documents:
                total += weight_of(subject, segment.document)
                # One sheet for several parts: what names the part asked about is about it, in its order codes too.
                total += _INSIDE * wording.holds(name) if subject.siblings else 0.0
            else:
                total += _mention_weight(subject) * wording.holds(name)
        for phrase in phrases:
            total += wording.names(phrase) or _PLACE * (phrase[1] in keyed_files(segment.document))
        if pages and not pages.isdisjoint(segment.pages):
            total += _PAGE
        total += sum(_in_section(section, segment) for section in sections)
        matched[segment.id] = total
    return Critical(count, matched)


def weight_of(subject: Subject, document: DocumentId) -> float:
    """How surely a subject means one of its documents, 0..1."""
    return _WEIGHT[subject.kind] * (_RELATED if document in subject.related else 1.0)


def _mention_weight(subject: Subject) -> float:
    if subject.kind is not NameKind.PART:
        return _TITLE_MENTION
    return _FAMILY_MENTION if _FAMILY.fullmatch(part_key(subject.text)) else _MENTION


class Wording:
    """A segment's words in the two forms that terms are compared in, made when they are first asked for."""

    def __init__(self, segment: Segment) -> None:
        self._segment = segment

    @cached_property
    def _folded(self) -> str:
        return fold_case(" ".join((self._segment.title, *self._segment.path, self._segment.text)))

    @cached_property
    def _tokens(self) -> frozenset[str]:
        return frozenset(key_of_folded(token) for token in self._folded.split())

    @cached_property
    def _keyed(self) -> str:
        return key_of_folded(self._folded)

    def prepare(self) -> None:
        """Fold now what the first term would wait for."""
        self.holds(("", ""))

    def holds(self, term: tuple[str, str]) -> float:
        """1 if the segment holds a term (folded, key), else 0."""
        return float(term[0] in self._folded or term[1] in self._keyed)

    def names(self, term: tuple[str, str]) -> float:
        """As :meth:`holds`, but less for an identifier that is only a part of another one: C51 in "AT89C51"."""
        held = self.holds(term)
        return held if not held or " " in term[0] or term[1] in self._tokens else _PART_OF_ANOTHER


def _in_section(section: str, segment: Segment) -> float:
    path = [fold_case(title) for title in segment.path]
    if any(section == title or title.endswith(f" {section}") for title in path):
        return 1.0
    if any(section in title for title in path):
        return 0.8
    return 0.5 if section in fold_case(segment.text) else 0.0
