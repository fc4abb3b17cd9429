"""Which documents a question's part numbers, named sheets and kinds of device mean."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import lru_cache
from operator import is_

from engine.core.naming import name_words
from engine.core.results import DocumentInfo
from engine.parameters.part_names import bare, is_variant, part_tokens
from engine.parameters.question_patterns import question_words

_TITLE_WEIGHT = 20
_SHORTEST = 3
"""Characters that kin have in common at least."""


class Kin(IntEnum):
    """How a document's name stands to an asked part."""

    NONE = 0
    VARIANT = 1
    """A grade or relative of the asked part: LM317L for LM317."""
    BASE = 2
    """The type the asked part is a grade of: LM317 for LM317T."""
    SAME = 3


def document_names(document: DocumentInfo) -> tuple[str, ...]:
    """The device and note numbers a document goes by: what it is about, its title, the names of its files."""
    return tuple(name for name, _ in _names(document.title, _files(document), document.parts))


def _files(document: DocumentInfo) -> tuple[str, ...]:
    return tuple(place.file for place in document.places)


@lru_cache(maxsize=200_000)
def _names(title: str, files: tuple[str, ...], parts: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """(name, its compared form) of one document, remembered: every question looks at every document."""
    texts = [title, *(re.sub(r"\.\w{2,4}$", "", file.rsplit("/", 1)[-1]) for file in files)]
    found = dict.fromkeys(parts)
    for text in texts:
        found.update(dict.fromkeys(part_tokens(text.replace("_", " "))))
    return tuple((name, bare(name)) for name in found)


def names_family(asked: str) -> re.Pattern[str] | None:
    """ "LPC214x" stands for every figure in place of its x."""
    match = re.fullmatch(r"([A-Za-z]{2,6}\d{2,5})(x+)", asked)
    return re.compile(match.group(1) + r"\d" * len(match.group(2)), re.IGNORECASE) if match else None


def kin(asked: str, name: str) -> Kin:
    """How a document's or record's part stands to the asked one."""
    wanted, stated = bare(asked), bare(name)
    if wanted == stated or (wanted[:1].isdigit() and re.fullmatch(rf"[A-Z]{{1,4}}{re.escape(wanted)}", stated)):
        return Kin.SAME
    family = names_family(asked)
    if family is not None:
        return Kin.SAME if family.match(stated) or stated.startswith(wanted) else Kin.NONE
    if is_variant(asked, name):
        return Kin.BASE
    return Kin.VARIANT if is_variant(name, asked) else Kin.NONE


def names_part(asked: str, stated: str) -> bool:
    """Whether `stated` is the asked part, its base type or one of its variants."""
    return kin(asked, stated) is not Kin.NONE


def document_kin(asked: str, document: DocumentInfo) -> Kin:
    """The closest of a document's names to an asked part."""
    wanted = bare(asked)
    family, figures = names_family(asked) is not None, wanted[:1].isdigit()
    best = Kin.NONE
    for name, stated in _names(document.title, _files(document), document.parts):
        # Kin begin with one another (or hold 74HC147 as SN74HC147 does); that settles nearly all of them.
        near = stated.startswith(wanted) or wanted.startswith(stated) or (figures and wanted in stated)
        if (near or family or stated[:1].isdigit()) and (found := kin(asked, name)) > best:
            best = found
    return best


def documents_about(parts: Iterable[str], documents: Sequence[DocumentInfo]) -> list[DocumentInfo]:
    """For each part the documents about it; where there is none those about its base type, else about its grades.

    A relative's sheet is no evidence while the part's own sheet is there.
    """
    index = _held_index(_Held(tuple(documents)))
    found: dict[str, DocumentInfo] = {}
    for part in parts:
        near = (documents[position] for position in index.near(bare(part)))
        ranked = [(rank, d) for d in near if (rank := document_kin(part, d)) is not Kin.NONE]
        best = max((rank for rank, _ in ranked), default=Kin.NONE)
        found.update({document.id: document for rank, document in ranked if rank is best})
    return list(found.values())


def documents_beside(part: str, documents: Sequence[DocumentInfo]) -> list[DocumentInfo]:
    """Documents about a part of another last figure: the DAC0831 may stand in the sheet of the DAC0832."""
    match = re.match(r"[A-Z]*\d{2,}", bare(part))
    if match is None:
        return []
    stem = re.compile(rf"{re.escape(match.group()[:-1])}\d(?!\d)")
    return [d for d in documents if any(stem.match(stated) for _, stated in _names(d.title, _files(d), d.parts))]


class _NameIndex:
    """Names of many documents, sorted, with and without their leading letters."""

    def __init__(self, documents: Sequence[tuple[str, tuple[str, ...], tuple[str, ...]]]) -> None:
        self._named: dict[str, list[int]] = {}
        for position, (title, parts, files) in enumerate(documents):
            for _, stated in _names(title, files, parts):
                for form in {stated, _figures_of(stated)}:
                    self._named.setdefault(form, []).append(position)
        self._sorted = sorted(self._named)

    def near(self, wanted: str) -> list[int]:
        """Positions of the documents that may be kin of a part: their names begin with it, or it with them."""
        found: set[int] = set()
        for form in {wanted, _figures_of(wanted)}:
            stem = form.rstrip("X") or form  # "LPC214X" stands for a family
            for end in range(_SHORTEST, len(form) + 1):
                found.update(self._named.get(form[:end], ()))
            at = bisect_left(self._sorted, stem)
            while len(stem) >= _SHORTEST and at < len(self._sorted) and self._sorted[at].startswith(stem):
                found.update(self._named[self._sorted[at]])
                at += 1
        return sorted(found)


def _figures_of(stated: str) -> str:
    """A name from its first figure on: 74HC147 of SN74HC147, by which makers' names for one type meet."""
    return stated.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


class _Held:
    """The documents of a library as a key: equal where they are the same objects, which it keeps alive. To compare
    20,000 documents by their contents would take longer than the question."""

    __slots__ = ("documents",)

    def __init__(self, documents: tuple[DocumentInfo, ...]) -> None:
        self.documents = documents

    def __hash__(self) -> int:
        return hash(tuple(map(id, self.documents)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Held) or len(self.documents) != len(other.documents):
            return False
        return all(map(is_, self.documents, other.documents))


@lru_cache(maxsize=2)
def _held_index(held: _Held) -> _NameIndex:
    return _name_index(tuple((d.title, d.parts, _files(d)) for d in held.documents))


@lru_cache(maxsize=4)
def _name_index(documents: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]) -> _NameIndex:
    """The index of a library, made once while its documents stay as they are."""
    return _NameIndex(documents)


def named_sheets(names: Sequence[str], documents: Sequence[DocumentInfo]) -> list[DocumentInfo]:
    """The documents that go by most of the names of "the BC548/BC548A/BC548B data sheet"."""
    wanted = {bare(name) for name in names}
    counts = {d.id: len(wanted & {stated for _, stated in _names(d.title, _files(d), d.parts)}) for d in documents}
    most = max(counts.values(), default=0)
    return [d for d in documents if counts[d.id] == most] if most else documents_about(names, documents)


def _spelled(phrases: Iterable[str]) -> re.Pattern[str]:
    """Any of some phrases, singular or plural, with spaces or hyphens."""
    forms = {r"[\s-]+".join(map(re.escape, re.split(r"[\s-]+", phrase.removesuffix("s")))) for phrase in phrases}
    return re.compile(rf"\b(?:{'|'.join(sorted(forms, key=len, reverse=True))})s?\b", re.IGNORECASE)


@lru_cache(maxsize=1)
def _kind_patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(_spelled(line) for line in question_words().kinds)


@lru_cache(maxsize=65536)
def _kinds_of(title: str, text: str) -> tuple[int, ...]:
    """How often a title (counted for much) and a first page name each kind of device."""
    return tuple(
        _TITLE_WEIGHT * len(pattern.findall(title)) + len(pattern.findall(text)) for pattern in _kind_patterns()
    )


@lru_cache(maxsize=256)
def _kind_meant(about: str) -> int:
    """Place of a kind of device in the list of kinds, -1 for a kind that is not listed."""
    words = frozenset(name_words(about))
    for place, (pattern, line) in enumerate(zip(_kind_patterns(), question_words().kinds)):
        if pattern.fullmatch(about.strip()) or words in [frozenset(name_words(phrase)) for phrase in line]:
            return place
    return -1


def about_kind(about: str, document: DocumentInfo, text: str = "") -> bool:
    """Whether a document is about a kind of device as people say it ("op amps"): its title says so, or its first page
    (`text`) names no other kind much more often. A microcontroller with a real-time clock is no real-time clock."""
    return _says_kind(about, document.title, text)


@lru_cache(maxsize=65536)
def _says_kind(about: str, title: str, text: str) -> bool:
    """Remembered by texts: a question over a large library looks at the title of every document."""
    place = _kind_meant(about)
    if place < 0:
        wanted = _spelled((about,))
        return wanted.search(title) is not None or len(wanted.findall(text)) > 1
    pattern = _kind_patterns()[place]
    if pattern.search(title) is None and pattern.search(text) is None:
        return False
    counts = _kinds_of(title, text)
    return counts[place] >= max(counts) / 2
