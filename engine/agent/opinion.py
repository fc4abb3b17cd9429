"""When the pick of a small model counts: how sure it was, how well its passage fits, and whether code reads the same.

A small model finds an answer in anything. Three things tell its readings from its inventions: how probable it held it
that there is an answer at all, how probable its figures were, and whether code, by quite other signs, came to the same
words. Of 133 picks for known questions (33 of them unanswerable) the limits below let 61 right ones through, 5 wrong
and none that has no answer; a logistic regression over the same signs, sets held out in turn, 49, 6 and 1. Asked to
judge its own pick ("does the passage state that this is the answer?", or the passage alone once more) the 1.5 B model
says yes to wrong picks as well (0.33 to 0.87) as to right ones (0.56 to 0.93), so that a second turn is not worth its
time. `python -m tests.benchmarks.picks` prints the signs.
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
ALONE: tuple[Limits, ...] = ((0.88, 0.6, 0.3, 0.4), (0.84, 0.65, 0.6, 0.49), (0.94, 0.85, 0.0, 0.4))
"""The second for a likely passage, the third for a very sure pick from an unlikely one."""
AGREED: tuple[Limits, ...] = (
    (0.78, 0.6, 0.4, 0.1),
    (0.64, 0.65, 0.39, 0.4),
    (0.88, 0.4, 0.2, 0.45),
    (0.95, 0.4, 0.2, 0.1),
)
"""Where code reads the same."""


def believed(pick: Pick) -> bool:
    """Whether a pick that stands in its passage is answered with."""
    have = (pick.found, pick.worded, pick.chance, pick.coverage)
    limits = (*AGREED, *ALONE) if pick.agreed else ALONE
    return any(all(one >= least for one, least in zip(have, limit, strict=True)) for limit in limits)
