"""Numbers with units as datasheets print them, found in text with their exact spans.

Values are held in base units (volts, seconds, bytes ...) so that 0.1 A and 100 mA are one value. What is shown is
always the printed slice, never a reformatted number.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache

from engine.core.text import fold

_PREFIX = {"p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_PREFIX_WORD = {"pico": 1e-12, "nano": 1e-9, "micro": 1e-6, "milli": 1e-3, "kilo": 1e3, "mega": 1e6, "giga": 1e9}
# symbol -> dimension, and whether an SI prefix may stand before it
_SYMBOLS = {
    "V": ("voltage", True), "Vrms": ("voltage", True), "Vpp": ("voltage", True),
    "VDC": ("voltage", False), "Vdc": ("voltage", True), "Vac": ("voltage", True),
    "Adc": ("current", True), "oC": ("temperature", False),
    "VAC": ("voltage", False), "A": ("current", True), "W": ("power", True), "Hz": ("frequency", True),
    "HZ": ("frequency", True), "hz": ("frequency", True), "s": ("time", True), "sec": ("time", True),
    "S": ("time", True), "F": ("capacitance", True), "H": ("inductance", True), "ohm": ("resistance", True),
    "ohms": ("resistance", True), "m": ("length", True), "mil": ("length", False), "mils": ("length", False),
    "in": ("length", False), "g": ("mass", True), "J": ("energy", True), "Ah": ("charge", True), "C": ("charge", True),
    "Wh": ("energy", True), "VA": ("power", True), "lx": ("illuminance", True), "Pa": ("pressure", True),
    "bar": ("pressure", True), "psi": ("pressure", False), "T": ("flux density", True), "eV": ("energy", True),
    "cd": ("luminous intensity", True), "N": ("force", True), "\u00b0C": ("temperature", False),
    "\u00b0F": ("temperature", False), "degC": ("temperature", False), "\u00b0": ("angle", False),
    "%": ("ratio", False), "ppm": ("parts", False), "ppb": ("parts", False), "dB": ("gain", False),
    "dBm": ("power level", False), "dBc": ("gain", False), "bit": ("bits", True), "bits": ("bits", True),
    "Bit": ("bits", True), "Bits": ("bits", True), "b": ("bits", True), "B": ("bytes", True), "byte": ("bytes", True),
    "bytes": ("bytes", True), "Byte": ("bytes", True), "Bytes": ("bytes", True), "bps": ("bit rate", True),
    "bit/s": ("bit rate", True), "b/s": ("bit rate", True), "Bd": ("bit rate", True), "baud": ("bit rate", True),
    "sps": ("sample rate", True), "SPS": ("sample rate", True), "S/s": ("sample rate", True),
    "B/s": ("byte rate", True),
    "rpm": ("rotation", True), "RPM": ("rotation", True), "LSB": ("code", False), "LSb": ("code", False),
    "MIPS": ("instruction rate", False), "MSPS": ("sample rate", False),
}  # fmt: skip
_WORDS = {
    "volt": "voltage", "amp": "current", "ampere": "current", "watt": "power", "hertz": "frequency",
    "second": "time", "farad": "capacitance", "henry": "inductance", "ohm": "resistance", "metre": "length",
    "meter": "length", "inch": "length", "gram": "mass", "byte": "bytes", "percent": "ratio", "degree": "angle",
    "minute": "time", "hour": "time", "day": "time", "month": "time", "year": "time", "week": "time", "bit": "bits",
}  # fmt: skip
_SCALE = {
    "mil": 2.54e-5, "mils": 2.54e-5, "in": 0.0254, "inch": 0.0254, "ppb": 1e-3, "MSPS": 1e6, "MIPS": 1e6,
    "minute": 60.0, "hour": 3600.0, "day": 86400.0, "week": 604800.0, "month": 2629800.0, "year": 31557600.0,
}  # fmt: skip
_BARE = {"k": 1e3, "K": 1e3, "M": 1e6, "R": 1.0}
_TIGHT = frozenset({"C", "T", "N", "b", "B", "in", "H", "S", "A", "g", "J", "m"})
"""Units that are also words, pins or parts: they count only without another letter about and close to the number."""

_TYPED_UNITS = {
    unit.casefold(): unit
    for unit in (
        "Hz", "kHz", "MHz", "GHz", "V", "mV", "kV", "uV", "mA", "uA", "nA", "A", "pF", "nF", "uF", "mW", "W", "kbps",
        "ksps", "ns", "us", "ms",
    )
}  # fmt: skip
_TYPED = re.compile(r"(?<![A-Za-z0-9.])([0-9]+(?:\.[0-9]+)?\s?)([A-Za-z]{1,4})(?![A-Za-z0-9])")
_CYCLES = "[Cc]ycles|[Ww]rites|[Ee]rasures|[Ii]nsertions|[Oo]perations"
_CYCLE_UNIT = re.compile(rf"(?:{_CYCLES})$")
_NUMBER = (
    r"(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[1-9][0-9]{0,2}(?: [0-9]{3})+(?![0-9.])"
    r"|[0-9]+,[0-9]{1,2}(?![0-9])|[0-9]*\.?[0-9]+)"
    r"(?:\s?[xX*]\s?10\^?-?[0-9]{1,2}|[eE][+-]?[0-9]{1,2}(?![0-9A-Za-z]))?"
)


@cache
def _unit_pattern() -> str:
    symbols = sorted(_SYMBOLS, key=len, reverse=True)
    plain = "|".join(re.escape(s) for s in symbols)
    prefixed = "|".join(re.escape(s) for s in symbols if _SYMBOLS[s][1])
    words = "|".join(sorted(_WORDS, key=len, reverse=True))
    prefix_words = "|".join(_PREFIX_WORD)
    return (
        rf"(?:(?:[A-Za-z]+(?:/[A-Za-z]+)?\s){{0,2}}(?:{_CYCLES})(?![a-zA-Z])"
        rf"|(?:{prefix_words})?(?:{words})s?(?![a-zA-Z])|inches(?![a-zA-Z])"
        rf"|[pnumkKMGT](?:{prefixed})(?![A-Za-z0-9])|(?:{plain})(?![A-Za-z0-9])"
        rf"|[kKM]\s(?:RPM|rpm|[Bb]ytes?|[Bb]its?)(?![A-Za-z])|[kKMR](?![A-Za-z0-9]))"
        rf"(?:\s?/\s?(?:\u00b0 ?C|[A-Za-z]+2?|ohm))?"
    )


@cache
def _quantity_pattern() -> re.Pattern[str]:
    sign = r"(?:\+/-\s?|\u00b1\s?|[+-]\s?(?=[0-9.]))?"
    return re.compile(rf"(?<![0-9A-Za-z_.,])({sign})({_NUMBER})[ -]?({_unit_pattern()})")


@cache
def _range_pattern() -> re.Pattern[str]:
    sign = r"(?:\u00b1\s?|[+-]\s?(?=[0-9.]))?"
    unit = _unit_pattern()
    return re.compile(
        rf"(?<![0-9A-Za-z_.,])({sign})({_NUMBER})\s?({unit})?\s?(?:to|\.\.\.?|\u2026|-{{1,2}}|~|and)\s?({sign})({_NUMBER})\s?({unit})"
    )


@dataclass(frozen=True, slots=True)
class Quantity:
    """`text` is the printed slice [start, end) of the folded text; `low` == `high` unless it is a range."""

    text: str
    start: int
    end: int
    low: float
    high: float
    dimension: str
    """"voltage", "time" ...; "count" for a bare number."""
    unit: str = ""

    @property
    def is_range(self) -> bool:
        return self.low != self.high

    def same(self, other: Quantity) -> bool:
        """Equal value and dimension, whatever the prefix or spelling."""
        return self.dimension == other.dimension and _close(self.low, other.low) and _close(self.high, other.high)


def _close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-18)


def read_number(text: str) -> float | None:
    """ "50,000" -> 50000, "4,7" -> 4.7, "1.2 x 10^-3" -> 0.0012; None where it is no number."""
    cleaned = text.strip().replace(" ", "")
    power = re.fullmatch(r"(.+?)[xX*]10\^?(-?[0-9]{1,2})", cleaned)
    if power:
        base = read_number(power.group(1))
        return None if base is None else base * 10.0 ** int(power.group(2))
    if re.fullmatch(r"[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?", cleaned):
        cleaned = cleaned.replace(",", "")
    cleaned = cleaned.replace(",", ".")
    try:
        return float(cleaned)
    except ValueError:
        return None


def read_unit(unit: str) -> tuple[str, float] | None:
    """(dimension, factor to the base unit) of a printed unit, None if it is not one."""
    if _CYCLE_UNIT.search(unit):
        return "cycles", 1.0
    bare, _, per = unit.partition("/")
    bare = bare.strip()
    if unit in _SYMBOLS:
        bare, per = unit, ""
    found = _simple_unit(bare)
    if found is None:
        return None
    return (f"{found[0]} per {per.strip()}", found[1]) if per else found


def _simple_unit(unit: str) -> tuple[str, float] | None:
    spaced = re.fullmatch(r"([kKM])\s(.+)", unit)
    if spaced and spaced.group(2) in _SYMBOLS:
        return _SYMBOLS[spaced.group(2)][0], _PREFIX[spaced.group(1)]
    if unit in _SYMBOLS:
        return _SYMBOLS[unit][0], _SCALE.get(unit, 1.0)
    if unit in _BARE:
        return "resistance", _BARE[unit]
    if unit[:1] in _PREFIX and unit[1:] in _SYMBOLS and _SYMBOLS[unit[1:]][1]:
        return _SYMBOLS[unit[1:]][0], _PREFIX[unit[0]]
    word = "inch" if unit.casefold() == "inches" else unit.casefold().rstrip("s")
    for prefix, factor in _PREFIX_WORD.items():
        if word.startswith(prefix) and word[len(prefix) :] in _WORDS:
            return _WORDS[word[len(prefix) :]], factor
    if word in _WORDS:
        return _WORDS[word], _SCALE.get(word, 1.0)
    return None


def find_quantities(text: str) -> list[Quantity]:
    """Every quantity and range of quantities in `text`, which must already be folded; in reading order."""
    taken: list[tuple[int, int]] = []
    found: list[Quantity] = []
    for match in _range_pattern().finditer(text):
        quantity = _range(match)
        if quantity is not None:
            found.append(quantity)
            taken.append(match.span())
    for match in _quantity_pattern().finditer(text):
        if any(start < match.end() and match.start() < end for start, end in taken):
            continue
        quantity = _single(match)
        if quantity is not None:
            found.append(quantity)
    return sorted(found, key=lambda q: q.start)


def _single(match: re.Match[str]) -> Quantity | None:
    sign, number, unit = match.groups()
    value, known = read_number(number), read_unit(unit)
    if value is None or known is None:
        return None
    if unit in _TIGHT and match.string[match.end(2) : match.start(3)] == "-":
        return None
    signed = (-value if sign.strip() == "-" else value) * known[1]
    return Quantity(match.group(), match.start(), match.end(), signed, signed, known[0], unit)


def _range(match: re.Match[str]) -> Quantity | None:
    sign_low, low, unit_low, sign_high, high, unit = match.groups()
    joined = match.string[match.end(3) if unit_low else match.end(2) : match.start(4)]
    if "and" in joined and not re.search(r"\bbetween\s+$", match.string[: match.start()]):
        return None
    first, second, known = read_number(low), read_number(high), read_unit(unit)
    if first is None or second is None or known is None:
        return None
    known_low = read_unit(unit_low) if unit_low else known
    if known_low is None or known_low[0] != known[0]:
        return None
    one = (-first if sign_low.strip() == "-" else first) * known_low[1]
    two = (-second if sign_high.strip() == "-" else second) * known[1]
    if two < one:
        return None
    return Quantity(match.group(), match.start(), match.end(), one, two, known[0], unit)


def tidy_units(text: str) -> str:
    """Units as people type them ("270khz", "5v", "10ma") in the capitals datasheets use; for questions only."""
    return _TYPED.sub(lambda m: m.group(1) + _TYPED_UNITS.get(m.group(2).casefold(), m.group(2)), text)


def quantity_of(text: str) -> Quantity | None:
    """The first quantity of a text that has not been folded, or None."""
    found = find_quantities(fold(text))
    return found[0] if found else None
