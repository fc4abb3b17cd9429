"""Where somebody was born or died, as the brackets behind a name print it: "(3 May 1897, Marseille - 10 July 1989 in
Nice)", "(Altenburg, 11 April 1598 - Weimar, 17 May 1662)", "(born 1941 in Palma)".
"""

from __future__ import annotations

import re

from engine.agent.dates import Event, find_dates

_BRACKETS = re.compile(r"\(([^()]*[0-9]{3,4}[^()]*)\)")
_FIRST = 400
"""Characters in which a text about somebody prints the life."""
_PLACE = r"[A-Z\u00c0-\u024f][\w'\u2019.\- ]*?"
_BEHIND = re.compile(rf"\s*(?:,? (?:in|at)|,)\s+({_PLACE})\s*(?:[,;]|$)")
_BEFORE = re.compile(rf"^\W*(?:born |died )?(?:in |at )?({_PLACE}),?\s*$")
_NAMED = re.compile(r"\b(?:born|n\u00e9e?)\b(?! (?:in|at)\b)", re.I)
_DASH = re.compile(r"\s*[-\u2013\u2014]+\s*|\s*;\s*(?=died\b)|,\s*(?=died\b)")


def place_of(event: Event, text: str) -> str:
    """The place of a birth or death from the brackets, "" where they do not say."""
    for match in _BRACKETS.finditer(text[:_FIRST]):
        inside = match.group(1)
        dates = find_dates(inside)
        if not dates:
            continue
        halves = _halves(inside, [one.text for one in dates])
        half = halves[0] if event is Event.BIRTH else halves[1]
        return _place(half)
    return ""


def _halves(inside: str, dates: list[str]) -> tuple[str, str]:
    """What is printed of the birth and of the death."""
    if len(dates) < 2:
        died = re.search(r"\b(?:died|d\.)", inside) is not None
        return ("", inside) if died else (inside, "")
    first_end = inside.find(dates[0]) + len(dates[0])
    second = inside.find(dates[-1], first_end)
    cuts = list(_DASH.finditer(inside, first_end, second))
    if not cuts:
        return "", ""
    spaced = [one for one in cuts if " " in one.group() or "\u2013" in one.group()]
    cut = (spaced or cuts)[0]
    return inside[: cut.start()], inside[cut.end() :]


def _place(half: str) -> str:
    """The place beside the one date of a half: behind it, or before it and a comma."""
    dates = find_dates(half)
    if not dates:
        return ""
    start = half.find(dates[0].text)
    behind = _BEHIND.match(half[start + len(dates[0].text) :])
    if behind is not None:
        return behind.group(1).strip()
    before = half[:start].rsplit(";", 1)[-1]
    if "," not in before or _NAMED.search(half[:start]):
        return ""
    named = _BEFORE.match(before.strip().removesuffix(",").split(",")[0])
    return named.group(1).strip() if named is not None else ""
