"""Packages and ordering codes of a part, from ordering tables, the lists of its front page and package drawings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.agent.cite import Citations
from engine.agent.draft import Draft, Notes, not_mentioned, status_of
from engine.agent.homes import home_of
from engine.agent.package_questions import package_question
from engine.agent.parts import names_same
from engine.agent.pins import PACKAGE, PACKAGE_NAMES
from engine.agent.prose import is_noise, is_prose, items_in, sentences_of
from engine.agent.question import Question
from engine.agent.sources import Sources
from engine.agent.targets import resolve
from engine.agent.units import Unit, units_of
from engine.agent.verify import check_sentence
from engine.core.model import Segment, SegmentKind
from engine.core.results import Sentence, Step
from engine.core.text import fold

_MOST_PACKAGES, _MOST_CODES, _LONGEST = 8, 6, 90
_CODED = re.compile(r"^(?:order|part|type|model|device|product|orderable|catalog)", re.I)
_PACKED = re.compile(r"^(?:pin[- ])?packages?(?: (?:type|name|description|style))?$|^case$", re.I)
_LEGEND = re.compile(r"[A-Z0-9]{1,3}[A-Z0-9-]{0,6}")
_OFFERED = re.compile(r"\b(?:packages?|available|offered|housed|supplied|comes?)\b", re.I)
_SAID = re.compile(
    rf"[0-9]{{1,3}}[- ]?(?i:pin|lead|ld|ball|terminal)s?,?[- ](?:[\w.\u201d\"()/]+[- ]){{0,3}}?(?:{PACKAGE_NAMES})\b"
    r"(?: ?\([^)]{2,20}\))?|\b(?:TO|SOT|SOD|SC|DO)-?[0-9]{1,3}(?:-[0-9]+)?\b"
)
_CLAUSE = re.compile(r";\s*|\.\s+(?=[A-Z]\S*[0-9])")
_ABOUT = re.compile(r"\b(?:order\w*|packag\w*|features?|mechanical|outlines?|pin\w*|dimensions?)\b", re.I)
_SAME = 0.8
_ALIKE = {"PDIP": "DIP", "CDIP": "DIP", "SDIP": "DIP", "CERDIP": "DIP", "DIL": "DIP", "SOIC": "SO", "SOP": "SO"}


@dataclass(frozen=True)
class Offer:
    """A package, the code it is ordered by ("" where none is printed with it), and where both are printed."""

    package: str
    code: str
    segment: Segment
    quote: str


def answer_about_packages(question: Question, sources: Sources, notes: Notes, model: str) -> Draft | None:
    """None where the question asks for something else."""
    asked = package_question(question)
    if asked is None:
        return None
    documents = sources.documents()
    targets = resolve(question, documents)
    if targets.unknown or not targets.named:
        return None
    name = next(iter(targets.named))
    home = home_of(name, targets, documents)
    segments = sources.segments_of(home.id) if home is not None else []
    offers = offers_of(segments, name)
    fitting = [offer for offer in offers if not asked.package or _family(asked.package) in _families(offer.package)]
    if asked.codes:
        fitting = [offer for offer in fitting if offer.code]
    if not fitting:
        notes.step(Step("not mentioned", "packages", ()))
        return not_mentioned("", model)
    return _draft(name, fitting, sources, notes, model)


def offers_of(segments: Sequence[Segment], part: str) -> list[Offer]:
    """What ordering tables give; else what a list or sentence offers; else the packages that are named or drawn."""
    legend = dict(_legend(segments))
    tabled = [offer for segment in segments for offer in _tabled(segment, part, legend)]
    if tabled:
        return tabled
    told = [offer for segment in segments for offer in _told(segment, part)]
    if told:
        return told
    return [Offer(package, "", legend_at, package) for package, legend_at in _named(segments)]


# --- tables -----------------------------------------------------------------------------------------------------------


def _legend(segments: Sequence[Segment]) -> Iterator[tuple[str, str]]:
    """ "44A" -> "44-lead, Thin Plastic Gull Wing Quad Flatpack (TQFP)"."""
    for segment in segments:
        # Line by line: such a table has no header, and which line would be taken for one is left to chance.
        for line in segment.text.splitlines() if segment.kind is SegmentKind.TABLE else ():
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if len(cells) == 2 and _LEGEND.fullmatch(cells[0]) and PACKAGE.search(cells[1]):
                yield cells[0], cells[1]


def _tabled(segment: Segment, part: str, legend: dict[str, str]) -> Iterator[Offer]:
    if segment.kind is not SegmentKind.TABLE:
        return
    for unit in units_of([segment]):
        if unit.is_row:
            yield from _row(unit, part, legend)


def _row(unit: Unit, part: str, legend: dict[str, str]) -> Iterator[Offer]:
    codes = next((found for _, cell in unit.cells if (found := _codes(cell, part))), [])
    if not codes:
        return
    others = [(head, cell) for head, cell in unit.cells if not _codes(cell, part)]
    packed = [cell for head, cell in others if _PACKED.match(" ".join(head.split()))]
    packed = packed or [cell for _, cell in others if PACKAGE.search(cell) and len(cell) <= _LONGEST]
    if not packed:
        return
    pieces = packed[0].split()
    if len(codes) > 1 and len(pieces) == len(codes):
        yield from (Offer(legend.get(p, p), c, unit.segment, unit.text) for p, c in zip(pieces, codes))
        return
    package = legend.get(packed[0], packed[0])
    if PACKAGE.search(package) or package != packed[0]:
        yield from (Offer(package, code, unit.segment, unit.text) for code in codes)


def _codes(cell: str, part: str) -> list[str]:
    """The ordering codes of a cell, if that is what it holds."""
    pieces = cell.split()
    found = [piece for piece in pieces if _is_code(piece, part)]
    return found if found and len(found) == len(pieces) else []


def _is_code(piece: str, part: str) -> bool:
    """The part itself, or with a suffix, a tape code or the maker's letters: "DS1307ZN+T&R", "N74F148D"."""
    bare = re.split(r"[+/#&]", fold(piece).upper())[0]
    return names_same(part, bare) >= _SAME or bool(
        re.fullmatch(rf"[A-Z]{{0,3}}{re.escape(part.upper())}[A-Z0-9-]*", bare)
    )


