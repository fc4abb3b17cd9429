"""Counts, spelled out or in figures."""

from __future__ import annotations

from engine.agent.quantities import Quantity, read_number

NUMBER_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "sixteen": 16, "twenty": 20, "thirty-two": 32, "sixty-four": 64,
}  # fmt: skip


def counted(text: str) -> Quantity | None:
    """A bare count as a quantity: "nine" and "9" are 9; None where the text is no number."""
    word = text.strip().casefold()
    value = float(NUMBER_WORDS[word]) if word in NUMBER_WORDS else read_number(word)
    return Quantity(text, 0, len(text), value, value, "count") if value is not None else None
