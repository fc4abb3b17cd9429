"""A cell of any table, pointed at by row, column and what stands around the table; and cells that are not."""

from __future__ import annotations

import pytest

from engine.agent.evidence import holds, make_pool
from engine.agent.question import understand
from engine.agent.table_cells import pointed_rows
from engine.agent.table_pool import TablePool
from engine.agent.units import units_of
from engine.answer import Answerer
from engine.core.ids import DocumentId, segment_id
from engine.core.model import Segment, SegmentKind
from engine.core.results import Answer, AnswerStatus
from tests.engine.agent.shelf import Shelf, sources_of

MODES = """| Mode | Quality | Bit-rate (bps) | mflops | Remark |
| 0 | 2 | 2,150 | 6 | hissing |
| 4 | 5 | 11,000 | 14 | fair |
| 6 | 9 | 18,200 | 17.5 | good |"""
CODES = """| Huffman Code | RSTART | RBITS |
| b110 | 4 | 1 |
| b11110 | 10 | 3 |
| b111110 | 18 | 4 |"""
CABLE = """| Signal | PC side | UNIT side |
| TxD | 2 | 3 |
| RxD | 3 | 6 |
| GND | 5 | 4 |"""
OTHER_CABLE = """| Signal | PC side | UNIT side |
| TxD | 2 | 2 |
| GND | 5 | 9 |"""
SETTINGS = """| Item | Descriptions | Option | Notes |
| Max age | The longest age of a correction | pos-maxage | Default value: 30 |
| Outage | The epochs without data | pos-outage | Default value: 5 |"""
SYMBOLS = """| Symbol | Register |
| __SP_H__ | Stack pointer high byte at address 0x3E |
| __SP_L__ | Stack pointer low byte at address 0x3D |"""
CURRENTS = """| Parameter | Conditions | Typ | Unit |
| active mode backup supply current for low battery drain | CCLK = 60 MHz | 30 | µA |
| active mode supply current | CCLK = 60 MHz (as above) | 40 | mA |"""
BARE = """| STA | 12 | status |
| CNT | 20 | word count |
| LOCK | 32 | lock switches |"""


def ask(question: str) -> Answer:
    table, text = SegmentKind.TABLE, SegmentKind.TEXT
    library = Shelf(
        ("vox.pdf", "Vox codec manual", (), [(table, "Narrowband modes", MODES), (table, "Long-run strings", CODES)]),
        ("rover.pdf", "Rover guide", (), [(table, "Positioning", SETTINGS), (table, "Inline symbols", SYMBOLS)]),
        ("qz9.pdf", "QZ9 controller", ("QZ9",), [(table, "Supply", CURRENTS)]),
        (
            "cables.pdf",
            "Power cables",
            (),
            [
                (text, "Mirage", "The Mirage card has an odd socket."),
                (table, "Mirage", CABLE),
                (table, "Zephyr", OTHER_CABLE),
            ],
        ),
    )
    return Answerer("shelf", sources_of(library)).ask(question)


def test_a_quantity_meets_the_cell_that_prints_it_in_the_unit_of_its_column() -> None:
    assert ask("Vox narrowband: how many mflops does the 18.2 kbps mode cost?").short == "17.5"


def test_a_code_chooses_the_row_and_a_shortened_header_the_column() -> None:
    assert ask("Vox long-run Huffman strings: how many additional bits follow code b11110?").short == "3"


@pytest.mark.parametrize(("cable", "pin"), [("Mirage", "6"), ("Zephyr", "2")])
def test_the_heading_of_a_table_tells_it_from_one_of_the_same_columns(cable: str, pin: str) -> None:
    signal = "RxD" if cable == "Mirage" else "TxD"
    assert ask(f"Power cable of the {cable}: which UNIT side for {signal}?").short == pin


@pytest.mark.parametrize(
    "question",
    [
        "Vox narrowband: how many watts does the 18.2 kbps mode radiate?",
        "Power cable of the Mirage: which UNIT side for the shield?",
        "Vox narrowband: how many mflops does the 24 kbps mode cost?",
    ],
)
def test_what_no_row_or_no_column_says_is_not_answered(question: str) -> None:
    assert ask(question).status is AnswerStatus.NOT_MENTIONED


def test_a_label_inside_a_cell_heads_it() -> None:
    question = understand("Which default value has the outage?")
    rows = pointed_rows(question, TablePool(make_pool(question, [_segment(SETTINGS, 1)], {}), {}))
    assert rows[0].answer == "Default value: 5"


def test_a_name_of_underscores_is_a_key_and_no_blank() -> None:
    answer = ask("Rover inline symbols: at what address is the byte behind __SP_H__?")
    assert "0x3E" in answer.short
    assert "0x3D" not in answer.text


def test_the_row_whose_name_has_no_spare_words_is_meant() -> None:
    short = ask("What typical active mode supply current has the QZ9 at CCLK = 60 MHz?").short
    assert short.startswith("40 mA")


def _segment(text: str, number: int) -> Segment:
    document = DocumentId("0" * 64)
    made = segment_id(document, number, number, text)
    return Segment(made, document, number, SegmentKind.TABLE, "T", (f"S{number}",), text, text, number, (number,))


def test_a_grid_without_a_header_keeps_its_first_row() -> None:
    units = units_of([_segment(BARE, 1)])
    assert [unit.text for unit in units] == ["STA 12 status", "CNT 20 word count", "LOCK 32 lock switches"]
    assert not any(head for unit in units for head, _ in unit.cells)


def test_the_same_row_of_two_tables_is_two_rows() -> None:
    units = units_of([_segment("| a | b |\n| GND | 5 |", 1), _segment("| a | b |\n| GND | 5 |", 2)])
    assert len(units) == 2


def test_the_small_words_of_a_compound_need_not_be_found() -> None:
    assert holds({"end", "medium", "mark"}, "end-of-medium")
