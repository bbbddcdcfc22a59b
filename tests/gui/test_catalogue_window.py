"""The ways to the Catalogue tab in the whole window, where its wishes are answered."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from core.catalogue.load import load_catalogue
from core.plan.plan import Plan
from core.plan.samples import sample_plan
from gui.panels.catalogue import CataloguePanel
from gui.session.plan_session import PlanSession
from tests.gui.conftest import WindowMaker
from tests.gui.sample_session import themes


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


def test_without_a_plan_the_status_line_names_the_catalogue_and_leads_nowhere(open_window: WindowMaker) -> None:
    button = open_window(Plan(id="empty", profiles=())).findChild(QPushButton, "status-catalogue")
    assert isinstance(button, QPushButton)
    assert button.text().startswith("Catalogue ") and not button.isEnabled()


def test_the_lists_are_there_before_any_answer(qtbot: QtBot) -> None:
    session = PlanSession(sample_plan(), load_catalogue())
    panel = CataloguePanel(session, themes())
    qtbot.addWidget(panel)
    panel.show()
    assert session.results is None
    assert panel.table.entries.rowCount() == len(session.catalogue.accelerators)
    session.close()
