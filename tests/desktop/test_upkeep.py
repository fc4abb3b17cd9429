"""What a user does to keep a library in order: retry, leave out, pause, settings; and questions that wait."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from desktop.style.theme import ThemeChoice
from desktop.views.answer_card import AnswerCard
from desktop.windows.settings_dialog import SettingsDialog
from desktop.windows.topics_dialog import TopicsDialog
from desktop.windows.words_dialog import WordsDialog
from engine.core.errors import KnownError
from engine.core.results import DocumentStatus
from engine.core.settings import SETTINGS
from tests.desktop.scripted import SCAN, SHEET, ScriptedEngine
from tests.desktop.stage import Stage

Open = Callable[..., Stage]


def _opened(open_stage: Open, engine: ScriptedEngine, **options: object) -> Stage:
    stage = open_stage(engine=engine, **options)
    stage.until(lambda: stage.window.documents._tree.topLevelItemCount() == 2)
    return stage


def _shown(widget: QWidget, text: str) -> bool:
    return any(text in one.text() and one.isVisible() for one in widget.findChildren(QLabel))


def _action(stage: Stage, title: str) -> QAction:
    return next(one for one in stage.window.documents._tree.actions() if one.text() == title)


def _ask(stage: Stage, question: str) -> None:
    box = stage.window.ask.findChild(QLineEdit)
    assert box is not None
    QTest.keyClicks(box, question)
    QTest.keyClick(box, Qt.Key.Key_Return)


def test_files_that_could_not_be_read_are_tried_again(open_stage: Open, scripted: ScriptedEngine) -> None:
    stage = _opened(open_stage, scripted)
    stage.window.tabs.setCurrentWidget(stage.window.documents)
    assert _shown(stage.window.documents, "1 file could not be read whole.")
    next(one for one in stage.window.documents.findChildren(QPushButton) if one.text() == "Try them again").click()
    stage.until(lambda: scripted.retried == [SCAN])


def test_only_a_file_with_a_failure_offers_to_be_tried_again(open_stage: Open, scripted: ScriptedEngine) -> None:
    stage = _opened(open_stage, scripted)
    tree = stage.window.documents._tree
    for row, offered in ((0, True), (1, False)):
        tree.setCurrentItem(tree.topLevelItem(row))
        assert _action(stage, "Try again").isVisible() is offered


def test_a_file_is_left_out_by_its_very_name(open_stage: Open, scripted: ScriptedEngine) -> None:
    stage = _opened(open_stage, scripted)
    stage.window.documents._tree.setCurrentItem(stage.window.documents._tree.topLevelItem(0))
    _action(stage, "Leave out from now on").trigger()
    stage.until(lambda: scripted.kept_settings.texts("index.exclude") == ("scan.pdf",))


def test_indexing_is_paused_and_goes_on(open_stage: Open, scripted: ScriptedEngine) -> None:
    stage = _opened(open_stage, scripted)
    stage.window.sidebar.show_starting()
    hold = stage.window.sidebar._hold
    assert hold.isVisible()
    hold.click()
    stage.until(lambda: scripted.holds == ["pause"])
    assert hold.text() == "Continue"
    hold.click()
    stage.until(lambda: scripted.holds == ["pause", "resume"])
    assert hold.text() == "Pause"


def test_a_second_question_waits_its_turn(open_stage: Open, scripted: ScriptedEngine) -> None:
    scripted.held = True
    stage = _opened(open_stage, scripted)
    _ask(stage, "First")
    stage.until(lambda: len(scripted.asked) == 1)
    _ask(stage, "Second")
    stage.until(lambda: _shown(stage.window.ask, "Waiting for the question before it."))
    scripted.hold.set()
    cards = stage.window.ask.findChildren(AnswerCard)
    stage.until(lambda: all(card.answer is not None for card in cards))
    assert [question for question, *_ in scripted.asked] == ["First", "Second"]


def test_stopping_stops_what_waits_too(open_stage: Open, scripted: ScriptedEngine) -> None:
    scripted.held = True
    stage = _opened(open_stage, scripted)
    for question in ("First", "Second"):
        _ask(stage, question)
    stage.until(lambda: len(scripted.asked) == 1)
    QTest.keyClick(stage.window, Qt.Key.Key_Escape)
    stage.until(lambda: not stage.window.question_desk.busy)
    cards = stage.window.ask.findChildren(AnswerCard)
    stage.until(lambda: all(_shown(card, "Stopped.") for card in cards))
    assert len(scripted.asked) == 1


def test_a_new_thread_does_not_follow_up(open_stage: Open, scripted: ScriptedEngine) -> None:
    stage = _opened(open_stage, scripted)
    for number, question in enumerate(("First", "Second"), start=1):
        _ask(stage, question)
        stage.until(
            lambda number=number: sum(c.answer is not None for c in stage.window.ask.findChildren(AnswerCard)) == number
        )
        if number == 1:
            stage.window.ask._new_thread.click()
    assert [thread for *_, thread in scripted.asked] == ["", ""]


@pytest.mark.parametrize("theme", [ThemeChoice.LIGHT, ThemeChoice.DARK])
def test_settings_say_what_they_redo_and_are_kept(
    open_stage: Open, scripted: ScriptedEngine, artefacts: Path, theme: ThemeChoice
) -> None:
    stage = _opened(open_stage, scripted, theme=theme)
    stage.window.sidebar.settings_wanted.emit()
    stage.until(lambda: stage.window.findChildren(SettingsDialog))
    dialog = stage.window.findChildren(SettingsDialog)[0]
    names = {one.accessibleName() for one in dialog.findChildren(QWidget)}
    assert {one.title for one in SETTINGS.values()} <= names
    excluded = next(one for one in dialog.findChildren(QPlainTextEdit) if one.accessibleName() == "Not these files")
    excluded.setPlainText("old/*\n  *draft*  \n")
    share = next(one for one in dialog.findChildren(QSpinBox) if one.accessibleName() == "Share of processor time")
    share.setValue(50)
    assert _shown(dialog, "The folders are looked at again")
    stage.until(lambda: _shown(dialog, "7 documents leave the library, about"))
    assert dialog.grab().save(str(artefacts / f"settings-{theme.value}.png"))
    buttons = dialog.findChild(QDialogButtonBox)
    assert buttons is not None
    buttons.button(QDialogButtonBox.StandardButton.Save).click()
    stage.until(lambda: scripted.kept_settings.number("index.cpu_share") == 50)
    assert scripted.kept_settings.changed == {"index.exclude": ("old/*", "*draft*"), "index.cpu_share": 50}


def test_a_users_own_words_are_kept_and_a_line_that_is_none_is_told(
    open_stage: Open, scripted: ScriptedEngine, artefacts: Path
) -> None:
    stage = _opened(open_stage, scripted)
    stage.window.sidebar.settings_wanted.emit()
    stage.until(lambda: stage.window.findChildren(SettingsDialog))
    settings = stage.window.findChildren(SettingsDialog)[0]
    next(one for one in settings.findChildren(QPushButton) if one.text() == "Your words…").click()
    stage.until(lambda: stage.window.findChildren(WordsDialog))
    dialog = stage.window.findChildren(WordsDialog)[0]
    assert dialog.for_all.toPlainText() == "Iq = quiescent current"
    dialog.own.setPlainText("brick = LM317\nwithout a sign")
    assert dialog.grab().save(str(artefacts / "words.png"))
    buttons = dialog.findChild(QDialogButtonBox)
    assert buttons is not None
    save = buttons.button(QDialogButtonBox.StandardButton.Save)
    save.click()
    assert "without a sign" in dialog.note.text()
    assert "parts" not in scripted.lexicon.kept
    dialog.own.setPlainText("brick = LM317")
    save.click()
    stage.until(lambda: scripted.lexicon.kept.get("parts") == [("brick", "LM317")])
    settings.reject()


def test_the_topics_are_shown_as_a_picture_that_can_be_saved(
    open_stage: Open, scripted: ScriptedEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = _opened(open_stage, scripted)
    next(one for one in stage.window.documents.findChildren(QPushButton) if one.text() == "Topics…").click()
    dialog = stage.window.findChildren(TopicsDialog)[0]
    save = next(one for one in dialog.findChildren(QPushButton) if one.text() == "Save the picture…")
    stage.until(save.isEnabled)
    dialog.colours.setCurrentIndex(dialog.colours.findData("level"))
    dialog.shape.setCurrentIndex(1)
    stage.until(save.isEnabled)
    kept = tmp_path / "topics.svg"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(kept), ""))
    save.click()
    stage.until(kept.is_file)
    assert "level rect" in kept.read_text(encoding="utf-8")
    dialog.show_picture("document", False, "<svg/>")  # one that was wanted before comes late
    kept.unlink()
    save.click()
    stage.until(kept.is_file)
    assert "level rect" in kept.read_text(encoding="utf-8")
    dialog.ask()
    dialog.close()  # the picture comes to a dialog that is gone
    stage.until(lambda: not stage.window.findChildren(TopicsDialog))


def test_what_a_change_redoes_is_told_before_it_can_be_saved(open_stage: Open, scripted: ScriptedEngine) -> None:
    stage = _opened(open_stage, scripted)
    stage.window.sidebar.settings_wanted.emit()
    stage.until(lambda: stage.window.findChildren(SettingsDialog))
    dialog = stage.window.findChildren(SettingsDialog)[0]
    buttons = dialog.findChild(QDialogButtonBox)
    assert buttons is not None
    save = buttons.button(QDialogButtonBox.StandardButton.Save)
    share, seconds = (
        next(one for one in dialog.findChildren(QAbstractSpinBox) if one.accessibleName() == SETTINGS[key].title)
        for key in ("index.cpu_share", "index.page_seconds")
    )
    share.setValue(50)
    assert save.isEnabled(), "nothing is done again for a share of the processor"
    seconds.setValue(seconds.value() + 5)
    assert not save.isEnabled()
    stage.until(lambda: _shown(dialog, "12 documents (340 pages) are read again, about 2 min."))
    assert save.isEnabled()
    assert scripted.kept_settings.changed == {}
    scripted.fault = KnownError("There is no embedding model.")
    seconds.setValue(seconds.value() + 5)
    stage.until(save.isEnabled)
    assert not _shown(dialog, "are read again,")
    scripted.fault = None
    dialog.reject()


def test_what_the_user_looks_at_is_read_first(open_stage: Open, scripted: ScriptedEngine) -> None:
    scripted.status = DocumentStatus.PENDING
    stage = _opened(open_stage, scripted)
    tree = stage.window.documents._tree
    tree.setCurrentItem(tree.topLevelItem(0))
    stage.until(lambda: ("chosen", (SCAN,)) in scripted.looked)
    narrow = stage.window.documents._filter
    narrow.setText("power/")
    stage.until(lambda: scripted.looked[-1] == ("listed", (SHEET,)))
    narrow.setText("")
    stage.until(lambda: scripted.looked[-1] == ("listed", ()))


def test_usual_values_come_back_without_announcing_anything(open_stage: Open, scripted: ScriptedEngine) -> None:
    stage = _opened(open_stage, scripted)
    stage.window.sidebar.settings_wanted.emit()
    stage.until(lambda: stage.window.findChildren(SettingsDialog))
    dialog = stage.window.findChildren(SettingsDialog)[0]
    share = next(one for one in dialog.findChildren(QSpinBox) if one.accessibleName() == "Share of processor time")
    share.setValue(50)
    buttons = dialog.findChild(QDialogButtonBox)
    assert buttons is not None
    buttons.button(QDialogButtonBox.StandardButton.RestoreDefaults).click()
    assert share.value() == SETTINGS["index.cpu_share"].default
    dialog.reject()
    assert scripted.kept_settings.changed == {}
