"""Whether a value is the limit asked for, by the parameter records of its page.

A line of a table that was read as text has lost its headers: "turn-off time - 250 ns" does not say that 250 ns is the
maximum. The record of the same row does.
"""

from __future__ import annotations

import math

from engine.agent.cues import asked_phrase
from engine.agent.question import Question
from engine.agent.reading import Reading
from engine.agent.terms import canonical, word_forms
from engine.core.model import LimitKind
from engine.core.ports import RecordFilter, RecordIndex

_KINDS = {
    "min": (LimitKind.MIN,),
    "typ": (LimitKind.TYP, LimitKind.NOM),
    "max": (LimitKind.MAX,),
}
_LIMITS = frozenset(kind for kinds in _KINDS.values() for kind in kinds)
_SLACK = 1e-6


def recorded_otherwise(question: Question, reading: Reading, records: RecordIndex) -> bool:
    """Whether the records of a reading's page give its value for the parameter asked for, and only as another limit
    than the one asked for."""
    found = reading.quantity
    asked = {canonical(word) for word in asked_phrase(question.folded)}
    if not question.limit or found is None or not asked:
        return False
    segment = reading.evidence.unit.segment
    value = abs(found.high)  # the dash of an empty cell before it may have been read as its sign
    edge = _SLACK * value
    wanted = RecordFilter(documents=(segment.document,), above=value - edge, below=value + edge)
    kinds = {
        record.kind
        for record in records.select(wanted)
        if record.page in (segment.pages or (segment.page,))
        and record.low is not None
        and math.isclose(abs(record.low), value, rel_tol=_SLACK)
        and asked <= word_forms(f"{record.parameter} {record.symbol}")
    }
    return bool(kinds) and kinds <= _LIMITS and not kinds & set(_KINDS[question.limit])
