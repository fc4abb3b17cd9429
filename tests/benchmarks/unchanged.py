"""Seconds that a run over an unchanged library takes: what is paid at every start and every look of the watcher.

    python -m tests.benchmarks.unchanged [--files 5000]

Small text files in 200 folders, a fake parser and embedder: only the scan, the ledger and the stores are measured.
Prints one JSON line. The second run also notes the stamps of files that had just been written.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

from tests.engine.library_case import LibraryCase

_FOLDERS = 200
_YOUNG_SECONDS = 2.1
"""Files younger than this are hashed again at the next run."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--files", type=int, default=5_000)
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        print(json.dumps({"benchmark": "unchanged", "files": chosen.files, **measure(Path(temporary), chosen.files)}))


def measure(root: Path, files: int) -> dict[str, float]:
    with LibraryCase(root) as case:
        for number in range(files):
            text = f"# Part TX{number}\n\n## Ratings\n\nSupply voltage of TX{number} is {number % 30} V."
            case.write(f"{number % _FOLDERS}/{number}.txt", text)
        first = _seconds(case)
        time.sleep(_YOUNG_SECONDS)
        second = _seconds(case)
        again = _seconds(case)
    with LibraryCase(root) as case:
        start = _seconds(case)
    return {
        "first_seconds": first,
        "with_young_files_seconds": second,
        "unchanged_seconds": again,
        "unchanged_after_start_seconds": start,
    }


def _seconds(case: LibraryCase) -> float:
    began = time.perf_counter()
    case.index()
    return round(time.perf_counter() - began, 2)


if __name__ == "__main__":
    main()
