"""Labels, buttons and frames with the names the style sheet knows."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout, QWidget


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
