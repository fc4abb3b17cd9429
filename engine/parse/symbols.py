"""Letters that a font prints as signs: "m" that is µ, "b" that is a minus.

Adobe's Symbol is known by name. Older data sheets hold symbol fonts under anonymous names (III00550, T3) with Latin
codes; those are known by how a page uses them: single letters only, before figures or units, beside fonts that set
the words. Read as letters they turn -40 °C into "b40" and 20 µA into 20 mA.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from engine.parse.glyphs import greek, is_greek_font

_OPERATORS = str.maketrans({"a": "+", "b": "−", "c": "×", "e": "=", "g": "±", "k": "<", "l": ">", "s": "≤", "t": "≥"})
"""Mathematical Pi, as far as data sheets use it."""
_OPERATOR_SET = frozenset("abcegklst")
_SURE_OPERATORS = frozenset("abeg")
_MICRO = str.maketrans({"m": "µ"})
_GREEK_SET = frozenset("mWDXiqlw")
_UNIT = re.compile(r"[AVFsWHmgC]")
_DEGREE = re.compile(r"[\d=]\s?§\s?[CFK]\b")
_FAMILY = re.compile(r"[A-Za-z]{4,}")


def mark_symbol_fonts(blocks: Sequence[Any]) -> None:
    """Give every span of a symbol font the entry "signs": what its letters are to be read as (a translate table)."""
    anonymous: dict[str, list[tuple[Any, str]]] = defaultdict(list)
    for block in blocks:
        for line in block.get("lines", ()):
            spans = line["spans"]
            for index, span in enumerate(spans):
                if "§" in span["text"] and _DEGREE.search(
                    "".join(s["text"] for s in spans[max(0, index - 1) : index + 2])
                ):
                    # The code of the degree sign in many old fonts.
                    span["signs"] = {ord("§"): "°"}
                elif is_greek_font(span["font"]):
                    span["signs"] = {ord(c): greek(c) for c in set(span["text"]) if c.isascii() and c.isalpha()}
                elif not _FAMILY.search(span["font"]):
                    after = spans[index + 1]["text"] if index + 1 < len(spans) else ""
                    anonymous[span["font"]].append((span, after))
    if len(anonymous) < 2:
        return
    for uses in anonymous.values():
        if table := _table(uses):
            for span, _ in uses:
                span["signs"] = table


def _table(uses: Sequence[tuple[Any, str]]) -> dict[int, str] | None:
    """The signs a font's letters stand for, None for a font that sets words."""
    texts = [span["text"].strip() for span, _ in uses]
    texts = [text for text in texts if text]
    letters = set("".join(texts))
    if not texts or max(map(len, texts)) > 2:
        return None
    if letters <= _OPERATOR_SET and len(letters & _SURE_OPERATORS) >= 2:
        counted = [after for span, after in uses if span["text"].strip() and after.strip()]
        figures = sum(after.lstrip()[:1].isdigit() or after.lstrip()[:1] in ".-" for after in counted)
        return _OPERATORS if counted and figures >= 0.4 * len(counted) else None
    if "m" in letters and letters <= _GREEK_SET:
        units = [after for span, after in uses if span["text"].strip() == "m"]
        if units and all(_UNIT.match(after) for after in units):
            return {**_MICRO, ord("W"): "Ω", ord("X"): "Ω", ord("D"): "Δ", ord("i"): "θ", ord("q"): "θ"}
    return None
