"""Pages of documents, as pictures with the words to highlight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.bridge.operation import Operation
from engine.core.errors import KnownError
from engine.core.ids import DocumentId
from engine.core.model import PageBox

if TYPE_CHECKING:
    from engine.api import Engine


@dataclass(frozen=True, slots=True)
class PagePicture:
    """`png` shows a page of `width` x `height` points; `boxes` highlight on it."""

    document: DocumentId
    title: str
    page: int
    pages: int
    label: str
    width: float
    height: float
    png: bytes
    boxes: tuple[PageBox, ...]


def open_page(
    library: str, document: DocumentId, page: int, *, title: str, quote: str, boxes: tuple[PageBox, ...], zoom: float
) -> Operation[PagePicture]:
    """Raises KnownError where the page is not there any more."""
    return Operation(
        "Open page",
        lambda engine, _emit, _cancel: _picture(engine, library, document, page, title, quote, boxes, zoom),
    )


def _picture(
    engine: Engine,
    library: str,
    document: DocumentId,
    page: int,
    title: str,
    quote: str,
    boxes: tuple[PageBox, ...],
    zoom: float,
) -> PagePicture:
    info = engine.page(library, document, page)
    if info is None:
        raise KnownError(f"Page {page} of {title} is not in the index.", help="Index the library again.")
    # The very words where they can be found; else the passage they come from.
    found = engine.locate(library, document, page, quote) if quote else ()
    found = found or tuple(box for box in boxes if box.page == page)
    known = next((one for one in engine.documents(library) if one.id == document), None)
    png = engine.page_image(library, document, page, zoom=zoom)
    return PagePicture(
        document, title, page, known.pages if known else page, info.label, info.width, info.height, png, found
    )
