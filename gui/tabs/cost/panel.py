"""The Cost tab: answers on top; the bill by part, by use, over time, on spot, by number of chips, and on leaving."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from core.comparison.result import ResultSet
from gui.charts.figure.shown import subject
from gui.charts.kinds.exit_bill import exit_bill
from gui.charts.registry import pages_of
from gui.charts.view.chart_view import ChartView
from gui.session.plan_session import PlanSession
from gui.tabs.cost.answers import CostAnswers
from gui.tabs.cost.controls import ENTERED, CashTools
from gui.tabs.cost.pages import CostPage, PartPage
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import caption
from gui.widgets.exit_target import ExitTarget
from gui.widgets.live import LivePanel
from gui.widgets.rule import rule
from gui.widgets.tab_strip import FIRST_TAB_PX, TabStrip

PART, CASH, EXIT = "By part", "Cash", "Exit"
"""Pages that hold more than the charts that stand on them."""


class CostPanel(LivePanel):
    """One view at a time; only the view on screen is drawn. Charts come by declaring that they stand on this tab."""

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(session, themes, parent)
        self.setObjectName("panel-cost")
        self.answers, self.cash_tools, self.exit_target = CostAnswers(), CashTools(), ExitTarget()
        kinds = pages_of("cost")
        self.by_id = {kind.id: ChartView(kind) for page in kinds.values() for kind in page}
        self.beside = ChartView(self.by_id["unit-cost"].kind)
        self.pages = {title: self._page(title, [self.by_id[kind.id] for kind in page]) for title, page in kinds.items()}
        self._build()
        self._connect()

    def _page(self, title: str, charts: Sequence[ChartView]) -> CostPage:
        if title == PART:
            return PartPage(title, charts, self.beside)
        tools: dict[str, QWidget] = {CASH: self.cash_tools, EXIT: self.exit_target}
        return CostPage(title, charts, tools.get(title))

    def charts(self) -> tuple[ChartView, ...]:
        """The charts on screen."""
        return self._page_shown.charts

    @property
    def asks(self) -> bool:
        """The answers on top do, whatever the page."""
        return True

    @property
    def _page_shown(self) -> CostPage:
        return list(self.pages.values())[self.views.currentIndex()]

    def show_view(self, title: str) -> None:
        """Opens a view by its title."""
        self.views.setCurrentIndex(list(self.pages).index(title))

    def show_results(self, results: ResultSet) -> None:
        """Answers, then the charts of the open view; bars take no more height than their rows need."""
        shown = subject(results, self.session.selected_id)
        super().show_results(results)
        self.answers.setVisible(bool(results.results))
        self.answers.show_candidate(results, shown, self.answer_of(self.by_id["chips-days-cost"], results, shown))
        self._page_shown.tell(results, shown)
        if self._page_shown is self.pages[CASH]:
            self.cash_tools.show_terms(results, shown)
        if self._page_shown is self.pages[EXIT]:
            self.exit_target.show_targets(results)
        self._fit()

    def show_nothing(self) -> None:
        """Before there are results."""
        super().show_nothing()
        self.answers.hide()
        self._page_shown.tell(None, None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Bars keep the height of their rows; where there is room, the curves of use stand beside or below them."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        if self._page_shown.fit():
            self.mark_dirty()

    def _build(self) -> None:
        self.views = named(TabStrip(self.themes), "cost-views", "Views of the cost")
        self._stack = QStackedWidget()
        for title, page in self.pages.items():
            self.views.addTab(caption(title))
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
        self.connect_charts(*self.by_id.values(), self.beside)
        self.exit_target.chosen.connect(self._on_target)
        self.cash_tools.use.moved.connect(self._on_cash_use)
        self.cash_tools.resale.moved.connect(self._on_resale)
        self.cash_tools.use.finished.connect(self.session.end_step)
        self.cash_tools.resale.finished.connect(self.session.end_step)
        self.cash_tools.reset.connect(self._on_usual)

    def _on_view(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
        self.mark_dirty()

    def _on_target(self, key: str) -> None:
        self.by_id["exit-bill"].draw = partial(exit_bill, target=key)
        self.mark_dirty()

    def _on_cash_use(self, percent: float) -> None:
        self.session.edit(self.session.path("outlook.use_pct"), percent, "Chips needed")

    def _on_resale(self, percent: float) -> None:
        self.session.edit(self.session.path("owning.resale_pct"), percent, "Resale")

    def _on_usual(self) -> None:
        """Empties what was entered, each an undo step."""
        for section, name in ENTERED:
            if self.session.profile is not None and getattr(getattr(self.session.profile, section), name) is not None:
                self.session.edit(self.session.path(f"{section}.{name}"), None, "Back to usual")
