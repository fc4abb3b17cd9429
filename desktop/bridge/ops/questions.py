"""What a user asks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.bridge.operation import Operation
from engine.core.ids import SegmentId
from engine.core.results import Answer, Route, SearchFilter, SearchResult

if TYPE_CHECKING:
    from engine.api import Engine


def ask(library: str, question: str, *, model: str | None, quoted: bool, thread: str) -> Operation[Answer]:
    return Operation(
        "Ask",
        lambda engine, emit, cancel: engine.ask(
            library, question, model=model, quoted=quoted, thread=thread, emit=emit, cancel=cancel
        ),
    )


def search(
    library: str, query: str, *, k: int, route: Route, chosen: SearchFilter, document: str = ""
) -> Operation[SearchResult]:
    """`document` is a file name, title or part number that the search is kept to; "" for none."""
    return Operation(
        "Search",
        lambda engine, _emit, _cancel: engine.search(
            library, query, k=k, route=route, chosen=_within(engine, library, chosen, document)
        ),
    )


def like(
    library: str, segment: SegmentId, *, k: int, chosen: SearchFilter, document: str = ""
) -> Operation[SearchResult]:
    """Passages close in meaning to one."""
    return Operation(
        "More like this",
        lambda engine, _emit, _cancel: engine.like(
            library, segment, k=k, chosen=_within(engine, library, chosen, document)
        ),
    )


def _within(engine: Engine, library: str, chosen: SearchFilter, document: str) -> SearchFilter:
    return replace(chosen, documents=engine.documents_called(library, [document])) if document else chosen


def list_answers(library: str) -> Operation[list[Answer]]:
    return Operation("List answers", lambda engine, _emit, _cancel: engine.answers(library))


def export_answer(answer_id: str, format: str, path: Path) -> Operation[None]:
    return Operation("Save answer", lambda engine, _emit, _cancel: engine.export(answer_id, format, path))
