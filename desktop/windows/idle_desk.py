"""Uses the time nobody needs: words the tree's abstracts, stops at the first sign of the user, goes on later."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QLabel

from desktop.bridge.engine_bridge import EngineBridge
from desktop.bridge.lanes import Lane
from desktop.bridge.operation import Operation
from desktop.bridge.ops import upkeep
from desktop.bridge.ops.upkeep import Stretch
from engine.core.events import AbstractsWorded, Event

_LOOK_MS = 1000
QUIET_SECONDS = 60.0


class IdleDesk(QObject):
    """Writes into `note` how far the abstracts are and what is spent of the budget; empty while there is nothing to do.

    The pointer and running operations say whether somebody is there. A question stops the model within the engine too,
    whoever asks it; battery and pause are the engine's to know.
    """

    def __init__(self, bridge: EngineBridge, note: QLabel, *, quiet_seconds: float = QUIET_SECONDS) -> None:
        super().__init__()
        self._bridge, self._note = bridge, note
        self.quiet_seconds = quiet_seconds
        self._library = ""
        self._stretch: Operation[Stretch] | None = None
        self._over = False
        self._spent = self._spent_before = 0.0
        self._pointer = QCursor.pos()
        self._quiet_since = time.monotonic()
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    @property
    def working(self) -> bool:
        return self._stretch is not None

    def set_library(self, name: str) -> None:
        self._interrupt()
        self._library, self._over = name, False
        self._note.clear()

    def stop(self) -> None:
        """The window closes."""
        self._timer.stop()
        self._interrupt()

    def _look(self) -> None:
        pointer, now = QCursor.pos(), time.monotonic()
        if pointer != self._pointer or not self._bridge.resting:
            self._pointer, self._quiet_since = pointer, now
            # What has just been indexed may have new abstracts to word.
            self._over = self._over and self._bridge.resting
            self._interrupt()
        elif self._library and not self.working and not self._over and now - self._quiet_since >= self.quiet_seconds:
            self._begin()

    def _begin(self) -> None:
        self._spent_before = self._spent
        operation = upkeep.word_abstracts(self._library, self._spent).progress(self._show).ended(self._ended)
        operation.success(self._finished).failure(lambda _error: self._rest())
        self._stretch = self._bridge.start(Lane.IDLE, operation)

    def _interrupt(self) -> None:
        if self._stretch is not None:
            self._stretch.cancel()

    def _show(self, event: Event) -> None:
        if isinstance(event, AbstractsWorded):
            self._spent = self._spent_before + event.seconds
            budget = self._spent_before + event.budget
            what = "Abstracts wait" if event.waiting else "Wording abstracts"
            minutes = f"{self._spent / 60:.0f} of {budget / 60:.0f} min"
            self._note.setText(f"{what}: {event.worded} done, {event.left:,} left; {minutes}")

    def _finished(self, stretch: Stretch) -> None:
        """Nothing left, no budget left, or no model: not to be begun again until something changes."""
        self._rest()
        self._note.setText("All abstracts are worded" if stretch.possible and not stretch.left else "")

    def _rest(self) -> None:
        self._over = True

    def _ended(self) -> None:
        self._stretch = None
        self._quiet_since = time.monotonic()
