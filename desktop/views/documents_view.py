"""Every document of the library with its state; those that need a look come first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from engine.core.results import DocumentInfo, DocumentStatus

_WORDS = {
    DocumentStatus.INDEXED: "ready",
    DocumentStatus.PENDING: "waiting",
    DocumentStatus.NEEDS_OCR: "needs OCR",
    DocumentStatus.FAILED: "failed",
    DocumentStatus.SKIPPED: "skipped",
}
_FIRST = (DocumentStatus.FAILED, DocumentStatus.NEEDS_OCR, DocumentStatus.SKIPPED, DocumentStatus.PENDING)


class DocumentsView(QWidget):
    """Emits `document_chosen` (DocumentInfo)."""

    document_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._filter = QLineEdit()
        self._filter.setPlaceholderText("Narrow by file or title")
        self._filter.setAccessibleName("Narrow the documents")
        self._filter.textChanged.connect(self._narrow)
        self._tree = QTreeWidget()
        self._tree.setAccessibleName("Documents")
        self._tree.setRootIsDecorated(False)
        self._tree.setUniformRowHeights(True)
        self._tree.setAlternatingRowColors(True)
        self._tree.setHeaderLabels(["File", "Title", "Pages", "State", "Reason"])
        self._tree.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for index, width in enumerate((220, 240, 60, 90, 260)):
            self._tree.setColumnWidth(index, width)
        self._tree.itemActivated.connect(self._choose)
        self._tree.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._tree.addAction("Show in folder", self._show_in_folder)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 12)
        column.addWidget(self._filter)
        column.addWidget(self._tree, 1)

    def show_documents(self, documents: Sequence[DocumentInfo]) -> None:
        self._tree.clear()
        items = []
        for one in sorted(documents, key=_order):
            file = one.places[0].file if one.places else ""
            reason = one.reason or "; ".join(one.warnings)
            item = QTreeWidgetItem([file, one.title, str(one.pages or ""), _WORDS[one.status], reason])
            item.setData(0, Qt.ItemDataRole.UserRole, one)
            item.setToolTip(0, "\n".join(f"{place.folder}/{place.file}" for place in one.places))
            item.setToolTip(4, reason)
            items.append(item)
        self._tree.addTopLevelItems(items)
        self._narrow(self._filter.text())

    def _narrow(self, text: str) -> None:
        wanted = text.casefold()
        for row in range(self._tree.topLevelItemCount()):
            item = self._tree.topLevelItem(row)
            if item is not None:
                item.setHidden(wanted not in f"{item.text(0)} {item.text(1)}".casefold())

    def _choose(self, item: QTreeWidgetItem, _column: int) -> None:
        self.document_chosen.emit(item.data(0, Qt.ItemDataRole.UserRole))

    def _show_in_folder(self) -> None:
        for item in self._tree.selectedItems()[:1]:
            document: DocumentInfo = item.data(0, Qt.ItemDataRole.UserRole)
            if document.places:
                place = document.places[0]
                folder = f"{place.folder}/{place.file}".rsplit("/", 1)[0]
                QDesktopServices.openUrl(QUrl.fromLocalFile(folder))


def _order(one: DocumentInfo) -> tuple[int, str]:
    trouble = _FIRST.index(one.status) if one.status in _FIRST else len(_FIRST)
    return trouble, one.places[0].file.casefold() if one.places else ""
