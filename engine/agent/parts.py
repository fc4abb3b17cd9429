"""Whether a part named in a question is a part a document is about."""

from __future__ import annotations

import re
from functools import lru_cache

from engine.core.text import fold

_SUFFIX = re.compile(r"[A-Z]{0,4}(?:[-/][A-Z0-9]{1,6})*|-[A-Z0-9]{1,6}|[A-Z]{1,3}[0-9]{0,2}[A-Z]{0,3}")
_SPLIT = re.compile(r"^([A-Za-z]+[0-9]*[A-Za-z]*?)([0-9]+[A-Za-z]?)((?:/[0-9A-Za-z]+)+)$")


@lru_cache(maxsize=4096)
def expand(name: str) -> tuple[str, ...]:
    """ "LPC2141/42/44" -> LPC2141, LPC2142, LPC2144; "MCP3204/3208" -> both; "BC548/BC548A" -> both; else itself."""
    text = fold(name).upper()
    pieces = text.split("/")
    if len(pieces) == 1 or not any(c.isdigit() for c in pieces[0]):
        return (text,)
    first = pieces[0]
    found = [first]
    for piece in pieces[1:]:
        if piece[:1].isdigit() and len(piece) < len(first):
            digits = re.search(r"[0-9]+[A-Z]*$", first)
            head = first[: len(first) - len(piece)] if digits else first
            found.append(head + piece)
        elif piece[:1].isalpha() and len(piece) <= 2:
            found.append(re.sub(r"[A-Z]+$", "", first) + piece)
        elif any(c.isdigit() for c in piece):
            found.append(piece)
    return tuple(dict.fromkeys(found))


def names_same(asked: str, listed: str) -> float:
    """1.0 the same part, 0.9 the same family by a wildcard, 0.8 a variant by suffix, 0.0 another part."""
    best = 0.0
    for one in expand(asked):
        for other in expand(listed):
            best = max(best, _pair(one, other))
    return best


def _pair(asked: str, listed: str) -> float:
    if asked == listed:
        return 1.0
    if _wild(asked, listed) or _wild(listed, asked):
        return 0.9
    shorter, longer = sorted((asked, listed), key=len)
    if len(shorter) >= 4 and shorter[-1:].isdigit() and longer.startswith(shorter):
        return 0.8 if _SUFFIX.fullmatch(longer[len(shorter) :]) and not longer[len(shorter)].isdigit() else 0.0
    if (
        len(shorter) >= 5
        and longer.startswith(shorter)
        and re.fullmatch(r"[A-Z]{1,3}|-[A-Z0-9]+", longer[len(shorter) :])
    ):
        return 0.8
    return 0.0


def _wild(pattern: str, name: str) -> bool:
    """ "LPC214X" stands for LPC2141 ... LPC2149: trailing x only, and only where digits are expected."""
    match = re.fullmatch(r"([A-Z]+[0-9]+)(X{1,3})([A-Z]*)", pattern)
    return bool(match and re.fullmatch(re.escape(match.group(1)) + rf"[0-9A-Z]{{{len(match.group(2))}}}[A-Z]*", name))


def looks_like_part(name: str) -> bool:
    """A part or document number ("LM317", "AN10382", "74HC595"), not a pin, a standard or a quantity."""
    text = fold(name).upper()
    if len(text) < 4 or not re.search(r"[0-9]{2,}", text) or not re.search(r"[A-Z]", text):
        return False
    return not re.fullmatch(
        r"P[0-9]{1,2}\.[0-9]{1,2}|(?:IEC|ISO|EN|IEEE|MIL|JEDEC)[ -]?.*|[0-9]+-BIT|[0-9]+[A-Z]{1,2}", text
    )
