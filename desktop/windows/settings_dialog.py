"""The settings, as they are declared in `engine.core.settings`: a field for each, and what a change re-does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QGridLayout,
    QPlainTextEdit,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop.widgets.basics import label
from engine.core.settings import SETTINGS, Redo, Setting, Settings, Value, redone

_GROUPS = {"index": "Indexing", "watch": "Watching"}
_CONSEQUENCES = {
    Redo.SCAN: "The folders are looked at again; only files that come or go are touched.",
    Redo.FAILURES: "Documents that could not be read are tried again.",
    Redo.PARSE: "Every document is read again; texts that come out the same are not embedded again.",
    Redo.EMBED: "Every passage is embedded again; the old index serves until the new one is complete.",
}
_TYPING_MS = 300
_PATTERN_LINES = 3
_CHOICES_A_ROW = 4
_SPIN_CHARACTERS = 18
_SPIN_LIMIT = 1_000_000


@dataclass(frozen=True, slots=True)
class _Field:
    """A widget for one setting, how to read it and how to fill it."""

    setting: Setting
    widget: QWidget
    read: Callable[[], Value]
    fill: Callable[[Value], None]


class SettingsDialog(QDialog):
    """Emits `changed` (key -> value of what differs) when the user saves, and `forecast_wanted` (the same) as soon as
    something differs that has consequences; saving waits until :meth:`show_forecast` has told them. `words_wanted`
    asks for the user's own synonyms."""

    changed = Signal(dict)
    forecast_wanted = Signal(dict)
    words_wanted = Signal()

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Settings")
        self.resize(620, 640)
        self._before = settings
        self._fields = [self._field(one) for one in SETTINGS.values()]
        self._consequence = label("", "quiet", wrap=True)
        self._forecast = label("", wrap=True)
        self._ask_soon = QTimer(self)
        self._ask_soon.setSingleShot(True)
        self._ask_soon.setInterval(_TYPING_MS)
        self._ask_soon.timeout.connect(lambda: self.forecast_wanted.emit(self._differing()))
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save
            | QDialogButtonBox.StandardButton.Cancel
            | QDialogButtonBox.StandardButton.RestoreDefaults
        )
        self._buttons.accepted.connect(self._save)
        self._buttons.rejected.connect(self.reject)
        usual = self._buttons.button(QDialogButtonBox.StandardButton.RestoreDefaults)
        usual.setText("Usual values")
        usual.clicked.connect(lambda: self._fill(Settings({})))
        words = self._buttons.addButton("Your words…", QDialogButtonBox.ButtonRole.ActionRole)
        words.clicked.connect(self.words_wanted)
        self._lay_out()
        self._fill(settings)

    def _lay_out(self) -> None:
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setColumnStretch(1, 1)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        for group, fields in groupby(self._fields, lambda one: one.setting.key.split(".")[0]):
            grid.addWidget(label(_GROUPS.get(group, group).upper(), "heading"), grid.rowCount(), 0, 1, 2)
            for one in fields:
                row = grid.rowCount()
                grid.addWidget(label(one.setting.title, wrap=True), row, 0)
                short = isinstance(one.widget, QAbstractSpinBox | QComboBox)
                grid.addWidget(one.widget, row, 1, Qt.AlignmentFlag.AlignLeft if short else Qt.AlignmentFlag(0))
                grid.addWidget(label(one.setting.help, "quiet", wrap=True), row + 1, 1)
                grid.setRowMinimumHeight(row + 2, 6)
        grid.setRowStretch(grid.rowCount(), 1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inside)
        column = QVBoxLayout(self)
        column.addWidget(scroll, 1)
        column.addWidget(self._consequence)
        column.addWidget(self._forecast)
        column.addWidget(self._buttons)

    def _field(self, one: Setting) -> _Field:
        made = _MAKERS[type(one.default)](one, self._announce)
        made.widget.setAccessibleName(one.title)
        return made

    def _fill(self, settings: Settings) -> None:
        for one in self._fields:
            one.fill(settings.get(one.setting.key))
        self._announce()

    def _chosen(self) -> Settings:
        return Settings.of({one.setting.key: one.read() for one in self._fields})

    def _announce(self) -> None:
        """Say what saving would re-do, before it is saved."""
        again = redone(self._before, self._chosen())
        self._consequence.setText("\n".join(words for redo, words in _CONSEQUENCES.items() if redo in again))
        self._forecast.setText("Counting what that is…" if again else "")
        self._may_save(not again)
        if again:
            self._ask_soon.start()
        else:
            self._ask_soon.stop()

    def show_forecast(self, values: Mapping[str, Value], text: str) -> None:
        """Say how much saving `values` would re-do and how long that takes; "" for nothing, or nobody knows."""
        if values == self._differing() and not self._ask_soon.isActive():
            self._forecast.setText(text)
            self._may_save(True)

    def _may_save(self, may: bool) -> None:
        self._buttons.button(QDialogButtonBox.StandardButton.Save).setEnabled(may)

    def _differing(self) -> dict[str, Value]:
        after = self._chosen()
        return {key: after.get(key) for key in SETTINGS if after.get(key) != self._before.get(key)}

    def _save(self) -> None:
        values = self._differing()
        self.accept()
        if values:
            self.changed.emit(values)


