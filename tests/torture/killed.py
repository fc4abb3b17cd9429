"""kill -9 at random moments of indexing, restart, and compare with a library that nobody disturbed.

python -m tests.torture.killed --rounds 300 --seed 1
"""

from __future__ import annotations

import argparse
import importlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.engine.library_case import LibraryCase
from tests.torture.changes import Changes


def worker(root: Path, seconds: float) -> None:
    """Index once; a thread kills this process after `seconds` (never, if negative)."""
    for slow in ("lancedb", "whoosh.index", "whoosh.fields"):
        importlib.import_module(slow)  # so that the kills hit the work, not the start
    with LibraryCase(root) as case:
        if seconds >= 0:
            timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGKILL))
            timer.daemon = True
            timer.start()
        began = time.perf_counter()
        case.index()
        (root / "took").write_text(str(time.perf_counter() - began))
        if seconds >= 0:
            timer.cancel()


def run(root: Path, rounds: int, seed: int, changes_each: int = 6) -> dict[str, int]:
    """Disturb a library `rounds` times. Raises AssertionError with what differs."""
    chance = random.Random(seed)
    changes = Changes(root / "docs", seed)
    killed = 0
    longest = 3.0
    for _ in range(rounds):
        changes.make(changes_each)
        code = _start(root, chance.uniform(0.0, longest))
        if code == -signal.SIGKILL:
            killed += 1
        elif code == 0:
            longest = max(0.1, min(longest, float((root / "took").read_text()) * 1.3))
        else:
            raise AssertionError(f"the worker ended with {code}")
        if chance.random() < 0.2:
            compare(root)
    compare(root)
    return {"rounds": rounds, "killed": killed}


def compare(root: Path) -> None:
    """The disturbed library, after one undisturbed run, against one built from nothing over the same folder."""
    with LibraryCase(root) as case:
        case.index()
        disturbed = case.state()
        hits = {word: sorted(case.words(word, 50)) for word in ("amplifier", "register", "thermal")}
        leftovers = [path.name for path in case.home.iterdir() if "damaged" in path.name]
        leftovers += orphans(case)
    assert not leftovers, f"left behind: {leftovers}"
    other = root.with_name(root.name + "-fresh")
    shutil.rmtree(other, ignore_errors=True)
    with LibraryCase(other, folders=(root / "docs",)) as case:
        case.index()
        fresh = case.state()
        again = {word: sorted(case.words(word, 50)) for word in ("amplifier", "register", "thermal")}
    for key, value in fresh.items():
        assert disturbed[key] == value, f"{key} differ"
    assert hits == again


def orphans(case: LibraryCase) -> list[str]:
    """Files and tables that belong to nothing."""
    named = {f"{segment.segment_id()}.seg" for segment in case.keyword._open()._segments()}
    strange = [
        path.name
        for path in (case.home / "keyword").iterdir()
        if path.name not in named and not path.name.endswith((".toc", "_WRITELOCK"))
    ]
    tables = set(case.vectors.tables()) - {case.catalog.visible().vectors}
    return [*strange, *tables]


def _start(root: Path, seconds: float) -> int:
    command = [sys.executable, "-m", "tests.torture.killed", "--worker", str(root), "--after", f"{seconds:.4f}"]
    return subprocess.run(command, check=False).returncode


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=300)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--worker", type=Path)
    arguments.add_argument("--after", type=float, default=-1.0)
    chosen = arguments.parse_args()
    if chosen.worker is not None:
        worker(chosen.worker, chosen.after)
        return
    with tempfile.TemporaryDirectory() as temporary:
        print(run(Path(temporary) / "library", chosen.rounds, chosen.seed))


if __name__ == "__main__":
    main()
