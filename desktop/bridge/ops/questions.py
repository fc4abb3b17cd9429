"""What a user asks."""

from __future__ import annotations

from pathlib import Path

from desktop.bridge.operation import Operation
from engine.core.results import Answer, Route, SearchFilter, SearchResult


def ask(library: str, question: str, *, model: str | None, quoted: bool, thread: str) -> Operation[Answer]:
    return Operation(
        "Ask",
        lambda engine, emit, cancel: engine.ask(
            library, question, model=model, quoted=quoted, thread=thread, emit=emit, cancel=cancel
        ),
    )


def search(library: str, query: str, *, k: int, route: Route, chosen: SearchFilter) -> Operation[SearchResult]:
    return Operation(
        "Search", lambda engine, _emit, _cancel: engine.search(library, query, k=k, route=route, chosen=chosen)
    )


def list_answers(library: str) -> Operation[list[Answer]]:
    return Operation("List answers", lambda engine, _emit, _cancel: engine.answers(library))


def export_answer(answer_id: str, format: str, path: Path) -> Operation[None]:
    return Operation("Save answer", lambda engine, _emit, _cancel: engine.export(answer_id, format, path))
