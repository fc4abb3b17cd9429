"""The last boundary: what nobody caught is logged and told, never swallowed."""

from __future__ import annotations

import faulthandler
import logging
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from engine.core.errors import BugError, SheafError

Result = TypeVar("Result")
_log = logging.getLogger(__name__)


def contained(title: str, call: Callable[[], Result]) -> tuple[Result | None, SheafError | None]:
    """What `call` gave, or how it failed: on a lane a fault of ours must be shown, not lost with the thread."""
    try:
        return call(), None
    except SheafError as error:
        return None, error
    except Exception as error:
        _log.exception("operation %s failed", title)
        return None, BugError(f"{type(error).__name__}: {error}")


class CrashHandler(QObject):
    """Installs itself as `sys.excepthook`; emits `crashed` with one sentence."""

    crashed = Signal(str)

    def install(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = (folder / "crash.log").open("a", encoding="utf-8")
        faulthandler.enable(self._file)
        sys.excepthook = self._handle

    def remove(self) -> None:
        sys.excepthook = sys.__excepthook__
        faulthandler.disable()
        self._file.close()

    def _handle(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        _log.critical("uncaught", exc_info=(kind, error, trace))
        self.crashed.emit(f"Something went wrong in Sheaf ({kind.__name__}: {error}). The log has the details.")
