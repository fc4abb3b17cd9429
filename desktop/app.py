"""Starts the window: one per user and home; a second start brings the first window forward."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QIcon
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QApplication

import resources
from desktop.bridge.engine_bridge import EngineBridge
from desktop.crash import CrashHandler
from desktop.style.theme import ThemeChoice, apply_theme
from desktop.windows.main_window import MainWindow
from engine.core.paths import find_home

_HELLO_MS = 500


class OnlyOne(QObject):
    """Holds the name of this home's window. `called` is emitted when somebody starts a second one."""

    called = Signal()

    def __init__(self, home: Path) -> None:
        super().__init__()
        self._name = "sheaf-" + hashlib.sha256(str(home).encode()).hexdigest()[:16]
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)

    def is_first(self) -> bool:
        """True if this is the first window; otherwise the first one has been called."""
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if socket.waitForConnected(_HELLO_MS):
            socket.disconnectFromServer()
            return False
        QLocalServer.removeServer(self._name)  # a crash leaves the name behind
        self._server.newConnection.connect(self._answer)
        return self._server.listen(self._name)

    def _answer(self) -> None:
        self._server.nextPendingConnection().close()
        self.called.emit()

    def close(self) -> None:
        self._server.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the window until it is closed; returns the exit code."""
    chosen = _arguments(arguments)
    QCoreApplication.setApplicationName("Sheaf")
    QCoreApplication.setOrganizationName("Sheaf")
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    home = find_home(chosen.home)
    only = OnlyOne(home.root)
    if not only.is_first():
        return 0
    crash = CrashHandler()
    crash.install(home.logs)
    application.setWindowIcon(QIcon(str(resources.find("icons", "sheaf.svg"))))
    theme = ThemeChoice(chosen.theme)
    colours = apply_theme(application, theme)
    window = MainWindow(EngineBridge(home.root), colours, library=chosen.library)
    if theme is ThemeChoice.SYSTEM:
        hints = application.styleHints()
        hints.colorSchemeChanged.connect(lambda _: window.set_colours(apply_theme(application, theme)))
    crash.crashed.connect(lambda words: window.statusBar().showMessage(words))
    only.called.connect(window.come_forward)
    window.show()
    window.ask.focus()
    code = application.exec()
    only.close()
    crash.remove()
    return code


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="sheaf-desktop", description="The Sheaf window.")
    parser.add_argument("--home", type=Path, metavar="DIR", help="where Sheaf keeps its things")
    parser.add_argument("--library", default="", metavar="NAME", help="the library to open")
    parser.add_argument("--theme", choices=[one.value for one in ThemeChoice], default=ThemeChoice.SYSTEM.value)
    return parser.parse_args(arguments)
