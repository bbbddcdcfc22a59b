"""The window as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFileDialog,
    QInputDialog,
    QLabel,
    QPushButton,
    QTabBar,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from core.plan.plan import Plan
from core.plan.sample_plan import sample_plan
from core.plan.store import load, save
from core.workload.library import load_profiles, more_profiles
from gui.frame.project_rows import ADDERS
from gui.tabs.registry import TABS
from gui.window.main_window import MainWindow
from tests.gui.conftest import WindowMaker
from tests.gui.person import answer, press

DEADLINE = "profiles.0.limits.deadline_days"


def child(window: MainWindow, kind: type[QWidget], name: str) -> QWidget:
    found = window.findChild(kind, name)
    assert found is not None, name
    return found


def text_of(window: MainWindow, name: str) -> str:
    label = child(window, QLabel, name)
    assert isinstance(label, QLabel)
    return label.text()


def click(qtbot: QtBot, window: MainWindow, kind: type[QWidget], name: str) -> None:
    qtbot.mouseClick(child(window, kind, name), Qt.MouseButton.LeftButton)


def drop(window: MainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, buttons, keys))
    QApplication.processEvents()


def test_the_verdict_says_pick_and_figures(window: MainWindow) -> None:
    assert text_of(window, "verdict-headline") == "256 × B200 fits this plan best"
    for kpi in ("cost", "finish", "in-limits", "chance-best", "regret"):
        assert child(window, QWidget, f"kpi-{kpi}").isVisible()
    assert "Cost: $1.48" in child(window, QWidget, "kpi-cost").accessibleName()
    assert child(window, QLabel, "example-badge").isVisible()


def test_title_follows_what_is_unsaved(window: MainWindow) -> None:
    assert window.windowTitle() == "Llama 3 70B plan[*] - Roofplan"
    assert not window.isWindowModified()
    window.session.edit(DEADLINE, 41)
    assert window.isWindowModified()
    window.session.undo_stack.undo()
    assert not window.isWindowModified()


def test_undo_and_redo_buttons(qtbot: QtBot, window: MainWindow) -> None:
    undo, redo = child(window, QToolButton, "toolbar-undo"), child(window, QToolButton, "toolbar-redo")
    assert not undo.isEnabled()
    window.session.edit(DEADLINE, 41)
    assert undo.isEnabled()
    qtbot.mouseClick(undo, Qt.MouseButton.LeftButton)
    assert window.session.plan.profiles[0].limits.deadline_days == 60
    qtbot.mouseClick(redo, Qt.MouseButton.LeftButton)
    assert window.session.plan.profiles[0].limits.deadline_days == 41


def test_undo_by_keyboard(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    window.session.edit(DEADLINE, 41)
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.session.plan.profiles[0].limits.deadline_days == 60)


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6])
def test_tabs_by_keyboard(qtbot: QtBot, window: MainWindow, number: int) -> None:
    qtbot.keyClick(window, Qt.Key(Qt.Key.Key_0 + number), Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.tabs.shown == TABS[number - 1].id)
    assert window.tabs.content.currentWidget() is window.tabs.panel(TABS[number - 1].id)


def test_switching_workload_shows_its_figures(qtbot: QtBot, window: MainWindow) -> None:
    view = window.project.view
    row = next(i for i in range(view.model().rowCount()) if view.model().index(i, 0).data() == "Chat serving 70B")
    with qtbot.waitSignal(window.session.results_changed):
        qtbot.mouseClick(
            view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.model().index(row, 0)).center()
        )
    assert window.session.profile_index == 1
    assert "Cost per month" in child(window, QWidget, "kpi-cost").accessibleName()


def test_scenario_by_the_list(qtbot: QtBot, window: MainWindow) -> None:
    box = child(window, QComboBox, "scenario")
    assert isinstance(box, QComboBox)
    assert [box.itemText(i) for i in range(box.count())] == [one.name for one in window.session.plan.scenarios]
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert window.session.scenario_id == window.session.plan.scenarios[1].id


def test_adding_a_scenario_is_one_step(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("Half use", True))
    window.commands.qt("add-scenario").trigger()
    assert window.session.plan.scenarios[-1].name == "Half use"
    assert window.session.scenario_id == window.session.plan.scenarios[-1].id
    window.session.undo_stack.undo()
    assert all(one.name != "Half use" for one in window.session.plan.scenarios)
    assert window.session.scenario_id == "base"


def test_adding_a_workload_shows_it(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QInputDialog, "getItem", lambda *_: ("Empty workload", True))
    window.parts.add_workload()
    assert window.session.profile_index == 2
    assert window.session.undo_stack.undoText() == "Add workload"


def test_rename_duplicate_and_delete_a_workload(window: MainWindow) -> None:
    panel = window.project
    index = panel.view.model().index(1, 0)
    panel.view.model().setData(index, "Big run")
    assert window.session.plan.profiles[0].name == "Big run"
    row = panel.row(panel.view.model().index(1, 0))
    assert row is not None
    panel.duplicate(row)
    assert [profile.name for profile in window.session.plan.profiles][-1] == "Big run 2"
    panel.delete(row)
    assert all(profile.name != "Big run" for profile in window.session.plan.profiles)
    for _ in range(3):
        window.session.undo_stack.undo()
    assert window.session.plan == sample_plan()


def test_the_menu_of_a_row(window: MainWindow) -> None:
    model = window.project.view.model()
    menu = window.project.menu(model.index(1, 0))
    assert menu is not None
    assert [action.text() for action in menu.actions()] == ["Rename", "Duplicate", "Delete"]
    assert window.project.menu(model.index(0, 0)) is None


def test_nothing_is_added_to_what_is_open_read_only(window: MainWindow) -> None:
    asked: list[str] = []
    panel, session = window.project, window.session
    model = panel.view.model()
    kinds = [row.kind for at in range(model.rowCount()) if (row := panel.row(model.index(at, 0)))]
    rows = {kind: kinds.index(kind) for kind in kinds if kind in (*ADDERS, "workload")}
    assert len(rows) == 4
    for wish in (panel.add_workload_wanted, panel.prices_wanted, panel.import_wanted):
        wish.connect(lambda: asked.append("wish"))
    enabled = {kind: bool(model.flags(model.index(at, 0)) & Qt.ItemFlag.ItemIsEnabled) for kind, at in rows.items()}
    assert all(enabled.values())
    session.is_read_only = True
    session.plan_changed.emit()
    for kind, at in rows.items():
        index = model.index(at, 0)
        assert bool(model.flags(index) & Qt.ItemFlag.ItemIsEnabled) is (kind == "workload"), kind
        panel.activate(index)
        assert panel.menu(index) is None
        assert kind == "workload" or "read-only" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert asked == []
    session.is_read_only = False
    session.plan_changed.emit()
    assert model.flags(model.index(rows["workload"], 0)) & Qt.ItemFlag.ItemIsEditable


def test_theme_changes_and_is_remembered(qtbot: QtBot, window: MainWindow) -> None:
    click(qtbot, window, QToolButton, "toolbar-toggle-theme")
    assert window.themes.theme.is_dark
    assert window.settings.theme == "dark"
    click(qtbot, window, QToolButton, "toolbar-toggle-theme")
    assert not window.themes.theme.is_dark


def test_bottom_dock_opens_from_the_status_line(qtbot: QtBot, window: MainWindow) -> None:
    assert not window.bottom_dock.isVisible()
    click(qtbot, window, QPushButton, "status-history")
    assert window.bottom_dock.isVisible()
    assert window.bottom.shows("history")
    click(qtbot, window, QPushButton, "status-history")
    assert not window.bottom_dock.isVisible()


def test_problems_are_counted_and_listed(window: MainWindow) -> None:
    window.session.report(DEADLINE, "Deadline: expected a number")
    button = child(window, QPushButton, "status-problems")
    assert isinstance(button, QPushButton)
    assert button.text() == "1 problem"
    assert window.bottom.problems.item(0).text() == "Deadline: expected a number"


def test_why_docks_on_wide_windows_and_folds_on_narrow_ones(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1440, 900)
    qtbot.waitUntil(lambda: window.why.dock.isVisible())
    assert not window.why.handle.isVisible()
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: not window.why.dock.isVisible())
    assert window.why.handle.isVisible()
    qtbot.mouseClick(window.why.handle, Qt.MouseButton.LeftButton)
    assert window.why.overlay.isVisible()
    qtbot.keyClick(window.why.overlay, Qt.Key.Key_Escape)
    assert not window.why.overlay.isVisible()


def test_f6_goes_round_the_areas(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    seen = set()
    for _ in range(6):
        window.next_area()
        focused = window.focusWidget()
        seen.add(focused.objectName() if focused else "")
    assert len(seen) >= 5, seen


def test_closing_asks_about_unsaved_changes(qtbot: QtBot, window: MainWindow) -> None:
    window.session.edit(DEADLINE, 41)
    answer(press("Cancel"))
    assert not window.close()
    assert window.isVisible()


def test_saving_from_the_question(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept.roofplan"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    window.session.edit(DEADLINE, 41)
    answer(press("Save"))
    window.commands.qt("new").trigger()
    assert load(path).profiles[0].limits.deadline_days == 41
    assert window.session.plan.name == "Untitled plan"


def test_a_plan_that_refuses_is_told_without_a_dialog(window: MainWindow, tmp_path: Path) -> None:
    bad = tmp_path / "bad.roofplan"
    bad.write_text("x")
    drop(window, bad)
    assert window.message.isVisible()
    assert "bad.roofplan" in window.message.text.text()
    assert window.session.plan.name == "Llama 3 70B plan"


def test_a_dropped_plan_opens(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    other = sample_plan().model_copy(update={"name": "Other", "is_sample": False})
    save(other, tmp_path / "other.roofplan")
    with qtbot.waitSignal(window.session.results_changed):
        drop(window, tmp_path / "other.roofplan")
    assert window.windowTitle() == "other[*] - Roofplan"
    assert not child(window, QLabel, "example-badge").isVisible()


def test_a_dropped_config_becomes_the_model(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text(
        json.dumps(
            {
                "model_type": "llama",
                "architectures": ["LlamaForCausalLM"],
                "hidden_size": 4096,
                "intermediate_size": 14336,
                "num_hidden_layers": 32,
                "num_attention_heads": 32,
                "num_key_value_heads": 8,
                "vocab_size": 128256,
            }
        )
    )
    drop(window, config)
    assert window.session.plan.profiles[0].model.n_layers == 32, window.message.text.text()
    assert window.session.undo_stack.undoText() == "Model from config.json"
    said = child(window, QLabel, "message-model")
    assert window.tabs.shown == "describe"
    assert said.isVisible() and said.text().startswith("Read config.json: llama, 32 layers")


def test_the_start_page_opens_the_sample(qtbot: QtBot, open_window: WindowMaker) -> None:
    window = open_window(Plan(id="none"))
    assert window.windowTitle() == "Roofplan"
    assert not window.verdict.isVisible()
    with qtbot.waitSignal(window.session.results_changed, check_params_cb=None):
        click(qtbot, window, QPushButton, "start-sample")
    qtbot.waitUntil(lambda: window.session.results is not None)
    assert window.session.plan.is_sample
    assert window.verdict.isVisible()
    assert window.files.path is None


def test_the_start_page_begins_a_shipped_workload(qtbot: QtBot, open_window: WindowMaker) -> None:
    window = open_window(Plan(id="none"))
    buttons = [b for b in window.start_page.findChildren(QPushButton) if b.objectName().startswith("start-new-")]
    assert len(buttons) > 1
    template = next(b for b in buttons if b.objectName() == "start-new-chat-serving-8b")
    words = template.text()
    qtbot.mouseClick(template, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.results is not None)
    assert window.session.plan.profiles[0].name == words


def test_the_start_page_opens_the_example_of_shared_chips_at_its_page(qtbot: QtBot, open_window: WindowMaker) -> None:
    window = open_window(Plan(id="none"))
    click(qtbot, window, QPushButton, "start-eight-models")
    assert len(window.session.plan.profiles) == 8 and window.files.path is None
    assert window.tabs.shown == "over_time"
    assert child(window, QTabBar, "over-time-views").currentIndex() == 1


def test_the_start_page_offers_every_shipped_workload_under_its_kind_of_job(open_window: WindowMaker) -> None:
    window = open_window(Plan(id="none"))
    shipped = load_profiles() | more_profiles()
    for name, profile in shipped.items():
        button = child(window, QPushButton, f"start-new-{name}")
        titles = [one.text() for one in button.parentWidget().findChildren(QLabel) if "start-title" in one.objectName()]
        assert titles == [profile.job.words.kind]


def test_the_layout_is_remembered(open_window: WindowMaker) -> None:
    window = open_window(sample_plan())
    window.resize(1333, 777)
    window.bottom_dock.show()
    settings = window.settings
    window.close()
    assert settings.geometry
    assert settings.layout


def test_a_new_plan_opens_on_describe(window: MainWindow) -> None:
    window.tabs.show_tab("cost")
    window.new_plan("chat-serving-8b")
    assert window.session.plan.profiles[0].id == "chat-serving-8b"
    assert window.tabs.shown == "describe"


def test_a_plan_that_stays_keeps_its_tab(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    window.session.edit(DEADLINE, 41)
    window.tabs.show_tab("cost")
    monkeypatch.setattr("gui.dialogs.files.ask_unsaved", lambda *_: "cancel")
    window.new_plan("chat-serving-8b")
    assert window.tabs.shown == "cost"
    assert window.session.profile is not None and window.session.profile.limits.deadline_days == 41
