"""A PDF of 1,200 pages and 400 MB: nothing is cut, and memory stays inside the budget.

    python -m tests.torture.big_pdf [--pages 1200] [--megabytes 400]

Prints one JSON line; exit 1 if the token on the page before the last dozen is lost or the child took too much memory.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

from engine.core.cancel import CancelToken
from engine.parse import mupdf
from engine.parse.host import ParserHost

TOKEN = "QX7-UNIQUE-4711"
_BUDGET = 1 << 30
_FROM_END = 13


def make(path: Path, pages: int, megabytes: int) -> int:
    """Write the file, its bulk in pictures that do not compress; returns the page the token is on."""
    fitz = mupdf.load()
    document = fitz.open()
    side = int((megabytes * (1 << 20) / pages / 3) ** 0.5)
    for number in range(1, pages + 1):
        page = document.new_page()
        words = TOKEN if number == pages - _FROM_END else "nothing"
        page.insert_text((72, 90), f"{number}. Section {number}", fontsize=14, fontname="hebo")
        for row in range(12):
            page.insert_text(
                (72, 120 + 14 * row), f"Line {row} of page {number} says {words} of note here.", fontsize=10
            )
        picture = fitz.Pixmap(fitz.csRGB, side, side, os.urandom(3 * side * side), False)
        page.insert_image(fitz.Rect(72, 320, 372, 620), pixmap=picture)
    document.save(str(path))
    document.close()
    return pages - _FROM_END


class _Peak:
    """Watches the resident memory of this process's children."""

    def __init__(self) -> None:
        self.bytes = 0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> _Peak:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(0.2):
            for child in psutil.Process().children():
                try:
                    self.bytes = max(self.bytes, child.memory_info().rss)
                except psutil.NoSuchProcess:
                    continue


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1200)
    parser.add_argument("--megabytes", type=int, default=400)
    chosen = parser.parse_args()
    host = ParserHost(ocr=False)
    try:
        with tempfile.TemporaryDirectory() as folder, _Peak() as peak:
            path = Path(folder) / "big.pdf"
            wanted = make(path, chosen.pages, chosen.megabytes)
            began = time.monotonic()
            found = host.parse(path, cancel=CancelToken())
            figures = {
                "torture": "big_pdf",
                "megabytes": path.stat().st_size >> 20,
                "pages": len(found.pages),
                "token_on": [page.number for page in found.pages if TOKEN in page.text],
                "token_wanted_on": wanted,
                "warnings": len(found.warnings),
                "seconds": round(time.monotonic() - began, 1),
                "peak_megabytes": peak.bytes >> 20,
            }
    finally:
        host.close()
    print(json.dumps(figures))
    whole = figures["pages"] == chosen.pages and figures["token_on"] == [wanted] and not found.warnings
    return 0 if whole and peak.bytes < _BUDGET else 1


if __name__ == "__main__":
    sys.exit(main())
