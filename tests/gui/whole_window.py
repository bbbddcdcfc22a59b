"""Every place of the window, opened one after the other, and every text that can be read there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QCoreApplication, QEvent, QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QTabBar,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.comparison.result import ResultSet
from core.plan.plan import Plan
from gui.charts.registry import pages_of
from gui.charts.view.chart_view import ChartView
from gui.session.file_session import FileSession
from gui.session.plan_session import PlanSession
from gui.settings import Settings
from gui.tables.catalogue.lists import VIEWS as LISTS
from gui.tabs.cost.panel import CostPanel
from gui.tabs.over_time.panel import OverTimePanel
from gui.tabs.registry import TABS
from gui.tabs.what_if import studies
from gui.window.main_window import MainWindow
from tests.gui.sample_session import themes

EXPLAINED = ("part:other", "cash:owned", "exit:porting", "spot:saved", "unit:cost")
ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
MOST_ROWS = 15
PATIENCE_MS = 60_000
_ROOT = QModelIndex()
N_CELLS, N_FLIPS = 4, 3
_WIDEST = studies.Told.widest


@contextmanager
def shown_window(
    qtbot: QtBot, plan: Plan, width: int, height: int, engine: Callable[..., ResultSet] | None = None
) -> Iterator[MainWindow]:
    """The window with the results of its first workload; closed and gone afterwards. What-if asks for a small map, and
    of few inputs how far they are from another pick."""
    few = pytest.MonkeyPatch()
    few.setattr(studies, "N_CELLS", N_CELLS)
    few.setattr(studies.Told, "widest", lambda told, gap_in="regret": _WIDEST(told, gap_in)[:N_FLIPS])
    session = PlanSession(plan, load_catalogue(), engine) if engine else PlanSession(plan, load_catalogue())
    settings = Settings(theme="light")
    made = MainWindow(session, FileSession(session, settings), themes(), settings)
    made.resize(width, height)
    with qtbot.waitSignal(session.results_changed, timeout=PATIENCE_MS):
        made.show()
    yield made
    session.undo_stack.setClean()
    made.close()
    made.deleteLater()
    few.undo()


def settled(qtbot: QtBot, window: MainWindow) -> None:
    """Waits until nothing is under way and no chart in view waits for the engine; lets what was replaced go."""
    QCoreApplication.processEvents()  # what was just opened asks in its turn
    qtbot.waitUntil(lambda: window.session.road.is_idle and not is_asking(window), timeout=PATIENCE_MS)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()


def is_asking(window: MainWindow) -> bool:
    """True while a chart in view has no answer of the engine yet."""
    views = [view for view in window.findChildren(ChartView) if view.isVisible()]
    return any(view.kind.question and view.figure.empty == view.kind.question.at_work for view in views)


def texts_of(value: Any) -> Iterator[str]:
    """Every text within plain data, results aside."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from texts_of(one)
    elif is_dataclass(value) and not isinstance(value, ResultSet):
        for one in fields(value):
            yield from texts_of(getattr(value, one.name))


def shown_texts(root: QWidget) -> Iterator[str]:
    """Every text of the widgets in view: written, on hovering, said to a screen reader, drawn in charts, in tables."""
    for widget in (root, *root.findChildren(QWidget)):
        if widget.isVisible():
            yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription(), widget.windowTitle())
            yield from _written(widget)


def _written(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QLabel | QAbstractButton):
        yield widget.text()
    elif isinstance(widget, QLineEdit):
        yield from (widget.text(), widget.placeholderText())
    elif isinstance(widget, QTextEdit):
        yield widget.toPlainText()
    elif isinstance(widget, QComboBox):
        yield from (widget.itemText(number) for number in range(widget.count()))
    elif isinstance(widget, QTabBar):
        yield from (widget.tabText(number) for number in range(widget.count()))
    elif isinstance(widget, ChartView):
        yield from texts_of(widget.figure)
    elif isinstance(widget, QAbstractItemView) and (model := widget.model()):
        yield from _listed(model)


