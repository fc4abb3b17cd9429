"""File events as hints that something has changed. They may be late, doubled or lost; they are never believed."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from engine.library.scan import is_temporary

_GROUP_MS = 400
_ANSWER_MS = 500
_NETWORK = frozenset(
    (
        "nfs",
        "nfs4",
        "cifs",
        "smb",
        "smb2",
        "smb3",
        "smbfs",
        "afpfs",
        "9p",
        "ncpfs",
        "davfs",
        "webdav",
        "glusterfs",
        "ceph",
    )
)
_MOUNTS = Path("/proc/self/mountinfo")

Source = Callable[[Sequence[Path], threading.Event], Iterator[set[str]]]
"""(folders, stop) -> batches of paths that changed, until stop is set. May raise OSError or RuntimeError."""


class Hints:
    """One thread that waits for events of `folders`. Ask `changed_at`, `alive` and `failure`."""

    def __init__(self, folders: Sequence[Path], source: Source, on_hint: Callable[[], None]) -> None:
        self.folders = tuple(folders)
        self._source = source
        self._on_hint = on_hint
        self._stop = threading.Event()
        self.failure = ""
        self._thread = threading.Thread(target=self._listen, name="watch-hints", daemon=True)

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _listen(self) -> None:
        try:
            for paths in self._source(self.folders, self._stop):
                if any(not is_temporary(Path(path).name) for path in paths):
                    self._on_hint()
        except (OSError, RuntimeError) as error:
            self.failure = str(error).splitlines()[0][:200] if str(error) else type(error).__name__


class Clock(Protocol):
    """Time as the watcher needs it; tests bring their own."""

    def monotonic(self) -> float: ...
    def wall(self) -> float: ...


class SystemClock:
    """The system's clocks."""

    def monotonic(self) -> float:
        return time.monotonic()

    def wall(self) -> float:
        return time.time()


def file_events(folders: Sequence[Path], stop: threading.Event) -> Iterator[set[str]]:
    """Events of the operating system (watchfiles)."""
    from watchfiles import watch

    changes = watch(
        *folders,
        watch_filter=None,
        debounce=_GROUP_MS,
        step=50,
        stop_event=stop,
        rust_timeout=_ANSWER_MS,
        raise_interrupt=False,
        ignore_permission_denied=True,
    )
    for batch in changes:
        yield {path for _, path in batch}


def sends_no_events(folder: Path) -> bool:
    """Whether a folder lies on a share whose other users' changes raise no events here."""
    if sys.platform == "win32":
        return str(folder).startswith("\\\\") or _is_remote_drive(folder)
    return _file_system(folder) in _NETWORK or _file_system(folder).startswith("fuse.")


def _file_system(folder: Path) -> str:
    """Type of the file system that holds `folder`, from the longest mount point above it; "" where unknown."""
    try:
        lines = _MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    best, kind = -1, ""
    for line in lines:
        left, _, right = line.partition(" - ")
        fields = left.split()
        if len(fields) < 5 or not right:
            continue
        point = fields[4].replace("\\040", " ")
        inside = str(folder) == point or str(folder).startswith(point.rstrip("/") + "/")
        if inside and len(point) >= best:
            best, kind = len(point), right.split()[0]
    return kind


def _is_remote_drive(folder: Path) -> bool:
    if sys.platform != "win32":
        return False
    import ctypes

    remote = 4
    return bool(ctypes.windll.kernel32.GetDriveTypeW(f"{folder.drive}\\") == remote)
