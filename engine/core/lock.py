"""A lock between processes that the operating system releases when its holder dies, however it dies."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO


class FileLock:
    """Held by at most one process at a time; not re-entrant. Standard library only."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None

    @property
    def held(self) -> bool:
        return self._file is not None

    def try_acquire(self) -> bool:
        """Take the lock if nobody has it; False if another holder has. Raises OSError as the file system does."""
        if self._file is not None:
            return True
        file = self._path.open("ab")
        try:
            _lock(file)
        except BlockingIOError:
            file.close()
            return False
        except BaseException:
            file.close()
            raise
        self._file = file
        return True

    def release(self) -> None:
        if self._file is not None:
            # Closing releases it; the file stays, since removing it would let two processes lock two files of one name.
            self._file.close()
            self._file = None


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        file.seek(0)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(str(error)) from error

else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        os.set_inheritable(file.fileno(), False)
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
