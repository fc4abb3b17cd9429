"""Questions after documents: "Which application notes discuss crystals?", "Do we have anything on motor control?".

The answer lists what the library holds, one cited line a document. Retrieval is asked again among the documents not
found yet until it brings none that speaks of the topic, so that the list is whole, not the best few of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile

from engine.agent.cite import Citations
from engine.agent.draft import Draft, Notes, not_mentioned, status_of
from engine.agent.prose import is_noise
from engine.agent.question import Question
from engine.agent.sources import Sources
from engine.agent.terms import content_terms, word_forms
from engine.agent.topic import speaks
from engine.agent.units import units_of
from engine.agent.verify import quote_stands
from engine.core.cancel import CancelToken
from engine.core.ids import DocumentId
from engine.core.model import Segment
from engine.core.results import DocumentInfo, Sentence, Step
from engine.core.text import fold_case


class Sort(StrEnum):
    """What makes a document one of those asked for."""

    MENTIONED = "mentioned"
    """One of its sentences has the topic."""
    TREATED = "treated"
    """Its title or a heading has; where no document's has, one of its sentences."""
    KIND = "kind"
    """It is the sheet of such a device."""
    FEATURE = "feature"
    """Its title, a heading or its front has."""


_BOOK = (
    r"(?:document|doc|file|pdf|paper|manual|guide|handbook|book|report|standard|specification|tutorial|article|primer"
    r"|(?:app(?:lication)? )?note|(?:data ?)?sheet)"
)
_PART = r"(?:part|chip|device|component|ic)"
_MENTION = (
    r"(?:mentions?|names?|contains?|refers? to|says? (?:something|anything) (?:about|on)|speaks? of|talks? about)"
)
_TREAT = (
    r"(?:describes?|discuss(?:es)?|covers?|deals? with|treats?|explains?|concerns?|address(?:es)?|is (?:about|on)"
    r"|are (?:about|on)|on|about|for|covering|describing|discussing|concerning|dealing with|relating to|relevant to)"
)
_HAVE = r"(?:uses?|have|supports?|offers?|includes?|provides?|comes? with|needs?|works? with|speaks?|with|using)"
_WE_HAVE = r"(?:do we have|have we(?: got)?|are there|do i have|are (?:there )?in (?:the|this|our) library)"
_THAT = rf"(?: {_WE_HAVE})?(?: that| which)?"
_ASKED = (
    r"(?:which|what|how many|list(?: me)?|show(?: me)?|find(?: me)?|name) (?:of )?(?:all )?(?:(?:our|the|my|these) )?"
)
_ANY = r"(?:do we have|have we(?: got)?|is there|are there|do i have)(?: an?| any| some)?"
_THING = r"(?:anything|something|information)"
_PATTERNS = tuple(
    (re.compile(rf"^(?:please )?{pattern}\W*$", re.I), sort)
    for pattern, sort in (
        (rf"{_ASKED}{_BOOK}s{_THAT} {_MENTION} (?P<topic>.+?)", Sort.MENTIONED),
        (rf"{_ASKED}{_BOOK}s{_THAT} {_TREAT} (?P<topic>.+?)", Sort.TREATED),
        (rf"{_ASKED}(?:{_BOOK}|{_PART})s(?: that| which)? are (?:for )?(?P<topic>.+s)", Sort.KIND),
        (rf"(?:which|what) (?P<topic>[\w/ -]+?) {_WE_HAVE}", Sort.KIND),
        (rf"{_ASKED}{_PART}s{_THAT} {_HAVE} (?P<topic>.+?)", Sort.FEATURE),
        (
            rf"(?:which|what)(?: one)? of (?:our|my) (?P<kind>[\w/ -]+?s) (?:is|are|has|{_HAVE}) (?P<topic>.+?)",
            Sort.FEATURE,
        ),
        (rf"{_ANY} (?:{_BOOK}s?|{_THING}) (?:that |which )?{_MENTION} (?P<topic>.+?)", Sort.MENTIONED),
        (rf"{_ANY} (?:{_BOOK}s?|{_THING}) {_TREAT} (?P<topic>.+?)", Sort.TREATED),
    )
)
"""One document asked for ("which document describes") is no pattern: a place in it is meant (engine/agent/whereabouts).
"""
_VALUE = re.compile(
    r"\b(?:most|least|than|both|lowest|highest|largest|smallest|longest|shortest|fastest|slowest|maximum|minimum|best"
    r"|worst|at least|at most|up to|more|fewer|less|above|below|under|over|between|within|exactly)\b",
    re.I,
)
_DENIES = re.compile(r"\b(?:no|not|without|never|neither|unlike|instead of|cannot)\b", re.I)
_EMPTY = frozenset(content_terms("library document use using usage topic subject detail please"))
_HITS, _ROUNDS = 60, 8
_FRONT = 1
"""Pages on which a document says what its subject is and has."""
_STEM, _SHARED = 5, 0.7
"""Letters from their beginning, and share of the shorter one's, that two words share which are forms of one."""
_LINES = 25
_SHORT = 200
"""Characters of a line; of a longer sentence the heading it stands under is shown."""


