"""Micropower operational amplifiers: the single SHA90 and the dual SHA290."""

from __future__ import annotations

from tests.makers.parts.columns import RATING_COLUMNS
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
    Style,
    limits,
    rows,
)

SHA90 = Sheet(
    file="SHA90.pdf",
    title=("SHA90", "Micropower, Low-Voltage, Precision Operational Amplifier"),
    parts=("SHA90", "SHA90A", "SHA90G"),
    style=Style(heads=(12.0, 10.0, 9.0), capitals=True),
    header=("", "SHA90", ""),
    footer=("Rev. D", "", "Page {page} of {pages}"),
    blocks=(
        Beside(
            (
                (
                    Head("Features"),
                    Items(
                        (
                            "Single supply operation from 1.6 V to 36 V",
                            "Supply current 20 µA maximum",
                            "Input offset voltage 150 µV maximum (SHA90A)",
                            "Input and output ranges include ground",
                            "No nulling needed in most circuits",
                        )
                    ),
                ),
                (
                    Head("Applications"),
                    Items(
                        (
                            "Battery-powered instruments",
                            "Two-wire 4 mA to 20 mA transmitters",
                            "Thermocouple amplifiers",
                            "Portable medical sensors",
                        )
                    ),
                ),
                (
                    Head("General Description"),
                    Para(
                        "The SHA90 is a micropower operational amplifier that works from a single supply of 1.6 V to "
                        "36 V or from dual supplies of ±0.8 V to ±18 V. It draws less than 20 µA, so that a lithium "
                        "cell runs it for years. The dual version is the SHA290."
                    ),
                ),
            )
        ),
        Drawing(
            "1", "Pin connections, 8-lead DIP", "package", ("NULL", "-IN", "+IN", "V-", "NULL", "OUT", "V+", "NC"), 90.0
        ),
        Head("Absolute Maximum Ratings"),
        Grid(
            RATING_COLUMNS,
            rows(
                """
                Supply voltage | V_{S} | ±18 | V
                Differential input voltage | V_{ID} | (V-) - 20 V to (V+) + 20 V |
                Common-mode input voltage | V_{CM} | (V-) - 20 V to (V+) + 20 V |
                Output short-circuit duration | t_{SC} | Indefinite |
                Storage temperature | T_{STG} | -65 to 150 | °C
                Operating temperature, SHA90A and SHA90G | T_{A} | -40 to 85 | °C
                """
            ),
            rules="rows",
            caption="Table 1. Absolute maximum ratings",
            notes=(
                "(1) For supply voltages below ±18 V the absolute maximum input voltage equals the supply voltage.",
            ),
        ),
        Head("Electrical Characteristics"),
        Grid(
            (
                Column("PARAMETER", "parameter", 1.9),
                Column("SYMBOL", "symbol", 0.8),
                Column("CONDITIONS", "condition", 2.0),
                *limits("MIN", "TYP", "MAX", group=("SHA90A",)),
                *limits("MIN", "TYP", "MAX", group=("SHA90G",)),
                Column("UNITS", "unit", 0.6),
            ),
            rows(
                """
                == DC CHARACTERISTICS (V_{S} = ±1.5 V to ±15 V, T_{A} = 25 °C)
                Input offset voltage | V_{OS} | | | 50 | 150 | | 125 | 450 | µV
                Input offset current | I_{OS} | V_{CM} = 0 V | | 0.4 | 3 | | 0.4 | 5 | nA
                Input bias current | I_{B} | V_{CM} = 0 V | | 4 | 15 | | 4 | 25 | nA
                Large-signal voltage gain | A_{VO} | V_{S} = ±15 V, R_{L} = 100 kΩ | 700 | 1200 | | 400 | 800 | | V/mV
                " | " | V_{S} = ±15 V, R_{L} = 10 kΩ | 350 | 600 | | 200 | 400 | | V/mV
                " | " | V+ = 5 V, V- = 0 V, R_{L} = 100 kΩ | 200 | 400 | | 100 | 250 | | V/mV
                Input voltage range | IVR | V+ = 5 V, V- = 0 V | 0 | | 4 | 0 | | 4 | V
                " | " | V_{S} = ±15 V | -15 | | 13.5 | -15 | | 13.5 | V
                Output voltage swing | V_{O} | V_{S} = ±15 V, R_{L} = 10 kΩ | ±14 | ±14.2 | | ±14 | ±14.2 | | V
                " | " | V_{S} = ±15 V, R_{L} = 2 kΩ | ±11 | ±12 | | ±11 | ±12 | | V
                Output voltage high | V_{OH} | V+ = 5 V, R_{L} = 2 kΩ | 4.0 | 4.2 | | 4.0 | 4.2 | | V
                Output voltage low | V_{OL} | V+ = 5 V, R_{L} = 10 kΩ | | 100 | 500 | | 100 | 500 | µV
                Common-mode rejection | CMR | V_{S} = ±15 V | 100 | 130 | | 90 | 120 | | dB
                Power supply rejection ratio | PSRR | | | 1.0 | 5.6 | | 3.2 | 10 | µV/V
                Supply current | I_{SY} | V_{S} = ±1.5 V | | 9 | 15 | | 9 | 15 | µA
                " | " | V_{S} = ±15 V | | 14 | 20 | | 14 | 20 | µA
                Capacitive load stability | C_{L} | A_{V} = 1, no oscillation | 250 | 650 | | 250 | 650 | | pF
                == AC CHARACTERISTICS (V_{S} = ±15 V, T_{A} = 25 °C)
                Slew rate | SR | A_{V} = 1 | 5 | 12 | | 5 | 12 | | V/ms
                Gain-bandwidth product | GBW | A_{V} = 1 | | 20 | | | 20 | | kHz
                Input noise voltage | e_{n p-p} | f = 0.1 Hz to 10 Hz | | 3 | | | 3 | | µV_{p-p}
                Input resistance, differential mode | R_{IN} | V_{S} = ±15 V | | 30 | | | 30 | | MΩ
                Input resistance, common mode | R_{INCM} | V_{S} = ±15 V | | 20 | | | 20 | | GΩ
                == OVER TEMPERATURE (V_{S} = ±1.5 V to ±15 V, -40 °C ≤ T_{A} ≤ 85 °C)
                Input offset voltage | V_{OS} | | | 80 | 270 | | 180 | 675 | µV
                Average offset voltage drift | TCV_{OS} | | | 0.3 | 2 | | 1.2 | 5 | µV/°C
                Input bias current | I_{B} | V_{CM} = 0 V | | 4 | 15 | | 4 | 25 | nA
                Supply current | I_{SY} | V_{S} = ±1.5 V | | 10 | 20 | | 12 | 25 | µA
                " | " | V_{S} = ±15 V | | 16 | 28 | | 16 | 30 | µA
                """
            ),
            caption="Table 2. Electrical characteristics",
            notes=(
                "(1) Guaranteed by common-mode rejection test.",
                "(2) Guaranteed but not 100 % tested.",
            ),
        ),
        Columns(
            (
                Head("Applications Information"),
                Head("Battery-Powered Applications", 2),
                Para(
                    "The SHA90 can be operated on a supply as low as 1.6 V or dual supplies of ±0.8 V, and draws only 9 µA "
                    "of supply current at 3 V. In many battery-powered circuits the SHA90 can be conti\u00adnuously "
                    "operated for thousands of hours before the battery must be replaced. The high energy density of "
                    "lithium cells and their flat discharge curve suit it best. Table 2 gives the supply current over "
                    "temperature."
                ),
                Head("Input Protection", 2),
                Para(
                    "The SHA90 uses a PNP input stage with protective resistors in series with both inputs. The high "
                    "breakdown of the PNP transistors and the resistors provide a large amount of input protection; "
                    "the inputs may be taken 20 V beyond either supply without harm."
                ),
                Head("Offset Nulling", 2),
                Para(
                    "The offset null circuit of Figure 2 provides 6 mV of adjustment range. A 100 kΩ potentiometer with "
                    "its wiper at V- should be used; its settings affect drift by about 0.3 µV/°C for each milli\u00advolt "
                    "that is nulled."
                ),
                Drawing("2", "Offset nulling", "circuit", ("+IN", "SHA90", "OUT", "100 kΩ"), 80.0),
                Head("Single-Supply Output Swing", 2),
                Para(
                    "In single-supply operation the output of the SHA90 swings to within 500 µV of ground with a load of "
                    "10 kΩ. This lets zero-in, zero-out circuits be built without a negative rail. The output sinks less "
                    "current there: below 50 mV it sinks no more than 30 µA."
                ),
            )
        ),
        Head("Ordering Information"),
        Grid(
            (
                Column("MODEL", "key", 1.0),
                Column("V_{OS} MAX AT 25 °C", "other", 1.2),
                Column("PACKAGE", "other", 1.0),
                Column("PACKAGE CODE", "other", 1.0),
            ),
            rows(
                """
                SHA90AZ | 150 µV | 8-lead ceramic DIP | Q-8
                SHA90GP | 450 µV | 8-lead plastic DIP | N-8
                SHA90GS | 450 µV | 8-lead SO | R-8
                """
            ),
            rules="rows",
            caption="Table 3. Ordering information",
        ),
    ),
)

