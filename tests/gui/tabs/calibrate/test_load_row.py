"""The mean load of a server's log becomes the workload's."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.plan.imports import kept, with_logs
from core.plan.sample_plan import sample_plan
from core.workload.jobs.inference import OnlineServing
from gui.session.plan_session import PlanSession
from gui.tabs.calibrate.panel import CalibratePanel
from gui.theme.manager import ThemeManager
from tests.core.calibration.own_logs.made import training
from tests.core.calibration.own_logs.test_load import DAY, server

NOW = datetime(2026, 11, 21, tzinfo=UTC)


@pytest.fixture
def panel(qtbot: QtBot, qapp: QApplication) -> Iterator[CalibratePanel]:
    records = (training([10.0] * 30, [5000.0] * 30), server([*DAY, 1000.0]))
    session = PlanSession(with_logs(sample_plan(), [kept(one, "", NOW) for one in records]), load_catalogue())
    made = CalibratePanel(session, ThemeManager(qapp, "light"))
    qtbot.addWidget(made)
    made.resize(1280, 700)
    made.show()
    yield made
    made.close_panel()
    session.close()


def _entered(panel: CalibratePanel) -> list[float]:
    jobs = [one.job for one in panel._session.plan.profiles if one.id == panel.form.profile_id]
    return [job.mean_load_pct for job in jobs if isinstance(job, OnlineServing)]


def test_the_load_of_a_day_is_entered_and_undone(qtbot: QtBot, panel: CalibratePanel) -> None:
    row = panel.summary.load
    before = _entered(panel)
    assert row.isVisible() and row.words.text().startswith("Mean 38")
    with qtbot.waitSignals([panel._session.plan_changed, panel.proposed]):
        qtbot.mouseClick(row.button, Qt.MouseButton.LeftButton)
    assert _entered(panel) == [38.0] != before and not row.button.isVisible()
    with qtbot.waitSignal(panel.proposed):
        panel._session.undo_stack.undo()
    assert _entered(panel) == before and row.button.isVisible()


def test_a_training_run_has_no_load(qtbot: QtBot, panel: CalibratePanel) -> None:
    with qtbot.waitSignal(panel.proposed):
        panel.show_log("log-1")
    assert not panel.summary.load.isVisible()
