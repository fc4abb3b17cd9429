"""What a comparison found for each of its subjects, and what code makes of it: the winner and the difference."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from engine.agent.prose import is_item, is_prose
from engine.agent.quantities import Quantity, read_unit
from engine.agent.question import Question
from engine.agent.reading import Reading
from engine.agent.subjects import Subject
from engine.agent.terms import canonical, tokens
from engine.core.ids import DocumentId

_KIND = re.compile(r"\b(min|typ|max|minimum|typical|maximum|typically)\b|<|>|less than|up to|at least", re.I)


_ALIKE = 1000
"""Times by which one speed may be greater than another of the same kind."""
_ALIKE_WORDS = 0.4
"""Least share of common words of two statements in one document whose values are compared."""
_SPOKEN_OF = 0.34
"""Least share of the asked property's words that a passage must have, in itself or in what it stands under."""
SPEEDS = frozenset(("time", "frequency", "bit rate", "sample rate", "rotation", "voltage per us", "voltage per s"))
"""What tells how fast something is."""


class Valued(Protocol):
    """One side of a comparison with what was found for it."""

    @property
    def name(self) -> str: ...

    @property
    def short(self) -> str: ...

    @property
    def quantity(self) -> Quantity | None: ...


_V = TypeVar("_V", bound=Valued)


@dataclass(frozen=True, slots=True)
class Side:
    """One subject with what was read for it."""

    subject: Subject
    reading: Reading

    @property
    def name(self) -> str:
        return self.subject.name

    @property
    def short(self) -> str:
        return self.reading.short

    @property
    def quantity(self) -> Quantity | None:
        return self.reading.quantity

    @property
    def limit(self) -> str:
        """Which limit the passage says it gives: "max", "typ", "<" ... or "" """
        match = _KIND.search(self.reading.evidence.unit.shown)
        return match.group().lower()[:3] if match else ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is compared: the attribute in words, and whether the most or the least wins ("" if only listed)."""

    attribute: str
    wins: str
    sub: Question
    margin: bool = False
    """Whether the difference of the two is asked for."""
    speed: str = ""
    """"quick" or "slow" where speed decides without saying of what: the least time, but the most of a rate."""

    def settled(self, sides: Sequence[Valued]) -> Comparison:
        """With what wins, once the sides tell whether they give a time or a rate."""
        quantity = sides[0].quantity if sides else None
        if not self.speed or quantity is None:
            return self
        return replace(self, wins="least" if (quantity.dimension == "time") == (self.speed == "quick") else "most")


def gives(comparison: Comparison, reading: Reading) -> bool:
    """Whether a reading gives the property asked for, so that it may stand for its side.

    Where a question names no property ("which is faster, A or B?"), nothing does.
    """
    unit = reading.evidence.unit
    if not (comparison.wins or comparison.margin):
        return unit.is_row or reading.quantity is not None or is_prose(unit.text) or is_item(unit.text)
    return bool(comparison.sub.terms) and reading.evidence.coverage >= _SPOKEN_OF


def comparable(sides: Sequence[Valued]) -> bool:
    """Whether all sides gave a quantity of one dimension."""
    dimensions = {side.quantity.dimension if side.quantity else "" for side in sides}
    return len(sides) > 1 and len(dimensions) == 1 and "" not in dimensions


def winner(comparison: Comparison, sides: Sequence[_V]) -> _V | None:
    """The side with the most or least, if all are of one dimension and one stands out."""
    if not comparison.wins or not comparable(sides) or (comparison.speed and _far_apart(sides)):
        return None
    ordered = sorted(sides, key=lambda side: _value(side, comparison.wins), reverse=comparison.wins == "most")
    return ordered[0] if _value(ordered[0], comparison.wins) != _value(ordered[1], comparison.wins) else None


def _far_apart(sides: Sequence[Valued]) -> bool:
    """Whether values are too unlike to be of one thing: a pulse of 250 ns is no conversion of 500 ms."""
    values = [abs(_value(side, "most")) for side in sides]
    return max(values) > _ALIKE * min(values)


def equal(comparison: Comparison, sides: Sequence[Valued]) -> bool:
    """Whether all sides have the same value."""
    return comparable(sides) and len({_value(side, comparison.wins or "most") for side in sides}) == 1


def difference(comparison: Comparison, sides: Sequence[Valued]) -> str:
    """The difference of two sides in the first one's unit ("25 ns"); "" where there is none to state."""
    if len(sides) != 2 or not comparable(sides):
        return ""
    first = sides[0].quantity
    factor = _factor(first)
    if first is None or factor is None:
        return ""
    apart = abs(_value(sides[0], comparison.wins or "most") - _value(sides[1], comparison.wins or "most"))
    unit = re.sub(r"^u(?=[A-Z])", "\u00b5", first.unit).replace("ohm", "\u03a9")
    return f"{round(apart / factor, 9):g} {unit}".strip() if apart else ""


def alike(stated: Sequence[tuple[str, DocumentId, str]]) -> bool:
    """Whether values of one document stand in statements of one kind: rows that name other things give other things.

    `stated` holds each side's name, the document and the words of the row or sentence.
    """
    kinds = [_kind_of(name, text) for name, _, text in stated]
    return all(
        document != stated[0][1] or len(kinds[0] & kind) >= _ALIKE_WORDS * len(kinds[0] | kind)
        for (_, document, _), kind in zip(stated[1:], kinds[1:])
    )


def _kind_of(name: str, text: str) -> set[str]:
    """The words of a statement without its numbers and the name of its side."""
    own = set(tokens(name))
    return {canonical(word) for word in tokens(text) if word not in own and not word[:1].isdigit()}


def mixed(sides: Sequence[Side]) -> list[str]:
    """Say so where a typical value is set against a limit."""
    known = {side.limit for side in sides if side.limit}
    if len(known) > 1 and "typ" in known:
        return ["The values compared are not all of one kind (typical values stand against limits)."]
    return []


def _factor(quantity: Quantity | None) -> float | None:
    known = read_unit(quantity.unit) if quantity is not None and quantity.unit else None
    return known[1] if known is not None else 1.0 if quantity is not None and quantity.dimension == "count" else None


def _value(side: Valued, wins: str) -> float:
    quantity = side.quantity
    if quantity is None:
        return 0.0
    # "±2 °C" and "-2 °C to 2 °C" are errors of one size.
    return quantity.high if wins == "most" or quantity.low == quantity.high else quantity.low
