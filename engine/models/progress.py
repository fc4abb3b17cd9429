"""How far a fetch is, how fast it goes and how long it will take."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from engine.core.events import Emit, FetchProgress

_WINDOW = 5.0
_INTERVAL = 0.1


class Meter:
    """Counts bytes and emits FetchProgress at most ten times a second. `done` never falls."""

    def __init__(self, emit: Emit, model: str, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._emit = emit
        self._model = model
        self._total = total
        self._clock = clock
        self._file = ""
        self._position = 0
        self._shown = 0
        self._last = float("-inf")
        self._samples: deque[tuple[float, int]] = deque()

    def start(self, file: str) -> None:
        self._file = file
        self._samples.clear()
        self._send()

    def skip(self, count: int) -> None:
        """Bytes that were there already: progress, but no speed."""
        self._position += count
        self._samples.clear()

    def add(self, count: int) -> None:
        """`count` more bytes have arrived (negative: they have to come again)."""
        self._position += count
        now = self._clock()
        self._samples.append((now, self._position))
        while now - self._samples[0][0] > _WINDOW:
            self._samples.popleft()
        if now - self._last >= _INTERVAL or self._position >= self._total:
            self._send()

    def _send(self) -> None:
        self._last = self._clock()
        self._shown = min(self._total, max(self._shown, self._position))
        speed = self._speed()
        left = (self._total - self._position) / speed if speed > 0 else None
        self._emit(FetchProgress(self._model, self._file, self._shown, self._total, speed, left))

    def _speed(self) -> float:
        if len(self._samples) < 2:
            return 0.0
        (then, before), (now, after) = self._samples[0], self._samples[-1]
        return max(0.0, (after - before) / (now - then)) if now > then else 0.0
