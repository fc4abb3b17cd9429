"""Whether a folder can hold an index: everything the stores rely on is tried there once, before they do."""

from __future__ import annotations

import errno
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from engine.core.errors import KnownError
from engine.core.lock import FileLock
from engine.core.mounts import is_network, synced_by

_PREFIX = ".preflight-"
_LEFT_OVER = 3600.0
"""Seconds after which a trial's folder must be one that a killed program has left."""
_LEAST_FREE = 50_000_000
_LOW = 1_000_000_000
_ELSEWHERE = "Keep Sheaf's data on a local disk: start it with --home FOLDER, or set SHEAF_HOME."


def preflight(folder: Path) -> list[str]:
    """Try whether `folder` (made if need be) can hold an index. Returns sentences on what may go wrong later.

    Raises KnownError with one of the codes read-only, disk-full, no-rename, no-lock, no-log, storage.
    """
    with _scratch(folder) as scratch:
        _try_space(folder)
        _try_rename(folder, scratch)
        _try_lock(folder, scratch)
        _try_log(folder, scratch)
    return _warnings(folder)


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    """A folder to try things in; writing it is the first trial."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob(f"{_PREFIX}*"):
            if time.time() - old.stat().st_mtime > _LEFT_OVER:
                shutil.rmtree(old, ignore_errors=True)
        scratch = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=folder))
    except OSError as error:
        raise _refused(folder, error) from error
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _refused(folder: Path, error: OSError) -> KnownError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return _full(folder, 0)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return KnownError(
            f"The index cannot be kept in {folder}: nothing may be written there.",
            help="Allow writing there, or keep Sheaf's data elsewhere: --home FOLDER, or SHEAF_HOME.",
            code="read-only",
        )
    return _unfit(folder, f"it cannot be written ({error.strerror or error})", "storage")


def _try_space(folder: Path) -> None:
    free = _free(folder)
    if free < _LEAST_FREE:
        raise _full(folder, free)


def _full(folder: Path, free: int) -> KnownError:
    return KnownError(
        f"The disk that holds {folder} is full: {free / 1e6:.0f} MB are free, an index needs"
        f" {_LEAST_FREE / 1e6:.0f} MB at least.",
        help="Free some space and run the same command again, or keep Sheaf's data elsewhere: --home FOLDER.",
        code="disk-full",
        retryable=True,
    )


def _try_rename(folder: Path, scratch: Path) -> None:
    """Stores are changed by putting a whole new file in the place of the old."""
    old, new = scratch / "old", scratch / "new"
    try:
        old.write_bytes(b"old")
        new.write_bytes(b"new")
        new.replace(old)
        whole = old.read_bytes() == b"new" and not new.exists()
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise _full(folder, _free(folder)) from error
        whole = False
    if not whole:
        raise _unfit(folder, "its file system cannot put one file in the place of another", "no-rename")


def _try_lock(folder: Path, scratch: Path) -> None:
    """Only one program may write."""
    first, second = FileLock(scratch / "lock"), FileLock(scratch / "lock")
    try:
        keeps = first.try_acquire() and not second.try_acquire()
    except OSError:
        keeps = False
    finally:
        first.release()
        second.release()
    if not keeps:
        raise _unfit(folder, "its file system keeps no locks, so two programs could write at once", "no-lock")


def _try_log(folder: Path, scratch: Path) -> None:
    """The catalogue is read while it is written, which SQLite does by a write-ahead log in shared memory."""
    connection = None
    try:
        connection = sqlite3.connect(scratch / "catalogue.db")
        mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        connection.execute("CREATE TABLE one (number INTEGER)")
        connection.commit()
    except sqlite3.Error:
        mode = ""
    finally:
        if connection is not None:
            connection.close()
    if mode != "wal":
        raise _unfit(folder, "SQLite cannot keep its write-ahead log there", "no-log")


def _unfit(folder: Path, why: str, code: str) -> KnownError:
    return KnownError(f"The index cannot be kept in {folder}: {why}.", help=_ELSEWHERE, code=code)


def _warnings(folder: Path) -> list[str]:
    found = []
    if is_network(folder):
        found.append(
            f"The index lies on a network share ({folder}): it is slow there, and indexing ends when the connection"
            f" breaks. {_ELSEWHERE}"
        )
    if program := synced_by(folder):
        found.append(
            f"The index lies in a folder that {program} copies ({folder}): it may lock files that are being written, or"
            f" bring old ones back. {_ELSEWHERE}"
        )
    if (free := _free(folder)) < _LOW:
        found.append(f"Only {free / 1e6:.0f} MB are free on the disk that holds the index ({folder}).")
    return found


def _free(folder: Path) -> int:
    """Bytes; where the system does not tell, no lack is assumed."""
    with suppress(OSError):
        return shutil.disk_usage(folder).free
    return _LOW
