"""When the pick of a small model counts: how sure it was, how well its passage fits, and whether code reads the same.

A small model finds an answer in anything. Three things tell its readings from its inventions: how probable it held it
that there is an answer at all (of 33 right picks on three libraries 26 had 0.88 or more, of 31 made where nothing
answers 5), how probable its figures were (0.6 or more in 29 of the 33), and whether code, by quite other signs, came to
the same words. `python -m tests.benchmarks.picks` prints them.
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


Limits = tuple[float, float, float, float]
"""Least found, worded, chance and coverage of a pick that is answered with."""
ALONE: tuple[Limits, ...] = ((0.88, 0.6, 0.3, 0.4), (0.93, 0.85, 0.0, 0.35))
"""The second of each for a very sure pick, from an unlikely passage."""
AGREED: tuple[Limits, ...] = ((0.78, 0.4, 0.45, 0.1), (0.88, 0.4, 0.2, 0.25), (0.95, 0.4, 0.2, 0.1))
"""Where code reads the same."""


def believed(pick: Pick) -> bool:
    """Whether a pick that stands in its passage is answered with."""
    have = (pick.found, pick.worded, pick.chance, pick.coverage)
    limits = (*AGREED, *ALONE) if pick.agreed else ALONE
    return any(all(one >= least for one, least in zip(have, limit, strict=True)) for limit in limits)
