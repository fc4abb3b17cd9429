"""What goes from where to where: an edge from low to high, a delay from one pin to another."""

from __future__ import annotations

import re
from functools import lru_cache

Direction = tuple[str, str]

_DIRECTION = re.compile(r"\b([A-Za-z]\w*)(?:-| )to(?:-| )(?:(?:the|an?|its|any)(?:-| ))?([A-Za-z]\w*)", re.IGNORECASE)
_LEVELS = frozenset(("low", "high"))
_EDGES = {"TPLH": ("low", "high"), "TPHL": ("high", "low")}
"""Symbols that say which edge a delay is of."""


@lru_cache(maxsize=65536)
def directions_in(text: str) -> frozenset[Direction]:
    """ "low-to-high", "from Dn to Qn", "junction to ambient" as pairs of words."""
    return frozenset((match.group(1).casefold(), match.group(2).casefold()) for match in _DIRECTION.finditer(text))


def edge_of(symbol: str) -> frozenset[Direction]:
    """The edge a delay's symbol stands for, none where it names both or neither."""
    found = [edge for key, edge in _EDGES.items() if key in re.sub(r"[^A-Z]", "", symbol.upper())]
    return frozenset(found) if len(found) == 1 else frozenset()


def turned(asked: frozenset[Direction], parameter: str, symbol: str) -> bool:
    """Whether a row goes from or to something else than asked: high to low for low to high, EI to GS for In to GS."""
    said = directions_in(parameter) | edge_of(symbol)
    return any(_other_way(_levels(asked, which), _levels(said, which)) for which in (True, False))


def _levels(directions: frozenset[Direction], which: bool) -> frozenset[Direction]:
    """The directions between levels, or those between places."""
    return frozenset(one for one in directions if (set(one) <= _LEVELS) is which)


def _other_way(asked: frozenset[Direction], said: frozenset[Direction]) -> bool:
    if not asked or not said or asked & said:
        return False
    return any(
        left == (right[1], right[0]) or left[0] == right[0] or left[1] == right[1] for left in asked for right in said
    )
