"""A decoder whose file name lies about the family it belongs to."""

from __future__ import annotations

from tests.makers.parts.columns import RATING_COLUMNS
from tests.makers.sheets.describe import Beside, Column, Drawing, Grid, Head, Items, Para, Sheet, limits, rows

DECODER = Sheet(
    file="74ls138 decoder.pdf",
    title=("SHD74AHC138", "3-to-8 Line Decoder/Demultiplexer"),
    parts=("SHD74AHC138",),
    header=("SHD74AHC138", "", "Product specification"),
    footer=("2001 Sep 17", "", "{page}"),
    blocks=(
        Beside(
            (
                (
                    Head("Features"),
                    Items(
                        (
                            "Supply voltage from 2.0 V to 5.5 V",
                            "Three enable inputs for expansion",
                            "Balanced propagation delays",
                            "Mutually exclusive active-low outputs",
                        )
                    ),
                ),
                (
                    Head("General Description"),
                    Para(
                        "The SHD74AHC138 is a high-speed CMOS decoder that accepts three binary weighted inputs (A0, A1, "
                        "A2) and, when enabled, provides eight active-low outputs (Y0 to Y7). It replaces the older "
                        "74LS138 and needs a thousandth of its supply current."
                    ),
                ),
            )
        ),
        Head("Quick Reference Data"),
        Grid(
            (
                Column("SYMBOL", "symbol", 0.8),
                Column("PARAMETER", "parameter", 2.0),
                Column("CONDITIONS", "condition", 2.0),
                Column("TYPICAL", "typ", 0.8),
                Column("UNIT", "unit", 0.6),
            ),
            rows(
                """
                t_{PD} | propagation delay A_{n} to Y_{n} | C_{L} = 15 pF, V_{CC} = 5 V | 4.2 | ns
                C_{I} | input capacitance | V_{I} = V_{CC} or GND | 3.0 | pF
                C_{PD} | power dissipation capacitance | f = 1 MHz | 15 | pF
                """
            ),
            rules="rows",
        ),
        Head("Function Table"),
        Grid(
            (
                Column("E1", "key", 0.5, ("INPUTS",)),
                *(Column(name, "other", 0.5, ("INPUTS",)) for name in ("E2", "E3", "A0", "A1", "A2")),
                *(Column(f"Y{index}", "other", 0.5, ("OUTPUTS",)) for index in range(8)),
            ),
            rows(
                """
                H | X | X | X | X | X | H | H | H | H | H | H | H | H
                X | H | X | X | X | X | H | H | H | H | H | H | H | H
                X | X | L | X | X | X | H | H | H | H | H | H | H | H
                L | L | H | L | L | L | L | H | H | H | H | H | H | H
                L | L | H | H | L | L | H | L | H | H | H | H | H | H
                L | L | H | L | H | L | H | H | L | H | H | H | H | H
                L | L | H | H | H | L | H | H | H | L | H | H | H | H
                L | L | H | L | L | H | H | H | H | H | L | H | H | H
                L | L | H | H | L | H | H | H | H | H | H | L | H | H
                L | L | H | L | H | H | H | H | H | H | H | H | L | H
                L | L | H | H | H | H | H | H | H | H | H | H | H | L
                """
            ),
            caption="Table 1. Function table",
            notes=("H = high level, L = low level, X = don't care.",),
        ),
        Head("Limiting Values"),
        Grid(
            RATING_COLUMNS,
            rows(
                """
                DC supply voltage | V_{CC} | -0.5 to 7.0 | V
                Input voltage | V_{I} | -0.5 to 7.0 | V
                Output sink or source current | I_{O} | ±25 | mA
                Supply current through V_{CC} or GND | I_{CC} | ±75 | mA
                Storage temperature | T_{stg} | -65 to 150 | °C
                """
            ),
            caption="Table 2. Limiting values",
        ),
        Head("DC Characteristics"),
        Grid(
            (
                Column("PARAMETER", "parameter", 1.8),
                Column("SYMBOL", "symbol", 0.8),
                Column("CONDITIONS", "condition", 1.8),
                Column("V_{CC} (V)", "condition", 0.8),
                *limits("MIN", "TYP", "MAX", group=("T_{amb} = 25 °C",)),
                *limits("MIN", "MAX", group=("-40 to 85 °C",)),
                Column("UNIT", "unit", 0.6),
            ),
            rows(
                """
                high-level input voltage | V_{IH} | | 2.0 | 1.5 | | | 1.5 | | V
                " | " | | 5.5 | 3.85 | | | 3.85 | | V
                low-level input voltage | V_{IL} | | 2.0 | | | 0.5 | | 0.5 | V
                " | " | | 5.5 | | | 1.65 | | 1.65 | V
                high-level output voltage | V_{OH} | I_{O} = -8 mA | 4.5 | 3.94 | | | 3.8 | | V
                low-level output voltage | V_{OL} | I_{O} = 8 mA | 4.5 | | | 0.36 | | 0.44 | V
                input leakage current | I_{I} | V_{I} = V_{CC} or GND | 5.5 | | | 0.1 | | 1.0 | µA
                quiescent supply current | I_{CC} | V_{I} = V_{CC} or GND, I_{O} = 0 | 5.5 | | | 4.0 | | 40 | µA
                """
            ),
            caption="Table 3. DC characteristics",
        ),
        Head("Pinning"),
        Drawing(
            "1",
            "Pin configuration",
            "package",
            ("A0", "A1", "A2", "E1", "E2", "E3", "Y7", "GND", "Y6", "Y5", "Y4", "Y3", "Y2", "Y1", "Y0", "VCC"),
            120.0,
        ),
        Head("Expansion"),
        Para(
            "Four SHD74AHC138 and one inverter make a 1-of-32 decoder. An SHD74AHC138 can serve as a demultiplexer when "
            "one of the enable inputs is used as the data input."
        ),
    ),
)

SHEETS = (DECODER,)