def _flag(one: Setting, announce: Callable[[], None]) -> _Field:
    box = QCheckBox("Yes")
    box.toggled.connect(announce)
    return _Field(one, box, box.isChecked, lambda value: box.setChecked(bool(value)))


def _number(one: Setting, announce: Callable[[], None]) -> _Field:
    whole = isinstance(one.default, int)
    box: QSpinBox | QDoubleSpinBox = QSpinBox() if whole else QDoubleSpinBox()
    low, high = one.low or 0, one.high or _SPIN_LIMIT
    if isinstance(box, QSpinBox):
        box.setRange(int(low), int(high))
    else:
        box.setRange(low, high)
        box.setDecimals(1)
    box.setSuffix(f" {one.unit}" if one.unit else "")
    box.setFixedWidth(box.fontMetrics().averageCharWidth() * _SPIN_CHARACTERS)
    box.valueChanged.connect(announce)
    return _Field(one, box, box.value, box.setValue)  # type: ignore[arg-type]


def _text(one: Setting, announce: Callable[[], None]) -> _Field:
    box = QComboBox()
    box.setEditable(not one.choices)
    box.addItems(one.choices)
    box.currentTextChanged.connect(announce)
    return _Field(one, box, box.currentText, lambda value: box.setCurrentText(str(value)))


def _texts(one: Setting, announce: Callable[[], None]) -> _Field:
    return _choices(one, announce) if one.choices else _lines(one, announce)


def _choices(one: Setting, announce: Callable[[], None]) -> _Field:
    holder = QWidget()
    grid = QGridLayout(holder)
    grid.setContentsMargins(0, 0, 0, 0)
    boxes = {choice: QCheckBox(choice.capitalize()) for choice in one.choices}
    for place, box in enumerate(boxes.values()):
        box.toggled.connect(announce)
        grid.addWidget(box, place // _CHOICES_A_ROW, place % _CHOICES_A_ROW)

    def fill(value: Value) -> None:
        for choice, box in boxes.items():
            box.setChecked(isinstance(value, tuple) and choice in value)

    return _Field(one, holder, lambda: tuple(choice for choice, box in boxes.items() if box.isChecked()), fill)


def _lines(one: Setting, announce: Callable[[], None]) -> _Field:
    box = QPlainTextEdit()
    box.setTabChangesFocus(True)
    box.setPlaceholderText("One pattern a line")
    box.setFixedHeight(box.fontMetrics().lineSpacing() * _PATTERN_LINES + 14)
    box.textChanged.connect(announce)

    def read() -> tuple[str, ...]:
        return tuple(line.strip() for line in box.toPlainText().splitlines() if line.strip())

    def fill(value: Value) -> None:
        box.setPlainText("\n".join(value) if isinstance(value, tuple) else "")

    return _Field(one, box, read, fill)


_MAKERS: dict[type, Callable[[Setting, Callable[[], None]], _Field]] = {
    bool: _flag,
    int: _number,
    float: _number,
    str: _text,
    tuple: _texts,
}
