"""Pieces of the answerer that a measurement may switch off, to show what each is worth. Nothing else uses them."""

from __future__ import annotations

from enum import StrEnum


class Piece(StrEnum):
    LINKS = "links"
    """Mention links: in retrieval and in plans over named things."""
    AGENT = "agent"
    """Turns: comparisons side by side, hops, plans. Without them every question is one retrieval and one reading."""
    VERIFICATION = "verification"
    """The check that what the model says stands in the passage it names."""
    GRAMMAR = "grammar"
    """The form the model is held to."""
