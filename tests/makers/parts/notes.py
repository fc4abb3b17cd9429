"""An application note, a standard-like note, a scanned report, and two files that are not PDF."""

from __future__ import annotations

from tests.makers.sheets.describe import (
    Column,
    Columns,
    Contents,
    Drawing,
    Grid,
    Head,
    Items,
    Para,
    Scan,
    Sheet,
    Style,
    rows,
)

APP_NOTE = Sheet(
    file="notes/SHN-12 split supplies.pdf",
    title=("Application Note SHN-12", "Split Supplies with SHF317 and SHF337"),
    header=("SHN-12", "", ""),
    footer=("", "Page {page} of {pages}", ""),
    blocks=(
        Columns(
            (
                Head("Introduction"),
                Para(
                    "Many analog boards need a positive and a negative rail. This note shows how the positive regulator "
                    "SHF317 and the negative regulator SHF337 share one transformer, and how to keep the load from pulling "
                    "a rail to the wrong polarity while the other one starts."
                ),
                Head("The Circuit"),
                Para(
                    "A centre-tapped transformer of 2 × 15 V feeds a bridge and two reservoir capacitors of 2200 µF. R1 is "
                    "240 Ω at the SHF317 and 120 Ω at the SHF337. Both outputs are set to 12 V; the two rails then track "
                    "within 2 %. A schottky diode from each output to ground clamps a rail that is pulled the wrong way "
                    "during start-up."
                ),
                Drawing("1", "Split supply", "circuit", ("AC", "BRIDGE", "±12 V", "2200 µF", "240 Ω", "120 Ω")),
                Head("Start-Up"),
                Para(
                    "The SHF337 starts 3 ms later than the SHF317 because its output capacitor has to charge through the "
                    "current limit. Loads between the rails see up to 0.4 V of reverse voltage for that time, which the "
                    "diodes carry. Use parts rated for 3 A."
                ),
                Head("Choosing Between the Parts"),
                Grid(
                    (
                        Column("PROPERTY", "key", 1.4),
                        Column("SHF317", "other", 0.9),
                        Column("SHF337", "other", 0.9),
                        Column("SHF317L", "other", 0.9),
                    ),
                    rows(
                        """
                        Polarity | positive | negative | positive
                        Output current | 1.4 A | 1.3 A | 90 mA
                        Output capacitor | advised | required | advised
                        """
                    ),
                    caption="Table 1. Choice of regulator",
                ),
                Head("Layout"),
                Items(
                    (
                        "Return the reservoir capacitors to the centre tap before the load ground.",
                        "Keep R1 at the output terminal of each regulator.",
                        "Insulate both tabs: that of the SHF317 is at the output, that of the SHF337 at the input.",
                    )
                ),
                Head("Conclusion"),
                Para(
                    "Two regulators, four resistors and two diodes give a well-behaved split supply. For amplifiers that run "
                    "from it see the SHA90 and SHA290 data sheets."
                ),
            )
        ),
    ),
)

STANDARD = Sheet(
    file="notes/SHS-114 environmental tests.pdf",
    title=("SHS-114-2", "Environmental Tests for Packaged Semiconductors"),
    style=Style(family="serif", body=10.0, heads=(11.0, 10.0, 10.0)),
    header=("SHS-114-2:2018", "", ""),
    footer=("", "{label}", ""),
    blocks=(
        Contents("Contents"),
        Head("1 Scope"),
        Para(
            "This note lays down the environmental tests that a packaged semiconductor shall pass before it is released for "
            "sale. It does not apply to bare dice."
        ),
        Head("2 Terms"),
        Para(
            "For the purpose of this note a lot is a quantity of parts made from one wafer run and assembled together."
        ),
        Head("3 Tests"),
        Head("3.1 Temperature cycling", 2),
        Head("3.1.1 Procedure", 3),
        Para(
            "Seventy-seven parts from each of three lots shall be cycled between -55 °C and 125 °C. The dwell time at each "
            "extreme shall be at least 10 min and the transfer time shall not exceed 1 min."
        ),
        Head("3.1.2 Acceptance", 3),
        Para("No part shall fail after 500 cycles."),
        Head("3.2 Humidity", 2),
        Head("3.2.1 Procedure", 3),
        Para("Parts shall be kept at 85 °C and 85 % relative humidity under bias for 1000 h."),
        Head("3.2.2 Acceptance", 3),
        Para("No more than one part in 231 shall fail."),
        Head("3.3 Electrostatic discharge", 2),
        Para(
            "Three parts shall be tested at each level by the human body model. The level withstood by all parts shall be "
            "stated in the data sheet; it shall be no less than 1 kV."
        ),
        Head("4 Report"),
        Para(
            "The report shall name the lots, the equipment, the dates, and every part that failed with its failure mode."
        ),
        Grid(
            (Column("CLASS", "key", 0.6), Column("CYCLES", "other", 0.8), Column("HUMIDITY HOURS", "other", 1.0)),
            rows(
                """
                Consumer | 300 | 500
                Industrial | 500 | 1000
                Automotive | 1000 | 1000
                """
            ),
            caption="Table 1. Test duration by class",
        ),
    ),
)

