"""The tabs and their contents, each made when it is first opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from gui.session.plan_session import PlanSession
from gui.tabs.registry import TABS
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import caption
from gui.widgets.busy_line import BusyLine
from gui.widgets.tab_strip import FIRST_TAB_PX, TabStrip

if TYPE_CHECKING:
    from gui.tabs.calibrate.panel import CalibratePanel
    from gui.tabs.describe.panel import DescribePanel
    from gui.tabs.over_time.panel import OverTimePanel


class TabPages(QWidget):
    """Remembers which tab is open until charts may be loaded."""

    field_wanted = Signal(str)
    explain_wanted = Signal(str)
    story_wanted = Signal(object, bool)
    workload_wanted = Signal()
    verdict_wanted = Signal(object)
    panel_made = Signal(QWidget)

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._themes = session, themes
        self._panels: dict[str, QWidget] = {}
        self._is_loaded = False
        self.strip = TabStrip(themes)
        for tab in TABS:
            self.strip.addTab(caption(tab.title))
        self.busy = BusyLine(themes, self)
        self.content = named(QStackedWidget(), "content", "Content")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head())
        column.addWidget(self.content, 1)
        self.strip.currentChanged.connect(self._on_tab)

    def _head(self) -> QWidget:
        """The tab row, a little in from the edge, over one line across the page."""
        head = QWidget()
        head.setProperty("surface", "underlined")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(head)
        row.setContentsMargins(FIRST_TAB_PX, 0, 0, 0)
        row.addWidget(self.strip)
        return head

    @property
    def shown(self) -> str:
        """Id of the open tab."""
        return TABS[self.strip.currentIndex()].id

    def load(self) -> None:
        """The window is painted: make the open tab's content."""
        self._is_loaded = True
        self._on_tab(self.strip.currentIndex())

    def show_tab(self, panel_id: str) -> None:
        """Opens a tab by its id."""
        self.strip.setCurrentIndex([tab.id for tab in TABS].index(panel_id))

    def panel(self, panel_id: str) -> QWidget:
        """The content of a tab, made if need be."""
        if panel_id not in self._panels:
            made = next(tab for tab in TABS if tab.id == panel_id).make(self._session, self._themes)
            self._panels[panel_id] = made
            self.content.addWidget(made)
            self._hear(made)
            self.panel_made.emit(made)
        return self._panels[panel_id]

    def _hear(self, made: QWidget) -> None:
        """Panels may wish for a field, a formula or another tab; not all do."""
        wishes = (
            ("field_requested", self.field_wanted),
            ("explain_requested", self.explain_wanted),
            ("story_told", self.story_wanted),
            ("workload_wanted", self.workload_wanted),
            ("verdict_told", self.verdict_wanted),
            ("tab_requested", self.show_tab),
        )
        for name, slot in wishes:
            wish = getattr(made, name, None)
            if wish is not None:
                wish.connect(slot)

    def describe(self) -> DescribePanel:
        """The Describe tab, opened."""
        self.show_tab("describe")
        return cast("DescribePanel", self.panel("describe"))

    def calibrate(self) -> CalibratePanel:
        """The Calibrate tab, opened."""
        self.show_tab("calibrate")
        return cast("CalibratePanel", self.panel("calibrate"))

    def show_phase(self, phase_id: str) -> None:
        """Opens the plan over time at a phase."""
        self.show_tab("over_time")
        cast("OverTimePanel", self.panel("over_time")).phases.choose(phase_id)

    def show_portfolio(self) -> None:
        """Opens the plan over time at its workloads on shared chips."""
        self.show_tab("over_time")
        cast("OverTimePanel", self.panel("over_time")).show_page("Portfolio")

    def show_field(self, path: str) -> None:
        """Opens the form at a field."""
        self.describe().show_field(path)

    def close_panels(self) -> None:
        """Lets panels with work under way end it."""
        for made in self._panels.values():
            close = getattr(made, "close_panel", None)
            if close is not None:
                close()

    def resizeEvent(self, event: object) -> None:
        """The busy line lies over the content's upper edge."""
        self.busy.setGeometry(0, self.strip.height(), self.width(), 2)
        self.busy.raise_()

    def _on_tab(self, index: int) -> None:
        if self._is_loaded and index >= 0:
            self.content.setCurrentWidget(self.panel(TABS[index].id))
