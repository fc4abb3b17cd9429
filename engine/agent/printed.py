"""From folded text back to what is printed: answers show µ and Ω as the page does."""

from __future__ import annotations

from engine.core.text import fold


def printed(original: str, folded_slice: str) -> str:
    """The slice of `original` that folds to `folded_slice`; the slice itself if it does not occur."""
    pieces: list[str] = []
    origin: list[int] = []
    for place, character in enumerate(original):
        for one in fold(character) or (" " if character.isspace() else ""):
            if one == " " and pieces and pieces[-1] == " ":
                continue
            pieces.append(one)
            origin.append(place)
    start = "".join(pieces).find(folded_slice)
    if start < 0 or not folded_slice:
        return folded_slice
    return original[origin[start] : origin[start + len(folded_slice) - 1] + 1]
