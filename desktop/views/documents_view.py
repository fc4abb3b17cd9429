"""Every document of the library with its state; those that need a look come first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, QUrl, Signal
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop.widgets.basics import button, label
from engine.core.results import DocumentInfo, DocumentStatus

_WORDS = {
    DocumentStatus.INDEXED: "ready",
    DocumentStatus.PENDING: "waiting",
    DocumentStatus.NEEDS_OCR: "needs OCR",
    DocumentStatus.FAILED: "failed",
    DocumentStatus.SKIPPED: "skipped",
}
_FIRST = (DocumentStatus.FAILED, DocumentStatus.NEEDS_OCR, DocumentStatus.SKIPPED, DocumentStatus.PENDING)


_RETRIABLE = (DocumentStatus.FAILED, DocumentStatus.NEEDS_OCR)
_TITLE, _STATE, _REASON = 1, 3, 4
"""Columns."""


class _FromTheStart(QStyledItemDelegate):
    """Shows the start of what is too long. Of a file's path the end counts as well, of a title it does not."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideRight


class DocumentsView(QWidget):
    """Emits `document_chosen` (DocumentInfo), `retry_wanted` (list of DocumentInfo) and `leave_out_wanted` (Place).

    What the user looks at may be read first: `selected` and `listed` (lists of DocumentInfo), the latter the waiting
    ones that the filter leaves in sight.
    """

    document_chosen = Signal(object)
    topics_wanted = Signal()
    retry_wanted = Signal(list)
    leave_out_wanted = Signal(object)
    selected = Signal(list)
    listed = Signal(list)

    def __init__(self) -> None:
        super().__init__()
        self._filter = QLineEdit()
        self._filter.setPlaceholderText("Narrow by file, title or state")
        self._filter.setAccessibleName("Narrow the documents")
        self._filter.textChanged.connect(self._narrow)
        self._topics = button("Topics…", flat=True, tip="What the library is about, as a picture")
        self._topics.clicked.connect(self.topics_wanted)
        self._listed: list[DocumentInfo] = []
        self._failures = label("", "doubt", wrap=True)
        self._retry_all = button("Try them again", tip="Read every file again that could not be read")
        self._retry_all.clicked.connect(lambda: self.retry_wanted.emit(self._retriable(self._items())))
        self._tree = self._make_tree()
        self._retry, self._leave_out = QAction("Try again", self), QAction("Leave out from now on", self)
        self._add_actions()
        self._lay_out()
        self._show_failures()

    def _make_tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setAccessibleName("Documents")
        tree.setRootIsDecorated(False)
        tree.setUniformRowHeights(True)
        tree.setAlternatingRowColors(True)
        tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        tree.setHeaderLabels(["File", "Title", "Pages", "State", "Remarks"])
        header = tree.header()
        header.setStretchLastSection(False)
        narrow, wide = QHeaderView.ResizeMode.ResizeToContents, QHeaderView.ResizeMode.Stretch
        for column, mode in enumerate((wide, wide, narrow, narrow, wide)):
            header.setSectionResizeMode(column, mode)
        tree.setItemDelegateForColumn(_TITLE, _FromTheStart(tree))
        tree.itemActivated.connect(self._choose)
        tree.itemSelectionChanged.connect(self._offer_actions)
        tree.itemSelectionChanged.connect(lambda: self.selected.emit([_document(one) for one in tree.selectedItems()]))
        return tree

    def _add_actions(self) -> None:
        self._retry.triggered.connect(lambda: self.retry_wanted.emit(self._retriable(self._tree.selectedItems())))
        self._leave_out.triggered.connect(self._leave_out_chosen)
        folder = QAction("Show in folder", self)
        folder.triggered.connect(self._show_in_folder)
        self._tree.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._tree.addActions([self._retry, self._leave_out, folder])
        self._offer_actions()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 12)
        head = QHBoxLayout()
        head.addWidget(self._filter, 1)
        head.addWidget(self._topics)
        column.addLayout(head)
        row = QHBoxLayout()
        row.addWidget(self._failures, 1)
        row.addWidget(self._retry_all, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(row)
        column.addWidget(self._tree, 1)

    def show_documents(self, documents: Sequence[DocumentInfo]) -> None:
        self._tree.clear()
        items = []
        for one in sorted(documents, key=_order):
            file = one.places[0].file if one.places else ""
            reason = "; ".join(filter(None, (one.reason, *one.warnings, one.revision.text if one.revision else "")))
            item = QTreeWidgetItem([file, one.title, str(one.pages or ""), _WORDS[one.status], reason])
            item.setData(0, Qt.ItemDataRole.UserRole, one)
            item.setToolTip(0, "\n".join(f"{place.folder}/{place.file}" for place in one.places))
            item.setToolTip(_TITLE, one.title)
            item.setToolTip(_REASON, reason)
            items.append(item)
        self._tree.addTopLevelItems(items)
        self._tree.setColumnHidden(_REASON, not any(item.text(_REASON) for item in items))
        self._show_failures()
        self._offer_actions()
        self._narrow(self._filter.text())

    def _show_failures(self) -> None:
        """A line over the list where files could not be read, with the way to try them again."""
        count = len(self._retriable(self._items()))
        files = "1 file" if count == 1 else f"{count} files"
        self._failures.setText(
            f"{files} could not be read whole. They are tried again when the file, Sheaf or a setting changes, or now:"
        )
        self._failures.setVisible(count > 0)
        self._retry_all.setVisible(count > 0)

    def _items(self) -> list[QTreeWidgetItem]:
        rows = (self._tree.topLevelItem(row) for row in range(self._tree.topLevelItemCount()))
        return [item for item in rows if item is not None]

    def _retriable(self, items: Sequence[QTreeWidgetItem]) -> list[DocumentInfo]:
        return [one for item in items if (one := _document(item)).status in _RETRIABLE]

    def _offer_actions(self) -> None:
        chosen = self._tree.selectedItems()
        self._retry.setVisible(bool(self._retriable(chosen)))
        self._leave_out.setEnabled(any(_document(item).places for item in chosen))

    def _narrow(self, text: str) -> None:
        wanted = text.casefold()
        for item in self._items():
            item.setHidden(wanted not in f"{item.text(0)} {item.text(1)} {item.text(_STATE)}".casefold())
        self._list_waiting()

    def _list_waiting(self) -> None:
        shown = [_document(item) for item in self._items() if not item.isHidden()] if self._filter.text() else []
        waiting = [one for one in shown if one.status is DocumentStatus.PENDING]
        if waiting != self._listed:
            self._listed = waiting
            self.listed.emit(waiting)

    def _choose(self, item: QTreeWidgetItem, _column: int) -> None:
        self.document_chosen.emit(_document(item))

    def _leave_out_chosen(self) -> None:
        for item in self._tree.selectedItems()[:1]:
            for place in _document(item).places:
                self.leave_out_wanted.emit(place)

    def _show_in_folder(self) -> None:
        for item in self._tree.selectedItems()[:1]:
            for place in _document(item).places[:1]:
                folder = f"{place.folder}/{place.file}".rsplit("/", 1)[0]
                QDesktopServices.openUrl(QUrl.fromLocalFile(folder))


def _document(item: QTreeWidgetItem) -> DocumentInfo:
    one: DocumentInfo = item.data(0, Qt.ItemDataRole.UserRole)
    return one


def _order(one: DocumentInfo) -> tuple[int, str]:
    trouble = _FIRST.index(one.status) if one.status in _FIRST else len(_FIRST)
    return trouble, one.places[0].file.casefold() if one.places else ""
