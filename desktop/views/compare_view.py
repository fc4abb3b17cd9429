"""Parts x parameters as a table, and parts found by their limits."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QColor, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop.bridge.ops.parameters import Row, Sheet, Value
from desktop.style.theme import Colours
from desktop.views.correct_dialog import CorrectDialog
from desktop.widgets.basics import button, choice, label

_MOST_LINES = 3
_COLUMN_WIDTHS = (110, 190)
_VALUE_WIDTH = 250
_EMPTY = (
    "Compare parameters of parts side by side, or find the parts that keep a limit. "
    "Every value opens the page it stands on."
)


class Scope(Enum):
    """Which documents are looked through."""

    ALL = "all documents"
    ABOUT = "a kind of device"
    NAMED = "parts or files"


@dataclass(frozen=True, slots=True)
class CellPlace:
    """What a cell of the table leads to."""

    row: Row
    value: Value


class CompareView(QWidget):
    """Emits `compare_wanted` (parameters, documents, about), `find_wanted` (expression, about), `value_chosen`
    (CellPlace), `save_wanted`, `correction_wanted` (Correction) and `withdrawal_wanted` (record).
    """

    compare_wanted = Signal(list, list, str)
    find_wanted = Signal(str, str)
    value_chosen = Signal(object)
    save_wanted = Signal()
    correction_wanted = Signal(object)
    withdrawal_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.sheet: Sheet | None = None
        self._doubt = QColor("#8a5a00")
        self._parameters = self._line("Parameters", "supply current; input offset voltage", self._compare)
        self._expression = self._line("Limits", "supply current max < 50 uA", self._find)
        self._scope = choice("Which documents", ((scope.value.capitalize(), scope) for scope in Scope))
        self._scope.currentIndexChanged.connect(self._scope_changed)
        self._which = self._line("Kind of device, or parts or files", "", self._compare)
        self._table = QTableWidget()
        self._note = label(_EMPTY, "quiet", wrap=True)
        self._save = button("Save as CSV…", flat=True, tip="Save the table for a spreadsheet")
        self._save.clicked.connect(self.save_wanted)
        self._set_up_table()
        self._lay_out()
        self._scope_changed()
        self._show_table(False)

    def _line(self, name: str, example: str, submit: Callable[[], None]) -> QLineEdit:
        made = QLineEdit()
        made.setAccessibleName(name)
        made.setPlaceholderText(example)
        made.returnPressed.connect(submit)
        return made

    def _set_up_table(self) -> None:
        self._table.setAccessibleName("Parts and their values")
        self._table.setAlternatingRowColors(True)
        self._table.setWordWrap(True)
        self._table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._table.verticalHeader().hide()
        self._table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._table.setTabKeyNavigation(False)
        self._table.setToolTip(
            "Enter opens the page; Alt+S or a click on a heading sorts; F2 or a right click corrects a value"
        )
        header = self._table.horizontalHeader()
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self.sort)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        shortcut = QShortcut(QKeySequence("Alt+S"), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(lambda: self.sort(self._table.currentColumn()))
        correct = QShortcut(QKeySequence("F2"), self)
        correct.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        correct.activated.connect(lambda: self._correct(self._table.currentRow(), self._table.currentColumn()))
        self._table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._table.customContextMenuRequested.connect(self._correct_at)
        self._table.cellActivated.connect(self._choose)
        self._table.cellClicked.connect(self._choose)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 12)
        column.setSpacing(8)
        compare = button("Compare", primary=True, tip="Put the parameters side by side (Enter)")
        compare.clicked.connect(self._compare)
        find = button("Find parts", tip="List the parts that keep these limits (Enter)")
        find.clicked.connect(self._find)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        scope = QHBoxLayout()
        scope.addWidget(self._scope)
        scope.addWidget(self._which, 1)
        for row, (title, field, act) in enumerate(
            (("Parameters", self._parameters, compare), ("Limits", self._expression, find))
        ):
            grid.addWidget(label(title, "quiet"), row, 0)
            grid.addWidget(field, row, 1)
            grid.addWidget(act, row, 2)
        grid.addWidget(label("In", "quiet"), 2, 0)
        grid.addLayout(scope, 2, 1)
        column.addLayout(grid)
        below = QHBoxLayout()
        below.addWidget(self._note, 1)
        below.addWidget(self._save, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(below)
        column.addWidget(self._table, 1)
        column.addStretch(0)
        order: tuple[QWidget, ...] = (
            self._parameters, compare, self._expression, find, self._scope, self._which, self._save, self._table,
        )  # fmt: skip
        for before, after in itertools.pairwise(order):
            QWidget.setTabOrder(before, after)

    def set_colours(self, colours: Colours) -> None:
        self._doubt = QColor(colours.doubt)
        if self.sheet is not None:
            self.show_sheet(self.sheet)

    def focus(self) -> None:
        self._parameters.setFocus()
        self._parameters.selectAll()

    # --- asking -------------------------------------------------------------------------------------------------------

    def _scope_changed(self) -> None:
        scope = self._scope.currentData()
        self._which.setVisible(scope is not Scope.ALL)
        self._which.setPlaceholderText(
            "op amp" if scope is Scope.ABOUT else "part numbers or file names; between them ;"
        )

    def choose(self, scope: Scope, which: str = "") -> None:
        """Say which documents are looked through."""
        self._scope.setCurrentIndex(self._scope.findData(scope))
        self._which.setText(which)

    def compare(self, parameters: str) -> None:
        """Fill in the parameters and compare."""
        self._parameters.setText(parameters)
        self._compare()

    def find_parts(self, expression: str) -> None:
        """Fill in the limits and find."""
        self._expression.setText(expression)
        self._find()

    def _compare(self) -> None:
        parameters = _pieces(self._parameters.text())
        if not parameters:
            self.show_note("Name one parameter or more, with ; between them.")
            self._parameters.setFocus()
            return
        scope, which = self._scope.currentData(), self._which.text().strip()
        documents = _pieces(which) if scope is Scope.NAMED else []
        self.compare_wanted.emit(parameters, documents, which if scope is Scope.ABOUT else "")

    def _find(self) -> None:
        expression = self._expression.text().strip()
        if not expression:
            self.show_note("Name a parameter and a limit, for example: supply current max < 50 uA")
            self._expression.setFocus()
            return
        which = [] if self._scope.currentData() is Scope.ALL else _pieces(self._which.text())
        if len(which) > 1:
            self.show_note("Limits are looked for in all documents, in one kind of device, or in one part.")
            return
        self.find_wanted.emit(expression, "".join(which))

    # --- the table ----------------------------------------------------------------------------------------------------

    def show_busy(self) -> None:
        self._note.setText("Looking through the tables…")

    def show_note(self, text: str) -> None:
        """Say something in place of a table."""
        self.sheet = None
        self._table.setRowCount(0)
        self._show_table(False)
        self._note.setText(text)

    def show_warning(self, text: str) -> None:
        """Say something beside the table that stands."""
        self._note.setText(text)

    def clear(self) -> None:
        self.show_note(_EMPTY)

    def show_sheet(self, sheet: Sheet) -> None:
        self.sheet = sheet
        heads = ("Part", "Document", *sheet.parameters)
        self._table.clear()
        self._table.setColumnCount(len(heads))
        self._table.setHorizontalHeaderLabels(heads)
        self._table.setRowCount(len(sheet.rows))
        self._fill(sheet.rows)
        for column in range(len(heads)):
            self._table.setColumnWidth(column, (*_COLUMN_WIDTHS, *[_VALUE_WIDTH] * len(heads))[column])
        self._table.horizontalHeader().setSortIndicatorShown(False)  # the engine's order: best first
        self._table.horizontalHeader().setStretchLastSection(True)
        self._show_table(bool(sheet.rows))
        doubtful = any(one.doubt for row in sheet.rows for cell in row.cells for one in cell)
        mark = (
            " A question mark stands at values that could not be read for sure: look at the page." if doubtful else ""
        )
        self._note.setText(sheet.note + mark)

    def sort(self, column: int) -> None:
        """Sort by a column, rising first; by the same column again, the other way round."""
        if not 0 <= column < self._table.columnCount():
            return
        header = self._table.horizontalHeader()
        again = header.isSortIndicatorShown() and header.sortIndicatorSection() == column
        rising = not again or header.sortIndicatorOrder() is Qt.SortOrder.DescendingOrder
        order = Qt.SortOrder.AscendingOrder if rising else Qt.SortOrder.DescendingOrder
        header.setSortIndicatorShown(True)
        header.setSortIndicator(column, order)
        if self.sheet is not None:
            # Ordered here: PySide 6 loses a reference to True or False at each comparison an item makes in Python.
            self._fill(sorted(self.sheet.rows, key=lambda row: _key(row, column, rising), reverse=not rising))

    def _fill(self, rows: Iterable[Row]) -> None:
        for number, row in enumerate(rows):
            self._show_row(number, row)
        self._table.resizeRowsToContents()

    def _show_row(self, number: int, row: Row) -> None:
        part = QTableWidgetItem(f"{row.part} ?" if row.doubtful else row.part)
        part.setToolTip(row.note)
        part.setData(Qt.ItemDataRole.UserRole, _first(row))
        title = QTableWidgetItem(row.title)
        title.setToolTip(row.title)
        title.setData(Qt.ItemDataRole.UserRole, _first(row))
        for item in (part, title):
            if row.doubtful:
                item.setForeground(self._doubt)
        self._table.setItem(number, 0, part)
        self._table.setItem(number, 1, title)
        for column, values in enumerate(row.cells):
            item = QTableWidgetItem(_words(values))
            item.setToolTip("\n".join(_whole(one) for one in values))
            item.setData(Qt.ItemDataRole.UserRole, tuple(CellPlace(row, one) for one in values))
            if any(one.doubt for one in values):
                item.setForeground(self._doubt)
            self._table.setItem(number, column + 2, item)

    def _show_table(self, there: bool) -> None:
        self._table.setVisible(there)
        self._save.setVisible(there)

    def _choose(self, row: int, column: int) -> None:
        places = self._places(row, column)
        if len(places) == 1 or column < len(_COLUMN_WIDTHS):
            for place in places[:1]:
                self.value_chosen.emit(place)
        elif places:
            self._pick(row, column, places, self.value_chosen.emit)

    def _places(self, row: int, column: int) -> tuple[CellPlace, ...]:
        item = self._table.item(row, column)
        places: tuple[CellPlace, ...] = (item.data(Qt.ItemDataRole.UserRole) if item is not None else ()) or ()
        return places

    def _pick(
        self, row: int, column: int, places: tuple[CellPlace, ...], then: Callable[[CellPlace], object], ask: str = "{}"
    ) -> None:
        """Ask which of a cell's values is meant."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for place in places:
            action = menu.addAction(ask.format(_whole(place.value)))
            action.triggered.connect(lambda _=False, place=place: then(place))
        item = self._table.item(row, column)
        corner = self._table.visualItemRect(item).bottomLeft() if item is not None else QPoint()
        menu.popup(self._table.viewport().mapToGlobal(corner))

    def _correct_at(self, point: QPoint) -> None:
        index = self._table.indexAt(point)
        places = self._places(index.row(), index.column()) if index.column() >= len(_COLUMN_WIDTHS) else ()
        if places:
            self._pick(index.row(), index.column(), places, self.open_correction, "Correct {}…")

    def _correct(self, row: int, column: int) -> None:
        places = self._places(row, column) if column >= len(_COLUMN_WIDTHS) else ()
        if len(places) == 1:
            self.open_correction(places[0])
        elif places:
            self._pick(row, column, places, self.open_correction, "Correct {}…")

    def open_correction(self, place: CellPlace) -> CorrectDialog:
        """Show a value's fields to be put right, and its page beside them."""
        self.value_chosen.emit(place)
        dialog = CorrectDialog(place.value, self)
        dialog.corrected.connect(self.correction_wanted)
        dialog.withdrawn.connect(self.withdrawal_wanted)
        dialog.open()
        return dialog


