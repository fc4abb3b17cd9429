"""How hard background work may press: paused, behind a question, on battery, at a share of the processor's time."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.core.cancel import CancelToken

_LOOK = 0.1
_LONGEST_QUESTION = 120.0
"""Seconds after which a question no longer holds the work up: it may have been forgotten."""
_SUPPLIES = Path("/sys/class/power_supply")


class Pace:
    """Workers call :meth:`breathe` between small pieces of work. Thread-safe; shared by all that may hold work up."""

    def __init__(
        self,
        *,
        share: float = 1.0,
        on_battery: bool = True,
        battery: Callable[[], bool] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.share = share
        self.on_battery = on_battery
        self._battery = battery or runs_on_battery
        self._clock = clock
        self._go = threading.Event()
        self._go.set()
        self._lock = threading.Lock()
        self._questions: dict[int, float] = {}
        self._last_breath: float | None = None
        self._battery_at = -1e9
        self._battery_now = False

    @property
    def paused(self) -> bool:
        return not self._go.is_set()

    def pause(self) -> None:
        self._go.clear()

    def resume(self) -> None:
        self._go.set()

    @contextmanager
    def question(self) -> Iterator[None]:
        """While a question is answered, background work waits."""
        with self._lock:
            key = max(self._questions, default=0) + 1
            self._questions[key] = self._clock()
        try:
            yield
        finally:
            with self._lock:
                self._questions.pop(key, None)

    @property
    def spare(self) -> bool:
        """Whether there is time for work that nobody waits for: no pause, no question, not on battery."""
        return not self._held_up() and not self._is_on_battery(self._clock())

    def breathe(self, cancel: CancelToken) -> None:
        """Return when work may go on. Raises Cancelled."""
        cancel.raise_if_cancelled()
        worked = 0.0 if self._last_breath is None else self._clock() - self._last_breath
        if self.share < 1.0 and worked > 0:
            cancel.wait(min(5.0, worked * (1.0 - self.share) / self.share))
        while self._held_up():
            cancel.raise_if_cancelled()
            cancel.wait(_LOOK)
        cancel.raise_if_cancelled()
        self._last_breath = self._clock()

    def _held_up(self) -> bool:
        if self.paused:
            return True
        now = self._clock()
        with self._lock:
            if any(now - since < _LONGEST_QUESTION for since in self._questions.values()):
                return True
        return not self.on_battery and self._is_on_battery(now)

    def _is_on_battery(self, now: float) -> bool:
        if now - self._battery_at > 10.0:
            self._battery_at = now
            self._battery_now = self._battery()
        return self._battery_now


def runs_on_battery() -> bool:
    """Whether the machine is known to run on its battery (Linux, Windows); False where nothing is known."""
    if sys.platform == "win32":
        import ctypes

        status = (ctypes.c_byte * 12)()
        return bool(ctypes.windll.kernel32.GetSystemPowerStatus(ctypes.byref(status))) and status[0] == 0
    try:
        supplies = list(_SUPPLIES.iterdir())
    except OSError:
        return False
    return any(_read(one / "type") == "Battery" and _read(one / "status") == "Discharging" for one in supplies)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
