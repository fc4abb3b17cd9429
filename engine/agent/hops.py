"""Questions that lead through one document to another: find where the first points, then ask there.

"The A data sheet names a replacement. What is the replacement's supply range?" is two readings: the sentences of A that
name another document, scored against the clause that describes the pointer; then the last clause, asked of the document
pointed to. No model is needed for the hop itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from engine.agent.compose import draft_of, with_passage
from engine.agent.draft import Draft, Notes, not_mentioned
from engine.agent.evidence import Pool, holds
from engine.agent.evidence import gather as gather_evidence
from engine.agent.parts import looks_like_part, names_same
from engine.agent.question import Question, understand
from engine.agent.reading import Reader
from engine.agent.sources import Sources
from engine.agent.targets import Targets, about, resolve
from engine.agent.terms import canonical, word_forms
from engine.agent.units import Unit
from engine.core.cancel import CancelToken
from engine.core.ids import DocumentId
from engine.core.results import DocumentInfo, Step
from engine.core.text import identifiers

_THING = r"(?:(?:data ?|application |app )?(?:sheets?|notes?)|documents?|manuals?|guides?|devices?|parts?|chips?|ones?)"
_KIND = r"(?:microcontroller|controller|mcu|transistor|processor|driver|converter|memory|display|module|sensor)s?"
_BASED = r"(?:tested|based|built|run|developed|written|designed) (?:on|around|for|with)"
_DOCUMENT = re.compile(r"\b(?:an?|another|the) (?:\w+ )?(notes?|manuals?|guides?|errata|reports?)\b", re.I)
_FOUND = 5
_KIND_BONUS = 0.3
_LISTED = 0.3
"""What a hop loses that leads to a document which names the part among others."""
_BESIDE = 0.5
"""Worth of a word that stands in the sentence before or in the section's title."""
_STAND_IN = r"(?:replacement|successor|predecessor|alternative|substitute|companion)"
_VERB = r"(?:refers|points|sends|replaces|recommends|names|mentions|supersedes)"
_POINTER = re.compile(
    rf"\b(?:another|a different|a separate|a second|other|a further) (?:\w+ )?{_THING}\b"
    rf"|\b(?:names?|gives?|lists?|recommends?|suggests?|mentions?|has) (?:a|an|its|the)? ?(?:\w+ )?{_STAND_IN}\b"
    rf"|\b(?:names?|gives?|states?|says) (?:the|which) (?:\w+ )?{_THING}\b"
    rf"|\b{_BASED} (?:a|one|the|another) (?:\w+ )?(?:{_KIND}|{_THING})\b"
    rf"|\b(?:refers?|points?|sends?|directs?) (?:you |the reader |readers |one )?(?:to|on to)\b"
    r"|\bpointers?\b|\b(?:suggest|recommend|offer|propose|name|list)\w* instead\b"
    rf"|\b(?:replaced|superseded|succeeded) by\b|\b{_STAND_IN}(?:'s)?\b"
    rf"|\bthe {_THING} (?:that |which )?(?:it|the \S+(?: data ?sheet| note)?) {_VERB}\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    rf"\b(?:the {_THING} of that {_KIND}"
    rf"|(?:that|this|the) (?:other |second |same |latter |new |replacement )?(?:{_THING}|{_KIND})(?:'s)?"
    rf"(?: (?:data ?sheet|sheet|note)(?:'s)?)?"
    rf"|(?:the|its|that) {_STAND_IN}(?:'s)?(?: (?:part|device|data ?sheet|sheet|note)(?:'s)?)?|the latter)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"(?<=\bdoes )(?:that|it)\b|(?<=\bcan )(?:that|it)\b|(?<=\bis )(?:that|it)\b", re.I)
_THAT = re.compile(rf"\bthat (?:\w+ )?(?:{_THING}|{_KIND})\b", re.I)
_OWN_SHEET = re.compile(
    r",? and (?=(?:up to )?(?:what|which|how)\b[^?]*\b(?:its|that \w+'s)(?: own)? (?:data ?sheet|sheet|note|manual)\b)",
    re.I,
)
""" "On which part was it tested, and how much flash does its data sheet list?": what is asked first leads on."""
_LEADING = re.compile(
    r"^(?:for|of|in|on|at|with) (the (?P<name>\S+))[^,]*, (?P<asked>(?:what|which|how)\b[^?]*)\??$", re.I
)
_WHICH_ONE = re.compile(r"^which one\b", re.I)
_ANAPHOR = re.compile(r"\b(?:that|this|the said) ([a-z][\w-]+)\b", re.I)
_AND_ASKS = re.compile(
    r"(?:,?\s+and\s+|,\s+)(?=(?:(?:up |down )?(?:to|at|from|in|for|with|by|on) )?(?:what|which|how|when|where)\b)", re.I
)
""" "Which one, and what top speed does that note claim?": the pointer is asked for as well as what stands there."""
_ANYTHING = re.compile(r"(?:which|what)\b", re.I)
_FOLLOW = re.compile(
    r"^(?:please )?(?:follow|take) (?:its|the|that) (?:pointer|link|reference|hint)s?\s*[:,;.]?\s*", re.I
)
_CUES = tuple(
    canonical(word)
    for word in "see refer consult use replace recommended details described note instead successor".split()
)


@dataclass(frozen=True, slots=True)
class Hop:
    """From a unit of the first document over a name to another document."""

    unit: Unit
    name: str
    target: DocumentInfo
    score: float


def wants_hop(question: Question) -> bool:
    """Whether a question describes a document by how another points to it.

    Either the pointer is named ("refers to another note"), or a first sentence leads to what the last calls "that".
    """
    if not question.parts:
        return _POINTER.search(question.folded) is not None
    if leads_on(question):
        return True
    first, _, last = question.folded.rpartition(". ")
    led = first and (_THAT.search(last) or _WHICH_ONE.search(last) or _introduced(first, last))
    return bool(_POINTER.search(question.folded) or led)


def leads_on(question: Question) -> bool:
    """Whether what is asked first is the part whose own document is asked about next."""
    return len(_OWN_SHEET.split(question.folded)) == 2 and _ANYTHING.search(question.folded) is not None


def _introduced(first: str, last: str) -> bool:
    """Whether what the last sentence calls "that amplifier" enters the first as "a buffer amplifier"."""
    nouns = [match.group(1) for match in _ANAPHOR.finditer(last)]
    return any(
        re.search(rf"\b(?:an?|another|one) (?:[\w-]+ ){{0,3}}{re.escape(noun)}\b", first, re.I) for noun in nouns
    )


def answer_over_hop(
    question: Question,
    sources: Sources,
    reader: Reader,
    notes: Notes,
    cancel: CancelToken,
    compute: Callable[[Question], Draft | None] = lambda question: None,
) -> Draft | None:
    """Follow one pointer and answer there; None where nothing is pointed to (the question may be a plain one).

    `compute` answers from parameter records where they are sure.
    """
    infos = sources.documents()
    first, last = split_clauses(question)
    last, both = (last, True) if leads_on(question) else _asked_there(last)
    targets = resolve(question, infos)
    described = not targets.documents
    if described:
        targets = _described(first, sources)
    hops = find_hops(first, sources, targets, infos)
    cancel.raise_if_cancelled()
    if not hops:
        return None
    for hop in hops[:2]:
        notes.step(Step("retrieve", first.folded, (hop.unit.segment.id,), f"leads to {hop.name}"))
        sub = _bound(understand(_plainer(_named(last.folded, hop.name), hop.name)), hop.name)
        draft = compute(sub)
        if draft is not None:
            draft = with_passage(draft, hop.unit, sources, notes)
        else:
            draft = _read_there(sub, hop, sources, reader, notes, cancel)
        if draft is not None:
            return replace(draft, short=f"{hop.name}; {draft.short}") if both else draft
    if described:
        return None
    notes.step(Step("not mentioned", last.folded))
    return not_mentioned(f"{hops[0].name} is named, but its document does not say.", reader.name)


def _read_there(
    sub: Question, hop: Hop, sources: Sources, reader: Reader, notes: Notes, cancel: CancelToken
) -> Draft | None:
    """The answer of the document pointed to, with the sentence that points; None where it does not say."""
    pool = gather_evidence(sub, sources, Targets({hop.name: (hop.target.id,)}), only_targets=True)
    reading = reader.read(sub, pool, cancel)
    used = (reading.evidence.unit.segment.id,) if reading is not None else ()
    notes.step(Step("retrieve", sub.folded, used, hop.name))
    if reading is None or not reading.found:
        return None
    notes.step(Step("answer", sub.folded, used, reading.by))
    return draft_of(sub, reading, sources, notes, led=(hop.unit,))


def _asked_there(last: Question) -> tuple[Question, bool]:
    """What is asked of the document pointed to, and whether the pointer itself is asked for beside it."""
    pieces = _AND_ASKS.split(_FOLLOW.sub("", last.folded))
    if len(pieces) < 2 or not _ANYTHING.match(pieces[0]):
        return (understand(pieces[0]) if len(pieces) == 1 else last), False
    return understand(pieces[-1]), True


def _described(first: Question, sources: Sources) -> Targets:
    """Where no part is named ("Maxim's application note 504"): the documents that retrieval finds for the clause."""
    found = dict.fromkeys(hit.segment.document for hit in sources.search(first.text, _FOUND).hits)
    return Targets({"": tuple(found)[:2]})


def _named(clause: str, name: str) -> str:
    """The last clause with its back reference ("that note", "its") put by name."""
    if _BACK.search(clause):
        return _BACK.sub(f"the {name}", clause)
    if _PRONOUN.search(clause):
        return _PRONOUN.sub(f"the {name}", clause, count=1)
    if _ANAPHOR.search(clause) and not re.search(r"\bits\b", clause):
        return _ANAPHOR.sub(f"the {name}", clause, count=1)
    return re.sub(r"\bits\b", f"the {name}'s", clause, count=1)


def _plainer(clause: str, name: str) -> str:
    """ "For the A of them whose sheet is here, what endurance is stated?" -> "what endurance is stated for the A?"."""
    match = _LEADING.match(clause)
    return f"{match['asked'].strip()} for the {name}?" if match and match["name"].rstrip(",") == name else clause


def _bound(asked: Question, name: str) -> Question:
    parts = tuple(part for part in asked.parts if names_same(part, name) >= 0.8) or (name,)
    return replace(asked, parts=parts)


def split_clauses(question: Question) -> tuple[Question, Question]:
    """The clause that describes the pointer and the one that asks: two sentences, or around the pointer's noun."""
    sentences = [s for s in re.split(r"(?<=[.;!?])\s+", question.folded) if s.strip()]
    own = _OWN_SHEET.split(question.folded)
    if len(sentences) == 1 and len(own) == 2:
        return understand(own[0]), understand(own[1])
    if len(sentences) >= 2:
        return understand(" ".join(sentences[:-1])), understand(sentences[-1])
    back = _BACK.search(question.folded)
    if back:
        return question, understand(question.folded)
    return question, question


def find_hops(first: Question, sources: Sources, targets: Targets, infos: Sequence[DocumentInfo]) -> list[Hop]:
    """Names of other documents in the sentences of the first, best fitting the describing clause first."""
    start = targets.documents[:2]
    pool = gather_evidence(first, sources, Targets({"": start}), only_targets=True)
    found: dict[DocumentId, Hop] = {}
    for unit in pool.units:
        for name in _names(unit):
            for info in infos:
                if info.id == unit.segment.document or about(name, info) < 0.9:
                    continue
                fit = _fit(first, pool, unit) + _of_kind(first, info)
                hop = Hop(unit, name, info, fit if _leads(name, info) else fit - _LISTED)
                if info.id not in found or hop.score > found[info.id].score:
                    found[info.id] = hop
    named = first.parts[:1]
    away = [hop for hop in found.values() if not any(names_same(part, hop.name) == 1.0 for part in named)]
    return sorted(away or found.values(), key=lambda hop: -hop.score)


def _of_kind(first: Question, info: DocumentInfo) -> float:
    """A document that calls itself what the question calls it ("application note") fits it better."""
    asked = {canonical(match.group(1)) for match in _DOCUMENT.finditer(first.folded)}
    return _KIND_BONUS if asked & word_forms(info.title) else 0.0


def _leads(name: str, info: DocumentInfo) -> bool:
    """Whether a document is chiefly about a part: the first that its title names, or all it names."""
    titled = [one for one in identifiers(info.title) if looks_like_part(one)]
    return not titled or names_same(name, titled[0]) > 0.0


def _names(unit: Unit) -> list[str]:
    return [name for name in identifiers(unit.text) if looks_like_part(name)]


def _fit(first: Question, pool: Pool, unit: Unit) -> float:
    """How well a sentence that names another document fits the description of the pointer."""
    held = (
        1.0 if holds(unit.forms, term) else _BESIDE if holds(unit.around_forms, term) else 0.0 for term in pool.terms
    )
    inside = sum(pool.weights[term] * share for term, share in zip(pool.terms, held)) / pool.total
    cues = sum(1 for cue in _CUES if holds(unit.forms, cue))
    return inside + 0.15 * min(cues, 3) - 0.05 * len(_names(unit))
