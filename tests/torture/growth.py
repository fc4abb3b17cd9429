"""Many small documents one at a time, some of them changed often: how large do the stores become?

    python -m tests.torture.growth --documents 5000 --changed 500 --times 10

Every document and every round of changes is a run of its own, as when files are saved one after the other; the same
documents are changed each time. At the end the stores' size is compared with a fresh build over the same folder (at
most 1.5 times), and the number of their files is bounded. Prints one JSON line, with size and number of files over
time; exit 1 where a bound is passed.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from engine.store.fragments import KEEP_OLD
from tests.torture.sheets import SheetChanges
from tests.torture.streams import check_stream
from tests.torture.whole import WholeLibrary

LARGEST = 1.5
MOST_FILES = 600
"""While one run follows another; old versions of vectors and tree stay for some seconds."""
MOST_AT_REST = 150
_POINTS = 10
_EACH_RUN = 50
"""Changed documents that are saved together: a run for each of 5,000 changes would only repeat the first part."""


class Growth:
    """One library that is brought up to date again and again; the tree is grown after every `tree` runs (0: never)."""

    def __init__(self, case: WholeLibrary, tree: int) -> None:
        self.case = case
        self.most_files = 0
        self.runs = 0
        self.over_time: list[tuple[int, int, int]] = []
        """(runs, bytes, files)."""
        self._tree = tree

    def index(self, *, tree: bool = False) -> None:
        """One run, whose events must not run backwards."""
        case = self.case
        self.runs += 1
        if tree or (self._tree and self.runs % self._tree == 0):
            case.index()
        else:
            case.ingest.run(case.events.append)
        check_stream(case.events)
        case.events.clear()
        self.most_files = max(self.most_files, _files(case.home))

    def note(self) -> None:
        self.over_time.append((self.runs, sum(_size(self.case.home).values()), _files(self.case.home)))


def grow(root: Path, documents: int, changed: int, times: int, tree: int = 0) -> dict[str, Any]:
    """Sizes in bytes and numbers of files after all that."""
    sheets = SheetChanges(root / "docs", 1)
    began = time.monotonic()
    with WholeLibrary(root) as case:
        growth = Growth(case, tree)
        for number in range(documents):
            path = root / "docs" / f"{number % 40:02d}" / f"{number}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(sheets.text(), encoding="utf-8")
            growth.index()
            if (number + 1) % max(1, documents // _POINTS) == 0:
                growth.note()
        files = sorted((root / "docs").rglob("*.md"))
        chosen = random.Random(1).sample(files, min(changed, len(files)))
        for _ in range(times):
            for start in range(0, len(chosen), _EACH_RUN):
                for path in chosen[start : start + _EACH_RUN]:
                    sheets.change(path)
                growth.index()
            growth.note()
        growth.index(tree=True)
        time.sleep(KEEP_OLD.total_seconds() + 1.0)
        growth.index(tree=True)  # as the watcher does at intervals
        growth.note()
    grown, files_now = _size(root / "home"), _files(root / "home")
    with WholeLibrary(root.with_name(root.name + "-fresh"), folders=(root / "docs",)) as case:
        case.index()
        fresh = _size(case.home)
    return {
        "documents": documents,
        "changes": changed * times,
        "bytes": sum(grown.values()),
        "fresh_bytes": sum(fresh.values()),
        "ratio": round(sum(grown.values()) / sum(fresh.values()), 2),
        "ratio_of_each": {name: round(grown[name] / max(1, fresh[name]), 2) for name in grown},
        "files": files_now,
        "most_files": growth.most_files,
        "runs_bytes_files": growth.over_time,
        "seconds": round(time.monotonic() - began, 1),
    }


def _size(home: Path) -> dict[str, int]:
    stores = ("vectors", "keyword", "tree")
    sizes = {name: sum(path.stat().st_size for path in (home / name).rglob("*") if path.is_file()) for name in stores}
    return sizes | {"catalogue": sum(path.stat().st_size for path in home.glob("library.db*"))}


def _files(home: Path) -> int:
    return sum(path.is_file() for path in home.rglob("*"))


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--documents", type=int, default=5000)
    arguments.add_argument("--changed", type=int, default=500)
    arguments.add_argument("--times", type=int, default=10)
    arguments.add_argument("--tree", type=int, default=20, help="grow the tree after every so many runs")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="sheaf-growth-") as folder:
        found = grow(Path(folder) / "library", chosen.documents, chosen.changed, chosen.times, chosen.tree)
    print(json.dumps({"torture": "growth", **found}))
    bounds = {"ratio": LARGEST, "most_files": MOST_FILES, "files": MOST_AT_REST}
    passed = [name for name, bound in bounds.items() if found[name] > bound]
    if passed:
        sys.stderr.write(f"too large: {', '.join(passed)}\n")
    return 1 if passed else 0


if __name__ == "__main__":
    sys.exit(main())
