"""Passages instead of answers: the search list."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from desktop.widgets.basics import button, choice, label
from desktop.widgets.filters import Filters
from engine.core.results import Hit, Route, SearchResult

_SNIPPET = 240
_EMPTY = "Passages are listed with their document, page and section. Enter or a click opens the page."

_WAYS = (
    ("Best of both", Route.HYBRID),
    ("By meaning", Route.DENSE),
    ("By words", Route.KEYWORD),
    ("By topic", Route.TREE),
)


class SearchView(QWidget):
    """Emits `searched` (query, Route), `like_wanted` (Hit) and `hit_chosen` (Hit); `filters` narrow the first two."""

    searched = Signal(str, object)
    like_wanted = Signal(object)
    hit_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._box = QLineEdit()
        self._box.setPlaceholderText("Find passages by words, part numbers or meaning")
        self._box.setAccessibleName("Search")
        self._box.returnPressed.connect(self._submit)
        self._route = choice("Way of searching", _WAYS)
        self.filters = Filters()
        self.filters.hide()
        self.filters.entered.connect(self._submit)
        self._narrow = button("Filters", flat=True, tip="Search only some documents, sections or kinds of passage")
        self._narrow.setCheckable(True)
        self._narrow.toggled.connect(self.filters.setVisible)
        self._note = label(_EMPTY, "quiet", wrap=True)
        self._list = QListWidget()
        self._list.setWordWrap(True)
        self._list.setSpacing(2)
        self._list.setAccessibleName("Passages found")
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.itemActivated.connect(self._choose)
        self._list.itemClicked.connect(self._choose)
        self._list.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._list.addAction("More like this", self._like)
        self._like_button = button("More like this", flat=True, tip="Passages close in meaning to the chosen one")
        self._like_button.clicked.connect(self._like)
        self._like_button.setEnabled(False)
        self._list.currentItemChanged.connect(lambda item, _: self._like_button.setEnabled(item is not None))
        find = button("Find", primary=True)
        find.clicked.connect(self._submit)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 12)
        row = QHBoxLayout()
        row.addWidget(self._box, 1)
        row.addWidget(self._route)
        row.addWidget(find)
        row.addWidget(self._narrow)
        column.addLayout(row)
        column.addWidget(self.filters)
        told = QHBoxLayout()
        told.addWidget(self._note, 1)
        told.addWidget(self._like_button)
        column.addLayout(told)
        column.addWidget(self._list, 1)

    def focus(self) -> None:
        self._box.setFocus()
        self._box.selectAll()

    def _submit(self) -> None:
        query, chosen = self._box.text().strip(), self.filters.chosen
        if query or chosen.phrase or chosen.identifier:
            self.searched.emit(query, self._route.currentData())

    def _like(self) -> None:
        if (item := self._list.currentItem()) is not None:
            self.like_wanted.emit(item.data(Qt.ItemDataRole.UserRole))

    def show_result(self, result: SearchResult) -> None:
        self._list.clear()
        for hit in result.hits:
            item = QListWidgetItem(_words(hit))
            item.setData(Qt.ItemDataRole.UserRole, hit)
            self._list.addItem(item)
        count = len(result.hits)
        found = f"{count} passage{'s' if count > 1 else ''}." if count else self._nothing()
        self._note.setText(" ".join((found, *result.warnings)))

    def _nothing(self) -> str:
        return "Nothing found. Try fewer or other words." if self.filters.empty else "Nothing found with these filters."

    def clear(self) -> None:
        """Another library: what was found, and what it was narrowed to, belongs to the one before."""
        self._list.clear()
        self.filters.reset()
        self._note.setText(_EMPTY)

    def show_failure(self, message: str) -> None:
        self._list.clear()
        self._note.setText(message)

    def _choose(self, item: QListWidgetItem) -> None:
        self.hit_chosen.emit(item.data(Qt.ItemDataRole.UserRole))


def _words(hit: Hit) -> str:
    file = hit.places[0].file if hit.places else hit.segment.title
    path = f"  ·  {' › '.join(hit.segment.path)}" if hit.segment.path else ""
    through = f"  (through {hit.found_through})" if hit.found_through else ""
    revision = f"  ·  {hit.revision.text}" if hit.revision is not None else ""
    text = " ".join(hit.segment.text.split())
    snippet = text if len(text) <= _SNIPPET else f"{text[:_SNIPPET].rsplit(' ', 1)[0]} …"
    return f"{file}, page {hit.segment.page}{path}{through}{revision}\n{snippet}"
