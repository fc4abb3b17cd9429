"""A disk that is full, and folders that may not be written, under a library that is brought up to date.

    python -m tests.torture.full_disk --rounds 40 --seed 1        (Linux, as root: mounts a small tmpfs)

Full: the library lies on a file system of its own, on which a random number of bytes is left, from none to all that
the run needs; wherever the space ends (SQLite and its log, LanceDB, Whoosh, tree, records, embedding cache) the run
must say so in words and the library must go on answering. Denied: one after the other, every folder and file below the
library's home is made read-only for a process without root's right to write all the same. After each round the
obstacle goes away, one run follows, and the library must equal one built from nothing. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.core.errors import KnownError
from tests.torture.killed import compare, embedder
from tests.torture.sheets import SheetChanges
from tests.torture.streams import check_stream
from tests.torture.whole import WholeLibrary

_ROOMY = 512 << 20
_UNPRIVILEGED = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
_CODES = {"full": {"disk-full"}, "denied": {"read-only", "storage"}}


def full(root: Path, rounds: int, seed: int) -> Counter[str]:
    """Where the disk was full, counted. `root` is the mount point of a tmpfs."""
    chance, found = random.Random(seed), Counter[str]()
    library = root / "library"
    changes = SheetChanges(library / "docs", seed)
    changes.make(12)
    needed = 1 << 20
    for _ in range(rounds):
        compare(library, "1")
        changes.make(10)
        before = _used(root)
        _resize(root, before + chance.randrange(0, needed))
        where = attempt(library, "full")
        found[where] += 1
        more = _used(root) - before if where == "nowhere" else int(needed * 1.1)
        needed = min(8 << 20, max(1 << 18, more))
        _resize(root, _ROOMY)
    compare(library, "1")
    return found


def denied(root: Path, seed: int) -> Counter[str]:
    """Every folder and file of a library's home once read-only, for a process of another user."""
    found = Counter[str]()
    changes = SheetChanges(root / "docs", seed)
    changes.make(12)
    compare(root, "1")
    for name in sorted({path.relative_to(root).as_posix() for path in root.rglob("*") if _is_site(root, path)}):
        changes.make(6)
        chosen = root / name
        if not chosen.exists():
            continue
        mode = chosen.stat().st_mode
        chosen.chmod(mode & ~0o222)
        command = [*_UNPRIVILEGED, sys.executable, "-m", "tests.torture.full_disk", "--attempt", str(root)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            raise AssertionError(f"{name}: {done.stdout}")
        found[f"{name}: {done.stdout.strip()}"] += 1
        if chosen.exists():
            chosen.chmod(mode)
        compare(root, "1")
    return found


def _is_site(root: Path, path: Path) -> bool:
    inside = path.relative_to(root).parts
    return (inside[0] == "home" and (path.is_dir() or len(inside) == 2)) or inside[0].startswith("embeddings.db")


def attempt(root: Path, kind: str) -> str:
    """Index once; returns the function that met the obstacle. Raises AssertionError where it was not told in words, or
    the library no longer answers."""
    try:
        with WholeLibrary(root, embedder=embedder("1")) as case:
            told = _told(case.index, kind)
            check_stream(case.events)
            if told:
                assert case.words("amplifier", 50), "nothing is found any more"
                assert case.dense("amplifier current")
            return told or "nowhere"
    except KnownError as error:  # not even opened
        return f"opening {_checked(error, kind)}"


def _told(work: Callable[[], object], kind: str) -> str:
    try:
        work()
    except KnownError as error:
        return _checked(error, kind)
    return ""


def _checked(error: KnownError, kind: str) -> str:
    if error.code not in _CODES[kind] or not error.help:
        raise AssertionError(f"not in plain words: {error.code}: {error.message} {error.help}") from error
    return _site(error)


def _site(error: KnownError) -> str:
    """The innermost function of ours in the traceback of what was raised first."""
    first: BaseException = error
    while (before := first.__cause__ or first.__context__) is not None:
        first = before
    frames = [f for one in (error, first) for f in traceback.extract_tb(one.__traceback__) if "/engine/" in f.filename]
    named = [frame for frame in frames if not frame.filename.endswith(("storage.py", "database.py"))]
    last = (named or frames)[-1]
    return f"{Path(last.filename).stem}.{last.name}"


@contextmanager
def small_disk() -> Iterator[Path]:
    """A tmpfs of its own, mounted in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="sheaf-disk-") as folder:
        mount = Path(folder) / "disk"
        mount.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={_ROOMY}", "tmpfs", str(mount)], check=True)
        try:
            yield mount
        finally:
            subprocess.run(["umount", str(mount)], check=True)


def _used(root: Path) -> int:
    return shutil.disk_usage(root).used


def _resize(root: Path, size: int) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", str(root)], check=True)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=40)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--attempt", type=Path)
    chosen = arguments.parse_args()
    if chosen.attempt is not None:
        print(attempt(chosen.attempt, "denied"))
        return
    with small_disk() as disk:
        sites = full(disk, chosen.rounds, chosen.seed)
    with tempfile.TemporaryDirectory(prefix="sheaf-denied-") as folder:
        refused = denied(Path(folder) / "library", chosen.seed)
    print(json.dumps({"torture": "full_disk", "full": dict(sites), "denied": sorted(refused)}))


if __name__ == "__main__":
    main()
