"""What makes a record doubtful: it is shown as a picture of its page, not asserted."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.parameters.results import SURE
from tests.engine.parameters.tables import LIMITS, records, table


def test_limits_out_of_order_are_flagged() -> None:
    found = records(
        table(LIMITS, [("Frequency", "f", "", "10", "5", "20", "MHz"), ("Delay", "t", "", "1", "2", "3", "ns")])
    )
    assert [bool(r.doubts) for r in found] == [True, True, True, False, False, False]
    assert found[0].confidence < 0.5


def test_a_doubtful_cell_lowers_confidence_and_says_why() -> None:
    found = records(table(LIMITS, [("Supply voltage", "VCC", "", "", "", "18", "V")], doubtful=frozenset({(0, 5)})))
    assert found[0].confidence < 0.5
    assert found[0].doubts


def test_negative_limits_go_by_size() -> None:
    right = table(LIMITS, [("Pull-up current", "IPU", "", "−15", "−50", "−85", "µA")])
    wrong = table(LIMITS, [("Pull-up current", "IPU", "", "−15", "−85", "−50", "µA")])
    assert not any(record.doubts for record in records(right))
    assert all("not in order" in record.doubts[0] for record in records(wrong))


def test_two_tables_read_as_one_are_doubted() -> None:
    rows = [
        ("Supply voltage −0.5 V to 7 V Supply voltage", "", "", "2", "", "6", "V"),
        ("Output current ±25 mA Operating temperature", "", "", "−40", "", "85", "°C"),
    ]
    assert all(record.confidence <= 0.5 for record in records(table(LIMITS, rows)))
    logic = [("Logic 1 input", "VIH", "", "2", "", "", "V"), ("Supply current at 5 V", "", "", "", "", "6", "mA")]
    assert all(record.confidence == 1.0 for record in records(table(LIMITS, logic)))


@given(st.lists(st.integers(-50, 50), min_size=3, max_size=3))
def test_every_row_that_breaks_the_order_of_its_limits_is_flagged(limits: list[int]) -> None:
    low, typical, high = limits
    row = ("Supply current", "ICC", "", str(low), str(typical), str(high), "mA")
    ordered = low <= typical <= high or (max(limits) <= 0 and low >= typical >= high)
    for record in records(table(LIMITS, [row])):
        assert bool(record.doubts) != ordered
        assert (record.confidence < SURE) != ordered


def test_a_kind_that_its_table_contradicts_is_doubted() -> None:
    row = ("Input offset voltage", "VOS", "TA = 25 °C", "", "1", "3", "mV")
    (usual, most) = records(table(LIMITS, [row]), heading="Absolute Maximum Ratings")
    assert {usual.confidence, most.confidence} == {0.6}
    assert all("typical values" in record.doubts[0] for record in (usual, most))
    assert all(record.confidence == 1.0 for record in records(table(LIMITS, [row])))
    rated = [
        ("Storage temperature", "TSTG", "", "−65", "", "150", "°C"),
        ("Lead temperature", "", "", "", "", "300", "°C"),
    ]
    assert {record.confidence for record in records(table(LIMITS, rated), heading="Description")} == {0.6}
    assert {record.confidence for record in records(table(LIMITS, rated), heading="Maximum Ratings")} == {1.0}


def test_a_title_read_into_the_header_is_doubted() -> None:
    header = ("Parameter", "TA = 25 °C, SYMBOL unless otherwise noted.) CONDITIONS", "Max", "Unit")
    found = records(table(header, [("Input bias current", "VCM = 0 V", "20", "nA")]))
    assert all(record.confidence <= 0.6 and record.doubts for record in found)
