"""Makes resources/sample_library and tests/golden/sample from one description each. The generator is the truth.

    python -m tests.makers.sample_library          write both
    python -m tests.makers.sample_library --check  compare with what is committed, exit 1 on a difference

Every part, figure and sentence is made up for this project. Bytes are the same on every run.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pymupdf

from tests.makers.parts import converters, logic, notes, opamps, questions, regulator_siblings, regulators, thermometers
from tests.makers.sheets.compose import Composer, page_label
from tests.makers.sheets.describe import Label, Sheet
from tests.makers.sheets.truth import Truth

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "resources" / "sample_library"
GOLDEN = ROOT / "tests" / "golden" / "sample"
SHEETS: tuple[Sheet, ...] = (
    *regulators.SHEETS,
    *regulator_siblings.SHEETS,
    *opamps.SHEETS,
    *converters.SHEETS,
    *thermometers.SHEETS,
    *logic.SHEETS,
    *notes.SHEETS,
)
_DATE = "D:20240101000000Z"
_PASSES = 6
"""Passes a layout may need until the printed contents list and page count agree with the pages."""


def draw(sheet: Sheet) -> tuple[bytes, Truth]:
    """The PDF of a sheet and what is truly in it."""
    known: list[tuple[str, int, str]] = []
    pages = 0
    for _ in range(_PASSES):
        composer = Composer(sheet, known, pages)
        composer.title()
        composer.put_all(sheet.blocks)
        found = [
            (str(h["title"]), int(str(h["level"])), composer.label(int(str(h["page"]))))
            for h in composer.truth.headings
        ]
        if found == known and pages == len(composer.pages):
            break
        known, pages = found, len(composer.pages)
    document = composer.write()
    if sheet.bookmarks:
        document.set_toc([[h["level"], h["title"], h["page"], _top(h)] for h in composer.truth.headings])
    if sheet.labels:
        document.set_page_labels([_label_rule(label) for label in sheet.labels])
    document.set_metadata({"title": sheet.metadata_title, "creationDate": _DATE, "modDate": _DATE})
    document.subset_fonts()
    data = document.tobytes(garbage=4, deflate=True, no_new_id=True)
    document.close()
    return data, composer.truth


def _top(heading: dict[str, object]) -> dict[str, object]:
    box = heading["box"]
    assert isinstance(box, list)
    return {"kind": pymupdf.LINK_GOTO, "to": pymupdf.Point(box[0], box[1])}


def _label_rule(label: Label) -> dict[str, object]:
    return {"startpage": label.first - 1, "prefix": label.prefix, "style": label.style, "firstpagenum": label.start}


def golden(sheet: Sheet, truth: Truth, pages: int) -> dict[str, object]:
    """What tests compare a parse with: see tests/golden/sample/README.md for the meaning of each key."""
    return {
        "file": sheet.file,
        "title": " ".join(sheet.title),
        "parts": list(sheet.parts),
        "pages": pages,
        "page_labels": [page_label(sheet.labels, number) for number in range(1, pages + 1)],
        "turned": truth.turned,
        "needs_ocr": truth.scanned,
        "facts": [text for text in (*sheet.header, *sheet.footer) if text],
        "headings": truth.headings,
        "texts": truth.texts,
        "tables": [asdict(table) for table in truth.tables],
        "figures": truth.figures,
        "printed": [[line.page, line.kind, line.text, list(line.box)] for line in truth.printed],
    }


def outputs() -> Iterator[tuple[Path, bytes]]:
    """Every file of the library and its truth, as it should be on disk."""
    lines: dict[str, list[tuple[int, str]]] = {}
    for sheet in SHEETS:
        data, truth = draw(sheet)
        document = pymupdf.open(stream=data)
        yield LIBRARY / sheet.file, data
        told = golden(sheet, truth, document.page_count)
        document.close()
        lines[sheet.file] = [(line.page, line.text) for line in truth.printed]
        yield GOLDEN / (Path(sheet.file).stem + ".json"), _dump(told)
    for name, text in notes.TEXT_FILES.items():
        lines[name] = [(1, line) for line in text.splitlines()]
        yield LIBRARY / name, text.encode()
    yield LIBRARY / "questions.jsonl", questions.dump(lines).encode()


def _dump(told: dict[str, object]) -> bytes:
    """JSON with one list item a line, so that a change reads well in a diff."""
    out = []
    for key, value in told.items():
        if isinstance(value, list) and value and isinstance(value[0], dict | list):
            items = ",\n  ".join(json.dumps(item, ensure_ascii=False) for item in value)
            out.append(f' "{key}": [\n  {items}\n ]')
        else:
            out.append(f' "{key}": {json.dumps(value, ensure_ascii=False)}')
    return ("{\n" + ",\n".join(out) + "\n}\n").encode()


def differences() -> list[str]:
    """Files that differ from what the generator makes, are missing, or should not be there."""
    wanted = dict(outputs())
    out = [str(path.relative_to(ROOT)) for path, data in wanted.items() if _read(path) != data]
    known = set(wanted) | {GOLDEN / "README.md"}
    for folder in (LIBRARY, GOLDEN):
        out += [
            str(path.relative_to(ROOT)) for path in sorted(folder.rglob("*")) if path.is_file() and path not in known
        ]
    return out


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only compare")
    if parser.parse_args(arguments).check:
        found = differences()
        sys.stderr.write("".join(f"differs: {name}\n" for name in found))
        return 1 if found else 0
    for path, data in outputs():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
