"""A watched folder whose drive is pulled and put back at random moments, while it is indexed and between.

    python -m tests.torture.away --rounds 300 --seed 1 [--mounted]

Every round changes two watched folders and brings the library up to date, while one of them goes away and perhaps comes
back: renamed, or with --mounted (Linux, as root) a file system of its own that is unmounted under the reader's hands.
Nothing may ever leave the library for that, no document may count as failed, and progress never runs backwards. Each
time both folders are there again the library must come to equal one that was built from nothing. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from engine.core.cancel import CancelToken
from engine.core.errors import KnownError
from engine.core.model import ParsedDocument
from engine.core.results import DocumentStatus
from tests.engine.ingest_fakes import TextParser
from tests.engine.library_case import LibraryCase
from tests.torture.changes import Changes
from tests.torture.streams import check_stream

_LONGEST = 0.3
"""Seconds into a run at which the folder goes, and for which it is away."""
_SCANNING = 0.03
"""Seconds into a run in which the folders are looked at: in half the rounds it goes by then."""
_READING = 0.01


class Drive(Protocol):
    """A folder that can be pulled. Only one thread at a time calls."""

    path: Path

    def pull(self) -> None: ...
    def put_back(self) -> None: ...


class Renamed:
    """Away is renamed; `path` is then not there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True)

    def pull(self) -> None:
        self.path.rename(self.path.with_name("away"))

    def put_back(self) -> None:
        self.path.with_name("away").rename(self.path)


class Mounted:
    """Away is unmounted, busy or not; `path` is then an empty folder on another file system."""

    def __init__(self, path: Path) -> None:
        self.path, self._store = path, path.with_name("store")
        for folder in (path, self._store):
            folder.mkdir(parents=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(self._store)], check=True)
        self.put_back()

    def pull(self) -> None:
        subprocess.run(["umount", "-l", str(self.path)], check=True)

    def put_back(self) -> None:
        subprocess.run(["mount", "--bind", str(self._store), str(self.path)], check=True)

    def close(self) -> None:
        self.pull()
        subprocess.run(["umount", "-l", str(self._store)], check=True)


class Files(Changes):
    """As :class:`Changes`, without files that are damaged on purpose: here every failure is a fault."""

    most = 40

    def damage(self, chosen: Path) -> None:
        self.change(chosen)


class Reader(TextParser):
    """Takes a moment for a file, and says as the real one does where it cannot be read."""

    def parse(
        self, path: Path, *, cancel: CancelToken, on_page: Callable[[int, int], None] | None = None
    ) -> ParsedDocument:
        try:
            time.sleep(_READING)
            return super().parse(path, cancel=cancel, on_page=on_page)
        except OSError as error:
            raise KnownError(f"It cannot be read: {error.strerror}.") from error


def run(root: Path, drive: Drive, rounds: int, seed: int) -> dict[str, object]:
    """Raises AssertionError with what was lost."""
    chance = random.Random(seed)
    stays = Files(root / "stays", seed)
    pulled = Files(drive.path, seed + 1)
    for one in (stays, pulled):
        one.make(12)
    seen_away = progress = 0
    began = time.monotonic()
    with LibraryCase(root / "library", folders=(stays.root, drive.path), parser=Reader()) as case:
        case.index()
        case.events.clear()
        for _ in range(rounds):
            pulled.make(6)
            after = chance.choice((_SCANNING, _LONGEST)) * chance.random()
            with going(drive, after, chance.uniform(0.0, _LONGEST)):
                stays.make(3)
                before = held(case, drive.path)
                report = case.index()
                after = held(case, drive.path)
            seen_away += any("stays" in said for said in report.warnings)
            lost = before - after - missing_from(drive.path, before)
            assert not lost, f"left the library though they are only away: {sorted(lost)[:3]}"
            check_stream(case.events)
            progress += len(case.events)
            case.events.clear()
            case.index()
            failed = [one.reason for one in case.catalog.documents() if one.status is not DocumentStatus.INDEXED]
            assert not failed, failed[:3]
            check_stream(case.events)
            case.events.clear()
            equal_to_fresh(case, root)
    return {
        "rounds": rounds,
        "seed": seed,
        "runs_that_saw_it_away": seen_away,
        "progress_events": progress,
        "seconds": round(time.monotonic() - began, 1),
    }


@contextmanager
def going(drive: Drive, after: float, length: float) -> Iterator[None]:
    """The drive is pulled `after` seconds and put back `length` later, at the latest when the block has ended."""

    def go() -> None:
        time.sleep(after)
        drive.pull()
        time.sleep(length)
        drive.put_back()

    thread = threading.Thread(target=go)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def held(case: LibraryCase, folder: Path) -> set[str]:
    """Files of a watched folder that have a place in the library."""
    rows = case.catalog.connections.get().execute("SELECT file FROM places WHERE folder = ?", (str(folder),))
    return {row[0] for row in rows}


def missing_from(folder: Path, files: set[str]) -> set[str]:
    """Those that are really gone."""
    return {file for file in files if not (folder / file).exists()}


def equal_to_fresh(case: LibraryCase, root: Path) -> None:
    shutil.rmtree(root / "fresh", ignore_errors=True)
    with LibraryCase(root / "fresh", folders=case.library.folders) as fresh:
        fresh.index()
        wanted = fresh.state()
    for key, value in case.state().items():
        assert value == wanted[key], f"{key} differ"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=300)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--mounted", action="store_true")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="sheaf-away-") as folder:
        path = Path(folder) / "drive" / "docs"
        drive: Renamed | Mounted = Mounted(path) if chosen.mounted else Renamed(path)
        try:
            found = run(Path(folder), drive, chosen.rounds, chosen.seed)
        finally:
            if isinstance(drive, Mounted):
                drive.close()
    print(json.dumps({"torture": "away", "mounted": chosen.mounted, **found}))


if __name__ == "__main__":
    main()
