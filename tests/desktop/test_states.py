"""What the window shows where there is nothing yet, too much, or a doubt; names, contrasts, the second start."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QObject, QPoint, Qt, QUrl, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

import resources
from desktop.app import OnlyOne
from desktop.style.theme import DARK, LIGHT, ThemeChoice
from desktop.views.answer_card import AnswerCard
from engine.core.events import IndexProgress
from engine.core.results import Answer, AnswerStatus, Sentence
from tests.desktop.scripted import CITATION, ScriptedEngine
from tests.desktop.stage import Stage

Open = Callable[..., Stage]


def _named(widget: QWidget, text: str) -> QPushButton:
    return next(one for one in widget.findChildren(QPushButton) if one.text() == text)


def _answer(points: int, *, status: AnswerStatus = AnswerStatus.ANSWERED, warnings: tuple[str, ...] = ()) -> Answer:
    citations = tuple(replace(CITATION, n=n) for n in range(1, points + 1))
    sentences = tuple(
        Sentence(f"Point {n} of a long answer that goes over what each of the documents says.", True, (n,))
        for n in range(1, points)
    )
    last = Sentence("All of them were looked at.", True, tuple(range(1, points + 1)))
    return Answer(
        "id", "parts", "What do the documents say?", "", "", status, (*sentences, last), citations, (), "14 of 20 "
        "documents examined", warnings, "quoted", 0.3,
    )  # fmt: skip


@pytest.mark.parametrize("theme", [ThemeChoice.LIGHT, ThemeChoice.DARK])
def test_without_a_library_the_window_offers_a_folder_or_the_sample(
    open_stage: Open, scripted: ScriptedEngine, artefacts: Path, theme: ThemeChoice
) -> None:
    scripted.kept = []
    stage = open_stage(engine=scripted, theme=theme)
    welcome = stage.window.ask._welcome
    stage.until(welcome.isVisible)
    assert not stage.window.ask._box.isEnabled()
    stage.picture(artefacts / f"first-run-{theme.value}.png")
    _named(welcome, "Open the sample library").click()
    stage.until(lambda: stage.window.library_desk.current == "sample library")
    assert scripted.kept[0].folders == (resources.sample_library(),)
    assert welcome.isHidden()
    assert stage.window.ask._box.isEnabled()


def test_a_folder_may_be_dropped_anywhere_on_the_window(
    open_stage: Open, scripted: ScriptedEngine, tmp_path: Path
) -> None:
    scripted.kept = []
    stage = open_stage(engine=scripted)
    stage.until(stage.window.ask._welcome.isVisible)
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile(str(tmp_path))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    event = QDropEvent(QPoint(600, 300), Qt.DropAction.CopyAction, dropped, buttons, keys)
    stage.window.dropEvent(event)
    stage.until(lambda: stage.window.library_desk.current == tmp_path.name)


def test_a_doubt_shows_the_piece_of_the_page(open_stage: Open, scripted: ScriptedEngine, artefacts: Path) -> None:
    scripted.warnings = ("the value may belong to another column",)
    stage = open_stage(engine=scripted)
    stage.until(lambda: stage.window.library_desk.current)
    stage.window.ask.asked.emit("Maximum junction temperature?")
    stage.until(lambda: stage.window.ask.findChildren(AnswerCard))
    card = stage.window.ask.findChildren(AnswerCard)[0]
    stage.until(card._strip.isVisible)
    stage.picture(artefacts / "doubt.png")
    QTest.keyClick(card._strip, Qt.Key.Key_Return)
    stage.until(stage.window.page.isVisible)
    assert scripted.clips[0].y0 < 200 < 212 < scripted.clips[0].y1


def test_a_sure_answer_shows_no_piece_of_the_page(application: QApplication) -> None:
    card = AnswerCard("What?")
    card.show_answer(_answer(1))
    assert card.doubted is None
    assert card._look.isHidden()
    assert card._strip.isHidden()
    card.deleteLater()


@pytest.mark.parametrize("theme", [ThemeChoice.LIGHT, ThemeChoice.DARK])
def test_a_long_answer_folds_its_sources_and_keeps_its_width(
    open_stage: Open, scripted: ScriptedEngine, artefacts: Path, theme: ThemeChoice
) -> None:
    stage = open_stage(engine=scripted, theme=theme)
    stage.until(lambda: stage.window.library_desk.current and not stage.window.ask._cards)
    stage.until(lambda: "List answers" not in stage.bridge.running)
    stage.window.ask.show_history([_answer(18, status=AnswerStatus.PARTIAL, warnings=("6 documents need OCR.",))])
    card = stage.window.ask.findChildren(AnswerCard)[0]
    stage.until(card.isVisible)
    stage.picture(artefacts / f"long-answer-{theme.value}.png")
    sources = [one for one in card.findChildren(QPushButton) if one.property("source")]
    assert [one.isHidden() for one in sources] == [False] * 6 + [True] * 12
    _named(card, "Show 12 more").click()
    assert not any(one.isHidden() for one in sources)
    assert card.minimumSizeHint().width() <= 700
    assert "The documents answer only part of this." in card._state.text()


def test_a_long_path_does_not_widen_the_sidebar(open_stage: Open, scripted: ScriptedEngine) -> None:
    stage = open_stage(engine=scripted)
    stage.until(lambda: stage.window.library_desk.current and "Index parts" not in stage.bridge.running)
    sidebar = stage.window.sidebar
    before = sidebar.minimumSizeHint().width()
    path = "a-folder-with-a-name/" * 12 + "sheet.pdf"
    sidebar.show_event(IndexProgress("parse", path, 7, 1, 3))
    assert sidebar.minimumSizeHint().width() == before
    assert "…" in sidebar._file.text()
    assert sidebar._file.toolTip() == f"{path}, page 7"
    assert sidebar._stage.text() == "Reading pages: 1 of 3"


def test_everything_that_acts_is_reached_by_tab_and_has_a_name(open_stage: Open, scripted: ScriptedEngine) -> None:
    stage = open_stage(engine=scripted)
    stage.until(lambda: stage.window.library_desk.current)
    for view in (stage.window.sidebar, stage.window.ask, stage.window.search, stage.window.compare):
        for kind in (QPushButton, QLineEdit, QComboBox, QAbstractItemView):
            for one in view.findChildren(kind):
                inside = isinstance(one, QHeaderView) or one.objectName().startswith("qt_")
                if one.window() is not stage.window or inside:
                    continue
                assert one.focusPolicy() & Qt.FocusPolicy.TabFocus, one
                said = one.accessibleName() or (one.text() if isinstance(one, QPushButton) else "")
                assert said or one.isHidden(), one


def test_both_themes_read_well() -> None:
    def luminance(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        line = [one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
        return 0.2126 * line[0] + 0.7152 * line[1] + 0.0722 * line[2]

    def contrast(one: str, other: str) -> float:
        dark, light = sorted((luminance(one), luminance(other)))
        return (light + 0.05) / (dark + 0.05)

    for theme in (LIGHT, DARK):
        for ground in (theme.ground, theme.surface, theme.raised):
            for ink in (theme.text, theme.quiet, theme.doubt, theme.bad, theme.accent):
                assert contrast(ink, ground) >= 4.5, (ink, ground)
        assert contrast(theme.on_accent, theme.accent) >= 4.5


def test_a_second_start_calls_the_first_window(application: QApplication, tmp_path: Path) -> None:
    first, second, other = OnlyOne(tmp_path), OnlyOne(tmp_path), OnlyOne(tmp_path / "other")
    called: list[bool] = []
    first.called.connect(lambda: called.append(True))
    try:
        assert first.is_first()
        assert not second.is_first()
        assert other.is_first(), "each home has a window of its own"
        for _ in range(200):
            application.processEvents()
            if called:
                break
        assert called == [True]
    finally:
        first.close()
        other.close()
    again = OnlyOne(tmp_path)
    assert again.is_first(), "the name is free once the first window is closed"
    again.close()


def test_labels_show_no_markup(open_stage: Open, scripted: ScriptedEngine) -> None:
    stage = open_stage(engine=scripted)
    stage.until(lambda: stage.window.library_desk.current)
    card = stage.window.ask.begin("<b>bold</b> &amp; <img src='x'>")
    assert all(one.textFormat() is Qt.TextFormat.PlainText for one in card.findChildren(QLabel) if one.text())
    stage.window.ask.set_busy(False)


def test_emitting_a_signal_takes_no_reference_away(application: QApplication) -> None:
    """PySide6 6.12.0 released True once too often with every emit: an abort after some ten thousand of them."""

    class Sender(QObject):
        sent = Signal(int)

    sender, seen = Sender(), []
    sender.sent.connect(seen.append)
    before = sys.getrefcount(True)
    for number in range(1000):
        sender.sent.emit(number)
    assert len(seen) == 1000
    assert sys.getrefcount(True) > before - 100
