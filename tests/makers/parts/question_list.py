"""The questions themselves."""

from __future__ import annotations

from dataclasses import dataclass

_317 = "shf317.pdf"
_317A = "archive/shf317_rev_a.pdf"
_317L = "shf317l.pdf"
_337 = "SHF337.pdf"
_90 = "SHA90.pdf"
_290 = "SHA290 dual op amp.pdf"
_ADC = "converters/SHC3204_3208.pdf"
_1620 = "thermometers/SHT1620.pdf"
_1621 = "thermometers/SHT1621.pdf"
_138 = "74ls138 decoder.pdf"
_NOTE = "notes/SHN-12 split supplies.pdf"
_STD = "notes/SHS-114 environmental tests.pdf"
_MD = "notes/choosing a thermometer.md"
_HTML = "notes/shf317 family errata.html"


@dataclass(frozen=True)
class Question:
    """`gold` are (file, quote) pairs; unanswerable ones name the `document` and terms `absent` from it."""

    type: str
    text: str
    answer: str = ""
    accept: tuple[str, ...] = ()
    gold: tuple[tuple[str, str], ...] = ()
    parts: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    unsupported: tuple[str, ...] = ()
    document: str = ""
    absent: tuple[str, ...] = ()


def _fact(text: str, answer: str, file: str, quote: str, *accept: str, type: str = "direct_fact") -> Question:
    return Question(type, text, answer, accept, ((file, quote),))


def _table(text: str, answer: str, file: str, quote: str, *accept: str) -> Question:
    return _fact(text, answer, file, quote, *accept, type="table")


def _section(text: str, answer: str, file: str, quote: str, *accept: str) -> Question:
    return _fact(text, answer, file, quote, *accept, type="section_constrained")


def _asked(text: str, answer: str, file: str, quote: str, *accept: str) -> Question:
    return _fact(text, answer, file, quote, *accept, type="colloquial")


def _absent(text: str, document: str, *terms: str) -> Question:
    return Question("unanswerable", text, document=document, absent=terms)


