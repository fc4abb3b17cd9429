"""What a user does in the window, over a scripted engine."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget

from desktop.bridge.lanes import Lane
from desktop.bridge.ops.libraries import index_library
from desktop.style.theme import ThemeChoice
from desktop.views.answer_card import AnswerCard
from engine.core.errors import KnownError
from engine.core.results import SearchFilter
from tests.desktop.scripted import SHEET, ScriptedEngine
from tests.desktop.stage import Stage

Open = Callable[..., Stage]


def _texts(widget: QWidget) -> str:
    return "\n".join(one.text() for one in (*widget.findChildren(QLabel), *widget.findChildren(QPushButton)))


def _ask(stage: Stage, question: str) -> None:
    box = stage.window.ask.findChild(QLineEdit)
    assert box is not None
    QTest.keyClicks(box, question)
    QTest.keyClick(box, Qt.Key.Key_Return)


def _cards(stage: Stage) -> list[AnswerCard]:
    return stage.window.ask.findChildren(AnswerCard)


def _answered(stage: Stage, count: int = 1) -> bool:
    return sum(card.answer is not None for card in _cards(stage)) >= count


def test_a_question_is_answered_with_citations(open_stage: Open, scripted: ScriptedEngine, artefacts: Path) -> None:
    for theme in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        stage = open_stage(engine=ScriptedEngine(), theme=theme)
        stage.until(lambda stage=stage: stage.window.library_desk.current == "parts")
        _ask(stage, "Maximum junction temperature of the X317?")
        stage.until(lambda stage=stage: _answered(stage))
        shown = _texts(_cards(stage)[0])
        assert "125 °C" in shown
        assert "not verified" in shown
        assert "power/X317.pdf, page 3" in shown
        assert "8 of 13 passages used" in shown
        stage.picture(artefacts / f"answer-{theme.value}.png")


def test_a_citation_opens_its_page(open_stage: Open, scripted: ScriptedEngine, artefacts: Path) -> None:
    stage = open_stage(engine=scripted)
    stage.until(lambda: stage.window.library_desk.current)
    _ask(stage, "Maximum junction temperature?")
    stage.until(lambda: _answered(stage))
    chip = next(one for one in _cards(stage)[0].findChildren(QPushButton) if one.text() == "1")
    chip.click()
    stage.until(stage.window.page.isVisible)
    picture = stage.window.page.picture
    assert picture is not None
    assert (picture.page, picture.label, len(picture.boxes)) == (3, "iii", 1)
    stage.picture(artefacts / "page.png")
    QTest.keyClick(stage.window, Qt.Key.Key_Escape)
    stage.until(lambda: not stage.window.page.isVisible())


def test_sentences_appear_before_the_answer_is_whole_and_stop_stops(open_stage: Open, scripted: ScriptedEngine) -> None:
    scripted.held = True
    stage = open_stage(engine=scripted)
    stage.until(lambda: stage.window.library_desk.current)
    _ask(stage, "Slow one")
    stage.until(lambda: "125 °C" in _texts(stage.window.ask))
    assert not _answered(stage)
    QTest.keyClick(stage.window, Qt.Key.Key_Escape)
    stage.until(lambda: "Stopped." in _texts(stage.window.ask))
    assert not stage.window.question_desk.busy
    scripted.held = False
    _ask(stage, "Next one")
    stage.until(lambda: _answered(stage))


def test_a_follow_up_belongs_to_the_thread(open_stage: Open, scripted: ScriptedEngine) -> None:
    stage = open_stage(engine=scripted)
    stage.until(lambda: stage.window.library_desk.current)
    _ask(stage, "First")
    stage.until(lambda: _answered(stage))
    _ask(stage, "and its quiescent current?")
    stage.until(lambda: _answered(stage, 2))
    assert scripted.asked == [("First", True, ""), ("and its quiescent current?", True, "id1")]


def test_no_engine_call_is_made_on_the_main_thread(open_stage: Open, scripted: ScriptedEngine) -> None:
    stage = open_stage(engine=scripted)
    stage.until(lambda: stage.window.library_desk.current)
    _ask(stage, "Question")
    stage.until(lambda: _answered(stage))
    assert scripted.threads
    assert all(name.startswith("lane-") for name in scripted.threads), scripted.threads


def test_failures_are_listed_with_reasons(open_stage: Open, scripted: ScriptedEngine, artefacts: Path) -> None:
    stage = open_stage(engine=scripted)
    stage.until(lambda: "1 file needs a look" in _texts(stage.window.sidebar))
    next(one for one in stage.window.sidebar.findChildren(QPushButton) if "needs a look" in one.text()).click()
    stage.until(lambda: stage.window.tabs.currentWidget() is stage.window.documents)
    tree = stage.window.documents._tree
    stage.until(lambda: tree.topLevelItemCount() == 2)
    first = tree.topLevelItem(0)
    assert first is not None
    assert [first.text(column) for column in (0, 3, 4)] == ["scan.pdf", "needs OCR", "needs OCR: pages 1–2"]
    stage.picture(artefacts / "documents.png")


def test_an_error_is_told_where_it_happened(open_stage: Open, scripted: ScriptedEngine) -> None:
    stage = open_stage(engine=scripted)
    stage.until(lambda: stage.window.library_desk.current)
    scripted.fault = KnownError("The disk is full.", help="Free some space.")
    _ask(stage, "Question")
    stage.until(lambda: "The disk is full. Free some space." in _texts(stage.window.ask))
    scripted.fault = None
    _ask(stage, "Again")
    stage.until(lambda: _answered(stage))


def test_search_lists_passages_and_opens_them(open_stage: Open, scripted: ScriptedEngine, artefacts: Path) -> None:
    stage = open_stage(engine=scripted)
    stage.until(lambda: stage.window.library_desk.current)
    QTest.keyClick(stage.window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert stage.window.tabs.currentWidget() is stage.window.search
    box = stage.window.search.findChild(QLineEdit)
    assert box is not None
    QTest.keyClicks(box, "limits")
    QTest.keyClick(box, Qt.Key.Key_Return)
    listed = stage.window.search._list
    stage.until(lambda: listed.count() == 1)
    listed.itemActivated.emit(listed.item(0))
    stage.until(stage.window.page.isVisible)
    stage.picture(artefacts / "search.png")


def test_a_search_can_be_narrowed_and_followed_by_more_like_it(
    open_stage: Open, scripted: ScriptedEngine, artefacts: Path
) -> None:
    stage = open_stage(engine=scripted)
    stage.until(lambda: stage.window.library_desk.current)
    search, fields = stage.window.search, {}
    stage.window.tabs.setCurrentWidget(search)
    assert search.filters.isHidden(), "filters are there when wanted"
    next(one for one in search.findChildren(QPushButton) if one.text() == "Filters").click()
    assert search.filters.isVisible()
    fields = {one.accessibleName(): one for one in search.filters.findChildren(QLineEdit)}
    QTest.keyClicks(fields["Section"], "limits")
    QTest.keyClicks(fields["Exact words"], "some text")
    QTest.keyClicks(fields["Document"], "X317")
    QTest.keyClick(fields["Document"], Qt.Key.Key_Return)
    stage.until(lambda: search._list.count() == 1)
    wanted = SearchFilter(documents=(SHEET,), section="limits", phrase="some text")
    assert scripted.searched == [("", wanted)], "exact words alone are a search"
    stage.picture(artefacts / "search-filters.png")
    search._list.setCurrentRow(0)
    next(one for one in search.findChildren(QPushButton) if one.text() == "More like this").click()
    stage.until(lambda: len(scripted.searched) == 2)
    assert scripted.searched[1] == ("like s", wanted)
    QTest.keyClicks(fields["Document"], "0")
    QTest.keyClick(fields["Document"], Qt.Key.Key_Return)
    stage.until(lambda: "No document is called X3170." in _texts(search))
    next(one for one in search.filters.findChildren(QPushButton) if one.text() == "Clear").click()
    assert search.filters.empty


def test_an_answer_can_be_copied_and_saved(open_stage: Open, scripted: ScriptedEngine, tmp_path: Path) -> None:
    stage = open_stage(engine=scripted)
    stage.until(lambda: stage.window.library_desk.current)
    _ask(stage, "Question")
    stage.until(lambda: _answered(stage))
    _cards(stage)[0].copy()
    copied = QGuiApplication.clipboard().text()
    assert "125 °C. [1]" in copied
    assert "[1] power/X317.pdf, page 3, Limits: “junction temperature 125 °C”" in copied
    stage.window.question_desk.save("id1", "md", tmp_path / "a.md")
    stage.until(lambda: scripted.exported == [("id1", "md", tmp_path / "a.md")])


def test_progress_reaches_the_window_ten_times_a_second_at_most(open_stage: Open, scripted: ScriptedEngine) -> None:
    stage = open_stage(engine=scripted)
    seen: list[object] = []
    stage.until(lambda: not stage.bridge.running or "Watch parts" in stage.bridge.running)
    operation = index_library("parts").progress(seen.append)
    began = time.monotonic()
    stage.bridge.start(Lane.WRITER, operation)
    stage.until(lambda: operation.number not in stage.bridge._running)
    progress = [one for one in seen if type(one).__name__ == "IndexProgress"]
    assert 1 <= len(progress) <= 2 + 10 * (time.monotonic() - began)


def test_dropped_folders_become_a_library(open_stage: Open, scripted: ScriptedEngine, tmp_path: Path) -> None:
    stage = open_stage(engine=scripted)
    stage.until(lambda: stage.window.library_desk.current == "parts")
    stage.window.sidebar.folders_added.emit([tmp_path])
    stage.until(lambda: stage.window.library_desk.current == tmp_path.name)
    stage.window.library_desk.remove()
    stage.until(lambda: stage.window.library_desk.current == "parts")
    assert [one.name for one in scripted.kept] == ["parts"]


def test_closing_in_the_middle_of_work_ends_it(open_stage: Open, scripted: ScriptedEngine) -> None:
    scripted.held = True
    stage = open_stage(engine=scripted)
    stage.until(lambda: stage.window.library_desk.current)
    _ask(stage, "Never ending")
    stage.until(lambda: scripted.asked)
    stage.close()
    assert scripted.closed
