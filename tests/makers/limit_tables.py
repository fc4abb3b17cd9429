"""Random electrical-characteristics tables with their truth, for the tables benchmark and property tests.

Everything is made up from a seed: parameters, figures, rulings, fonts, paddings, spans, blanks and page breaks.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

LIMITS = ("MIN", "TYP", "MAX")
_NAMES = {
    "PARAMETER": ("PARAMETER", "Parameter", "Characteristic", "CHARACTERISTICS"),
    "SYMBOL": ("SYMBOL", "Symbol", "Sym."),
    "CONDITIONS": ("CONDITIONS", "Test Conditions", "TEST CONDITION", "Conditions"),
    "MIN": ("MIN", "Min", "Min.", "MIN."),
    "TYP": ("TYP", "Typ", "Typ.", "TYP."),
    "MAX": ("MAX", "Max", "Max.", "MAX."),
    "UNIT": ("UNIT", "Unit", "UNITS", "Units"),
    "NOTES": ("NOTES", "Notes"),
}
_PARAMETERS = (
    ("Supply voltage", "V", "CC", "V"),
    ("Quiescent current", "I", "Q", "µA"),
    ("Input offset voltage", "V", "OS", "mV"),
    ("Input bias current", "I", "B", "nA"),
    ("Output voltage swing", "V", "O", "V"),
    ("Reset pulse width", "t", "RST", "ns"),
    ("Large signal voltage gain", "A", "VOL", "dB"),
    ("Common-mode rejection ratio", "", "CMRR", "dB"),
    ("Slew rate", "", "SR", "V/µs"),
    ("Thermal resistance, junction to ambient", "R", "θJA", "°C/W"),
    ("Reference voltage", "V", "REF", "V"),
    ("Standby current", "I", "SB", "µA"),
    ("Clock frequency", "f", "CLK", "MHz"),
    ("High-level input voltage", "V", "IH", "V"),
    ("Low-level output voltage", "V", "OL", "V"),
    ("Input leakage current at any pin, including the reset pin", "I", "LI", "µA"),
    ("Pin capacitance", "C", "IO", "pF"),
    ("Data hold time after the rising edge of the clock", "t", "DH", "ns"),
    ("Settling time", "t", "S", "µs"),
    ("Output impedance", "Z", "OUT", "kΩ"),
    ("Line regulation", "", "REG", "%/V"),
    ("Dropout voltage", "V", "DO", "mV"),
)
_CONDITIONS = (
    "VCC = 5 V", "TA = 25 °C", "IOUT = 10 mA", "RL = 2 kΩ to ground", "f = 1 kHz", "-40 °C ≤ TA ≤ 85 °C", "VIN = 0 V",
    "no load", "CL = 50 pF, RL = 10 kΩ", "VCC = 2.7 V to 5.5 V, outputs open, all inputs at VCC or ground",
    "IOUT = 1 mA to 100 mA, TJ = 0 °C to 125 °C", "VREF = 2.5 V; 10-bit mode; conversion running",
)  # fmt: skip
_SECTIONS = ("DC CHARACTERISTICS", "AC CHARACTERISTICS", "POWER SUPPLY", "LOGIC INPUTS (VCC = 5 V)", "OUTPUT STAGE")


@dataclass(frozen=True)
class Style:
    """How one table is drawn."""

    rulings: str
    """grid, rows, frame (outer box and verticals), open (rules round head and foot), none"""
    font: str
    bold: str
    size: float
    pad: float
    leading: float
    middle: bool
    """Cells are centred vertically in their row, else set at the top."""
    centred: bool
    spans: bool
    """Labels and units are printed once for the rows of a parameter, in a cell over all of them."""
    turn: str
    """"", "page" (page rotated by 90 degrees), "text" (text on its side on an upright page)"""
    prose: bool
    notes: bool


@dataclass(frozen=True)
class Line:
    """One logical row: texts per column, the parameter it belongs to, or a sub-header."""

    cells: tuple[str, ...]
    group: int
    section: str
    label: bool = False


@dataclass(frozen=True)
class LimitTable:
    """A generated table: headers, groups over the limit columns, and its rows."""

    seed: int
    style: Style
    caption: str
    kinds: tuple[str, ...]
    names: tuple[str, ...]
    groups: tuple[str, ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...]
    plain: frozenset[int] = field(default_factory=frozenset)
    """Columns whose text is the same for all rows of a parameter."""

    @property
    def rows(self) -> list[Line]:
        return [line for line in self.lines if not line.label]


def make(seed: int) -> LimitTable:
    """The table of a seed."""
    rng = random.Random(seed)
    kinds, groups = _columns(rng)
    names = _names(rng, kinds)
    lines = _lines(rng, kinds, groups)
    notes = ("Note 1: Guaranteed by design, not tested in production.",) if rng.random() < 0.5 else ()
    plain = frozenset(i for i, kind in enumerate(kinds) if kind in ("PARAMETER", "SYMBOL", "UNIT"))
    caption = rng.choice(("ELECTRICAL CHARACTERISTICS", "Table 3. Electrical characteristics", "DC Specifications"))
    return LimitTable(seed, _style(rng, kinds), caption, kinds, names, groups, lines, notes, plain)


def _columns(rng: random.Random) -> tuple[tuple[str, ...], tuple[str, ...]]:
    order = [["PARAMETER", "SYMBOL"], ["SYMBOL", "PARAMETER"], ["PARAMETER"]][rng.choice((0, 0, 0, 1, 1, 2))]
    kinds = list(order)
    if rng.random() < 0.8:
        kinds.append("CONDITIONS")
    limits = list(LIMITS) if rng.random() < 0.8 else ["MIN", "MAX"]
    groups = [""]
    if rng.random() < 0.25:
        groups = rng.choice((["SHX10", "SHX10L"], ["TA = 25 °C", "-40 °C to 85 °C"], ["SHA1A", "SHA1B"]))
    spread = [""] * len(kinds)
    for group in groups:
        kinds += limits
        spread += [group] * len(limits)
    kinds.append("UNIT")
    if rng.random() < 0.15:
        kinds.append("NOTES")
    if "CONDITIONS" in kinds and len(groups) == 1 and rng.random() < 0.15:
        # Conditions at the right, as some makers set them.
        kinds.remove("CONDITIONS")
        spread.remove("")
        kinds.append("CONDITIONS")
    spread += [""] * (len(kinds) - len(spread))
    return tuple(kinds), tuple(spread)


def _names(rng: random.Random, kinds: tuple[str, ...]) -> tuple[str, ...]:
    chosen = {kind: rng.choice(_NAMES[kind]) for kind in sorted(set(kinds) - set(LIMITS))}
    form = rng.randrange(4)
    return tuple(_NAMES[kind][form] if kind in LIMITS else chosen[kind] for kind in kinds)


def _lines(rng: random.Random, kinds: tuple[str, ...], groups: tuple[str, ...]) -> tuple[Line, ...]:
    sections = rng.random() < 0.3
    section = ""
    lines: list[Line] = []
    long = rng.random() < 0.15
    for group, entry in enumerate(rng.sample(_PARAMETERS, len(_PARAMETERS) if long else rng.randint(4, 14))):
        if sections and (group == 0 or rng.random() < 0.2):
            section = rng.choice([s for s in _SECTIONS if s != section])
            lines.append(Line((section,), -1, section, label=True))
        count = rng.choice((1, 1, 1, 2, 3)) if "CONDITIONS" in kinds else 1
        count += long and "CONDITIONS" in kinds
        conditions = rng.sample(_CONDITIONS, count)
        if count == 1 and rng.random() < 0.3:
            conditions = [""]
        note = str(rng.randint(1, 4)) if rng.random() < 0.4 else ""
        for condition in conditions:
            limits = _limit_sets(rng, entry[3], kinds, groups)
            lines.append(Line(_cells(kinds, groups, entry, condition, limits, note), group, section))
    return tuple(lines)


def _cells(
    kinds: tuple[str, ...],
    groups: tuple[str, ...],
    entry: tuple[str, str, str, str],
    condition: str,
    limits: list[dict[str, str]],
    note: str,
) -> tuple[str, ...]:
    fixed = {"PARAMETER": entry[0], "SYMBOL": entry[1] + entry[2], "UNIT": entry[3]}
    fixed |= {"CONDITIONS": condition, "NOTES": note}
    order = [group for i, group in enumerate(groups) if group and group not in groups[:i]] or [""]
    found = []
    for kind, group in zip(kinds, groups, strict=True):
        found.append(limits[order.index(group)][kind] if kind in LIMITS else fixed[kind])
    return tuple(found)


def _limit_sets(rng: random.Random, unit: str, kinds: tuple[str, ...], groups: tuple[str, ...]) -> list[dict[str, str]]:
    """Limits for every group of columns; at least one of those the table has is printed."""
    while True:
        found = [_limits(rng, unit) for _ in range(max(1, len(set(groups) - {""})))]
        if any(limits[kind] for limits in found for kind in kinds if kind in LIMITS):
            return found


def _limits(rng: random.Random, unit: str) -> dict[str, str]:
    """MIN, TYP and MAX with blanks, at least one printed."""
    low = rng.choice((0.001, 0.1, 1.0, 10.0, 100.0)) * rng.uniform(1, 9)
    places = rng.choice((0, 1, 2, 3)) if low >= 1 else 3
    low, typ, high = (round(low * factor, places) for factor in (1.0, 1.4, 2.1))
    texts = [f"{value:.{places}f}" for value in (low, typ, high)]
    form = rng.random()
    if form < 0.1:
        texts = ["", f"±{texts[1]}", f"±{texts[2]}"]
    elif form < 0.2:
        texts = [f"-{text}" for text in reversed(texts)]
    elif form < 0.25 and unit == "V":
        texts = ["0.7 × VCC", "", "VCC + 0.3"]
    kept = rng.choice(((1, 1, 1), (0, 1, 1), (0, 0, 1), (1, 0, 1), (1, 0, 0), (0, 1, 0), (1, 1, 0)))
    shown = [text if keep else "" for text, keep in zip(texts, kept, strict=True)]
    if not any(shown):
        shown[2] = texts[2]
    return dict(zip(LIMITS, shown, strict=True))


def _style(rng: random.Random, kinds: tuple[str, ...]) -> Style:
    font, bold = rng.choice((("helv", "hebo"), ("tiro", "tibo"), ("helv", "hebo")))
    wide = len(kinds) > 8
    return Style(
        rulings=rng.choice(("grid", "grid", "rows", "frame", "open", "none")),
        font=font,
        bold=bold,
        size=rng.choice((6.5, 7.0)) if wide else rng.choice((7.0, 8.0, 9.0)),
        pad=rng.choice((1.5, 2.5, 4.0)),
        leading=rng.choice((1.1, 1.2, 1.3)),
        middle=rng.random() < 0.3,
        centred=rng.random() < 0.6,
        spans=rng.random() < 0.8,
        turn=rng.choice(("", "", "", "", "page", "text")),
        prose=rng.random() < 0.6,
        notes=rng.random() < 0.5,
    )
