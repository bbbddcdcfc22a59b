"""The What-if tab: pages that ask what would change the answer. Each works only while it is seen."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from gui.session.plan_session import PlanSession
from gui.tabs.what_if.inputs_page import InputsPage
from gui.tabs.what_if.scenarios_page import ScenariosPage
from gui.tabs.what_if.trade_page import TradePage
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import caption
from gui.widgets.live import PAGE_SIDE_PX
from gui.widgets.tab_strip import FIRST_TAB_PX, TabStrip, pages_by_keys

INPUTS, SCENARIOS, TRADE_OFFS = "Inputs", "Scenarios", "Trade-offs"


class WhatIfPanel(QWidget):
    """One page at a time; what belongs to a page stands at the right of the row of their titles."""

    field_requested = Signal(str)
    explain_requested = Signal(str)
    tab_requested = Signal(str)

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel-what-if")
        self.inputs, self.scenarios = InputsPage(session, themes), ScenariosPage(session, themes)
        self.trade_offs = TradePage(session, themes)
        self.pages: dict[str, InputsPage | ScenariosPage | TradePage] = {
            INPUTS: self.inputs, SCENARIOS: self.scenarios, TRADE_OFFS: self.trade_offs,
        }  # fmt: skip
        self.views = named(TabStrip(themes), "what-if-views", "What-if pages")
        self._stack, self._controls = QStackedWidget(), QStackedWidget()
        for title, page in self.pages.items():
            self.views.addTab(caption(title))
            self._stack.addWidget(page)
            self._controls.addWidget(page.controls)
            page.field_requested.connect(self.field_requested)
            page.explain_requested.connect(self.explain_requested)
        self.scenarios.tab_requested.connect(self.tab_requested)
        self.views.currentChanged.connect(self._stack.setCurrentIndex)
        self.views.currentChanged.connect(self._controls.setCurrentIndex)
        pages_by_keys(self, self.views)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head())
        column.addWidget(self._stack, 1)

    def show_view(self, title: str) -> None:
        """Opens a page by its title."""
        self.views.setCurrentIndex(list(self.pages).index(title))

    def close_panel(self) -> None:
        """Wants no answer any more."""
        for page in self.pages.values():
            page.stop()

    def _head(self) -> QWidget:
        head = QWidget()
        head.setProperty("surface", "underlined")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(head)
        row.setContentsMargins(FIRST_TAB_PX, 0, PAGE_SIDE_PX, 0)
        row.addWidget(self.views)
        row.addStretch(1)
        row.addWidget(self._controls)
        return head
