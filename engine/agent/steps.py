"""Numbered procedures as documents print them: lists "1. ... 2. ..." and tables whose rows are counted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.agent.prose import is_noise
from engine.agent.sections import Quote, Section
from engine.agent.units import units_of
from engine.core.model import SegmentKind

_STEP = re.compile(r"^\s*(?:step\s*)?\(?(?P<number>\d{1,2})\s*[.):]\s+(?P<text>\S.*)$", re.I)
_COUNTS = re.compile(r"^(?:no\.?|nr\.?|#|step(?: no\.?)?|order|)$", re.I)
_FEWEST, _MOST = 3, 12
_LONGEST = 260
"""Characters of a step; longer ones are passages, not steps."""
_WORDS = re.compile(r"[a-z]{2,}")


def steps_of(section: Section) -> list[Quote]:
    """The first whole procedure of a section, empty where it has none."""
    return _listed(section) or _tabled(section)


def _listed(section: Section) -> list[Quote]:
    runs: list[list[Quote]] = [[]]
    for segment in section.segments:
        if segment.kind is not SegmentKind.TEXT:
            continue
        for line in segment.text.splitlines():
            match = _STEP.match(line)
            if match:
                number = int(match["number"])
                if number != len(runs[-1]) + 1:
                    runs.append([])
                if number == len(runs[-1]) + 1:
                    runs[-1].append(Quote(segment, f"{number}. {match['text'].strip()}"))
            elif runs[-1] and line.strip() and line.strip()[0].islower():
                last = runs[-1][-1]
                runs[-1][-1] = Quote(last.segment, f"{last.text} {line.strip()}")
    return _first_good(runs)


def _tabled(section: Section) -> list[Quote]:
    runs: list[list[Quote]] = [[]]
    for unit in units_of(section.segments):
        if not unit.is_row or not _COUNTS.match(unit.cells[0][0]):
            continue
        number, told = unit.cells[0][1], [cell for _, cell in unit.cells[1:] if _WORDS.search(cell)]
        if not number.isdigit() or not told:
            continue
        if int(number) != len(runs[-1]) + 1:
            runs.append([])
        if int(number) == len(runs[-1]) + 1:
            runs[-1].append(Quote(unit.segment, f"{number}. {unit.text.removeprefix(number).strip()}"))
    return _first_good(runs)


def _first_good(runs: Sequence[list[Quote]]) -> list[Quote]:
    for run in runs:
        if len(run) >= _FEWEST and all(_good(step.text) for step in run):
            return run[:_MOST]
    return []


def _good(text: str) -> bool:
    return len(text) <= _LONGEST and len(_WORDS.findall(text)) >= 2 and not is_noise(text)
