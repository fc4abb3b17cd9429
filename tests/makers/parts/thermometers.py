"""Digital thermometers: the 3-wire SHT1620 and its 2-wire sibling SHT1621."""

from __future__ import annotations

from tests.makers.parts.columns import LIMIT_COLUMNS
from tests.makers.sheets.describe import Beside, Column, Columns, Drawing, Grid, Head, Items, Para, Sheet, Style, rows

SHT1620 = Sheet(
    file="thermometers/SHT1620.pdf",
    title=("SHT1620", "Digital Thermometer and Thermostat"),
    parts=("SHT1620",),
    style=Style(heads=(11.0, 9.5, 9.0), capitals=True),
    header=("SHT1620", "", ""),
    footer=("", "{page} of {pages}", "071503"),
    blocks=(
        Beside(
            (
                (
                    Head("Features"),
                    Items(
                        (
                            "Needs no external components",
                            "Supply voltage range 2.7 V to 5.5 V",
                            "Measures -55 °C to +125 °C in 0.5 °C steps",
                            "Reads as a 9-bit value",
                            "Converts temperature in 650 ms (max)",
                            "Thermostatic settings are user definable and nonvolatile",
                            "Data is read and written over a 3-wire interface (CLK, DQ, RST)",
                            "8-pin DIP or SO package",
                        )
                    ),
                ),
                (
                    Drawing(
                        "1",
                        "Pin assignment",
                        "package",
                        ("DQ", "CLK", "RST", "GND", "TCOM", "TLOW", "THIGH", "VDD"),
                        90.0,
                    ),
                    Head("Description"),
                    Para(
                        "The SHT1620 gives 9-bit temperature readings. With three thermal alarm outputs it can also act "
                        "as a thermostat without a processor. THIGH is driven high when the temperature is at or above "
                        "the limit TH."
                    ),
                ),
            )
        ),
        Head("Operation"),
        Head("Measuring Temperature", 2),
        Para(
            "The temperature is measured by counting clock cycles of an oscillator with a low temperature coefficient "
            "during a gate period set by an oscillator with a high one. The reading is given in two's complement."
        ),
        Grid(
            (
                Column("TEMPERATURE", "key", 1.0),
                Column("DIGITAL OUTPUT (BINARY)", "other", 1.6),
                Column("DIGITAL OUTPUT (HEX)", "other", 1.2),
            ),
            rows(
                """
                +125 °C | 0 11111010 | 00FA
                +25 °C | 0 00110010 | 0032
                +0.5 °C | 0 00000001 | 0001
                0 °C | 0 00000000 | 0000
                -0.5 °C | 1 11111111 | 01FF
                -25 °C | 1 11001110 | 01CE
                -55 °C | 1 10010010 | 0192
                """
            ),
            caption="Table 1. Temperature and data",
        ),
        Head("Thermostat Controls", 2),
        Para(
            "TLOW goes high when the measured temperature falls to or below TL. TCOM goes high when the temperature "
            "exceeds TH and stays high until it falls below TL, which gives any amount of hysteresis."
        ),
        Head("Configuration Register", 2),
        Grid(
            (Column("BIT", "key", 0.5), Column("NAME", "other", 0.7), Column("MEANING", "other", 3.0)),
            rows(
                """
                7 | DONE | 1 when a conversion is complete
                6 | THF | Temperature high flag; set until reset by writing 0 or by power-down
                5 | TLF | Temperature low flag
                4 | NVB | Nonvolatile memory busy; a write takes 10 ms typical and 50 ms at most
                1 | CPU | 1 selects 3-wire use, 0 lets the part run stand-alone
                0 | 1SHOT | 1 makes one conversion for each start command, 0 converts continuously
                """
            ),
            rules="rows",
            caption="Table 2. Configuration register",
        ),
        Para(
            "The CPU bit is stored in nonvolatile memory that is capable of at least 40,000 writes. Do not write the "
            "configuration more often than needed."
        ),
        Columns(
            (
                Head("Command Set"),
                Grid(
                    (Column("INSTRUCTION", "key", 1.4), Column("PROTOCOL", "other", 0.9), Column("DATA", "other", 1.6)),
                    rows(
                        """
                        Read temperature | AAh | 9 bits out
                        Start convert T | EEh | none
                        Stop convert T | 22h | none
                        Write TH | 01h | 9 bits in
                        Write TL | 02h | 9 bits in
                        Read TH | A1h | 9 bits out
                        Read TL | A2h | 9 bits out
                        Write config | 0Ch | 8 bits in
                        Read config | ACh | 8 bits out
                        """
                    ),
                    caption="Table 3. Command set",
                ),
                Head("3-Wire Interface"),
                Para(
                    "All data transfers start by driving RST high. A low RST ends the transfer and puts DQ into a high "
                    "impedance state. Data is sent with the least significant bit first. For a bus with addresses use "
                    "the SHT1621, which speaks a 2-wire protocol. The SHT1620 has no address and every part needs its "
                    "own RST line; the CLK and DQ lines can be shared by as many parts as the drivers can bear."
                ),
                Drawing("2", "Reading data", "timing", ("RST", "CLK", "DQ"), 70.0),
            )
        ),
        Head("DC Electrical Characteristics"),
        Grid(
            LIMIT_COLUMNS,
            rows(
                """
                Supply voltage | V_{DD} | | 2.7 | 5.0 | 5.5 | V
                Thermometer error | T_{ERR} | 0 °C to 70 °C, V_{DD} ≥ 3 V | | | ±0.5 | °C
                " | " | -55 °C to 125 °C | | | ±2.0 | °C
                Low-level input voltage | V_{IL} | CLK, DQ and RST, T_{A} = 25 °C | -0.3 | | 0.8 | V
                High-level input voltage | V_{IH} | " | 2.0 | | V_{DD} + 0.3 | V
                Low-level output voltage | V_{OL} | I_{OL} = 4 mA | | | 0.4 | V
                High-level output voltage | V_{OH} | I_{OH} = -1 mA | 2.4 | | | V
                Active supply current | I_{CC} | Conversion in progress | | 0.8 | 1.2 | mA
                Standby supply current | I_{STBY} | RST = GND, CPU bit 1 | | | 1.5 | µA
                """
            ),
            caption="Table 4. DC electrical characteristics (V_{DD} = 2.7 V to 5.5 V, T_{A} = -55 °C to +125 °C)",
        ),
    ),
)

