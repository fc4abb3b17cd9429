"""The sentences a quoted one needs beside it: what "This" refers to, the list a colon announces, the answer to a
problem.

A sentence cut out of its passage often names neither its subject nor its value; a reader looks one line up or down.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.agent.evidence import Pool, holds
from engine.agent.question import Question
from engine.agent.terms import light_terms
from engine.agent.units import Unit
from engine.core.model import SegmentKind

_REFERS = re.compile(
    r"(?:this|that|these|those|it|its|they|their|such|otherwise|instead|therefore|thus|hence|however|but|so|then"
    r"|in this|in that case|if (?:so|not)|the (?:default|latter|former|same|other)|default|also)\b",
    re.I,
)
"""How a sentence begins that goes on with the one before it."""
_POSES = re.compile(r"^(?:problem|question|symptom|issue|q)\s*:|\?$", re.I)
_SIGNATURE = re.compile(r"[^.]{1,200}\w ?\([^.]*\)[^.]*$")
"""A function as manuals head its description."""
_LABEL = 48
"""Characters of the longest line that names what the next one describes (".init2:", "-D", "xelem (int n)")."""
_ITEMS, _CHARACTERS = 8, 600
"""Items of a list, and characters in all, that are said beside a sentence."""


def window(question: Question, pool: Pool, unit: Unit) -> tuple[list[Unit], list[Unit]]:
    """The sentences to be said before and after a unit, in reading order; none for rows of tables."""
    if unit.is_row or unit.segment.kind is not SegmentKind.TEXT:
        return [], []
    there = [one for one in pool.units if one.segment.id == unit.segment.id]
    place = next((n for n, one in enumerate(there) if one is unit), None)
    if place is None:
        return [], []
    return _before(there[:place], unit), _after(question, pool, there[place + 1 :], unit)


def _before(above: Sequence[Unit], unit: Unit) -> list[Unit]:
    if not above or above[-1].is_row:
        return []
    last = above[-1].text
    label = len(last) <= _LABEL and (last.endswith(":") or not last.endswith((".", "!", "?", ";")))
    named = (label or _SIGNATURE.match(last)) and last not in unit.segment.path
    return [above[-1]] if named or last.endswith(":") or _REFERS.match(unit.text) or _POSES.search(last) else []


def _after(question: Question, pool: Pool, below: Sequence[Unit], unit: Unit) -> list[Unit]:
    rest = [one for one in below if not one.is_row]
    if not rest:
        return []
    if unit.text.endswith(":"):
        return _fitting(_items(rest))
    if _POSES.search(unit.text):
        return _fitting(rest[:3])
    goes_on = _REFERS.match(rest[0].text) or _adds(question, pool, unit, rest[0])
    return _fitting(rest[:1]) if goes_on else []


def _items(rest: Sequence[Unit]) -> list[Unit]:
    """The items a lead-in announces: up to the first line that is a sentence while the first ones were none."""
    found: list[Unit] = []
    for one in rest[:_ITEMS]:
        if found and one.text.endswith(".") and not found[-1].text.endswith("."):
            break
        found.append(one)
    return found


def _adds(question: Question, pool: Pool, unit: Unit, other: Unit) -> bool:
    """Whether a sentence has a word of the question that the quoted one lacks."""
    lacking = [term for term in pool.terms if term not in light_terms() and term not in question.light]
    return any(holds(other.forms, term) and not holds(unit.forms, term) for term in lacking)


def _fitting(units: Sequence[Unit]) -> list[Unit]:
    kept: list[Unit] = []
    for one in units:
        if kept and sum(len(each.text) for each in (*kept, one)) > _CHARACTERS:
            break
        kept.append(one)
    return kept
