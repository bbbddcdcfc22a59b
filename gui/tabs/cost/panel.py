"""The Cost tab: answers on top; the bill by part, by use, over time, on spot, by number of chips, and on leaving."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from core.comparison.questions.cash_words import LEFT_OUT, cash_sentences
from core.comparison.questions.number_of_chips import count_sentences
from core.comparison.questions.spot import spot_risk, spot_sentences
from core.comparison.result import CandidateResult, ResultSet
from gui.charts.figure.shown import subject
from gui.charts.kinds.cost_bars import CostBars
from gui.charts.kinds.count_bars import CountBars
from gui.charts.kinds.cumulative_cash import SOLD, CumulativeCash
from gui.charts.kinds.exit_bill import ExitBars
from gui.charts.kinds.save_interval import SaveInterval
from gui.charts.kinds.spot_risk import SpotRiskChart
from gui.charts.kinds.unit_cost import UnitCost
from gui.charts.view.chart_view import ChartView
from gui.session.plan_session import PlanSession
from gui.tabs.compare.panel import rounded_usd
from gui.tabs.cost.answers import CostAnswers
from gui.tabs.cost.handles import ENTERED, CashTools, ExitTarget
from gui.tabs.cost.pages import BarsPage, CostPage, PartPage
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.widgets.live import LivePanel
from gui.widgets.rule import rule
from gui.widgets.tab_strip import FIRST_TAB_PX, TabStrip

LEAST_MONTHS, MOST_MONTHS = 3, 120
VIEWS = ("By part", "Use", "Cash", "Spot", "Chips", "Exit")


class CostPanel(LivePanel):
    """One view at a time; only the view on screen is drawn. ``explain_requested`` opens a formula in Why."""

    explain_requested = Signal(str)

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(session, themes, parent)
        self.setObjectName("panel-cost")
        self.bars, self.unit, self.unit_beside = CostBars(), UnitCost(), UnitCost()
        self.cash, self.spot, self.interval = CumulativeCash(), SpotRiskChart(), SaveInterval()
        self.counts, self.exits = CountBars(), ExitBars()
        self.answers, self.cash_tools, self.exit_target = CostAnswers(), CashTools(), ExitTarget()
        self.part_page = PartPage(self.bars, self.unit_beside)
        self.pages: tuple[CostPage, ...] = (
            self.part_page,
            CostPage("use", "Use", (self.unit,), _no_words),
            CostPage("cash", "Cash", (self.cash,), _cash_words, self.cash_tools),
            CostPage("spot", "Spot", (self.spot, self.interval), _spot_words),
            BarsPage("chips", "Chips", (self.counts,), count_sentences),
            BarsPage("exit", "Exit", (self.exits,), _no_words, self.exit_target),
        )
        self._build()
        self._connect()

    def charts(self) -> tuple[ChartView, ...]:
        """The charts on screen."""
        return self.pages[self.views.currentIndex()].charts

    def show_view(self, title: str) -> None:
        """Opens a view by its title."""
        self.views.setCurrentIndex(VIEWS.index(title))

    def show_results(self, results: ResultSet) -> None:
        """Answers, then the charts of the open view; bars take no more height than their rows need."""
        super().show_results(results)
        self.answers.setVisible(bool(results.results))
        shown = subject(results, self.session.selected_id)
        self.answers.show_candidate(results, shown)
        self.pages[self.views.currentIndex()].tell(results, shown)
        self.cash_tools.show_terms(results, shown)
        self.exit_target.show_targets(results)
        self._fit()

    def show_nothing(self) -> None:
        """Before there are results."""
        super().show_nothing()
        self.answers.hide()
        self.pages[self.views.currentIndex()].tell(None, None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Bars keep the height of their rows; where there is room, the curves of use stand beside or below them."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        page = self.pages[self.views.currentIndex()]
        if isinstance(page, BarsPage) and page.fit():
            self.mark_dirty()

    def _build(self) -> None:
        self.views = named(TabStrip(self.themes), "cost-views", "Views of the cost")
        self._stack = QStackedWidget()
        for title, page in zip(VIEWS, self.pages, strict=True):
            self.views.addTab(title)
            self._stack.addWidget(page)
        self.body.addWidget(self.answers)
        self.body.addWidget(rule())
        self.body.addWidget(self._head())
        self.body.addWidget(self._stack, 1)

    def _head(self) -> QWidget:
        """The views in a row over one line across the page, as the tabs above."""
        head = QWidget()
        head.setProperty("surface", "underlined")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(head)
        row.setContentsMargins(FIRST_TAB_PX, 0, 0, 0)
        row.addWidget(self.views)
        row.addStretch(1)
        return head

    def _connect(self) -> None:
        self.views.currentChanged.connect(self._on_view)
        of_candidates: tuple[ChartView, ...] = (self.bars, self.unit, self.unit_beside, self.exits, self.counts)
        of_lines: tuple[ChartView, ...] = (self.cash, self.spot, self.interval)
        for chart in of_candidates:
            chart.picked.connect(self._on_candidate)
            chart.pin_requested.connect(self.session.pin)
        for chart in (*of_candidates, *of_lines):
            chart.cleared.connect(self._clear)
        for curves in (self.unit, self.unit_beside):
            curves.picked.connect(self._on_unit)
        self.bars.part_picked.connect(self._on_part)
        self.exits.part_picked.connect(self._on_exit)
        self.exit_target.chosen.connect(self._on_target)
        self.cash.picked.connect(self._on_cash)
        self.spot.picked.connect(self._on_spot)
        self.interval.picked.connect(self._on_spot)
        self.bars.limit_moved.connect(self._on_budget)
        self.unit.limit_moved.connect(self._on_use)
        self.unit_beside.limit_moved.connect(self._on_use)
        self.interval.limit_moved.connect(self._on_interval)
        self.spot.limit_moved.connect(self._on_rate)
        self.cash.limit_moved.connect(self._on_horizon)
        self.cash_tools.use.moved.connect(self._on_cash_use)
        self.cash_tools.resale.moved.connect(self._on_resale)
        self.cash_tools.use.finished.connect(self.session.end_step)
        self.cash_tools.resale.finished.connect(self.session.end_step)
        self.cash_tools.reset.connect(self._on_usual)

    def _on_view(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
        self.mark_dirty()

    def _on_candidate(self, candidate_id: str) -> None:
        """Counts that the comparison did not keep cannot be selected."""
        if self.session.results is not None and candidate_id in self.session.results.by_id:
            self.session.select(candidate_id)

    def _on_unit(self, _candidate_id: str) -> None:
        self.explain_requested.emit("unit:cost")

    def _on_part(self, _candidate_id: str, part: str) -> None:
        self.explain_requested.emit(f"part:{part}")

    def _on_exit(self, _candidate_id: str, part: str) -> None:
        self.explain_requested.emit(f"exit:{part}@{self.exits.target}")

    def _on_target(self, key: str) -> None:
        self.exits.target = key
        self.mark_dirty()

    def _on_cash(self, line: str) -> None:
        self.explain_requested.emit(f"cash:{'owned' if line == SOLD else line}")

    def _on_spot(self, line: str) -> None:
        self.explain_requested.emit(f"spot:{line}")

    def _on_budget(self, _limit: str, value: float) -> None:
        self.session.edit(self.session.path("limits.budget_usd"), rounded_usd(value), "Drag budget")

    def _on_use(self, _limit: str, value: float) -> None:
        share = float(min(max(round(value), 1), 100))
        self.session.edit(self.session.path("job.mean_load_pct"), share, "Drag mean load")

    def _on_horizon(self, _limit: str, months: float) -> None:
        whole = min(max(round(months), LEAST_MONTHS), MOST_MONTHS)
        self.session.edit(self.session.path("outlook.horizon_months"), whole, "Drag horizon")

    def _on_cash_use(self, percent: float) -> None:
        self.session.edit(self.session.path("outlook.use_pct"), percent, "Chips needed")

    def _on_resale(self, percent: float) -> None:
        self.session.edit(self.session.path("owning.resale_pct"), percent, "Resale")

    def _on_usual(self) -> None:
        """Empties what was entered, each an undo step."""
        for section, name in ENTERED:
            if self.session.profile is not None and getattr(getattr(self.session.profile, section), name) is not None:
                self.session.edit(self.session.path(f"{section}.{name}"), None, "Back to usual")

    def _on_rate(self, _limit: str, per_hour: float) -> None:
        """Times a day to two digits, as one would type them."""
        self.session.edit(
            self.session.path("job.spot_stops_per_day"), float(f"{24 * per_hour:.2g}"), "Drag interruptions"
        )

    def _on_interval(self, _limit: str, hours: float) -> None:
        """Hours to two digits, as one would type them."""
        self.session.edit(self.session.path("job.checkpoint_interval_h"), float(f"{hours:.2g}"), "Drag interval")


def _no_words(_: ResultSet, __: CandidateResult) -> tuple[str, ...]:
    return ()


def _cash_words(results: ResultSet, shown: CandidateResult) -> tuple[str, ...]:
    told = cash_sentences(results, shown)
    return (*told, LEFT_OUT) if told else ()


def _spot_words(results: ResultSet, shown: CandidateResult) -> tuple[str, ...]:
    risk = spot_risk(results, shown)
    return spot_sentences(risk) if risk else ()
