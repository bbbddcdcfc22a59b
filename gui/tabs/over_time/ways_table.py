"""The ways beside each other, a column each; the one that fits best is tinted, a click draws another."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPalette
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QWidget

from core.comparison.over_time.answer import OverTime
from core.comparison.over_time.words import Cell, table
from core.report.masking import KEPT
from gui.tables.copying import as_tsv
from gui.theme.naming import named
from gui.theme.plain import caption
from gui.theme.removal import take_away
from gui.theme.theme import Theme
from gui.widgets.elided import ElidedLabel
from gui.widgets.live import PAGE_SIDE_PX, label

ROW_PX, TITLE_PX, LIKELY_PX = 24, 164, 84
FITS_BEST = "fits best"


class WaysTable(QWidget):
    """Made anew for other answers; ``chosen`` gives the place of a way."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        named(self, "ways-table", "Ways to run the phases")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.may_leave: Callable[[], bool] = lambda: True
        self._lines: list[list[str]] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(PAGE_SIDE_PX, 0, PAGE_SIDE_PX, 0)
        self._grid.setSpacing(0)
        self._grid.setColumnMinimumWidth(0, TITLE_PX)
        self._cells: list[QWidget] = []

    def show_answer(self, answer: OverTime, place: int, theme: Theme) -> None:
        """The rows of an answer; the way that is drawn has its name in bold."""
        for box in self._cells:
            self._grid.removeWidget(box)
            take_away(box)
        self._cells = []
        rows = table(answer)
        titles = [way.title for way in answer.ways]
        self._lines = [["", *titles]]
        for column, title in enumerate(titles):
            self._put(self._head(title, column, column == place, column == answer.best, theme), 0, column + 1)
        for number, (title, cells) in enumerate(rows, start=1):
            self._put(label(title, "ink2"), number, 0)
            for column, cell in enumerate(cells):
                self._put(_cell(cell, column == answer.best, theme), number, column + 1)
            self._lines.append([title, *(f"{cell.likely} {cell.beside}".strip() for cell in cells)])
        for column in range(self._grid.columnCount()):
            self._grid.setColumnStretch(column, 1 if 0 < column <= len(titles) else 0)
        self.setAccessibleDescription(". ".join(", ".join(line) for line in self._lines))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copies the table as text."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(as_tsv(self._lines) if self.may_leave() else KEPT)
        else:
            super().keyPressEvent(event)

    def _put(self, cell: QWidget, row: int, column: int) -> None:
        cell.setFixedHeight(ROW_PX)
        self._grid.addWidget(cell, row, column)
        self._cells.append(cell)

    def _head(self, title: str, place: int, is_shown: bool, is_best: bool, theme: Theme) -> QWidget:
        box = _tinted(QWidget(), is_best, theme)
        row = QHBoxLayout(box)
        row.setContentsMargins(8, 0, 8, 0)
        button = named(
            QPushButton(caption(title)), f"way-{place}", f"Draw {title}", "figure-total" if is_shown else "figure"
        )
        button.clicked.connect(partial(self.chosen.emit, place))
        row.addWidget(button)
        row.addStretch(1)
        row.addWidget(label(FITS_BEST if is_best else "", "small"))
        return box


def _cell(cell: Cell, is_best: bool, theme: Theme) -> QWidget:
    box = _tinted(QWidget(), is_best, theme)
    row = QHBoxLayout(box)
    row.setContentsMargins(8, 0, 8, 0)
    row.setSpacing(8)
    likely = label(str(cell.likely), cell.tone or ("strong" if is_best else ""))
    likely.setFixedWidth(LIKELY_PX)
    likely.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    beside = ElidedLabel()
    beside.setText(str(cell.beside))
    beside.setProperty("kind", "small")
    row.addWidget(likely)
    row.addWidget(beside, 1)
    return box


def _tinted(box: QWidget, is_best: bool, theme: Theme) -> QWidget:
    if is_best:
        colour = theme.color("sel")
        colour.setAlphaF(0.55)
        palette = box.palette()
        palette.setColor(QPalette.ColorRole.Window, colour)
        box.setPalette(palette)
        box.setAutoFillBackground(True)
    return box
