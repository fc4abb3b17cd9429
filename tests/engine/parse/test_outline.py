"""Headings are found, and nothing else is taken for one (checks: wrong or missing headings)."""

from __future__ import annotations

from pathlib import Path

from engine.core.model import BlockKind, HeadingSource
from tests.engine.parse.press import Press, Put, outline

SECTIONS = ("Overview", "Operating Conditions", "Thermal Design")


def test_larger_headings_over_body_text(tmp_path: Path) -> None:
    press = Press()
    for title in SECTIONS:
        press.new_page()
        press.put([Put(title, y=90, size=14)])
        y = press.prose(116, size=11)
        press.put([Put(f"{title} in Detail", y=y + 14, size=12.5)])
        press.prose(y + 36, size=11)
    found = press.parse(tmp_path)
    wanted = [row for page, t in enumerate(SECTIONS, start=1) for row in ((t, 1, page), (f"{t} in Detail", 2, page))]
    assert outline(found) == wanted


def test_bold_numbered_heads_in_body_size(tmp_path: Path) -> None:
    press = Press()
    press.new_page()
    y = 80.0
    for title in ("7 Specifications", "7.1 Absolute Maximum Ratings", "7.3 Thermal Information", "7.3.1 Junction"):
        press.put([Put(title, y=y, bold=True)])
        y = press.prose(y + 18) + 12
    press.new_page()
    press.put([Put("8 Detailed Description", y=80, bold=True)])
    press.prose(98)
    found = press.parse(tmp_path)
    assert outline(found) == [
        ("7 Specifications", 1, 1),
        ("7.1 Absolute Maximum Ratings", 2, 1),
        ("7.3 Thermal Information", 2, 1),
        ("7.3.1 Junction", 3, 1),
        ("8 Detailed Description", 1, 2),
    ]
    assert found.headings[3].path == ("7 Specifications", "7.3 Thermal Information", "7.3.1 Junction")
    assert all(heading.source is HeadingSource.NUMBERING for heading in found.headings)


def test_title_in_two_sizes_is_the_title_and_no_heading(tmp_path: Path) -> None:
    press = Press()
    press.new_page()
    press.put([Put("LM9055", y=90, size=24, bold=True), Put("Low-Noise Voltage Regulator", y=116, size=15)])
    press.put([Put("Features", y=160, size=12, bold=True)])
    press.prose(180)
    press.new_page()
    press.put([Put("Description", y=90, size=12, bold=True)])
    press.prose(110)
    found = press.parse(tmp_path, "scan0007 final(2).pdf")
    assert found.title == "LM9055 Low-Noise Voltage Regulator"
    assert outline(found) == [("Features", 1, 1), ("Description", 1, 2)]


def test_underlined_note_at_the_top_of_a_page_is_no_heading(tmp_path: Path) -> None:
    press = Press()
    for page in range(3):
        press.new_page()
        press.put([Put("All voltages are referred to ground unless noted otherwise here.", y=70, underline=True)])
        press.put([Put(f"{page + 1}. Section {'ABC'[page]}", y=110, size=14, bold=True)])
        press.prose(134)
    found = press.parse(tmp_path)
    assert outline(found) == [("1. Section A", 1, 1), ("2. Section B", 1, 2), ("3. Section C", 1, 3)]


def test_bookmarks_win_over_fonts(tmp_path: Path) -> None:
    press = Press()
    titles = ("Zener Basics", "Noise", "Layout", "Packages")
    for title in titles:
        press.new_page()
        press.put([Put("IMPORTANT LOUD LINE", y=70, size=20, bold=True), Put(title, y=110, size=9)])
        press.prose(130)
    press.document.set_toc([[1, titles[0], 1], [2, titles[1], 2], [2, titles[2], 3], [1, titles[3], 4]])
    found = press.parse(tmp_path)
    assert outline(found) == [(titles[0], 1, 1), (titles[1], 2, 2), (titles[2], 2, 3), (titles[3], 1, 4)]
    assert {heading.source for heading in found.headings} == {HeadingSource.BOOKMARK}
    assert all(heading.box is not None for heading in found.headings)


def test_bookmarks_that_name_nothing_printed_are_ignored(tmp_path: Path) -> None:
    press = Press()
    for number in (1, 2, 3, 4):
        press.new_page()
        press.put([Put(f"{number} Chapter Number {'XYZW'[number - 1]}", y=90, size=14, bold=True)])
        press.prose(114)
    press.document.set_toc([[1, f"_GoBack{n}", n] for n in (1, 2, 3, 4)])
    found = press.parse(tmp_path)
    assert [heading.source for heading in found.headings] == [HeadingSource.NUMBERING] * 4


def test_numbering_depth_beats_font_size(tmp_path: Path) -> None:
    press = Press()
    press.new_page()
    for index, (title, size) in enumerate(
        (("1 Interface", 12), ("1.1 Clock", 15), ("1.2 Data", 11), ("2 Registers", 12))
    ):
        press.put([Put(title, y=80 + 160 * index, size=size, bold=True)])
        press.prose(104 + 160 * index)
    found = press.parse(tmp_path)
    assert [level for _, level, _ in outline(found)] == [1, 2, 2, 1]