IsKind = Callable[[str, DocumentInfo], bool]
"""Whether a document is the sheet of such a device ("op amps")."""


@dataclass(frozen=True, slots=True)
class Holding:
    """A passage that has the topic, where in its document, and the words that show it."""

    document: DocumentInfo
    segment: Segment
    quote: str
    titled: bool
    headed: bool

    def meets(self, sort: Sort) -> bool:
        front = self.segment.page <= _FRONT and sort in (Sort.KIND, Sort.FEATURE)
        return self.titled or front or sort is Sort.MENTIONED or (self.headed and sort is not Sort.KIND)


@dataclass(frozen=True, slots=True)
class Asked:
    """Documents asked for: what makes one of them, the words of the topic, and of which kind of device, "" for any."""

    sort: Sort
    topic: str
    kind: str = ""


def asks_for_documents(question: Question) -> Asked | None:
    """How documents are asked for; None where a value, a place or one document is."""
    text = question.folded.strip()
    if question.options or question.given or _VALUE.search(text):
        return None
    for pattern, sort in _PATTERNS:
        match = pattern.match(text)
        if match:
            named = match.groupdict().get("kind") or ""
            return Asked(sort, match["topic"], match["topic"] if sort is Sort.KIND else named)
    return None


def answer_with_documents(
    question: Question, sources: Sources, notes: Notes, cancel: CancelToken, model: str, is_kind: IsKind
) -> Draft | None:
    """Every document that speaks of the topic, one cited line each; None where no documents are asked for."""
    asked = asks_for_documents(question)
    terms = [term for term in content_terms(asked.topic) if term not in _EMPTY] if asked else []
    if asked is None or not terms:
        return None
    sort, topic = asked.sort, asked.topic
    among = {one.id: one for one in sources.documents() if not asked.kind or is_kind(asked.kind, one)}
    found, whole = _holdings(sort, topic, terms, among, sources, cancel)
    enough = [one for one in found if sort is Sort.KIND or one.meets(sort)]
    if sort is Sort.TREATED and not enough:
        enough = found
    total = len(among) if sort is Sort.FEATURE else len(sources.documents())
    coverage = f"{'' if whole else 'at least '}{len(enough)} of {total} documents"
    notes.step(Step("retrieve", topic, tuple(one.segment.id for one in enough), coverage))
    if not enough:
        return not_mentioned(f"None of the {total} documents speaks of it.", model, coverage=coverage)
    return _draft(enough, topic, coverage, sources, notes, model)


def _holdings(
    sort: Sort,
    topic: str,
    terms: Sequence[str],
    infos: Mapping[DocumentId, DocumentInfo],
    sources: Sources,
    cancel: CancelToken,
) -> tuple[list[Holding], bool]:
    """A passage of each document that has the topic, and whether these are all: those of retrieval in its order, then
    the documents that only their titles tell of, or that are of the kind asked for in other words."""
    found: dict[DocumentId, Holding] = {}
    whole = False
    for _ in range(_ROUNDS):
        cancel.raise_if_cancelled()
        rest = [one for one in infos if one not in found or not found[one].meets(sort)]
        hits = sources.search(topic, _HITS, rest).hits if rest else ()
        new = _better(_having(terms, [hit.segment for hit in hits], infos, sources), found, sort)
        found |= new
        whole = not new
        if whole:
            break
    for info in infos.values():
        meant = info.id not in found and (sort is Sort.KIND or _has(info.title, terms))
        titled = _titled(info, sources) if meant else None
        if titled is not None:
            found[info.id] = titled
    return sorted(found.values(), key=lambda one: (not one.titled, not one.headed)), whole