SCAN = Sheet(
    file="notes/lot report 0417.pdf",
    title=(),
    header=("Fernhill Semiconductor", "", "Lot report"),
    footer=("", "{page}", ""),
    blocks=(
        Scan(
            (
                "FERNHILL SEMICONDUCTOR            LOT REPORT 0417",
                "",
                "PART        SHA90GP",
                "WAFER RUN   88-2213",
                "ASSEMBLED   WEEK 17",
                "",
                "OFFSET VOLTAGE, MEAN        118 uV",
                "OFFSET VOLTAGE, WORST       402 uV",
                "SUPPLY CURRENT, MEAN        13.6 uA",
                "PARTS TESTED                1250",
                "PARTS REJECTED              9",
            )
        ),
        Scan(
            (
                "REMARKS",
                "",
                "SEVEN REJECTS FOR OFFSET, TWO FOR OPEN PIN.",
                "LOT RELEASED 2 MAY BY J. HOLT.",
            ),
            native=True,
        ),
    ),
)

_MARKDOWN = """# Choosing a thermometer

Notes from the bench on the SHT1620 and the SHT1621, kept beside their data sheets.

## Which bus

The SHT1620 needs three wires and one reset line for each part. The SHT1621 shares a 2-wire bus with up to seven others.
We use the SHT1621 wherever a board carries more than two thermometers.

## Accuracy on our boards

| Part    | Error at 25 °C | Error at 85 °C |
|---------|----------------|----------------|
| SHT1620 | 0.2 °C         | 0.7 °C         |
| SHT1621 | 0.3 °C         | 0.9 °C         |

### Self-heating

Reading ten times a second warms the part by 0.15 °C. One reading a second is harmless.

## Lessons

- Keep the thermometer 20 mm away from a regulator such as the SHF317.
- Write TH and TL once, at production test, not at every start.
"""

_HTML = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>SHF317 family errata</title></head>
<body>
<h1>SHF317 family errata</h1>
<p>Known deviations of the SHF317, SHF317L and SHF337 from their data sheets.</p>
<h2>Date code 1533 to 1540</h2>
<p>SHF317 parts in TO-263 with these date codes have an adjustment pin current of up to 102 µA at -40 °C.</p>
<h2>Marking</h2>
<p>Some reels of SHF317L were marked 317 without the letter. They can be told by the SO-8 package.</p>
<table>
<tr><th>Reel</th><th>Date code</th><th>Parts</th></tr>
<tr><td>R-2081</td><td>1612</td><td>2500</td></tr>
<tr><td>R-2082</td><td>1613</td><td>2500</td></tr>
</table>
<h2>Start-up of the SHF337</h2>
<p>Below -25 °C the SHF337 needs an input of at least 5 V above its output to start.</p>
</body>
</html>
"""

TEXT_FILES = {
    "notes/choosing a thermometer.md": _MARKDOWN,
    "notes/shf317 family errata.html": _HTML,
}

SHEETS = (APP_NOTE, STANDARD, SCAN)
