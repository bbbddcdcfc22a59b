"""The What-if tab: pages that ask what would change the answer. Each is built, and works, only once it is seen."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
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
Page = InputsPage | ScenariosPage | TradePage
Built = TypeVar("Built", InputsPage, ScenariosPage, TradePage)


class WhatIfPanel(QWidget):
    """One page at a time; what belongs to a page stands at the right of the row of their titles."""

    field_requested = Signal(str)
    explain_requested = Signal(str)
    tab_requested = Signal(str)

    def __init__(self, session: PlanSession, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel-what-if")
        self._session, self._themes = session, themes
        self._pages: dict[str, Callable[[], Page]] = {
            INPUTS: lambda: self.inputs, SCENARIOS: lambda: self.scenarios, TRADE_OFFS: lambda: self.trade_offs,
        }  # fmt: skip
        self.built: list[Page] = []
        self.views = named(TabStrip(themes), "what-if-views", "What-if pages")
        self._stack, self._controls = QStackedWidget(), QStackedWidget()
        for title in self._pages:
            self.views.addTab(caption(title))
        self.views.currentChanged.connect(self._open)
        pages_by_keys(self, self.views)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head())
        column.addWidget(self._stack, 1)

    @cached_property
    def inputs(self) -> InputsPage:
        """What moves the answer between two options."""
        return self._added(InputsPage(self._session, self._themes))

    @cached_property
    def scenarios(self) -> ScenariosPage:
        """All scenarios side by side."""
        page = self._added(ScenariosPage(self._session, self._themes))
        page.tab_requested.connect(self.tab_requested)
        return page

    @cached_property
    def trade_offs(self) -> TradePage:
        """What nobody beats, and what being wrong would cost."""
        return self._added(TradePage(self._session, self._themes))

    def show_view(self, title: str) -> None:
        """Opens a page by its title."""
        self.views.setCurrentIndex(list(self._pages).index(title))

    def close_panel(self) -> None:
        """Wants no answer any more."""
        for page in self.built:
            page.stop()

    def showEvent(self, event: QShowEvent) -> None:
        """The page that is open is there when it is first seen."""
        super().showEvent(event)
        self._open(self.views.currentIndex())

    def _added(self, page: Built) -> Built:
        self.built.append(page)
        self._stack.addWidget(page)
        self._controls.addWidget(page.controls)
        page.field_requested.connect(self.field_requested)
        page.explain_requested.connect(self.explain_requested)
        return page

    def _open(self, number: int) -> None:
        page = list(self._pages.values())[number]()
        self._stack.setCurrentWidget(page)
        self._controls.setCurrentWidget(page.controls)

    def _head(self) -> QWidget:
        head = QWidget()
        head.setProperty("surface", "underlined")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(head)
        row.setContentsMargins(FIRST_TAB_PX, 0, PAGE_SIDE_PX, 0)
        self.views.setMinimumWidth(self.views.tight_px)  # the choices beside them give way first
        row.addWidget(self.views)
        row.addWidget(self._controls, 1)
        return head
