"""Charts are found by lying among their kinds; one more file is one more chart, clickable to Why."""

from collections.abc import Iterator
from pathlib import Path
from sys import modules

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

import gui.charts.kinds
from gui.charts.paint.rows import bar_rect
from gui.charts.registry import charts, pages_of
from gui.charts.view.chart_view import ChartView
from gui.tabs.cost.panel import CostPanel
from gui.window.main_window import MainWindow

ONE_MORE = Path(__file__).parent / "one_more"


@pytest.fixture
def one_more(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One more folder of kinds; the mechanism that finds charts is the usual one."""
    monkeypatch.setattr(gui.charts.kinds, "__path__", [*gui.charts.kinds.__path__, str(ONE_MORE)])
    charts.cache_clear()
    yield
    charts.cache_clear()
    modules.pop("gui.charts.kinds.compute_bars", None)


def test_every_chart_declares_an_id_and_a_title_of_its_own() -> None:
    declared = [name for name in Path(gui.charts.kinds.__path__[0]).glob("*.py") if "\nCHART = " in name.read_text()]
    assert len(charts()) == len(declared) == 16
    assert all(kind.id == name and kind.title for name, kind in charts().items())
    assert len({kind.title for kind in charts().values()}) == len(charts())


def test_pages_of_a_tab_stand_in_their_turn() -> None:
    cost = {title: [kind.id for kind in kinds] for title, kinds in pages_of("cost").items()}
    assert list(cost) == ["By part", "Use", "Cash", "Spot", "Chips", "Budget", "Exit"]
    assert cost["Spot"] == ["spot-risk", "save-interval"]
    assert [kind.id for kind in pages_of("flexibility")[""]] == ["flexibility", "exit-bill"]
    assert pages_of("nowhere") == {}


def opened(window: MainWindow) -> tuple[CostPanel, ChartView]:
    """The page of the new chart in the Cost tab."""
    window.tabs.show_tab("cost")
    panel = window.tabs.panel("cost")
    assert isinstance(panel, CostPanel)
    panel.show_view("Compute")
    return panel, panel.by_id["compute-alone"]


def middle_of_bar(chart: ChartView, number: int) -> QPoint:
    picture = chart.picture()
    assert picture is not None
    centre = bar_rect(chart.figure.bars[number], chart.figure, picture.view).center()
    return QPoint(round(centre.x()), round(centre.y()))


def explained(window: MainWindow) -> str:
    title = window.findChild(QLabel, "explained-title")
    return title.text() if title is not None else ""


def test_a_click_on_the_bar_of_a_new_chart_opens_its_formula(one_more: None, qtbot: QtBot, window: MainWindow) -> None:
    panel, chart = opened(window)
    qtbot.waitUntil(lambda: chart.isVisible() and bool(chart.figure.bars))
    wanted = chart.figure.rows[1].id
    assert window.session.selected_id != wanted and explained(window) == ""
    with qtbot.waitSignal(panel.explain_requested) as asked:
        qtbot.mouseClick(chart._plot.viewport(), Qt.MouseButton.LeftButton, pos=middle_of_bar(chart, 1))
    assert asked.args == ["part:compute"] and window.session.selected_id == wanted
    qtbot.waitUntil(lambda: explained(window) == "Compute")


def test_enter_on_the_row_of_a_new_chart_opens_its_formula(one_more: None, qtbot: QtBot, window: MainWindow) -> None:
    _, chart = opened(window)
    qtbot.waitUntil(lambda: chart.isVisible() and bool(chart.figure.bars))
    chart.setFocus()
    for _ in range(2):
        qtbot.keyClick(chart, Qt.Key.Key_Down)
    hovered = chart.lit.hovered
    qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert hovered == window.session.selected_id
    qtbot.waitUntil(lambda: explained(window) == "Compute")
