"""Section numbers as printed in front of headings."""

from __future__ import annotations

import re
from dataclasses import dataclass

_DECIMAL = re.compile(r"^(?P<n>\d{1,2}(?:\.\d{1,3}){0,6})(?P<dot>\.?)\s+(?=\S)")
_UNIT = re.compile(
    r"(?:[kmnµμuMG]?V(?:DC|AC)?|[mnµμu]A|[kMG]?Hz|[mkµμu]?W|[kM]?(?:Ω|ohms?)|[pnµμu]F|[mnµμu]s|°C|%|dB[mi]?|bits?|bytes?|[kM]B|mm)(?=\s|$)"
)
_LETTERED = re.compile(r"^(?P<a>[A-Z])(?P<n>(?:\.\d{1,3}){1,6})\.?\s+(?=\S)")
_APPENDIX = re.compile(r"^(?:appendix|annex|anhang|annexe)\s+(?P<a>[A-Z]|\d{1,2})\b[.:\s–-]*", re.IGNORECASE)
_CHAPTER = re.compile(
    r"^(?P<word>chapter|section|part|kapitel|chapitre|teil)\s+(?P<n>\d{1,3}(?:\.\d{1,3})*|[IVXL]{1,6})\b[.:\s–-]*",
    re.IGNORECASE,
)
_ROMAN = re.compile(r"^(?P<r>[IVXL]{1,6})\.\s+(?=[A-Z])")
_CJK_CHAPTER = re.compile(r"^第\s*(?P<n>\d{1,3}|[一二三四五六七八九十]{1,3})\s*(?P<unit>[章部编篇節节])\s*")


@dataclass(frozen=True, slots=True)
class Numbering:
    """`number` as a tuple ("7.3.1" -> (7, 3, 1)), `depth` the level it stands for, `rest` the title without it."""

    label: str
    number: tuple[int, ...]
    depth: int
    rest: str
    kind: str

    def follows(self, earlier: Numbering) -> bool:
        """True if this is the next number a reader expects after `earlier`: 7.3 -> 7.4, 7.3.1 or 8."""
        if self.kind != earlier.kind or not self.number or not earlier.number:
            return False
        for depth in range(min(len(self.number), len(earlier.number))):
            if self.number[depth] != earlier.number[depth]:
                return self.number[depth] == earlier.number[depth] + 1 and self.number[depth + 1 :] in ((), (0,), (1,))
        return self.number[: len(earlier.number)] == earlier.number and self.number[len(earlier.number) :] in (
            (0,),
            (1,),
        )


def read_numbering(text: str) -> Numbering | None:
    """The section number at the start of `text`, or None. A quantity ("5 V supply") is for the caller to doubt."""
    if match := _DECIMAL.match(text):
        parts = [int(p) for p in match["n"].split(".")]
        if (parts[0] == 0 and len(parts) == 1) or _UNIT.match(text, match.end()):
            return None
        # "1.0 INTRODUCTION" stands at the top, beside "1.1".
        depth = len(parts) - 1 if len(parts) > 1 and parts[-1] == 0 else len(parts)
        return Numbering(match["n"], tuple(parts), depth, text[match.end() :].strip(), "decimal")
    if match := _APPENDIX.match(text):
        return Numbering(match["a"], (_letter(match["a"]),), 1, text[match.end() :].strip(), "appendix")
    if match := _LETTERED.match(text):
        parts = [_letter(match["a"]), *(int(p) for p in match["n"].strip(".").split("."))]
        return Numbering(match["a"] + match["n"], tuple(parts), len(parts), text[match.end() :].strip(), "appendix")
    if match := _CHAPTER.match(text):
        number = _arabic(match["n"])
        return Numbering(match["n"], number, len(number), text[match.end() :].strip(), match["word"].casefold())
    if match := _ROMAN.match(text):
        return Numbering(match["r"], _arabic(match["r"]), 1, text[match.end() :].strip(), "roman")
    if match := _CJK_CHAPTER.match(text):
        depth = 2 if match["unit"] in "節节" else 1
        return Numbering(match["n"], (), depth, text[match.end() :].strip(), "cjk")
    return None


def _letter(text: str) -> int:
    return int(text) if text.isdigit() else ord(text.upper()) - ord("A") + 1


def _arabic(text: str) -> tuple[int, ...]:
    if text[0].isdigit():
        return tuple(int(p) for p in text.split("."))
    values = {"I": 1, "V": 5, "X": 10, "L": 50}
    total = 0
    for here, after in zip(text.upper(), [*text.upper()[1:], ""]):
        value = values[here]
        total += -value if values.get(after, 0) > value else value
    return (total,)
