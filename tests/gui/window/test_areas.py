"""The areas of the window keep the room they need."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from core.plan.sample_plan import sample_plan
from tests.gui.conftest import WindowMaker


def test_the_project_dock_comes_back_when_a_narrow_window_grows(open_window: WindowMaker, qtbot: QtBot) -> None:
    window = open_window(sample_plan())
    window.resize(1300, 800)
    usual = window.themes.theme.widths_px["project_dock"]
    window.resizeDocks([window.project_dock], [40], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: window.project_dock.width() < usual)
    window.resize(1400, 800)
    qtbot.waitUntil(lambda: window.project_dock.width() == usual)


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
