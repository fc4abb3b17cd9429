"""Questions with known answers made from outlines, without a model: where something is described, on which page a
section begins, and unanswerable ones about a section that only other sheets have."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from engine.core.ids import DocumentId
from engine.core.known import KnownQuestion, question_id, spread
from engine.core.model import Segment, SegmentKind
from engine.core.results import DocumentInfo
from engine.core.text import fold_case

_TERM = re.compile(r"(?<![\w/-])[A-Z][A-Z0-9]{2,9}(?![\w/-])")
"""A signal, register or mode as sheets print it: TCS, EOSC, BODLEVEL."""
_TITLE = re.compile(r"^[A-Z][A-Za-z0-9 ,/()-]{6,50}$")
_SPOKEN_OF = 2
"""Times a section has to name a term to be the one that describes it, and sheets that have to have a section."""


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A document with the name a question calls it by, and its sections: path -> segments in reading order."""

    document: DocumentInfo
    name: str
    sections: dict[tuple[str, ...], list[Segment]]
    text: str

    @property
    def file(self) -> str:
        return self.document.places[0].file


def questions_from_outlines(
    documents: Sequence[DocumentInfo],
    segments_of: Callable[[DocumentId], Sequence[Segment]],
    document_text: Callable[[DocumentInfo], str],
    most: int = 300,
    seed: int = 0,
) -> tuple[KnownQuestion, ...]:
    """Up to `most` questions of each kind ("section", "page", "unanswerable"), spread over the documents."""
    sheets = [sheet for sheet in (_sheet(one, documents, segments_of, document_text) for one in documents) if sheet]
    return tuple(
        question
        for made in (_described(sheets), _begins(sheets), _elsewhere(sheets))
        for question in spread(made, most, seed)
    )


def _sheet(
    document: DocumentInfo,
    documents: Sequence[DocumentInfo],
    segments_of: Callable[[DocumentId], Sequence[Segment]],
    document_text: Callable[[DocumentInfo], str],
) -> _Sheet | None:
    """None for a document without a part of its own: a question could not name it."""
    name = document.parts[0] if document.parts else ""
    shared = any(name in other.parts for other in documents if other.id != document.id)
    if not name or shared or not document.places:
        return None
    sections: dict[tuple[str, ...], list[Segment]] = defaultdict(list)
    for segment in segments_of(document.id):
        if segment.path:
            sections[segment.path].append(segment)
    return _Sheet(document, name, dict(sections), fold_case(document_text(document)))


def _titles(sheet: _Sheet) -> Iterator[tuple[str, Segment]]:
    """Titles that stand once in an outline, each with the first segment below it."""
    below: dict[str, list[Segment]] = defaultdict(list)
    for path, segments in sheet.sections.items():
        below[path[-1]].append(segments[0])
    for title, firsts in below.items():
        if len(firsts) == 1 and _TITLE.match(title) and len(title.split()) > 1:
            yield title, firsts[0]


def _described(sheets: Sequence[_Sheet]) -> Iterator[KnownQuestion]:
    """Terms that one section names more than once and no other section names at all."""
    for sheet in sheets:
        spoken: dict[str, dict[tuple[str, ...], int]] = defaultdict(lambda: defaultdict(int))
        for path, segments in sheet.sections.items():
            for segment in segments:
                if segment.kind is SegmentKind.TEXT:
                    for term in _TERM.findall(segment.text):
                        spoken[term][path] += 1
        for term, places in spoken.items():
            (path, times), *others = places.items()
            if others or times < _SPOKEN_OF or term in " ".join(path) or not _TITLE.match(path[-1]):
                continue
            at = next(one for one in sheet.sections[path] if term in one.text)
            text = f"In which section of the {sheet.name} data sheet is {term} described?"
            yield KnownQuestion(
                f"o{question_id(sheet.document.id + term)}", text, path[-1], (" > ".join(path),), "section",
                ((sheet.file, at.page, term),),
            )  # fmt: skip


def _begins(sheets: Sequence[_Sheet]) -> Iterator[KnownQuestion]:
    for sheet in sheets:
        for title, first in _titles(sheet):
            page = f"page {first.page}"
            yield KnownQuestion(
                f"p{question_id(sheet.document.id + title)}", _asks_page(sheet, title), page, (f"p. {first.page}",),
                "page", ((sheet.file, first.page, title),),
            )  # fmt: skip


def _asks_page(sheet: _Sheet, title: str) -> str:
    return f'On which page of the {sheet.name} data sheet does the section "{title}" begin?'


def _elsewhere(sheets: Sequence[_Sheet]) -> Iterator[KnownQuestion]:
    """Sections that several sheets have and this one names nowhere, neither as a title nor in its text."""
    having: dict[str, set[str]] = defaultdict(set)
    for sheet in sheets:
        for title, _ in _titles(sheet):
            having[title].add(sheet.document.id)
    for sheet in sheets:
        for title, owners in sorted(having.items()):
            if len(owners) < _SPOKEN_OF or fold_case(title) in sheet.text:
                continue
            yield KnownQuestion(
                f"v{question_id(sheet.document.id + title)}", _asks_page(sheet, title), "Not mentioned",
                ("not mentioned", "no such section"), "unanswerable", (), sheet.file, (title,),
            )  # fmt: skip
