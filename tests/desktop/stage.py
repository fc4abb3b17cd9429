"""A window under test: opens it, waits for what it should show, takes pictures."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop
from PySide6.QtWidgets import QApplication

from desktop.bridge.engine_bridge import EngineBridge
from desktop.style.theme import ThemeChoice, apply_theme
from desktop.windows.main_window import MainWindow


class Stage:
    """The main window over `engine` (scripted) or over the home folder `home` (real)."""

    def __init__(
        self,
        application: QApplication,
        *,
        engine: object | None = None,
        home: Path | None = None,
        theme: ThemeChoice = ThemeChoice.LIGHT,
        library: str = "",
    ) -> None:
        colours = apply_theme(application, theme)
        self.bridge = EngineBridge(home, opener=(lambda _: engine) if engine is not None else None)  # type: ignore[arg-type,return-value]
        self.window = MainWindow(self.bridge, colours, library=library)
        self.window.show()
        self._closed = False

    def until(self, holds: Callable[[], object], *, seconds: float = 60.0) -> None:
        """Run the event loop until `holds()`; fails the test if it never does."""
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end, "the window did not get there"
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
            time.sleep(0.002)

    def picture(self, path: Path) -> None:
        QCoreApplication.processEvents()
        assert self.window.grab().save(str(path))

    def close(self) -> None:
        """May be called again."""
        if self._closed:
            return
        self._closed = True
        self.window.close()
        self.window.deleteLater()
        for _ in range(3):
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            QCoreApplication.processEvents()
