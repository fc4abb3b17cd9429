"""One folding of text for search and verification, and what counts as an identifier.

Engineers type `u` for µ and `ohm` for Ω; PDFs hold ligatures, no-break spaces, soft hyphens and four kinds of minus.
Both sides of every comparison go through :func:`fold`; what is shown stays as printed.
"""

from __future__ import annotations

import re
import unicodedata

_SPACES = dict.fromkeys((0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000), " ")
_NOTHING = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"), "")
_MINUS = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"), "-")
_SIGNS = {
    ord("\u00b5"): "u",
    ord("\u03bc"): "u",
    ord("\u2126"): "ohm",
    ord("\u03a9"): "ohm",
    ord("\u2018"): "'",
    ord("\u2019"): "'",
    ord("\u201c"): '"',
    ord("\u201d"): '"',
    ord("\u00d7"): "x",
    ord("\u2044"): "/",
    ord("\u02da"): "\u00b0",
    ord("\u00ba"): "\u00b0",
    ord("\u2264"): "<=",
    ord("\u2265"): ">=",
}
_FOLDING = _SPACES | _NOTHING | _MINUS | _SIGNS
_WHITE = re.compile(r"\s+")

_IDENTIFIER = re.compile(
    r"""(?<![A-Za-z0-9])
    (?=[A-Za-z0-9/._+-]*[0-9])            # a digit somewhere
    (?=[A-Za-z0-9/._+-]*[A-Za-z])         # and a letter somewhere
    [A-Za-z0-9]+(?:[-/._+][A-Za-z0-9]+)*
    (?![A-Za-z0-9])""",
    re.VERBOSE,
)
_STANDARD = re.compile(r"\b(?:IEC|ISO|EN|IEEE|DIN|UL|MIL-STD|JEDEC|AEC|ANSI|RFC|JESD)[ -]?[A-Z]?[0-9][0-9A-Za-z.-]*")
_QUANTITY = re.compile(
    r"[0-9]+(?:[.,][0-9]+)*(?:[munpkMGT]?(?:V|A|W|Hz|F|H|s|S|m|g|ohm|bit|bits|byte|bytes|B|dB|C|K|SPS|sps|bps|in|mil)"
    r"|k|K|M|G|u|uA|uV|us|uF|uW|uH|th|st|nd|rd|x|X|h|MHZ|KHZ|KB|MB|kB|pF|nF|ppm|mAh)",
)


def fold(text: str) -> str:
    """Compatibility-normalise, unify spaces, dashes, micro, ohm and quotes; keep case and line structure as spaces."""
    unified = unicodedata.normalize("NFKC", text.translate(_FOLDING)).translate(_FOLDING)
    return _WHITE.sub(" ", unified).strip()


def fold_case(text: str) -> str:
    """:func:`fold`, then without case: the form in which texts are compared."""
    return fold(text).casefold()


def identifiers(text: str) -> list[str]:
    """Part numbers, standards, registers and pins in reading order, as printed after folding, without repeats.

    `5V`, `100kHz` and `2nd` are quantities, not identifiers.
    """
    folded = fold(text)
    found: dict[str, None] = {}
    for match in sorted((*_STANDARD.finditer(folded), *_IDENTIFIER.finditer(folded)), key=lambda m: m.start()):
        token = match.group().rstrip("-/._+")
        if len(token) >= 3 and not _QUANTITY.fullmatch(token):
            found.setdefault(token)
    return list(found)
