"""What a question binds its answer to beside the part: stated conditions and a named section.

A value measured at another supply, or found outside the section asked about, is not the answer.
"""

from __future__ import annotations

import re

from engine.agent.quantities import find_quantities
from engine.agent.question import Expect, Form, Question
from engine.agent.reading import Reading
from engine.agent.sources import Sources
from engine.core.text import fold, fold_case

_NAMED = re.compile(r"[\"“”]([^\"“”]{3,80})[\"“”]")
_THOUSANDS = ("k", "K", "M")
"""Alone they are read as ohms, but "a clock of less than 250K" is a frequency."""


def out_of_bounds(question: Question, reading: Reading, sources: Sources) -> str:
    """Why a reading is no answer to this question, in a few words; "" if nothing speaks against it."""
    if _of_another_kind(question, reading):
        return "what is found is another kind of quantity"
    unmet = _unmet(question, reading, sources)
    if unmet:
        return f"nothing is said for {unmet}"
    return _outside(question, reading, sources)


def _of_another_kind(question: Question, reading: Reading) -> bool:
    """Whether a current, say, was found where a capacitance is asked for; a bare count may still be meant."""
    found = reading.quantity
    if found is None or question.expect is not Expect.QUANTITY or not question.dimensions:
        return False
    return bool(found.dimension) and found.unit not in _THOUSANDS and found.dimension not in question.dimensions


def _unmet(question: Question, reading: Reading, sources: Sources) -> str:
    """A stated condition that stands neither in the passage nor anywhere on its page."""
    if question.offers or question.form in (Form.YES_NO, Form.TRUE_FALSE) or reading.evidence.conditions > 0:
        return ""
    segment = reading.evidence.unit.segment
    page = fold(f"{segment.text} {sources.page_text(segment.document, segment.page)}")
    there = find_quantities(page)
    for given in question.given:
        numbers = re.findall(r"[0-9]+(?:[.,][0-9]+)*", given.text)
        loose = all(re.search(rf"(?<![0-9.]){re.escape(number)}(?![0-9])", page) for number in numbers)
        inside = any(
            q.dimension == given.dimension and q.is_range and q.low <= given.low and given.high <= q.high for q in there
        )
        if not loose and not inside and not any(q.same(given) for q in there):
            return given.text
    return ""


def _outside(question: Question, reading: Reading, sources: Sources) -> str:
    """A section named in quotation marks that the answering document does not have."""
    names = [fold_case(name) for name in _NAMED.findall(question.folded)]
    if not names or reading.evidence.in_section:
        return ""
    document = reading.evidence.unit.segment.document
    said = fold_case(" ".join(f"{' '.join(s.path)} {s.text}" for s in sources.segments_of(document)))
    missing = [name for name in names if name not in said]
    return f'there is no "{missing[0]}"' if missing else ""
