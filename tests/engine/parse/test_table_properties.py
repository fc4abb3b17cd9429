"""What holds for every table, found on any page: cells for columns, nothing lost, nothing twice, blank stays blank."""

from __future__ import annotations

import re
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.model import Box, Table
from engine.parse.layout import PageLayout, Rule, Word
from engine.parse.table_markdown import to_markdown
from engine.parse.tables import find_tables, join_tables

_SIZE = 8.0
_TOKEN = re.compile(r"q\d+")


def word(x: float, y: float, text: str, bold: bool = False) -> Word:
    return Word(text, Box(x, y, x + 4.0 * len(text), y + 10.0), _SIZE, "Helvetica", bold, False)


def page(words: list[Word], rules: list[Rule]) -> PageLayout:
    return PageLayout(1, 612, 792, 0, tuple(words), (), tuple(rules), ())


def own_tokens(table: Table) -> Counter[str]:
    """Tokens printed in the table, those of spans and sub-headers counted once."""
    found: Counter[str] = Counter()
    seen_heads: set[str] = set()
    for column in table.columns:
        for text in (*column.group, column.name):
            seen_heads.update(_TOKEN.findall(text))
    for token in seen_heads:
        found[token] += 1
    sections: set[str] = set()
    for row in table.rows:
        sections.update(_TOKEN.findall(row.section))
        for cell in row.cells:
            if not cell.inherited:
                found.update(_TOKEN.findall(cell.text))
    for token in sections:
        # A row above an indented one is also its heading.
        if token not in found:
            found[token] += 1
    for text in (*table.notes, table.caption):
        found.update(set(_TOKEN.findall(text)))
    return found


LATTICE = st.tuples(st.integers(0, 24), st.integers(0, 30), st.booleans())
RULINGS = st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(1, 12), st.booleans())


def _rule(a: int, b: int, length: int, across: bool) -> Rule:
    x, y = 40 + 40.0 * a, 40 + 40.0 * b
    return Rule(x, y, x + 40.0 * length, y) if across else Rule(x, y, x, y + 40.0 * length)


@settings(max_examples=150, deadline=None)
@given(
    places=st.lists(LATTICE, min_size=4, max_size=90, unique_by=lambda p: p[:2]), drawn=st.lists(RULINGS, max_size=40)
)
def test_on_any_page_rows_fit_columns_and_no_word_is_lost_or_doubled(
    places: list[tuple[int, int, bool]], drawn: list[tuple[int, int, int, bool]]
) -> None:
    words = [word(45 + 21.0 * x, 45 + 13.0 * y, f"q{i}", bold) for i, (x, y, bold) in enumerate(places)]
    tables = find_tables(page(words, [_rule(*rule) for rule in drawn]))
    for table in tables:
        assert all(len(row.cells) == len(table.columns) for row in table.rows)
        found = own_tokens(table)
        assert not [token for token, count in found.items() if count > 1]
        box = table.regions[0].box
        for w in words:
            x = (w.box.x0 + w.box.x1) / 2
            inside = box.x0 + 1 < x < box.x1 - 1 and box.y0 + 1 < w.box.y0 and w.box.y1 < box.y1 - 1
            nested = [t for t in tables if t is not table and _within(w, t)]
            assert not inside or nested or found[w.text] == 1
        to_markdown(table)


def _within(w: Word, table: Table) -> bool:
    box = table.regions[0].box
    x, y = (w.box.x0 + w.box.x1) / 2, (w.box.y0 + w.box.y1) / 2
    return box.x0 - 2 <= x <= box.x1 + 2 and box.y0 - 2 <= y <= box.y1 + 2


GRIDS = st.integers(2, 7).flatmap(
    lambda columns: st.lists(st.lists(st.booleans(), min_size=columns, max_size=columns), min_size=2, max_size=9)
)


@settings(max_examples=120, deadline=None)
@given(filled=GRIDS, pitch=st.sampled_from([14.0, 18.0, 26.0]), width=st.sampled_from([44.0, 60.0, 80.0]))
def test_a_fully_ruled_grid_is_read_as_drawn_and_blank_stays_blank(
    filled: list[list[bool]], pitch: float, width: float
) -> None:
    columns = len(filled[0])
    names = ["Symbol", "Min", "Typ", "Max", "Unit", "Notes", "Code"][:columns]
    xs = [40 + width * i for i in range(columns + 1)]
    ys = [100 + pitch * i for i in range(len(filled) + 2)]
    rules = [Rule(xs[0], y, xs[-1], y) for y in ys] + [Rule(x, ys[0], x, ys[-1]) for x in xs]
    words = [word(xs[c] + 3, ys[0] + 2, name, bold=True) for c, name in enumerate(names)]
    for row, marks in enumerate(filled):
        marks[0] = True  # an empty label would be filled from the row above
        words += [word(xs[c] + 3, ys[row + 1] + 2, f"{row}.{c}5") for c, mark in enumerate(marks) if mark]
    (table,) = find_tables(page(words, rules))
    assert [column.name for column in table.columns] == names
    got = [[cell.text for cell in row.cells] for row in table.rows]
    assert got == [[f"{r}.{c}5" if mark else "" for c, mark in enumerate(marks)] for r, marks in enumerate(filled)]
    assert not any(cell.doubtful or cell.inherited for row in table.rows for cell in row.cells)


@settings(max_examples=40, deadline=None)
@given(parts=st.lists(st.integers(1, 6), min_size=2, max_size=6))
def test_a_table_on_many_pages_keeps_every_row_once(parts: list[int]) -> None:
    tables: list[Table] = []
    count = 0
    for number, rows in enumerate(parts, 1):
        # From the second third of the first page to its foot; then from head to foot.
        top = 400.0 if number == 1 else 60.0
        ys = [top + (700 - top) / (rows + 1) * i for i in range(rows + 2)]
        xs = [40.0, 140, 190, 240]
        rules = [Rule(xs[0], y, xs[-1], y) for y in ys] + [Rule(x, ys[0], x, ys[-1]) for x in xs]
        words = [word(xs[c] + 3, ys[0] + 2, name, True) for c, name in enumerate(("Parameter", "Min", "Max"))]
        for row in range(rows):
            words += [word(xs[0] + 3, ys[row + 1] + 2, f"q{count}"), word(xs[2] + 3, ys[row + 1] + 2, f"{count}.5")]
            count += 1
        layout = PageLayout(number, 612, 792, 0, tuple(words), (), tuple(rules), ())
        tables += find_tables(layout)
    (table,) = join_tables(tables)
    assert [row.cells[0].text for row in table.rows] == [f"q{i}" for i in range(count)]
    assert [row.cells[2].text for row in table.rows] == [f"{i}.5" for i in range(count)]
    assert [region.page for region in table.regions] == list(range(1, len(parts) + 1))
