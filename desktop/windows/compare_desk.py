"""Serves the compare view: compares, finds, saves tables. A request supersedes the one before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject

from desktop.bridge.engine_bridge import EngineBridge
from desktop.bridge.lanes import Lane
from desktop.bridge.operation import Operation
from desktop.bridge.ops import parameters
from desktop.bridge.ops.parameters import Correction, Sheet
from desktop.views.compare_view import CompareView
from desktop.windows.question_desk import in_words


class CompareDesk(QObject):
    """One table at a time, of the library that is looked at."""

    def __init__(self, bridge: EngineBridge, view: CompareView) -> None:
        super().__init__()
        self._bridge, self._view = bridge, view
        self._library = ""
        self._running: Operation[Sheet] | None = None
        self._again: Callable[[], None] = lambda: None
        view.correction_wanted.connect(self.correct)
        view.withdrawal_wanted.connect(self.withdraw)
        view.compare_wanted.connect(self.compare)
        view.find_wanted.connect(self.find)

    def set_library(self, name: str) -> None:
        if self._running is not None:
            self._running.cancel()
        self._library = name
        self._view.clear()

    def compare(self, names: Sequence[str], documents: Sequence[str], about: str) -> None:
        self._again = lambda: self.compare(names, documents, about)
        self._start(parameters.compare(self._library, names, documents, about))

    def find(self, expression: str, about: str) -> None:
        self._again = lambda: self.find(expression, about)
        self._start(parameters.find(self._library, expression, about))

    def correct(self, correction: Correction) -> None:
        """Keep what the user says of a value and show the table anew."""
        self._change(parameters.correct(self._library, correction))

    def withdraw(self, record: str) -> None:
        """Go back to what the sheet was read as, and show the table anew."""
        self._change(parameters.withdraw_correction(self._library, record))

    def _change(self, operation: Operation[None]) -> None:
        again = self._again
        operation.success(lambda _: again())
        operation.failure(lambda error: self._view.show_warning(in_words(error)))
        self._bridge.start(Lane.WRITER, operation)

    def _start(self, operation: Operation[Sheet]) -> None:
        if not self._library:
            self._view.show_note("Add a folder of documents first.")
            return
        if self._running is not None:
            self._running.cancel()
        operation.success(self._view.show_sheet)
        operation.failure(lambda error: self._view.show_note(in_words(error)))
        self._view.show_busy()
        self._running = self._bridge.start(Lane.READER, operation)

    def save(self, path: Path) -> None:
        if self._view.sheet is not None:
            self._bridge.start(Lane.READER, parameters.save_sheet(self._view.sheet, path))
