"""The Compare tab: the decision map over the table of candidates and the leads; all workloads on a second page."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from core.comparison.result import ResultSet
from core.comparison.time_measure import is_serving, time_measure
from gui.charts.figure.kind import rounded_usd
from gui.charts.kinds import decision_map, round_trip
from gui.charts.view.chart_view import ChartView
from gui.session.plan_session import PlanSession
from gui.tables.candidates.filters import Filters
from gui.tables.candidates.view import CandidateTable
from gui.tabs.compare.leads import LeadsArea
from gui.tabs.compare.table_header import TableHead
from gui.tabs.compare.workload_map import WorkloadMap
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import caption
from gui.widgets.live import PAGE_SIDE_PX, LivePanel, label, padded
from gui.widgets.rule import rule
from gui.widgets.tab_strip import FIRST_TAB_PX, TabStrip

MAP_MIN_PX = (480, 220)
TABLE_MIN_PX = 104
VIEWS = ("Decision map", "Places")
OPTIONS, WORKLOADS = 0, 1
PAGES = ("Options", "Workload map")


class ComparePanel(LivePanel):
    """Map and table share one selection; dragging a limit on the map edits the plan."""

    answer_wanted = Signal(str)
    handoff_wanted = Signal(str)
    story_told = Signal(object, bool)

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(session, themes, parent)
        self.setObjectName("panel-compare")
        self.map, self.places = ChartView(decision_map.CHART), ChartView(round_trip.CHART)
        for chart in (self.map, self.places):
            chart.setMinimumSize(*MAP_MIN_PX)
        self.views = named(QTabBar(), "compare-views", "What is drawn")
        self.views.setDrawBase(False)
        for title in VIEWS:
            self.views.addTab(caption(title))
        self.views.hide()
        self._stack = QStackedWidget()
        self._stack.addWidget(self.map)
        self._stack.addWidget(self.places)
        self.head = TableHead()
        self.table = CandidateTable()
        self.table.may_leave = session.may_leave
        self.table.setMinimumHeight(TABLE_MIN_PX)
        self._rule, self.leads = rule(), LeadsArea()
        self.workloads = WorkloadMap(session)
        self._build_pages(self._options())
        self._connect()

    def _options(self) -> QScrollArea:
        """Map or places over the table and its leads; what a low window has no room for scrolls."""
        head = QHBoxLayout()
        head.setContentsMargins(8, 0, 0, 0)
        head.addWidget(self.views)
        head.addStretch(1)
        options = QWidget()
        column = QVBoxLayout(options)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(padded(self._stack, bottom=6), 7)
        column.addLayout(padded(self._rule, 0, 0))
        column.addWidget(self.head)
        column.addWidget(self.table, 5)
        column.addWidget(self.leads)
        return _scrolled(options, "compare-scroll", "Options")

    def _connect(self) -> None:
        session = self.session
        for chart in (self.map, self.places):
            chart.limit_moved.connect(self._on_limit)
        self.connect_charts(self.map, self.places)
        self.views.currentChanged.connect(self._on_view)
        self.table.picked.connect(session.select)
        self.table.pin_requested.connect(session.pin)
        self.table.handoff_requested.connect(self.handoff_wanted)
        self.leads.picked.connect(session.select)
        self.leads.answer_wanted.connect(self.answer_wanted)
        self.head.changed.connect(self._show_table)
        for changed in (session.whole_plan.changed, session.plan_changed, session.profile_changed):
            changed.connect(self._on_plan)

    def _build_pages(self, options: QWidget) -> None:
        """The pages in a row over one line, as on the Cost tab, with what they count at its end."""
        workloads = _scrolled(self.workloads, "workload-map-scroll", "Workload map")
        self.pages, self._pages = named(TabStrip(self.themes), "compare-pages", "Pages"), QStackedWidget()
        for title, page in zip(PAGES, (options, workloads), strict=True):
            self.pages.addTab(caption(title))
            self._pages.addWidget(page)
        strip, counted = QWidget(), label("", "small", "workloads-counted")
        strip.setProperty("surface", "underlined")
        strip.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(strip)
        row.setContentsMargins(FIRST_TAB_PX, 0, PAGE_SIDE_PX, 0)
        row.addWidget(self.pages)
        row.addStretch(1)
        row.addWidget(counted)
        self.workloads.counted.connect(counted.setText)
        self.workloads.story_told.connect(self.story_told)
        self.pages.currentChanged.connect(lambda page: counted.setVisible(page == WORKLOADS))
        self.pages.currentChanged.connect(self._on_page)
        self.body.addWidget(strip)
        self.body.addWidget(self._pages, 1)

    @property
    def asks(self) -> bool:
        """The map of a single workload asks the engine for its costs."""
        return self.pages.currentIndex() == WORKLOADS

    def charts(self) -> tuple[ChartView, ...]:
        """The charts on screen."""
        if self.pages.currentIndex() == WORKLOADS:
            return self.workloads.charts()
        return (self.map,) if self._stack.currentIndex() == 0 else (self.places,)

    def show_results(self, results: ResultSet) -> None:
        """Draw map and table; without candidates there is no table, without users to reach no places."""
        if self.pages.currentIndex() == WORKLOADS:
            self.workloads.show_plan(self.theme)
            return
        serves = results.profile.job.answers_users
        self.views.setVisible(serves)
        if not serves:
            self.views.setCurrentIndex(0)
        self.map.draw = partial(decision_map.decision_map, pinned=self.session.pinned)
        super().show_results(results)
        for part in (self._rule, self.head, self.table):
            part.setVisible(bool(results.results))
        self._show_table()
        self.leads.show_leads(results, self.session.selected_id, self.session.stale, self.theme)

    def _show_table(self) -> None:
        results = self.session.results
        if results is None:
            return
        filters: Filters = self.head.filters()
        self.table.set_stale(self.session.stale)
        self.table.candidates.old_price_days = self.session.plan.old_price_days
        self.table.show_results(results, filters, self.session.selected_id, self.theme, self.session.pinned)
        self.head.show_counts(results, self.table.candidates.order)

    def _on_page(self, page: int) -> None:
        self._pages.setCurrentIndex(page)
        self.mark_dirty()

    def _on_plan(self) -> None:
        """The map shows all workloads, at their places as soon as these change."""
        if self.pages.currentIndex() == WORKLOADS:
            self.mark_dirty()

    def _on_view(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
        self.mark_dirty()

    def _on_limit(self, limit_id: str, value: float) -> None:
        """A limit was dragged on the map: the plan gets it as a person would type it."""
        results = self.session.results
        if results is None:
            return
        if limit_id == "way":
            limit_ms = max(1.0, float(round(value)))
            self.session.edit(self.session.path("places.round_trip_limit_ms"), limit_ms, "Drag limit")
        elif limit_id == "budget":
            total = value * decision_map.months_of(results) if is_serving(results) else value
            self.session.edit(self.session.path("limits.budget_usd"), rounded_usd(total), "Drag budget")
        else:
            measure = time_measure(results.profile)
            self.session.edit(self.session.path(measure.field), measure.rounded(value), "Drag limit")


def _scrolled(inside: QWidget, name: str, title: str) -> QScrollArea:
    """What a low window has no room for scrolls."""
    scroll = named(QScrollArea(), name, title)
    scroll.setWidgetResizable(True)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setWidget(inside)
    return scroll
