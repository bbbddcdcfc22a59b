"""The pages of the Cost tab: the charts that declare to stand on them, over a few sentences."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from core.comparison.result import CandidateResult, ResultSet
from gui.charts.paint.picture import natural_height
from gui.charts.view.chart_view import ChartView
from gui.theme.naming import named
from gui.widgets.live import CURVE_INSET_PX, PAGE_SIDE_PX, label, padded
from gui.widgets.rule import rule

SIDE_BY_SIDE_PX = 1700
USE_LEAST_PX, USE_MOST_PX = 280, 380

QWIDGETSIZE_MAX = 16_777_215
"""Qt's own word for no limit."""


class CostPage(QWidget):
    """Charts one below the other, with sentences below. ``tools`` stand between them."""

    def __init__(self, title: str, charts: Sequence[ChartView], tools: QWidget | None = None) -> None:
        super().__init__()
        page_id = title.lower().replace(" ", "-")
        named(self, f"cost-page-{page_id}", title)
        self.charts = tuple(charts)
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
        self._column.addLayout(padded(self._text, 2, 4))
        self._column.addStretch(0)

    def tell(self, results: ResultSet | None, shown: CandidateResult | None) -> None:
        """What the charts say about a candidate; nothing without one."""
        told = [one for chart in self.charts for one in chart.words(results, shown)] if results and shown else []
        self._text.setText(" ".join(told))
        self._text.setVisible(bool(told))

    def fit(self) -> bool:
        """Rows keep their height; what is left stays empty below the words. True when other charts came on screen."""
        for chart in self.charts:
            chart.setMaximumHeight(rows_px(chart))
        return False


def rows_px(chart: ChartView) -> int:
    """Height at which every row of a chart has its full size; no limit for a chart without rows."""
    return max(round(natural_height(chart.figure, chart.width())), 150) if chart.figure.rows else QWIDGETSIZE_MAX


def _inset(chart: ChartView) -> QVBoxLayout:
    """A chart in a layout of its own, on the page's left edge."""
    box = QVBoxLayout()
    box.setContentsMargins(0 if chart.kind.has_rows else CURVE_INSET_PX, 0, PAGE_SIDE_PX, 0)
    box.addWidget(chart)
    return box


class PartPage(CostPage):
    """The bill by part; unit cost and use beside it where the window is very wide, below it where it is tall."""

    def __init__(self, title: str, charts: Sequence[ChartView], beside: ChartView) -> None:
        super().__init__(title, charts)
        self.beside, self._others = beside, self.charts[1:]
        self._column.takeAt(0)
        self._box = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._box.setContentsMargins(0, 0, PAGE_SIDE_PX, 0)
        self._box.setSpacing(PAGE_SIDE_PX)
        self._box.addWidget(self.charts[0], 1)
        inset = QVBoxLayout()
        inset.setContentsMargins(CURVE_INSET_PX, 0, 0, 0)
        inset.addWidget(beside)
        self._box.addLayout(inset, 1)
        self._column.insertLayout(0, self._box, 1)
        beside.hide()

    def fit(self) -> bool:
        """Shows or hides the chart beside the bars by the room there is; there it is as high as they are."""
        super().fit()
        high_px = rows_px(self.charts[0])
        is_wide = self.width() > SIDE_BY_SIDE_PX
        is_tall = self.height() - high_px > USE_LEAST_PX
        both = self._box.Direction.LeftToRight if is_wide else self._box.Direction.TopToBottom
        self._box.setDirection(both)
        self.beside.setMaximumHeight(max(high_px, USE_LEAST_PX) if is_wide else USE_MOST_PX)
        return self._show_beside(is_wide or is_tall)

    def _show_beside(self, is_shown: bool) -> bool:
        was_shown = self.beside in self.charts
        self.beside.setVisible(is_shown)
        self.charts = (self.charts[0], *((self.beside,) if is_shown else ()), *self._others)
        return is_shown and not was_shown
