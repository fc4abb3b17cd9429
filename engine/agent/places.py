"""Which country a text speaks of first, whatever form the name has: "American" and "U.S." are one country."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class CountryName:
    """`text` as printed at [start, end), and the country it stands for."""

    text: str
    country: str
    start: int
    end: int


@cache
def _names() -> dict[str, str]:
    table: dict[str, str] = {}
    for line in files("engine.agent").joinpath("countries.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            country, _, others = line.partition(":")
            for name in (country, *others.split(",")):
                table[name.strip()] = country.strip()
    return table


@cache
def _pattern() -> re.Pattern[str]:
    names = sorted(_names(), key=len, reverse=True)
    return re.compile(r"(?<![\w.])(?:" + "|".join(re.escape(name) for name in names) + r")(?!\w)")


def countries(text: str) -> list[CountryName]:
    """Countries and demonyms in reading order."""
    return [CountryName(m.group(), _names()[m.group()], m.start(), m.end()) for m in _pattern().finditer(text)]


def country_of(name: str) -> str:
    """The country a name or demonym stands for, "" if it is none."""
    found = countries(name)
    return found[0].country if found else ""
