"""Units as datasheets print them, in a common form that can be compared.

A unit is read into a product of named units with one factor: "mV/V" -> V/V x 1e-3, "nV/√Hz" -> V/√Hz x 1e-9. Named
units are kept apart as engineers keep them apart (Hz is not 1/s, Vrms not V, Ω not V/A), so two values are comparable
exactly when their symbols are equal; what pint knows beyond that (inch and metre, Wh and J) is asked only by `convert`.
The own table reads a unit in about a microsecond once seen; pint needs half a second to load and is loaded on need.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from engine.core.text import fold

_SCALE = {
    **{"f": 1e-15, "p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3},
    **{"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12},
}
_LONG_SCALE = {
    **{"femto": 1e-15, "pico": 1e-12, "nano": 1e-9, "micro": 1e-6, "milli": 1e-3},
    **{"kilo": 1e3, "mega": 1e6, "meg": 1e6, "giga": 1e9, "tera": 1e12},
}
_BINARY = {"k": 1024.0, "K": 1024.0, "M": 1024.0**2, "G": 1024.0**3, "T": 1024.0**4}

# "TA" and "TJ" are symbols of temperatures, not tera-amperes: outer prefixes serve only units seen with them.
_RANGES = {
    "T": ("Hz", "Ω", "B", "bit"),
    "G": ("Hz", "Ω", "B", "bit", "bit/s", "sps"),
    "f": ("F", "C", "A", "s", "m", "J"),
}
_PREFIXED = {
    **{
        "V": "V",
        "A": "A",
        "W": "W",
        "ohm": "Ω",
        "F": "F",
        "H": "H",
        "Hz": "Hz",
        "s": "s",
        "S": "S",
        "J": "J",
        "N": "N",
    },
    **{"Pa": "Pa", "T": "T", "m": "m", "g": "g", "lm": "lm", "cd": "cd", "lx": "lx", "mol": "mol", "Wb": "Wb"},
    **{"eV": "eV", "VA": "VA", "Ah": "Ah", "Wh": "Wh", "C": "C", "L": "L", "bar": "bar", "rad": "rad"},
    **{"SPS": "sps", "sps": "sps", "Sps": "sps", "bps": "bit/s", "Bd": "Bd", "baud": "Bd", "Baud": "Bd", "cps": "cps"},
    **{"Vrms": "Vrms", "VRMS": "Vrms", "Arms": "Arms", "ARMS": "Arms", "Vpp": "Vpp", "VPP": "Vpp", "Vp-p": "Vpp"},
    **{"VP-P": "Vpp", "Vpk-pk": "Vpp", "Vpk": "Vpk", "VPK": "Vpk", "App": "App", "Ap-p": "App", "Apk": "Apk"},
    **{"VDC": "V", "Vdc": "V", "VAC": "Vac", "Vac": "Vac", "ADC": "A", "Adc": "A", "AAC": "Aac"},
    **{"sec": "s", "Sec": "s", "SEC": "s", "hz": "Hz", "HZ": "Hz", "Ohm": "Ω", "OHM": "Ω", "ohms": "Ω", "Ohms": "Ω"},
    **{"samples": "sample", "Samples": "sample", "B": "B", "bit": "bit", "bits": "bit", "Bit": "bit", "Bits": "bit"},
    **{
        "b": "bit",
        "byte": "B",
        "bytes": "B",
        "Byte": "B",
        "Bytes": "B",
        "BYTE": "B",
        "BYTES": "B",
        "rpm": "rpm",
        "RPM": "rpm",
    },
}
_PLAIN = {
    **{"%": ("1", 1e-2), "percent": ("1", 1e-2), "pct": ("1", 1e-2), "ppm": ("1", 1e-6), "PPM": ("1", 1e-6)},
    **{"ppb": ("1", 1e-9), "dB": ("dB", 1.0), "db": ("dB", 1.0), "DB": ("dB", 1.0), "dBm": ("dBm", 1.0)},
    **{"dBc": ("dBc", 1.0), "dBV": ("dBV", 1.0), "dBu": ("dBu", 1.0), "dBW": ("dBW", 1.0), "dBA": ("dBA", 1.0)},
    **{"dBFS": ("dBFS", 1.0), "dBi": ("dBi", 1.0), "dBmV": ("dBmV", 1.0), "dBuV": ("dBµV", 1.0)},
    **{"LSB": ("LSB", 1.0), "LSBs": ("LSB", 1.0), "lsb": ("LSB", 1.0), "LSb": ("LSB", 1.0), "%FSR": ("FSR", 1e-2)},
    **{"%FS": ("FSR", 1e-2), "ppmFS": ("FSR", 1e-6), "FSR": ("FSR", 1.0), "FS": ("FSR", 1.0), "%RH": ("RH", 1e-2)},
    **{"\u00b0": ("deg", 1.0), "deg": ("deg", 1.0), "degree": ("deg", 1.0), "degrees": ("deg", 1.0)},
    **{"mil": ("m", 2.54e-5), "mils": ("m", 2.54e-5), "in": ("m", 0.0254), "inch": ("m", 0.0254)},
    **{"inches": ("m", 0.0254), "ft": ("m", 0.3048), "cm": ("m", 1e-2), "hPa": ("Pa", 100.0)},
    **{"psi": ("Pa", 6894.757293168), "atm": ("Pa", 101325.0), "Gauss": ("T", 1e-4), "gauss": ("T", 1e-4)},
    **{"oz": ("g", 28.349523125), "min": ("s", 60.0), "mins": ("s", 60.0), "minute": ("s", 60.0)},
    **{"minutes": ("s", 60.0), "h": ("s", 3600.0), "hr": ("s", 3600.0), "hrs": ("s", 3600.0), "hour": ("s", 3600.0)},
    **{"hours": ("s", 3600.0), "Hours": ("s", 3600.0), "Hrs": ("s", 3600.0), "day": ("s", 86400.0)},
    **{"days": ("s", 86400.0), "week": ("s", 604800.0), "weeks": ("s", 604800.0), "month": ("month", 1.0)},
    **{"months": ("month", 1.0), "year": ("month", 12.0), "years": ("month", 12.0), "Years": ("month", 12.0)},
    **{"yrs": ("month", 12.0), "yr": ("month", 12.0), "Mbar": ("bar", 1e-3), "x": ("V/V", 1.0), "X": ("V/V", 1.0)},
    **{"MSPS": ("sps", 1e6), "KSPS": ("sps", 1e3), "S/s": ("sps", 1.0), "MIPS": ("MIPS", 1.0), "PPS": ("pps", 1.0)},
}
_WORDS = {
    **{"volt": "V", "amp": "A", "ampere": "A", "watt": "W", "ohm": "Ω", "farad": "F", "henry": "H", "hertz": "Hz"},
    **{"second": "s", "sec": "s", "siemens": "S", "joule": "J", "newton": "N", "pascal": "Pa", "tesla": "T"},
    **{
        "metre": "m",
        "meter": "m",
        "gram": "g",
        "byte": "B",
        "bit": "bit",
        "coulomb": "C",
        "baud": "Bd",
        "cycle": "cycle",
    },
    **{"radian": "rad", "lumen": "lm", "candela": "cd", "lux": "lx", "sample": "sample"},
}
_COUNTS = frozenset(
    re.findall(
        r"\w+",
        "cycle write read pin channel time word step page digit count instruction clock pulse device unit load input "
        "output line row column character dot pixel register port timer sector block part gate transistor level bank "
        "source vector revolution turn operation conversion erase program state point tap stage phase pole layer "
        "module lead ball",
    )
)
_TEMPERATURE = frozenset(("\u00b0C", "degC", "deg.C", "oC", "\u00b0c", "degrees C", "deg C", "Celsius", "celsius"))
_SLOPPY = {
    **{
        "mhz": "MHz",
        "khz": "kHz",
        "ghz": "GHz",
        "ma": "mA",
        "ua": "uA",
        "na": "nA",
        "pa": "pA",
        "mv": "mV",
        "uv": "uV",
    },
    **{"kv": "kV", "mw": "mW", "uw": "uW", "nf": "nF", "pf": "pF", "uf": "uF", "uh": "uH", "nh": "nH", "mh": "mH"},
    **{"ns": "ns", "us": "us", "ms": "ms", "ps": "ps", "msec": "ms", "usec": "us", "nsec": "ns", "psec": "ps"},
    **{"kohm": "kohm", "mohm": "Mohm", "kohms": "kohm", "mohms": "Mohm", "kb": "KB", "mb": "MB", "kbyte": "KB"},
    **{"mbyte": "MB", "kbytes": "KB", "mbytes": "MB", "kbps": "kbps", "mbps": "Mbps", "ksps": "ksps", "msps": "Msps"},
    **{"v": "V", "a": "A", "w": "W", "f": "F", "k": "K", "gbps": "Gbps", "vdc": "V", "vac": "Vac", "vrms": "Vrms"},
}
_FOLD_MARKS = (("\u2103", "\u00b0C"), ("\u221a(Hz)", "\u221aHz"), ("\u221a Hz", "\u221aHz"), ("rtHz", "\u221aHz"))
_SPLIT_PREFIX = re.compile(r"(?<![A-Za-z0-9])([munpkMG]) (?=(?:V|A|W|F|H|Hz|s|ohm|Ohm)\b)")
_SPLIT_KIND = re.compile(r"\b([munkM]?[VA]) (rms|RMS|p-p|P-P|pp|PP|pk|dc|DC|ac|AC)\b")
_ROOT = re.compile(r"(?:\u221a|sqrt|root|rt)\s*\(?\s*([A-Za-z]+)\)?|([A-Za-z]+)\^?\(?(?:0\.5|1/2|½)\)?$", re.IGNORECASE)
_POWER = re.compile(r"^(.*?[A-Za-z])\^?(-?[23])$")


@dataclass(frozen=True, slots=True)
class Unit:
    """A printed unit as (symbol of the common form, factor and offset into it): common = printed * factor + offset."""

    symbol: str
    factor: float = 1.0
    offset: float = 0.0


def _plain_name(token: str) -> Unit | None:
    if token in _PLAIN:
        return Unit(*_PLAIN[token])
    if token in _PREFIXED and token not in ("C", "m"):
        return Unit(_PREFIXED[token])
    return Unit("m") if token == "m" else None


def _with_prefix(token: str) -> Unit | None:
    scale, rest = _SCALE.get(token[:1]), token[1:]
    if scale is None or rest not in _PREFIXED:
        return None
    symbol = _PREFIXED[rest]
    if symbol not in _RANGES.get(token[0], (symbol,)):
        return None
    if token[0] == "M" and symbol in ("A", "F", "H", "s"):
        scale = 1e-3  # "MA" in sheets set in capitals: nothing on a datasheet is a mega-ampere
    if symbol in ("bit", "B") and token[0] in _BINARY:
        return Unit(symbol, _BINARY[token[0]])
    return Unit(symbol, scale)


def _word(token: str) -> Unit | None:
    """Spelled-out units ("millivolts") and what is counted ("cycles")."""
    low = token.casefold()
    for ending in ("", "s"):
        stem = low.removesuffix(ending)
        if stem in _WORDS:
            return Unit(_WORDS[stem])
        for prefix, scale in _LONG_SCALE.items():
            if stem.startswith(prefix) and stem[len(prefix) :] in _WORDS:
                symbol = _WORDS[stem[len(prefix) :]]
                binary = symbol in ("bit", "B") and scale >= 1e3
                return Unit(symbol, 1024.0 ** round(len(f"{scale:.0f}") // 3) if binary else scale)
        if stem in _COUNTS:
            return Unit(stem)
    return None


def _single(token: str) -> Unit | None:
    """One named unit with its prefix, no product, no power."""
    if token in _TEMPERATURE or token == "C":
        return Unit("\u00b0C")
    if token in ("\u00b0F", "degF", "deg F"):
        return Unit("\u00b0C", 5 / 9, -160 / 9)
    if token in ("K", "\u00b0K", "kelvin", "Kelvin"):
        return Unit("K")
    found = _plain_name(token) or _with_prefix(token) or _word(token)
    if found is None and token.startswith("%"):
        noun = token[1:].strip().removeprefix("of ").strip()
        return Unit(f"of {noun}", 1e-2) if re.fullmatch(r"[A-Z][A-Za-z_]{1,8}", noun) else None
    if found is None and token.casefold() in _SLOPPY and token != token.casefold().capitalize():
        return _plain_name(_SLOPPY[token.casefold()]) or _with_prefix(_SLOPPY[token.casefold()])
    if found is None and token.casefold() in _SLOPPY and len(token) >= 2:
        return _with_prefix(_SLOPPY[token.casefold()])
    return found


def _factor_of(token: str) -> tuple[str, float] | None:
    """A factor of a product: named unit, its root or its power; temperatures become differences in K."""
    if match := _ROOT.fullmatch(token):
        inner = _single(match.group(1) or match.group(2))
        return None if inner is None else (f"\u221a{inner.symbol}", inner.factor**0.5)
    if (unit := _single(token)) is not None:
        return ("K" if unit.symbol == "\u00b0C" else unit.symbol), unit.factor
    if match := _POWER.match(token):
        inner, power = _single(match.group(1)), int(match.group(2))
        return None if inner is None else (f"{inner.symbol}^{power}", inner.factor**power)
    return None


def _product(text: str) -> tuple[str, float] | None:
    factors: list[str] = []
    scale = 1.0
    for token in re.split(r"\s*[*\u00b7\u22c5\u2022]\s*|(?<=[A-Za-z])-(?=[A-Za-z\u00b0])", text.strip(" ()")):
        if (found := _factor_of(token)) is None:
            return None
        factors.append(found[0])
        scale *= found[1]
    return "\u00b7".join(factors), scale


def fold_unit(text: str) -> str:
    """A unit as printed, folded: micro is u, omega ohm, brackets and trailing full stops gone."""
    folded = fold(text)
    for mark, plain in _FOLD_MARKS:
        folded = folded.replace(mark, plain)
    folded = folded.replace("\u00b0 C", "\u00b0C").replace("\u00b0 F", "\u00b0F")
    folded = _SPLIT_PREFIX.sub(r"\1", _SPLIT_KIND.sub(r"\1\2", folded))
    folded = re.sub(r"\s*\bper\b\s*", "/", folded)
    folded = re.sub(r"\s*/\s*", "/", folded)
    return folded.strip().strip("[]").rstrip(".").strip()


@functools.lru_cache(maxsize=4096)
def parse_unit(text: str) -> Unit | None:
    """Read a printed unit; None when it is not one. "" is the unit of a bare number."""
    folded = fold_unit(text)
    if not folded:
        return Unit("")
    if folded.startswith("(") and folded.endswith(")"):
        folded = folded[1:-1].strip()
    if (whole := _single(folded)) is not None:
        return whole
    if len(folded) > 24:
        return None
    parts = folded.split("/")
    if len(parts) > 3:
        return None
    top = _product(parts[0]) if parts[0] not in ("", "1") else ("1", 1.0)
    if top is None or (len(parts) > 1 and not all(parts[1:])):
        return None
    symbol, scale = top
    for part in parts[1:]:
        below = _product(part)
        if below is None or (symbol in _COUNTS and below[0] in _COUNTS):
            return None
        symbol, scale = f"{symbol}/{below[0]}", scale / below[1]
    if symbol in ("bit/s", "B/s") and (parts[0][:1] in _BINARY):
        scale = _SCALE[parts[0][0]]  # data rates count in thousands, memory in 1024
    return Unit({"sample/s": "sps", "cycle/s": "Hz"}.get(symbol, symbol), scale)


_PINT_NAMES = {"\u03a9": "ohm", "\u00b0C": "degC", "deg": "degree", "1": "dimensionless", "": "dimensionless"}


class PintUnits:
    """The rest of the world's units. Loads pint at first use (about half a second), once per object."""

    @functools.cached_property
    def _registry(self) -> object:
        import pint

        return pint.UnitRegistry(cache_folder=None)

    def factor(self, source: str, target: str) -> float | None:
        """How many `target` one `source` is, both common symbols; None when they measure different things."""
        import pint

        try:
            made = self._registry.Quantity(1.0, self._name(source)).to(self._name(target))  # type: ignore[attr-defined]
        except (pint.PintError, AttributeError, ValueError, TypeError, AssertionError):
            return None
        return float(made.magnitude)

    def _name(self, symbol: str) -> str:
        spelled = _PINT_NAMES.get(symbol, symbol).replace("\u00b7", "*").replace("\u03a9", "ohm")
        return re.sub(r"\u221a([A-Za-z]+)", r"(\1**0.5)", spelled).replace("^", "**")


@functools.lru_cache(maxsize=1)
def pint_units() -> PintUnits:
    """The process's one slow registry, itself still unloaded."""
    return PintUnits()


def to_common(value: float, unit: Unit) -> float:
    """Printed value to the common form; results are rounded to 12 significant digits so that 0.1 mA is 0.0001 A."""
    return float(f"{value * unit.factor + unit.offset:.12g}")


def convert(value: float, symbol: str, target: Unit) -> float | None:
    """A value in the common form `symbol`, expressed in `target`; None if they measure different things."""
    if symbol != target.symbol:
        if {symbol, target.symbol} == {"K", "\u00b0C"}:
            value += 273.15 if target.symbol == "K" else -273.15
        else:
            factor = pint_units().factor(symbol, target.symbol)
            if factor is None:
                return None
            value *= factor
    return float(f"{(value - target.offset) / target.factor:.12g}")


def comparable(left: str, right: str) -> bool:
    """Whether two common symbols measure the same thing. Bare counts compare with counted nouns."""
    if left == right:
        return True
    counts = ("", *_COUNTS)
    return left in counts and right in counts and "" in (left, right)
