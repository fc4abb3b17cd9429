"""The main window: libraries on the left, questions in the middle, the cited page on the right."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtWidgets import QFileDialog, QMainWindow, QMessageBox, QSplitter, QTabWidget

from desktop.bridge.engine_bridge import EngineBridge
from desktop.bridge.lanes import Lane
from desktop.bridge.ops.libraries import tree_picture, write_picture
from desktop.bridge.ops.preferences import Words, keep_words, load_settings, load_words
from desktop.style.theme import Colours
from desktop.views.ask_view import AskView
from desktop.views.compare_view import CompareView
from desktop.views.documents_view import DocumentsView
from desktop.views.page_view import PageView
from desktop.views.search_view import SearchView
from desktop.views.sidebar import Sidebar
from desktop.widgets.basics import label
from desktop.windows.compare_desk import CompareDesk
from desktop.windows.idle_desk import IdleDesk
from desktop.windows.library_desk import LibraryDesk
from desktop.windows.page_desk import PageDesk
from desktop.windows.question_desk import QuestionDesk
from desktop.windows.settings_dialog import SettingsDialog
from desktop.windows.topics_dialog import TopicsDialog
from desktop.windows.words_dialog import WordsDialog
from engine.core.errors import KnownError, SheafError
from engine.core.settings import Settings

_STATUS_MS = 8000


class MainWindow(QMainWindow):
    """Joins views to desks: a desk starts operations for its views and puts what comes back into them."""

    def __init__(self, bridge: EngineBridge, colours: Colours, *, library: str = "") -> None:
        super().__init__()
        self.setWindowTitle("Sheaf")
        self.resize(1360, 860)
        self.setAcceptDrops(True)
        self._bridge = bridge
        self.sidebar, self.ask, self.search = Sidebar(), AskView(), SearchView()
        self.compare, self.documents, self.page = CompareView(), DocumentsView(), PageView()
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        for view, title, keys in (
            (self.ask, "Ask", "Ctrl+L"),
            (self.search, "Search", "Ctrl+F"),
            (self.compare, "Compare", "Ctrl+K"),
            (self.documents, "Documents", "Ctrl+D"),
        ):
            self.tabs.setTabToolTip(self.tabs.addTab(view, title), keys)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        for widget, stretch in ((self.sidebar, 0), (self.tabs, 3), (self.page, 2)):
            self.splitter.addWidget(widget)
            self.splitter.setStretchFactor(self.splitter.count() - 1, stretch)
        self.splitter.setCollapsible(0, False)
        self.page.hide()
        self.setCentralWidget(self.splitter)
        self.page_desk = PageDesk(bridge, self.page)
        self.library_desk = LibraryDesk(bridge, self.sidebar, self.documents, library)
        self.question_desk = QuestionDesk(bridge, self.ask, self.search)
        self.compare_desk = CompareDesk(bridge, self.compare)
        self.idle_note = label("", "quiet")
        self.statusBar().addPermanentWidget(self.idle_note)
        self.idle_desk = IdleDesk(bridge, self.idle_note)
        self._join()
        self._add_actions()
        self.set_colours(colours)
        self.library_desk.start()
        self.question_desk.load_models(offer=not QSettings().value("offer/declined", False, type=bool))

    def set_colours(self, colours: Colours) -> None:
        self.page.set_colours(colours)
        self.compare.set_colours(colours)

    def _join(self) -> None:
        self._bridge.failed.connect(self._show_error)
        self.library_desk.library_changed.connect(self.question_desk.set_library)
        self.library_desk.library_changed.connect(self.compare_desk.set_library)
        self.library_desk.library_changed.connect(self.page_desk.set_library)
        self.library_desk.library_changed.connect(self.idle_desk.set_library)
        self.sidebar.problems_wanted.connect(lambda: self.tabs.setCurrentWidget(self.documents))
        self.sidebar.remove_wanted.connect(self._confirm_removal)
        self.sidebar.settings_wanted.connect(self._open_settings)
        self.ask.citation_chosen.connect(self.page_desk.open_citation)
        self.ask.folder_wanted.connect(self.sidebar.pick_folder)
        self.ask.sample_wanted.connect(self.library_desk.add_sample)
        self.ask.save_wanted.connect(self._save_answer)
        self.search.hit_chosen.connect(self.page_desk.open_hit)
        self.compare.value_chosen.connect(self.page_desk.open_value)
        self.compare.save_wanted.connect(self._save_table)
        self.documents.document_chosen.connect(self.page_desk.open_document)
        self.documents.topics_wanted.connect(self._open_topics)
        self.page_desk.shown.connect(self._show_page)
        self.page.closed.connect(self.page.hide)

    def _add_actions(self) -> None:
        for title, keys, action in (
            ("Ask", "Ctrl+L", lambda: self._go(self.ask)),
            ("Search", "Ctrl+F", lambda: self._go(self.search)),
            ("Compare", "Ctrl+K", lambda: self._go(self.compare)),
            ("Documents", "Ctrl+D", lambda: self.tabs.setCurrentWidget(self.documents)),
            ("Update library", "F5", self.sidebar.index_wanted.emit),
            ("Settings", QKeySequence.StandardKey.Preferences, self._open_settings),
            ("Close or stop", "Esc", self._escape),
            ("Quit", QKeySequence.StandardKey.Quit, self.close),
        ):
            made = QAction(title, self)
            made.setShortcut(QKeySequence(keys))
            made.triggered.connect(action)
            self.addAction(made)

    def _go(self, view: AskView | SearchView | CompareView) -> None:
        self.tabs.setCurrentWidget(view)
        view.focus()

    def _escape(self) -> None:
        if self.question_desk.busy:
            self.question_desk.cancel()
        elif self.page.isVisible():
            self.page.hide()

    def _show_page(self) -> None:
        if not self.page.isVisible():
            self.page.show()
            width = self.splitter.width()
            self.splitter.setSizes([240, (width - 240) // 2, (width - 240) // 2])

    def _save_answer(self, answer_id: str, format: str) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Save answer", f"answer.{format}", f"*.{format}")
        if name:
            self.question_desk.save(answer_id, format, Path(name))

    def _save_table(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Save table", "comparison.csv", "*.csv")
        if name:
            self.compare_desk.save(Path(name))

    def _confirm_removal(self) -> None:
        name = self.library_desk.current
        question = f"Forget the library {name} and its index?\nIts documents stay where they are."
        if name and QMessageBox.question(self, "Remove library", question) is QMessageBox.StandardButton.Yes:
            self.library_desk.remove()

    def _open_settings(self) -> None:
        self._bridge.start(Lane.READER, load_settings().success(self._show_settings))

    def _show_settings(self, settings: Settings) -> None:
        dialog = SettingsDialog(settings, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.changed.connect(self.library_desk.change_settings)
        dialog.words_wanted.connect(self._open_words)
        dialog.forecast_wanted.connect(self.library_desk.forecast)
        self.library_desk.forecast_made.connect(dialog.show_forecast)
        dialog.open()

    def _open_topics(self) -> None:
        name = self.library_desk.current
        dialog = TopicsDialog(self)

        def draw(by: str, outline: bool) -> None:
            drawn = tree_picture(name, by, outline)
            self._bridge.start(Lane.READER, drawn.success(lambda svg: dialog.show_picture(by, outline, svg)))

        dialog.picture_wanted.connect(draw)
        dialog.saved.connect(lambda path, svg: self._bridge.start(Lane.READER, write_picture(path, svg)))
        dialog.show()
        dialog.ask()

    def _open_words(self) -> None:
        self._bridge.start(Lane.READER, load_words(self.library_desk.current).success(self._show_words))

    def _show_words(self, words: Words) -> None:
        dialog = WordsDialog(words, self)
        dialog.kept.connect(lambda kept: self._bridge.start(Lane.READER, keep_words(kept)))
        dialog.open()

    def _show_error(self, error: SheafError) -> None:
        words = f"{error.message} {error.help}".strip() if isinstance(error, KnownError) else str(error)
        self.statusBar().showMessage(words, _STATUS_MS)

    def come_forward(self) -> None:
        self.showNormal()
        self.raise_()
        self.activateWindow()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.sidebar.dragEnterEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.sidebar.dropEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Background work is cancelled, not waited for at leisure: the index stays consistent whenever it ends."""
        self.hide()
        self.library_desk.stop()
        self.idle_desk.stop()
        self._bridge.close()
        event.accept()
