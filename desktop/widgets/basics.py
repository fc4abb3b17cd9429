"""Labels, buttons and frames with the names the style sheet knows."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QFrame, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget


def label(text: str, name: str = "", *, wrap: bool = False, selectable: bool = False) -> QLabel:
    made = QLabel(text)
    made.setObjectName(name)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    if selectable:
        made.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
    return made


def button(text: str, *, primary: bool = False, flat: bool = False, chip: bool = False, tip: str = "") -> QPushButton:
    made = QPushButton(text)
    for name, on in (("primary", primary), ("flat", flat), ("chip", chip)):
        if on:
            made.setProperty(name, True)
    made.setToolTip(tip)
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    made.setAutoDefault(False)
    return made


class ElidedButton(QPushButton):
    """A flat button of one line that never asks for more width than there is; what is cut stands in its tool tip."""

    def __init__(self, text: str, *, tip: str = "") -> None:
        super().__init__()
        self._whole = text
        self.setProperty("flat", True)
        self.setProperty("source", True)
        self.setToolTip(f"{text}\n{tip}".strip())
        self.setAccessibleName(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        room = max(40, self.width() - 16)
        self.setText(self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideMiddle, room))


class ElidedLabel(QLabel):
    """A line that is cut in its middle where it is longer than there is room; the whole stands in its tool tip."""

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self._whole = ""
        self.setObjectName(name)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_text(self, text: str) -> None:
        self._whole = text
        self.setToolTip(text)
        self.setAccessibleName(text)
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        self.setText(self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideMiddle, max(40, self.width())))


def choice(name: str, options: Iterable[tuple[str, object]]) -> QComboBox:
    """A box to choose from: (what is shown, what it stands for)."""
    made = QComboBox()
    made.setAccessibleName(name)
    for words, value in options:
        made.addItem(words, value)
    return made


def frame(name: str, *, margin: int = 12, spacing: int = 8) -> tuple[QFrame, QVBoxLayout]:
    made = QFrame()
    made.setObjectName(name)
    column = QVBoxLayout(made)
    column.setContentsMargins(margin, margin, margin, margin)
    column.setSpacing(spacing)
    return made, column


def clear(layout: QVBoxLayout) -> None:
    """Remove and delete every widget of a column."""
    while item := layout.takeAt(0):
        widget: QWidget | None = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
