"""Tables found on hand-made layouts: limit columns, spans, wrapped cells, joined pages."""

from __future__ import annotations

from engine.core.model import Box, ColumnRole
from engine.parse.layout import PageLayout, Rule, Word
from engine.parse.table_markdown import to_markdown
from engine.parse.tables import find_tables, join_tables

_WIDTH = 5.0


def put(x: float, y: float, text: str, size: float = 10.0) -> list[Word]:
    """Words of `text` from `x`, baseline box at `y`, 5 points a character."""
    words = []
    for part in text.split(" "):
        if part:
            box = Box(x, y, x + _WIDTH * len(part), y + size * 1.2)
            words.append(Word(part, box, size, "Helvetica", False, False))
        x += _WIDTH * len(part) + 2.8
    return words


def page(words: list[Word], rules: list[Rule], number: int = 1) -> PageLayout:
    return PageLayout(number, 612, 792, 0, tuple(words), (), tuple(rules), ())


def grid(xs: list[float], ys: list[float]) -> list[Rule]:
    return [Rule(xs[0], y, xs[-1], y) for y in ys] + [Rule(x, ys[0], x, ys[-1]) for x in xs]


XS = [50.0, 170, 230, 280, 330, 380, 440]
HEADER = ["Parameter", "Symbol", "Min", "Typ", "Max", "Unit"]


def row_words(y: float, texts: list[str]) -> list[Word]:
    return [word for x, text in zip(XS, texts) for word in put(x + 4, y, text)]


def test_blank_limits_stay_blank_and_the_maximum_is_labelled_max() -> None:
    words = row_words(104, HEADER) + row_words(124, ["Supply voltage", "VCC", "", "", "18", "V"])
    (table,) = find_tables(page(words, grid(XS, [100, 120, 140])))
    assert [column.role for column in table.columns] == [
        ColumnRole.PARAMETER,
        ColumnRole.SYMBOL,
        ColumnRole.MIN,
        ColumnRole.TYP,
        ColumnRole.MAX,
        ColumnRole.UNIT,
    ]
    (row,) = table.rows
    assert [cell.text for cell in row.cells] == ["Supply voltage", "VCC", "", "", "18", "V"]
    assert not any(cell.doubtful or cell.inherited for cell in row.cells)


def test_a_condition_over_three_rows_is_inherited() -> None:
    words = row_words(104, HEADER)
    words += put(54, 144, "Offset voltage")
    for i, value in enumerate(["1", "2", "3"]):
        words += put(334, 124 + 20 * i, value) + put(384, 124 + 20 * i, "mV")
    rules = grid(XS, [100, 120, 180]) + [Rule(280, y, 440, y) for y in (140.0, 160.0)]
    (table,) = find_tables(page(words, rules))
    assert [row.cells[0].text for row in table.rows] == ["Offset voltage"] * 3
    assert [row.cells[0].inherited for row in table.rows] == [False, True, True]
    assert [row.cells[4].text for row in table.rows] == ["1", "2", "3"]


def test_unruled_columns_are_found_by_their_headers() -> None:
    words = row_words(104, HEADER)
    words += row_words(120, ["Supply voltage", "VCC", "2.7", "", "5.5", "V"])
    words += row_words(136, ["Input current", "IIN", "", "0.5", "1", "nA"])
    words += row_words(152, ["Gain", "AV", "", "100", "", "dB"])
    (table,) = find_tables(page(words, []))
    assert [[cell.text for cell in row.cells][2:5] for row in table.rows] == [
        ["2.7", "", "5.5"],
        ["", "0.5", "1"],
        ["", "100", ""],
    ]


def test_two_columns_of_prose_are_no_table() -> None:
    words = []
    for i in range(12):
        words += put(50, 100 + 14 * i, "the quick brown fox jumps over a lazy dog")
        words += put(320, 100 + 14 * i, "and then the dog sleeps under a tree all day")
    assert find_tables(page(words, [])) == ()


def test_a_repeated_header_joins_pages() -> None:
    parts = []
    for number, top, value in ((1, 660, "5.5"), (2, 100, "6.5")):
        words = row_words(top + 4, HEADER) + row_words(top + 24, ["Supply voltage", "VCC", "", "", value, "V"])
        parts += find_tables(page(words, grid(XS, [top, top + 20, top + 40]), number))
    (table,) = join_tables(parts)
    assert [(row.page, row.cells[4].text) for row in table.rows] == [(1, "5.5"), (2, "6.5")]
    assert [region.page for region in table.regions] == [1, 2]


def test_the_same_table_on_sixty_pages_is_sixty_tables() -> None:
    words = row_words(104, HEADER) + row_words(124, ["Supply voltage", "VCC", "", "", "18", "V"])
    rules = grid(XS, [100, 120, 140])
    found = [table for number in range(1, 61) for table in find_tables(page(words, rules, number))]
    joined = join_tables(found)
    assert [table.page for table in joined] == list(range(1, 61))
    assert all(table.rows[0].cells[4].text == "18" for table in joined)


def test_markdown_escapes_bars_and_keeps_every_row() -> None:
    words = row_words(104, HEADER) + row_words(124, ["|Zin|", "Z", "1", "", "", "k"])
    (table,) = find_tables(page(words, grid(XS, [100, 120, 140])))
    lines = to_markdown(table).splitlines()
    assert lines[0] == "| Parameter | Symbol | Min | Typ | Max | Unit |"
    assert lines[2].startswith("| \\|Zin\\| | Z | 1 |")
