"""Look-alikes of the SHF317: the low-current SHF317L and the negative SHF337."""

from __future__ import annotations

from tests.makers.parts.columns import LIMIT_COLUMNS, RATING_COLUMNS
from tests.makers.sheets.describe import (
    Beside,
    Column,
    Drawing,
    Grid,
    Head,
    Items,
    Para,
    Sheet,
    Style,
    rows,
)

SHF317L = Sheet(
    file="shf317l.pdf",
    title=("SHF317L", "90-mA Adjustable Positive Regulator"),
    parts=("SHF317L",),
    style=Style(heads=(11.0, 9.5, 9.0)),
    header=("SHF317L 90-mA Adjustable Regulator", "", "Fernhill Semiconductor"),
    footer=("", "Rev. B  Page {page} of {pages}", ""),
    blocks=(
        Head("1 Features"),
        Items(
            (
                "Output adjustable from 1.24 V to 30 V",
                "90 mA output current",
                "Maximum adjustment pin current 80 µA",
                "SO-8 and TO-92 packages",
            )
        ),
        Head("2 Description"),
        Para(
            "The SHF317L is the low-current member of the SHF317 family. It serves where the 1.4 A of the SHF317 are not "
            "needed, for instance as a local regulator on a card. The pinout of the TO-92 package differs from that of "
            "the SHF317 in TO-220; do not exchange them without checking."
        ),
        Head("3 Specifications"),
        Head("3.1 Absolute Maximum Ratings", 2),
        Grid(
            RATING_COLUMNS,
            rows(
                """
                Input-to-output differential voltage | V_{I}-V_{O} | 35 | V
                Operating junction temperature | T_{J} | -25 to 125 | °C
                Storage temperature | T_{STG} | -65 to 150 | °C
                ESD rating, human body model | V_{ESD} | 2 | kV
                """
            ),
            rules="none",
            caption="Table 1. Absolute maximum ratings",
        ),
        Head("3.2 Thermal Information", 2),
        Grid(
            (
                Column("THERMAL METRIC", "parameter", 2.4),
                Column("TO-92", "value", 0.8, ("SHF317L",)),
                Column("SO-8", "value", 0.8, ("SHF317L",)),
                Column("UNIT", "unit", 0.6),
            ),
            rows(
                """
                Junction-to-ambient thermal resistance | 157 | 119 | °C/W
                Junction-to-case thermal resistance | 81 | 52 | °C/W
                """
            ),
            rules="rows",
            caption="Table 2. Thermal information",
        ),
        Head("3.3 Electrical Characteristics", 2),
        Grid(
            LIMIT_COLUMNS,
            rows(
                """
                Reference voltage | V_{REF} | I_{O} = 5 mA to 90 mA | 1.19 | 1.24 | 1.29 | V
                Line regulation | REG_{LINE} | V_{I}-V_{O} = 3 V to 35 V | | 0.015 | 0.05 | %/V
                Load regulation | REG_{LOAD} | I_{O} = 5 mA to 90 mA | | 0.12 | 0.6 | %
                Adjustment pin current | I_{ADJ} | | | 44 | 80 | µA
                Minimum load current | I_{O(MIN)} | V_{I}-V_{O} = 35 V | | 2.4 | 4.5 | mA
                Current limit | I_{LIM} | V_{I}-V_{O} ≤ 13 V | 90 | 180 | 290 | mA
                Ripple rejection | RR | f = 120 Hz, C_{ADJ} = 10 µF | 62 | 76 | | dB
                Output noise | e_{N} | 10 Hz to 10 kHz | | 0.004 | | %
                """
            ),
            rules="none",
            caption="Table 3. Electrical characteristics (T_{J} = 25 °C, I_{O} = 40 mA unless otherwise noted)",
        ),
        Head("4 Application Information"),
        Head("4.1 Setting the Output", 2),
        Para(
            "Choose R1 between 120 Ω and 470 Ω so that the minimum load current flows through the divider. With R1 = "
            "270 Ω the divider alone draws 4.6 mA, which is enough to keep the output in regulation without any load."
        ),
        Head("4.2 Layout", 2),
        Para(
            "Place the input capacitor within 10 mm of pins IN and GND of the divider. Copper connected to the output "
            "pins of the SO-8 package carries away most of the heat: 2 cm² lowers the thermal resistance to 95 °C/W."
        ),
        Drawing("1", "Adjustable regulator with SHF317L", "circuit", ("IN", "SHF317L", "OUT", "270 Ω", "R2", "1 µF")),
        Head("5 Device Support"),
        Para("For currents up to 1.4 A see SHF317. For negative outputs see SHF337. Ordering code: SHF317L-Z (TO-92)."),
    ),
)

