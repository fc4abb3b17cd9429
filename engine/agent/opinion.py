"""When the pick of a small model counts, by how sure it was and whether code reads the same.

A small model alone decides badly: it finds an answer in anything. How probable its own words were to it tells its
readings from its inventions, though. Of 45 questions that code was unsure of, on two libraries and 13 manuals, it was
right in all that it was sure of and whose passage speaks of the matter; in six of eight below that where code had
likely read the same; and for the rest code alone was the better guess.
"""

from __future__ import annotations

SURE = 0.6
"""Least probability, 0..1, of its least probable token from which a pick decides alone ..."""
AGREED = 0.4
"""... and from which it does together with code that has read the same and finds it likely."""
PLAUSIBLE = 0.3
"""Least probability by code, 0..1, of the passage: of a test condition in a row about something else the model may be
sure, too."""


def believed(found: float, worded: float, chance: float, *, agreed: bool) -> bool:
    """Whether a pick that stands in its passage is answered with; `chance`: how probable that passage is to code,
    `agreed`: code reads the same, and likely rightly."""
    return chance >= PLAUSIBLE and min(found, worded) >= (AGREED if agreed else SURE)