QUESTIONS: tuple[Question, ...] = (
    # --- plain facts
    _fact(
        "How many writes can the nonvolatile memory that holds the CPU bit of the SHT1620 bear at least?",
        "40,000 writes",
        _1620,
        "capable of at least 40,000 writes",
        "40000",
        "40,000",
        "at least 40,000",
    ),
    _fact(
        "How many writes does the nonvolatile memory of the SHT1621 bear?",
        "60,000 writes",
        _1621,
        "bears at least 60,000 writes",
        "60000",
        "60,000",
    ),
    _fact(
        "What is the highest sampling rate of the SHC3204 at a supply of 2.7 V?",
        "55 ksps",
        _ADC,
        "55 ksps max. sampling rate at VDD = 2.7 V",
        "55ksps",
        "55 kSPS",
        "55,000 samples per second",
    ),
    _fact(
        "At what source resistance limit does the SHC3204 need a buffer?",
        "above 1 kΩ",
        _ADC,
        "A sensor with a source resistance above 1 kΩ needs a buffer.",
        "1 kohm",
        "1kΩ",
        "1 kΩ",
    ),
    _fact(
        "What is the least single supply voltage the SHA90 works from?",
        "1.6 V",
        _90,
        "Single supply operation from 1.6 V",
        "1.6V",
    ),
    _fact(
        "How much does an unused amplifier with open inputs raise the supply current of the SHA290?",
        "up to 60 µA",
        _290,
        "raises the supply current by up to 60 µA",
        "60 uA",
        "60µA",
    ),
    _fact(
        "How many temperature cycles must parts survive according to SHS-114-2 for acceptance?",
        "500 cycles",
        _STD,
        "No part shall fail after 500 cycles.",
        "500",
    ),
    _fact(
        "By how much later does the SHF337 start than the SHF317 in a split supply?",
        "3 ms",
        _NOTE,
        "The SHF337 starts 3 ms later than the SHF317",
        "3ms",
    ),
    _fact(
        "How far should a thermometer be kept from a regulator on our boards?",
        "20 mm",
        _MD,
        "Keep the thermometer 20 mm away from a regulator",
        "20mm",
    ),
    _fact(
        "Which date codes of the SHF317 in TO-263 have a raised adjustment pin current?",
        "1533 to 1540",
        _HTML,
        "Date code 1533 to 1540",
        "1533-1540",
        "1533 through 1540",
    ),
    # --- facts of one section
    _section(
        'In the "Frequency Compensation" section of the SHF337 sheet, what equivalent series resistance must not be exceeded?',
        "3 Ω",
        _337,
        "must stay below 3 Ω",
        "3 ohm",
        "3Ω",
        "below 3 ohms",
    ),
    _section(
        'According to the "Protection Diodes" section of the SHF317 sheet, above which output capacitor is a diode needed?',
        "25 µF",
        _317,
        "for output capacitors above 25 µF when the output",
        "25 uF",
        "25µF",
    ),
    _section(
        'In the "Layout" section of the SHF317L sheet, how far may the input capacitor stand from the pins?',
        "10 mm",
        _317L,
        "within 10 mm of pins IN and GND",
        "10mm",
        "1 cm",
    ),
    _section(
        'In the "Analog Inputs" section of the SHC3204/3208 sheet, what clock frequency should not be exceeded with a source resistance of 10 kΩ?',
        "350 kHz",
        _ADC,
        "at 10 kΩ the clock should not exceed 350 kHz",
        "350kHz",
        "0.35 MHz",
    ),
    _section(
        'In the "Offset Nulling" section of the SHA90 sheet, what adjustment range does the circuit give?',
        "6 mV",
        _90,
        "provides 6 mV of adjustment range",
        "6mV",
    ),
    # --- tables
    _table(
        "What is the maximum adjustment pin current of the SHF317 in its current revision?",
        "95 µA",
        _317,
        "48 95 µA",
        "95 uA",
        "95µA",
    ),
    _table("What is the maximum adjustment pin current of the SHF317L?", "80 µA", _317L, "44 80 µA", "80 uA", "80µA"),
    _table(
        "What is the minimum current limit of the SHF337 up to 15 V of differential voltage?",
        "1.3 A",
        _337,
        "VI-VO ≤ 15 V 1.3 2.0 A",
        "1.3A",
        "1300 mA",
    ),
    _table(
        "What is the maximum input offset voltage of the SHA90G at 25 °C?",
        "450 µV",
        _90,
        "Input offset voltage VOS 50 150 125 450 µV",
        "450 uV",
        "0.45 mV",
    ),
    _table(
        "What is the maximum input offset voltage of the SHA90A over temperature?",
        "270 µV",
        _90,
        "Input offset voltage VOS 80 270 180 675 µV",
        "270 uV",
        "0.27 mV",
    ),
    _table(
        "What supply current do both amplifiers of the SHA290 draw at most at ±15 V?",
        "36 µA",
        _290,
        "VS = ±15 V, no load 26 36 µA",
        "36 uA",
        "36µA",
    ),
    _table(
        "What is the maximum operating current of the SHC3204 at 5 V?",
        "420 µA",
        _ADC,
        "320 420 µA",
        "420 uA",
        "0.42 mA",
    ),
    _table("Which pin is CLK on the SHC3208 in its DIP package?", "pin 13", _ADC, "CLK 11 11 13 13 Serial clock", "13"),
    _table(
        "Which command byte stops temperature conversion on the SHT1620?", "22h", _1620, "Stop convert T 22h", "0x22"
    ),
    _table("What hex value does the SHT1620 give at -25 °C?", "01CE", _1620, "-25 °C 1 11001110 01CE", "0x01CE", "1CE"),
    _table(
        "What is the maximum low-level output voltage of the SHD74AHC138 at 8 mA and 25 °C?",
        "0.36 V",
        _138,
        "IO = 8 mA 4.5 0.36 0.44 V",
        "0.36V",
        "360 mV",
    ),
    _table(
        "What junction-to-ambient thermal resistance has the SHF317L in the SO-8 package?",
        "119 °C/W",
        _317L,
        "Junction-to-ambient thermal resistance 157 119 °C/W",
        "119°C/W",
        "119 K/W",
    ),
    _table(
        "For how many hours of humidity shall consumer class parts be tested according to SHS-114-2?",
        "500 h",
        _STD,
        "Consumer 300 500",
        "500 hours",
        "500",
    ),
    _table(
        "What is the error of the SHT1621 at 85 °C on our boards?",
        "0.9 °C",
        _MD,
        "| SHT1621 | 0.3 °C | 0.9 °C |",
        "0.9°C",
    ),
    # --- comparisons
    Question(
        "comparison",
        "Which of the SHF317, the SHF317L and the SHF337 has the lowest maximum adjustment pin current?",
        "SHF317L",
        ("the SHF317L", "SHF317L (80 µA)"),
        ((_317, "48 95 µA"), (_317L, "44 80 µA"), (_337, "62 105 µA")),
    ),
    Question(
        "comparison",
        "Which converts faster according to its front page, the SHT1620 or the SHT1621?",
        "SHT1620",
        ("the SHT1620", "SHT1620 (650 ms)"),
        ((_1620, "Converts temperature in 650 ms (max)"), (_1621, "Converts temperature in less than 900 ms")),
    ),
    Question(
        "comparison",
        "Revisions A and C of the SHF317 sheet give different output currents. What are the two values?",
        "Rev. A: 1.2 A; Rev. C: 1.4 A",
        ("1.2 A and 1.4 A", "1.2 A (Rev. A) and 1.4 A (Rev. C)"),
        ((_317A, "Output current up to 1.2 A"), (_317, "Output current up to 1.4 A")),
        parts=("1.2 A", "1.4 A"),
    ),
    Question(
        "comparison",
        "Does the SHF317 or the SHF337 stand the higher soldering temperature?",
        "SHF337",
        ("the SHF337", "SHF337 (300 °C)"),
        (
            (_317, "Lead temperature (soldering, 10 s) TL 260 °C"),
            (_337, "Lead temperature (soldering, 10 s) TL 300 °C"),
        ),
    ),
    # --- several documents in a row
    Question(
        "multi_hop",
        "The SHF317 sheet names a part for negative voltages. What maximum output current does that part give?",
        "1.3 A",
        ("1.3A", "1300 mA"),
        ((_317, "voltages see SHF337"), (_337, "Output current up to 1.3 A")),
    ),
    Question(
        "multi_hop",
        "The SHT1620 sheet points to a part with addresses on a bus. How fast may that bus run?",
        "400 kHz",
        ("400kHz", "0.4 MHz"),
        ((_1620, "use the SHT1621"), (_1621, "The bus may run at up to 400 kHz.")),
    ),
    Question(
        "multi_hop",
        "The SHC3204/3208 sheet recommends a buffer amplifier. What is the typical gain-bandwidth product of that amplifier?",
        "20 kHz",
        ("20kHz",),
        ((_ADC, "see SHA90 for a matching buffer"), (_90, "Gain-bandwidth product GBW AV = 1 20 20 kHz")),
    ),
    Question(
        "multi_hop",
        "The SHF337 sheet refers to an application note for the tracking supply. To which output voltage does that note set both rails?",
        "12 V",
        ("12V", "±12 V"),
        ((_337, "Application note SHN-12 gives the circuit"), (_NOTE, "Both outputs are set to 12 V")),
    ),
    # --- as people type
    _asked("shf317 min load current max?", "8 mA", _317, "VI-VO = 38 V 3.6 8 mA", "8mA"),
    _asked(
        "can i hang two sht1621 on one bus, how many max",
        "eight",
        _1621,
        "Up to eight parts on one 2-wire bus",
        "8",
        "up to eight",
        "8 parts",
    ),
    _asked("sha90 suply current at +-1.5V typ, 25 deg", "9 µA", _90, "VS = ±1.5 V 9 15 9 15 µA", "9 uA", "9µA"),
    _asked("prop delay of the 138 decoder typ at 5v?", "4.2 ns", _138, "VCC = 5 V 4.2 ns", "4.2ns"),
    # --- not in the document
    _absent("What is the output noise of the SHF337?", _337, "noise", "µV RMS", "e_N"),
    _absent("What is the thermal resistance of the SHF337 in TO-220?", _337, "thermal resistance", "°C/W", "K/W"),
    _absent("What is the slew rate of the SHF317?", _317, "slew", "V/µs"),
    _absent("What is the input noise voltage of the SHA290?", _290, "noise", "nV"),
    _absent("What ESD rating does the SHT1621 have?", _1621, "ESD", "electrostatic", "HBM"),
    _absent("What is the signal-to-noise ratio of the SHC3208?", _ADC, "signal-to-noise", "SNR", "SINAD"),
    _absent("What humidity range does the SHT1620 measure?", _1620, "humidity", "relative", "%RH"),
    _absent("How much does the SHF317L cost in thousands?", _317L, "price", "cost", "USD", "€"),
    _absent("What vibration level does SHS-114-2 prescribe?", _STD, "vibration", "shock", "acceleration"),
    # --- over the whole
    Question(
        "abstract",
        "Compare the SHT1620 and the SHT1621 as a choice for a new design.",
        "SHT1620: 3-wire, three alarm outputs, 650 ms; SHT1621: 2-wire with addresses, one TOUT output, 900 ms",
        (),
        (
            (_1620, "With three thermal alarm outputs it can also act"),
            (_1621, "Up to eight parts on one 2-wire bus"),
            (_MD, "The SHT1621 shares a 2-wire bus with up to seven others."),
        ),
        topics=(
            "3-wire interface (SHT1620) versus 2-wire bus (SHT1621)",
            "three alarm outputs versus one output TOUT",
            "no address versus three address bits",
            "conversion in 650 ms versus 900 ms",
            "supply from 2.7 V versus from 3.0 V",
            "both read -55 °C to +125 °C in 0.5 °C steps",
        ),
        unsupported=("a humidity measurement", "an SPI mode of the SHT1621", "an analog output"),
    ),
    Question(
        "abstract",
        "Summarise application note SHN-12.",
        "A positive SHF317 and a negative SHF337 share one transformer for a split supply; diodes clamp the rails at start",
        (),
        ((_NOTE, "This note shows how the positive regulator"), (_NOTE, "A schottky diode from each output to ground")),
        topics=(
            "split supply from SHF317 and SHF337 with one transformer",
            "schottky diodes clamp reversed rails during start-up",
            "the SHF337 starts 3 ms later",
            "layout rules for ground return and R1",
        ),
        unsupported=("a switching converter", "a battery charger"),
    ),
)