def _listed(model: QAbstractItemModel) -> Iterator[str]:
    columns = range(1 if isinstance(model, QAbstractListModel) else model.columnCount(_ROOT))
    yield from (str(model.headerData(column, Qt.Orientation.Horizontal) or "") for column in columns)
    for row in range(min(model.rowCount(_ROOT), MOST_ROWS)):
        for column in columns:
            yield from (str(model.index(row, column).data(role) or "") for role in ROLES)


def view_of(window: MainWindow, tab: str) -> QWidget:
    """The contents of a tab; of those with several views the first, whichever was open before."""
    window.tabs.show_tab(tab)
    panel = window.tabs.content.currentWidget()
    assert panel is not None
    if isinstance(panel, CostPanel):
        panel.show_view(next(iter(panel.pages)))
    if isinstance(panel, OverTimePanel):
        panel.views.setCurrentIndex(0)
    return panel


def show_cost(window: MainWindow, view: str) -> None:
    panel = view_of(window, "cost")
    assert isinstance(panel, CostPanel)
    panel.show_view(view)


def show_list(window: MainWindow, view: str) -> None:
    """A list of the catalogue with its first entry written out; of chips, two beside each other."""
    panel: Any = view_of(window, "catalogue")
    panel.head.compare.setChecked(False)
    panel.head.show_view(view)
    panel.table.selectRow(0)
    if view == "chips":
        panel.table.selectAll()
        panel.head.compare.setChecked(True)


def show_portfolio(window: MainWindow) -> None:
    """Shared chips with their settings open."""
    panel: Any = view_of(window, "over_time")
    panel.views.setCurrentIndex(list(panel.pages).index("Portfolio"))
    panel.portfolio.show_settings(True)


def show_page(window: MainWindow, page: str) -> None:
    window.bottom.show_page(page)
    window.bottom_dock.show()


def show_why(window: MainWindow, key: str) -> None:
    """What stands behind a figure of the pick, with every formula opened."""
    window.session.select(window.session.results and window.session.results.recommendation.choice)
    window.why.pin()
    window.why.explain(key)
    for formula in window.why.dock.findChildren(QLabel):
        button = window.why.dock.findChild(QPushButton, formula.objectName().replace("formula-", "value-"))
        if formula.objectName().startswith("formula-") and formula.text() and not formula.isVisible() and button:
            button.click()


def show_rejected(window: MainWindow) -> None:
    """Why beside a candidate that is over the budget, or misses another limit.

    Of two digits shown the first is a high one, so that rounding, in either currency, changes little.
    """
    results = window.session.results
    assert results is not None
    rejected, budget_usd = results.results[results.n_feasible :], results.profile.limits.budget_usd or 0.0
    costly = [r for r in rejected if "budget" in [reason.code for reason in r.reasons]]
    first = max(costly, key=lambda r: f"{r.cost.total.likely - budget_usd:e}", default=rejected[0])
    window.session.select(first.id)
    window.why.pin()


def show_pair(window: MainWindow) -> None:
    results = window.session.results
    assert results is not None
    for result in results.results[:2]:
        if result.id not in window.session.pinned:
            window.session.pin(result.id)


def show_one(window: MainWindow) -> None:
    for pinned in window.session.pinned:
        window.session.pin(pinned)


ONCE: dict[str, Callable[[MainWindow], object]] = {
    **{f"catalogue {view.id}": partial(show_list, view=view.id) for view in LISTS},
    "over time portfolio": show_portfolio,
    **{f"bottom {page}": partial(show_page, page=page) for page in ("problems", "history", "jobs")},
}
OF_EACH_WORKLOAD: dict[str, Callable[[MainWindow], object]] = {
    **{f"tab {panel.id}": partial(view_of, tab=panel.id) for panel in TABS if panel.id != "catalogue"},
    **{f"cost {view}": partial(show_cost, view=view) for view in pages_of("cost")},
    **{f"why {key}": partial(show_why, key=key) for key in EXPLAINED},
    "why of a rejected one": show_rejected,
    "why of a pair": show_pair,
    "why again": show_one,
}
