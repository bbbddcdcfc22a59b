"""A training log read with the monitor's log of its chips: chosen, moved, taken apart, undone."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.plan.imports import kept, with_logs, without_log
from core.plan.sample_plan import sample_plan
from gui.session.plan_session import PlanSession
from gui.tabs.calibrate.panel import CalibratePanel
from gui.theme.manager import ThemeManager
from tests.core.calibration.own_logs.made import machine, training

NOW = datetime(2026, 11, 21, tzinfo=UTC)


@pytest.fixture
def panel(qtbot: QtBot, qapp: QApplication) -> Iterator[CalibratePanel]:
    """30 steps of 10 s; the monitor began a minute before and went on for 40 s, and prints no time zone."""
    run = replace(
        training(np.full(30, 10.0), np.full(30, 5000.0)), start="2025-10-15T08:01:10Z", accelerator=None,
        accelerator_id=None, n_accelerators=None,
    )  # fmt: skip
    use = np.concatenate((np.zeros(60), np.full(300, 98.0), np.zeros(40)))
    both = np.stack((use, use), axis=1)
    chips = replace(machine(both, power_w=6.0 * both + 60.0), start="2025/10/15 10:00:00.000")
    plan = with_logs(sample_plan(), [kept(chips, "", NOW), kept(run, "", NOW)])
    session = PlanSession(plan, load_catalogue())
    made = CalibratePanel(session, ThemeManager(qapp, "light"))
    qtbot.addWidget(made)
    made.resize(1280, 700)
    made.show()
    yield made
    made.close_panel()
    session.close()


def _note(panel: CalibratePanel) -> str:
    label = panel.findChild(QLabel, "join-note")
    assert label is not None
    return label.text()


def _choose(qtbot: QtBot, panel: CalibratePanel, index: int) -> None:
    row = panel.log_page.join
    row.chips.setFocus()
    with qtbot.waitSignals([panel._session.plan_changed, panel.proposed]):
        row.chips.setCurrentIndex(index)
        row.chips.activated.emit(index)


def test_a_run_and_its_chips_are_one_timeline_and_undo_parts_them(qtbot: QtBot, panel: CalibratePanel) -> None:
    row = panel.log_page.join
    assert row.isVisible() and row.chips.count() == 2 and not row.begins.isEnabled()
    assert {one.name for one in panel.timeline.rows} == {"tokens_per_s_per_chip", "step_time_s"}
    _choose(qtbot, panel, 1)
    assert {one.name for one in panel.timeline.rows} == {
        "tokens_per_s_per_chip", "utilization_pct", "power_w", "step_time_s",
    }  # fmt: skip
    assert row.begins.text() == "\u221260" and "moved by -2 h" in _note(panel)
    assert "Covers the run; 1 min before it and 0.65 min after it left out." in _note(panel).replace("\u202f", " ")
    assert (panel.form.count.text(), panel.form.chip.currentText()) == ("2", "H100 SXM")
    assert panel.findChild(QLabel, "fact-file").text() == "train.log + node.csv"
    with qtbot.waitSignal(panel.proposed):
        panel._session.undo_stack.undo()
    assert row.chips.currentIndex() == 0 and panel.log_page.log.chips_log_id == ""


def test_the_chips_readings_are_moved_by_hand(qtbot: QtBot, panel: CalibratePanel) -> None:
    row = panel.log_page.join
    _choose(qtbot, panel, 1)
    row.begins.selectAll()
    with qtbot.waitSignals([panel._session.plan_changed, panel.proposed]):
        qtbot.keyClicks(row.begins, "150")
        qtbot.keyClick(row.begins, Qt.Key.Key_Return)
    assert panel.log_page.log.chips_begin_s == 150.0
    assert _note(panel).startswith("Entered by you. Covers 50 % of the run")
    row.begins.selectAll()
    qtbot.keyClicks(row.begins, "soon")
    qtbot.keyClick(row.begins, Qt.Key.Key_Return)
    assert row.begins.text() == "150", "no number: what was there stays"
    row.begins.selectAll()
    with qtbot.waitSignals([panel._session.plan_changed, panel.proposed]):
        qtbot.keyClicks(row.begins, "9000")
        qtbot.keyClick(row.begins, Qt.Key.Key_Return)
    assert "do not meet the run" in _note(panel)


def test_a_monitors_log_that_goes_leaves_the_run_alone(qtbot: QtBot, panel: CalibratePanel) -> None:
    _choose(qtbot, panel, 1)
    session = panel._session
    with qtbot.waitSignals([session.plan_changed, panel.proposed]):
        session.replace_plan(without_log(session.plan, "log-1"), "Discard node.csv")
    assert not panel.log_page.join.isVisible() and panel.log_page.log.chips_log_id == ""


def test_a_monitors_own_page_asks_for_no_other(qtbot: QtBot, panel: CalibratePanel) -> None:
    with qtbot.waitSignal(panel.proposed):
        panel.show_log("log-1")
    assert not panel.log_page.join.isVisible()
