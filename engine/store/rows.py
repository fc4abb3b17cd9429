"""Rows of the catalogue to frozen values and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from engine.core.ids import DocumentId, SegmentId
from engine.core.model import Box, PageBox, PageInfo, PageStatus, Segment, SegmentKind
from engine.core.results import DocumentInfo, DocumentStatus, Place

SEGMENT_COLUMNS = (
    "id, document, ordinal, kind, title, path, text, embed_head, embed_body, page, pages, boxes, table_index"
)
PAGE_COLUMNS = "number, label, width, height, text, status, reason, rotation"
DOCUMENT_COLUMNS = "id, title, kind, status, pages, segments, reason, needs_ocr, parts, warnings"


def segment_row(segment: Segment) -> tuple[Any, ...]:
    """The embedded text usually ends with the shown text, which is then stored once."""
    if segment.text and segment.embed_text.endswith(segment.text):
        head, body = segment.embed_text[: len(segment.embed_text) - len(segment.text)], None
    else:
        head, body = "", segment.embed_text
    return (
        segment.id,
        segment.document,
        segment.ordinal,
        segment.kind.value,
        segment.title,
        json.dumps(segment.path, ensure_ascii=False),
        segment.text,
        head,
        body,
        segment.page,
        json.dumps(segment.pages),
        json.dumps([[b.page, *(round(v, 2) for v in (b.box.x0, b.box.y0, b.box.x1, b.box.y1))] for b in segment.boxes]),
        segment.table,
    )


def segments_of(rows: Sequence[Sequence[Any]]) -> list[Segment]:
    """The segments that rows of the segment query stand for. Their lists are decoded in one piece: a search reads some
    hundred and fifty rows of three lists each."""
    lists = json.loads(f"[{','.join(f'[{row[5]},{row[10]},{row[11]}]' for row in rows)}]")
    return [_segment(row, *decoded) for row, decoded in zip(rows, lists, strict=True)]


def _segment(row: Sequence[Any], path: list[str], pages: list[int], boxes: list[list[Any]]) -> Segment:
    text, head, body = row[6], row[7], row[8]
    return Segment(
        id=SegmentId(row[0]),
        document=DocumentId(row[1]),
        ordinal=row[2],
        kind=SegmentKind(row[3]),
        title=row[4],
        path=tuple(path),
        text=text,
        embed_text=head + (text if body is None else body),
        page=row[9],
        pages=tuple(pages),
        boxes=tuple(PageBox(page=b[0], box=Box(*b[1:])) for b in boxes),
        table=row[12],
    )


def page_row(document: DocumentId, page: PageInfo) -> tuple[Any, ...]:
    """A page as a row of the page table."""
    return (
        document,
        page.number,
        page.label,
        page.width,
        page.height,
        page.text,
        page.status.value,
        page.reason,
        page.rotation,
    )


def page_of(row: Sequence[Any]) -> PageInfo:
    """The page a row of the page table stands for."""
    return PageInfo(
        number=row[0],
        label=row[1],
        width=row[2],
        height=row[3],
        text=row[4],
        status=PageStatus(row[5]),
        reason=row[6],
        rotation=row[7],
    )


def document_of(row: Sequence[Any], places: tuple[Place, ...]) -> DocumentInfo:
    """A row of the document table together with the places the document lies at."""
    return DocumentInfo(
        id=DocumentId(row[0]),
        title=row[1],
        kind=row[2],
        status=DocumentStatus(row[3]),
        places=places,
        pages=row[4],
        segments=row[5],
        reason=row[6],
        needs_ocr=tuple(json.loads(row[7])),
        parts=tuple(json.loads(row[8])),
        warnings=tuple(json.loads(row[9])),
    )


def text_list(values: Sequence[Any]) -> str:
    return json.dumps(list(values), ensure_ascii=False)
