"""Printed glyphs to searchable text: ligatures, private-use symbols, odd spaces; what was printed is kept beside it."""

from __future__ import annotations

import re

_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
_SPACES = dict.fromkeys((0x09, 0x0B, 0x0C, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F), " ")
_NOTHING = dict.fromkeys((0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF), "")
_CONTROLS = dict.fromkeys((*range(0x01, 0x09), *range(0x0E, 0x20)), "\ufffd")
"""Codes of glyphs nobody named: something is printed there, so a figure around it must not close up over it."""
_SYMBOL = {
    0xF022: "∀",
    0xF025: "%",
    0xF02B: "+",
    0xF02D: "−",
    0xF03D: "=",
    0xF040: "≅",
    0xF044: "Δ",
    0xF046: "Φ",
    0xF047: "Γ",
    0xF04C: "Λ",
    0xF050: "Π",
    0xF051: "Θ",
    0xF053: "Σ",
    0xF057: "Ω",
    0xF061: "α",
    0xF062: "β",
    0xF063: "χ",
    0xF064: "δ",
    0xF065: "ε",
    0xF066: "φ",
    0xF067: "γ",
    0xF068: "η",
    0xF06A: "ϕ",
    0xF06B: "κ",
    0xF06C: "λ",
    0xF06D: "µ",
    0xF06E: "ν",
    0xF070: "π",
    0xF071: "θ",
    0xF072: "ρ",
    0xF073: "σ",
    0xF074: "τ",
    0xF077: "ω",
    0xF0A3: "≤",
    0xF0A5: "∞",
    0xF0AB: "↔",
    0xF0AC: "←",
    0xF0AD: "↑",
    0xF0AE: "→",
    0xF0AF: "↓",
    0xF0B0: "°",
    0xF0B1: "±",
    0xF0B3: "≥",
    0xF0B4: "×",
    0xF0B8: "÷",
    0xF0B9: "≠",
    0xF0BB: "≈",
    0xF0D2: "®",
    0xF0D4: "™",
    0xF0D6: "√",
    0xF0DE: "⇒",
    0xF0E2: "®",
    0xF0E3: "©",
    0xF0E4: "™",
}
"""Adobe Symbol encoding as fonts without a Unicode map give it."""
_BULLETS = dict.fromkeys((0xF0B7, 0xF0A7, 0xF0A8, 0xF06F, 0xF0D8, 0xF0FC, 0xF076, 0xF0FE, 0xF075, 0xF09F), "•")
_BULLETS |= dict.fromkeys(map(ord, "●▪■◆□❑➢▶►◼⚫◦‣∙"), "•")
_TABLE = _LIGATURES | _SPACES | _NOTHING | _CONTROLS | _SYMBOL | _BULLETS
_WHITE = re.compile(r"\s+")
_CONTROL = re.compile(r"[\x01-\x08\x0e-\x1f]")
_UNMAPPED_BULLET = re.compile(r"^\ufffd+(?=\s)")
_UNMAPPED_DEGREE = re.compile(r"(?<![A-Za-z\ufffd])[\ufffd§](?=C\b)")
"""No other sign stands between a number and C."""
UNMAPPED = "\ufffd"


def clean(text: str) -> str:
    """`text` with ligatures opened, private-use symbols read and white space collapsed; soft hyphens stay."""
    if text.isascii() and (text.isprintable() or not _CONTROL.search(text)):
        return " ".join(text.split())
    opened = text.translate(_TABLE)
    opened = _UNMAPPED_DEGREE.sub("°", _UNMAPPED_BULLET.sub("•", opened))
    opened = "".join(_ascii_of_private(c) if "\uf020" <= c <= "\uf0ff" else c for c in opened)
    return _WHITE.sub(" ", opened).strip()


def _ascii_of_private(character: str) -> str:
    """Fonts with a symbol map put plain characters at U+F000 + code."""
    code = ord(character) - 0xF000
    return chr(code) if code < 0x7F else UNMAPPED


def is_greek_font(font: str) -> bool:
    """Whether a font is Adobe's Symbol, which has no Latin letters."""
    return "Symbol" in font and font.rsplit("+", 1)[-1].startswith("Symbol")


def greek(text: str) -> str:
    """Latin letters of the Symbol font as what they print: "m" is µ, "W" is Ω.

    Files that declare a Latin encoding for it turn "µA" into "mA", a thousandfold error in every such limit.
    """
    return "".join(_SYMBOL.get(0xF000 + ord(c), c) if c.isascii() and c.isalpha() else c for c in text)


_TOKEN = re.compile(r"[A-Za-z]{4,}")
_VOWELS = frozenset("aeiouyAEIOUY")


def makes_words(text: str) -> bool:
    """Whether runs of Latin letters are words: nearly all of them hold vowels, in about every second or third place."""
    tokens = _TOKEN.findall(text)
    if len(tokens) < 8:
        return False
    sound = sum(0.2 <= sum(c in _VOWELS for c in token) / len(token) <= 0.7 for token in tokens)
    return sound >= 0.75 * len(tokens)


def controls(text: str) -> int:
    """How many characters are control codes that stand for glyphs."""
    return len(_CONTROL.findall(text))


def unreadable_share(text: str) -> float:
    """Share of characters that have no meaning: unmapped glyphs, private use, controls."""
    visible = [c for c in text if not c.isspace()]
    if not visible:
        return 0.0
    bad = sum(c == UNMAPPED or "\ue000" <= c <= "\uf8ff" or ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 for c in visible)
    return bad / len(visible)