def test_headings_in_the_margin_beside_the_text(tmp_path: Path) -> None:
    press = Press()
    press.new_page()
    y = 90.0
    for title in (("Reset",), ("Power-down and", "Wake-up Timer"), ("Watchdog",)):
        for row, part in enumerate(title):
            press.put([Put(part, x=40, y=y + 14 * row, size=12, bold=True)])
        y = press.prose(y, x=170, lines=[line[:64] for line in PROSE_NARROW]) + 20
    found = press.parse(tmp_path)
    assert [title for title, _, _ in outline(found)] == ["Reset", "Power-down and Wake-up Timer", "Watchdog"]
    for heading in range(3):
        own = [b for b in found.blocks if b.heading == heading and b.kind is BlockKind.PARAGRAPH]
        assert len(own) == 1


PROSE_NARROW = (
    "The device leaves this state when the pin is held low for two",
    "machine cycles while the oscillator runs. All registers take the",
    "values of the table below and the counter starts from zero. The",
    "internal memory is not changed by it and keeps what it held.",
)


def test_cjk_headings(tmp_path: Path) -> None:
    press = Press()
    titles = ("第1章 概要", "第2章 電気的特性")
    for title in titles:
        press.new_page()
        press.page.insert_text((72, 90), title, fontsize=16, fontname="japan")
        for row in range(5):
            text = "この製品は低消費電力の演算増幅器であり、広い電源電圧範囲で動作します。"
            press.page.insert_text((72, 120 + 16 * row), text, fontsize=10, fontname="japan")
    found = press.parse(tmp_path)
    assert [(title.replace(" ", ""), level, page) for title, level, page in outline(found)] == [
        ("第1章概要", 1, 1),
        ("第2章電気的特性", 1, 2),
    ]


def test_front_page_with_three_columns(tmp_path: Path) -> None:
    press = Press()
    press.new_page()
    press.put([Put("LM9055 Voltage Regulator", y=70, size=20, bold=True)])
    columns = (
        (40, "FEATURES", "• Runs from 2.7 V"),
        (220, "APPLICATIONS", "• Battery packs"),
        (400, "DESCRIPTION", ""),
    )
    for x, title, item in columns:
        press.put([Put(title, x=x, y=110, size=11, bold=True)])
        for row in range(5):
            text = f"{item} and more {row}" if item else "The part is a small series regulator"
            press.put([Put(text, x=x, y=128 + 12 * row, size=9)])
    press.put([Put("ABSOLUTE MAXIMUM RATINGS", x=40, y=240, size=11, bold=True)])
    press.prose(258, x=40)
    found = press.parse(tmp_path)
    assert [title for title, _, _ in outline(found)] == [
        "FEATURES",
        "APPLICATIONS",
        "DESCRIPTION",
        "ABSOLUTE MAXIMUM RATINGS",
    ]
    assert {level for _, level, _ in outline(found)} == {1}
    features = [b.text for b in found.blocks if b.heading == 0 and b.kind is not BlockKind.HEADING]
    assert "Battery" not in " ".join(features)
    assert " ".join(features).count("2.7 V") == 5


def test_captions_list_items_and_table_cells_are_no_headings(tmp_path: Path) -> None:
    press = Press()
    press.new_page()
    press.put([Put("1 Electrical Data", y=80, size=13, bold=True)])
    y = press.prose(100)
    press.put([Put("Table 1. Limits of the supply", y=y + 10, bold=True)])
    for row, cells in enumerate((("PARAMETER", "MIN", "MAX"), ("Supply voltage", "2.7", "5.5"), ("Input", "0", "5.5"))):
        for column, text in enumerate(cells):
            press.put([Put(text, x=72 + 150 * column, y=y + 30 + 14 * row, bold=row == 0)])
    press.put([Put("Figure 1. Test circuit", y=y + 110, bold=True)])
    for item in range(3):
        press.put([Put(f"{item + 1}. Solder the exposed pad to ground", y=y + 140 + 14 * item)])
    press.put([Put("2 Ordering", y=y + 200, size=13, bold=True)])
    press.prose(y + 220)
    assert [title for title, _, _ in outline(press.parse(tmp_path))] == ["1 Electrical Data", "2 Ordering"]


def test_title_of_the_metadata_lies(tmp_path: Path) -> None:
    press = Press()
    press.new_page()
    press.put([Put("MX441 Quad Comparator", y=80, size=18, bold=True)])
    press.prose(120)
    press.document.set_metadata({"title": "Microsoft Word - template_v3.doc"})
    assert press.parse(tmp_path).title == "MX441 Quad Comparator"


def test_metadata_title_serves_where_none_is_printed_large(tmp_path: Path) -> None:
    press = Press()
    press.new_page()
    press.prose(120)
    press.document.set_metadata({"title": "MX441 Quad Comparator"})
    assert press.parse(tmp_path).title == "MX441 Quad Comparator"


def test_contents_list_is_no_content_but_confirms_headings(tmp_path: Path) -> None:
    press = Press()
    press.new_page()
    press.put([Put("Table of Contents", y=80, size=13, bold=True)])
    titles = ("Overview", "Timing", "Packages", "Revisions")
    for row, title in enumerate(titles):
        press.put([Put(f"{title} {'.' * 60} {row + 2}", y=110 + 14 * row)])
    for title in titles:
        press.new_page()
        press.put([Put(title, y=80, size=13, bold=True)])
        press.prose(100)
    found = press.parse(tmp_path)
    assert [title for title, _, _ in outline(found)] == list(titles)
    contents = [b for b in found.blocks if b.kind is BlockKind.CONTENTS]
    assert contents
    assert not any("....." in b.text for b in found.blocks if b.kind is not BlockKind.CONTENTS)
