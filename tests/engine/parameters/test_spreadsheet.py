"""Comparison tables written for spreadsheets come back with every value in place."""

from __future__ import annotations

import csv
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import KnownError
from engine.parameters.finding import compare
from engine.parameters.spreadsheet import write_csv, write_xlsx
from tests.engine.parameters.conftest import Shelf

PARAMETERS = ("supply current", "supply voltage")


def test_csv_has_a_line_a_part_and_a_column_a_parameter(shelf: Shelf, tmp_path: Path) -> None:
    write_csv(compare(PARAMETERS, shelf.store, shelf.documents), tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8-sig", newline="") as stream:
        head, *lines = list(csv.reader(stream))
    assert head == ["part", "document", *PARAMETERS, "file and page"]
    first = next(line for line in lines if line[0] == "AX101")
    assert "typ 25 µA at VCC = 3 V" in first[2]
    assert "max 40 µA at VCC = 3 V" in first[2]
    assert "min 2.7 V" in first[3]
    assert first[4] == "AX101.pdf p. 3"


def test_xlsx_holds_both_sheets_and_numbers_as_numbers(shelf: Shelf, tmp_path: Path) -> None:
    write_xlsx(compare(PARAMETERS, shelf.store, shelf.documents), tmp_path / "out.xlsx")
    with zipfile.ZipFile(tmp_path / "out.xlsx") as package:
        names = package.namelist()
        values = package.read("xl/worksheets/sheet2.xml").decode()
        texts = package.read("xl/sharedStrings.xml").decode()
    assert {"xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"} <= set(names)
    numbers = [float(number) for number in re.findall(r"<c [^>]*><v>([^<]+)</v>", values)]
    assert any(number == pytest.approx(4e-5) for number in numbers)
    assert "max 40 µA at VCC = 3 V" in texts


def test_text_of_a_document_never_becomes_a_formula(shelf: Shelf, tmp_path: Path) -> None:
    table = compare(PARAMETERS, shelf.store, shelf.documents)
    planted = replace(table, rows=(replace(table.rows[0], part='=HYPERLINK("http://x")'),))
    write_csv(planted, tmp_path / "out.csv")
    write_xlsx(planted, tmp_path / "out.xlsx")
    assert "\n'=HYPERLINK" in (tmp_path / "out.csv").read_text(encoding="utf-8-sig").replace("\r", "").replace(
        "\"'", "'"
    )
    with zipfile.ZipFile(tmp_path / "out.xlsx") as package:
        assert "<f>" not in package.read("xl/worksheets/sheet1.xml").decode()


@pytest.mark.parametrize("write", [write_csv, write_xlsx])
def test_a_place_that_cannot_be_written_is_said_plainly(shelf: Shelf, tmp_path: Path, write: object) -> None:
    with pytest.raises(KnownError, match="cannot be written"):
        write(compare(PARAMETERS, shelf.store, shelf.documents), tmp_path / "missing" / "out")  # type: ignore[operator]
