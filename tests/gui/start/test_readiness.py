"""What a waiting program is told, and when."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.plan.plan import Plan
from core.workload.profile import Profile
from gui.session.plan_session import PlanSession
from gui.start.readiness import announce
from gui.start.ready_file import VARIABLE
from tests.gui.sample_results import sample_results

PROFILE = Profile()


@pytest.fixture
def session(qtbot: QtBot) -> PlanSession:
    made = PlanSession(Plan(id="p", profiles=(PROFILE,)), load_catalogue(), lambda *_: sample_results())
    yield made
    made.close()


def test_window_and_results_are_told_in_order(
    qtbot: QtBot, session: PlanSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "told"
    monkeypatch.setenv(VARIABLE, str(told))
    window = QLabel("a window")
    window.setWindowTitle("My plan - Roofplan")
    qtbot.addWidget(window)
    announce(window, session)
    window.show()
    qtbot.waitUntil(told.exists)
    session.start()
    qtbot.waitUntil(lambda: "results" in told.read_text())
    n_results = len(sample_results().results)
    assert told.read_text().splitlines() == ["window My plan - Roofplan", f"results {n_results}"]


def test_nothing_is_written_unasked(
    qtbot: QtBot, session: PlanSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    window = QLabel("a window")
    qtbot.addWidget(window)
    announce(window, session)
    with qtbot.waitExposed(window):
        window.show()
    assert [path.name for path in tmp_path.iterdir() if path.name != "roofplan-home"] == []
