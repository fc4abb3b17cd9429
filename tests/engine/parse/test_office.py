"""Word, PowerPoint, Excel and EPUB files follow the same outline and path rules."""

from __future__ import annotations

import zipfile
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest

from engine.core.errors import KnownError
from engine.core.model import BlockKind, FileKind
from engine.parse.reader import read_document


def test_word(tmp_path: Path) -> None:
    document = docx.Document()
    document.core_properties.title = "Bench Report"
    document.add_heading("Supply", 1)
    document.add_paragraph("The rail is 5 V.")
    document.add_heading("Limits", 2)
    table = document.add_table(rows=2, cols=2)
    for at, text in enumerate(("Item", "Max", "VIN", "18 V")):
        table.cell(at // 2, at % 2).text = text
    document.add_paragraph("first item", style="List Bullet")
    document.add_page_break()
    document.add_heading("Links", 1)
    document.add_paragraph("See the data sheet.")
    document.save(str(tmp_path / "r.docx"))
    found = read_document(tmp_path / "r.docx")
    assert found.kind is FileKind.DOCX
    assert found.title == "Bench Report"
    assert [(h.title, h.level, h.path) for h in found.headings] == [
        ("Supply", 1, ("Supply",)),
        ("Limits", 2, ("Supply", "Limits")),
        ("Links", 1, ("Links",)),
    ]
    assert [h.page for h in found.headings] == [1, 1, 2]
    assert [[cell.text for cell in row.cells] for row in found.tables[0].rows] == [["VIN", "18 V"]]
    assert any(block.kind is BlockKind.LIST and "first item" in block.text for block in found.blocks)


def test_word_without_styles(tmp_path: Path) -> None:
    document = docx.Document()
    for text in ("1 Scope", "Plain text follows here.", "1.1 Parts", "More plain text."):
        run = document.add_paragraph().add_run(text)
        run.bold = text[0].isdigit()
    document.save(str(tmp_path / "r.docx"))
    assert [(h.title, h.level) for h in read_document(tmp_path / "r.docx").headings] == [
        ("1 Scope", 1),
        ("1.1 Parts", 2),
    ]


def test_slides(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    for title, body in (("Overview", "One\nTwo"), ("Results", "Yield 98 %")):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = body
    deck.slides[1].notes_slide.notes_text_frame.text = "Mention lot 7."
    deck.save(str(tmp_path / "d.pptx"))
    found = read_document(tmp_path / "d.pptx")
    assert [(h.title, h.page) for h in found.headings] == [("Overview", 1), ("Results", 2)]
    assert "Yield 98 %" in found.pages[1].text
    assert "lot 7" in found.pages[1].text
    assert len(found.pages) == 2


def test_sheets(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Limits"
    for row in (("Part", "Max (V)"), ("SHF317", 37.0), ("SHF337", 30.5), (), ("Note", None), ("Lot", "Date")):
        sheet.append(row)
    book.create_sheet("Log").append(("only one line", 3))
    book.save(str(tmp_path / "b.xlsx"))
    found = read_document(tmp_path / "b.xlsx")
    assert [(h.title, h.page) for h in found.headings] == [("Limits", 1), ("Log", 2)]
    assert [page.label for page in found.pages] == ["1", "Log"]
    assert [[cell.text for cell in row.cells] for row in found.tables[0].rows] == [["SHF317", "37"], ["SHF337", "30.5"]]
    assert "only one line 3" in found.pages[1].text


def test_epub(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "b.epub", "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr(
            "META-INF/container.xml", '<container><rootfiles><rootfile full-path="O/p.opf"/></rootfiles></container>'
        )
        book.writestr(
            "O/p.opf",
            '<package xmlns:dc="x"><metadata><dc:title>Handbook</dc:title></metadata><manifest>'
            '<item id="b" href="two.xhtml"/><item id="a" href="one%20a.xhtml"/></manifest>'
            '<spine><itemref idref="a"/><itemref idref="b"/></spine></package>',
        )
        book.writestr("O/one a.xhtml", "<html><body><h1>First</h1><p>alpha</p></body></html>")
        book.writestr("O/two.xhtml", "<html><body><h1>Second</h1><h2>Part</h2><p>beta</p></body></html>")
    found = read_document(tmp_path / "b.epub")
    assert found.title == "Handbook"
    assert [(h.title, h.level, h.page) for h in found.headings] == [("First", 1, 1), ("Second", 1, 2), ("Part", 2, 2)]


@pytest.mark.parametrize("name", ["x.docx", "x.pptx", "x.xlsx", "x.epub"])
def test_damaged_archives_are_refused_plainly(tmp_path: Path, name: str) -> None:
    markers = {"docx": "word/document.xml", "pptx": "ppt/presentation.xml", "xlsx": "xl/workbook.xml"}
    with zipfile.ZipFile(tmp_path / name, "w") as archive:
        archive.writestr(markers.get(name[-4:], "META-INF/container.xml"), "<broken")
    with pytest.raises(KnownError, match="damaged"):
        read_document(tmp_path / name)


def test_binary_office_files_are_refused_plainly(tmp_path: Path) -> None:
    (tmp_path / "old.doc").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600)
    with pytest.raises(KnownError, match="binary Office"):
        read_document(tmp_path / "old.doc")
