"""Raw user text to weighted terms. There is no query syntax: every character is content."""

from __future__ import annotations

import re

from engine.keyword.analysis import EXACT, clean, terms

_PART_THEN_SUFFIX = re.compile(r"(?<=\d)\s+-(?=[a-z])")
"""`LM317 -N`: a blank that slipped into a part number."""
_WORDS = """
a an and are as at be by can do does for from has have how i if in into is it its me my of on or our s so than that the
their them then there these they this those to was we were what when where which who whose why will with would you your
"""
_FUNCTION_WORDS = frozenset(_WORDS.split())
_QUIET = 0.15
"""Weight of a function word beside words of content."""
_PIECE = 0.4
"""Weight of the pieces of an identifier beside the whole."""


def weighted_terms(text: str) -> dict[str, float]:
    """Term -> weight, in reading order. Empty only for text without a printing character."""
    folded = _PART_THEN_SUFFIX.sub("-", clean(text))
    found = terms(folded)
    if not found:
        found = [chunk[:80] for chunk in folded.split()]
    content = [term for term in found if term not in _FUNCTION_WORDS]
    wholes = [term for term in found if term.startswith(EXACT)]
    weights: dict[str, float] = {}
    for term in found:
        weight = _QUIET if content and term in _FUNCTION_WORDS else 1.0
        if _is_piece(term, wholes) or (len(term) == 1 and term.isascii() and len(content) > 1):
            weight = min(weight, _PIECE)
        weights[term] = max(weights.get(term, 0.0), weight)
    return weights


def _is_piece(term: str, wholes: list[str]) -> bool:
    """Whether a term is only a run of letters or digits out of an identifier of the query: `lm` of `lm317-n`."""
    if term.startswith(EXACT) or not (term.isalpha() or term.isdigit()):
        return False
    return any(term in whole and len(term) < len(whole) - 1 for whole in wholes)


def readable(term: str) -> str:
    """A term as it may be shown to the user."""
    return term.removeprefix(EXACT)
