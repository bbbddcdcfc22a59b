"""The tabs, in the order of work. Each is built when it is first opened, so that the window shows at once."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from PySide6.QtWidgets import QWidget

from gui.session.plan_session import PlanSession
from gui.theme.manager import ThemeManager


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab: its id, which is also its folder, its title, and the class in the folder's ``panel`` that fills it."""

    id: str
    title: str
    panel: str

    def make(self, session: PlanSession, themes: ThemeManager) -> QWidget:
        """The tab's content. Only now is it imported, since charts take time to load."""
        made: QWidget = getattr(import_module(f"gui.tabs.{self.id}.panel"), self.panel)(session, themes)
        return made


TABS = (
    Tab("describe", "Describe", "DescribePanel"),
    Tab("compare", "Compare", "ComparePanel"),
    Tab("cost", "Cost", "CostPanel"),
    Tab("performance", "Performance", "PerformancePanel"),
    Tab("flexibility", "Flexibility", "FlexibilityPanel"),
    Tab("what_if", "What-if", "WhatIfPanel"),
    Tab("over_time", "Over time", "OverTimePanel"),
    Tab("calibrate", "Calibrate", "CalibratePanel"),
    Tab("catalogue", "Catalogue", "CataloguePanel"),
    Tab("report", "Report", "ReportPanel"),
)
