"""The Cost tab: the bill by part over the unit cost at other uses of the chips."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from core.comparison.result import ResultSet
from gui.charts.cost_bars import CostBars
from gui.charts.picture import natural_height
from gui.charts.unit_cost import UnitCost
from gui.charts.view import ChartView
from gui.panels.compare import rounded_usd
from gui.panels.live import PAGE_SIDE_PX, LivePanel, padded
from gui.panels.rules import rule
from gui.session.plan_session import PlanSession
from gui.theme.manager import ThemeManager

SIDE_BY_SIDE_PX = 1700
UNIT_MIN_PX = 190
BARS_MIN_PX = 220
SIDE_MIN_PX = 280
MOST_PX = 16_777_215
"""Qt's own word for no limit."""


class CostPanel(LivePanel):
    """Bars above, curves below; side by side where the window is very wide."""

    explain_requested = Signal(str)

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(session, themes, parent)
        self.setObjectName("panel-cost")
        self.bars, self.unit = CostBars(), UnitCost()
        self.bars.setMinimumHeight(BARS_MIN_PX)
        self.unit.setMinimumHeight(UNIT_MIN_PX)
        self._rule = rule()
        self._box = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._box.setContentsMargins(0, 8, PAGE_SIDE_PX, 8)
        self._box.setSpacing(8)
        self._box.addWidget(self.bars, 3)
        self._box.addWidget(self._rule)
        self._box.addLayout(padded(self.unit, 0, 0), 2)
        self.body.addLayout(self._box, 1)
        self._space = QWidget()
        self.body.addWidget(self._space)
        self.connect_charts()
        self.bars.part_picked.connect(self._on_part)
        self.bars.limit_moved.connect(self._on_budget)
        self.unit.limit_moved.connect(self._on_use)

    def charts(self) -> tuple[ChartView, ...]:
        """Bars and curves."""
        return self.bars, self.unit

    def show_results(self, results: ResultSet) -> None:
        """Draw both; the bars take no more height than their rows need."""
        super().show_results(results)
        self._fit_bars()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side when there is room."""
        super().resizeEvent(event)
        self._box.setDirection(QBoxLayout.Direction.LeftToRight if self._is_wide else QBoxLayout.Direction.TopToBottom)
        self._rule.setVisible(not self._is_wide)
        self._fit_bars()

    @property
    def _is_wide(self) -> bool:
        return self.width() > SIDE_BY_SIDE_PX

    def _fit_bars(self) -> None:
        """Bars as high as their rows; beside them, the curves are as high as the bars."""
        wanted = max(round(natural_height(self.bars.figure, self.bars.width())), BARS_MIN_PX)
        beside = max(wanted, SIDE_MIN_PX)
        self.bars.setMaximumHeight(wanted)
        self.bars.setMinimumHeight(wanted if self._is_wide else BARS_MIN_PX)
        self.unit.setMaximumHeight(beside if self._is_wide else MOST_PX)
        self.unit.setMinimumHeight(beside if self._is_wide else UNIT_MIN_PX)
        self.body.setStretchFactor(self._space, 1 if self._is_wide else 0)
        self.body.setStretchFactor(self._box, 0 if self._is_wide else 1)

    def _on_part(self, _candidate_id: str, part: str) -> None:
        self.explain_requested.emit(f"part:{part}")

    def _on_budget(self, _limit: str, value: float) -> None:
        self.session.edit(self.session.path("limits.budget_usd"), rounded_usd(value), "Drag budget")

    def _on_use(self, _limit: str, value: float) -> None:
        share = float(min(max(round(value), 1), 100))
        self.session.edit(self.session.path("job.mean_load_pct"), share, "Drag mean load")
