"""Markdown, HTML and plain text give the same headings, paths, tables and page map as a PDF."""

from __future__ import annotations

from pathlib import Path

from engine.core.model import BlockKind, FileKind, ParsedDocument
from engine.parse.markdown import render
from engine.parse.reader import read_document


def write(folder: Path, name: str, text: str) -> ParsedDocument:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_document(path)


def test_markdown(tmp_path: Path) -> None:
    found = write(
        tmp_path,
        "n.md",
        "---\ntitle: Bench Notes\n---\n# Supply\n\nThe *rail* is 5 V.\n\n## Limits\n\n| Item | Max |\n|---|---|\n"
        "| VIN | 18 V |\n| IOUT | 1.5 A |\n\n- one\n- two\n  - three\n\n```\nMOV A, B\n  RET\n```\n\n"
        "# Links\n\nSee [x](y).\n",
    )
    assert found.kind is FileKind.MARKDOWN
    assert found.title == "Bench Notes"
    assert [(h.title, h.level, h.path) for h in found.headings] == [
        ("Supply", 1, ("Supply",)),
        ("Limits", 2, ("Supply", "Limits")),
        ("Links", 1, ("Links",)),
    ]
    assert [column.name for column in found.tables[0].columns] == ["Item", "Max"]
    assert [[cell.text for cell in row.cells] for row in found.tables[0].rows] == [["VIN", "18 V"], ["IOUT", "1.5 A"]]
    assert found.tables[0].heading == 1
    kinds = [block.kind for block in found.blocks]
    assert kinds.count(BlockKind.LIST) == 1
    assert next(b.text for b in found.blocks if b.kind is BlockKind.CODE) == "MOV A, B\n  RET"
    assert "The rail is 5 V." in found.pages[0].text
    assert "See x." in found.pages[0].text


def test_html(tmp_path: Path) -> None:
    found = write(
        tmp_path,
        "n.html",
        "<html><head><title>Errata &amp; notes</title><style>p{}</style></head><body><nav>Home</nav><h1>Errata</h1>"
        "<p>First<br>line with <b>bold</b> text.<ul><li>one<li>two <i>b</i></ul><h2>Table</h2><table><tr><th>Part</th>"
        "<th colspan=2>Range</th></tr><tr><td>SHF317</td><td>1.2</td><td>37 <p>V</td></tr></table>"
        "<script>x()</script><h2>End</h2><p>Unclosed",
    )
    assert found.kind is FileKind.HTML
    assert found.title == "Errata & notes"
    assert [(h.title, h.level) for h in found.headings] == [("Errata", 1), ("Table", 2), ("End", 2)]
    assert [[cell.text for cell in row.cells] for row in found.tables[0].rows] == [["SHF317", "1.2", "37 V"]]
    text = found.pages[0].text
    assert "First line with bold text." in text
    assert "• one\n• two b" in text
    assert "Home" not in text
    assert "x()" not in text
    assert text.endswith("Unclosed")


def test_plain_text(tmp_path: Path) -> None:
    found = write(
        tmp_path,
        "n.txt",
        "MAIN REPORT\n\nAll parts were\nmeasured twice.\n\n1. Results\n\nThe yield was 98 %.\n\n1.1 Outliers\n\n"
        "Two parts\nfailed.\n\nSummary\n=======\n\nDone.\n",
    )
    assert found.kind is FileKind.TEXT
    assert [(h.title, h.level) for h in found.headings] == [
        ("MAIN REPORT", 1),
        ("1. Results", 1),
        ("1.1 Outliers", 2),
        ("Summary", 1),
    ]
    assert "measured twice." in found.pages[0].text
    assert "=====" not in found.pages[0].text


def test_the_page_map_of_the_markdown_covers_it(tmp_path: Path) -> None:
    found = write(tmp_path, "n.md", "# A\n\nalpha beta\n\n- x\n- y\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    markdown = render(found)
    at = 0
    for anchor in markdown.anchors:
        assert anchor.start == at
        at = anchor.end
        assert anchor.page == 1
    assert at == len(markdown.text)
