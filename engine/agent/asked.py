"""Whether evidence is about the very quantity that a question names: all of its words, and no other quantity's."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from engine.agent.cues import asked_phrase, names_a_kind
from engine.agent.evidence import Evidence, holds
from engine.agent.quantities import find_quantities
from engine.agent.question import Expect, Question
from engine.agent.sources import Sources
from engine.agent.terms import canonical, stop_words, tokens, word_forms
from engine.agent.units import Unit
from engine.core.ids import DocumentId
from engine.core.text import fold, fold_case

_NAME_CELL = 4
"""Letters of a cell beyond which it is a row's name rather than its symbol."""
_DESIGNATION = re.compile(r"[0-9]{3,5}[a-z]?")
"""A number by which a thing is called."""
_SIGNAL = re.compile(r"(?<![\w-])[A-Z][A-Z0-9/]*[A-Z0-9](?![\w-])")


def unnamed(question: Question, evidence: Evidence) -> tuple[str, ...]:
    """Words that name the quantity asked for and stand neither in the passage nor above it: a clock frequency is not
    the SCL clock frequency of a part that has no SCL.

    Every word of the name counts, however common: "data", "hold" and "active" tell one time of a sheet from another.
    What stands in the section that the question names may word it otherwise.
    """
    if question.expect not in (Expect.QUANTITY, Expect.NUMBER) or question.offers or evidence.in_section:
        return ()
    unit = evidence.unit
    there = unit.forms | unit.around_forms | word_forms(unit.segment.title)
    if not unit.is_row:  # sentences share their subject, rows of a table do not
        there = there | word_forms(unit.segment.text)
    implied = {q.dimension for q in find_quantities(fold(unit.shown))} & question.dimensions
    return tuple(
        word
        for word in _named(question)
        if canonical(word) not in question.light
        if word not in there and not holds(there, canonical(word)) and not (implied and names_a_kind(word))
    )


def narrower(question: Question, unit: Unit) -> str:
    """The name of a row that speaks of a narrower quantity than the one asked for, "" if it does not: asked for the
    output current, "Output Leakage Current" is another, for its last word but one is not asked for.

    Only where the question itself puts a word before its last one, and the row does not put the same.
    """
    asked = [canonical(word) for word in _named(question)]
    if question.expect is not Expect.QUANTITY or len(asked) < 2 or not unit.is_row:
        return ""
    known = {*asked, *question.terms, *map(canonical, tokens(question.folded)), canonical("supply")}
    for _, cell in unit.cells:
        words = [canonical(piece) for word in tokens(cell) for piece in re.split(r"[-/]", word)]
        if len(cell) <= _NAME_CELL or not set(asked[:-1]) & set(words):
            continue
        before = [one for one, head in pairwise(words) if head == asked[-1] and one not in stop_words()]
        if before and not any(one in known or one.isdigit() for one in before):
            return cell
        if before:
            return ""
    return ""


def unheard(question: Question, documents: Iterable[DocumentId], stated: str, sources: Sources) -> bool:
    """Whether the name asked for has a signal (SCL, CS) of which neither the text of an answer's rows nor any of its
    documents speaks, whatever it is a synonym of."""
    named = {word for name in _SIGNAL.findall(question.folded) for word in tokens(name)} & set(_named(question))
    there = word_forms(stated)
    lost = {word for word in named if not holds(there, canonical(word))}
    if not lost:
        return False
    texts = (segment.text for document in documents for segment in sources.segments_of(document))
    said = frozenset().union(*map(word_forms, texts))
    return any(not holds(said, canonical(word)) for word in lost)


def undesignated(question: Question, evidence: Evidence, page: str) -> tuple[str, ...]:
    """Designations in the question ("the LND 7317 tube") that neither the title of the document nor the cited page has:
    what is said there is said of others."""
    if question.expect is not Expect.QUANTITY or question.offers:
        return ()
    told = {token for text in (*question.parts, *question.sections, *question.years) for token in tokens(text)}
    told |= {token for quantity in question.given for token in tokens(quantity.text)}
    told |= {token for pair in question.pairs for text in pair for token in tokens(text)}
    segment = evidence.unit.segment
    there = fold_case(f"{segment.title} {' '.join(segment.path)} {evidence.unit.around} {segment.text} {page}")
    return tuple(
        word
        for word in tokens(question.folded)
        if word not in told and _DESIGNATION.fullmatch(word) and word not in there
    )


def _named(question: Question) -> tuple[str, ...]:
    """The asked phrase without the names of parts and without stated values: "36-bit words" may be "36b words"."""
    ours = {token for part in question.parts for token in tokens(part)}
    ours |= {token for given in question.given for token in tokens(given.text)}
    return tuple(word for word in asked_phrase(question.folded) if word not in ours)
