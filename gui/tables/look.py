"""How tables of rows look: no grid, whole rows chosen, even heights, a header that sorts."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

ROW_PX = 26


def plain_look(table: QTableView, chooses_several: bool = False) -> None:
    """Gives a table the look that all share; sorting starts in the order of the model."""
    mode = QAbstractItemView.SelectionMode
    table.setShowGrid(False)
    table.setFrameShape(QTableView.Shape.NoFrame)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(mode.ExtendedSelection if chooses_several else mode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setTabKeyNavigation(False)
    table.setWordWrap(False)
    rows = table.verticalHeader()
    rows.hide()
    rows.setDefaultSectionSize(ROW_PX)
    rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
    table.setSortingEnabled(True)
