"""The adjustable regulator SHF317 in two revisions."""

from __future__ import annotations

from tests.makers.parts.columns import LIMIT_COLUMNS, RATING_COLUMNS
from tests.makers.sheets.describe import (
    Beside,
    Column,
    Columns,
    Drawing,
    Grid,
    Head,
    Items,
    Para,
    Sheet,
    limits,
    rows,
)

SHF317 = Sheet(
    file="shf317.pdf",
    title=("SHF317", "1.4-A Adjustable Positive Voltage Regulator"),
    parts=("SHF317", "SHF317A"),
    header=("SHF317", "", "Fernhill Semiconductor"),
    footer=("Rev. C", "March 2019", "Page {page} of {pages}"),
    bookmarks=True,
    metadata_title="SHF317 Adjustable Regulator",
    blocks=(
        Beside(
            (
                (
                    Head("Features"),
                    Items(
                        (
                            "Output adjustable from 1.24 V to 36 V",
                            "Output current up to 1.4 A",
                            "Line regulation typically 0.012 %/V",
                            "Load regulation typically 0.15 %",
                            "Thermal overload and short-circuit pro\u00adtection",
                            "Available in TO-220 and TO-263 packages",
                        )
                    ),
                ),
                (
                    Head("Applications"),
                    Items(
                        (
                            "Bench supplies and battery chargers",
                            "Constant-current lamp drivers",
                            "Post-regulation of switching converters",
                            "Replacement of fixed regulators",
                        )
                    ),
                ),
                (
                    Head("Description"),
                    Para(
                        "The SHF317 is an adjustable three-terminal positive regulator that supplies more than 1.4 A "
                        "over an output range of 1.24 V to 36 V. Two external resistors set the output voltage. For "
                        "currents below 90 mA use the SHF317L. For negative voltages see SHF337."
                    ),
                ),
            )
        ),
        Drawing("1", "Typical application", "circuit", ("VIN", "SHF317", "VOUT", "C1 0.1 µF", "R1 240 Ω", "R2", "C2")),
        Head("Pin Functions"),
        Grid(
            (
                Column("PIN", "key", 0.5),
                Column("NAME", "other", 0.8),
                Column("TO-220", "other", 0.6),
                Column("TO-263", "other", 0.6),
                Column("FUNCTION", "other", 3.0),
            ),
            rows(
                """
                1 | ADJ | 1 | 1 | Adjustment terminal; connect to the divider between output and ground
                2 | OUT | 2, tab | 2, tab | Regulated output; decouple with 1 µF or more
                3 | IN | 3 | 3 | Unregulated input
                """
            ),
            caption="Table 1. Pin functions",
        ),
        Head("Absolute Maximum Ratings"),
        Para("Stresses above these ratings may damage the device permanently. Operation at them is not implied."),
        Grid(
            RATING_COLUMNS,
            rows(
                """
                Input-to-output differential voltage | V_{I}-V_{O} | 42 | V
                Power dissipation | P_{D} | Internally limited |
                Operating junction temperature | T_{J} | -40 to 125 | °C
                Storage temperature | T_{STG} | -65 to 150 | °C
                Lead temperature (soldering, 10 s) | T_{L} | 260 | °C
                ESD rating, human body model | V_{ESD} | 3 | kV
                """
            ),
            caption="Table 2. Absolute maximum ratings",
        ),
        Head("Recommended Operating Conditions"),
        Grid(
            (
                Column("PARAMETER", "parameter", 2.4),
                Column("SYMBOL", "symbol", 0.8),
                *limits("MIN", "NOM", "MAX"),
                Column("UNIT", "unit", 0.55),
            ),
            rows(
                """
                Input-to-output differential voltage | V_{I}-V_{O} | 3 | | 38 | V
                Output current | I_{O} | 8 | | 1400 | mA
                Output capacitor | C_{O} | 1 | 10 | | µF
                Junction temperature | T_{J} | 0 | | 125 | °C
                """
            ),
            caption="Table 3. Recommended operating conditions",
        ),
        Head("Electrical Characteristics"),
        Grid(
            LIMIT_COLUMNS,
            rows(
                """
                Reference voltage | V_{REF} | I_{O} = 10 mA to 1.4 A | 1.20 | 1.24 | 1.28 | V
                Line regulation | REG_{LINE} | T_{J} = 25 °C | | 0.012 | 0.04 | %/V
                " | " | T_{J} = 0 °C to 125 °C | | 0.02 | 0.07 | "
                Load regulation | REG_{LOAD} | V_{O} ≤ 5 V | | 5 | 22 | mV
                " | " | V_{O} > 5 V | | 0.15 | 0.5 | %
                Adjustment pin current | I_{ADJ} | | | 48 | 95 | µA
                Adjustment pin current change | ΔI_{ADJ} | I_{O} = 10 mA to 1.4 A | | 0.3 | 5 | µA
                Minimum load current | I_{O(MIN)} | V_{I}-V_{O} = 38 V | | 3.6 | 8 | mA
                Current limit | I_{LIM} | V_{I}-V_{O} ≤ 15 V | 1.4 | 2.1 | 3.2 | A
                " | " | V_{I}-V_{O} = 38 V | 0.1 | 0.35 | | A
                Ripple rejection | RR | f = 120 Hz, C_{ADJ} = 0 | | 62 | | dB
                " | " | f = 120 Hz, C_{ADJ} = 10 µF | 64 | 78 | | dB
                Output noise | e_{N} | 10 Hz to 10 kHz | | 0.003 | | % of V_{O}
                Thermal resistance, junction to case | R_{θJC} | TO-220 | | 4.2 | | °C/W
                " | " | TO-263 | | 4.8 | | °C/W
                """
            ),
            caption="Table 4. Electrical characteristics (V_{I}-V_{O} = 5 V, I_{O} = 500 mA unless otherwise noted)",
            notes=(
                "(1) Regulation is measured with pulses of low duty cycle so that heating can be neglected.",
                "(2) Current limit falls as the differential voltage rises; see Figure 2.",
            ),
        ),
        Columns(
            (
                Head("Application Information"),
                Head("Output Voltage", 2),
                Para(
                    "The SHF317 keeps 1.24 V between its output and adjustment terminals. This voltage is impressed "
                    "across the program resistor R1 and, since it is constant, a constant current flows through the "
                    "output set resistor R2. The output voltage is V_{O} = 1.24 V × (1 + R2/R1) + I_{ADJ} × R2. "
                    "Because the adjustment current is an error term, the SHF317 was designed to keep it below 95 µA "
                    "and make it very constant with line and load changes. To do this, all quies\u00adcent operating "
                    "current is returned to the output, which establishes a minimum load current. If there is "
                    "insuf\u00adficient load, the output will rise."
                ),
                Head("External Capacitors", 2),
                Para(
                    "An input bypass capacitor of 0.1 µF is recommended when the regulator stands more than 15 cm "
                    "from the supply filter. The adjustment terminal can be bypassed to ground to improve ripple "
                    "rejection; with a 10 µF bypass capacitor 78 dB is obtained at any output level. Values above "
                    "20 µF bring no appreciable gain at 120 Hz."
                ),
                Head("Protection Diodes", 2),
                Para(
                    "When external capacitors are used it is sometimes necessary to add diodes so that they cannot "
                    "discharge through low current points into the regulator. Most 10 µF capacitors have low enough "
                    "series resistance to deliver 20 A spikes when shorted. A diode from output to input is needed "
                    "for output capacitors above 25 µF when the output is higher than 9 V."
                ),
                Head("Load Regulation", 2),
                Para(
                    "The current set resistor should be tied directly to the output of the regulator rather than "
                    "near the load. This elimi\u00adnates line drops from appearing effectively in series with the "
                    "reference. A 15 V regulator with 0.05 Ω between regulator and load shows 0.05 Ω × I_{L}; with "
                    "the resistor at the load the effective line resistance is 11.5 times worse."
                ),
                Head("Heat Sinking", 2),
                Para(
                    "At an ambient temperature of 50 °C and without a heat sink the TO-220 package dissipates no more "
                    "than 1.6 W. Mount the tab with thermal compound; the tab is at output potential and must be "
                    "insulated from a grounded sink."
                ),
                Drawing("2", "Current limit against differential voltage", "curve", ("V", "A", "0", "10", "20", "40")),
            )
        ),
        Head("Ordering Information"),
        Grid(
            (
                Column("ORDER CODE", "key", 1.2),
                Column("REFERENCE TOLERANCE", "other", 1.2),
                Column("PACKAGE", "other", 1.0),
                Column("TEMPERATURE RANGE", "other", 1.4),
                Column("PACKING", "other", 1.0),
            ),
            rows(
                """
                SHF317-T | 3.2 % | TO-220 | 0 °C to 125 °C | Tube of 50
                SHF317-D | 3.2 % | TO-263 | 0 °C to 125 °C | Reel of 800
                SHF317A-T | 1 % | TO-220 | -40 °C to 125 °C | Tube of 50
                SHF317A-D | 1 % | TO-263 | -40 °C to 125 °C | Reel of 800
                """
            ),
            caption="Table 5. Ordering information",
        ),
        Head("Revision History"),
        Grid(
            (Column("REVISION", "key", 0.6), Column("DATE", "other", 0.8), Column("CHANGE", "other", 3.0)),
            rows(
                """
                A | June 2012 | First release
                B | May 2015 | TO-263 package added
                C | March 2019 | Output current raised from 1.2 A to 1.4 A; maximum adjustment pin current 95 µA
                """
            ),
            rules="rows",
        ),
    ),
)

