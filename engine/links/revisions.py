"""Revisions: documents of one title and part whose texts are mostly the same, in the order of their printed marks.

A revision shares names with its fellows, and text: the resemblance of their word triples is estimated from bottom-k
sketches (Broder, "On the resemblance and containment of documents", 1997). Links are not stored: they are what the
entries of the present documents say, so they can be neither stale nor missing.
"""

from __future__ import annotations

import heapq
import threading
import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations

from engine.core.ids import DocumentId
from engine.core.model import ParsedDocument
from engine.core.ports import Visibility
from engine.core.results import Revision
from engine.core.revision_ports import RevisionEntries, RevisionEntry
from engine.core.text import fold, fold_case, identifiers, part_key
from engine.links.gazetteer import SMALL_WORDS, words_of
from engine.links.revision_marks import asked_codes, asks_for_older, code_key, mark_of, years_in

_SKETCH = 160
_RESEMBLES = 0.3
"""Share of common triples from which two documents of one name are revisions of one work. Revisions measured 0.4 to
0.9, look-alike sheets of other makers below 0.1."""
_CONTAINS = 0.25
"""The same share of the shorter document, enough where the titles agree: a first edition is often much shorter."""
_TITLES_AGREE = 0.6
_CROWD = 40
"""A key that more documents share names a kind of document, not a work."""
_Family = tuple[RevisionEntry, ...]


def revision_entry(
    document: DocumentId, parsed: ParsedDocument, parts: Sequence[str], texts: Sequence[str]
) -> RevisionEntry:
    """What is kept of a document; `texts` are its segments' texts in order."""
    title = fold(parsed.title)
    names = {part_key(name) for name in identifiers(title)}
    named = tuple(sorted({part_key(part) for part in parts} & names)) or tuple(sorted(map(part_key, parts)))
    words = [word.key for word in words_of(title)]
    keys = named or ((" ".join(words),) if words else ())
    mark = mark_of(parsed)
    subject = {word for word in words if word.isalpha() and len(word) > 1 and part_key(word) not in names}
    triples = _triples(texts)
    sketch = tuple(heapq.nsmallest(_SKETCH, triples))
    return RevisionEntry(
        document, keys, tuple(sorted(subject - SMALL_WORDS)), mark.code, mark.date, sketch, len(triples)
    )


class RevisionIndex:
    """Implements :class:`RevisionSource` over the entries of the visible documents. Any thread may call."""

    def __init__(self, entries: RevisionEntries, visibility: Visibility) -> None:
        self._entries = entries
        self._visibility = visibility
        self._lock = threading.Lock()
        self._state = -1
        self._families: list[_Family] = []
        self._revisions: dict[DocumentId, Revision] = {}

    def revision_of(self, document: DocumentId) -> Revision | None:
        return self._fresh()[1].get(document)

    def outdated(self, question: str) -> Mapping[DocumentId, DocumentId]:
        families, revisions = self._fresh()
        found: dict[DocumentId, DocumentId] = {}
        for family in families:
            wanted = _preferred(family, revisions, question)
            found.update({one.document: wanted for one in family if wanted and not _same(one, wanted, revisions)})
        return found

    def _fresh(self) -> tuple[list[_Family], dict[DocumentId, Revision]]:
        with self._lock:
            state = self._visibility.visible().state
            if state != self._state:
                self._families = families_of(self._entries.entries())
                self._revisions = {key: one for family in self._families for key, one in _numbered(family).items()}
                self._state = state
            return self._families, self._revisions


def families_of(entries: Sequence[RevisionEntry]) -> list[_Family]:
    """The groups of revisions, each from its oldest to its newest; documents without an order stand in none."""
    by_key: dict[tuple[str, ...], list[RevisionEntry]] = defaultdict(list)
    for entry in entries:
        if entry.keys:
            by_key[entry.keys].append(entry)
    families = []
    for alike in by_key.values():
        if 1 < len(alike) <= _CROWD:
            families += [ordered for group in _connected(alike) if (ordered := _in_order(group))]
    return families


def resembles(one: RevisionEntry, other: RevisionEntry) -> bool:
    """Whether two documents that go by the same names are revisions of one work."""
    if not one.sketch or not other.sketch:
        return False
    smallest = heapq.nsmallest(_SKETCH, {*one.sketch, *other.sketch})
    both = set(one.sketch) & set(other.sketch)
    resemblance = sum(value in both for value in smallest) / len(smallest)
    common = resemblance * (one.triples + other.triples) / (1 + resemblance)
    containment = common / min(one.triples, other.triples)
    return resemblance >= _RESEMBLES or (containment >= _CONTAINS and _titles_agree(one, other))


def _titles_agree(one: RevisionEntry, other: RevisionEntry) -> bool:
    either = {*one.subject, *other.subject}
    return bool(either) and len({*one.subject} & {*other.subject}) / len(either) >= _TITLES_AGREE


def _connected(alike: Sequence[RevisionEntry]) -> list[list[RevisionEntry]]:
    group = list(range(len(alike)))
    for a, b in combinations(range(len(alike)), 2):
        if group[a] != group[b] and resembles(alike[a], alike[b]):
            old, new = group[b], group[a]
            group = [new if one == old else one for one in group]
    found: dict[int, list[RevisionEntry]] = defaultdict(list)
    for number, entry in zip(group, alike, strict=True):
        found[number].append(entry)
    return [members for members in found.values() if len(members) > 1]


def _in_order(group: Sequence[RevisionEntry]) -> _Family:
    """Oldest first: by date where every document prints one, else by code; () where neither tells."""
    if all(one.date for one in group) and len({one.date for one in group}) > 1:
        return tuple(sorted(group, key=lambda one: (one.date, code_key(one.code), one.document)))
    codes = {one.code for one in group}
    if "" not in codes and len(codes) > 1:
        return tuple(sorted(group, key=lambda one: (code_key(one.code), one.document)))
    return ()


def _numbered(family: _Family) -> dict[DocumentId, Revision]:
    """Files of one code and date are the same revision."""
    marks = list(dict.fromkeys((one.date, one.code) for one in family))
    if len(marks) < 2:
        return {}
    newest = family[-1].document
    return {
        one.document: Revision(one.code, one.date, marks.index((one.date, one.code)) + 1, len(marks), newest)
        for one in family
    }


def _same(one: RevisionEntry, other: DocumentId, revisions: Mapping[DocumentId, Revision]) -> bool:
    return revisions[one.document].number == revisions[other].number


def _preferred(family: _Family, revisions: Mapping[DocumentId, Revision], question: str) -> DocumentId | None:
    """The revision that stands for the family: the one the question names by code or year, else the newest."""
    if any(one.document not in revisions for one in family):
        return None
    folded = fold_case(question)
    codes, years = asked_codes(folded), years_in(folded)
    named = [one for one in family if one.code.casefold() in codes] if codes else []
    named = named or [one for one in family if one.date[:4] in years]
    if named:
        return named[0].document if len({revisions[one.document].number for one in named}) == 1 else None
    return None if asks_for_older(folded) else family[-1].document


def _triples(texts: Sequence[str]) -> set[int]:
    """Hashes of all runs of three words; of the words themselves in a text of fewer."""
    words = [word.key for text in texts for word in words_of(fold(text))]
    if len(words) < 3:
        return {zlib.crc32(word.encode()) for word in words}
    return {zlib.crc32(" ".join(run).encode()) for run in zip(words, words[1:], words[2:])}
