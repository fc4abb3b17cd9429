"""Questions that are answered by telling: what a thing is, what a note says, how something works or is done."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from engine.agent.question import Question
from engine.agent.terms import canonical, content_terms, name_terms, tokens

_SUBJECT = r"(?:the |an? |our )?(?:(?:part|device|chip|ic|document|data ?sheet|app(?:lication)? ?note|note|sheet)s? )*"
_IS = re.compile(
    rf"^what(?:'s| is| are| does) {_SUBJECT}(?P<name>[\w./+-]+?)(?: (?:do|for|about|used for))*\s*\??$", re.I
)
_SUMS_UP = re.compile(
    r"^(?:please )?(?:(?:briefly )?(?:summari[sz]e|describe)"
    r"|give (?:me )?(?:a|an) (?:short |brief )?(?:summary|overview|description)"
    r"|tell me (?:about|something about)|(?:short |brief )?(?:summary|overview) of|what does .+ "
    r"(?:note|document|sheet|say|cover|contain)\b)",
    re.I,
)
_EXPLAINS = re.compile(
    r"^(?:please )?(?:explain|describe (?:how|why|what)|how (?:does|do|is|are) .+ (?:work|function)s?\b)", re.I
)
_SHOWS_HOW = re.compile(
    r"^(?:(?:please )?(?:show|tell) me )?(?:how (?:do|can|should|could|would|must|shall) (?:i|we|you|one)\b|how to\b)"
    r"|^what (?:are|is) the (?:steps|procedure|sequence) (?:to|for|of)\b|^(?:steps|procedure) (?:to|for)\b",
    re.I,
)
_LISTS = re.compile(
    r"^(?:please )?(?:list|enumerate|give|what are) (?:me )?(?:all )?(?:of )?(?:the|its) (?:\w+ )*?(?P<what>\w+)"
    r" (?:of|in|for|given (?:in|for)) ",
    re.I,
)
_ASPECTS = re.compile(r":|\bin terms of\b|\bwith respect to\b|\bcompare|\bdiffer|\bversus\b|\bvs\b", re.I)
_EMPTY = frozenset(
    content_terms(
        "summarize summarise summary describe description explain overview brief short tell give application "
        "note document datasheet sheet data device chip part ic work function say says main key purpose "
        "please steps procedure contain cover about use used using properly correctly exactly show keep make "
        "get let want need able best way possible manual guide handbook chapter section "
    )
)


class Telling(StrEnum):
    WHAT = "what"
    """What a part or document is about, as a whole."""
    HOW = "how"
    """How one thing in it works."""
    STEPS = "steps"
    """How something is done."""
    ITEMS = "items"
    """What a list of its own in the document names: its features, its applications."""


@dataclass(frozen=True, slots=True)
class Told:
    """`topic` are the content words of what is asked beyond the names of parts and documents."""

    telling: Telling
    topic: tuple[str, ...]
    brief: bool = False
    """A sentence or two are wanted, not a summary."""
    summed: bool = False
    """A summary is wanted: it may be longer than an explanation."""


def asks_to_be_told(question: Question) -> Told | None:
    """What kind of telling a question asks for; None for questions of values, lists and comparisons."""
    text = question.folded.strip()
    if _ASPECTS.search(text) or question.options:
        return None
    names = name_terms(question.parts) | {
        canonical(piece) for name in question.parts for piece in re.split(r"[-/.]", name.casefold())
    }
    topic = tuple(term for term in question.terms if term not in _EMPTY and term not in names)
    topic += tuple("-".join(tokens(quantity.text)) for quantity in question.given)
    if _SHOWS_HOW.search(text):
        return Told(Telling.STEPS, topic) if topic else None
    if _EXPLAINS.search(text):
        return Told(Telling.HOW if topic else Telling.WHAT, topic)
    if _SUMS_UP.search(text):
        return Told(Telling.HOW if topic else Telling.WHAT, topic, summed=True)
    if _LISTS.match(text) and question.parts and topic:
        return Told(Telling.ITEMS, topic)
    named = _IS.match(text)
    if named and question.parts and not topic:
        return Told(Telling.WHAT, (), brief=True)
    return None
