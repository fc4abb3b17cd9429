"""Segments of parsed documents: paths, cuts, merges, tables, figures."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.core.ids import DocumentId
from engine.core.model import (
    Block,
    BlockKind,
    Box,
    Cell,
    Column,
    ColumnRole,
    Figure,
    FileKind,
    Heading,
    Line,
    PageBox,
    PageInfo,
    ParsedDocument,
    SegmentKind,
    Table,
    TableRow,
)
from engine.segments.cascade import embed_text, head
from engine.segments.split import MAX_CHARS, make_segments
from tests.engine.ingest_fakes import parse_text

DOC = DocumentId("d" * 64)


def test_every_segment_carries_title_and_path() -> None:
    parsed = parse_text(f"# TPX10 amplifier\n\n## Ratings\n\n### Thermal\n\n{'Junction words. ' * 40}")
    (one,) = make_segments(DOC, parsed)
    assert one.path == ("TPX10 amplifier", "Ratings", "Thermal")
    assert one.embed_text.startswith("TPX10 amplifier > Ratings > Thermal\nJunction")
    assert one.text.startswith("Junction")


def test_title_is_said_once_and_a_long_path_is_shortened_in_its_middle() -> None:
    assert head("A part", ("A PART", "x")) == "A PART > x"
    assert head("A part", ("x",)) == "A part > x"
    long = head("Title", tuple(f"section {n} {'y' * 60}" for n in range(9)))
    assert long.startswith("Title > ")
    assert "section 8" in long
    assert len(long) <= 300
    assert embed_text("", (), "content") == "content"


def test_long_section_is_cut_at_sentences_under_the_same_path() -> None:
    sentences = [f"Sentence number {n} tells something about the part." for n in range(120)]
    parsed = parse_text("# T\n\n## S\n\n" + " ".join(sentences))
    made = make_segments(DOC, parsed)
    assert len(made) > 3
    assert {one.path for one in made} == {("T", "S")}
    assert all(len(one.text) <= MAX_CHARS and one.text.endswith(".") for one in made)
    assert " ".join(one.text for one in made) == " ".join(sentences)


def test_tiny_siblings_share_a_segment_that_names_each_of_them() -> None:
    parsed = parse_text("# T\n\n## Pin 1\n\nThe input.\n\n## Pin 2\n\nThe output.\n\n## Pin 3\n\nGround.")
    (one,) = make_segments(DOC, parsed)
    assert one.path == ("T",)
    assert one.text == "Pin 1\nThe input.\nPin 2\nThe output.\nPin 3\nGround."


def test_tiny_sections_of_different_parents_or_pages_stay_apart() -> None:
    apart = parse_text("# A\n\n## B\n\nFirst.\n\n# C\n\n## D\n\nSecond.")
    assert [one.path for one in make_segments(DOC, apart)] == [("A", "B"), ("C", "D")]
    pages = parse_text("# A\n\n## B\n\nFirst.\n---\n## C\n\nSecond.")
    assert [one.page for one in make_segments(DOC, pages)] == [1, 2]


def test_a_segment_of_some_length_ends_with_its_page() -> None:
    text = "Words of the first page. " * 30
    parsed = parse_text(f"# T\n\n{text}\n---\nSecond page goes on.")
    made = make_segments(DOC, parsed)
    assert [one.pages for one in made] == [(1,), (2,)]


def test_heading_without_anything_under_it_is_not_lost() -> None:
    parsed = parse_text("# T\n\n## Alone\n\n## Other\n\nSome text.")
    assert "Alone" in " ".join(one.text for one in make_segments(DOC, parsed))


def test_contents_lists_are_left_out() -> None:
    parsed = _document(blocks=(_block("Section 1 .... 3", kind=BlockKind.CONTENTS), _block("Real text.")))
    assert [one.text for one in make_segments(DOC, parsed)] == ["Real text."]


def test_table_keeps_figures_in_the_text_but_not_in_what_is_embedded() -> None:
    parsed = _document(blocks=(_block("| x |", kind=BlockKind.TABLE, table=0),), tables=(_table(3),))
    (one,) = make_segments(DOC, parsed)
    assert one.kind is SegmentKind.TABLE
    assert one.table == 0
    assert "| Parameter 0 | VCC = 5 V | 4.75 | V |" in one.text
    assert "Electrical limits" in one.text
    assert "Measured in air." in one.text
    assert "4.75" not in one.embed_text
    assert "VCC = 5" not in one.embed_text
    assert all(word in one.embed_text for word in ("Electrical limits", "Parameter 2", "Limits MAX", "V"))


def test_large_table_is_cut_between_rows_with_caption_and_header_on_each() -> None:
    parsed = _document(blocks=(_block("x", kind=BlockKind.TABLE, table=0),), tables=(_table(120),))
    made = make_segments(DOC, parsed)
    assert len(made) > 3
    assert all(one.text.startswith("Electrical limits\n| Parameter | Conditions | Limits MAX | Unit |") for one in made)
    rows = [
        line for one in made for line in one.text.splitlines() if line.startswith("| Parameter ") and "4.75" in line
    ]
    assert len(rows) == 120
    assert made[0].pages == (1,)
    assert made[-1].pages == (2,)
    assert all(box.page in one.pages for one in made for box in one.boxes)


def test_captions_are_embedded_with_the_text_around_them() -> None:
    box = Box(0, 0, 100, 100)
    parsed = _document(
        blocks=(_block("Gain falls above 1 MHz."), _block("Figure 1. Gain", kind=BlockKind.FIGURE, figure=0)),
        figures=(Figure(1, box, "Figure 1. Gain"), Figure(1, box, "Figure 2. Phase"), Figure(1, box, "")),
    )
    figure = next(one for one in make_segments(DOC, parsed) if one.kind is SegmentKind.FIGURE)
    assert figure.text == "Figure 1. Gain\nFigure 2. Phase"
    assert "Gain falls" in figure.embed_text
    assert figure.boxes == (PageBox(1, box), PageBox(1, box))


def test_text_inside_a_figure_can_be_found_under_its_caption() -> None:
    box = Box(0, 0, 10, 10)
    parsed = _document(
        blocks=(_block("Not recommended for new designs. Use X2.", kind=BlockKind.FIGURE, figure=0),),
        figures=(Figure(1, box, "Figure 1. Notice"),),
    )
    assert any(
        s.text == "Figure 1. Notice\nNot recommended for new designs. Use X2." for s in make_segments(DOC, parsed)
    )


def test_two_columns_stay_in_reading_order() -> None:
    left = Block(BlockKind.PARAGRAPH, "L" * 900, (Line("L", 1, Box(0, 400, 100, 410)),), -1)
    right = Block(BlockKind.PARAGRAPH, "R" * 900, (Line("R", 1, Box(200, 50, 300, 60)),), -1)
    made = make_segments(DOC, _document(blocks=(left, right)))
    assert [one.text[0] for one in made] == ["L", "R"]


@given(st.lists(st.text(alphabet="ab .\n#-|µ", max_size=300), max_size=12))
def test_no_word_is_lost_and_ids_are_stable(parts: list[str]) -> None:
    blocks = tuple(_block(text) for text in parts)
    parsed = _document(blocks=blocks)
    made = make_segments(DOC, parsed)
    assert made == make_segments(DOC, parsed)
    assert "".join("".join(one.text.split()) for one in made) == "".join("".join(text.split()) for text in parts)
    assert len({one.id for one in made}) == len(made)
    assert [one.ordinal for one in made] == list(range(len(made)))
    assert all(one.text.strip() for one in made)


def test_a_word_longer_than_a_segment_is_cut_not_lost() -> None:
    made = make_segments(DOC, _document(blocks=(_block("x" * 5000),)))
    assert "".join(one.text for one in made) == "x" * 5000
    assert all(len(one.text) <= MAX_CHARS for one in made)


def _block(text: str, kind: BlockKind = BlockKind.PARAGRAPH, table: int = -1, figure: int = -1) -> Block:
    return Block(kind, text, (Line(text, 1, Box(0, 0, 10, 10)),), -1, table, figure)


def _document(
    blocks: tuple[Block, ...], tables: tuple[Table, ...] = (), figures: tuple[Figure, ...] = ()
) -> ParsedDocument:
    headings: tuple[Heading, ...] = ()
    return ParsedDocument(FileKind.PDF, "T", headings, blocks, tables, figures, (PageInfo(1, "1", 1, 1, ""),))


def _table(rows: int) -> Table:
    columns = (
        Column("Parameter", ColumnRole.PARAMETER),
        Column("Conditions", ColumnRole.CONDITION),
        Column("MAX", ColumnRole.MAX, ("Limits",)),
        Column("Unit", ColumnRole.UNIT),
    )
    body = tuple(
        TableRow(
            (Cell(f"Parameter {n}"), Cell("VCC = 5 V"), Cell("4.75"), Cell("V")),
            1 if n < 60 else 2,
            Box(0, n, 10, n + 1),
        )
        for n in range(rows)
    )
    return Table(columns, body, 1, caption="Electrical limits", notes=("Measured in air.",))
