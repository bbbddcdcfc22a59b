"""The regret matrix: what each option would cost in regret in each state of the world, shaded, with the number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from core.amounts import USD, Amount, Sentence
from core.comparison.cost_words import REGRET_DIGITS
from core.comparison.what_if.states import Regrets, State
from core.comparison.what_if.words import title_of, value_words
from core.units import rounded_usd
from gui.charts.figure.texts import MoneyScale, money_scale
from gui.tables.copying import as_tsv
from gui.tables.style import ROW_PX, Index, style_rows
from gui.theme.fonts import font
from gui.theme.naming import named
from gui.theme.plain import as_text
from gui.theme.theme import Theme

_ROOT = QModelIndex()
NOW, FITS, WORST, MEAN = "This plan", "Fits in", "Worst", "Mean"
LEAST = "least"
HEAD_AIR_PX, BESIDE_PX = 6, 18
STRONGEST = 0.55
"""Opacity of the shade behind the largest regret."""
NONE_FITS = "\u2013"


class RegretModel(QAbstractTableModel):
    """A row an option, least worst first; a column a state, then in how many it fits, worst and mean, which say how
    many states they leave out."""

    def __init__(self) -> None:
        super().__init__()
        self.told: Regrets | None = None
        self.names: Mapping[str, str] = {}
        self.scale: MoneyScale = money_scale(1.0)
        self.theme: Theme | None = None

    def show(self, told: Regrets, names: Mapping[str, str], theme: Theme) -> None:
        """Another matrix; ``names`` are those of the options by id."""
        self.beginResetModel()
        known = told.matrix.regret_usd[np.isfinite(told.matrix.regret_usd)]
        self.told, self.names, self.theme = told, names, theme
        self.scale = money_scale(float(known.max()) if len(known) else 1.0)
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Options."""
        return 0 if parent.isValid() or self.told is None else len(self.told.matrix.ids)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """The option, the states, in how many it fits, worst and mean."""
        return 0 if parent.isValid() or self.told is None else len(self.told.states) + 4

    def regret_usd(self, row: int, column: int) -> float:
        """What a cell of a state shows; nan where the option misses a limit there."""
        assert self.told is not None
        return float(self.told.matrix.regret_usd[row, column - 1])

    def text(self, row: int, column: int) -> str:
        """``0.28``; the least of the worst, and of the means, says so in words."""
        told = self.told
        assert told is not None
        if column == 0:
            option = told.matrix.ids[row]
            return self.names.get(option, option)
        beyond = column - 1 - len(told.states)
        if beyond < 0:
            regret = self.regret_usd(row, column)
            return self._told(regret) if np.isfinite(regret) else NONE_FITS
        if beyond == 0:
            return f"{told.n_fits[row]} of {len(told.states)}"
        words = self._told(float((told.largest_usd, told.mean_usd)[beyond - 1][row]))
        n_out = len(told.states) - int(told.n_fits[row])
        left_out = f", {n_out} out" if n_out else ""
        return f"{LEAST} {words}{left_out}" if self.is_least(row, column) else f"{words}{left_out}"

    def _told(self, regret_usd: float) -> str:
        return self.scale.text(rounded_usd(regret_usd, REGRET_DIGITS))

    def is_least(self, row: int, column: int) -> bool:
        """True for the smallest of the worst, and of the means, of the options that fit in most states."""
        told = self.told
        assert told is not None
        beyond = column - 2 - len(told.states)
        return beyond >= 0 and told.least((told.largest_usd, told.mean_usd)[beyond]) == row

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Text, side, shade, and bold for the least."""
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return as_text(self.text(row, column))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.BackgroundRole:
            return self._shade(row, column)
        if role == Qt.ItemDataRole.FontRole and self.is_least(row, column):
            return font(13, QFont.Weight.DemiBold)
        return None

    def _shade(self, row: int, column: int) -> QColor | None:
        told = self.told
        if told is None or self.theme is None or not 0 < column <= len(told.states):
            return None
        regret, known = self.regret_usd(row, column), told.matrix.regret_usd
        if not np.isfinite(regret) or not np.nanmax(known) > 0:
            return None
        colour = self.theme.color("warn")
        colour.setAlphaF(STRONGEST * regret / float(np.nanmax(known)))
        return colour

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """States as they are read; the options' title stands over them."""
        if role == Qt.ItemDataRole.TextAlignmentRole and not section:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
        if orientation != Qt.Orientation.Horizontal or self.told is None or role != Qt.ItemDataRole.DisplayRole:
            return None
        return ("Option", *(state_text(one) for one in self.told.states), FITS, WORST, MEAN)[section]


