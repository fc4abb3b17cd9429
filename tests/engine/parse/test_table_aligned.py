"""Tables that nothing but alignment tells, and what is aligned without being one."""

from __future__ import annotations

from engine.parse.layout import Rule, Word
from engine.parse.table_markdown import to_markdown
from engine.parse.tables import find_tables
from tests.engine.parse.test_tables import page, put

XS = [50.0, 150.0, 220.0]
REGISTERS = [["CNT", "12", "pulses left"], ["LIM", "8", "least pitch, in steps"], ["ERR", "1", "stop on error"]]


def lines(rows: list[list[str]], xs: list[float], top: float = 100.0, pitch: float = 14.0) -> list[Word]:
    return [
        word
        for at, row in enumerate(rows)
        for x, text in zip(xs, row)
        if text
        for word in put(x, top + at * pitch, text)
    ]


def test_a_typed_list_of_registers_is_a_table_with_its_header() -> None:
    words = put(50, 60, "The winder implements these registers, which may be looked at and set:")
    words += lines([["name", "size", "comments"]], XS, 88) + lines(REGISTERS, XS, 112)
    (table,) = find_tables(page(words, []))
    assert [column.name for column in table.columns] == ["name", "size", "comments"]
    assert [[cell.text for cell in row.cells] for row in table.rows] == REGISTERS


def test_a_name_that_reaches_over_its_column_is_parted_from_the_next() -> None:
    xs = [50.0, 81.5, 110.0, 160.0, 200.0]
    rows = [[f"7/{n}", "Q", "64K", "no", "std"] for n in range(10, 20)]
    rows[4][0] = "7/14+"
    (table,) = find_tables(page(lines([["type", "bus", "mem", "MMU?", "FPP?"], *rows], xs), []))
    assert [cell.text for cell in table.rows[4].cells] == rows[4]


def test_numbers_that_count_columns_are_their_names() -> None:
    rows = [["Field", "0", "1", "2", "3"], ["pitch", "0", "7", "7", "9"], ["gain", "4", "5", "5", "6"]]
    rows += [["shape", "0", "2", "3", "3"]]
    (table,) = find_tables(page(lines(rows, [50.0, 120.0, 160.0, 200.0, 240.0]), []))
    assert [column.name for column in table.columns] == rows[0]
    assert "| pitch | 0 | 7 | 7 | 9 |" in to_markdown(table)


def test_remarks_of_a_program_make_no_columns() -> None:
    rows = [["MOV", "A,B", "; copy"], ["ADD", "A,C", "; sum"], ["JNZ", "top", "; again"], ["RET", "now", "; done"]]
    assert not find_tables(page(lines(rows, XS), []))


def test_addresses_side_by_side_are_no_table() -> None:
    rows = [
        ["Head Office Ltd", "North Works Inc", "South Works Inc"],
        ["12 Long Road", "4 Mill Lane", "9 Dock Street"],
        ["Old Town", "Upper Town", "Lower Town"],
        ["Tel 1 22 33", "Tel 2 33 44", "Tel 3 44 55"],
    ]
    assert not find_tables(page(lines(rows, [50.0, 200.0, 350.0]), []))


def test_a_head_printed_again_between_rulings_begins_another_table() -> None:
    rules = [Rule(48, y, 300, y) for y in (96, 112, 142, 180, 196, 226)]
    words = lines([["Name", "Type", "Size"]], XS, 98) + lines([["qi", "whole", "6"], ["bi", "whole", "36"]], XS, 114)
    words += put(50, 160, "Output values:")
    words += lines([["Name", "Type", "Size"]], XS, 182) + lines([["ci", "whole", "6"], ["zi", "whole", "7"]], XS, 198)
    first, second = find_tables(page(words, rules))
    assert [row.cells[0].text for row in first.rows] == ["qi", "bi"]
    assert [row.cells[0].text for row in second.rows] == ["ci", "zi"]
