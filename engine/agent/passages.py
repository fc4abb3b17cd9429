"""What a model is given to read: the likeliest sentences and rows, those of one passage together under its heading.

Sentences one by one, each with its own heading, cost twice the tokens and leave what goes on in the next sentence
unread: of 83 known questions the answer lay before the model in 70 so, and in 73 by passages of the same length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.agent.printed import printed
from engine.agent.reading import Reading
from engine.agent.verify import stands_in_unit
from engine.core.ids import SegmentId
from engine.core.model import Segment
from engine.core.text import fold

_FAR_BEHIND = 0.25
"""Share of the first reading's probability below which another is not worth its tokens: of those 83 questions 72 keep
their answer, with two thirds of the tokens."""
_HEADINGS = 2
"""How many of the headings above a passage are said."""


_BETWEEN = re.compile(r",\s*(?:and |or )?|;\s*|\s+(?:and|or)\s+", re.I)
_ITEM_GAP = r"[\s,;/&]*(?:\b(?:and|or)\b)?[\s,;]*"


@dataclass(frozen=True, slots=True)
class Passage:
    """Readings of one segment, in the order they are printed in."""

    readings: tuple[Reading, ...]

    @property
    def line(self) -> str:
        """Title, last headings, then the sentences and the rows with their headers."""
        place = place_of(self.readings[0].evidence.unit.segment)
        return f"{place}: {' '.join(reading.evidence.unit.shown for reading in self.readings)}"

    def home(self, answer: str) -> Reading | None:
        """The likeliest of its readings in whose words an answer stands."""
        held = (one for one in self.readings if stands_in(answer, one))
        return max(held, key=lambda one: one.chance, default=None)


def stands_in(answer: str, reading: Reading) -> bool:
    """Whether an answer stands in the sentence or row of a reading."""
    unit = reading.evidence.unit
    return stands_in_unit(answer, unit.shown, unit.texts)


def listed_in(answer: str, reading: Reading) -> str:
    """The printed words of a list that an answer gives item by item: "A, B, C" is "A, B, and C" there; "" if none."""
    items = [item for item in _BETWEEN.split(fold(answer)) if item]
    if len(items) < 2:
        return ""
    shown = reading.evidence.unit.shown
    pattern = rf"(?<!\w){_ITEM_GAP.join(map(re.escape, items))}(?!\w)"
    found = re.search(pattern, fold(shown), re.I)
    return printed(shown, found.group()) if found else ""


def place_of(segment: Segment) -> str:
    """The document's title and the nearest headings."""
    return " > ".join(dict.fromkeys([segment.title[:60], *segment.path[-_HEADINGS:]]))


def passages_of(readings: Sequence[Reading], budget: int, count: Callable[[str], int]) -> tuple[list[Passage], int]:
    """Passages of at most `budget` tokens, by `count`, that hold the likeliest of the readings (best first), and how
    many readings were left out. What is too long for what is left is passed over, but for the first."""
    chosen: dict[SegmentId, list[Reading]] = {}
    left, dropped = budget, 0
    for reading in readings:
        if reading.chance < _FAR_BEHIND * readings[0].chance:
            continue
        unit = reading.evidence.unit
        there = chosen.get(unit.segment.id, [])
        if any(unit.text in other.evidence.unit.text for other in there):
            continue
        cost = count(unit.shown) + (0 if there else count(place_of(unit.segment)))
        if cost > left and chosen:
            dropped += 1
            continue
        left -= cost
        chosen.setdefault(unit.segment.id, []).append(reading)
    return [Passage(tuple(sorted(held, key=lambda one: one.evidence.unit.order))) for held in chosen.values()], dropped