SHA290 = Sheet(
    file="SHA290 dual op amp.pdf",
    title=("SHA290", "Dual Micropower Operational Amplifier"),
    parts=("SHA290",),
    style=Style(heads=(11.5, 10.0, 9.0)),
    header=("SHA290", "", "Data Sheet"),
    footer=("Rev. A", "", "Page {page} of {pages}"),
    metadata_title="untitled",
    blocks=(
        Head("1. General Description"),
        Para(
            "The SHA290 holds two micropower operational amplifiers in one package. Each amplifier is equivalent to an "
            "SHA90G. The amplifiers work from a single supply of 1.8 V to 36 V, and their inputs and outputs reach the "
            "negative rail."
        ),
        Head("2. Features"),
        Items(
            (
                "Supply current 36 µA maximum for both amplifiers",
                "Matched offset: 200 µV between channels",
                "Channel separation 125 dB typical",
                "8-lead SO and DIP packages",
            )
        ),
        Head("3. Ratings and Characteristics"),
        Head("3.1. Absolute Maximum Ratings", 2),
        Grid(
            RATING_COLUMNS,
            rows(
                """
                Supply voltage | V_{S} | ±18 | V
                Output short-circuit duration | t_{SC} | Indefinite |
                Storage temperature | T_{STG} | -65 to 150 | °C
                Operating temperature | T_{A} | -25 to 85 | °C
                Junction temperature | T_{J} | -65 to 150 | °C
                """
            ),
            rules="none",
        ),
        Head("3.2. Electrical Characteristics", 2),
        Para("V_{S} = ±1.5 V to ±15 V, T_{A} = 25 °C, unless otherwise noted."),
        Grid(
            (
                Column("Parameter", "parameter", 2.2),
                Column("Symbol", "symbol", 0.8),
                Column("Conditions", "condition", 2.1),
                *limits("Min", "Typ", "Max"),
                Column("Unit", "unit", 0.6),
            ),
            rows(
                """
                Input offset voltage | V_{OS} | | | 120 | 500 | µV
                Input offset current | I_{OS} | V_{CM} = 0 V | | 0.5 | 5 | nA
                Input bias current | I_{B} | V_{CM} = 0 V | | 4 | 25 | nA
                Supply current, both amplifiers | I_{SY} | V_{S} = ±1.5 V, no load | | 18 | 30 | µA
                Supply current, both amplifiers | I_{SY} | V_{S} = ±15 V, no load | | 26 | 36 | µA
                Slew rate | SR | A_{V} = 1, V_{S} = ±15 V | 5 | 12 | | V/ms
                Gain-bandwidth product | GBW | V_{S} = ±15 V | | 20 | | kHz
                Channel separation | CS | f = 10 Hz, V_{O} = 20 V_{p-p} | 110 | 125 | | dB
                Common-mode rejection | CMR | V_{S} = ±15 V | 90 | 110 | | dB
                Offset match between channels | ΔV_{OS} | | | 75 | 200 | µV
                """
            ),
            rules="none",
        ),
        Head("4. Using the Second Amplifier"),
        Para(
            "An amplifier that is not used should be connected as a follower with its input at mid-supply. Leaving the "
            "inputs open lets the output saturate and raises the supply current by up to 60 µA."
        ),
        Drawing(
            "1",
            "Pin configuration",
            "package",
            ("OUT A", "-IN A", "+IN A", "V-", "+IN B", "-IN B", "OUT B", "V+"),
            90.0,
        ),
        Head("5. Ordering"),
        Para("SHA290GP: 8-lead plastic DIP. SHA290GS: 8-lead SO, reel of 2500."),
    ),
)

SHEETS = (SHA90, SHA290)
