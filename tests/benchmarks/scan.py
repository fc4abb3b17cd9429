"""Look at 50,000 files in 2,000 folders for the first time, then again without a change, then after few changes.

    python -m tests.benchmarks.scan [--files 50000] [--folders 2000]

A look is what every index run begins with: walk, read what is new, record it in the catalogue. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from pathlib import Path

from engine.core.results import Library
from engine.ingest import Ingest
from engine.store.ledger import Ledger
from tests.engine.ingest_fakes import TextParser
from tests.engine.library_case import LibraryCase

_BYTES = 2_000


class Looking(Ingest):
    """An ingest that only looks: what it finds stays pending."""

    def _ingest(self, run: object) -> int:
        return 0


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--files", type=int, default=50_000)
    arguments.add_argument("--folders", type=int, default=2_000)
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="sheaf-scan-") as folder:
        print(json.dumps({"benchmark": "scan", **measure(Path(folder), chosen.files, chosen.folders)}))


def measure(root: Path, files: int, folders: int) -> dict[str, object]:
    docs = root / "docs"
    for number in range(folders):
        (docs / f"{number % 40:02d}" / f"{number}").mkdir(parents=True)
    for number in range(files):
        place = docs / f"{number % folders % 40:02d}" / f"{number % folders}" / f"{number}.txt"
        place.write_text(f"# Part {number}\n\n" + f"word{number} " * (_BYTES // 10), encoding="utf-8")
    time.sleep(2.5)  # younger files are looked at twice
    with LibraryCase(root) as case:
        look = Looking(
            Library("scan", (docs,), case.home), case.catalog, case.vectors, case.keyword, TextParser(), case.embedder
        )
        first = look.run()
        again = look.run()
        for number in range(100):
            (docs / "00" / "0" / f"new{number}.txt").write_text(f"new {number}", encoding="utf-8")
        few = look.run()
        pending = len(Ledger(case.catalog).pending(look.stages))
    return {
        "files": files,
        "folders": folders,
        "first_seconds": first.seconds,
        "again_seconds": again.seconds,
        "hundred_new_seconds": few.seconds,
        "found": first.added,
        "unchanged": again.unchanged,
        "pending": pending,
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3),
    }


if __name__ == "__main__":
    main()
