"""When the pick of a small model counts: how sure it was, how well its passage fits, and whether code reads the same.

A small model finds an answer in anything. Three things tell its readings from its inventions: how probable it held it
that there is an answer at all (of 45 right picks on three libraries 42 had 0.79 to 0.99, of 12 made where there is no
answer 10 had 0.53 to 0.86), how probable its figures were, and whether code, by quite other signs, had come to the same
words. `python -m tests.benchmarks.picks` prints them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pick:
    """An answer a model took from a passage. All its signs are from 0 to 1."""

    said: str
    found: float
    """How probable to the model: that there is an answer ..."""
    worded: float
    """... and its words."""
    chance: float
    """How probable the passage is to code, and ..."""
    coverage: float
    """... its share of the question's words: asked for the thermal time constant, a model takes the conversion time."""
    agreed: bool
    """Whether the likeliest reading of code says the same."""


ALONE = (0.88, 0.6, 0.3, 0.4)
"""What a pick must have to be answered with: found, worded, chance, coverage ..."""
AGREED = (0.78, 0.4, 0.2, 0.1)
"""... where code reads the same ..."""
CERTAIN = (0.93, 0.85, 0.0, 0.35)
"""... and whatever code thinks of its passage: of 66 questions without an answer, none had a pick so sure."""


def believed(pick: Pick) -> bool:
    """Whether a pick that stands in its passage is answered with."""
    have = (pick.found, pick.worded, pick.chance, pick.coverage)
    limits = (AGREED if pick.agreed else ALONE, CERTAIN)
    return any(all(one >= least for one, least in zip(have, limit, strict=True)) for limit in limits)
