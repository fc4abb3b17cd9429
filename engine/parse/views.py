"""What the window asks of a page: its picture and the boxes of quoted words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.core.errors import KnownError
from engine.core.model import Box, FileKind, PageBox
from engine.core.text import fold_case
from engine.parse import mupdf
from engine.parse.kinds import sniff
from engine.parse.layout import Word
from engine.parse.pdf import page_layout

_MAX_PIXELS = 40_000_000


def locate(path: Path, page: int, quote: str) -> tuple[PageBox, ...]:
    """Boxes of the words of `quote` on `page`, one for each printed line; empty if the words do not stand there."""
    if sniff(path) is not FileKind.PDF:
        return ()
    document, sheet = _page(path, page)
    try:
        layout = page_layout(sheet)
        found = _find(layout.words, quote)
        return tuple(PageBox(page, layout.to_display(box)) for box in _per_line(found))
    finally:
        document.close()


def render(path: Path, page: int, zoom: float, clip: Box | None) -> bytes:
    """PNG of the page; the zoom is lowered where the picture would exceed 40 million pixels."""
    if sniff(path) is not FileKind.PDF:
        raise KnownError("Only PDF pages can be shown as pictures.", code="no-picture")
    fitz = mupdf.load()
    document, sheet = _page(path, page)
    try:
        area = fitz.Rect(clip.x0, clip.y0, clip.x1, clip.y1) & sheet.rect if clip else sheet.rect
        if area.is_empty:
            raise KnownError("The wanted part lies outside the page.", code="no-picture")
        fitting = (_MAX_PIXELS / max(1.0, area.width * area.height)) ** 0.5
        scale = max(0.05, min(zoom, fitting))
        picture = sheet.get_pixmap(matrix=fitz.Matrix(scale, scale), clip=area, alpha=False)
        data: bytes = picture.tobytes("png")
        return data
    finally:
        document.close()


def _page(path: Path, page: int) -> tuple[Any, Any]:
    from engine.parse.reader import open_pdf

    document = open_pdf(path)
    if not 1 <= page <= document.page_count:
        document.close()
        raise KnownError(f"There is no page {page} in {path.name}.", code="no-page")
    return document, document.load_page(page - 1)


def _find(words: Sequence[Word], quote: str) -> list[Word]:
    """The words that together spell `quote`; hyphens at line ends and spaces do not count."""
    wanted = _letters(quote)
    if not wanted:
        return []
    spelled = ""
    owner: list[int] = []
    for index, word in enumerate(words):
        letters = _letters(word.text)
        spelled += letters
        owner += [index] * len(letters)
    at = spelled.find(wanted)
    if at < 0:
        return _scattered(words, quote)
    return [words[i] for i in dict.fromkeys(owner[at : at + len(wanted)])]


def _scattered(words: Sequence[Word], quote: str) -> list[Word]:
    """A quoted table row may be printed in another order: the shortest stretch of rows that holds all its words."""
    wanted = [token for token in map(_letters, quote.split()) if token]
    places: dict[str, list[int]] = {}
    ordered = sorted(range(len(words)), key=lambda i: (round(words[i].box.y1 / 3), words[i].box.x0))
    for rank, index in enumerate(ordered):
        places.setdefault(_letters(words[index].text), []).append(rank)
    if not wanted or any(token not in places for token in wanted):
        return []
    best: list[int] | None = None
    for start in places[wanted[0]]:
        ranks = [min(places[token], key=lambda rank: abs(rank - start)) for token in wanted]
        if best is None or max(ranks) - min(ranks) < max(best) - min(best):
            best = ranks
    if best is None or max(best) - min(best) > 4 * len(wanted) + 20:
        return []
    return [words[ordered[rank]] for rank in sorted(set(best))]


def _letters(text: str) -> str:
    return "".join(c for c in fold_case(text) if not c.isspace() and c not in "-^\u00ad|")


def _per_line(words: Sequence[Word]) -> list[Box]:
    boxes: list[Box] = []
    for word in words:
        box = word.box
        if (
            boxes
            and min(boxes[-1].y1, box.y1) - max(boxes[-1].y0, box.y0)
            > 0.5 * min(boxes[-1].y1 - boxes[-1].y0, box.y1 - box.y0)
            and -2.0 <= box.x0 - boxes[-1].x1 < 60.0
        ):
            last = boxes[-1]
            boxes[-1] = Box(min(last.x0, box.x0), min(last.y0, box.y0), max(last.x1, box.x1), max(last.y1, box.y1))
        else:
            boxes.append(box)
    return boxes
