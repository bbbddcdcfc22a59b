"""The ways to the Catalogue tab in the whole window, where its wishes are answered."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from core.plan.samples import sample_plan
from gui.panels.catalogue import CataloguePanel
from tests.gui.conftest import WindowMaker


def test_dock_and_status_line_open_the_tab(qtbot: QtBot, open_window: WindowMaker) -> None:
    window = open_window(sample_plan())
    button = window.findChild(QPushButton, "status-catalogue")
    assert isinstance(button, QPushButton)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.tabs.shown == "catalogue"
    panel = window.tabs.panel("catalogue")
    assert isinstance(panel, CataloguePanel) and panel.head.add.isVisible() and panel.detail.correct.isVisible()
    window.tabs.show_tab("compare")
    window.project.catalogue_wanted.emit()
    assert window.tabs.shown == "catalogue"
