"""Engineering notation: the way a value in common form is written for people."""

from __future__ import annotations

import re

_PREFIXES = (
    (1e12, "T"),
    (1e9, "G"),
    (1e6, "M"),
    (1e3, "k"),
    (1.0, ""),
    (1e-3, "m"),
    (1e-6, "µ"),
    (1e-9, "n"),
    (1e-12, "p"),
)
_SCALABLE = re.compile(r"V|A|W|Ω|F|H|Hz|s|S|J|N|Pa|T|m|g|C|Vrms|Vpp|Vpk|Arms|App|sps|bit/s|Bd|eV|VA|Ah|Wh|lm|cd|lx")
_OUTER = {"T": ("Hz", "Ω"), "G": ("Hz", "Ω", "bit/s", "sps")}
"""Tera and giga are written only where they are seen; mega never on A, F, H and s."""


def trim(value: float, digits: int = 6) -> str:
    """A number without noise: 50.000000001 -> "50", 1e-15 stays "1e-15"."""
    text = f"{value:.{digits}g}"
    if "e" in text and 1e-4 <= abs(value) < 1e15:
        text = f"{value:.0f}" if abs(value) >= 1 else f"{value:.{digits + 4}f}".rstrip("0")
    return text.replace("-", "\u2212") if text.startswith("-") else text


def format_value(value: float, symbol: str) -> str:
    """Engineering notation: (5e-05, "A") -> "50 µA", (0.001, "1") -> "0.1 %", (0.0005, "V/K") -> "0.5 mV/°C"."""
    head, slash, rest = symbol.partition("/")
    if symbol in ("B", "bit") and value >= 1024 and value % 1024 == 0:
        mega = value % 1024**2 == 0
        return f"{trim(value / (1024**2 if mega else 1024))} {'M' if mega else 'k'}{symbol}"
    if head == "1" and not slash:
        return f"{trim(value * 1e2)} %" if abs(value) >= 1e-4 or value == 0 else f"{trim(value * 1e6)} ppm"
    if head == "1":
        return f"{trim(value * 1e6)} ppm{slash}{_shown(rest)}"
    if symbol == "FSR" or head.startswith("of "):
        return f"{trim(value * 1e2)} % {symbol}"
    if symbol == "month":
        return f"{trim(value / 12)} years" if value >= 12 else f"{trim(value)} months"
    if symbol == "bit/s":
        head, slash, rest = symbol, "", ""
    if value and symbol != "V/V" and _SCALABLE.fullmatch(head):
        for scale, prefix in _PREFIXES:
            known = head in _OUTER.get(prefix, (head,)) and not (prefix == "M" and head in ("A", "F", "H", "s"))
            if known and abs(value) >= scale * 0.9999999:
                return f"{trim(value / scale)} {prefix}{head}{slash}{_shown(rest)}"
    return f"{trim(value)} {head}{slash}{_shown(rest)}".strip()


def _shown(denominator: str) -> str:
    return {"K": "\u00b0C"}.get(denominator, denominator)