SHF337 = Sheet(
    file="SHF337.pdf",
    title=("SHF337", "1.3-A Adjustable Negative Voltage Regulator"),
    parts=("SHF337",),
    style=Style(family="serif", body=9.5, rule_under_head=True),
    header=("SHF337", "", "Fernhill Semiconductor"),
    footer=("Rev. B  Page {page} of {pages}", "", ""),
    bookmarks=True,
    blocks=(
        Beside(
            (
                (
                    Head("Features"),
                    Items(
                        (
                            "Output adjustable from -1.25 V to -34 V",
                            "Output current up to 1.3 A",
                            "Line regulation typically 0.01 %/V",
                            "Ripple rejection typically 75 dB",
                        )
                    ),
                ),
                (
                    Head("Description"),
                    Para(
                        "The SHF337 is an adjustable negative regulator, the complement of the SHF317. It can deliver "
                        "more than 1.3 A over an output range of -1.25 V to -34 V and needs two resistors and one "
                        "output capacitor for frequency compensation."
                    ),
                ),
            )
        ),
        Head("Absolute Maximum Ratings"),
        Grid(
            RATING_COLUMNS,
            rows(
                """
                Input-to-output differential voltage | V_{I}-V_{O} | -40 | V
                Operating junction temperature | T_{J} | -40 to 125 | °C
                Storage temperature | T_{STG} | -65 to 150 | °C
                Lead temperature (soldering, 10 s) | T_{L} | 300 | °C
                """
            ),
            caption="Table 1. Absolute maximum ratings",
        ),
        Head("Electrical Characteristics"),
        Grid(
            LIMIT_COLUMNS,
            rows(
                """
                Reference voltage | V_{REF} | T_{J} = 25 °C | -1.225 | -1.250 | -1.275 | V
                " | " | T_{J} = 0 °C to 125 °C | -1.20 | -1.25 | -1.30 | V
                Line regulation | REG_{LINE} | V_{I}-V_{O} = 3 V to 38 V | | 0.01 | 0.04 | %/V
                Adjustment pin current | I_{ADJ} | | | 62 | 105 | µA
                Minimum load current | I_{O(MIN)} | V_{I}-V_{O} ≤ 38 V | | 2.8 | 6 | mA
                " | " | V_{I}-V_{O} ≤ 10 V | | 1.6 | 4 | mA
                Current limit | I_{LIM} | V_{I}-V_{O} ≤ 15 V | 1.3 | 2.0 | | A
                Ripple rejection | RR | f = 120 Hz, C_{ADJ} = 10 µF | 66 | 75 | | dB
                """
            ),
            rules="groups",
            caption="Table 2. Electrical characteristics (V_{I}-V_{O} = 5 V, I_{O} = 500 mA unless otherwise noted)",
            notes=("(1) The output capacitor is needed for stability: 1 µF solid tantalum or 10 µF aluminum.",),
        ),
        Head("Application Information"),
        Head("Frequency Compensation", 2),
        Para(
            "Unlike positive regulators the SHF337 needs an output capacitor. A 1 µF solid tantalum or a 10 µF aluminum "
            "electrolytic capacitor is suf\ufb01cient; the part oscillates without it. The equivalent series resistance "
            "must stay below 3 Ω."
        ),
        Head("Split Supplies", 2),
        Para(
            "Together with an SHF317 the SHF337 makes a tracking split supply. Application note SHN-12 gives the circuit "
            "and the start-up behaviour."
        ),
        Drawing("1", "Adjustable negative regulator", "circuit", ("-VIN", "SHF337", "-VOUT", "C1 1 µF", "120 Ω", "R2")),
        Head("Ordering Information"),
        Para("SHF337-T in TO-220, tube of 50; SHF337-D in TO-263, reel of 800."),
    ),
)

SHEETS = (SHF317L, SHF337)
