"""A table cell that sorts by the numbers in it; cells without a number come last either way."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableWidgetItem


class ValueItem(QTableWidgetItem):
    """Rising, its smallest number counts; falling, its largest."""

    def __init__(self, text: str, numbers: Sequence[float] = ()) -> None:
        super().__init__(text)
        self._numbers = tuple(numbers)
        self.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)

    def __lt__(self, other: QTableWidgetItem) -> bool:
        table = self.tableWidget()
        falling = table is not None and table.horizontalHeader().sortIndicatorOrder() is Qt.SortOrder.DescendingOrder
        if not isinstance(other, ValueItem) or not (self._numbers or other._numbers):
            return self.text().casefold() < other.text().casefold()
        return self._key(falling) < other._key(falling)

    def _key(self, falling: bool) -> float:
        if not self._numbers:
            return -math.inf if falling else math.inf
        return max(self._numbers) if falling else min(self._numbers)
