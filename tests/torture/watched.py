"""Thousands of random file operations by another process, below a folder that is watched all the while.

    python -m tests.torture.watched --operations 10000 --seed 1

A process adds, changes, saves by replacement, copies, moves, renames and deletes files and folders as fast as it can,
with pauses. The real watcher with the system's own events keeps a library up to date meanwhile. When the other process
has ended, the library must come to equal the folder by itself, and its events must never have run backwards. Prints one
JSON line.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from engine.core.cancel import CancelToken
from engine.core.ids import document_id
from engine.library.watch import Watcher
from tests.engine.library_case import LibraryCase
from tests.torture.changes import Changes
from tests.torture.streams import check_stream

_SETTLES = 60.0
"""Seconds after the last operation in which the library must have caught up."""


class Operations(Changes):
    """As :class:`Changes`, with the ways in which programs save."""

    most = 400

    def change(self, chosen: Path) -> None:
        how = self.random.random()
        if how < 0.4:
            super().change(chosen)
        elif how < 0.7:  # an editor writes beside it and puts that in its place
            beside = chosen.with_name(f"{chosen.name}.tmp")
            beside.write_text(self.text(), encoding="utf-8")
            beside.replace(chosen)
        else:  # a slow writer
            with chosen.open("w", encoding="utf-8") as stream:
                for piece in self.text().split(" "):
                    stream.write(piece + " ")
                    stream.flush()

    def move_folder(self, chosen: Path) -> None:
        if self.random.random() < 0.3 and (self.root / "a").is_dir():
            shutil.rmtree(self.root / "a")
        else:
            super().move_folder(chosen)


def operate(root: Path, count: int, seed: int) -> None:
    """Run by the other process."""
    operations = Operations(root, seed)
    for number in range(count):
        operations.one()
        if number % 200 == 199:
            time.sleep(operations.random.uniform(0.0, 1.5))


def run(root: Path, count: int, seed: int) -> dict[str, object]:
    """Raises AssertionError where the library does not come to equal the folder."""
    looks, progress = 0, 0
    notes: list[str] = []
    stop = CancelToken()
    began = time.monotonic()
    with LibraryCase(root) as case:

        def update() -> bool:
            nonlocal looks, progress
            looks += 1
            report = case.index(stop)
            check_stream(case.events)
            progress += len(case.events)
            case.events.clear()
            return bool(report.added or report.changed or report.removed or report.moved)

        watcher = threading.Thread(
            target=lambda: Watcher((case.docs,), update, notes.append).run(stop), name="watched", daemon=True
        )
        watcher.start()
        command = [sys.executable, "-m", "tests.torture.watched", "--operate", str(case.docs)]
        subprocess.run([*command, "--operations", str(count), "--seed", str(seed)], check=True)
        ended = time.monotonic()
        while (missing := difference(case)) and time.monotonic() - ended < _SETTLES and watcher.is_alive():
            time.sleep(0.2)
        settled = time.monotonic() - ended
        stop.cancel()
        watcher.join()
        assert not missing, missing[:5]
        failed = sum(one.status.value == "failed" for one in case.catalog.documents())
        documents, _, segments = case.catalog.totals()
    return {
        "operations": count,
        "seed": seed,
        "looks": looks,
        "progress_events": progress,
        "documents": documents,
        "segments": segments,
        "failed": failed,
        "settled_seconds": round(settled, 1),
        "seconds": round(time.monotonic() - began, 1),
        "notes": notes,
    }


def difference(case: LibraryCase) -> list[str]:
    """How the library's places and visible documents differ from the files that lie there."""
    there: dict[str, str] = {}
    try:
        for path in case.docs.rglob(f"*{Operations.suffix}"):
            there[path.relative_to(case.docs).as_posix()] = str(document_id(path))
    except OSError as error:
        return [str(error)]
    database = case.catalog.connections.get()
    held = dict(database.execute("SELECT file, document FROM places").fetchall())
    waiting = database.execute("SELECT count(*) FROM documents WHERE status = 'pending'").fetchone()[0]
    found = [name for name in {*there, *held} if there.get(name) != held.get(name)]
    return found + ([f"{waiting} documents wait"] if waiting else [])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--operations", type=int, default=10_000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--operate", type=Path)
    chosen = arguments.parse_args()
    if chosen.operate is not None:
        operate(chosen.operate, chosen.operations, chosen.seed)
        return
    with tempfile.TemporaryDirectory(prefix="sheaf-watched-") as folder:
        print(json.dumps({"torture": "watched", **run(Path(folder) / "library", chosen.operations, chosen.seed)}))


if __name__ == "__main__":
    main()
