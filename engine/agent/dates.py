"""Dates in running text: when somebody was born or died, when a thing appeared or began."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTH = "|".join(name.capitalize() for name in _MONTHS)
_DATE = re.compile(
    rf"(?:(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)? (?P<month>{_MONTH}),? (?P<year>[0-9]{{3,4}})"
    rf"|(?P<month2>{_MONTH}) (?P<day2>[0-9]{{1,2}}),? (?P<year2>[0-9]{{3,4}})"
    rf"|(?P<month3>{_MONTH}),? (?P<year3>[0-9]{{3,4}})"
    r"|(?<![0-9,.$])(?P<year4>1[0-9]{3}|20[0-9]{2}|[5-9][0-9]{2})(?![0-9,]|\.[0-9]))"
)
_LIFE = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)")


class Event(StrEnum):
    """What a date is asked of."""

    BIRTH = "birth"
    DEATH = "death"
    RELEASE = "release"
    FOUNDING = "founding"


_VERBS = {
    Event.BIRTH: re.compile(r"\b(?:born|birth)\b", re.I),
    Event.DEATH: re.compile(r"\b(?:died|death|killed|passed away|\u2020|d\.)", re.I),
    Event.RELEASE: re.compile(
        r"\b(?:released|premiered|published|film|movie|album|single|novel|series|opened|aired)\b", re.I
    ),
    Event.FOUNDING: re.compile(
        r"\b(?:founded|established|formed|created|incorporated|began|started|opened|launched|since|inaugurated)\b", re.I
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True, order=True)
class Date:
    """Comparable as far as it is known: unknown month and day are 0."""

    year: int
    month: int = 0
    day: int = 0

    def since(self, earlier: Date) -> Date:
        """The time from an earlier date in years, months and days, months counted as thirty-one days."""
        days = (self.year - earlier.year) * 372 + (self.month - earlier.month) * 31 + self.day - earlier.day
        return Date(days // 372, days % 372 // 31, days % 31)


@dataclass(frozen=True, slots=True)
class Dated:
    """A date with the words it is printed in."""

    date: Date
    text: str


def find_dates(text: str) -> list[Dated]:
    """Every date and year in reading order."""
    return [Dated(_read(match), match.group()) for match in _DATE.finditer(text)]


def _read(match: re.Match[str]) -> Date:
    year = match["year"] or match["year2"] or match["year3"] or match["year4"]
    month = match["month"] or match["month2"] or match["month3"]
    day = match["day"] or match["day2"]
    return Date(int(year), _MONTHS.index(month.lower()) + 1 if month else 0, int(day) if day else 0)


def date_of(event: Event, text: str) -> Dated | None:
    """The date of an event in a text about one subject; None where none is stated.

    Lives stand in the first parenthesis ("(1876 - 1937)", "(born 3 May 1950)", "(died 938)"); other events beside their
    verb, before or after it ("a 1952 film", "founded in 1987").
    """
    if event in (Event.BIRTH, Event.DEATH):
        in_life = _from_life(event, text)
        if in_life is not None:
            return in_life
    best: tuple[int, Dated] | None = None
    verb = _VERBS[event]
    for match in _DATE.finditer(text):
        gaps = [_gap(match, said) for said in verb.finditer(text)]
        gap = min((g for g in gaps if g <= 60), default=None)
        if gap is not None and (best is None or gap < best[0]):
            best = (gap, Dated(_read(match), match.group()))
    return best[1] if best is not None else None


def _gap(date: re.Match[str], verb: re.Match[str]) -> int:
    return max(0, date.start() - verb.end(), verb.start() - date.end())


def _side_by_side(inside: str, found: list[Dated]) -> bool:
    """Whether two dates follow one another with nothing between ("July 27, 1900 June 4, 1959"): a dash was lost."""
    start = inside.find(found[0].text) + len(found[0].text)
    return not inside[start : inside.find(found[1].text, start)].strip()


def _from_life(event: Event, text: str) -> Dated | None:
    for match in _LIFE.finditer(text[:400]):
        inside = match.group(1)
        found = find_dates(inside)
        if not found:
            continue
        if len(found) >= 2 and (re.search(r"[-\u2013\u2014]|\bto\b|died", inside) or _side_by_side(inside, found)):
            return found[0] if event is Event.BIRTH else found[-1]
        if re.search(r"\b(?:died|d\.)", inside):
            return found[0] if event is Event.DEATH else None
        if re.search(r"\b(?:born|b\.)", inside):
            return found[0] if event is Event.BIRTH else None
        dash = re.search(r"[-\u2013\u2014]", inside)
        if dash:
            before = inside.find(found[0].text) < dash.start()
            return found[0] if before == (event is Event.BIRTH) else None
    return None
