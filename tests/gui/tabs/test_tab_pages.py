"""The tabs hear what their contents wish for."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from core.plan.sample_plan import sample_plan
from gui.tabs.describe.panel import DescribePanel
from gui.tabs.tab_pages import TabPages
from tests.gui.conftest import WindowMaker


def test_a_wish_for_another_tab_is_heard_once(
    qtbot: QtBot, open_window: WindowMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    monkeypatch.setattr(TabPages, "show_tab", lambda _, panel_id: heard.append(panel_id))
    window = open_window(sample_plan())
    panel = window.tabs.panel("describe")
    assert isinstance(panel, DescribePanel)
    heard.clear()
    qtbot.mouseClick(panel.chart.compare, Qt.MouseButton.LeftButton)
    assert heard == ["compare"]


@pytest.mark.parametrize("width_px", [960, 1024, 1280])
def test_no_tab_is_scrolled_away_in_half_of_a_screen(open_window: WindowMaker, width_px: int) -> None:
    """In a window 960 px wide Report was behind two empty buttons."""
    window = open_window(sample_plan())
    strip = window.tabs.strip
    for width in (width_px, 1440, width_px):
        window.resize(width, 700)
        QApplication.processEvents()
    assert strip.tabRect(strip.count() - 1).right() <= strip.width()
    assert not any(one.isVisible() for one in strip.findChildren(QToolButton))
