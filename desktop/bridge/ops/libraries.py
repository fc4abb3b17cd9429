"""What a user does to libraries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.bridge.operation import Operation
from engine.core.ids import DocumentId
from engine.core.results import DocumentInfo, IndexReport, Library

if TYPE_CHECKING:
    from engine.api import Engine


@dataclass(frozen=True, slots=True)
class Shelf:
    """A library with the state of its documents."""

    library: Library
    documents: tuple[DocumentInfo, ...]


def list_libraries() -> Operation[list[Library]]:
    return Operation("List libraries", lambda engine, _emit, _cancel: engine.libraries())


def add_library(name: str, folders: Sequence[Path]) -> Operation[Library]:
    return Operation(f"Add {name}", lambda engine, _emit, _cancel: engine.add_library(name, folders))


def remove_library(name: str) -> Operation[None]:
    return Operation(f"Remove {name}", lambda engine, _emit, _cancel: engine.remove_library(name))


def index_library(name: str) -> Operation[IndexReport]:
    return Operation(f"Index {name}", lambda engine, emit, cancel: engine.index(name, emit=emit, cancel=cancel))


def watch_library(name: str) -> Operation[None]:
    return Operation(
        f"Watch {name}", lambda engine, emit, cancel: engine.watch(name, emit=emit, cancel=cancel), background=True
    )


def open_shelf(library: Library) -> Operation[Shelf]:
    return Operation(
        f"Open {library.name}",
        lambda engine, _emit, _cancel: Shelf(library, tuple(engine.documents(library.name))),
    )


def retry(name: str, documents: Sequence[DocumentId]) -> Operation[int]:
    """Have failed documents tried again at the next index run."""
    return Operation(f"Retry in {name}", lambda engine, _emit, _cancel: engine.retry_failed(name, documents))


def look_at(name: str, documents: Sequence[DocumentId], *, listed: bool) -> Operation[None]:
    """Have what the user looks at read first."""
    return Operation("Look", lambda engine, _emit, _cancel: engine.look_at(name, documents, listed=listed))


def tree_picture(name: str, by: str, outline: bool) -> Operation[str]:
    """SVG of the abstract tree, "" where there is none yet."""
    return Operation(
        "Draw the topics", lambda engine, _emit, _cancel: engine.tree_picture(name, by=by, outline=outline)
    )


def write_picture(path: Path, svg: str) -> Operation[None]:
    return Operation(f"Write {path.name}", lambda engine, _emit, _cancel: engine.write_text(path, svg))


def hold(held: bool) -> Operation[None]:
    """Pause indexing, or let it go on."""
    return Operation("Pause" if held else "Continue", lambda engine, _emit, _cancel: _hold(engine, held))


def _hold(engine: Engine, held: bool) -> None:
    if held:
        engine.pause()
    else:
        engine.resume()
