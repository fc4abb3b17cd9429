"""What goes wrong with a disk, in plain words: full, not writable, gone."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.core.errors import KnownError

_FULL = frozenset((errno.ENOSPC, errno.EDQUOT))
_SAID_OF_FULL = ("no space left", "disk is full", "quota exceeded")
_ROOM = 1 << 20
_REFUSED = frozenset((errno.EACCES, errno.EPERM, errno.EROFS))


def _has_failed_for_room(error: Exception, folder: Path) -> bool:
    """Whether an input/output error of SQLite's is a full disk: where there is no room for the shared memory of its log
    it says no more than that."""
    if "disk i/o error" not in str(error).casefold():
        return False
    if getattr(error, "sqlite_errorname", "") == "SQLITE_IOERR_SHMSIZE":
        return True
    try:
        return shutil.disk_usage(folder).free < _ROOM
    except OSError:
        return False


def storage_error(error: Exception, folder: Path) -> KnownError:
    """KnownError for a failed read or write below `folder`; libraries often hide the system's error in a text."""
    number = error.errno if isinstance(error, OSError) else None
    text = str(error).casefold()
    if number in _FULL or any(words in text for words in _SAID_OF_FULL) or _has_failed_for_room(error, folder):
        return KnownError(
            f"The disk that holds {folder} is full.",
            help="Free some space and run the same command again; nothing was lost.",
            code="disk-full",
            retryable=True,
        )
    if number in _REFUSED or "permission denied" in text or "read-only file system" in text:
        return KnownError(
            f"{folder} cannot be written.",
            help="Check the permissions of the folder.",
            code="read-only",
        )
    said = (error.strerror if isinstance(error, OSError) and error.strerror else str(error)).splitlines()
    return KnownError(
        f"{folder} cannot be used: {said[0][:200] if said else type(error).__name__}.",
        help="Check that the folder exists, is writable and has free space, and run the same command again.",
        code="storage",
        retryable=True,
    )


def write_whole(path: Path, text: str) -> None:
    """Write a text file whole or not at all. Raises KnownError."""
    temporary = path.with_name(f".{path.name}.part")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise KnownError(
            f"{path} cannot be written: {error.strerror}.", help="Choose another place.", code="write"
        ) from error


@contextmanager
def storage_errors(folder: Path, *kinds: type[Exception]) -> Iterator[None]:
    """Turn OSError and the given kinds into KnownError."""
    caught: tuple[type[Exception], ...] = (OSError, *kinds)
    try:
        yield
    except caught as error:
        raise storage_error(error, folder) from error