# --- text -------------------------------------------------------------------------------------------------------------


def _told(segment: Segment, part: str) -> Iterator[Offer]:
    """ "SHF337-T in TO-220, tube of 50; SHF337-D in TO-263": clause by clause; "Available in 8-pin DIP or SO"."""
    if segment.kind is not SegmentKind.TEXT:
        return
    ordering = bool(segment.path) and re.search(r"\border", segment.path[-1], re.I)
    for text in [*sentences_of(segment), *items_in(segment), *(segment.text.splitlines() if ordering else ())]:
        if not PACKAGE.search(text) or len(text) > 3 * _LONGEST:
            continue
        coded = [offer for clause in _CLAUSE.split(text) if (offer := _clause(clause, part, segment)) is not None]
        if ordering and coded:
            yield from coded
            return
        if segment.page <= 2 and _OFFERED.search(text) and (is_prose(text) or not text.endswith(".")) and _plain(text):
            yield Offer(text.rstrip("."), "", segment, text)


def _clause(clause: str, part: str, segment: Segment) -> Offer | None:
    """ "SHF337-T in TO-220, tube of 50" -> the code and what it comes in."""
    first = clause.split()[0] if clause.split() else ""
    code = first.strip(",:")
    package = clause.removeprefix(first).strip(" .:,").removeprefix("in ")
    return Offer(package, code, segment, clause) if PACKAGE.search(package) and _is_code(code, part) else None


def _plain(text: str) -> bool:
    repeated = len(PACKAGE.findall(text)) > 2 and not re.search(r",|\bor\b|\band\b", text)
    return (
        not repeated
        and len(text) <= 2 * _LONGEST
        and not is_noise(text)
        and not re.search(r"[0-9] ?(?:V|mA|\u00b0C|W)\b", text)
    )


def _named(segments: Sequence[Segment]) -> Iterator[tuple[str, Segment]]:
    """Packages named with their size where packages are spoken of, each once."""
    seen: set[str] = set()
    for segment in segments:
        title = " ".join(segment.path[-2:])
        if segment.kind is SegmentKind.TABLE and not re.search(r"\border|packag", title, re.I):
            continue
        if segment.page > 1 and not _ABOUT.search(f"{title} {segment.text[:80]}"):
            continue
        for match in _SAID.finditer(segment.text):
            key = re.sub(r"[^a-z0-9]", "", match.group().casefold())
            if key not in seen:
                seen.add(key)
                yield " ".join(match.group().split()), segment


def _family(package: str) -> str:
    letters = re.sub(r"[^A-Z]", "", package.upper())
    return (
        _ALIKE.get(letters, letters)
        if not re.match(r"(?:TO|SOT|SC)", letters)
        else re.sub(r"[^A-Z0-9]", "", package.upper())
    )


def _families(text: str) -> set[str]:
    return {_family(match.group()) for match in PACKAGE.finditer(text)}


# --- wording ----------------------------------------------------------------------------------------------------------


def _draft(part: str, offers: Sequence[Offer], sources: Sources, notes: Notes, model: str) -> Draft:
    by_package: dict[str, list[Offer]] = {}
    for offer in offers:
        by_package.setdefault(offer.package, []).append(offer)
    citations = Citations(sources)
    sentences = []
    for package, these in list(by_package.items())[:_MOST_PACKAGES]:
        number = citations.cite_text(these[0].segment, these[0].quote)
        codes = list(dict.fromkeys(offer.code for offer in these if offer.code))
        shown = package.removeprefix(f"{part} in ")
        told = f"{shown}: {', '.join(codes[:_MOST_CODES])}" if codes else f"The {part} comes in {shown}"
        told = package if not codes and PACKAGE.match(package) is None and len(package) > _LONGEST // 2 else told
        told += f" and {len(codes) - _MOST_CODES} more" if len(codes) > _MOST_CODES else ""
        page = [citations.page_text(number)]
        verified = all(check_sentence(text, page, part).verified for text in (package, *codes[:1]))
        sentences.append(notes.sentence(Sentence(f"{told}.", verified, (number,)), citations.pick))
    used = tuple(dict.fromkeys(offer.segment.id for offer in offers))
    notes.step(Step("retrieve", "packages", used, f"{len(by_package)} packages"))
    notes.step(Step("answer", "packages", used, "from the ordering information"))
    more = len(by_package) - len(sentences)
    coverage = f"{len(sentences)} of {len(by_package)} packages shown" if more else ""
    status = status_of(sentences)
    short = "; ".join(package.removeprefix(f"{part} in ") for package in list(by_package)[:_MOST_PACKAGES])
    if len(offers) == 1 and offers[0].code:
        short = offers[0].code
    return Draft(status, short, tuple(sentences), citations.all, model, coverage, separator="\n")
