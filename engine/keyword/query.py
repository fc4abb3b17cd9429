"""Raw user text to weighted terms. There is no query syntax: every character is content."""

from __future__ import annotations

import re

from engine.core.text import fold_case
from engine.keyword.analysis import EXACT, terms

_PART_THEN_SUFFIX = re.compile(r"(?<=\d)\s+-(?=[a-z])")
"""`LM317 -N`: a blank that slipped into a part number."""
_WORDS = """
a an and are as at be by can do does for from has have how i if in into is it its me my of on or our s so than that the
their them then there these they this those to was we were what when where which who whose why will with would you your
"""
_FUNCTION_WORDS = frozenset(_WORDS.split())
_QUIET = 0.15
"""Weight of a function word beside words of content."""
_PART = 0.6
"""Weight of the pieces of an identifier beside the whole."""


def weighted_terms(text: str) -> dict[str, float]:
    """Term -> weight, in reading order. Empty only for text without a printing character."""
    folded = _PART_THEN_SUFFIX.sub("-", fold_case(text))
    found = terms(folded)
    if not found:
        found = [chunk[:80] for chunk in folded.split()]
    content = [term for term in found if term not in _FUNCTION_WORDS]
    weights: dict[str, float] = {}
    for term in found:
        weight = _QUIET if content and term in _FUNCTION_WORDS else 1.0
        if len(term) == 1 and term.isascii() and len(content) > 1:
            weight = min(weight, _PART)
        weights[term] = max(weights.get(term, 0.0), weight)
    return weights


def readable(term: str) -> str:
    """A term as it may be shown to the user."""
    return term.removeprefix(EXACT)
