"""A strip cut out of a page, as wide as there is room."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy


class Strip(QLabel):
    """Hidden until it has a picture; emits `clicked`, by mouse or by Enter or Space."""

    clicked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._pixmap = QPixmap()
        self.setObjectName("crop")
        self.setAccessibleName("Piece of the page: press Enter to open it")
        self.setToolTip("Open the page")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_image(self, png: bytes) -> None:
        self._pixmap = QPixmap.fromImage(QImage.fromData(png)) if png else QPixmap()
        self.setVisible(not self._pixmap.isNull())
        self._draw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._draw()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)

    def _draw(self) -> None:
        if self._pixmap.isNull():
            return
        ratio = self.devicePixelRatioF()
        width = max(40, min(self.width() - 6, round(self._pixmap.width() / ratio)))
        shown = self._pixmap.scaledToWidth(round(width * ratio), Qt.TransformationMode.SmoothTransformation)
        shown.setDevicePixelRatio(ratio)
        self.setPixmap(shown)
        self.setFixedHeight(round(shown.height() / ratio) + 8)
