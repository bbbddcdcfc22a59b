"""Blocks one under the other in as many columns as there is room for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

LEAST_PX = 250
MOST_PX = 380
GAP_PX = 32
BETWEEN_PX = 16
MOST_COLUMNS = 4


def columns_in(width_px: int) -> int:
    """How many columns of at least :data:`LEAST_PX` fit into a width; one at least."""
    return max(1, min(MOST_COLUMNS, (width_px + GAP_PX) // (LEAST_PX + GAP_PX)))


def dealt(heights: Sequence[int], n_columns: int) -> list[int]:
    """The column of each block: in their order, each under what is shortest so far, the left one of equal ones."""
    so_far, columns = [0] * n_columns, []
    for height in heights:
        columns.append(so_far.index(min(so_far)))
        so_far[columns[-1]] += height
    return columns


class BlocksInColumns(QWidget):
    """Deals blocks to columns anew when its width allows for more or fewer of them."""

    def __init__(self, blocks: Sequence[QWidget], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._blocks = blocks
        self._columns = [QWidget() for _ in range(MOST_COLUMNS)]
        self._insides = [QVBoxLayout(column) for column in self._columns]
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP_PX)
        for column, inside in zip(self._columns, self._insides, strict=True):
            column.setMaximumWidth(MOST_PX)
            inside.setContentsMargins(0, 0, 0, 0)
            inside.setSpacing(BETWEEN_PX)
            row.addWidget(column, 1, Qt.AlignmentFlag.AlignTop)
        self._n_columns = 0
        self.setMinimumWidth(LEAST_PX)
        self._deal(1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._deal(columns_in(self.width()))

    def _deal(self, n_columns: int) -> None:
        if n_columns == self._n_columns:
            return
        self._n_columns = n_columns
        places = dealt([block.sizeHint().height() for block in self._blocks], n_columns)
        for block, place in zip(self._blocks, places, strict=True):
            self._insides[place].addWidget(block)
        for number, column in enumerate(self._columns):
            column.setVisible(number < n_columns)
