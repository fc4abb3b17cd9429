"""What the sheets in made-up house styles say."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    """`kind` is what stands under the heading: prose, list, table or plots. `front` sections share the first page."""

    title: str
    kind: str = "prose"
    inner: tuple[Section, ...] = ()
    front: bool = False
    always: bool = True


TITLES = (
    "Low-Power Dual Comparator",
    "16-Bit Sigma-Delta Converter with Reference",
    "High-Side Current Monitor",
    "Real-Time Clock with Battery Switch",
    "Step-Down Regulator, 3 A, 500 kHz",
)

SECTIONS = (
    Section("Features", "list", front=True),
    Section("Applications", "list", front=True, always=False),
    Section("General Description", front=True),
    Section("Ordering Information", "table", front=True, always=False),
    Section("Absolute Maximum Ratings", "table"),
    Section("Thermal Information", "table", always=False),
    Section("Electrical Characteristics", "table"),
    Section("Typical Performance Characteristics", "plots", always=False),
    Section("Pin Functions", "table", always=False),
    Section(
        "Detailed Description",
        inner=(
            Section("Input Stage", inner=(Section("Common-Mode Range"), Section("Overload Recovery"))),
            Section("Reference and Bias"),
            Section("Serial Interface", inner=(Section("Write Cycle"), Section("Read Cycle"), Section("Acknowledge"))),
            Section("Power-Down Modes"),
        ),
    ),
    Section(
        "Application Information",
        inner=(
            Section("Choosing the Inductor"),
            Section("Decoupling and Layout for Low Noise in Systems with Several Converters on One Board"),
            Section("Driving Capacitive Loads", inner=(Section("Compensation"), Section("Stability Margins"))),
        ),
    ),
    Section("Register Map", "table", inner=(Section("CONFIG", "table"), Section("STATUS", "table")), always=False),
    Section("Package Information", "table", always=False),
    Section("Revision History", "list", always=False),
)

PROSE = (
    "The {part} keeps its output within two per cent over the whole range of input voltages and loads.",
    "A ceramic capacitor close to the supply pin keeps the supply quiet while loads change.",
    "When the input falls below the threshold, the comparator trips after a delay of 4 \u00b5s.",
    "The bias current depends on temperature and doubles for every 10 \u00b0C.",
    "Figure 2 shows how the supply current changes with temperature; see also Table 1.",
    "In systems with several converters each needs a capacitor of its own, placed next to the pin.",
    "Data is shifted out on the falling edge of the clock, the most significant bit first.",
    "The master ends the transfer with a stop condition, after which the bus is free again.",
    "Writing a one to this bit starts a conversion; reading it returns whether one is running.",
    "With VDD = 5 V and RL = 10 k\u03a9 the output swings to within 50 mV of either rail.",
    "Keep the loop of the switching current small, and route the feedback trace away from the inductor.",
    "The device enters shutdown when EN is low and draws less than 1 \u00b5A in this mode.",
)

LISTS = (
    "Single supply from 2.7 V to 5.5 V",
    "Supply current 45 \u00b5A typical",
    "Rail-to-rail input and output",
    "Battery-powered instruments and portable medical equipment with long service life",
    "Internal reference, 2.048 V \u00b10.1 %",
    "Shutdown mode below 1 \u00b5A",
    "I2C interface up to 400 kHz",
    "Packages: SOT-23-5, SO-8 and WSON-8",
    "Motor control",
    "Temperature range -40 \u00b0C to 125 \u00b0C",
)
