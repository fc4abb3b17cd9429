"""Which documents a question speaks about. Evidence from a look-alike is no evidence."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.agent.parts import expand, names_same
from engine.agent.question import Question
from engine.agent.terms import tokens
from engine.core.ids import DocumentId
from engine.core.results import DocumentInfo
from engine.core.text import identifiers

_TITLE_BONUS = 0.35
_ABOUT = 0.45
_NEAR = 0.25
_OWN = 0.95
_FIRST_WORDS = 2
_NEAR_OWN = 0.12
"""Where a part has a sheet of its own, a family's sheet still speaks for it (0.9), a variant's does not (0.8)."""


@dataclass(frozen=True, slots=True)
class Targets:
    """`named` maps each part of the question to the documents about it, best first; `unknown` are parts that no
    document is about."""

    named: dict[str, tuple[DocumentId, ...]]
    unknown: tuple[str, ...] = ()

    @property
    def documents(self) -> tuple[DocumentId, ...]:
        return tuple(dict.fromkeys(document for group in self.named.values() for document in group))


def resolve(question: Question, documents: Sequence[DocumentInfo], parts: Sequence[str] | None = None) -> Targets:
    """Match the parts of a question (or those given) with what documents are about: parts, titles, file names."""
    named: dict[str, tuple[DocumentId, ...]] = {}
    unknown: list[str] = []
    words = set(tokens(question.folded))
    for name in question.parts if parts is None else parts:
        scored = [(about(name, info), info) for info in documents]
        best = max((score for score, _ in scored), default=0.0)
        if best < _ABOUT:
            unknown.append(name)
            continue
        own = any(score >= _OWN and not _mentioned(name, info) for score, info in scored)
        least = best - (_NEAR_OWN if own else _NEAR)
        kept = [(score + _overlap(words, info), info.id) for score, info in scored if score >= least]
        kept.sort(key=lambda pair: -pair[0])
        named[name] = tuple(document for _, document in kept)
    return Targets(named, tuple(unknown))


def about(name: str, info: DocumentInfo) -> float:
    """How surely a document is about a part: 1.0 listed, 0.95 in its title, 0.6 only in a file name."""
    members = expand(name)
    titled = identifiers(info.title)
    filed = [token for place in info.places for token in _file_names(place.file)]
    scores = [
        max(_best(member, info.parts), 0.95 * _best(member, titled), 0.6 * _best(member, filed)) for member in members
    ]
    return sum(scores) / len(scores)


def _mentioned(name: str, info: DocumentInfo) -> bool:
    """Whether a title names a part late ("Interfacing an HD44780 display"): a note about it, not its own sheet."""
    words = info.title.split()[:_FIRST_WORDS]
    return not any(names_same(name, one) == 1.0 for word in words for one in identifiers(word))


def _best(member: str, names: Sequence[str]) -> float:
    return max((names_same(member, name) for name in names), default=0.0)


def _file_names(file: str) -> list[str]:
    stem = re.sub(r"\.[A-Za-z0-9]{2,5}$", "", file.rsplit("/", 1)[-1])
    return [token.upper() for token in re.split(r"[^A-Za-z0-9-]+", stem) if len(token) >= 4]


def _overlap(words: set[str], info: DocumentInfo) -> float:
    """Small bonus for question words in the title or the file's path: maker, year, subject."""
    there = set(tokens(info.title)) | {t for place in info.places for t in tokens(place.file)}
    common = {word for word in words & there if len(word) > 2 or word.isdigit()}
    return _TITLE_BONUS * (1 - math.exp(-len(common) / 3))
