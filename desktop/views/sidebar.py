"""The left side: libraries, how their indexing goes, and what could not be read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QListWidget, QListWidgetItem, QProgressBar, QVBoxLayout, QWidget

from desktop.bridge.ops.libraries import Shelf
from desktop.widgets.basics import ElidedLabel, button, label
from engine.core.events import DocumentFailed, DocumentIndexed, Event, IndexProgress, Noted
from engine.core.results import DocumentInfo, DocumentStatus, IndexReport, Library
from engine.core.text import spoken_time

_TROUBLED = (DocumentStatus.FAILED, DocumentStatus.NEEDS_OCR, DocumentStatus.SKIPPED)

_STAGES = {
    "scan": "Looking for changes",
    "parse": "Reading pages",
    "segment": "Dividing into passages",
    "embed": "Making passages searchable",
}


class Sidebar(QWidget):
    """Emits `chosen` (library name), `folders_added` (paths), `hold_wanted` (pause, go on) and what its buttons ask."""

    chosen = Signal(str)
    folders_added = Signal(list)
    index_wanted = Signal()
    cancel_wanted = Signal()
    hold_wanted = Signal(bool)
    settings_wanted = Signal()
    problems_wanted = Signal()
    remove_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self.setMinimumWidth(220)
        self._libraries = QListWidget()
        self._libraries.setAccessibleName("Libraries")
        self._libraries.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._libraries.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._libraries.currentItemChanged.connect(self._changed)
        self._add = button("Add folder…", tip="Add a folder of documents (or drop one here)")
        self._add.clicked.connect(self.pick_folder)
        self._update = button("Update", tip="Look for added, changed and removed files now")
        self._update.clicked.connect(self.index_wanted)
        self._remove = button("Remove…", flat=True, tip="Forget this library; its documents stay where they are")
        self._remove.clicked.connect(self.remove_wanted)
        self._summary = label("", "quiet", wrap=True)
        self._stage = label("", wrap=True)
        self._file = ElidedLabel("quiet")
        self._note = label("", "doubt", wrap=True)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._stop = button("Stop", flat=True, tip="Stop indexing; what is finished stays")
        self._stop.clicked.connect(self.cancel_wanted)
        self._hold = button("Pause", flat=True)
        self._hold.clicked.connect(self._change_hold)
        self._settings = button("Settings…", flat=True)
        self._settings.clicked.connect(self.settings_wanted)
        self._held = False
        self._problems = button("", flat=True)
        self._problems.clicked.connect(self.problems_wanted)
        self._lay_out()
        self.show_note("")
        self.show_idle()
        self.show_documents(())

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 6, 12)
        column.setSpacing(8)
        column.addWidget(label("LIBRARIES", "heading"))
        column.addWidget(self._libraries, 1)
        row = QHBoxLayout()
        row.addWidget(self._add, 1)
        row.addWidget(self._update)
        column.addLayout(row)
        for widget in (self._summary, self._problems, self._note, self._stage, self._bar, self._file):
            column.addWidget(widget)
        for pair in ((self._hold, self._stop), (self._settings, self._remove)):
            row = QHBoxLayout()
            for widget in pair:
                row.addWidget(widget)
            column.addLayout(row)

    # --- libraries ----------------------------------------------------------------------------------------------------

    def show_libraries(self, libraries: Sequence[Library], current: str) -> None:
        self._libraries.blockSignals(True)
        self._libraries.clear()
        for library in libraries:
            item = QListWidgetItem(library.name)
            item.setToolTip("\n".join(str(folder) for folder in library.folders))
            self._libraries.addItem(item)
            if library.name == current:
                self._libraries.setCurrentItem(item)
        self._libraries.blockSignals(False)
        self._update.setEnabled(bool(libraries))
        self._remove.setVisible(bool(libraries))

    def _changed(self, item: QListWidgetItem | None, _before: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.text())

    def pick_folder(self) -> None:
        """Let the user choose a folder."""
        folder = QFileDialog.getExistingDirectory(self, "Choose a folder of documents")
        if folder:
            self.folders_added.emit([Path(folder)])

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _folders(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.folders_added.emit(_folders(event))

    # --- state of the chosen library ----------------------------------------------------------------------------------

    def show_shelf(self, shelf: Shelf) -> None:
        self.show_documents(shelf.documents)

    def show_documents(self, documents: Sequence[DocumentInfo]) -> None:
        ready = [one for one in documents if one.status not in _TROUBLED]
        pages = sum(one.pages for one in documents)
        self._summary.setText(
            f"{_count(len(ready), 'document')}, {_count(pages, 'page')}" if documents else "No documents yet"
        )
        self.show_problem_count(len(documents) - len(ready))

    def show_problem_count(self, count: int) -> None:
        self._problems.setText("1 file needs a look" if count == 1 else f"{count} files need a look")
        self._problems.setVisible(count > 0)

    def show_report(self, report: IndexReport) -> None:
        self._summary.setText(
            ", ".join(
                (
                    _count(report.documents, "document"),
                    _count(report.pages, "page"),
                    _count(report.segments, "passage"),
                )
            )
        )
        self.show_problem_count(len(report.failed) + len(report.needs_ocr) + len(report.skipped))
        self.show_idle()

    def show_event(self, event: Event) -> None:
        if isinstance(event, IndexProgress):
            self._set_running(True)
            left = "" if event.seconds_left is None else f", about {spoken_time(event.seconds_left)} left"
            stage = _STAGES.get(event.stage, event.stage.capitalize())
            self._stage.setText(f"{stage}: {event.done:,} of {event.total:,}{left}" if event.total else stage)
            page = f", page {event.page}" if event.page else ""
            self._file.show_text(f"{event.file}{page}" if event.file else "")
            self._bar.setRange(0, event.total)
            self._bar.setValue(event.done)
        elif isinstance(event, DocumentIndexed):
            self._file.show_text(f"{event.file} can be searched")
        elif isinstance(event, DocumentFailed):
            self._file.show_text(f"{event.file}: {event.reason}")
        elif isinstance(event, Noted):
            self.show_note(event.text)

    def show_note(self, text: str) -> None:
        """Something to know of background work, until the next run."""
        self._note.setText(text)
        self._note.setVisible(bool(text))

    def show_starting(self) -> None:
        self.show_note("")
        self._set_running(True)
        self._show_hold(held=False)
        self._stage.setText("Looking for changes")
        self._bar.setRange(0, 0)

    def _change_hold(self) -> None:
        self._show_hold(held=not self._held)
        self.hold_wanted.emit(self._held)

    def _show_hold(self, *, held: bool) -> None:
        self._held = held
        self._hold.setText("Continue" if held else "Pause")
        self._hold.setToolTip("Let indexing go on" if held else "Hold indexing up; what is finished can be searched")

    def show_idle(self) -> None:
        self._set_running(False)
        self._stage.setText("")
        self._file.show_text("")

    def _set_running(self, running: bool) -> None:
        for widget in (self._stage, self._bar, self._file, self._hold, self._stop):
            widget.setVisible(running)
        self._update.setEnabled(not running and self._libraries.count() > 0)


def _folders(event: QDropEvent) -> list[Path]:
    paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
    return [path for path in paths if path.is_dir()]


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
