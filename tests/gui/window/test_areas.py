"""The areas of the window keep the room they need."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.plan.sample_plan import sample_plan
from gui.tabs.registry import TABS
from gui.tabs.what_if.panel import WhatIfPanel
from tests.gui.conftest import WindowMaker

ON_TOOLBAR = {
    "menu", "plan-name", "example-badge", "toolbar-undo", "toolbar-redo", "scenario-label", "scenario",
    "toolbar-add-scenario", "search", "palette-keys", "toolbar-toggle-theme", "export-pdf",
}  # fmt: skip


def test_nothing_squeezes_the_project_dock_below_what_can_be_read(open_window: WindowMaker, qtbot: QtBot) -> None:
    window = open_window(sample_plan())
    window.resize(1300, 800)
    usual_px = window.themes.theme.widths_px["project_dock"]
    window.resizeDocks([window.project_dock], [40], Qt.Orientation.Horizontal)
    QApplication.processEvents()
    assert window.project_dock.width() == usual_px
    window.resizeDocks([window.project_dock], [220], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: window.project_dock.width() == 220)


@pytest.mark.parametrize("size_px", [(1024, 700), (1280, 800), (1440, 900)])
def test_the_project_dock_keeps_its_width_while_the_table_shows_all(
    open_window: WindowMaker, qtbot: QtBot, size_px: tuple[int, int]
) -> None:
    window = open_window(sample_plan())
    window.resize(*size_px)
    window.tabs.show_tab("compare")
    usual_px = window.themes.theme.widths_px["project_dock"]
    qtbot.waitUntil(lambda: window.project_dock.width() == usual_px)
    button = window.findChild(QPushButton, "show-all")
    assert button is not None
    for _ in ("show all", "show best"):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        QApplication.processEvents()
        assert window.project_dock.width() == usual_px
        assert window.tabs.minimumSizeHint().width() <= window.tabs.width()
    with qtbot.waitSignal(window.session.results_changed):
        window.files.new()
    QApplication.processEvents()
    assert window.project_dock.width() == usual_px


def test_half_of_a_screen_has_room_for_every_tab(open_window: WindowMaker, qtbot: QtBot) -> None:
    """In a window 960 px wide What-if squeezed the project dock to 30 px, and it stayed so on all tabs."""
    window = open_window(sample_plan())
    window.resize(960, 700)
    usual_px = window.themes.theme.widths_px["project_dock"]
    window.tabs.show_tab("what_if")
    what_if = window.tabs.content.currentWidget()
    assert isinstance(what_if, WhatIfPanel)
    for number in range(what_if.views.count()):  # its pages are built when they are seen
        what_if.views.setCurrentIndex(number)
    for tab in TABS:
        window.tabs.show_tab(tab.id)
        QApplication.processEvents()
        assert (window.tabs.minimumSizeHint().width() <= window.tabs.width(), tab.id) == (True, tab.id)
        assert (window.project_dock.width(), tab.id) == (usual_px, tab.id)


@pytest.mark.parametrize("width_px", [960, 1024, 1100, 1280, 1440])
def test_nothing_on_the_toolbar_stands_over_another(open_window: WindowMaker, qtbot: QtBot, width_px: int) -> None:
    window = open_window(sample_plan().model_copy(update={"name": "A plan with a name that is rather long for a bar"}))
    window.resize(width_px, 700)
    QApplication.processEvents()
    shown = [one for one in window.toolbar.findChildren(QWidget) if one.isVisible() and one.objectName() in ON_TOOLBAR]
    places = sorted((one.mapTo(window.toolbar, QPoint(0, 0)).x(), one.width(), one) for one in shown)
    assert {one.objectName() for *_, one in places} >= {"plan-name", "scenario", "search", "export-pdf"}
    assert [b[2].objectName() for a, b in pairwise(places) if a[0] + a[1] > b[0]] == []
    texts = [one for *_, one in places if isinstance(one, QLabel | QPushButton)]
    assert [one.objectName() for one in texts if one.width() < one.minimumSizeHint().width()] == []
    assert places[-1][0] + places[-1][1] <= window.toolbar.width()
