"""The Compare view: tables of parts and parameters, parts found by their limits."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QPushButton, QTableWidget

from desktop.bridge.ops.parameters import Correction, Row, Sheet, Value, as_csv
from desktop.style.theme import ThemeChoice
from desktop.views.compare_view import Scope
from desktop.views.correct_dialog import CorrectDialog
from engine.core.errors import KnownError
from engine.core.model import Amendment
from tests.desktop.scripted import SHEET, ScriptedEngine
from tests.desktop.stage import Stage

Open = Callable[..., Stage]
FIRST = "supply current"


@pytest.fixture
def stage(open_stage: Open, scripted: ScriptedEngine) -> Stage:
    made = open_stage(engine=scripted)
    made.until(lambda: made.window.library_desk.current == "parts")
    QTest.keyClick(made.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert made.window.tabs.currentWidget() is made.window.compare
    return made


def _table(stage: Stage) -> QTableWidget:
    return stage.window.compare._table


def _parts(stage: Stage) -> list[str]:
    table = _table(stage)
    items = [table.item(row, 0) for row in range(table.rowCount())]
    return [item.text() for item in items if item is not None]


def _compared(stage: Stage) -> None:
    QTest.keyClicks(stage.window.compare._parameters, f"{FIRST}; offset ;")
    QTest.keyClick(stage.window.compare._parameters, Qt.Key.Key_Return)
    stage.until(lambda: _table(stage).rowCount() == 3)


def test_parts_stand_beside_their_parameters(stage: Stage, scripted: ScriptedEngine, artefacts: Path) -> None:
    _compared(stage)
    assert scripted.compared == [((FIRST, "offset"), (), "")]
    cell = _table(stage).item(1, 2)
    assert cell is not None
    assert cell.text() == "50 µA typ  (VS = 5 V)\n100 µA max  (VS = 5 V)"
    stage.picture(artefacts / "compare-light.png")


def test_only_doubtful_values_are_marked_and_say_why(stage: Stage) -> None:
    _compared(stage)
    cells = [_table(stage).item(row, 2) for row in range(3)]
    assert [cell is not None and " ?" in cell.text() for cell in cells] == [False, False, True]
    assert cells[2] is not None
    assert "may belong to another column" in cells[2].toolTip()
    assert "could not be read for sure" in stage.window.compare._note.text()


def test_columns_sort_by_number_and_empty_cells_stay_last(stage: Stage) -> None:
    _compared(stage)
    assert _parts(stage) == ["X317", "X318", "X319"]
    stage.window.compare.sort(2)
    assert _parts(stage) == ["X317", "X319", "X318"]
    _table(stage).setCurrentCell(0, 2)
    _table(stage).setFocus()
    QTest.keyClick(_table(stage), Qt.Key.Key_S, Qt.KeyboardModifier.AltModifier)
    assert _parts(stage) == ["X318", "X319", "X317"]
    for _ in range(2):
        stage.window.compare.sort(3)
        assert _parts(stage)[0] == "X318"


def test_a_cell_opens_its_page_with_its_box(stage: Stage) -> None:
    _compared(stage)
    _table(stage).setFocus()
    _table(stage).setCurrentCell(0, 2)
    QTest.keyClick(_table(stage), Qt.Key.Key_Return)
    stage.until(stage.window.page.isVisible)
    picture = stage.window.page.picture
    assert picture is not None
    assert (picture.document, picture.page, picture.title) == (SHEET, 2, "X317 regulator")
    assert [(one.page, one.box.x0, one.box.y1) for one in picture.boxes] == [(2, 10, 40)]


def test_a_cell_of_several_values_asks_which_page(stage: Stage) -> None:
    _compared(stage)
    _table(stage).cellActivated.emit(1, 2)
    menu = stage.window.compare.findChild(QMenu)
    assert menu is not None
    assert [action.text().split(" (VS")[0] for action in menu.actions()] == [
        "Supply current (IS): 50 µA typ",
        "Supply current (IS): 100 µA max",
    ]
    assert not stage.window.page.isVisible()
    menu.actions()[1].trigger()
    menu.close()
    stage.until(stage.window.page.isVisible)


@pytest.mark.parametrize(
    ("scope", "which", "documents", "about"),
    [(Scope.ABOUT, "op amp", (), "op amp"), (Scope.NAMED, "X317; X318", ("X317", "X318"), "")],
)
def test_the_scope_reaches_the_engine(
    stage: Stage, scripted: ScriptedEngine, scope: Scope, which: str, documents: tuple[str, ...], about: str
) -> None:
    stage.window.compare.choose(scope, which)
    _compared(stage)
    assert scripted.compared == [((FIRST, "offset"), documents, about)]


def test_parts_are_found_by_their_limits(stage: Stage, scripted: ScriptedEngine) -> None:
    QTest.keyClicks(stage.window.compare._expression, "supply current max < 50 uA")
    QTest.keyClick(stage.window.compare._expression, Qt.Key.Key_Return)
    stage.until(lambda: _table(stage).rowCount() == 2)
    assert scripted.found == [("supply current max < 50 uA", "")]
    assert _parts(stage) == ["X317", "X319 ?"]
    assert "1 part, 1 more to be looked at; 3 of 12 documents" in stage.window.compare._note.text()


def test_nothing_asked_is_told_and_an_error_too(stage: Stage, scripted: ScriptedEngine) -> None:
    QTest.keyClick(stage.window.compare._parameters, Qt.Key.Key_Return)
    assert "Name one parameter" in stage.window.compare._note.text()
    assert scripted.compared == []
    scripted.fault = KnownError("No document is called X9.", help="See the Documents tab.")
    stage.window.compare.compare("supply current")
    stage.until(lambda: "No document is called X9." in stage.window.compare._note.text())
    assert _table(stage).isHidden()
    scripted.fault = None


def test_another_library_clears_the_table(stage: Stage, tmp_path: Path) -> None:
    _compared(stage)
    stage.window.sidebar.folders_added.emit([tmp_path])
    stage.until(lambda: stage.window.library_desk.current == tmp_path.name)
    assert _table(stage).rowCount() == 0
    assert stage.window.compare.sheet is None


def test_the_table_is_saved_for_a_spreadsheet(stage: Stage, tmp_path: Path) -> None:
    _compared(stage)
    target = tmp_path / "out.csv"
    stage.window.compare_desk.save(target)
    stage.until(target.exists)
    lines = list(csv.reader(io.StringIO(target.read_text(encoding="utf-8-sig"))))
    assert lines[0][:5] == ["Part", "Document", FIRST, f"{FIRST}: conditions", f"{FIRST}: source"]
    assert lines[1][:5] == ["X317", "X317 regulator", "9 µA max", "VS = 5 V", "power/X317.pdf, page 2"]
    assert lines[3][2] == "12 µA max (?)"


def _dialog(stage: Stage) -> CorrectDialog:
    stage.until(lambda: stage.window.compare.findChild(CorrectDialog) is not None)
    found = stage.window.compare.findChild(CorrectDialog)
    assert isinstance(found, CorrectDialog)
    return found


def test_a_value_is_corrected_beside_its_page(stage: Stage, scripted: ScriptedEngine, artefacts: Path) -> None:
    _compared(stage)
    _table(stage).setFocus()
    _table(stage).setCurrentCell(2, 2)
    QTest.keyClick(_table(stage), Qt.Key.Key_F2)
    dialog = _dialog(stage)
    stage.until(stage.window.page.isVisible)
    assert (dialog.value.text(), dialog.unit.text(), dialog.limit.currentData()) == ("12", "µA", "max")
    assert dialog.grab().save(str(artefacts / "correct.png"))
    dialog.value.setText("21")
    QTest.keyClick(dialog.value, Qt.Key.Key_Return)
    stage.until(lambda: len(scripted.compared) == 2)
    assert scripted.amended == [("r12", Amendment("21", "µA", "max"))]


def test_a_correction_is_marked_and_can_be_forgotten(stage: Stage, scripted: ScriptedEngine) -> None:
    _compared(stage)
    cell = _table(stage).item(1, 3)
    assert cell is not None
    assert cell.text().startswith("1 µA max (corrected)")
    _table(stage).setCurrentCell(1, 3)
    QTest.keyClick(_table(stage), Qt.Key.Key_F2)
    dialog = _dialog(stage)
    forget = next(one for one in dialog.findChildren(QPushButton) if one.text() == "Forget my correction")
    forget.click()
    stage.until(lambda: len(scripted.compared) == 2)
    assert scripted.amended == [("r1", None)]


def test_a_correction_that_cannot_be_kept_is_told_beside_the_table(stage: Stage, scripted: ScriptedEngine) -> None:
    _compared(stage)
    scripted.fault = KnownError("Another process writes the library.", help="Wait for it.")
    stage.window.compare.correction_wanted.emit(Correction("r9", "9", "A", "max"))
    stage.until(lambda: "Another process writes" in stage.window.compare._note.text())
    assert _table(stage).rowCount() == 3
    scripted.fault = None


def test_csv_cells_are_never_formulas_and_survive_quotes_and_breaks() -> None:
    value = Value('a "b",\nc', None, "", "f.pdf", 1, None, "p", "")
    sheet = Sheet(("=HYPERLINK(1)",), (Row(SHEET, "@part", "t;u", ((value,),), "", False),), "")
    lines = list(csv.reader(io.StringIO(as_csv(sheet).removeprefix("\ufeff"))))
    assert lines[0][2] == "'=HYPERLINK(1)"
    assert lines[1][:3] == ["'@part", "t;u", 'a "b",\nc']


def test_dark(open_stage: Open, scripted: ScriptedEngine, artefacts: Path) -> None:
    made = open_stage(engine=scripted, theme=ThemeChoice.DARK)
    made.until(lambda: made.window.library_desk.current == "parts")
    made.window.tabs.setCurrentWidget(made.window.compare)
    made.window.compare.choose(Scope.ABOUT, "regulator")
    made.window.compare.find_parts("supply current max < 50 uA")
    made.until(lambda: _table(made).rowCount() == 2)
    made.picture(artefacts / "compare-dark.png")
