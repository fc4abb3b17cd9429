"""Keeping a library true while the program runs: events say when to look, a look at the folders says what changed.

Events are hints; a rescan at intervals finds what they miss. Shares that send no events, and systems whose watches are
used up, are looked at on a schedule, and the user is told.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from engine.core.cancel import CancelToken
from engine.core.errors import KnownError
from engine.core.mounts import is_network
from engine.library.hints import Clock, Hints, Source, SystemClock, file_events

_TICK = 0.25
_QUIET = 0.8
"""Seconds without an event after which a burst of them counts as over."""
_LONGEST_BURST = 10.0
_RESCAN = 300.0
"""Seconds between looks where events work, and where they do not."""
_RESCAN_BLIND = 60.0
_BUSY_SHARE = 20.0
"""A look may take at most this fraction of the time between looks."""
_RETRY = 15.0
_SETTLE = 3.0
"""Seconds after a look at which the files that were too young to be trusted are looked at again."""
_JUMP = 30.0
_CHECK = 2.0
"""Seconds between two looks at whether the folders are still those that are listened to."""
_RESTARTS = 3


class Watcher:
    """Calls `update` whenever the folders may have changed, and at intervals; `note` gets sentences for the user.

    `update` brings the library up to date and returns whether something changed; a KnownError of it (another program
    holds the library, the disk is full) is noted and tried again. Changes in `own` folders, the program's, are no hint.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        update: Callable[[], bool],
        note: Callable[[str], None],
        *,
        source: Source = file_events,
        blind: Callable[[Path], bool] = is_network,
        clock: Clock | None = None,
        own: Sequence[Path] = (),
    ) -> None:
        self._folders = tuple(folders)
        self._update = update
        self._note = note
        self._source = source
        self._blind = blind
        self._clock = clock or SystemClock()
        self._own = tuple(own)
        self._lock = threading.Lock()
        self._first_hint: float | None = None
        self._last_hint = 0.0
        self._hints: Hints | None = None
        self._identity: dict[Path, tuple[int, int]] = {}
        self._failures = 0
        self._told: set[str] = set()
        self._next_look = 0.0
        self._next_check = 0.0
        self._skew = 0.0
        self._last_step: float | None = None

    def run(self, cancel: CancelToken) -> None:
        """Watch until `cancel` is set. Raises Cancelled if `update` does."""
        self._skew = self._clock.wall() - self._clock.monotonic()
        try:
            self._listen()
            self._next_look = self._clock.monotonic() + self._interval(0.0)
            while not cancel.wait(_TICK):
                self.step()
        finally:
            if self._hints is not None:
                self._hints.stop()

    def step(self) -> None:
        """One look at the clock and the hints; :meth:`run` calls it four times a second."""
        self._mind_the_listener()
        if self._due():
            self._look()
        self._last_step = self._clock.monotonic()

    # --- when to look -------------------------------------------------------------------------------------------------

    def _due(self) -> bool:
        now = self._clock.monotonic()
        skew = self._clock.wall() - now
        # The machine slept, or its clock was set. While it sleeps the monotonic clock stands still on some systems and
        # goes on, without a step of ours, on others.
        if abs(skew - self._skew) > _JUMP or (self._last_step is not None and now - self._last_step > _JUMP):
            self._skew = skew
            return True
        with self._lock:
            first, last = self._first_hint, self._last_hint
        if first is not None and (now - last >= _QUIET or now - first >= _LONGEST_BURST):
            return True
        return now >= self._next_look

    def _look(self) -> None:
        with self._lock:
            self._first_hint = None
        began = self._clock.monotonic()
        try:
            changed = self._update()
        except KnownError as error:
            self._say(f"{error.message} {error.help}".strip())
            self._next_look = self._clock.monotonic() + _RETRY
            return
        self._told -= {said for said in self._told if said.startswith("Another program")}
        now = self._clock.monotonic()
        self._next_look = now + (_SETTLE if changed else self._interval(now - began))

    def _interval(self, took: float) -> float:
        usual = _RESCAN if self._hints is not None else _RESCAN_BLIND
        return max(usual, took * _BUSY_SHARE)

    def _hint(self) -> None:
        now = self._clock.monotonic()
        with self._lock:
            self._last_hint = now
            if self._first_hint is None:
                self._first_hint = now

    # --- the listener -------------------------------------------------------------------------------------------------

    def _mind_the_listener(self) -> None:
        hints = self._hints
        if hints is None:
            return
        if not hints.alive:
            self._failures += 1
            self._hints = None
            if self._failures > _RESTARTS or "limit" in hints.failure.casefold():
                self._say(
                    f"Changes cannot be watched ({hints.failure or 'the watcher keeps stopping'});"
                    f" the folders are looked at every {_RESCAN_BLIND:.0f} seconds instead."
                )
                self._next_look = min(self._next_look, self._clock.monotonic() + _RESCAN_BLIND)
                return
            self._say(f"The watcher had stopped ({hints.failure or 'without a reason'}) and was started again.")
            self._listen()
            self._hint()
        elif self._folders_changed():
            # A folder was taken away, came back or was put in place of another: its old watch is deaf.
            hints.stop()
            self._listen()
            self._hint()

    def _folders_changed(self) -> bool:
        now = self._clock.monotonic()
        if now < self._next_check:
            return False
        self._next_check = now + _CHECK
        return self._identities() != self._identity

    def _listen(self) -> None:
        self._identity = self._identities()
        seen = [folder for folder in self._identity if not self._blind(folder)]
        for folder in self._identity:
            if folder not in seen:
                self._say(f"{folder} is on a share that sends no events; it is looked at at intervals.")
        if not seen:
            self._hints = Hints((), _nothing, self._hint) if not self._identity else None
            if self._hints is not None:
                self._hints.start()
            return
        self._hints = Hints(seen, self._source, self._hint, self._own)
        self._hints.start()

    def _identities(self) -> dict[Path, tuple[int, int]]:
        found: dict[Path, tuple[int, int]] = {}
        for folder in self._folders:
            try:
                info = folder.stat()
            except OSError:
                continue
            found[folder] = (info.st_dev, info.st_ino)
        return found

    def _say(self, text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            self._note(text)


def _nothing(_folders: Sequence[Path], stop: threading.Event) -> Iterator[set[str]]:
    """A source for when no folder is there: it only waits for one to come back."""
    stop.wait()
    return iter(())
