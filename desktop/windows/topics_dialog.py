"""What the library is about, as a picture: the abstract tree as a circle (Psi-RAG, Figure 5) or as an outline."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QSize, Qt, Signal
from PySide6.QtSvgWidgets import QSvgWidget
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from desktop.widgets.basics import button, choice, label

_COLOURS = (("by document", "document"), ("by folder", "folder"), ("by level", "level"))
_SHAPES = (("as a circle", False), ("as an outline", True))
_ABOUT = "Every dot is a group of passages that say something alike; from the middle outwards they become smaller."
_NONE = "There is no picture yet: it is drawn once documents have been read."


class TopicsDialog(QDialog):
    """Emits `picture_wanted` (colours, whether an outline) at once and at every choice; `show_picture` brings it."""

    picture_wanted = Signal(str, bool)
    saved = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Topics")
        self.resize(820, 860)
        self._svg = ""
        self._closed = False
        self.finished.connect(self._note_closed)
        self.colours = choice("Colours", _COLOURS)
        self.shape = choice("Shape", _SHAPES)
        self.note = label(_ABOUT, "quiet", wrap=True)
        self._save = button("Save the picture…", tip="Write it as an SVG file")
        self._save.clicked.connect(self._ask_where)
        self._picture = QSvgWidget()
        self._picture.setAccessibleName("Picture of the topics")
        self._picture.setStyleSheet("background: white")  # it is drawn in ink, in a dark theme as well
        self._scroll = QScrollArea()
        self._scroll.setWidget(self._picture)
        self._scroll.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        self._lay_out()
        for box in (self.colours, self.shape):
            box.currentIndexChanged.connect(self.ask)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.addWidget(self.colours)
        row.addWidget(self.shape)
        row.addStretch(1)
        row.addWidget(self._save)
        column = QVBoxLayout(self)
        column.addLayout(row)
        column.addWidget(self.note)
        column.addWidget(self._scroll, 1)

    def ask(self) -> None:
        """Ask for the picture that is chosen."""
        self._save.setEnabled(False)
        self.picture_wanted.emit(*self._chosen())

    def _chosen(self) -> tuple[str, bool]:
        return self.colours.currentData(), self.shape.currentData()

    def show_picture(self, by: str, outline: bool, svg: str) -> None:
        """Show an SVG text, "" where there is no tree yet; nothing where the dialog was closed meanwhile, or where
        another picture has been chosen since this one was wanted."""
        if self._closed or (by, outline) != self._chosen():
            return
        self._svg = svg
        self._save.setEnabled(bool(svg))
        self.note.setText(_ABOUT if svg else _NONE)
        self._picture.load(QByteArray(svg.encode()))
        self._picture.resize(self._fitted(self._picture.renderer().defaultSize()) if svg else QSize(0, 0))

    def _fitted(self, size: QSize) -> QSize:
        """As large as there is room; a long outline is scrolled."""
        room = self._scroll.maximumViewportSize()
        tall = size.height() > 1.5 * size.width()
        return size.scaled(room.width(), room.height() * (100 if tall else 1), Qt.AspectRatioMode.KeepAspectRatio)

    def _note_closed(self) -> None:
        self._closed = True

    def _ask_where(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Save the picture", "topics.svg", "SVG pictures (*.svg)")
        if name:
            self.saved.emit(Path(name), self._svg)
