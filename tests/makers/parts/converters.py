"""Analog-to-digital converters SHC3204 and SHC3208, one sheet for both, with roman front matter and a turned page."""

from __future__ import annotations

from tests.makers.parts.columns import RATING_COLUMNS
from tests.makers.sheets.describe import (
    Break,
    Code,
    Column,
    Contents,
    Drawing,
    Grid,
    Head,
    Items,
    Label,
    Para,
    Sheet,
    Turned,
    limits,
    rows,
)

_TIMING = (
    Column("Parameter", "parameter", 2.1),
    Column("Sym.", "symbol", 0.7),
    *limits("Min.", "Typ.", "Max."),
    Column("Units", "unit", 0.6),
    Column("Conditions", "condition", 2.0),
)

SHC3204 = Sheet(
    file="converters/SHC3204_3208.pdf",
    title=("SHC3204/SHC3208", "2.7 V 4-Channel/8-Channel 12-Bit A/D Converters", "with SPI Serial Interface"),
    parts=("SHC3204", "SHC3208"),
    header=("SHC3204/3208", "", "Fernhill Semiconductor"),
    footer=("DS-3204 Rev. E", "", "Page {label}"),
    labels=(Label(1, "r"), Label(3, "D")),
    bookmarks=True,
    metadata_title="SHC3204/3208 Data Sheet",
    blocks=(
        Head("About This Document"),
        Para(
            "This data sheet describes the SHC3204 with four inputs and the SHC3208 with eight inputs. Where nothing else "
            "is said, a statement holds for both. Pages i and ii are front matter; the description starts on page 1."
        ),
        Para(
            "Information in this document is believed to be accurate. It may change without notice. The parts are not "
            "released for use in life-support equipment."
        ),
        Break(),
        Head("Contents of This Data Sheet"),
        Contents(),
        Break(),
        Head("1.0 Overview"),
        Head("1.1 Features", 2),
        Items(
            (
                "12-bit resolution, ±1 LSB max DNL",
                "±1 LSB max INL (SHC3204/3208-B), ±2 LSB max INL (SHC3204/3208-C)",
                "4 (SHC3204) or 8 (SHC3208) input channels",
                "Inputs programmable as single-ended or pseudo-differential pairs",
                "On-chip sample and hold",
                "Single supply operation: 2.7 V to 5.5 V",
                "110 ksps max. sampling rate at V_{DD} = 5 V",
                "55 ksps max. sampling rate at V_{DD} = 2.7 V",
                "Standby current 500 nA typical, 2 µA max.",
                "Industrial temperature range: -40 °C to 85 °C",
            )
        ),
        Head("1.2 Description", 2),
        Para(
            "The SHC3204 and SHC3208 are successive approximation 12-bit A/D converters with on-board sample and hold "
            "circuitry. The SHC3204 gives two pseudo-differential input pairs or four single-ended inputs; the SHC3208 "
            "gives four pairs or eight single-ended inputs. Communication uses a simple serial interface compatible with "
            "SPI modes 0,0 and 1,1. The low supply current permits battery operation; see SHA90 for a matching buffer "
            "amplifier."
        ),
        Drawing("1-1", "Functional block diagram", "blocks", ("Input MUX", "Sample/Hold", "12-bit SAR", "Shift Reg.")),
        Head("2.0 Electrical Characteristics"),
        Head("2.1 Absolute Maximum Ratings", 2),
        Grid(
            RATING_COLUMNS,
            rows(
                """
                Supply voltage | V_{DD} | 7.0 | V
                Inputs and outputs with respect to V_{SS} | V_{IO} | -0.6 to V_{DD} + 0.6 | V
                Storage temperature | T_{STG} | -65 to 150 | °C
                Ambient temperature with power applied | T_{A} | -65 to 125 | °C
                ESD protection on all pins, HBM | V_{ESD} | 4 | kV
                """
            ),
            caption="TABLE 2-1: ABSOLUTE MAXIMUM RATINGS",
        ),
        Head("2.2 DC Characteristics", 2),
        Grid(
            _TIMING,
            rows(
                """
                == Conversion Rate
                Conversion time | t_{CONV} | | | 12 | clock cycles |
                Analog input sample time | t_{SAMPLE} | | 1.5 | | clock cycles |
                Throughput rate | f_{SAMPLE} | | | 110 | ksps | V_{DD} = V_{REF} = 5 V
                " | " | | | 55 | ksps | V_{DD} = V_{REF} = 2.7 V
                == DC Accuracy
                Resolution | | | 12 | | bits |
                Integral nonlinearity | INL | | ±0.75 | ±1 | LSB | SHC3204/3208-B
                " | " | | ±1.0 | ±2 | LSB | SHC3204/3208-C
                Differential nonlinearity | DNL | | ±0.5 | ±1 | LSB | No missing codes over temperature
                Offset error | | | ±1.25 | ±3 | LSB |
                Gain error | | | ±1.25 | ±5 | LSB |
                == Reference Input
                Voltage range | V_{REF} | 0.25 | | V_{DD} | V |
                Current drain | I_{REF} | | 100 | 150 | µA |
                " | " | | 0.001 | 3.0 | µA | CS = V_{DD} = 5 V
                == Power Requirements
                Operating voltage | V_{DD} | 2.7 | | 5.5 | V |
                Operating current | I_{DD} | | 320 | 420 | µA | V_{DD} = V_{REF} = 5 V, D_{OUT} unloaded
                " | " | | 225 | | µA | V_{DD} = V_{REF} = 2.7 V, D_{OUT} unloaded
                Standby current | I_{DDS} | | 0.5 | 2.0 | µA | CS = V_{DD} = 5.0 V
                """
            ),
            caption="TABLE 2-2: DC CHARACTERISTICS (V_{DD} = 5 V, T_{A} = -40 °C to 85 °C)",
            notes=("Note 1: This parameter is established by characterization and not 100 % tested.",),
        ),
        Head("2.3 Timing", 2),
        Grid(
            _TIMING,
            rows(
                """
                Clock frequency | f_{CLK} | | | 2.2 | MHz | V_{DD} = 5 V
                " | " | | | 1.1 | MHz | V_{DD} = 2.7 V
                Clock high time | t_{HI} | 225 | | | ns |
                Clock low time | t_{LO} | 225 | | | ns |
                CS fall to first rising CLK edge | t_{SUCS} | 110 | | | ns |
                Data input setup time | t_{SU} | | | 50 | ns |
                CLK fall to output data valid | t_{DO} | | | 190 | ns | V_{DD} = 5 V
                CS disable time | t_{CSH} | 480 | | | ns |
                """
            ),
            rules="groups",
            caption="TABLE 2-3: TIMING",
        ),
        Drawing("2-1", "Serial interface timing", "timing", ("CS", "CLK", "DIN", "DOUT"), 90.0),
        Turned(
            (
                Head("3.0 Pin Descriptions"),
                Grid(
                    (
                        Column("NAME", "key", 0.8),
                        Column("DIP", "other", 0.7, ("SHC3204",)),
                        Column("TSSOP", "other", 0.7, ("SHC3204",)),
                        Column("DIP", "other", 0.7, ("SHC3208",)),
                        Column("SOIC", "other", 0.7, ("SHC3208",)),
                        Column("FUNCTION", "other", 3.2),
                    ),
                    rows(
                        """
                        CH0 | 1 | 1 | 1 | 1 | Analog input 0
                        CH1 | 2 | 2 | 2 | 2 | Analog input 1
                        CH2 | 3 | 3 | 3 | 3 | Analog input 2
                        CH3 | 4 | 4 | 4 | 4 | Analog input 3
                        CH4 | - | - | 5 | 5 | Analog input 4
                        CH5 | - | - | 6 | 6 | Analog input 5
                        CH6 | - | - | 7 | 7 | Analog input 6
                        CH7 | - | - | 8 | 8 | Analog input 7
                        DGND | 7 | 7 | 9 | 9 | Digital ground
                        CS/SHDN | 8 | 8 | 10 | 10 | Chip select, active low; high puts the part into shutdown
                        DIN | 9 | 9 | 11 | 11 | Serial data in
                        DOUT | 10 | 10 | 12 | 12 | Serial data out
                        CLK | 11 | 11 | 13 | 13 | Serial clock
                        AGND | 12 | 12 | 14 | 14 | Analog ground
                        VREF | 13 | 13 | 15 | 15 | Reference voltage input
                        VDD | 14 | 14 | 16 | 16 | 2.7 V to 5.5 V power supply
                        """
                    ),
                    caption="TABLE 3-1: PIN FUNCTION TABLE",
                ),
            )
        ),
        Break(),
        Head("4.0 Device Operation"),
        Head("4.1 Analog Inputs", 2),
        Para(
            "The sample capacitor must charge through the source resistance R_{S} and the internal switch resistance of "
            "about 1 kΩ into the sample capacitance of 20 pF. Source resistances above 1 kΩ lower the usable clock "
            "frequency; at 10 kΩ the clock should not exceed 350 kHz."
        ),
        Head("4.2 Reference Input", 2),
        Para(
            "The size of one LSB is V_{REF}/4096. With a 4.096 V reference one LSB is 1 mV. As the reference is lowered "
            "the LSB shrinks and the noise of the converter weighs more."
        ),
        Head("5.0 Serial Communication"),
        Head("5.1 Command Word", 2),
        Para(
            "A conversion starts with a start bit, the single/differential bit and three channel bits. On the SHC3204 the "
            "first channel bit D2 is ignored."
        ),
        Grid(
            (
                Column("SGL/DIFF", "key", 0.9),
                Column("D2", "other", 0.5),
                Column("D1", "other", 0.5),
                Column("D0", "other", 0.5),
                Column("INPUT CONFIGURATION", "other", 1.5),
                Column("CHANNEL SELECTION", "other", 1.6),
            ),
            rows(
                """
                1 | X | 0 | 0 | single-ended | CH0
                1 | X | 0 | 1 | single-ended | CH1
                1 | X | 1 | 0 | single-ended | CH2
                1 | X | 1 | 1 | single-ended | CH3
                0 | X | 0 | 0 | differential | CH0 = IN+, CH1 = IN-
                0 | X | 0 | 1 | differential | CH0 = IN-, CH1 = IN+
                0 | X | 1 | 0 | differential | CH2 = IN+, CH3 = IN-
                0 | X | 1 | 1 | differential | CH2 = IN-, CH3 = IN+
                """
            ),
            caption="TABLE 5-1: CONFIGURATION BITS FOR THE SHC3204",
        ),
        Head("5.2 Reading a Sample", 2),
        Para("The following fragment reads channel 2 single-ended in three bytes."),
        Code(("select(CS);", "transfer(0x06);", "high = transfer(0x80) & 0x0F;", "low = transfer(0x00);")),
        Head("6.0 Applications Information"),
        Head("6.1 Layout Considerations", 2),
        Para(
            "A bypass capacitor of 1 µF should be placed as close as possible to the V_{DD} pin. Digital and analog traces "
            "should be separated as much as possible; no traces should run underneath the device. Analog and digital "
            "ground meet at one point under the converter."
        ),
        Head("6.2 Buffering the Inputs", 2),
        Para(
            "A sensor with a source resistance above 1 kΩ needs a buffer. The SHA90 is slow but draws little current; "
            "with it the sampling rate should stay below 2 ksps. Temperatures are easier to read with an SHT1620."
        ),
        Head("7.0 Ordering Information"),
        Para(
            "SHC3204-BI/P: 14-lead DIP, ±1 LSB. SHC3204-CI/ST: 14-lead TSSOP, ±2 LSB. SHC3208-BI/P: 16-lead DIP, ±1 LSB."
        ),
    ),
)

SHEETS = (SHC3204,)
