"""Many small documents one at a time, some of them changed often: how large do the stores become?

    python -m tests.torture.growth --documents 5000 --changed 500 --times 10

Every document and every round of changes is a run of its own, as when files are saved one after the other. At the end
the stores' size is compared with a fresh build over the same folder (at most 1.5 times), and the number of their files
is bounded. Prints one JSON line; exit 1 where a bound is passed.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path

from engine.core.events import Event
from tests.torture.sheets import SheetChanges
from tests.torture.streams import backward_steps
from tests.torture.whole import WholeLibrary

LARGEST = 1.5
MOST_FILES = 400
_EACH_RUN = 50
"""Changed documents that are saved together: a run for each of 5,000 changes would only repeat the first part."""


def grow(root: Path, documents: int, changed: int, times: int, tree: bool = False) -> dict[str, object]:
    """Sizes in bytes and numbers of files after all that. Without `tree` it is grown at the end only, as by a program
    that is closed between."""
    sheets = SheetChanges(root / "docs", 1)
    chance = random.Random(1)
    events: list[Event] = []
    began = time.monotonic()
    most = 0
    with WholeLibrary(root) as case:

        def index(last: bool = False) -> None:
            nonlocal most
            case.ingest.run(events.append) if not (tree or last) else case.index()
            events.extend(case.events)
            case.events.clear()
            assert not backward_steps(events), backward_steps(events)[:3]
            events.clear()
            most = max(most, _files(root / "home"))

        for number in range(documents):
            path = root / "docs" / f"{number % 40:02d}" / f"{number}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(sheets.text(), encoding="utf-8")
            index()
        files = sorted((root / "docs").rglob("*.md"))
        for _ in range(times):
            chosen = chance.sample(files, min(changed, len(files)))
            for start in range(0, len(chosen), _EACH_RUN):
                for path in chosen[start : start + _EACH_RUN]:
                    sheets.change(path)
                index()
        index(last=True)
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
        "most_files": most,
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
    arguments.add_argument("--tree", action="store_true", help="grow the tree after every run")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="sheaf-growth-") as folder:
        found = grow(Path(folder) / "library", chosen.documents, chosen.changed, chosen.times, chosen.tree)
    print(json.dumps({"torture": "growth", **found}))
    ratio, most = found["ratio"], found["most_files"]
    assert isinstance(ratio, float)
    assert isinstance(most, int)
    return 0 if ratio <= LARGEST and most <= MOST_FILES else 1


if __name__ == "__main__":
    sys.exit(main())
