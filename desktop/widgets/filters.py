"""What a search is narrowed to: documents, file type, section, kind of passage, exact words, dates."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QWidget

from desktop.widgets.basics import button, choice
from engine.core.results import SearchFilter

_CONTENTS = (("Any passage", ()), ("Text", ("text",)), ("Tables", ("table",)), ("Figures", ("figure",)))
_KINDS = ("pdf", "docx", "pptx", "xlsx", "epub", "markdown", "html", "text")


class Filters(QWidget):
    """Emits `entered` when the user ends a field with Enter or makes a choice."""

    entered = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._document = self._field("Document", "File name, title or part number")
        self._folder = self._field("Folder", "Folder")
        self._section = self._field("Section", "Words of a section's title")
        self._phrase = self._field("Exact words", "Exactly these words")
        self._identifier = self._field("Exact identifier", "Exactly this part or standard")
        self._since = self._field("Changed since", "Changed since 2024-05-31")
        self._until = self._field("Changed until", "Changed until 2025-05-31")
        self._content = self._choice("Kind of passage", _CONTENTS)
        self._kind = self._choice("File type", (("Any file", ()), *((kind.upper(), (kind,)) for kind in _KINDS)))
        reset = button("Clear", flat=True, tip="Take all filters away")
        reset.clicked.connect(self.reset)
        fields = (
            self._document,
            self._folder,
            self._section,
            self._content,
            self._kind,
            self._phrase,
            self._identifier,
            self._since,
            self._until,
            reset,
        )
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        for place, widget in enumerate(fields):
            grid.addWidget(widget, place // 5, place % 5)

    @property
    def document(self) -> str:
        """Name, title or part of the documents searched, "" for all."""
        return self._document.text().strip()

    @property
    def chosen(self) -> SearchFilter:
        folder = self._folder.text().strip()
        return SearchFilter(
            folders=(folder,) if folder else (),
            kinds=self._kind.currentData(),
            contents=self._content.currentData(),
            section=self._section.text().strip(),
            phrase=self._phrase.text().strip(),
            identifier=self._identifier.text().strip(),
            since=self._since.text().strip(),
            until=self._until.text().strip(),
        )

    @property
    def empty(self) -> bool:
        return not self.document and self.chosen == SearchFilter()

    def reset(self) -> None:
        for field in self.findChildren(QLineEdit):
            field.clear()
        for box in self.findChildren(QComboBox):
            box.setCurrentIndex(0)

    def _field(self, name: str, hint: str) -> QLineEdit:
        made = QLineEdit()
        made.setPlaceholderText(hint)
        made.setAccessibleName(name)
        made.setToolTip(hint)
        made.returnPressed.connect(self.entered)
        return made

    def _choice(self, name: str, choices: tuple[tuple[str, tuple[str, ...]], ...]) -> QComboBox:
        made = choice(name, choices)
        made.activated.connect(self.entered)
        return made
