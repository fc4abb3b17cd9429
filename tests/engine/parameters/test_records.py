"""Records made from tables: no value ever with another row's unit, condition or part."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.model import (
    Block,
    BlockKind,
    Box,
    ColumnRole,
    LimitKind,
    Line,
    PageInfo,
    ParameterRecord,
    RecordSection,
)
from engine.parameters.part_names import part_tokens
from engine.parameters.records import extract_records
from tests.engine.parameters.tables import DOCUMENT, LIMITS, parsed, records, table


def one(found: list[ParameterRecord], parameter: str, kind: LimitKind) -> ParameterRecord:
    matching = [record for record in found if record.parameter == parameter and record.kind is kind]
    assert len(matching) == 1, matching
    return matching[0]


def test_a_limit_table_gives_one_record_a_printed_value() -> None:
    found = records(
        table(
            LIMITS,
            [
                ("Supply current", "ICC", "VCC = 5 V, no load", "", "1.2", "3", "mA"),
                ("Input offset voltage", "VOS", "TA = 25 °C", "−5", "±0.5", "5", "mV"),
            ],
        )
    )
    assert len(found) == 5
    current = one(found, "Supply current", LimitKind.MAX)
    assert (current.low, current.unit, current.symbol, current.value_raw, current.unit_raw) == (
        0.003,
        "A",
        "ICC",
        "3",
        "mA",
    )
    assert current.conditions[0].quantity == "VCC"
    assert current.conditions[0].low == 5.0
    assert current.conditions[1].raw == "no load"
    assert current.section is RecordSection.CHARACTERISTICS
    assert current.confidence == 1.0
    assert (current.page, current.box is not None, current.row_box is not None) == (3, True, True)
    assert one(found, "Input offset voltage", LimitKind.MIN).low == -0.005


def test_blank_and_dashed_cells_make_no_record() -> None:
    found = records(table(LIMITS, [("Supply voltage", "VCC", "", "-", "—", "18", "V")]))
    assert [(record.kind, record.value_raw) for record in found] == [(LimitKind.MAX, "18")]


def test_conditions_come_from_span_caption_lead_in_and_footnote_and_own_ones_win() -> None:
    spanned = table(
        LIMITS,
        [
            ("Output voltage (1)", "VOH", "IOH = −4 mA", "2.4", "", "", "V"),
            ("^", "^", "IOH = −8 mA; VCC = 3 V", "2.0", "", "", "V"),
        ],
        caption="Table 3. DC characteristics (VCC = 5 V)",
        notes=("(1) RL = 10 kΩ",),
    )
    first, second = records(spanned, lead="TA = 0 °C to 70 °C unless otherwise noted.")
    assert second.parameter == "Output voltage"
    stated = {condition.quantity: (condition.low, condition.high) for condition in second.conditions}
    assert stated == {"IOH": (-0.008, -0.008), "VCC": (3.0, 3.0), "RL": (1e4, 1e4), "TA": (0.0, 70.0)}
    assert {c.quantity: c.low for c in first.conditions}["VCC"] == 5.0


def test_parts_come_from_column_groups_row_names_and_sub_headers() -> None:
    groups = table(
        ("Parameter", ("XY100A", "Max"), ("XY100B", "Max"), "Unit"),
        [("Offset voltage", "1", "3", "mV"), ("Supply current, XY100B only", "", "9", "mA")],
    )
    found = records(groups)
    assert [(r.parts, r.value_raw) for r in found] == [(("XY100A",), "1"), (("XY100B",), "3"), (("XY100B",), "9")]
    sections = table(
        ("Parameter", "Max", "Unit"), [("Offset", "1", "mV"), ("Offset", "2", "mV")], sections=("XY100A", "XY100L")
    )
    assert [r.parts for r in records(sections)] == [("XY100A",), ("XY100L",)]
    assert records(table(("Parameter", "Max", "Unit"), [("Offset", "1", "mV")]))[0].parts == ("XY100",)


def test_condition_columns_in_the_header_belong_to_their_column_only() -> None:
    found = records(
        table(
            ("Parameter", ("25 °C", "Max"), ("−40 °C to +85 °C", "Max"), "Unit"),
            [("Propagation delay", "9", "12", "ns")],
        )
    )
    assert [(r.conditions[0].low, r.conditions[0].high, r.value_raw) for r in found] == [(25, 25, "9"), (-40, 85, "12")]


@pytest.mark.parametrize(
    ("title", "section"),
    [
        ("Absolute Maximum Ratings", RecordSection.ABSOLUTE_MAXIMUM),
        ("Recommended Operating Conditions", RecordSection.RECOMMENDED),
        ("Switching Characteristics", RecordSection.CHARACTERISTICS),
    ],
)
def test_the_kind_of_table_is_kept(title: str, section: RecordSection) -> None:
    found = records(
        table(("Symbol", "Parameter", "Value", "Unit"), [("VCC", "Supply voltage", "7", "V")]), heading=title
    )
    assert [(r.section, r.kind, r.low) for r in found] == [(section, LimitKind.VALUE, 7.0)]


def test_words_and_expressions_keep_their_text_and_no_number() -> None:
    found = records(table(LIMITS, [("Input voltage", "VI", "", "−0.3", "", "VCC + 0.3", "V")]))
    assert (found[1].value_raw, found[1].low) == ("VCC + 0.3", None)


def test_a_truth_table_can_be_asked_from_any_side() -> None:
    found = records(
        table(
            ("RS1", "RS0", "Periodic rate", "SQW output frequency"),
            [("0", "1", "30.517 µs", "32.768 kHz"), ("1", "0", "61.035 µs", "16.384 kHz")],
            heading=-1,
        )
    )
    second = next(r for r in found if r.row == 1 and r.parameter == "SQW output frequency")
    assert second.low == 16384.0
    assert {(c.quantity, c.raw.split(" = ")[1]) for c in second.conditions} >= {("RS1", "1"), ("RS0", "0")}


def test_an_ordering_table_gives_each_row_its_part() -> None:
    found = records(
        table(("Type number", "Flash", "RAM"), [("XY100FBD", "128 kB", "16 kB"), ("XY100HBD", "256 kB", "32 kB")])
    )
    ram = [r for r in found if r.parameter == "RAM"]
    assert [(r.parts, r.low) for r in ram] == [(("XY100FBD",), 16384.0), (("XY100HBD",), 32768.0)]


def test_features_are_records_with_kind_and_conditions() -> None:
    features = [
        "• Endurance: 10,000 Write/Erase Cycles",
        "• 4.0V to 5.5V Operating Range",
        "• Converts temperature to digital word in 750 ms (max)",
        "• 50ksps max. sampling rate at VDD = 2.7V",
    ]
    found = list(extract_records(DOCUMENT, parsed([], features=features), ("XY100",)))
    assert [(r.parameter, r.kind, r.value_raw) for r in found] == [
        ("Endurance", LimitKind.VALUE, "10,000 Write/Erase Cycles"),
        ("Operating Range", LimitKind.VALUE, "4.0V to 5.5V"),
        ("Converts temperature to digital word", LimitKind.MAX, "750 ms"),
        ("sampling rate", LimitKind.MAX, "50ksps"),
    ]
    assert found[3].conditions[0].quantity == "VDD"
    assert all(r.section is RecordSection.FEATURES for r in found)


def test_ids_are_stable_and_distinct() -> None:
    made = table(LIMITS, [("Supply current", "ICC", "", "1", "2", "3", "mA")] * 3)
    first, second = records(made), records(made)
    assert [r.id for r in first] == [r.id for r in second]
    assert len({r.id for r in first}) == len(first)


ROW = st.tuples(
    st.integers(1, 999),
    st.sampled_from(("mV", "µA", "ns", "kHz", "V")),
    st.integers(1, 40),
    st.sampled_from(("", "XY100A", "XY100B")),
)


@given(st.lists(ROW, min_size=1, max_size=12))
def test_no_value_takes_another_rows_unit_condition_or_part(rows: list[tuple[int, str, int, str]]) -> None:
    made = table(
        ("Parameter", "Device", "Conditions", "Max", "Unit"),
        [
            (f"Quantity {n}", part, f"VCC = {volts} V", str(value), unit)
            for n, (value, unit, volts, part) in enumerate(rows)
        ],
    )
    found = records(made)
    assert len(found) == len(rows)
    for record, (value, unit, volts, part) in zip(found, rows):
        assert (record.value_raw, record.unit_raw) == (str(value), unit)
        assert [c.low for c in record.conditions if c.quantity == "VCC"] == [float(volts)]
        assert record.parts == ((part,) if part else ("XY100",))


def test_columns_of_guaranteed_limits_are_values_under_their_own_conditions() -> None:
    grid = table(
        ("Parameter", "Symbol", ("TA = 25 °C", "Typ"), "TA = −40 to 85 °C Guaranteed Limits", "Unit"),
        [("Maximum quiescent current", "ICC", "2", "80", "µA")],
    )
    assert [(r.value_raw, r.kind, [c.raw for c in r.conditions]) for r in records(grid)] == [
        ("2", LimitKind.TYP, ["TA = 25 °C"]),
        ("80", LimitKind.MAX, ["TA = −40 to 85 °C"]),
    ]


def test_a_conditions_column_named_by_its_quantity_states_it() -> None:
    header = ("Parameter", ("Test Conditions", "VIN (V)"), ("Test Conditions", "VCC (V)"), "Max", "Unit")
    grid = table(header, [("Quiescent current", "0,5", "5", "1", "µA")])
    columns = tuple(
        replace(column, role=ColumnRole.CONDITION) if "(V)" in column.name else column for column in grid.columns
    )
    (record,) = records(replace(grid, columns=columns))
    assert [(c.raw, c.quantity, c.low) for c in record.conditions] == [
        ("VIN (V): 0,5", "VIN", None),
        ("VCC = 5 V", "VCC", 5.0),
    ]


def test_a_sub_header_that_says_what_is_measured_is_part_of_the_name() -> None:
    grid = table(("Parameter", "Value", "Unit"), [("Molded DIP", "1130", "mW")], sections=("Power Dissipation (3)",))
    assert [record.parameter for record in records(grid)] == ["Power Dissipation: Molded DIP"]


def test_a_name_that_is_only_a_part_is_one_of_the_parameter_above() -> None:
    grid = table(LIMITS, [("Linearity error", "", "", "", "", "0.05", "%"), ("XY101LCN", "", "", "", "", "0.1", "%")])
    first, second = records(grid)
    assert (first.parameter, first.parts) == ("Linearity error", ("XY100",))
    assert (second.parameter, second.parts) == ("Linearity error", ("XY101LCN",))


def test_the_title_of_a_page_states_its_conditions_where_the_outline_left_them_out() -> None:
    document = parsed([table(LIMITS, [("Cycle time", "tC", "", "500", "", "", "ns")])], heading="Bus Timing")
    pages = [PageInfo(n, "", 612, 792, "") for n in (1, 2)]
    titled = PageInfo(
        3, "", 612, 792, "AC Characteristics (VCC = 4.5 to 5.5 V, Ta = 25 °C*3)\nBus Timing\nCycle time 500"
    )
    made = extract_records(DOCUMENT, replace(document, pages=(*pages, titled)), ("XY100",))
    assert [c.raw for c in made[0].conditions] == ["VCC = 4.5 to 5.5 V", "Ta = 25 °C"]


GROUP = st.tuples(
    st.sampled_from(("mV", "µA", "ns")),
    st.sampled_from(("", "XY100A", "XY100B")),
    st.lists(st.tuples(st.integers(1, 999), st.integers(1, 40)), min_size=1, max_size=4),
)


@given(st.lists(GROUP, min_size=1, max_size=6), st.booleans())
def test_no_value_of_a_spanned_parameter_takes_from_another(
    groups: list[tuple[str, str, list[tuple[int, int]]]], spanned: bool
) -> None:
    """Names and units printed once for several rows, in a cell over them all or on the first line only."""
    below = "^" if spanned else ""
    rows, wanted = [], []
    for number, (unit, part, values) in enumerate(groups):
        name = f"Quantity {number}" + (f" : {part}" if part else "")
        for line, (value, volts) in enumerate(values):
            first = line == 0
            rows.append((name if first else below, f"VCC = {volts} V", str(value), unit if first else below))
            wanted.append((f"Quantity {number}", str(value), unit, float(volts), (part,) if part else ("XY100",)))
    found = records(table(("Parameter", "Conditions", "Max", "Unit"), rows))
    assert [
        (r.parameter, r.value_raw, r.unit_raw, next(c.low for c in r.conditions if c.quantity == "VCC"), r.parts)
        for r in found
    ] == wanted


def test_a_series_in_a_header_restricts_the_parts_and_states_its_conditions() -> None:
    header = ("Parameter", "Conditions", "TA=25°C Guaranteed Limits", "74HC TA=−40 to 85°C Guaranteed Limits", "Unit")
    one = table(header, [("Propagation delay", "VCC = 4.5 V", "44", "55", "ns")])
    found = extract_records(DOCUMENT, parsed([one]), ("MM54HC147", "MM74HC147"))
    both, restricted = found
    assert both.parts == ("MM54HC147", "MM74HC147")
    assert restricted.parts == ("MM74HC147",)
    assert ("TA", -40.0, 85.0) in {(c.quantity, c.low, c.high) for c in restricted.conditions}


def test_lines_of_parts_under_one_test_have_its_conditions() -> None:
    rows = [
        ("DC current gain", "hFE", "VCE = 5.0 V, IC = 2.0 mA 548", "110", "800"),
        ("^", "^", "548A", "110", "220"),
        ("^", "^", "548B", "200", "450"),
        ("Noise figure", "NF", "VCE = 5.0 V", "", "10"),
    ]
    one = table(("Parameter", "Symbol", "Conditions", "Min", "Max"), rows)
    found = extract_records(DOCUMENT, parsed([one]), ("BC548", "BC548A", "BC548B"))
    grade = [record for record in found if record.parts == ("BC548B",)]
    assert [record.value_raw for record in grade] == ["200", "450"]
    assert {c.raw for record in grade for c in record.conditions} == {"VCE = 5.0 V", "IC = 2.0 mA"}
    assert {record.parts for record in found if record.value_raw == "800"} == {("BC548",)}


def test_what_a_feature_counts_is_a_record_of_its_own() -> None:
    features = [
        "• Eight Interrupt Sources",
        "• Up to 47 of 5 V tolerant general purpose I/O pins in a tiny package",
        "• 5 V to 12 V Supply",
    ]
    found = extract_records(DOCUMENT, parsed([], features=features), ("XY100",))
    counts = {record.parameter: (record.low, record.kind, record.unit) for record in found if record.column == -1}
    assert counts == {
        "Interrupt Sources": (8.0, LimitKind.VALUE, ""),
        "5 V tolerant general purpose I/O pins": (47.0, LimitKind.MAX, ""),
    }


def test_lines_under_a_title_are_named_by_it() -> None:
    lines = [
        "Package Thermal Impedance, θJA (see Note 1):",
        "D (SOIC) Package . . . . . . . . . 73 °C/W",
        "Maximum Junction Temperature . . . . . . . 150 °C",
    ]
    box = Box(0, 0, 100, 10)
    block = Block(BlockKind.PARAGRAPH, "\n".join(lines), tuple(Line(text, 3, box) for text in lines), 0)
    document = replace(parsed([]), blocks=(block,))
    first, second = extract_records(DOCUMENT, document, ("XY100",))
    assert first.parameter == "Package Thermal Impedance: D Package"
    assert second.parameter == "Maximum Junction Temperature"


@pytest.mark.parametrize("text", ["4 mA–20 mA", "mA-20", "from 5 kHz-100 kHz", "dB-40", "MHz-60"])
def test_a_unit_and_the_next_number_are_no_part(text: str) -> None:
    assert part_tokens(text) == ()


def test_the_characteristics_conditions_do_not_hold_for_the_ratings_on_their_page() -> None:
    """A page's one title that states conditions holds for its tables that are of its kind."""
    rating = table(
        ("Symbol", "Parameter", "Value", "Unit"),
        [("VS", "Supply voltage", "18", "V")],
        caption="Absolute maximum ratings",
    )
    limits = table(LIMITS, [("Offset voltage", "VOS", "", "", "50", "150", "µV")])
    text = "Absolute maximum ratings\nDC characteristics (VS = 15 V, TA = 25 °C)"
    document = replace(parsed([rating, limits]), pages=tuple(PageInfo(n, str(n), 600, 800, text) for n in (1, 2, 3)))
    found = extract_records(DOCUMENT, document, ("XY100",))
    stated = {record.parameter: [condition.raw for condition in record.conditions] for record in found}
    assert stated["Supply voltage"] == []
    assert stated["Offset voltage"] == ["VS = 15 V", "TA = 25 °C"]
