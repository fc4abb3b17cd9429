"""Whether a part named in a question is a part a document is about."""

from __future__ import annotations

import re
from functools import lru_cache

from engine.core.text import expand_list, fold, identifiers

_SUFFIX = re.compile(r"[A-Z]{0,4}(?:[-/][A-Z0-9]{1,6})*|-[A-Z0-9]{1,6}")
_PACKAGE = re.compile(r"[A-Z]{1,3}[0-9]{0,2}[A-Z]{0,3}")
"""An ordering suffix with digits ("LPC2144FBD64"): only behind a number long enough to be a part ("AT89" is none)."""

_CASE = re.compile(r"(?:TO|SOT|SOD|SC|SOIC|SSOP|TSSOP|MSOP|[PC]?DIP|PLCC|[TL]?QFP|QFN|DFN|BGA)-?[0-9]{2,3}[A-Z]?")
"""A package, whose name looks like a part's."""

_FAMILY = 0.9
_WILDCARD = re.compile(r"[A-Z]+[0-9]+X{1,3}[0-9]*[A-Z]*")


@lru_cache(maxsize=8192)
def expand(name: str) -> tuple[str, ...]:
    """ "LPC2141/42/44" -> LPC2141, LPC2142, LPC2144; "BC548/A/B" -> BC548, BC548A, BC548B; else the name itself."""
    text = fold(name).upper()
    listed = expand_list(text)
    if len(listed) > 1:
        return tuple(dict.fromkeys(listed))
    first, *rest = text.split("/")
    if rest and any(c.isdigit() for c in first) and all(re.fullmatch(r"[A-Z]{1,2}", piece) for piece in rest):
        return (first, *(re.sub(r"[A-Z]+$", "", first) + piece for piece in rest))
    return (text,)


def names_same(asked: str, listed: str) -> float:
    """1.0 the same part, 0.9 the same family by a wildcard, 0.8 a variant by suffix, 0.0 another part."""
    best = 0.0
    for one in expand(asked):
        for other in expand(listed):
            best = max(best, _pair(one, other))
    return best


def named_in(part: str, text: str) -> bool:
    """Whether a text names a part, or its family by a wildcard."""
    return any(names_same(part, name) >= _FAMILY for name in identifiers(text))


def _pair(asked: str, listed: str) -> float:
    if asked == listed:
        return 1.0
    if _wild(asked, listed) or _wild(listed, asked):
        return 0.9
    shorter, longer = sorted((asked, listed), key=len)
    if len(shorter) >= 4 and shorter[-1:].isdigit() and longer.startswith(shorter):
        rest = longer[len(shorter) :]
        whole = sum(c.isdigit() for c in shorter) >= 3
        return 0.8 if _SUFFIX.fullmatch(rest) or (whole and _PACKAGE.fullmatch(rest)) else 0.0
    if (
        len(shorter) >= 5
        and longer.startswith(shorter)
        and re.fullmatch(r"[A-Z]{1,3}|-[A-Z0-9]+", longer[len(shorter) :])
    ):
        return 0.8
    if shorter[:1].isdigit() and len(shorter) >= 4 and re.fullmatch(r"[A-Z]{1,4}", longer[: -len(shorter)] or "-"):
        return 0.85 if longer.endswith(shorter) else 0.0
    return 0.0


def _wild(pattern: str, name: str) -> bool:
    """ "LPC214X" stands for LPC2141 ... LPC2149, "DS32X35" for DS32B35 and DS32C35: an x behind a digit."""
    if not _WILDCARD.fullmatch(pattern) or _WILDCARD.fullmatch(name):
        return False
    pieces = [re.escape(piece) for piece in re.split(r"(?<=[0-9X])X", pattern)]
    return re.fullmatch("[0-9A-Z]".join(pieces) + "(?:[A-Z][0-9A-Z]*)?", name) is not None


def looks_like_part(name: str) -> bool:
    """A part or document number ("LM317", "AN10382", "74HC595"), not a pin, a package, a standard or a quantity."""
    text = fold(name).upper()
    if len(text) < 4 or not re.search(r"[0-9]{2,}", text) or not re.search(r"[A-Z]", text):
        return False
    if _CASE.fullmatch(text):
        return False
    return not re.fullmatch(
        r"P[0-9]{1,2}\.[0-9]{1,2}|(?:IEC|ISO|EN|IEEE|MIL|JEDEC)[ -]?.*|[0-9]+-BIT|[0-9]+[A-Z]{1,2}", text
    )
