"""One retrieval per thing asked about: how a question is cut into asks, each with its documents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.core.ids import DocumentId
from engine.retrieve.abbreviations import written_out
from engine.retrieve.beside import Scope
from engine.retrieve.understand import QuestionKind, Subject, Understanding

_MOST_ASKS = 8
_FRAME = re.compile(
    r"\b(?:according to|as (?:stated|given|listed|specified) (?:in|by|on)|(?:front|first|title|cover) page|"
    r"(?:preliminary |product |the )?(?:data ?sheets?|application notes?|app notes?|user manuals?|errata sheets?))\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]{2,}")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Ask:
    """A query, what it is about, and the documents that have places reserved for it (none: no reservation)."""

    query: str
    understanding: Understanding
    documents: tuple[DocumentId, ...] = ()

    @property
    def inner_queries(self) -> tuple[str, ...]:
        """The query as asked inside the named documents, then each sentence of it where it has several: one may state
        the way, another the question."""
        names = [subject.text for subject in self.understanding.subjects]
        sentences = [sentence for sentence in self.understanding.sentences if sentence in self.query]
        return tuple(dict.fromkeys(written_out(inner_query(text, names)) for text in (self.query, *sentences)))


def inner_query(text: str, names: Sequence[str]) -> str:
    """`text` without `names` and without words that only say where to look ("according to its data sheet"), unless
    nothing else is asked."""
    plain = _without(text, names)
    bare = _SPACE.sub(" ", _FRAME.sub(" ", plain)).strip()
    return bare if len(_WORD.findall(bare)) > 1 else plain


def restricted(asked: Understanding, within: Scope) -> Understanding:
    """`asked` with only the documents a filter lets through; a subject without any is no subject."""
    if within is None:
        return asked
    allowed = frozenset(within)
    subjects = [
        replace(subject, documents=tuple(document for document in subject.documents if document in allowed))
        for subject in asked.subjects
    ]
    return replace(asked, subjects=tuple(subject for subject in subjects if subject.documents))


def asks_of(asked: Understanding) -> list[Ask]:
    """A comparison of named things is one ask per thing; any other question is one ask."""
    groups = _groups(asked.subjects)
    named = tuple(dict.fromkeys(document for documents, _ in groups for document in documents))
    if asked.kind is not QuestionKind.COMPARISON or not 2 <= len(groups) <= _MOST_ASKS:
        return [Ask(asked.text, asked, named)]
    asks = []
    for documents, subjects in groups:
        others = [subject.text for _, other in groups if other is not subjects for subject in other]
        kept = replace(asked, subjects=tuple(subjects))
        asks.append(Ask(_without(asked.text, others), kept, documents))
    return asks


def _groups(subjects: Sequence[Subject]) -> list[tuple[tuple[DocumentId, ...], list[Subject]]]:
    """Subjects by the documents that are theirs alone, in the question's order.

    Where two names share a document it belongs to the name with fewer documents: of "BC548" (two sheets) and
    "BC546-550" (one of them) the first is asked of its other sheet.
    """
    owned: set[DocumentId] = set()
    own: dict[str, tuple[DocumentId, ...]] = {}
    for subject in sorted(subjects, key=lambda s: len(s.documents)):
        fresh = tuple(document for document in subject.documents if document not in owned)
        own[subject.text] = fresh
        owned.update(fresh)
    groups: list[tuple[tuple[DocumentId, ...], list[Subject]]] = []
    for subject in subjects:
        if documents := own[subject.text]:
            groups.append((documents, [subject]))
            continue
        for documents, members in groups:
            if set(subject.documents) & set(documents):
                members.append(subject)
                break
    return groups


def _without(text: str, names: Sequence[str]) -> str:
    """`text` without `names`; `text` itself where nothing would be left."""
    bare = text
    for name in sorted(names, key=len, reverse=True):
        bare = bare.replace(name, " ")
    return _SPACE.sub(" ", bare).strip() or text