SHT1621 = Sheet(
    file="thermometers/SHT1621.pdf",
    title=("SHT1621", "Digital Thermometer and Thermostat with 2-Wire Bus"),
    parts=("SHT1621",),
    style=Style(heads=(11.0, 9.5, 9.0), capitals=True),
    header=("SHT1621", "", ""),
    footer=("", "{page} of {pages}", "082204"),
    blocks=(
        Beside(
            (
                (
                    Head("Features"),
                    Items(
                        (
                            "Supply voltage range 3.0 V to 5.5 V",
                            "Measures -55 °C to +125 °C in 0.5 °C steps",
                            "Converts temperature in less than 900 ms",
                            "Up to eight parts on one 2-wire bus",
                            "Thermostatic settings are user definable and nonvolatile",
                        )
                    ),
                ),
                (
                    Head("Description"),
                    Para(
                        "The SHT1621 gives 9-bit temperature readings over a 2-wire serial interface with an open-drain "
                        "data line. Its single thermostat output TOUT is active while the temperature exceeds TH and "
                        "until it falls below TL."
                    ),
                ),
            )
        ),
        Head("2-Wire Serial Bus"),
        Para(
            "The SHT1621 is a slave on the 2-wire bus. Its control byte starts with the code 1001, followed by the three "
            "address bits A2, A1 and A0. The bus may run at up to 400 kHz."
        ),
        Grid(
            (Column("PIN", "key", 0.5), Column("SYMBOL", "symbol", 0.7), Column("DESCRIPTION", "other", 3.0)),
            rows(
                """
                1 | SDA | Data of the 2-wire bus, open drain
                2 | SCL | Clock of the 2-wire bus
                3 | TOUT | Thermostat output
                4 | GND | Ground
                5 | A2 | Address input
                6 | A1 | Address input
                7 | A0 | Address input
                8 | VDD | Supply, 3.0 V to 5.5 V
                """
            ),
            rules="rows",
            caption="Table 1. Detailed pin description",
        ),
        Head("Operation"),
        Head("Thermostat Control", 2),
        Para(
            "TOUT takes the polarity of the POL bit: active high when POL is 1, active low when it is 0. TH and TL are kept "
            "in nonvolatile memory that bears at least 60,000 writes."
        ),
        Head("High-Resolution Readings", 2),
        Para(
            "Resolutions better than 0.5 °C are obtained from the count remaining and the slope: TEMPERATURE = TEMP_READ - "
            "0.25 + (COUNT_PER_C - COUNT_REMAIN)/COUNT_PER_C."
        ),
        Head("DC Electrical Characteristics"),
        Grid(
            LIMIT_COLUMNS,
            rows(
                """
                Supply voltage | V_{DD} | | 3.0 | 5.0 | 5.5 | V
                Thermometer error | T_{ERR} | 0 °C to 70 °C | | | ±0.5 | °C
                " | " | -55 °C to 125 °C | | | ±2.5 | °C
                Active supply current | I_{CC} | Conversion in progress | | 0.6 | 1.0 | mA
                " | " | Write to nonvolatile memory | | 0.3 | 0.4 | mA
                Standby supply current | I_{STBY} | SDA = SCL = V_{DD} | | | 1.0 | µA
                Thermostat output voltage | V_{OL} | I_{OL} = 4 mA | | | 0.4 | V
                """
            ),
            caption="Table 2. DC electrical characteristics (V_{DD} = 3.0 V to 5.5 V, T_{A} = -55 °C to +125 °C)",
        ),
        Head("AC Electrical Characteristics"),
        Grid(
            LIMIT_COLUMNS,
            rows(
                """
                Temperature conversion time | t_{TC} | | | | 900 | ms
                Nonvolatile write time | t_{WR} | | | 10 | 50 | ms
                SCL clock frequency | f_{SCL} | Fast mode | 0 | | 400 | kHz
                " | " | Standard mode | 0 | | 100 | kHz
                Bus free time | t_{BUF} | Fast mode | 1.3 | | | µs
                " | " | Standard mode | 4.7 | | | µs
                """
            ),
            caption="Table 3. AC electrical characteristics",
        ),
    ),
)

SHEETS = (SHT1620, SHT1621)
