"""One writer per library: the lock, and who holds it."""

from __future__ import annotations

import contextlib
import json
import os
import time
from pathlib import Path
from types import TracebackType

from engine.core.errors import KnownError
from engine.core.lock import FileLock
from engine.core.storage import storage_error

_PAUSE = 0.1


class WriterLock:
    """`with WriterLock(folder):` holds the library in `folder` for writing; a crash releases it.

    Waits up to `seconds` for another writer, then raises KnownError ("locked", retryable) that says who holds it.
    """

    def __init__(self, folder: Path, *, seconds: float = 0.0, purpose: str = "indexing") -> None:
        self._folder = folder
        self._lock = FileLock(folder / "writer.lock")
        self._who = folder / "writer.json"
        self._seconds = seconds
        self._purpose = purpose

    def __enter__(self) -> WriterLock:
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def acquire(self) -> None:
        end = time.monotonic() + self._seconds
        while not self._try():
            if time.monotonic() >= end:
                raise KnownError(
                    f"Another program is writing to this library{self._holder()}.",
                    help="Wait until it has finished, or stop it there; searching works meanwhile.",
                    code="locked",
                    retryable=True,
                )
            time.sleep(_PAUSE)
        with contextlib.suppress(OSError):  # only a courtesy for the message above
            self._who.write_text(json.dumps({"pid": os.getpid(), "purpose": self._purpose}), encoding="utf-8")

    def release(self) -> None:
        if self._lock.held:
            with contextlib.suppress(OSError):
                self._who.unlink()
            self._lock.release()

    def _try(self) -> bool:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            return self._lock.try_acquire()
        except OSError as error:
            raise storage_error(error, self._folder) from error

    def _holder(self) -> str:
        try:
            told = json.loads(self._who.read_text(encoding="utf-8"))
            return f" (process {int(told['pid'])}, {told['purpose']})"
        except (OSError, ValueError, KeyError, TypeError):
            return ""
