"""Pages of documents, as pictures with the words to highlight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.bridge.operation import Operation
from engine.core.errors import KnownError
from engine.core.ids import DocumentId
from engine.core.model import Box, PageBox
from engine.core.results import Citation

if TYPE_CHECKING:
    from engine.api import Engine

_MARGIN = 28.0
_MOST_POINTS = 220.0
"""A strip is no higher than this, so that it never crowds out the answer."""


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


def crop_citation(library: str, citation: Citation, zoom: float) -> Operation[bytes]:
    """PNG of the strip of a page that a citation stands on, `_MARGIN` points above and below it; b"" if unknown."""
    return Operation("Show the place", lambda engine, _emit, _cancel: _strip(engine, library, citation, zoom))


def _strip(engine: Engine, library: str, citation: Citation, zoom: float) -> bytes:
    info = engine.page(library, citation.document, citation.page)
    found = tuple(box for box in citation.boxes if box.page == citation.page)
    found = found or engine.locate(library, citation.document, citation.page, citation.quote)
    if info is None or not found:
        return b""
    top = max(0.0, min(one.box.y0 for one in found) - _MARGIN)
    bottom = min(info.height, max(one.box.y1 for one in found) + _MARGIN, top + _MOST_POINTS)
    return engine.page_image(library, citation.document, citation.page, zoom=zoom, clip=Box(0, top, info.width, bottom))


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
