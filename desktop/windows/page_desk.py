"""Serves the page view: opens the page of a citation, a passage or a document, and leafs."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from desktop.bridge.engine_bridge import EngineBridge
from desktop.bridge.lanes import Lane
from desktop.bridge.operation import Operation
from desktop.bridge.ops import pages
from desktop.bridge.ops.pages import PagePicture
from desktop.views.compare_view import CellPlace
from desktop.views.page_view import RENDER_ZOOM, PageView
from desktop.windows.question_desk import in_words
from engine.core.errors import SheafError
from engine.core.ids import DocumentId
from engine.core.model import PageBox
from engine.core.results import Citation, DocumentInfo, Hit


class PageDesk(QObject):
    """Emits `shown` when a page has arrived; an older request that arrives late is dropped."""

    shown = Signal()

    def __init__(self, bridge: EngineBridge, view: PageView) -> None:
        super().__init__()
        self._bridge, self._view = bridge, view
        self._library = ""
        self._opening: Operation[PagePicture] | None = None
        view.page_wanted.connect(self._leaf)

    def set_library(self, name: str) -> None:
        self._library = name
        self._view.hide()

    def open_citation(self, citation: Citation) -> None:
        title = citation.title or citation.place.file
        self._open(citation.document, citation.page, title, citation.quote, citation.boxes)

    def open_hit(self, hit: Hit) -> None:
        segment = hit.segment
        self._open(segment.document, segment.page, segment.title, "", segment.boxes)

    def open_value(self, place: CellPlace) -> None:
        value = place.value
        boxes = (PageBox(value.page, value.box),) if value.box is not None else ()
        self._open(place.row.document, value.page, place.row.title or value.file, "", boxes)

    def open_document(self, document: DocumentInfo) -> None:
        if document.pages:
            self._open(document.id, 1, document.title, "", ())

    def _leaf(self, page: int) -> None:
        if (picture := self._view.picture) is not None:
            self._open(picture.document, page, picture.title, "", ())

    def _open(self, document: DocumentId, page: int, title: str, quote: str, boxes: tuple[PageBox, ...]) -> None:
        if self._opening is not None:
            self._opening.cancel()
        operation = pages.open_page(
            self._library, document, page, title=title, quote=quote, boxes=boxes, zoom=RENDER_ZOOM
        )
        operation.success(lambda picture: self._show(picture, quote)).failure(self._fail)
        self._opening = self._bridge.start(Lane.READER, operation)

    def _show(self, picture: PagePicture, quote: str) -> None:
        self._view.show_picture(picture)
        if quote and not picture.boxes:
            self._view.show_note("The quoted words could not be marked on this page.")
        self.shown.emit()

    def _fail(self, error: SheafError) -> None:
        self._view.show_note(in_words(error))
        self.shown.emit()
