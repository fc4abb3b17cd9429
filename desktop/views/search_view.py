"""Passages instead of answers: the search list."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from desktop.widgets.basics import button, label
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
    """Emits `searched` (query, Route) and `hit_chosen` (Hit)."""

    searched = Signal(str, object)
    hit_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._box = QLineEdit()
        self._box.setPlaceholderText("Find passages by words, part numbers or meaning")
        self._box.setAccessibleName("Search")
        self._box.returnPressed.connect(self._submit)
        self._route = QComboBox()
        self._route.setAccessibleName("Way of searching")
        for title, route in _WAYS:
            self._route.addItem(title, route)
        self._note = label(_EMPTY, "quiet", wrap=True)
        self._list = QListWidget()
        self._list.setWordWrap(True)
        self._list.setSpacing(2)
        self._list.setAccessibleName("Passages found")
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.itemActivated.connect(self._choose)
        self._list.itemClicked.connect(self._choose)
        find = button("Find", primary=True)
        find.clicked.connect(self._submit)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 12)
        row = QHBoxLayout()
        row.addWidget(self._box, 1)
        row.addWidget(self._route)
        row.addWidget(find)
        column.addLayout(row)
        column.addWidget(self._note)
        column.addWidget(self._list, 1)

    def focus(self) -> None:
        self._box.setFocus()
        self._box.selectAll()

    def _submit(self) -> None:
        if query := self._box.text().strip():
            self.searched.emit(query, self._route.currentData())

    def show_result(self, result: SearchResult) -> None:
        self._list.clear()
        for hit in result.hits:
            item = QListWidgetItem(_words(hit))
            item.setData(Qt.ItemDataRole.UserRole, hit)
            self._list.addItem(item)
        count = len(result.hits)
        found = f"{count} passage{'s' if count > 1 else ''}." if count else "Nothing found. Try fewer or other words."
        self._note.setText(" ".join((found, *result.warnings)))

    def clear(self) -> None:
        """Another library: what was found belongs to the one before."""
        self._list.clear()
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
    text = " ".join(hit.segment.text.split())
    snippet = text if len(text) <= _SNIPPET else f"{text[:_SNIPPET].rsplit(' ', 1)[0]} …"
    return f"{file}, page {hit.segment.page}{path}{through}\n{snippet}"
