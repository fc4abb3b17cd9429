"""The user's own synonyms, one a line."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from desktop.bridge.ops.preferences import Words
from desktop.widgets.basics import label
from engine.core.errors import UsageError
from engine.core.lexicon import pairs_of

_ABOUT = (
    "What you call things, and what documents print instead, one a line: Iq = quiescent current. "
    "Search takes both; Compare and answers read the right side."
)


class WordsDialog(QDialog):
    """Emits `kept` (Words) when the user saves; a line that is no synonym is told, and nothing is saved."""

    kept = Signal(object)

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Your words")
        self.resize(520, 460)
        self._library = words.library
        self.for_all = _box("For all libraries", words.for_all)
        self.own = _box(f"For {words.library} only", words.own)
        self.own.setVisible(bool(words.library))
        self.note = label("", "doubt", wrap=True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self._save)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(label(_ABOUT, "quiet", wrap=True))
        for box in (self.for_all, self.own) if words.library else (self.for_all,):
            column.addWidget(label(box.accessibleName()))
            column.addWidget(box, 1)
        column.addWidget(self.note)
        column.addWidget(buttons)

    def _save(self) -> None:
        written = Words(self._library, self.for_all.toPlainText(), self.own.toPlainText())
        try:
            pairs_of(f"{written.for_all}\n{written.own}")
        except UsageError as error:
            self.note.setText(f"{error.message} {error.help}")
            return
        self.accept()
        self.kept.emit(written)


def _box(name: str, text: str) -> QPlainTextEdit:
    box = QPlainTextEdit(text)
    box.setAccessibleName(name)
    return box
