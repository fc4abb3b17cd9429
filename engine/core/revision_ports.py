"""Revisions of one document between the stage that marks them, the store that keeps them and those who ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from engine.core.ids import DocumentId
from engine.core.results import DocumentInfo, Revision


@dataclass(frozen=True, slots=True)
class RevisionEntry:
    """What tells which revision of which work a document is. `keys` are what it goes by: documents that share none are
    never compared. `sketch` holds the smallest hashes of its word triples, ascending, of `triples` distinct ones."""

    document: DocumentId
    keys: tuple[str, ...]
    subject: tuple[str, ...]
    """Words of the title that are neither names nor numbers."""
    code: str
    """As printed: "B", "03", "A2"; "" where none is."""
    date: str
    """ISO, to the day or the month; "" where none is printed."""
    sketch: tuple[int, ...]
    triples: int


class RevisionEntries(Protocol):
    """The entries of all visible documents, stored with the catalogue."""

    def entries(self) -> list[RevisionEntry]: ...


class RevisionSource(Protocol):
    """Who is a revision of whom, as the library stands now."""

    def revision_of(self, document: DocumentId) -> Revision | None:
        """None for a document of which there is one revision only."""

    def outdated(self, question: str) -> Mapping[DocumentId, DocumentId]:
        """Documents that another revision stands for in answers to this question -> that revision: the newest, or the
        one the question names. Empty where the question is about the revisions themselves."""


def standing(documents: Iterable[DocumentInfo], revisions: RevisionSource, question: str) -> list[DocumentInfo]:
    """The documents, of several revisions the one that stands for them in answers to `question`."""
    outdated = revisions.outdated(question)
    return [one for one in documents if one.id not in outdated]
