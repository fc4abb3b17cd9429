"""Which parts (or numbered notes) a document is *about*, apart from those it merely mentions (HiQA 7.12, rules).

Evidence adds up: title, running headers, the file's own metadata, headings of the first page, how early the first page
prints the number and on how many pages it stands. A part that is only named somewhere ("use AT89S51") has one of these,
a part the document is about has several.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from engine.core.model import ParsedDocument
from engine.core.text import expand_list, fold, identifiers, part_key

_IN_TITLE = 2.0
_IN_HEADER = 1.5
_IN_METADATA = 1.0
_IN_FIRST_HEADINGS = 1.0
_EARLY = 0.5
_OPENS = 1.0
"""Added to `_EARLY` for a number that is the first thing the document prints."""
_ENOUGH = 2.0
_EARLY_CHARACTERS = 400
_METADATA = ("title", "subject", "keywords")
_SHAPE = re.compile(
    r"(?=.*[0-9].*[0-9])(?:[A-Z]{1,6}[0-9][0-9A-Z]*|[0-9]{1,2}[A-Z]{1,4}[0-9]{2,}[0-9A-Z]*)",
)
"""Two digits or more, led by letters (LM317, S6B0724) or by one or two digits and letters (2N2222, 74HC147)."""
_NO_PART = re.compile(
    r"(?:TO|SOT|SOD|SO|SOIC|SOP|SSOP|TSSOP|MSOP|QSOP|DIP|PDIP|CDIP|CERDIP|PLCC|QFP|LQFP|TQFP|QFN|DFN|WSON|BGA|SC|DO|SIP)"
    r"[0-9]{1,3}|(?:REV|VER|PAGE|TABLE|FIG|FIGURE|PIN|PORT|TIMER|COPYRIGHT|ISO|IEC|EN|IEEE|RS|RC|ANSI|JESD|UL|MIL)[0-9].*"
)
_PIN = re.compile(r"[A-Za-z]{1,3}[0-9]{1,2}\.[0-9]{1,2}(?:[/-].*)?")
_REVISION = re.compile(r"_[0-9]{1,3}$")
_LITERATURE = re.compile(r"S[A-Z]{2,4}[0-9]{2,4}[A-Z]{0,2}")
_SHORTEST = 4
_LONGEST = 20
_MOST = 24
"""A list of contents that names a whole family is not what the document is about."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An identifier with the evidence that the document is about it."""

    name: str
    key: str
    score: float
    position: int
    """Where the first page prints it."""
    order: int
    in_title: bool
    in_body: bool
    """Named by a first-page heading or by the file's metadata, not by the running header alone."""


def about_parts(parsed: ParsedDocument) -> tuple[str, ...]:
    """The parts `parsed` is about, as printed, in the order the document names them; empty if none is sure."""
    chosen = _without_document_numbers([c for c in candidates(parsed) if c.score >= _ENOUGH])
    if len(chosen) > _MOST:
        chosen = sorted(chosen, key=lambda c: -c.score)[:_MOST]
    chosen.sort(key=lambda c: (c.position, c.order))
    return tuple(candidate.name for candidate in chosen)


def _without_document_numbers(chosen: list[Candidate]) -> list[Candidate]:
    """Literature numbers stand in the running header like the part does, but not in the title; `AN10513_1` is a
    revision of AN10513; `AT89` beside AT89S8253 is its family."""
    titled = [c.key for c in chosen if c.in_title]
    kept = []
    for candidate in chosen:
        related = any(candidate.key.startswith(key) or key.startswith(candidate.key) for key in titled)
        literature = _LITERATURE.fullmatch(candidate.key) is not None or not candidate.in_body
        if titled and literature and not (candidate.in_title or related):
            continue
        if _REVISION.search(candidate.name) and part_key(_REVISION.sub("", candidate.name)) in titled:
            continue
        if len(candidate.key) <= _SHORTEST and any(
            c.key != candidate.key and c.key.startswith(candidate.key) for c in chosen
        ):
            continue
        kept.append(candidate)
    return kept


def candidates(parsed: ParsedDocument) -> list[Candidate]:
    """Every identifier that looks like a part and stands somewhere in the text, with its evidence."""
    pages = [_names([page.text]) for page in parsed.pages]
    places = (
        (_names([parsed.title]), _IN_TITLE),
        (_names(parsed.facts), _IN_HEADER),
        (_names(str(parsed.metadata.get(key, "")) for key in _METADATA), _IN_METADATA),
        (_names(h.title for h in parsed.headings if h.page == 1), _IN_FIRST_HEADINGS),
    )
    printed: dict[str, str] = {}
    for names in (*(names for names, _ in places), *pages):
        for key, name in names.items():
            printed.setdefault(key, name)
    first = fold(parsed.pages[0].text) if parsed.pages else ""
    positions = _positions(first)
    found = []
    for order, (key, name) in enumerate(printed.items()):
        if not _is_part(key, name):
            continue
        share = sum(key in page for page in pages) / max(1, len(pages))
        if share == 0 and key not in places[0][0]:
            continue  # metadata of a re-distributor, or a keyword nobody prints
        position = positions.get(key, -1)
        score = share + sum(weight for names, weight in places if key in names)
        if 0 <= position < _EARLY_CHARACTERS:
            score += _EARLY + (_OPENS if position == 0 else 0.0)
        found.append(
            Candidate(
                name,
                key,
                score,
                position=position if position >= 0 else len(first),
                order=order,
                in_title=key in places[0][0],
                in_body=key in places[2][0] or key in places[3][0],
            )
        )
    return found


def _positions(first: str) -> dict[str, int]:
    """Where the first page prints each identifier, members of a slash list with their list."""
    found: dict[str, int] = {}
    for token in identifiers(first):
        for name in (token, *expand_list(token)):
            found.setdefault(part_key(name), first.find(token))
    return found


def _names(texts: Iterable[str]) -> dict[str, str]:
    """Key -> printed form of the identifiers in some texts, slash lists taken apart."""
    found: dict[str, str] = {}
    for text in texts:
        for token in identifiers(text):
            for name in expand_list(token):
                found.setdefault(part_key(name), name)
    return found


def _is_part(key: str, name: str) -> bool:
    if not _SHORTEST <= len(key) <= _LONGEST or _SHAPE.fullmatch(key) is None or _NO_PART.fullmatch(key):
        return False
    return _PIN.fullmatch(name) is None and any(character.isupper() for character in name)
