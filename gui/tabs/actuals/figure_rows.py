"""Figures of now beside those of the plan."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from core.comparison.actuals.answer import ActualsAnswer
from core.comparison.actuals.words import Figure, figures
from gui.theme.naming import named
from gui.theme.removal import take_away
from gui.widgets.live import label

HEADS = ("", "80 %", "Now", "Planned")


class FigureRows(QWidget):
    """Made anew for other figures."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "actuals-figures", "Against the plan")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(5)
        self._grid.setColumnStretch(0, 1)
        self._cells: list[QWidget] = []

    def show_figures(self, answer: ActualsAnswer) -> None:
        """The rows of a workload as it stands."""
        for cell in self._cells:
            self._grid.removeWidget(cell)
            take_away(cell)
        self._cells = []
        rows = figures(answer.standing, answer.phases)
        for column, head in enumerate(HEADS):
            self._put(label(head, "small"), 0, column)
        for number, row in enumerate(rows, start=1):
            self._put(label(row.title, "ink2"), number, 0)
            self._put(label(str(row.range), "small"), number, 1)
            self._put(label(str(row.now), row.tone or "strong"), number, 2)
            self._put(label(str(row.planned), "small"), number, 3)
        self.setAccessibleDescription(". ".join(map(_told, rows)))

    def _put(self, cell: QWidget, row: int, column: int) -> None:
        side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
        self._grid.addWidget(cell, row, column, side | Qt.AlignmentFlag.AlignVCenter)
        self._cells.append(cell)


def _told(row: Figure) -> str:
    planned = f", planned {row.planned}" if str(row.planned) else ""
    return f"{row.title}: {row.now}{planned}"
