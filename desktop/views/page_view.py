"""The right side: a page of a document with the cited words highlighted."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeySequence, QPainter, QPixmap, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from desktop.bridge.ops.pages import PagePicture
from desktop.style.theme import Colours
from desktop.widgets.basics import button, label
from engine.core.model import Box

RENDER_ZOOM = 2.0
"""Pixels a point the engine draws; the view scales down from there, so that text stays sharp."""
_ZOOM_STEP = 1.25


class PageView(QWidget):
    """Shows one page; emits `page_wanted` (1-based) when the user leafs and `closed` when it is put away."""

    page_wanted = Signal(int)
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._picture: PagePicture | None = None
        self._pixmap = QPixmap()
        self._zoom = 0.0
        self._highlight = QColor("#ffc400")
        self._title = label("", "pagetitle", wrap=True)
        self._where = label("", "quiet")
        self._note = label("", "quiet", wrap=True)
        self._canvas = QLabel()
        self._canvas.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._canvas.setAccessibleName("Page")
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setWidget(self._canvas)
        self._scroll.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._lay_out()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 12, 12, 12)
        column.setSpacing(8)
        top = QHBoxLayout()
        top.addWidget(self._title, 1)
        close = button("Close", flat=True, tip="Close the page (Esc)")
        close.clicked.connect(self.closed)
        top.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(top)
        row = QHBoxLayout()
        for text, tip, keys, action in (
            ("‹", "Previous page", "PgUp", lambda: self._leaf(-1)),
            ("›", "Next page", "PgDown", lambda: self._leaf(1)),
            ("−", "Smaller", "Ctrl+-", lambda: self._scale(1 / _ZOOM_STEP)),
            ("+", "Larger", "Ctrl++", lambda: self._scale(_ZOOM_STEP)),
            ("Fit", "Fit the width", "Ctrl+0", lambda: self._scale(0)),
        ):
            made = button(text, flat=True, tip=f"{tip} ({keys})")
            made.setAccessibleName(tip)
            made.clicked.connect(action)
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(action)
            row.addWidget(made)
        row.addStretch(1)
        row.addWidget(self._where)
        column.addLayout(row)
        column.addWidget(self._scroll, 1)
        column.addWidget(self._note)

    def set_colours(self, colours: Colours) -> None:
        self._highlight = QColor(colours.highlight)
        self._draw()

    def show_picture(self, picture: PagePicture) -> None:
        self._picture = picture
        self._pixmap = QPixmap.fromImage(QImage.fromData(picture.png))
        printed = f" (printed {picture.label})" if picture.label and picture.label != str(picture.page) else ""
        self._title.setText(picture.title)
        self._where.setText(f"Page {picture.page} of {picture.pages}{printed}")
        self._note.setText("")
        self._draw()
        self._show_first_box()

    def show_note(self, text: str) -> None:
        """Say something below the page: that a quote was not found, or why the page cannot be shown."""
        self._note.setText(text)

    @property
    def picture(self) -> PagePicture | None:
        return self._picture

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._draw()

    def _leaf(self, by: int) -> None:
        if self._picture is not None and 1 <= self._picture.page + by <= self._picture.pages:
            self.page_wanted.emit(self._picture.page + by)

    def _scale(self, factor: float) -> None:
        if self._picture is not None:
            self._zoom = 0.0 if factor == 0 else (self._zoom or self._fit(self._picture)) * factor
            self._draw()

    def _fit(self, picture: PagePicture) -> float:
        """Pixels a point at which the page is as wide as the view."""
        return max(0.2, (self._scroll.viewport().width() - 4) / max(1.0, picture.width))

    def _draw(self) -> None:
        if self._picture is None or self._pixmap.isNull():
            return
        scale = self._zoom or self._fit(self._picture)
        ratio = self.devicePixelRatioF()
        width = max(1, round(self._picture.width * scale * ratio))
        page = self._pixmap.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
        painter = QPainter(page)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        for one in self._picture.boxes:
            painter.fillRect(_rectangle(one.box, scale * ratio), self._highlight)
        painter.end()
        page.setDevicePixelRatio(ratio)
        self._canvas.setPixmap(page)

    def _show_first_box(self) -> None:
        if self._picture is None or not self._picture.boxes:
            return
        scale = self._zoom or self._fit(self._picture)
        first = min(self._picture.boxes, key=lambda one: one.box.y0).box
        self._canvas.adjustSize()
        self._scroll.ensureVisible(round(first.x0 * scale), round((first.y0 + first.y1) / 2 * scale), 40, 160)


def _rectangle(box: Box, scale: float) -> QRectF:
    return QRectF(box.x0 * scale - 1, box.y0 * scale - 1, (box.x1 - box.x0) * scale + 2, (box.y1 - box.y0) * scale + 2)
