"""Misspelt words of a question, read as the words of the documents they are slips of."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

_SHORTEST = 5
_LONG_WORD = 7
"""Letters of a stem from which it may be misspelt in two places."""
_ALIKE = 0.82


def mended(term: str, vocabulary: Mapping[str, int]) -> str:
    """The word of `vocabulary` (with its counts) that a term, which is not in it, is a slip of; else the term itself.

    Short words and numbers are left alone, and so is a word that differs by more than a slip: "stable" is not
    "suitable" misspelt, and a question for it must not be answered as one for the other.
    """
    if len(term) < _SHORTEST or any(c.isdigit() for c in term):
        return term
    near = difflib.get_close_matches(term, [w for w in vocabulary if abs(len(w) - len(term)) <= 2], 3, _ALIKE)
    near = [word for word in near if word[0] == term[0] and _slip(term, word)]
    return max(near, key=lambda w: (difflib.SequenceMatcher(None, term, w).ratio(), vocabulary[w])) if near else term


def _slip(term: str, word: str) -> bool:
    """Whether one is the other with a letter left out, doubled, put for another, or two changed about."""
    spans = difflib.SequenceMatcher(None, term, word).get_opcodes()
    changed = sum(max(a2 - a1, b2 - b1) for tag, a1, a2, b1, b2 in spans if tag != "equal")
    return changed <= (2 if len(term) >= _LONG_WORD or sorted(term) == sorted(word) else 1)
