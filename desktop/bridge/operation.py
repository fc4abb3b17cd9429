"""A request to the engine: runs on a lane, answers on the main thread."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

from desktop.crash import contained
from engine.core.cancel import CancelToken
from engine.core.errors import Cancelled, SheafError
from engine.core.events import Emit, Event, FetchProgress, IndexProgress

if TYPE_CHECKING:
    from engine.api import Engine

Result = TypeVar("Result")
Call = Callable[["Engine", Emit, CancelToken], Result]
_numbers = itertools.count(1)
PROGRESS_SECONDS = 0.1
"""Progress reaches the window at most ten times a second."""


class Operation(QObject, Generic[Result]):
    """One request; nobody waits for a `background` one.

    `success`, `failure`, `cancelled` and `progress` take what to call, on the main thread.

    After :meth:`cancel` nothing but `cancelled` is called any more, whatever the engine still sends.
    """

    _sent = Signal(object)
    _ended = Signal(object, object)

    def __init__(self, title: str, call: Call[Result], *, background: bool = False) -> None:
        super().__init__()
        self.background = background
        self.number = next(_numbers)
        self.title = title
        self.token = CancelToken()
        self._call = call
        self._on_success: list[Callable[[Result], None]] = []
        self._on_failure: list[Callable[[SheafError], None]] = []
        self._on_cancelled: list[Callable[[], None]] = []
        self._on_event: list[Callable[[Event], None]] = []
        self._on_end: list[Callable[[], None]] = []
        self._last_progress = 0.0
        self._sent.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._ended.connect(self._finish, Qt.ConnectionType.QueuedConnection)

    def success(self, then: Callable[[Result], None]) -> Operation[Result]:
        self._on_success.append(then)
        return self

    def failure(self, then: Callable[[SheafError], None]) -> Operation[Result]:
        self._on_failure.append(then)
        return self

    def cancelled(self, then: Callable[[], None]) -> Operation[Result]:
        self._on_cancelled.append(then)
        return self

    def progress(self, then: Callable[[Event], None]) -> Operation[Result]:
        self._on_event.append(then)
        return self

    def ended(self, then: Callable[[], None]) -> Operation[Result]:
        """Called last, however the operation ended."""
        self._on_end.append(then)
        return self

    def cancel(self) -> None:
        self.token.cancel()

    def abandon(self) -> None:
        """Cancel, and call nobody any more: the window is going away."""
        self.cancel()
        for listeners in (self._on_success, self._on_failure, self._on_cancelled, self._on_event, self._on_end):
            listeners.clear()

    def run(self, engine: Callable[[], Engine]) -> None:
        """Runs on a lane. Nothing escapes: whatever happens is delivered to the main thread as a value."""

        def call() -> Result:
            self.token.raise_if_cancelled()
            return self._call(engine(), self._emit, self.token)

        self._ended.emit(*contained(self.title, call))

    def _emit(self, event: Event) -> None:
        if isinstance(event, IndexProgress | FetchProgress):
            now = time.monotonic()
            if now - self._last_progress < PROGRESS_SECONDS:
                return
            self._last_progress = now
        self._sent.emit(event)

    @Slot(object)
    def _deliver(self, event: Event) -> None:
        if not self.token.cancelled:
            for then in self._on_event:
                then(event)

    @Slot(object, object)
    def _finish(self, result: Result, error: SheafError | None) -> None:
        if isinstance(error, Cancelled) or self.token.cancelled:
            for stop in self._on_cancelled:
                stop()
        elif error is not None:
            for fail in self._on_failure:
                fail(error)
        else:
            for then in self._on_success:
                then(result)
        for last in self._on_end:
            last()
