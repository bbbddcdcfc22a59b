"""A person's way through every tab and page with the real engine, which never runs on the GUI thread."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.plan.sample_plan import sample_plan
from core.throughput.predict import predict
from core.workload.profile import Profile
from gui.charts.registry import pages_of
from gui.session.file_session import FileSession
from gui.session.plan_session import PlanSession
from gui.settings import Settings
from gui.tabs.calibrate.panel import PUBLISHED, CalibratePanel
from gui.tabs.cost.panel import CostPanel
from gui.tabs.registry import TABS
from gui.tabs.report.panel import ReportPanel
from gui.window.main_window import MainWindow
from tests.gui.engine_guard import guarded
from tests.gui.sample_session import themes
from tests.repository_files import ROOT

LOG = ROOT / "tests" / "data" / "logs" / "h100-node07.csv"
PATIENCE_MS = 30_000


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    """A window on the sample plan that evaluates for real."""
    settings, session = Settings(theme="light"), PlanSession(sample_plan(), load_catalogue())
    made = MainWindow(session, FileSession(session, settings), themes(), settings)
    with qtbot.waitSignal(session.results_changed, timeout=PATIENCE_MS):
        made.show()
    yield made
    session.undo_stack.setClean()
    made.close()
    made.deleteLater()


def test_the_guard_knows_the_window_from_a_test() -> None:
    assert predict(Profile(), []) == [], "a test may enter"
    room = {"__name__": "gui.tabs.cost.panel", "predict": predict}
    with pytest.raises(AssertionError, match="the GUI thread entered core.throughput.predict.predict"):
        exec("predict()", room)  # as code of that room would
    with pytest.raises(AssertionError, match="the GUI thread entered"):
        exec("door()", {"__name__": "gui.session.plan_session", "door": guarded(print)})


def test_every_tab_and_page_opens(qtbot: QtBot, window: MainWindow) -> None:
    faults: list[object] = []
    window.session.crashed.connect(faults.append)
    window.show_bottom("jobs")
    for panel in TABS:
        window.tabs.show_tab(panel.id)
        qtbot.waitUntil(lambda: not window.session.road.listed, timeout=PATIENCE_MS)
    report = window.tabs.panel("report")
    assert isinstance(report, ReportPanel)
    qtbot.waitUntil(lambda: len(report.preview.sheets) > 10, timeout=PATIENCE_MS)
    cost = window.tabs.panel("cost")
    assert isinstance(cost, CostPanel)
    window.tabs.show_tab("cost")
    for view in pages_of("cost"):
        cost.show_view(view)
        qtbot.waitUntil(lambda: all(not c.figure.empty and not c.stale for c in cost.charts()), timeout=PATIENCE_MS)
    assert faults == []


def test_another_candidate_and_another_workload_ask_anew(qtbot: QtBot, window: MainWindow) -> None:
    window.tabs.show_tab("cost")
    cost = window.tabs.panel("cost")
    assert isinstance(cost, CostPanel)
    cost.show_view("Chips")
    chart = cost.by_id["chips-days-cost"]
    qtbot.waitUntil(
        lambda: bool(chart.figure.rows) and not chart.stale,
        timeout=PATIENCE_MS,
    )
    before = chart.figure
    results = window.session.results
    assert results is not None
    window.session.select(next(one.id for one in results.best_per_accelerator if one.id != results.choice.id))  # type: ignore[union-attr]
    assert chart.stale and chart.figure is before, "the one before stays, faded, until the new one is there"
    qtbot.waitUntil(lambda: not chart.stale, timeout=PATIENCE_MS)
    assert chart.figure.subtitle != before.subtitle
    with qtbot.waitSignal(window.session.results_changed, timeout=PATIENCE_MS):
        window.session.show_profile(1)
    qtbot.waitUntil(lambda: not chart.stale, timeout=PATIENCE_MS)


def test_a_log_is_read_predicted_and_accepted(qtbot: QtBot, window: MainWindow) -> None:
    window.incoming.take(LOG)
    panel = window.tabs.calibrate()
    assert isinstance(panel, CalibratePanel)
    qtbot.waitUntil(lambda: panel.proposal is not None, timeout=PATIENCE_MS)
    with qtbot.waitSignal(window.session.results_changed, timeout=PATIENCE_MS):
        panel.log_page.accept()
    with qtbot.waitSignal(panel.published.shown, timeout=PATIENCE_MS):
        panel.kinds.setCurrentIndex(PUBLISHED)


def test_the_pdf_is_made_while_the_window_lives(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "plan.pdf"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    titles: list[str] = []
    window.session.road.changed.connect(lambda: titles.extend(work.title for work in window.session.road.listed))
    with qtbot.waitSignal(window.exporter.written, timeout=PATIENCE_MS):
        window.commands.qt("export-pdf").trigger()
        assert not path.exists()
    assert path.read_bytes().startswith(b"%PDF-")
    assert list(dict.fromkeys(titles)) == ["Evaluating workloads for plan.pdf", "Writing plan.pdf"]


def test_closing_waits_for_a_pdf_that_was_asked_for(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.exporter.export(tmp_path / "late")
    window.close()
    assert (tmp_path / "late.pdf").read_bytes().startswith(b"%PDF-")