def _titled(info: DocumentInfo, sources: Sources) -> Holding | None:
    """A document that only its title tells of, with its first words."""
    first = next(iter(sources.segments_of(info.id)), None)
    if first is None:
        return None
    quote = next((one.text for one in units_of([first]) if _stands(one.text, first, sources)), info.title)
    return Holding(info, first, quote, titled=True, headed=False)


def _better(holdings: Iterable[Holding], found: Mapping[DocumentId, Holding], sort: Sort) -> dict[DocumentId, Holding]:
    """Of each document the first passage that meets what is asked, where none is known that does."""
    new: dict[DocumentId, Holding] = {}
    for holding in holdings:
        known = new.get(holding.document.id) or found.get(holding.document.id)
        if known is None or (holding.meets(sort) and not known.meets(sort)):
            new[holding.document.id] = holding
    return new


def _having(
    terms: Sequence[str], segments: Iterable[Segment], infos: Mapping[DocumentId, DocumentInfo], sources: Sources
) -> Iterator[Holding]:
    """The passages that have the topic in a heading or in a sentence that does not deny it.

    A title may give part of it: in "Layout of Oscillators" a sentence on crystals is about crystal oscillators.
    """
    for segment in segments:
        info = infos[segment.document]
        given = [term for term in terms if _speaks(word_forms(info.title), term)]
        left = [term for term in terms if term not in given] or terms
        mostly = 2 * len(given) >= len(terms)
        wanted = left if mostly else terms
        units = [one for one in units_of([segment]) if not is_noise(one.text) and not _DENIES.search(one.text)]
        saying = [one.text for one in units if not one.is_row and _all_in(one.forms, wanted)]
        rows = [one.text for one in units if one.is_row and _all_in(one.forms, wanted)]
        headings = [one for one in reversed(segment.path) if _has(one, wanted)]
        quotes = sorted([*saying, *headings[:1], *rows], key=lambda one: len(one) > _SHORT)
        quote = next((text for text in quotes if _stands(text, segment, sources)), "")
        if quote:
            yield Holding(info, segment, quote, len(given) == len(terms), headed=mostly or bool(headings))


def _stands(quote: str, segment: Segment, sources: Sources) -> bool:
    pages = segment.pages or (segment.page,)
    return any(quote_stands(quote, sources.page_text(segment.document, page)) for page in pages)


def _has(text: str, terms: Sequence[str]) -> bool:
    return _all_in(word_forms(text), terms)


def _all_in(forms: Set[str], terms: Sequence[str]) -> bool:
    return all(_speaks(forms, term) for term in terms)


def _speaks(forms: Set[str], term: str) -> bool:
    """Whether words have a term in any form, "detector" for "detection" among them."""
    return speaks(forms, term) or (term.isalpha() and any(_akin(form, term) for form in forms))


def _akin(form: str, term: str) -> bool:
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(form, term)))
    return shared >= max(_STEM, _SHARED * min(len(form), len(term)))


def _draft(found: Sequence[Holding], topic: str, coverage: str, sources: Sources, notes: Notes, model: str) -> Draft:
    citations = Citations(sources)
    sentences = []
    for one in found[:_LINES]:
        number = citations.cite_text(one.segment, one.quote)
        verified = quote_stands(one.quote, citations.page_text(number))
        same = fold_case(one.quote) in fold_case(one.document.title)
        text = one.document.title if same else f"{one.document.title}: {one.quote}"
        sentences.append(notes.sentence(Sentence(text, verified, (number,)), citations.pick))
    names = "; ".join(one.document.title for one in found[:_LINES])
    short = names if len(found) <= 3 else f"{coverage}: {names}"
    left = (f"{len(found) - _LINES} further documents are not shown.",) if len(found) > _LINES else ()
    notes.step(Step("answer", topic, tuple(one.segment.id for one in found[:_LINES]), coverage))
    return Draft(
        status_of(sentences), short, tuple(sentences), citations.all, model, coverage, warnings=left, separator="\n"
    )
