"""One scenario a screen on the real program: real engine, real search models, the sample library."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton

from desktop.style.theme import ThemeChoice
from desktop.views.answer_card import AnswerCard
from engine.core.paths import Home
from engine.core.results import AnswerStatus
from tests.desktop.stage import Stage

Open = Callable[..., Stage]


def test_from_a_question_to_the_highlighted_page(
    open_stage: Open, indexed_home: Home, tmp_path: Path, artefacts: Path
) -> None:
    home = tmp_path / "home"
    shutil.copytree(indexed_home.root, home, symlinks=True)
    stage = open_stage(home=home, theme=ThemeChoice.DARK)
    stage.until(lambda: stage.window.library_desk.current == "sample")
    stage.until(lambda: stage.window.documents._tree.topLevelItemCount() > 8)
    stage.window.ask.choose_quoting()
    box = stage.window.ask.findChild(QLineEdit)
    assert box is not None
    QTest.keyClicks(box, "What is the highest sampling rate of the SHC3204 at a supply of 2.7 V?")
    QTest.keyClick(box, Qt.Key.Key_Return)
    stage.until(lambda: any(card.answer for card in stage.window.ask.findChildren(AnswerCard)), seconds=180)
    card = stage.window.ask.findChildren(AnswerCard)[0]
    assert card.answer is not None
    assert card.answer.status is AnswerStatus.ANSWERED
    assert "55" in card.answer.text
    next(one for one in card.findChildren(QPushButton) if one.text() == "1").click()
    stage.until(stage.window.page.isVisible)
    picture = stage.window.page.picture
    assert picture is not None
    assert picture.boxes, "the quoted words are highlighted"
    stage.picture(artefacts / "real-answer-dark.png")
    stage.window.search.searched.emit("thermostat output", stage.window.search._route.itemData(0))
    stage.until(lambda: stage.window.search._list.count() > 0)
    stage.window.tabs.setCurrentWidget(stage.window.search)
    stage.picture(artefacts / "real-search-dark.png")
    stage.window.tabs.setCurrentWidget(stage.window.documents)
    stage.picture(artefacts / "real-documents-dark.png")
