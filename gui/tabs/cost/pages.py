"""The pages of the Cost tab: charts over a few sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from core.comparison.result import CandidateResult, ResultSet
from gui.charts.paint.picture import natural_height
from gui.charts.view.chart_view import ChartView
from gui.theme.naming import named
from gui.widgets.live import PAGE_SIDE_PX, label, padded
from gui.widgets.rule import rule

Words = Callable[[ResultSet, CandidateResult], Sequence[str]]

SIDE_BY_SIDE_PX = 1700
USE_LEAST_PX, USE_MOST_PX = 280, 380
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

    def fit(self) -> bool:
        """Rows keep their height; what is left stays empty below the words. True when other charts came on screen."""
        chart = self.charts[0]
        chart.setMaximumHeight(wanted_px(chart) if chart.figure.rows else QWIDGETSIZE_MAX)
        return False


def wanted_px(chart: ChartView) -> int:
    """Height at which every row of a chart has its full size."""
    return max(round(natural_height(chart.figure, chart.width())), 150)


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
    """The bill by part; unit cost and use beside it where the window is very wide, below it where it is tall."""

    def __init__(self, bars: ChartView, use: ChartView) -> None:
        super().__init__("part", "By part", (bars,), _nothing)
        self._bars, self._use = bars, use
        self._column.takeAt(0)
        self._box = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._box.setContentsMargins(0, 0, PAGE_SIDE_PX, 0)
        self._box.setSpacing(PAGE_SIDE_PX)
        self._box.addWidget(bars, 1)
        inset = QVBoxLayout()
        inset.setContentsMargins(CHART_INSET_PX, 0, 0, 0)
        inset.addWidget(use)
        self._box.addLayout(inset, 1)
        self._column.insertLayout(0, self._box, 1)
        use.hide()

    def fit(self) -> bool:
        """Shows or hides the second chart by the room there is; beside the first it is as high as that one."""
        super().fit()
        rows_px = wanted_px(self._bars) if self._bars.figure.rows else QWIDGETSIZE_MAX
        is_wide = self.width() > SIDE_BY_SIDE_PX
        is_tall = self.height() - rows_px > USE_LEAST_PX
        both = self._box.Direction.LeftToRight if is_wide else self._box.Direction.TopToBottom
        self._box.setDirection(both)
        self._use.setMaximumHeight(max(rows_px, USE_LEAST_PX) if is_wide else USE_MOST_PX)
        return self._show_use(is_wide or is_tall)

    def _show_use(self, is_shown: bool) -> bool:
        was_shown = len(self.charts) > 1
        self._use.setVisible(is_shown)
        self.charts = (self._bars, self._use) if is_shown else (self._bars,)
        return is_shown and not was_shown


def _nothing(_: ResultSet, __: CandidateResult) -> tuple[str, ...]:
    return ()
