"""The Over time tab: second-level pages, of which the phases are the first."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QWidget

from core.comparison.result import ResultSet
from core.workload.phase_templates import TEMPLATES
from gui.forms.choice_editors import NoWheelComboBox
from gui.session.plan_session import PlanSession
from gui.tabs.actuals.page import ActualsPage
from gui.tabs.over_time.phases_page import PhasesPage
from gui.tabs.portfolio.page import PortfolioPage
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import as_text, caption
from gui.widgets.live import PAGE_SIDE_PX, LivePanel, label
from gui.widgets.tab_strip import FIRST_TAB_PX, TabStrip, pages_by_keys


class OverTimePanel(LivePanel):
    """One page at a time; only the page on screen asks for anything."""

    story_told = Signal(object, bool)
    workload_wanted = Signal()
    verdict_told = Signal(object)

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(session, themes, parent)
        self.setObjectName("panel-over-time")
        self.phases = PhasesPage(session, themes)
        self.portfolio = PortfolioPage(session, themes)
        self.actuals = ActualsPage(session, themes)
        self.pages: dict[str, PhasesPage | PortfolioPage | ActualsPage] = {
            "Phases": self.phases,
            "Portfolio": self.portfolio,
            "Actuals": self.actuals,
        }
        self.views = named(TabStrip(themes), "over-time-views", "Views over time")
        self._stack = QStackedWidget()
        for title, page in self.pages.items():
            self.views.addTab(caption(title))
            self._stack.addWidget(page)
        self.body.addWidget(self._head())
        self.body.addWidget(self._stack, 1)
        for page in (self.phases, self.portfolio):
            page.story_told.connect(self.story_told)
            page.verdict_told.connect(self.verdict_told)
        self.portfolio.workload_wanted.connect(self.workload_wanted)
        self.views.currentChanged.connect(self._on_view)
        pages_by_keys(self, self.views)
        self._on_view(0)
        session.plan_changed.connect(self.mark_dirty)

    def show_results(self, results: ResultSet) -> None:
        """The page on screen follows the plan."""
        self._follow()

    def show_nothing(self) -> None:
        """Before there are results."""
        self._follow()

    def _follow(self) -> None:
        self._page.follow()

    @property
    def _page(self) -> PhasesPage | PortfolioPage | ActualsPage:
        return tuple(self.pages.values())[self._stack.currentIndex()]

    def _head(self) -> QWidget:
        """The views in a row over one line across the page, and what the page begins with."""
        head = QWidget()
        head.setProperty("surface", "underlined")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.template = named(NoWheelComboBox(), "phase-template", "Template of phases")
        self.template.addItem("Choose\u2026", "")
        for one in TEMPLATES:
            self.template.addItem(as_text(one.title), one.id)
        self.template.activated.connect(self._on_template)
        self.add = named(QPushButton("Add phase"), "phase-add", "Add a phase")
        self.add.clicked.connect(self._on_add)
        row = QHBoxLayout(head)
        row.setContentsMargins(FIRST_TAB_PX, 0, PAGE_SIDE_PX, 0)
        row.setSpacing(8)
        row.addWidget(self.views)
        row.addStretch(1)
        of_phases = (label("Template", "ink2"), self.template, self.add)
        self._controls = {"Phases": of_phases, "Portfolio": self.portfolio.controls}
        for widget in (*of_phases, *self.portfolio.controls):
            row.addWidget(widget)
        return head

    def show_page(self, title: str) -> None:
        """Opens a page by its title."""
        self.views.setCurrentIndex(list(self.pages).index(title))

    def _on_view(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
        for title, controls in self._controls.items():
            for widget in controls:
                widget.setVisible(self.pages[title] is self._page)
        self.mark_dirty()

    def _on_template(self, index: int) -> None:
        template_id = self.template.itemData(index)
        self.template.setCurrentIndex(0)
        if template_id:
            self.phases.use_template(str(template_id))

    def _on_add(self) -> None:
        self.phases.add_phase()
