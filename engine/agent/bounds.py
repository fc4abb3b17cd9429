"""What a question binds its answer to beside the part: stated conditions and a named section.

A value measured at another supply, or found outside the section asked about, is not the answer.
"""

from __future__ import annotations

import math
import re

from engine.agent.asked import narrower, undesignated, unnamed
from engine.agent.cells import row_values
from engine.agent.evidence import Evidence, meets
from engine.agent.limits import recorded_otherwise
from engine.agent.quantities import Quantity, find_quantities
from engine.agent.question import Expect, Form, Question
from engine.agent.reading import Reading
from engine.agent.sources import Sources
from engine.agent.spans import limit_of
from engine.core.ports import RecordIndex
from engine.core.text import fold, fold_case

_NAMED = re.compile(r"[\"“”]([^\"“”]{3,80})[\"“”]")
_THOUSANDS = ("k", "K", "M")
"""Alone they are read as ohms, but "a clock of less than 250K" is a frequency."""


def out_of_bounds(question: Question, reading: Reading, sources: Sources, records: RecordIndex | None = None) -> str:
    """Why a reading is no answer to this question, in a few words; "" if nothing speaks against it."""
    if of_another_kind(question, reading.quantity):
        return "what is found is another kind of quantity"
    otherwise = records is not None and recorded_otherwise(question, reading, records)
    if otherwise or _of_another_limit(question, reading):
        return f"what is found is not the {question.limit} value"
    unmet = _unmet(question, reading, sources)
    if unmet:
        return f"nothing is said for {unmet}"
    if under_other_values(question, reading.evidence):
        return "what is found holds under other conditions"
    lacking = unnamed(question, reading.evidence)
    if lacking:
        return f"what is found does not speak of {', '.join(lacking)}"
    segment = reading.evidence.unit.segment
    other = undesignated(question, reading.evidence, sources.page_text(segment.document, segment.page))
    if other:
        return f"what is found does not speak of {', '.join(other)}"
    narrowing = narrower(question, reading.evidence.unit)
    if narrowing:
        return f"what is found is the {narrowing}, which is narrower"
    return _outside(question, reading, sources)


def of_another_kind(question: Question, found: Quantity | None) -> bool:
    """Whether a current, say, was found where a capacitance is asked for; a bare count may still be meant."""
    if found is None or question.expect is not Expect.QUANTITY or not question.dimensions:
        return False
    return bool(found.dimension) and found.unit not in _THOUSANDS and found.dimension not in question.dimensions


def lacks_value(question: Question, short: str) -> bool:
    """Whether an answer has no figure where a quantity is asked for: "Yes" under "antenna port power" of a table is not
    how many milliamperes it gives."""
    return question.expect is Expect.QUANTITY and not any(c.isdigit() for c in short)


def _of_another_limit(question: Question, reading: Reading) -> bool:
    """Whether a row prints the value only under other limits than the one asked for: its MAX is not its TYP."""
    if not question.limit or reading.quantity is None:
        return False
    heads = [value.head for value in row_values(reading.evidence.unit) if value.quantity.same(reading.quantity)]
    limits = [limit_of(head) for head in heads]
    return bool(limits) and all(named and question.limit not in named for named in limits)


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


def under_other_values(question: Question, evidence: Evidence) -> bool:
    """Whether a passage speaks of other values than are stated: a row of a truth table that lacks one of them ("DT2 = 1
    and DT1 = 0"), or a condition of the same kind ("fclk = 32 kHz" where 48 kHz is stated). A small model overlooks
    it."""
    if question.pairs and evidence.unit.is_row and evidence.conditions < 1.0:
        return True
    shown = fold(evidence.unit.shown)
    there = find_quantities(shown)
    stated = [q for q in there if shown[: q.start].rstrip().endswith("=")]
    for given in question.given:
        alike = [q for q in stated if q.dimension == given.dimension]
        if alike and not any(meets(given, q) or _turned(given, q) for q in there):
            return not question.offers
    return False


def _turned(given: Quantity, there: Quantity) -> bool:
    """Whether a value is the one given with its sign turned: PNP sheets print IC = -2 mA for 2 mA."""
    return given.dimension == there.dimension and not there.is_range and math.isclose(-there.low, given.low)


def stated_in(question: Question, text: str) -> bool:
    """Whether one of the conditions a question states stands in a text."""
    there = find_quantities(fold(text))
    return any(q.same(given) or _turned(given, q) for given in question.given for q in there)


def _outside(question: Question, reading: Reading, sources: Sources) -> str:
    """A section named in quotation marks that the answering document does not have."""
    names = [fold_case(name) for name in _NAMED.findall(question.folded)]
    if not names or reading.evidence.in_section:
        return ""
    document = reading.evidence.unit.segment.document
    said = fold_case(" ".join(f"{' '.join(s.path)} {s.text}" for s in sources.segments_of(document)))
    missing = [name for name in names if name not in said]
    return f'there is no "{missing[0]}"' if missing else ""
