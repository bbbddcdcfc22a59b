"""The ways to the Catalogue tab in the whole window, where its wishes are answered."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from gui.session.plan_session import PlanSession
from gui.tabs.catalogue.panel import CataloguePanel
from tests.gui.conftest import WindowMaker
from tests.gui.dialogs.prices.test_own_entries import write
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


def test_add_correct_and_remove_do_so_in_the_plan(qtbot: QtBot, open_window: WindowMaker) -> None:
    window = open_window(sample_plan())
    window.tabs.show_tab("catalogue")
    panel = window.tabs.panel("catalogue")
    assert isinstance(panel, CataloguePanel)
    qtbot.mouseClick(panel.head.add, Qt.MouseButton.LeftButton)
    assert window.prices.dialog.windowTitle() == "Add a chip"
    window.prices.dialog.reject()
    panel.head.show_view("hosts")
    host = panel.table.entry
    qtbot.mouseClick(panel.detail.correct, Qt.MouseButton.LeftButton)
    assert window.prices.dialog.windowTitle() == "Correct this host"
    write(window.prices.dialog, "source", "Read on the machine")
    window.prices.dialog.accept()
    own = window.session.plan.own.hosts
    assert [(one.provider, one.instance) for one in own] == [(host.provider, host.instance)]
    assert panel.table.entry.layer == "plan" and panel.detail.remove.isVisible()
    qtbot.mouseClick(panel.detail.remove, Qt.MouseButton.LeftButton)
    assert window.session.plan.own.hosts == () and panel.table.entry.layer == "catalogue"
