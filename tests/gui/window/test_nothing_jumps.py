"""What one looks at stays where it is while results arrive, a bar comes and goes, or Why tells of another option."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.comparison.result import ResultSet
from core.plan.plan import Plan
from core.workload.library import load_profiles
from gui.charts.figure.shown import shown_results
from gui.charts.view.chart_view import ChartView
from gui.forms.field_row import FieldRow
from gui.offscreen import wait_for_results
from gui.session.file_session import FileSession
from gui.session.paper import Evaluate
from gui.session.plan_session import PlanSession
from gui.settings import Settings
from gui.tabs.compare.panel import ComparePanel
from gui.window.main_window import MainWindow
from tests.gui.conftest import prepared
from tests.gui.sample_session import themes

SIZES = [(1280, 800), (1440, 900)]
TABS = ("describe", "compare", "cost", "performance", "flexibility")
Places = dict[str, QRect]


Opener = Callable[..., MainWindow]


@pytest.fixture
def opened() -> Iterator[Opener]:
    """Opens windows on real results of a service, whose charts and words have most to say; closes them at the end."""
    windows: list[MainWindow] = []

    def made(size: tuple[int, int], settings: Settings | None = None, evaluate: Evaluate | None = None) -> MainWindow:
        plan = Plan(id="one", profiles=(load_profiles()["chat-serving-8b"],))
        known = settings or Settings(theme="light")
        session = PlanSession(plan, load_catalogue(), evaluate)
        window = MainWindow(session, FileSession(session, known), themes(), known)
        windows.append(window)
        window.resize(*size)
        window.show()
        return window

    yield made
    for window in windows:
        window.session.undo_stack.setClean()
        window.close()
        window.deleteLater()


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}px")
def window(qtbot: QtBot, opened: Opener, request: pytest.FixtureRequest) -> MainWindow:
    made = opened(request.param)
    wait_for_results(made.session)
    return made


def settle() -> None:
    """Layouts within layouts: a turn of the event loop each."""
    for _ in range(5):
        QApplication.processEvents()


def open_tab(window: MainWindow, tab: str) -> None:
    window.tabs.show_tab(tab)
    settle()


def places(window: MainWindow) -> Places:
    """Where the charts, tables and rows of the open tab stand in the window."""
    seen: list[QWidget] = []
    for kind in (ChartView, QAbstractItemView, FieldRow):
        seen += [one for one in window.tabs.content.currentWidget().findChildren(kind) if one.isVisible()]
    names = [one.objectName() or type(one).__name__ for one in seen]
    return {f"{name} {n}": rect(window, one) for n, (name, one) in enumerate(zip(names, seen, strict=True))}


def rect(window: MainWindow, widget: QWidget) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


def edit(qtbot: QtBot, window: MainWindow, path: str, value: object) -> None:
    with qtbot.waitSignal(window.session.results_changed, timeout=30_000):
        window.session.edit(window.session.path(path), value)
    settle()


@pytest.mark.parametrize("tab", TABS)
def test_results_that_arrive_move_nothing(qtbot: QtBot, window: MainWindow, tab: str) -> None:
    open_tab(window, tab)
    before = places(window)
    assert before
    edit(qtbot, window, "job.peak_requests_per_s", 22.0)
    assert places(window) == before


@pytest.mark.parametrize("tab", TABS)
def test_bars_that_come_and_go_move_nothing(window: MainWindow, tab: str) -> None:
    open_tab(window, tab)
    before, session = places(window), window.session
    steps: list[Callable[[], object]] = [
        lambda: session.report(session.path("limits.budget_usd"), "Budget: Expected a number of 0 or more"),
        lambda: window.message.say("A plan that was open when Roofplan ended can be recovered", "Recover", settle),
        lambda: session.settle(session.path("limits.budget_usd")),
        window.message.hide,
    ]
    for number, step in enumerate(steps):
        step()
        settle()
        assert places(window) == before, number


@pytest.mark.parametrize("tab", TABS)
def test_why_of_another_option_moves_nothing(window: MainWindow, tab: str) -> None:
    """In narrow windows Why lies over the content while it is asked for; in wide ones it stands beside it anyway."""
    open_tab(window, tab)
    before, results = places(window), window.session.results
    assert results is not None
    if not window.why.dock.isVisible():
        window.why.toggle()
        settle()
        assert window.why.overlay.isVisible() and places(window) == before
    for other in shown_results(results):
        window.session.select(other.id)
        settle()
        assert places(window) == before, other.candidate.name


def test_the_form_stands_from_the_start_where_it_stays(qtbot: QtBot, opened: Opener) -> None:
    """Wide windows have Why beside the content: it does not squeeze the form in when the first results come."""
    gate = threading.Event()

    def late(*asked: Any) -> ResultSet:
        assert gate.wait(20)
        return prepared(*asked)

    made = opened((1440, 900), evaluate=late)
    qtbot.waitUntil(lambda: made.tabs.content.currentWidget() is not None)
    settle()
    before = {name: one for name, one in places(made).items() if name.startswith("row-")}
    assert before and made.session.results is None
    gate.set()
    wait_for_results(made.session)
    settle()
    assert {name: one for name, one in places(made).items() if name.startswith("row-")} == before


def test_the_table_keeps_its_scroll_and_its_row_when_results_arrive(qtbot: QtBot, window: MainWindow) -> None:
    open_tab(window, "compare")
    panel = window.tabs.panel("compare")
    assert isinstance(panel, ComparePanel)
    bar = panel.table.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.maximum() > 0
    chosen = panel.table.candidates.rows[panel.table.candidates.rowCount() // 2].id
    window.session.select(chosen)
    bar.setValue(bar.maximum())
    settle()
    top = bar.value()
    edit(qtbot, window, "team.engineers", 9)
    assert window.session.selected_id == chosen
    assert panel.table.candidates.rows[panel.table.currentIndex().row()].id == chosen
    assert bar.value() == min(top, bar.maximum())


def test_a_window_that_was_wide_opens_narrow_without_why_beside_the_content(qtbot: QtBot, opened: Opener) -> None:
    settings = Settings(theme="light")
    for width_px, is_beside in ((1920, True), (1280, False), (1440, True)):
        made = opened((width_px, 800), settings)
        wait_for_results(made.session)
        settle()
        assert made.why.dock.isVisible() == is_beside
        made.close()
