"""The time axis under the plots prints its own unit, whichever log was shown before."""

from collections.abc import Iterator
from datetime import UTC, datetime

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.plan.imports import kept, with_logs
from core.plan.sample_plan import sample_plan
from gui.session.plan_session import PlanSession
from gui.tabs.calibrate.panel import CalibratePanel
from gui.theme.manager import ThemeManager
from tests.core.calibration.own_logs.made import machine, training

NOW = datetime(2026, 11, 21, tzinfo=UTC)


@pytest.fixture
def panel(qtbot: QtBot, qapp: QApplication) -> Iterator[CalibratePanel]:
    records = (machine([50.0], power_w=[300.0]), training(np.full(50, 137.0), np.full(50, 120.0)))
    session = PlanSession(with_logs(sample_plan(), [kept(one, "", NOW) for one in records]), load_catalogue())
    made = CalibratePanel(session, ThemeManager(qapp, "light"))
    qtbot.addWidget(made)
    made.resize(1280, 700)
    made.show()
    yield made
    made.close_panel()
    session.close()


@pytest.mark.parametrize("order", [("log-1", "log-2"), ("log-2", "log-1", "log-2")])
def test_minutes_are_printed_as_minutes(qtbot: QtBot, panel: CalibratePanel, order: tuple[str, ...]) -> None:
    for log_id in order:
        with qtbot.waitSignal(panel.proposed):
            panel.show_log(log_id)
    axis = panel.timeline.plots.plots[-1].getAxis("bottom")
    assert axis.label.toPlainText().strip() == "Minutes since the start of the log"
    assert axis.scale * axis.autoSIPrefixScale == pytest.approx(1 / 60)
