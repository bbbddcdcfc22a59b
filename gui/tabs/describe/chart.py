"""The live chart beside the form: throughput of each accelerator, how fresh it is, and the way to the rest."""

from __future__ import annotations

from time import perf_counter

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from core.comparison.result import ResultSet
from core.units import plain
from gui.charts.kinds.throughput import CHART, SUBTITLE
from gui.charts.paint.picture import natural_height
from gui.charts.view.chart_view import ChartView
from gui.session.plan_session import PlanSession
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.widgets.live import LivePanel, label
from gui.widgets.rule import rule

_SIDE_PX = 20
_TIGHT_ROW_PX = 34
_LEAST_PX = 160


class DescribeChart(LivePanel):
    """The right side of the Describe tab. ``tab_requested`` asks for another tab by its id."""

    tab_requested = Signal(str)
    tells_problem = False

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(session, themes, parent)
        self.setObjectName("describe-chart")
        self._edited_at_s: float | None = None
        self._told: ResultSet | None = None
        self.chart = ChartView(CHART)
        self._subtitle = label(SUBTITLE, "small", "throughput-subtitle", wraps=True)
        self._fresh = label("", "small", "updated")
        self.compare = named(QPushButton("Compare all"), "compare-all", "Compare all")
        self.compare.setProperty("kind", "link")
        self._build()
        self.connect_charts(self.chart)
        session.plan_changed.connect(self._on_edit)
        self.compare.clicked.connect(self._on_compare)

    def charts(self) -> tuple[ChartView, ...]:
        """The bars."""
        return (self.chart,)

    def show_results(self, results: ResultSet) -> None:
        """Draw the bars at their full height; tell how long the answer took."""
        super().show_results(results)
        self._fit()
        if results is not self._told:
            self._told = results
            self._say_fresh()
        n_kinds = len(results.best_per_accelerator)
        self.compare.setText(f"Compare all {n_kinds}" if n_kinds else "Compare all")
        self.compare.setAccessibleName(self.compare.text())
        self.compare.setEnabled(bool(n_kinds))
        self._subtitle.setVisible(bool(results.results))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Rows keep their height; what does not fit scrolls."""
        super().resizeEvent(event)
        self._fit()

    def _build(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.chart)
        column.addWidget(self._subtitle)
        column.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setWidget(inside)
        foot = QHBoxLayout()
        foot.setContentsMargins(0, 8, 0, 10)
        foot.addWidget(self._fresh, 1)
        foot.addWidget(self.compare)
        box = QVBoxLayout()
        box.setContentsMargins(_SIDE_PX, 12, _SIDE_PX, 0)
        box.setSpacing(2)
        box.addWidget(self._scroll, 1)
        box.addWidget(rule())
        box.addLayout(foot)
        self.body.addLayout(box, 1)
        self._bar_place.move_to(self._scroll)

    def _fit(self) -> None:
        """Rows are as high as there is room for, between tight and the figure's own height."""
        figure = self.chart.figure
        room = self._scroll.viewport().height() - self._subtitle.sizeHint().height() - 4
        natural = round(natural_height(figure, self.chart.width())) if figure.rows else room
        tight = natural - len(figure.rows) * (figure.row_px - _TIGHT_ROW_PX)
        self.chart.setFixedHeight(max(tight, min(natural, room), _LEAST_PX))

    def _on_edit(self) -> None:
        """Nobody waits for what is not on screen."""
        self._edited_at_s = perf_counter() if self.isVisible() else None
        if self._edited_at_s is None:
            self._fresh.setText("")

    def _say_fresh(self) -> None:
        if self._edited_at_s is None:
            return
        took_s = perf_counter() - self._edited_at_s
        self._edited_at_s = None
        self._fresh.setText(f"Updated {plain(max(took_s, 0.01), 1)} s after the last edit")

    def _on_compare(self) -> None:
        self.tab_requested.emit("compare")
