"""The four pictures of the README, taken of the real program on the sample library.

    python -m tests.makers.pictures

Needs the search models ($SHEAF_MODELS or the home's own). Writes resources/pictures/*.png.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import resources
from desktop.style.theme import ThemeChoice
from engine.api import Engine
from engine.core.results import Route
from tests.desktop.stage import Stage

_QUESTION = "What is the maximum input offset voltage of the SHA90G at 25 °C?"
_FOLDER = Path(__file__).parents[2] / "resources" / "pictures"


def main() -> None:
    """Index the sample library in a folder of its own and take the pictures."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QCoreApplication, QStandardPaths
    from PySide6.QtWidgets import QApplication

    QStandardPaths.setTestModeEnabled(True)
    QCoreApplication.setOrganizationName("SheafPictures")
    application = QApplication([])
    _FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        with Engine.open(home) as engine:
            engine.add_library("Sample parts", [resources.sample_library()])
            engine.index("Sample parts")
        for theme in (ThemeChoice.LIGHT, ThemeChoice.DARK):
            stage = Stage(application, home=home, theme=theme)
            _take(stage, theme)
            stage.close()


def _take(stage: Stage, theme: ThemeChoice) -> None:
    window = stage.window
    stage.until(lambda: window.library_desk.current)
    stage.until(lambda: "List models" not in stage.bridge.running)
    window.ask.choose_quoting()
    stage.until(lambda: not any(title.startswith("Index") for title in stage.bridge.running))
    if theme is ThemeChoice.LIGHT:
        _ask(stage)
        stage.picture(_FOLDER / "ask.png")
        window.page.hide()
        window.tabs.setCurrentWidget(window.search)
        window.search._box.setText("thermostat output")
        window.search.searched.emit("thermostat output", Route.HYBRID)
        stage.until(lambda: window.search._list.count() > 0)
        stage.picture(_FOLDER / "search.png")
        return
    window.tabs.setCurrentWidget(window.compare)
    window.compare.compare("supply current; input offset voltage; output current")
    stage.until(lambda: window.compare._table.rowCount() > 0)
    stage.picture(_FOLDER / "compare-dark.png")
    window.tabs.setCurrentWidget(window.ask)
    _ask(stage)
    stage.picture(_FOLDER / "ask-dark.png")


def _ask(stage: Stage) -> None:
    window = stage.window
    window.question_desk.ask(_QUESTION)
    stage.until(lambda: not window.question_desk.busy)
    citation = window.ask.last_citation()
    assert citation is not None
    window.page_desk.open_citation(citation)
    stage.until(lambda: window.page.isVisible() and window.page.picture is not None)
    stage.until(lambda: not any(title == "Open page" for title in stage.bridge.running))


if __name__ == "__main__":
    main()
