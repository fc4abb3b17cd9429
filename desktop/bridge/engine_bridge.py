"""The only importer of `engine.api`: opens the engine on a lane and runs operations there."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from desktop.bridge.lanes import Lane, Lanes
from desktop.bridge.operation import Operation
from engine.core.errors import BugError, SheafError

if TYPE_CHECKING:
    from engine.api import Engine

Result = TypeVar("Result")
Opener = Callable[[Path | None], "Engine"]
"""How the engine is opened; tests give a scripted one."""


class EngineBridge(QObject):
    """Lives on the main thread and owns the lanes. `failed` carries errors nobody else listens to."""

    failed = Signal(object)
    busy_changed = Signal()

    def __init__(self, home: Path | None = None, *, opener: Opener | None = None) -> None:
        super().__init__()
        self._home = home
        self._opener = opener or _open
        self._lanes = Lanes()
        self._lock = threading.Lock()
        self._engine: Engine | None = None
        self._running: dict[int, Operation[object]] = {}
        self._closing = False

    @property
    def running(self) -> tuple[str, ...]:
        """Titles of the operations that have not ended."""
        return tuple(operation.title for operation in self._running.values())

    @property
    def resting(self) -> bool:
        """Whether nothing runs that somebody waits for."""
        return all(operation.background for operation in self._running.values())

    def start(self, lane: Lane, operation: Operation[Result]) -> Operation[Result]:
        """Queue an operation on a lane; its callbacks may be added until control returns to the event loop."""
        if self._closing:
            operation.abandon()
            return operation
        self._running[operation.number] = operation  # type: ignore[assignment]
        operation.ended(lambda: self._forget(operation.number))
        operation.failure(self._report)
        self.busy_changed.emit()
        self._lanes.run(lane, lambda: operation.run(self._open_engine))
        return operation

    def close(self) -> None:
        """Cancel everything, wait for the lanes and close the engine with its child processes."""
        self._closing = True
        for operation in self._running.values():
            operation.abandon()
        self._lanes.close()
        with self._lock:
            if self._engine is not None:
                self._engine.close()
                self._engine = None

    def _report(self, error: SheafError) -> None:
        self.failed.emit(error)

    def _forget(self, number: int) -> None:
        self._running.pop(number, None)
        self.busy_changed.emit()

    def _open_engine(self) -> Engine:
        """Runs on a lane: opening reads disks."""
        if threading.current_thread() is threading.main_thread():
            raise BugError("the engine was called on the main thread")
        with self._lock:
            if self._engine is None:
                self._engine = self._opener(self._home)
            return self._engine


def _open(home: Path | None) -> Engine:
    from engine.api import Engine

    return Engine.open(home)
