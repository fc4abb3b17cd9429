"""kill -9 at random moments of bringing a library up to date, restart, compare with one that nobody disturbed.

    python -m tests.torture.killed --rounds 300 --seed 1

Every round changes the watched folder (add, change, copy, move, delete, damage, rename of a folder), starts a process
that indexes and grows the tree, and kills it: half the times after a random while, half inside a random piece of work
(a commit, a compaction, the tree). Then the library is brought up to date once and must equal one that is built from
nothing over the same folder in documents, segments, vectors, keyword entries, links, records, revisions and tree, and
hold no row and no file that belongs to nothing. Prints one JSON line with how often which work was hit.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

from engine.grow import Grower
from engine.ingest import Ingest
from engine.keyword.index import KeywordStore
from engine.store.commit import Committer
from engine.store.health import Repair
from engine.store.ledger import Ledger
from engine.store.nodes import NodeStore
from engine.store.places import Places
from engine.store.vectors import VectorStore
from tests.engine.ingest_fakes import HashEmbedder
from tests.torture.sheets import SheetChanges
from tests.torture.streams import Recorded, check_stream, read_recorded
from tests.torture.whole import WholeLibrary

WORK: dict[str, tuple[type, str]] = {
    "scan noted": (Places, "apply"),
    "parse and segment": (Ingest, "_bundle"),
    "vectors written": (VectorStore, "write"),
    "keywords written": (KeywordStore, "write"),
    "catalogue committed": (Ledger, "commit"),
    "vectors compacted": (Committer, "_compact"),
    "stores swept": (Committer, "_sweep"),
    "stores repaired": (Repair, "run"),
    "tree grown": (Grower, "grow"),
    "tree written": (NodeStore, "write"),
    "another model": (Ingest, "_follow_model"),
}
"""Where a kill may be aimed at."""
_WITHIN = 0.06
"""Seconds into a piece of work, until one that was not killed has told how long it takes."""
_OTHER_MODEL = 0.08
"""How often a round changes the embedding model."""


class Executioner:
    """Kills this process after `seconds`, or within a moment of the first time `aim` is at work."""

    def __init__(self, seconds: float, aim: str, note: Path) -> None:
        self._note = note
        self.spans: dict[str, float] = {}
        """The longest that each piece of work has taken, in seconds."""
        self._timer: threading.Timer | None = None
        for name, (owner, method) in WORK.items():
            setattr(owner, method, self._watched(name, getattr(owner, method), seconds if name == aim else -1.0))
        self._say("between")
        if seconds >= 0 and not aim:
            self._start(seconds)

    def _watched(self, name: str, method: Any, seconds: float) -> Any:
        @functools.wraps(method)
        def watched(*args: Any, **kwargs: Any) -> Any:
            if seconds >= 0 and self._timer is None:
                self._start(seconds)
            self._say(name)
            began = time.perf_counter()
            try:
                return method(*args, **kwargs)
            finally:
                self.spans[name] = max(self.spans.get(name, 0.0), time.perf_counter() - began)
                self._say("between")

        return watched

    def _start(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGKILL))
        self._timer.daemon = True
        self._timer.start()

    def _say(self, name: str) -> None:
        self._note.write_text(name)


def worker(root: Path, seconds: float, aim: str, compact: int, model: str) -> None:
    """Bring the library up to date, unless killed before. Ends the process."""
    try:
        with WholeLibrary(root, embedder=embedder(model), compact=compact) as case:
            executioner = Executioner(seconds, aim, root / "at")
            case.events = Recorded(root / "events")
            began = time.perf_counter()
            case.index()
            (root / "took").write_text(json.dumps([time.perf_counter() - began, executioner.spans]))
            os._exit(0)  # a kill that comes too late shall not hit the end of the program
    finally:  # an exception: it must not go on in the fork's parent's code
        traceback.print_exc()
        os._exit(1)


def embedder(model: str) -> HashEmbedder:
    return HashEmbedder(f"fake:{model}", 32 if model == "1" else 48)


def run(root: Path, rounds: int, seed: int, changes_each: int = 6) -> dict[str, object]:
    """Disturb a library `rounds` times. Raises AssertionError with what differs."""
    chance = random.Random(seed)
    changes = SheetChanges(root / "docs", seed)
    changes.make(12)
    hit: Counter[str] = Counter()
    longest, model, progress = 2.0, "1", 0
    spans: dict[str, float] = {}
    began = time.monotonic()
    with Nursery() as nursery:
        assert nursery.run(root, -1.0, "", 2, model) == 0
        spans |= json.loads((root / "took").read_text())[1]
        for _ in range(rounds):
            changes.make(changes_each)
            if chance.random() < _OTHER_MODEL:
                model = "2" if model == "1" else "1"
            aim = chance.choice(list(WORK)) if chance.random() < 0.5 else ""
            seconds = chance.uniform(0.0, spans.get(aim, _WITHIN) if aim else longest)
            compact = chance.choice((2, 4, 24))
            (root / "events").unlink(missing_ok=True)
            code = nursery.run(root, seconds, aim, compact, model)
            told = read_recorded(root / "events")
            check_stream(told)
            progress += len(told)
            if code == -signal.SIGKILL:
                hit[(root / "at").read_text() or "between"] += 1
            elif code == 0:
                took, measured = json.loads((root / "took").read_text())
                longest = max(0.1, min(longest, took * 1.2))
                spans |= measured
            else:
                raise AssertionError(f"the worker ended with {code}")
            compare(root, model)
    killed = sum(hit.values())
    told = {"progress_events_before_kills": progress, "seconds": round(time.monotonic() - began, 1)}
    return {"rounds": rounds, "seed": seed, "killed": killed, "hit": dict(hit), **told}


def compare(root: Path, model: str) -> None:
    """The disturbed library, after one undisturbed run, against one built from nothing over the same folder."""
    with WholeLibrary(root, embedder=embedder(model)) as case:
        case.index()
        check_stream(case.events)
        disturbed = case.state()
        hits = {word: sorted(case.words(word, 50)) for word in ("amplifier", "register", "thermal")}
        misfits = case.misfits()
        stale = [word for word in _unique(case.told()) if word not in _present(case)]
        assert case.index().added == 0
        assert case.state() == disturbed, "a second run changed something"
    assert not misfits, f"left behind: {misfits}"
    assert not stale, f"the tree still tells of {stale}"
    other = root.with_name(root.name + "-fresh")
    shutil.rmtree(other, ignore_errors=True)
    with WholeLibrary(other, folders=(root / "docs",), embedder=embedder(model)) as case:
        case.index()
        check_stream(case.events)
        fresh = case.state()
        again = {word: sorted(case.words(word, 50)) for word in ("amplifier", "register", "thermal")}
    for key, value in fresh.items():
        assert disturbed[key] == value, f"{key} differ: {_difference(disturbed[key], value)}"
    assert hits == again


def _unique(text: str) -> set[str]:
    return {word.strip(".,;:") for word in text.casefold().split() if word.startswith("unique")}


def _present(case: WholeLibrary) -> set[str]:
    return {word for segment in case.catalog.all_segments() for word in _unique(segment.text)}


def _difference(disturbed: object, fresh: object) -> str:
    one, other = (
        {*map(repr, found)} if isinstance(found, list | set | dict) else {repr(found)} for found in (disturbed, fresh)
    )
    return f"only disturbed {sorted(one - other)[:3]}, only fresh {sorted(other - one)[:3]}"


class Nursery:
    """Starts workers as forks of a process that has imported what is slow to import, and nothing more."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.torture.killed", "--nursery"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Nursery:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def run(self, root: Path, seconds: float, aim: str, compact: int, model: str) -> int:
        """The exit code of a worker, negative where a signal has ended it."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps([str(root), seconds, aim, compact, model]) + "\n")
        stdin.flush()
        return int(stdout.readline())


def nurse() -> None:
    """What a :class:`Nursery` runs."""
    for slow in ("lancedb", "pyarrow", "whoosh.index", "whoosh.fields", "engine.parse.markup"):
        importlib.import_module(slow)  # so that the kills hit the work, not the start
    warnings.filterwarnings("ignore", message=".*fork.*")  # no store has been opened in this process
    for line in sys.stdin:
        root, seconds, aim, compact, model = json.loads(line)
        child = os.fork()
        if not child:
            worker(Path(root), seconds, aim, compact, model)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=300)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--nursery", action="store_true")
    chosen = arguments.parse_args()
    if chosen.nursery:
        nurse()
        return
    with tempfile.TemporaryDirectory(prefix="sheaf-killed-", dir=os.environ.get("KEEP")) as temporary:
        found = run(Path(temporary) / "library", chosen.rounds, chosen.seed)
        print(json.dumps({"torture": "killed", **found}))


if __name__ == "__main__":
    main()
