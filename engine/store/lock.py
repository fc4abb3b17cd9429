"""One writer per library, by a lock of the operating system that ends with the process however it ends."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import IO

from engine.core.errors import KnownError

_PAUSE = 0.1


class WriterLock:
    """`with WriterLock(folder):` holds the library in `folder` for writing.

    Waits up to `seconds` for another writer, then raises KnownError ("locked", retryable) that says who holds it.
    """

    def __init__(self, folder: Path, *, seconds: float = 0.0, purpose: str = "indexing") -> None:
        self._path = folder / "writer.lock"
        self._who = folder / "writer.json"
        self._seconds = seconds
        self._purpose = purpose
        self._file: IO[bytes] | None = None

    def __enter__(self) -> WriterLock:
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def acquire(self) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            file = self._path.open("a+b")
        except OSError as error:
            raise KnownError(
                f"{self._path.parent} cannot be written: {error.strerror or error}.",
                help="Check that the folder exists, is writable and has free space.",
                code="storage",
            ) from error
        end = time.monotonic() + self._seconds
        while not _try_lock(file):
            if time.monotonic() >= end:
                file.close()
                raise KnownError(
                    f"Another program is writing to this library{self._holder()}.",
                    help="Wait until it has finished, or stop it there; searching works meanwhile.",
                    code="locked",
                    retryable=True,
                )
            time.sleep(_PAUSE)
        self._file = file
        with contextlib.suppress(OSError):  # only a courtesy for the message above
            self._who.write_text(json.dumps({"pid": os.getpid(), "purpose": self._purpose}), encoding="utf-8")

    def release(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._who.unlink()
            _unlock(self._file)
            self._file.close()
            self._file = None

    def _holder(self) -> str:
        try:
            told = json.loads(self._who.read_text(encoding="utf-8"))
            return f" (process {int(told['pid'])}, {told['purpose']})"
        except (OSError, ValueError, KeyError, TypeError):
            return ""


if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: IO[bytes]) -> bool:
        try:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(file: IO[bytes]) -> None:
        with contextlib.suppress(OSError):
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(file: IO[bytes]) -> bool:
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _unlock(file: IO[bytes]) -> None:
        with contextlib.suppress(OSError):
            fcntl.flock(file.fileno(), fcntl.LOCK_UN)
