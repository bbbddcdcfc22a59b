"""Every plot of the window can be saved as a picture and as a drawing, whoever draws it."""

from __future__ import annotations

import ast
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget
from pytestqt.qtbot import QtBot

from core.errors import MachineError
from core.report.masking import KEPT
from gui.charts.registry import charts
from gui.charts.view.bare_plot import bare_plot
from gui.charts.view.chart_view import ChartView
from gui.charts.view.plot_menu import PlotMenu, save_widget
from gui.tabs.calibrate.log_plots import LogPlots
from gui.tabs.over_time.phase_plots import PhasePlots
from gui.tabs.portfolio.packing_view import PackingView
from gui.tabs.registry import TABS
from gui.tabs.what_if.gap_view import GapView
from gui.tabs.what_if.panel import WhatIfPanel
from gui.tabs.what_if.plots import PlotHolder
from gui.window.main_window import MainWindow
from tests.gui.person import answer
from tests.repository_files import ROOT

OWN_PLOTS = (PlotHolder, PhasePlots, LogPlots, GapView, PackingView)
"""What draws data without being a figure of a :class:`ChartView`, which has a menu of its own."""
NO_DATA = {"gui/tabs/what_if/sheet_view.py", "gui/tabs/compare/leads.py", "gui/tabs/performance/evidence.py",
           "gui/tabs/report/preview.py"}  # fmt: skip
"""Tabs' modules that paint a table, a mark or a page."""


def test_every_plot_of_the_window_has_a_menu(qtbot: QtBot, window: MainWindow) -> None:
    for tab in TABS:
        window.tabs.show_tab(tab.id)
    what_if = window.findChild(WhatIfPanel)
    assert what_if is not None
    for number in range(what_if.views.count()):
        what_if.views.setCurrentIndex(number)
    plots = [one for kind in OWN_PLOTS for one in window.findChildren(kind)]
    assert {type(one).__name__ for one in plots} == {
        "HeatView", "CloudView", "PhasePlots", "LogPlots", "GapView", "PackingView",
    }  # fmt: skip

    assert [one for one in plots if one.findChild(PlotMenu) is None] == []
    views = {one.kind.id for one in window.findChildren(ChartView)}
    assert {"workload-map", "workload-gaps", "trade-offs", "actuals-done", "actuals-spend"} <= views
    assert {kind.id for kind in charts().values() if kind.stands} <= views


def test_no_plot_is_forgotten() -> None:
    """What draws with pyqtgraph, or paints itself, in a tab is a :class:`ChartView`, stands above, or shows no data."""
    known = {ROOT / Path(*kind.__module__.split(".")).with_suffix(".py") for kind in OWN_PLOTS}
    drawing = set()
    for path in (ROOT / "gui" / "tabs").rglob("*.py"):
        names = {one.attr if isinstance(one, ast.Attribute) else getattr(one, "name", "")
                 for one in ast.walk(ast.parse(path.read_text(encoding="utf-8")))}  # fmt: skip
        if names & {"GraphicsLayoutWidget", "PlotWidget", "paintEvent"}:
            drawing.add(path)
    assert drawing - known == {ROOT / name for name in NO_DATA}


@pytest.fixture
def plot(qtbot: QtBot) -> pg.GraphicsLayoutWidget:
    made = pg.GraphicsLayoutWidget()
    qtbot.addWidget(made)
    made.resize(300, 200)
    inside = bare_plot(made)
    made.ci.addItem(inside)
    inside.addItem(pg.ScatterPlotItem([1.0, 2.0], [3.0, 4.0]))
    inside.setLabel("bottom", "Cost")
    made.show()
    return made


def save_from_the_menu(qtbot: QtBot, words: str, menu: QWidget) -> None:
    assert isinstance(menu, QMenu)
    entry = next(one for one in menu.actions() if one.text() == words)
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry).center())


@pytest.mark.parametrize(("kind", "ending"), [("Picture (*.png)", ".png"), ("Drawing (*.svg)", ".svg")])
def test_a_plot_is_saved_from_its_menu(
    qtbot: QtBot, plot: pg.GraphicsLayoutWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, ending: str
) -> None:
    PlotMenu(plot, "Cloud", lambda: True)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine"), kind))
    answer(partial(save_from_the_menu, qtbot, "Export…"))
    plot.customContextMenuRequested.emit(QPoint(5, 5))
    path = tmp_path / f"mine{ending}"
    if ending == ".png":
        assert QImage(str(path)).size() == 2 * plot.size()
        return
    tags = [(one.tag.rpartition("}")[2], one.text) for one in ElementTree.parse(path).getroot().iter()]
    assert ("text", "Cost") in [(tag, (text or "").strip()) for tag, text in tags]
    assert "image" not in [tag for tag, _ in tags], "points are shapes"


def test_a_plan_that_masks_its_prices_lets_no_plot_leave(
    qtbot: QtBot, plot: pg.GraphicsLayoutWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    menu = PlotMenu(plot, "Cloud", lambda: False)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine.png"), ""))
    menu.ask_and_save()
    menu.copy()
    assert list(tmp_path.iterdir()) == [] and QGuiApplication.clipboard().text() == KEPT


def test_a_folder_that_is_not_there_is_told(plot: pg.GraphicsLayoutWidget, tmp_path: Path) -> None:
    with pytest.raises(MachineError):
        save_widget(plot, "Cloud", tmp_path / "gone" / "mine.png")
