"""Damaged, empty, locked and misnamed files: six plain reasons (checks: damaged and empty files, passwords)."""

from __future__ import annotations

import random
import zipfile
from pathlib import Path

import pytest

from engine.core.errors import KnownError
from engine.core.model import FileKind, PageStatus
from engine.parse.kinds import sniff
from engine.parse.reader import read_document
from tests.engine.parse.press import Press, Put


def good_pdf(folder: Path, pages: int = 6) -> Path:
    press = Press()
    for number in range(pages):
        press.new_page()
        press.put([Put(f"{number + 1}. Part {'ABCDEFGH'[number]}", y=80, size=14, bold=True)])
        press.prose(110)
    return press.save(folder / "good.pdf", deflate=False)


def refused(path: Path) -> KnownError:
    with pytest.raises(KnownError) as caught:
        read_document(path)
    return caught.value


def test_each_fault_has_its_own_plain_reason(tmp_path: Path) -> None:
    good = good_pdf(tmp_path).read_bytes()
    files = {
        "empty.pdf": b"",
        "noise.pdf": random.Random(3).randbytes(4000),
        "page.pdf": b"<!DOCTYPE html>\n<html><body>Please log in</body></html>",
        "headless.pdf": b"%PDF-1.7\n%no objects at all\n",
    }
    reasons = []
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        error = refused(tmp_path / name)
        assert error.help
        reasons.append(str(error))
    press = Press()
    press.new_page()
    press.new_page()
    reasons.append(str(refused(press.save(tmp_path / "blank.pdf"))))
    locked = Press()
    locked.new_page()
    locked.put([Put("secret")])
    options = {"encryption": 4, "user_pw": "open", "owner_pw": "own"}
    reasons.append(str(refused(locked.save(tmp_path / "locked.pdf", **options))))
    assert len(set(reasons)) == 6
    assert "password" in reasons[-1].lower()
    assert good.startswith(b"%PDF")


def test_a_cut_file_is_repaired_and_says_so(tmp_path: Path) -> None:
    path = good_pdf(tmp_path)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * 0.6)])
    found = read_document(path)
    assert any("cut off" in warning for warning in found.warnings)
    assert any("within two per cent" in page.text for page in found.pages)


def test_a_file_without_its_header_is_repaired(tmp_path: Path) -> None:
    path = good_pdf(tmp_path)
    path.write_bytes(path.read_bytes()[16:])
    found = read_document(path)
    assert len(found.pages) == 6
    assert found.warnings


def test_owner_password_alone_does_not_matter(tmp_path: Path) -> None:
    press = Press()
    press.new_page()
    press.prose(100)
    path = press.save(tmp_path / "owned.pdf", encryption=4, owner_pw="own", user_pw="")
    assert "within two per cent" in read_document(path).pages[0].text


def test_content_decides_not_the_extension(tmp_path: Path) -> None:
    pdf = good_pdf(tmp_path)
    renamed = tmp_path / "really.txt"
    renamed.write_bytes(pdf.read_bytes())
    assert sniff(renamed) is FileKind.PDF
    (tmp_path / "notes.md").write_text("# Title\n\ntext\n")
    assert sniff(tmp_path / "notes.md") is FileKind.MARKDOWN
    (tmp_path / "a.txt").write_bytes("Größe µA".encode("cp1252"))
    assert sniff(tmp_path / "a.txt") is FileKind.TEXT
    with zipfile.ZipFile(tmp_path / "x.docx", "w") as archive:
        archive.writestr("readme", "no document")
    with pytest.raises(KnownError, match="archive"):
        sniff(tmp_path / "x.docx")
    (tmp_path / "y.docx").write_bytes(b"PK\x03\x04 cut")
    with pytest.raises(KnownError, match="damaged"):
        sniff(tmp_path / "y.docx")
    with pytest.raises(KnownError, match="no file"):
        sniff(tmp_path / "gone.pdf")


def test_page_labels_and_physical_pages_are_both_kept(tmp_path: Path) -> None:
    press = Press()
    for _ in range(5):
        press.new_page()
        press.prose(100)
    press.document.set_page_labels(
        [
            {"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 1},
            {"startpage": 2, "style": "D", "firstpagenum": 1},
        ]
    )
    pages = press.parse(tmp_path).pages
    assert [page.number for page in pages] == [1, 2, 3, 4, 5]
    assert [page.label for page in pages] == ["i", "ii", "1", "2", "3"]


def test_scanned_pages_are_named_and_never_pass_for_text(tmp_path: Path) -> None:
    press = Press()
    fitz = press._fitz
    picture = fitz.Pixmap(fitz.csGRAY, fitz.IRect(0, 0, 200, 280))
    picture.clear_with(200)
    for number in range(4):
        press.new_page()
        if number in (1, 2):
            press.page.insert_image(fitz.Rect(20, 60, 575, 790), pixmap=picture)
            press.put([Put("ZX9000 data sheet", y=30, size=8), Put(f"Page {number + 1}", y=820, size=8)])
        else:
            press.prose(100)
    found = press.parse(tmp_path)
    assert [p.number for p in found.pages if p.status in (PageStatus.NEEDS_OCR, PageStatus.OCR)] == [2, 3]
    assert [p.number for p in found.pages if p.status is PageStatus.TEXT] == [1, 4]


def test_a_token_deep_in_a_long_file_keeps_its_page(tmp_path: Path) -> None:
    press = Press()
    for number in range(150):
        press.new_page()
        press.put([Put(f"Plain page {'x' * (number % 7 + 3)}", y=200 + number % 50)])
        if number == 136:
            press.put([Put("token QZJ77113", y=400)])
    found = press.parse(tmp_path)
    assert [page.number for page in found.pages if "QZJ77113" in page.text] == [137]
    assert len(found.pages) == 150
