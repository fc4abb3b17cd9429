"""Codes and what they stand for: tables inside cells, tables without a header, lists in running text, looked up by row
and column."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.model import PageInfo, PageStatus, ParsedDocument
from engine.parameters.code_lists import read_code_lists
from engine.parameters.compute import answer_from_records
from engine.parameters.inner_tables import inner_tables, with_header
from engine.parameters.results import SURE
from tests.engine.parameters.conftest import Shelf, ask
from tests.engine.parameters.tables import parsed, table


def paged(*texts: str) -> ParsedDocument:
    """A document of pages that hold only text."""
    pages = tuple(PageInfo(n, str(n), 600.0, 800.0, text, PageStatus.TEXT) for n, text in enumerate(texts, 1))
    return replace(parsed([]), pages=pages)


def listed(*texts: str) -> list[tuple[str, str, str]]:
    """(what the list is of, first condition, meaning) of every code."""
    return [(one.parameter, one.conditions[0].raw, one.value) for one, _ in read_code_lists(paged(*texts), ())]


PINS = table(
    ("Name", "Type", "Description", "Description", "Description"),
    [
        ("CS", "I", "Chip select, active low.", "", ""),
        ("DT1 DT2", "I", "Duty selection.", "", ""),
        ("^", "^", "DT2", "DT1", "Duty"),
        ("^", "^", "0", "0", "1/65"),
        ("^", "^", "0", "1", "1/49"),
        ("^", "^", "1", "0", "1/33"),
        ("RST", "I", "Reset, active low.", "", ""),
    ],
)


def test_a_table_inside_a_cell_is_read_on_its_own() -> None:
    (inner,) = inner_tables(PINS)
    assert [column.name for column in inner.table.columns] == ["DT2", "DT1", "Duty"]
    assert inner.rows == range(3, 6)
    assert inner.columns == (2, 3, 4)
    assert {row.section for row in inner.table.rows} == {"DT1 DT2 I Duty selection"}


def test_lines_of_a_spanned_row_that_have_no_header_are_no_table() -> None:
    spanned = table(
        ("Name", "Value", "Unit"), [("Gain", "1", "dB"), ("^", "2", "dB"), ("^", "3", "dB"), ("^", "4", "dB")]
    )
    assert inner_tables(spanned) == ()


def test_the_row_of_an_inner_table_answers(shelf: Shelf) -> None:
    shelf.add(9, "QZ901 LCD driver", ("QZ901",), parsed([PINS]))
    assert ask(shelf, "QZ901 with DT2 = 1 and DT1 = 0 runs at which duty?").short == "1/33"
    assert ask(shelf, "QZ901: which duty with DT2 tied low and DT1 tied high?").short == "1/49"


def test_a_table_without_header_takes_its_first_row() -> None:
    codes = with_header(table(("", ""), [("A[3:0]", "DIVSET"), ("0000", "divide by 1"), ("0001", "divide by 2")]))
    assert [column.name for column in codes.columns] == ["A[3:0]", "DIVSET"]
    assert len(codes.rows) == 2
    pairs = table(("", ""), [("Display format", "128x64"), ("Colour", "white"), ("Duty", "1/64")])
    assert with_header(pairs) == pairs


def test_the_bits_of_a_field_choose_its_row(shelf: Shelf) -> None:
    rows = [("A[3:0]", "DIVSET"), *((f"{n:04b}", f"divide by {1 << n}") for n in range(9))]
    shelf.add(9, "QZ902 OLED driver", ("QZ902",), parsed([table(("", ""), rows)]))
    assert ask(shelf, "QZ902 DIVSET for A[3:0] = 0110?").short == "divide by 64"


def test_rows_of_a_series_are_given_at_its_values(shelf: Shelf) -> None:
    series = table(("", "", ""), [("IREF", "15.625 µA", "11.25 µA"), ("Rref", "750 kΩ", "1 MΩ")])
    shelf.add(9, "QZ903 OLED driver", ("QZ903",), parsed([series]))
    assert ask(shelf, "What Rref does the QZ903 need for IREF = 11.25 µA?").short == "1 MΩ"


def test_codes_on_one_line_are_told_apart_and_belong_to_the_field_above() -> None:
    text = "\n".join(
        (
            "C[2:0] : Set time interval between each scroll step in",
            "terms of frame frequency",
            "000b – 5 frames 100b – 3 frames",
            "001b – 64 frames 101b – 4 frames",
            "D[2:0] : Define end page address",
            "000b – PAGE0 011b – PAGE3",
        )
    )
    interval = "Set time interval between each scroll step in terms of frame frequency"
    found = listed(text)
    assert (interval, "C[2:0] = 101b", "4 frames") in found
    assert ("Define end page address", "D[2:0] = 011b", "PAGE3") in found
    assert len(found) == 6


def test_bare_codes_count_up_in_binary() -> None:
    assert listed("Phase period:\n00 1 clock cycle\n01 2 clock cycles\n10 4 clock cycles\n11 8 clock cycles")
    assert listed("Contents\n10 Package outlines\n11 Revision history") == []


def test_a_numbered_list_of_values_goes_on_from_the_page_before() -> None:
    found = listed("‘spifreq=0..7’", "0 30 kHz\n1 125 kHz\n2 250 kHz\n3 1 MHz")
    assert found[-1] == ("‘spifreq=0..7’", "spifreq = 3", "1 MHz")
    assert listed("Steps:\n1 Connect the cable\n2 Press the key\n3 Wait for the lamp\n4 Let go") == []


@pytest.mark.parametrize(
    "text",
    [
        "hFE at IC = 10 mA and VCE = 10 V\nf = 100 MHz",
        "Rev. 01 — 1 February 2007 10 of 16\nRev. 01 — 1 February 2007 11 of 16",
        "9 D14 89 COM82\n10 D13 90 COM81\n11 D12 91 COM80",
    ],
)
def test_values_footers_and_pad_lists_are_no_code_lists(text: str) -> None:
    assert listed(text) == []


def test_a_listed_code_answers_for_each_part(shelf: Shelf) -> None:
    for number, (part, frames) in enumerate((("QZ911", 4), ("QZ912", 3)), 11):
        text = f"C[2:0] : Set interval between scroll steps\n000b – 5 frames 100b – 2 frames\n101b – {frames} frames"
        shelf.add(number, f"{part} OLED driver", (part,), paged(text))
    assert ask(shelf, "Scroll interval code 101b: how many frames on the QZ911?").short == "4 frames"
    both = ask(shelf, "Scroll interval code 101b: how many frames on the QZ911, how many on the QZ912?")
    assert both.short == "QZ911: 4 frames; QZ912: 3 frames"


def test_bits_choose_among_described_codes(shelf: Shelf) -> None:
    rows = [(*f"{n:03b}", "Setting of brightness", f"{n + 1}/16 Pulse width is set as {n + 1}/16") for n in range(8)]
    shelf.add(9, "QZ913 LED driver", ("QZ913",), parsed([table(("B2", "B1", "B0", "Function", "Description"), rows)]))
    answer = ask(shelf, "qz913: what pulse width do low bits B2 B1 B0 = 011 select?")
    assert answer.short == "4/16 Pulse width is set as 4/16"


STEPS = table(
    ("Step", "Yellow", "Red", "Hex Value"),
    [("0", "1", "1", "9"), ("1", "1", "0", "C"), ("2", "0", "0", "6"), ("3", "0", "1", "3")],
    caption="Table 1. Step motor values",
)
DRIVERS = table(
    ("Manufacturer", "Model", "Step time", "Steps on"),
    [("Xylo", "XS- 3525/8S- 3", "2000", "Rising edge"), ("Xylo", "XS- 3525/8S- 4", "1000", "Falling edge")],
)


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("QZ904 stepper note: which hex nibble goes to the motor for step 2?", "6"),
        ("QZ904: step time of the Xylo XS-3525/8S-3?", "2000"),
    ],
)
def test_a_cell_is_looked_up_by_its_row_and_column(shelf: Shelf, question: str, short: str) -> None:
    shelf.add(9, "QZ904 stepper motor controller", ("QZ904",), parsed([STEPS, DRIVERS]))
    assert ask(shelf, question).short == short


@pytest.mark.parametrize(
    "question",
    [
        "QZ904: which torque has step 2?",
        "QZ904: which hex nibble goes out for step 9?",
        "QZ904: price of the Xylo XS-3525/8S-3?",
        "QZ904: step time of the Xylo XS-3525/8S-9?",
    ],
)
def test_no_other_row_and_no_other_column_answers(shelf: Shelf, question: str) -> None:
    shelf.add(9, "QZ904 stepper motor controller", ("QZ904",), parsed([STEPS, DRIVERS]))
    answer = answer_from_records(question, shelf.store, shelf.documents)
    assert answer is None or answer.alternatives > 1 or answer.confidence < SURE
