"""The tabs hear what their contents wish for."""

import pytest
from PySide6.QtCore import Qt
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
