"""Ways on, one below the other: what it is, cost, date, chance, and a button that brings it into the plan."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QVBoxLayout, QWidget

from core.comparison.actuals.options import Option
from core.comparison.actuals.words import option_figures
from gui.theme.naming import named
from gui.theme.plain import caption
from gui.theme.removal import take_away
from gui.widgets.live import PAGE_SIDE_PX, label

APPLY = "Make scenario"
HEADS = ("Way on", "Cost", "Done on", "Chance", "")


class OptionRows(QWidget):
    """Made anew for other options; ``applied`` gives the place of one."""

    applied = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        named(self, "actuals-options", "What to do")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(PAGE_SIDE_PX, 0, PAGE_SIDE_PX, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 1)
        self._cells: list[QWidget] = []
        self.buttons: dict[int, QPushButton] = {}

    def show_options(self, options: Sequence[Option], can_apply: bool) -> None:
        """The rows of an answer."""
        for cell in self._cells:
            self._grid.removeWidget(cell)
            take_away(cell)
        self._cells, self.buttons = [], {}
        for column, head in enumerate(HEADS if options else ()):
            self._put(label(head, "small"), 0, column)
        for number, option in enumerate(options):
            self._row(number, option, can_apply)
        lines = [", ".join(map(str, (one.title, *sum(option_figures(one), ())))) for one in options]
        self.setAccessibleDescription(". ".join(lines))

    def _row(self, number: int, option: Option, can_apply: bool) -> None:
        row = number + 1
        self._put(_two_lines(str(option.title), "strong", str(option.detail)), row, 0)
        for column, (text, beside) in enumerate(option_figures(option), start=1):
            tone = "" if column != len(HEADS) - 2 else "strong" if option.holds else "err"
            self._put(_two_lines(str(text), tone, str(beside)), row, column)
        if option.changes:
            words = f"{APPLY}: {option.title}"
            button = named(QPushButton(caption(APPLY)), f"actuals-apply-{number}", words)
            button.setEnabled(can_apply)
            button.clicked.connect(partial(self.applied.emit, number))
            self.buttons[number] = button
            self._put(button, row, 4)

    def _put(self, cell: QWidget, row: int, column: int) -> None:
        self._grid.addWidget(cell, row, column, Qt.AlignmentFlag.AlignVCenter)
        self._cells.append(cell)


def _two_lines(text: str, tone: str, below: str) -> QWidget:
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(label(text, tone))
    column.addWidget(label(below, "small"))
    return box
