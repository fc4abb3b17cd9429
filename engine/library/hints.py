"""File events as hints that something has changed. They may be late, doubled or lost; they are never believed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from engine.library.scan import is_temporary

_GROUP_MS = 400
_ANSWER_MS = 500

Source = Callable[[Sequence[Path], threading.Event], Iterator[set[str]]]
"""(folders, stop) -> batches of paths that changed, until stop is set. May raise OSError or RuntimeError."""


class Hints:
    """One thread that waits for events of `folders`, but for what lies in folders of our `own`, hidden ones and
    temporary files. Ask `alive` and `failure`."""

    def __init__(
        self, folders: Sequence[Path], source: Source, on_hint: Callable[[], None], own: Sequence[Path] = ()
    ) -> None:
        self.folders = tuple(folders)
        self._own = tuple(own)
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
                if any(self._matters(Path(path)) for path in paths):
                    self._on_hint()
        except (OSError, RuntimeError) as error:
            self.failure = str(error).splitlines()[0][:200] if str(error) else type(error).__name__

    def _matters(self, path: Path) -> bool:
        """Whether a scan could take the file. What we write ourselves must not make us look, or it never ends."""
        if is_temporary(path.name) or any(path.is_relative_to(own) for own in self._own):
            return False
        inside = [path.relative_to(folder).parts for folder in self.folders if path.is_relative_to(folder)]
        return not any(part.startswith(".") for parts in inside for part in parts)


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
