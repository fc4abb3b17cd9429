"""Prefix search ("LM31*"): the identifiers that begin so are searched in its stead, and the result says which.

The star is no query syntax: it means something only behind the beginning of a part number, and never silently.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_PREFIX = re.compile(r"(?<![\w*/-])(?P<stem>[^\W_][\w/.-]+)\*(?![\w*])")
_MOST = 12
"""Identifiers that one prefix may stand for: more would drown the rest of the query."""
Starting = Callable[[str, int], Sequence[str]]
"""(beginning, most) -> identifiers of the library that begin so, the most frequent first."""


def spelled_out(query: str, starting: Starting) -> tuple[str, tuple[str, ...]]:
    """`query` with identifiers in place of each prefix, and one sentence on each prefix for the user."""
    told: list[str] = []

    def names(match: re.Match[str]) -> str:
        stem = match["stem"]
        if not _begins_identifier(stem):
            return match.group()
        found = [name.upper() for name in starting(stem, _MOST + 1)]
        told.append(_told(match.group(), stem, found))
        return " ".join(found[:_MOST]) or stem

    return _PREFIX.sub(names, query), tuple(told)


def _begins_identifier(stem: str) -> bool:
    """`LM31` and `LM` do, `temp` does not: an ordinary word with a star is only text."""
    return any(character.isdigit() for character in stem) or stem.isupper()


def _told(prefix: str, stem: str, found: Sequence[str]) -> str:
    if not found:
        return f"{prefix} was searched as a prefix: nothing in the library begins with {stem}."
    more = ", and others" if len(found) > _MOST else ""
    return f"{prefix} was searched as a prefix; it matched {', '.join(found[:_MOST])}{more}."
