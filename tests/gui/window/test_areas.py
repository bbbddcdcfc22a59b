"""The areas of the window keep the room they need."""

from __future__ import annotations

from PySide6.QtCore import Qt
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