SHF317_OLD = Sheet(
    file="archive/shf317_rev_a.pdf",
    title=("SHF317", "1.2-A Adjustable Positive Voltage Regulator"),
    parts=("SHF317",),
    header=("SHF317", "", "Fernhill Semiconductor"),
    footer=("Rev. A", "June 2012", "Page {page} of {pages}"),
    blocks=(
        Beside(
            (
                (
                    Head("Features"),
                    Items(
                        (
                            "Output adjustable from 1.24 V to 32 V",
                            "Output current up to 1.2 A",
                            "Thermal overload protection",
                            "TO-220 package",
                        )
                    ),
                ),
                (
                    Head("Description"),
                    Para(
                        "The SHF317 is an adjustable three-terminal positive regulator for output currents up to "
                        "1.2 A. It is easy to use and needs only two external resistors to set the output."
                    ),
                ),
            )
        ),
        Head("Absolute Maximum Ratings"),
        Grid(
            RATING_COLUMNS,
            rows(
                """
                Input-to-output differential voltage | V_{I}-V_{O} | 38 | V
                Operating junction temperature | T_{J} | 0 to 125 | °C
                Storage temperature | T_{STG} | -65 to 150 | °C
                """
            ),
            caption="Table 1. Absolute maximum ratings",
        ),
        Head("Electrical Characteristics"),
        Grid(
            LIMIT_COLUMNS,
            rows(
                """
                Reference voltage | V_{REF} | I_{O} = 10 mA to 1.2 A | 1.19 | 1.24 | 1.29 | V
                Adjustment pin current | I_{ADJ} | | | 52 | 110 | µA
                Minimum load current | I_{O(MIN)} | V_{I}-V_{O} = 32 V | | 4 | 10 | mA
                Current limit | I_{LIM} | V_{I}-V_{O} ≤ 15 V | 1.2 | 1.9 | 3.0 | A
                Ripple rejection | RR | f = 120 Hz, C_{ADJ} = 10 µF | 60 | 74 | | dB
                """
            ),
            caption="Table 2. Electrical characteristics (V_{I}-V_{O} = 5 V, I_{O} = 500 mA unless otherwise noted)",
        ),
        Head("Ordering Information"),
        Para("Order code SHF317-T, TO-220 package, tube of 50."),
    ),
)

SHEETS = (SHF317, SHF317_OLD)
