"""Serves the sidebar and the documents list: opens, adds, indexes, watches and removes libraries."""

from __future__ import annotations

import glob
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

import resources
from desktop.bridge.engine_bridge import EngineBridge
from desktop.bridge.lanes import Lane
from desktop.bridge.operation import Operation
from desktop.bridge.ops import libraries as ops
from desktop.bridge.ops import preferences
from desktop.bridge.ops.libraries import Shelf
from desktop.views.documents_view import DocumentsView
from desktop.views.sidebar import Sidebar
from engine.core.events import DocumentIndexed, Event, Noted
from engine.core.results import DocumentInfo, IndexReport, Library, Place
from engine.core.settings import Settings, Value

_SAMPLE = "sample library"
_REFRESH_MS = 1500
"""The documents list follows a running index at this pace."""


class LibraryDesk(QObject):
    """Emits `library_changed` (name) when another library is looked at, `forecast_made` (values of settings, sentence)
    after :meth:`forecast`."""

    library_changed = Signal(str)
    forecast_made = Signal(dict, str)

    def __init__(self, bridge: EngineBridge, sidebar: Sidebar, documents: DocumentsView, wanted: str) -> None:
        super().__init__()
        self._bridge, self._sidebar, self._documents = bridge, sidebar, documents
        self._wanted = wanted
        self._libraries: dict[str, Library] = {}
        self._index: Operation[IndexReport] | None = None
        self._watch: Operation[None] | None = None
        self._refresh = QTimer(self)
        self._refresh.setSingleShot(True)
        self._refresh.setInterval(_REFRESH_MS)
        self._refresh.timeout.connect(self._load_documents)
        self.current = ""
        sidebar.chosen.connect(self.open)
        sidebar.folders_added.connect(self._add_folders)
        sidebar.index_wanted.connect(self.index)
        sidebar.cancel_wanted.connect(self._cancel_index)
        sidebar.hold_wanted.connect(self._hold)
        documents.retry_wanted.connect(self.retry)
        documents.leave_out_wanted.connect(self.leave_out)
        documents.selected.connect(lambda chosen: self._look_at(chosen, listed=False))
        documents.listed.connect(lambda shown: self._look_at(shown, listed=True))

    def start(self) -> None:
        self._bridge.start(Lane.READER, ops.list_libraries().success(self._show_libraries))

    def stop(self) -> None:
        """The window closes: nothing is to be loaded any more."""
        self._refresh.stop()
        self._stop_background()

    def _show_libraries(self, found: list[Library]) -> None:
        self._libraries = {library.name: library for library in found}
        names = list(self._libraries)
        chosen = next((name for name in (self._wanted, self.current, *names) if name in self._libraries), "")
        self._sidebar.show_libraries(found, chosen)
        if chosen != self.current:
            self.open(chosen)
        elif not chosen:
            self.library_changed.emit("")
            self._documents.show_documents(())
            self._sidebar.show_documents(())

    def open(self, name: str) -> None:
        """Look at a library: its documents at once, its changes in the background, then its folders watched."""
        self._stop_background()
        self.current = self._wanted = name
        self.library_changed.emit(name)
        if name:
            self._load_documents()
            self.index()

    def _load_documents(self) -> None:
        if self.current in self._libraries:
            operation = ops.open_shelf(self._libraries[self.current]).success(self._show_shelf)
            self._bridge.start(Lane.READER, operation)

    def _show_shelf(self, shelf: Shelf) -> None:
        if shelf.library.name == self.current:
            self._documents.show_documents(shelf.documents)
            self._sidebar.show_shelf(shelf)

    # --- changes ------------------------------------------------------------------------------------------------------

    def _add_folders(self, folders: Sequence[Path]) -> None:
        if folders:
            name = self._free_name(folders[0].name or "library")
            self._bridge.start(Lane.WRITER, ops.add_library(name, list(folders)).success(self._added))

    def add_sample(self) -> None:
        """Open the library that ships with the program."""
        operation = ops.add_library(self._free_name(_SAMPLE), [resources.sample_library()])
        self._bridge.start(Lane.WRITER, operation.success(self._added))

    def _added(self, library: Library) -> None:
        self._wanted = library.name
        self.start()

    def _free_name(self, name: str) -> str:
        number, free = 2, name
        while free in self._libraries:
            free, number = f"{name} {number}", number + 1
        return free

    def remove(self) -> None:
        name = self.current
        self._stop_background()
        self.current = self._wanted = ""
        self._bridge.start(Lane.WRITER, ops.remove_library(name).success(lambda _: self.start()))

    # --- indexing and watching ----------------------------------------------------------------------------------------

    def index(self) -> None:
        if not self.current or self._index is not None:
            return
        self._stop_watching()
        self._sidebar.show_starting()
        operation = ops.index_library(self.current)
        operation.progress(self._indexing).success(self._indexed).ended(self._index_ended)
        self._index = self._bridge.start(Lane.WRITER, operation)

    def _indexing(self, event: Event) -> None:
        self._sidebar.show_event(event)
        if isinstance(event, DocumentIndexed) and not self._refresh.isActive():
            self._refresh.start()

    def _indexed(self, report: IndexReport) -> None:
        self._sidebar.show_report(report)
        self._start_watching()

    def _index_ended(self) -> None:
        self._index = None
        self._sidebar.show_idle()
        self._load_documents()

    def _cancel_index(self) -> None:
        if self._index is not None:
            self._index.cancel()

    def _hold(self, held: bool) -> None:
        self._bridge.start(Lane.READER, ops.hold(held))

    def retry(self, documents: Sequence[DocumentInfo]) -> None:
        """Read documents again that could not be read whole."""
        if self.current and documents:
            operation = ops.retry(self.current, [one.id for one in documents])
            self._bridge.start(Lane.READER, operation.success(lambda _: self.index()))

    def _look_at(self, documents: Sequence[DocumentInfo], *, listed: bool) -> None:
        if self.current and (documents or listed):
            self._bridge.start(Lane.READER, ops.look_at(self.current, [one.id for one in documents], listed=listed))

    def leave_out(self, place: Place) -> None:
        """Index a file no more; the settings list it and can take it back."""
        self._change(preferences.leave_out(glob.escape(place.file)))

    def forecast(self, values: Mapping[str, Value]) -> None:
        """Find out what changed settings would make the library do again."""
        if not self.current:
            self.forecast_made.emit(dict(values), "")
            return
        operation = preferences.forecast(self.current, values)
        operation.success(lambda ahead: self.forecast_made.emit(dict(values), ahead.text))
        operation.failure(lambda _: self.forecast_made.emit(dict(values), ""))  # indexing will say what is wrong
        self._bridge.start(Lane.READER, operation)

    def change_settings(self, values: Mapping[str, Value]) -> None:
        """Keep changed settings and do what they make necessary."""
        self._change(preferences.change_settings(values))

    def _change(self, operation: Operation[Settings]) -> None:
        """Settings hold from the next index run on: end the one under way, then begin it."""
        self._stop_background()
        self._bridge.start(Lane.WRITER, operation.ended(self.index))

    def _start_watching(self) -> None:
        operation = ops.watch_library(self.current).progress(self._indexing_while_watching)
        self._watch = self._bridge.start(Lane.UPKEEP, operation)

    def _indexing_while_watching(self, event: Event) -> None:
        if isinstance(event, Noted):
            self._sidebar.show_note(event.text)
        if not self._refresh.isActive():
            self._refresh.start()

    def _stop_watching(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None

    def _stop_background(self) -> None:
        self._stop_watching()
        self._cancel_index()
        self._index = None