def _pieces(text: str) -> list[str]:
    return [piece.strip() for piece in text.split(";") if piece.strip()]


def _key(row: Row, column: int, rising: bool) -> tuple[float, str]:
    """Rising, a cell's smallest number counts, falling, its largest; cells without a number come last either way."""
    if column < len(_COLUMN_WIDTHS):
        return 0.0, (row.part, row.title)[column].casefold()
    numbers = [one.number for one in row.cells[column - len(_COLUMN_WIDTHS)] if one.number is not None]
    if not numbers:
        return (math.inf if rising else -math.inf), ""
    return (min(numbers) if rising else max(numbers)), ""


def _first(row: Row) -> tuple[CellPlace, ...]:
    return tuple(CellPlace(row, one) for values in row.cells for one in values)[:1]


def _words(values: tuple[Value, ...]) -> str:
    """What a cell shows: its first values with their conditions, and how many more there are."""
    lines = [_short(one) for one in values[:_MOST_LINES]]
    if len(values) > _MOST_LINES:
        lines.append(f"and {len(values) - _MOST_LINES} more")
    return "\n".join(lines)


def _short(one: Value) -> str:
    mark = " ?" if one.doubt else " (corrected)" if one.corrected else ""
    return f"{one.text}{mark}  ({one.conditions})" if one.conditions else f"{one.text}{mark}"


def _whole(one: Value) -> str:
    doubt = f" – {one.doubt}" if one.doubt else ""
    conditions = f" ({one.conditions})" if one.conditions else ""
    return f"{one.parameter}: {one.text}{conditions}, page {one.page}{doubt}"
