"""The pages of the Cost tab: charts over a few sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core.comparison.result import CandidateResult, ResultSet
from gui.charts.picture import natural_height
from gui.charts.view import ChartView
from gui.panels.live import PAGE_SIDE_PX, label, padded
from gui.panels.rules import rule
from gui.theme.naming import named

Words = Callable[[ResultSet, CandidateResult], Sequence[str]]

SIDE_BY_SIDE_PX = 1700
CHART_INSET_PX = 16
"""A chart of curves begins its title so far from the page's edge less than a chart of bars."""


class CostPage(QWidget):
    """Charts one below the other, with sentences below. ``tools`` stand between them."""

    def __init__(
        self, page_id: str, title: str, charts: Sequence[ChartView], words: Words, tools: QWidget | None = None
    ) -> None:
        super().__init__()
        named(self, f"cost-page-{page_id}", title)
        self.charts = tuple(charts)
        self._words = words
        self._text = label("", "ink2", f"cost-words-{page_id}", wraps=True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 8, 0, 8)
        self._column.setSpacing(6)
        for number, chart in enumerate(self.charts):
            if number:
                self._column.addLayout(padded(rule(), 0, 0))
            self._column.addLayout(_inset(chart), 5 if number == 0 else 4)
            chart.setMinimumHeight(150)
        if tools is not None:
            self._column.addWidget(tools)
        self._foot = padded(self._text, 2, 4)
        self._column.addLayout(self._foot)
        self._column.addStretch(0)

    def tell(self, results: ResultSet | None, shown: CandidateResult | None) -> None:
        """The sentences about a candidate; none without one."""
        told = self._words(results, shown) if results and shown else ()
        self._text.setText(" ".join(told))
        self._text.setVisible(bool(told))


class BarsPage(CostPage):
    """A chart of rows, no higher than its rows need."""

    def fit(self) -> None:
        """Rows keep their height; what is left stays empty below the words."""
        chart = self.charts[0]
        if chart.figure.rows:
            chart.setMaximumHeight(max(round(natural_height(chart.figure, chart.width())), 150))
        else:
            chart.setMaximumHeight(QWIDGETSIZE_MAX)


QWIDGETSIZE_MAX = 16_777_215
"""Qt's own word for no limit."""


def _inset(chart: ChartView) -> QVBoxLayout:
    """Charts of rows bring their own left margin; curves stand in from the page's edge."""
    box = QVBoxLayout()
    left = 0 if chart.series_name in _ROWS else CHART_INSET_PX
    box.setContentsMargins(left, 0, PAGE_SIDE_PX, 0)
    box.addWidget(chart)
    return box


_ROWS = ("cost-by-part", "chips-days-cost", "exit-bill")


class PartPage(BarsPage):
    """The bill by part; where the window is very wide, unit cost and use beside it."""

    def __init__(self, bars: ChartView, beside: ChartView) -> None:
        super().__init__("part", "By part", (bars,), _nothing)
        self._bars, self._beside = bars, beside
        self._is_wide = False
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, PAGE_SIDE_PX, 0)
        row.setSpacing(PAGE_SIDE_PX)
        self._column.takeAt(0)
        row.addWidget(bars, 1)
        row.addWidget(beside, 1)
        self._column.insertLayout(0, row, 3)
        beside.hide()

    def set_wide(self, width_px: int) -> bool:
        """Shows or hides the second chart by the width; True when that changed."""
        is_wide = width_px > SIDE_BY_SIDE_PX
        if is_wide == self._is_wide:
            return False
        self._is_wide = is_wide
        self._beside.setVisible(is_wide)
        self.charts = (self._bars, self._beside) if is_wide else (self._bars,)
        return True

    def fit(self) -> None:
        """Both charts as high as the rows of the first."""
        super().fit()
        self._beside.setMaximumHeight(max(self._bars.maximumHeight(), 280))


def _nothing(_: ResultSet, __: CandidateResult) -> tuple[str, ...]:
    return ()
