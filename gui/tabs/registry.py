"""The tabs, in the order of work. Each is built when it is first opened, so that the window shows at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from gui.session.plan_session import PlanSession
from gui.theme.manager import ThemeManager

Factory = Callable[[PlanSession, ThemeManager], QWidget]


@dataclass(frozen=True, slots=True)
class Panel:
    """A tab: its id, its title, and how it is made. The import stands inside, since charts take time to load."""

    id: str
    title: str
    make: Factory


def _describe(session: PlanSession, themes: ThemeManager) -> QWidget:
    from gui.tabs.describe.panel import DescribePanel

    return DescribePanel(session, themes)


def _compare(session: PlanSession, themes: ThemeManager) -> QWidget:
    from gui.tabs.compare.panel import ComparePanel

    return ComparePanel(session, themes)


def _cost(session: PlanSession, themes: ThemeManager) -> QWidget:
    from gui.tabs.cost.panel import CostPanel

    return CostPanel(session, themes)


def _performance(session: PlanSession, themes: ThemeManager) -> QWidget:
    from gui.tabs.performance.panel import PerformancePanel

    return PerformancePanel(session, themes)


def _flexibility(session: PlanSession, themes: ThemeManager) -> QWidget:
    from gui.tabs.flexibility.panel import FlexibilityPanel

    return FlexibilityPanel(session, themes)


def _calibrate(session: PlanSession, themes: ThemeManager) -> QWidget:
    from gui.tabs.calibrate.panel import CalibratePanel

    return CalibratePanel(session, themes)


def _catalogue(session: PlanSession, themes: ThemeManager) -> QWidget:
    from gui.tabs.catalogue.panel import CataloguePanel

    return CataloguePanel(session, themes)


def _report(session: PlanSession, themes: ThemeManager) -> QWidget:
    from gui.tabs.report.panel import ReportPanel

    return ReportPanel(session, themes)


PANELS: tuple[Panel, ...] = (
    Panel("describe", "Describe", _describe),
    Panel("compare", "Compare", _compare),
    Panel("cost", "Cost", _cost),
    Panel("performance", "Performance", _performance),
    Panel("flexibility", "Flexibility", _flexibility),
    Panel("calibrate", "Calibrate", _calibrate),
    Panel("catalogue", "Catalogue", _catalogue),
    Panel("report", "Report", _report),
)
