"""Honest progress of an index run: `done` never falls, the time left does not jump."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from engine.core.events import Emit, Event, IndexProgress

_LEAST_SECONDS = 2.0
_SMOOTHING = 0.2


class Progress:
    """Collects what several workers do and emits one ordered stream of events. Thread-safe.

    `emit` is called by one thread at a time. Work is counted in documents; the estimate goes by pages where known.
    """

    def __init__(self, emit: Emit, clock: Callable[[], float] = time.monotonic) -> None:
        self._emit = emit
        self._clock = clock
        self._lock = threading.RLock()
        self._stage = ""
        self._file = ""
        self._page = 0
        self._done = 0
        self._total = 0
        self._pages = 0
        self._started: float | None = None
        self._left: float | None = None

    @property
    def pages(self) -> int:
        """Pages read so far."""
        return self._pages

    def expect(self, more: int) -> None:
        """`more` documents have joined the queue."""
        with self._lock:
            self._total += more
            if self._started is None:
                self._started = self._clock()

    def at(self, stage: str, file: str, page: int = 0) -> None:
        """A worker is now doing `stage` of `file`, at `page` (0 where pages do not matter)."""
        with self._lock:
            self._stage, self._file, self._page = stage, file, page
            self._send()

    def page_done(self, file: str, page: int) -> None:
        with self._lock:
            self._pages += 1
            self._stage, self._file, self._page = "parse", file, page
            self._send()

    def finished(self, event: Event | None = None) -> None:
        """One document is through, whatever came of it; `event` says what."""
        with self._lock:
            self._done += 1
            self._total = max(self._total, self._done)
            self._estimate()
            if event is not None:
                self._emit(event)
            self._send()

    def _estimate(self) -> None:
        if self._started is None:
            return
        spent = self._clock() - self._started
        if spent < _LEAST_SECONDS or not self._done:
            return
        fresh = spent / self._done * (self._total - self._done)
        self._left = fresh if self._left is None else (1 - _SMOOTHING) * self._left + _SMOOTHING * fresh

    def _send(self) -> None:
        left = None if self._left is None else round(self._left, 1)
        self._emit(IndexProgress(self._stage, self._file, self._page, self._done, self._total, self._pages, left))
