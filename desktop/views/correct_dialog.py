"""A value of a table as it was read, to be put right."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from desktop.bridge.ops.parameters import Correction, Value
from desktop.widgets.basics import button, choice, label

LIMITS = {"min": "Minimum", "typ": "Typical", "max": "Maximum", "nom": "Nominal", "value": "Plain value"}


class CorrectDialog(QDialog):
    """Emits `corrected` (Correction) or `withdrawn` (record) and closes. The page is to be looked at beside it."""

    corrected = Signal(object)
    withdrawn = Signal(str)

    def __init__(self, value: Value, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Correct a value")
        self._record = value.record
        self.value = self._line("Value", value.printed)
        self.unit = self._line("Unit", value.unit)
        self.limit = choice("Limit", ((words, key) for key, words in LIMITS.items()))
        self.limit.setCurrentIndex(self.limit.findData(value.kind))
        self._lay_out(value)

    def _line(self, name: str, text: str) -> QLineEdit:
        made = QLineEdit(text)
        made.setAccessibleName(name)
        return made

    def _lay_out(self, value: Value) -> None:
        column = QVBoxLayout(self)
        where = f"{value.parameter}\n{value.file}, page {value.page}"
        column.addWidget(label(where, "quiet", wrap=True))
        if value.doubt:
            column.addWidget(label(value.doubt, "doubt", wrap=True))
        form = QFormLayout()
        for name, field in (("Value", self.value), ("Unit", self.unit), ("Limit", self.limit)):
            form.addRow(name, field)
        column.addLayout(form)
        column.addWidget(label("Your correction stays when the document is read again.", "quiet", wrap=True))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self._save)
        buttons.rejected.connect(self.close)
        if value.corrected:
            forget = button("Forget my correction", flat=True)
            forget.clicked.connect(self._withdraw)
            buttons.addButton(forget, QDialogButtonBox.ButtonRole.ResetRole)
        column.addWidget(buttons)

    def _save(self) -> None:
        self.corrected.emit(
            Correction(self._record, self.value.text().strip(), self.unit.text().strip(), self.limit.currentData())
        )
        self.close()

    def _withdraw(self) -> None:
        self.withdrawn.emit(self._record)
        self.close()
