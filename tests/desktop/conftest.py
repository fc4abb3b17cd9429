"""A Qt application on the offscreen platform, and a window over a scripted or a real engine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import requirements
from tests.desktop.scripted import ScriptedEngine
from tests.desktop.stage import Stage

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


@pytest.fixture(scope="session")
def application() -> object:
    """The one QApplication of this process."""
    try:
        from PySide6.QtCore import QCoreApplication, QStandardPaths
        from PySide6.QtWidgets import QApplication
    except ImportError as error:
        requirements.require(False, f"Qt cannot be loaded: {error}")
    QStandardPaths.setTestModeEnabled(True)
    QCoreApplication.setOrganizationName("SheafTests")
    QCoreApplication.setApplicationName("SheafTests")
    return QApplication.instance() or QApplication([])


@pytest.fixture
def artefacts() -> Path:
    """Folder for screenshots; not in git."""
    folder = Path(__file__).parents[2] / "artefacts" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def scripted() -> ScriptedEngine:
    return ScriptedEngine()


@pytest.fixture
def open_stage(application: object) -> Iterator[Callable[..., Stage]]:
    """Opens windows and closes them after the test, whatever happened."""
    opened: list[Stage] = []

    def start(**options: object) -> Stage:
        stage = Stage(application, **options)  # type: ignore[arg-type]
        opened.append(stage)
        return stage

    yield start
    for stage in opened:
        stage.close()
