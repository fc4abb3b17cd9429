"""When the pick of a small model counts: how sure it was, how well its passage fits, and whether code reads the same.

A small model finds an answer in anything. Three things tell its readings from its inventions, of 21 that were looked at
token by token: how probable it held it that there is an answer at all (0.8 to 0.99 where it read rightly, 0.43 to 0.67
where there is none), how probable its figures were, and whether code, by quite other signs, had come to the same words.
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
AGREED = (0.75, 0.4, 0.2, 0.15)
"""... and where code reads the same."""


def believed(pick: Pick) -> bool:
    """Whether a pick that stands in its passage is answered with."""
    least = AGREED if pick.agreed else ALONE
    return all(
        have >= need for have, need in zip((pick.found, pick.worded, pick.chance, pick.coverage), least, strict=True)
    )
