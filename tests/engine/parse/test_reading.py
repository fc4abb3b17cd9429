"""Reading order, running lines and joined words (checks: columns, margins, de-hyphenation)."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.text import fold
from engine.parse.joining import Vocabulary, join_lines
from tests.engine.parse.press import Press, Put, block_texts

KEYS = "QHAZKBWMCPXE"
BOX = (72, 90, 523, 542)
LEFT = (
    "The first stage turns the current of the",
    "sensor into a voltage. It has a gain of ten",
    "and its offset is trimmed at the factory to",
    "less than fifty microvolts over the range.",
    "The second stage filters what is left of the",
    "carrier, and it settles to its final value in",
)
RIGHT = (
    "less than two milliseconds after a step of",
    "the input. The third stage drives the cable",
    "with up to ten milliamperes and withstands a",
    "short circuit to either supply without end.",
    "All stages share one reference that stands",
    "beside them on the chip and tracks them well.",
)


def columns(press: Press, y: float = 120.0, left: tuple[str, ...] = LEFT, right: tuple[str, ...] = RIGHT) -> None:
    press.put([Put(text, x=60, y=y + 13 * row) for row, text in enumerate(left)])
    press.put([Put(text, x=320, y=y + 13 * row) for row, text in enumerate(right)])


def test_sentence_runs_over_the_columns(tmp_path: Path) -> None:
    press = Press()
    press.new_page()
    press.put([Put("A Full-Width Title Across Both of the Columns", x=60, y=80, size=18, bold=True)])
    columns(press)
    press.put([Put("7", x=296, y=800)])
    found = press.parse(tmp_path)
    texts = block_texts(found)
    sentence = "it settles to its final value in less than two milliseconds after a step of the input."
    assert any(sentence in text for text in texts)
    assert any(text.startswith("The first stage turns the current") for text in texts)
    for text in texts:
        assert not ("first stage" in text and "reference that stands" in text and text.index("reference") < 60)
    assert sentence in found.pages[0].text.replace("\n", " ")


def test_columns_that_share_baselines_with_a_page_number_between(tmp_path: Path) -> None:
    press = Press()
    for number in range(4):
        press.new_page()
        columns(press, y=60 + 9 * number)
        columns(press, y=150 + 9 * number, left=RIGHT, right=LEFT)
        press.put([Put(str(number + 1), x=296, y=815)])
    found = press.parse(tmp_path)
    joined = " ".join(block_texts(found))
    assert joined.count("with up to ten milliamperes and withstands a short circuit to either supply") == 8
    assert "sensor into a voltage. It has a gain of ten the input." not in joined


def test_table_rows_keep_their_cells_together_in_the_page_text(tmp_path: Path) -> None:
    press = Press()
    press.new_page()
    press.prose(80)
    rows = (("Input offset voltage", "VOS", "0.5", "mV"), ("Input bias current", "IB", "20", "nA"))
    for row, cells in enumerate(rows):
        for column, text in enumerate(cells):
            press.put([Put(text, x=72 + 120 * column, y=160 + 14 * row)])
    text = press.parse(tmp_path).pages[0].text
    assert "Input offset voltage VOS 0.5 mV" in text
    assert "Input bias current IB 20 nA" in text


def test_running_lines_are_facts_once_and_no_content(tmp_path: Path) -> None:
    press = Press()
    for number in range(12):
        press.new_page()
        press.put([Put("ZX9000", x=72, y=30, size=8), Put("Rev. C4", x=480, y=30, size=8)])
        press.put([Put(f"Page {number + 1} of 12", x=270, y=825, size=8)])
        if number == 0:
            press.put([Put("A Real Title Close to the Edge", x=72, y=47, size=20, bold=True)])
        press.prose(100)
        for row in range(4):
            y = 770 + 14 * row
            press.put([Put(f"Row {KEYS[number]}{row}", x=72, y=y), Put(f"{(number * 7) % 5}.{row} V", x=300, y=y)])
    found = press.parse(tmp_path)
    text = "\n".join(block_texts(found))
    assert "ZX9000" not in text
    assert "Rev. C4" not in text
    assert "Page 3 of 12" not in text
    assert found.facts.count("ZX9000") == 1
    assert found.facts.count("Rev. C4") == 1
    assert found.title == "A Real Title Close to the Edge"
    for number in range(12):
        assert f"Row {KEYS[number]}3" in text
        assert f"{(number * 7) % 5}.3 V" in text
        assert "ZX9000" in found.pages[number].text


_NARROW = (
    "The regulator keeps its output within two per cent over the",
    "whole range of input voltages and loads. A capacitor close to",
    "the input pin keeps the supply quiet while the pass transistor",
    "follows fast changes of the load current that it draws when it",
    "wakes from sleep and starts to run at full speed.",
)


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (("the LM317-", "N regulator"), "the LM317-N regulator"),
        (("the SN74LVC1G08-", "Q1 gate"), "the SN74LVC1G08-Q1 gate"),
        (("two ampli-", "fiers in one"), "two amplifiers in one"),
        (("a soft\u00adware hy\u00ad", "phen"), "a software hyphen"),
        (("from -40 -", "+85 °C"), "from -40 - +85 °C"),
        (("the X-", "ray tube"), "the X-ray tube"),
        (("low-", "power mode"), "low-power mode"),
        (("IEC 60601-", "1-2 requires"), "IEC 60601-1-2 requires"),
        (("Ampli-", "fier choice"), "Amplifier choice"),
        (("see www.example-", "site.com"), "see www.example-site.com"),
    ],
)
def test_words_broken_at_line_ends(lines: tuple[str, ...], joined: str) -> None:
    assert join_lines(lines, Vocabulary(lines)) == joined


def test_the_document_settles_how_a_word_is_spelled() -> None:
    known = Vocabulary(["The power-down mode is left by reset.", "A stepdown converter."])
    assert join_lines(["in power-", "down mode"], known) == "in power-down mode"
    assert join_lines(["a step-", "down converter"], known) == "a stepdown converter"


def test_soft_hyphens_ligatures_and_spaces_are_read_as_words(tmp_path: Path) -> None:
    press = Press()
    press.new_page()
    press.page.insert_htmlbox(
        BOX,
        "<p>The e\ufb03ciency of the ampli\u00adfier at 5\u00a0V is 95&#8239;%.</p>",
    )
    text = press.parse(tmp_path).pages[0].text
    assert "efficiency of the amplifier at 5 V is 95 %." in fold(text)


def test_subscripts_are_read_with_their_letter(tmp_path: Path) -> None:
    press = Press()
    press.new_page()
    press.page.insert_htmlbox(
        BOX,
        "<p style='font-size:12px'>V<sub>CC</sub> = 5 V and 10<sup>6</sup> cycles</p>",
    )
    text = press.parse(tmp_path).pages[0].text
    assert "VCC = 5 V" in text
    assert "10^6 cycles" in text


def test_pages_stored_on_their_side_are_read_upright(tmp_path: Path) -> None:
    press = Press()
    press.new_page()
    press.prose(90)
    press.page.set_rotation(90)
    press.new_page()
    for row, text in enumerate(LEFT):
        press.page.insert_text((100 + 14 * row, 700), text, fontsize=10, rotate=90)
    found = press.parse(tmp_path)
    assert (found.pages[0].width, found.pages[0].height) == (842.0, 595.0)
    for page in found.pages:
        lines = [line for block in found.blocks for line in block.lines if line.page == page.number]
        assert lines
        assert all(0 <= line.box.x0 <= line.box.x1 <= page.width for line in lines)
        assert all(0 <= line.box.y0 <= line.box.y1 <= page.height for line in lines)
    assert "The first stage turns the current of the sensor into a voltage." in found.pages[1].text.replace("\n", " ")


def test_an_unruled_table_in_one_column_takes_nothing_from_the_other(tmp_path: Path) -> None:
    press = Press()
    press.new_page()
    press.put([Put("Parameter", 72, 100, 8, bold=True)])
    press.put(
        [Put(name, x, 100, 8, bold=True) for name, x in (("Min", 180), ("Typ", 210), ("Max", 240), ("Unit", 270))]
    )
    for row in range(8):
        y = 113.0 + 12.5 * row
        values = (("Supply current", 72), (str(10 + row), 180), (str(20 + row), 210), (str(30 + row), 240), ("mA", 270))
        press.put([Put(text, x, y, 8) for text, x in values])
    y = 97.0
    for _ in range(2):
        y = press.prose(y, x=310, size=9.0, lines=_NARROW)
    parsed = press.parse(tmp_path)
    assert [len(table.rows) for table in parsed.tables] == [8]
    assert [cell.text for cell in parsed.tables[0].rows[3].cells] == ["Supply current", "13", "23", "33", "mA"]
    assert any(" ".join(_NARROW[:3]) in text for text in block_texts(parsed))


def test_the_name_of_the_section_in_the_header_is_no_content(tmp_path: Path) -> None:
    press = Press()
    for name in ("Overview", "Thermal Design", "Layout", "Packages"):
        press.new_page()
        press.put([Put(name, 72, 40, 9, bold=True), Put(name, 72, 110, 14, bold=True)])
        for start in (135, 300, 500):
            press.prose(start)
    parsed = press.parse(tmp_path)
    assert [h.title for h in parsed.headings] == ["Overview", "Thermal Design", "Layout", "Packages"]
    assert block_texts(parsed).count("Layout") == 1


def test_a_chapter_keeps_its_title_where_headers_repeat_it_smaller(tmp_path: Path) -> None:
    """Manuals print "Chapter 2: Name" over every page of the chapter, often its first one, too."""
    press = Press()
    for number, name in enumerate(("Getting Started", "Debug Adapters", "Server Setup"), start=1):
        for page in range(4):
            press.new_page()
            press.put([Put(f"Chapter {number}: {name}", 72, 40, 9)])
            if page == 0:
                press.put([Put(f"{number} {name}", 72, 84, 17, bold=True)])
            for start in (135, 300, 500):
                press.prose(start)
    parsed = press.parse(tmp_path)
    assert [h.title for h in parsed.headings] == ["1 Getting Started", "2 Debug Adapters", "3 Server Setup"]
