"""Scanned pages: read where an engine is, named where none is, never an empty success (check: scanned and mixed)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.core.cancel import CancelToken
from engine.core.model import Box, PageStatus
from engine.parse import mupdf, ocr
from engine.parse.host import ParserHost
from engine.parse.layout import PageLayout, TextLine, Word
from engine.parse.ocr import Scanner
from engine.parse.reader import Attempt, read_document
from tests.engine.parse.press import Press, Put


def scan(folder: Path) -> Path:
    """Two pages: one printed, one the picture of a printed page under a native header."""
    fitz = mupdf.load()
    source = Press()
    source.new_page()
    source.put([Put("Absolute Maximum Ratings", y=200, size=16, bold=True)])
    source.put([Put("Supply voltage 18 V", y=240, size=12), Put("Output current 1500 mA", y=262, size=12)])
    picture = source.page.get_pixmap(dpi=150)
    press = Press()
    press.new_page()
    press.prose(100)
    press.new_page()
    press.page.insert_image(fitz.Rect(0, 0, 595, 842), pixmap=picture)
    press.put([Put("ZX9000 data sheet", y=30, size=8)])
    return press.save(folder / "scan.pdf")


class Engine(Scanner):
    """A scanner that sees what it is told."""

    def __init__(self, words: list[str], missing: str = "") -> None:
        super().__init__()
        self.missing = missing
        self._words = words

    def layout(self, page: Any, native: PageLayout, keep_native: bool) -> PageLayout:
        lines = [
            TextLine(
                (Word(text, Box(72, 90 + 20 * i, 200, 102 + 20 * i), 10.0, "scan", False, False),),
                Box(72, 90 + 20 * i, 200, 102 + 20 * i),
            )
            for i, text in enumerate(self._words)
        ]
        return replace(
            native, lines=(*native.lines, *lines), words=(*native.words, *(w for line in lines for w in line.words))
        )


def test_without_an_engine_the_page_is_named(tmp_path: Path) -> None:
    path = scan(tmp_path)
    for attempt in (None, Attempt(scanner=Engine([], "no OCR engine is installed"))):
        pages = read_document(path, attempt=attempt).pages
        assert [page.status for page in pages] == [PageStatus.TEXT, PageStatus.NEEDS_OCR]
        assert pages[1].reason
    assert "no OCR engine is installed" in pages[1].reason


def test_an_engine_without_its_models_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ocr, "_models", lambda: {"det": None, "rec": None})
    monkeypatch.setattr(ocr.importlib.util, "find_spec", lambda name: object())
    scanner = Scanner()
    assert scanner.missing == "the OCR engine has no det and no rec model"
    pages = read_document(scan(tmp_path), attempt=Attempt(scanner=scanner)).pages
    assert pages[1].status is PageStatus.NEEDS_OCR
    assert "no det" in pages[1].reason


def test_what_the_engine_reads_becomes_the_page(tmp_path: Path) -> None:
    found = read_document(scan(tmp_path), attempt=Attempt(scanner=Engine(["Tantalum", "capacitor", "47 µF"])))
    assert found.pages[1].status is PageStatus.OCR
    assert "Tantalum\ncapacitor\n47 µF" in found.pages[1].text
    text = " ".join(block.text for block in found.blocks)
    assert "Tantalum capacitor 47 µF" in text


def test_a_picture_without_text_is_no_success(tmp_path: Path) -> None:
    found = read_document(scan(tmp_path), attempt=Attempt(scanner=Engine([])))
    assert found.pages[1].status is not PageStatus.OCR


def test_the_installed_engine_reads_a_scan_offline(tmp_path: Path) -> None:
    pytest.importorskip("rapidocr", exc_type=ImportError)
    host = ParserHost(page_seconds=120.0)
    try:
        found = host.parse(scan(tmp_path), cancel=CancelToken())
    finally:
        host.close()
    assert [page.status for page in found.pages] == [PageStatus.TEXT, PageStatus.OCR]
    assert "Supply voltage 18 V" in found.pages[1].text
    assert "Output current 1500 mA" in found.pages[1].text
    line = next(line for block in found.blocks for line in block.lines if "Supply voltage 18 V" in line.text)
    assert abs(line.box.x0 - 72) < 6
    assert abs(line.box.y1 - 243) < 8