class RegretTable(QTableView):
    """``chosen`` gives the option of a row that is clicked or walked to."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "what-if-regrets", "Regret of each option in each state")
        self.rows = RegretModel()
        self.setModel(self.rows)
        self.may_leave: Callable[[], bool] = lambda: True
        style_rows(self)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setDefaultAlignment(
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag(Qt.TextFlag.TextWordWrap)
        )
        head.setMinimumSectionSize(0)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.clicked.connect(lambda index: self._choose(index.row()))

    def show_regrets(self, told: Regrets, names: Mapping[str, str], theme: Theme) -> None:
        """Another matrix."""
        self.rows.show(told, names, theme)
        self._share_width()
        self.setAccessibleDescription(str(least_words(told, names)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The columns share what is left."""
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        """No column is narrower than its cells, and than the longest word of its head, which breaks between words."""
        if self.rows.told is None:
            return
        wide = QFontMetrics(font(13, QFont.Weight.DemiBold)).horizontalAdvance
        heads, *cells = self._texts()
        widths = [
            max(*map(wide, head.split()), *map(wide, column)) + BESIDE_PX
            for head, column in zip(heads, zip(*cells, strict=True), strict=True)
        ]
        more = max(0, self.viewport().width() - sum(widths)) // len(widths)
        for column, width in enumerate(widths):
            self.setColumnWidth(column, width + more)
        self._fit_height(heads)

    def _fit_height(self, heads: Sequence[str]) -> None:
        """As high as the tallest head and all rows."""
        metrics, wrapped = self.horizontalHeader().fontMetrics(), Qt.TextFlag.TextWordWrap
        rooms = (QRect(0, 0, self.columnWidth(column) - BESIDE_PX, 0) for column in range(len(heads)))
        tallest = max(
            metrics.boundingRect(room, wrapped, head).height() for room, head in zip(rooms, heads, strict=True)
        )
        self.horizontalHeader().setFixedHeight(tallest + HEAD_AIR_PX)
        self.setFixedHeight(tallest + HEAD_AIR_PX + ROW_PX * self.rows.rowCount() + 4)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copies the table as text; Enter opens the option of the row."""
        if event.matches(QKeySequence.StandardKey.Copy):
            if self.may_leave():
                QGuiApplication.clipboard().setText(as_tsv(self._texts()))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._choose(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def _texts(self) -> list[list[str]]:
        columns = range(self.rows.columnCount())
        heads = [str(self.rows.headerData(one, Qt.Orientation.Horizontal)) for one in columns]
        return [heads, *([self.rows.text(row, one) for one in columns] for row in range(self.rows.rowCount()))]

    def _choose(self, row: int) -> None:
        if self.rows.told is not None:
            self.chosen.emit(self.rows.told.matrix.ids[row])


def state_text(state: State) -> str:
    """``Speed of B200 74 %``: what is otherwise there than in the plan."""
    return NOW if state is None else f"{title_of(state[0])}: {value_words(*state)}"


def least_words(told: Regrets, names: Mapping[str, str]) -> Sentence:
    """Which option has the smallest worst regret of those that fit in most states, and where that is."""
    largest = told.largest_usd
    row = told.least(largest)
    if row is None:
        return Sentence("No option fits in any of these states")
    state = told.states[int(np.nanargmax(told.matrix.regret_usd[row]))]
    name = names.get(told.matrix.ids[row], told.matrix.ids[row])
    where = "in this plan as it is" if state is None else f"at {state_text(state)}"
    fits = Sentence("{} of {}", int(told.n_fits[row]), len(told.states))
    worst = Amount(float(largest[row]), USD, REGRET_DIGITS)
    return Sentence("{} fits in {} states, as many as any, and is least wrong at its worst: {} of regret {}", name,
                    fits, worst, where)  # fmt: skip
