"""The Calibrate tab, driven like a person: import, look, accept, undo, discard, bad files."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.plan.sample_plan import sample_plan
from core.ranges import Evidence
from gui.session.plan_session import PlanSession
from gui.tabs.calibrate.panel import CalibratePanel
from gui.theme.manager import ThemeManager
from tests.repository_files import ROOT

LOGS = ROOT / "tests" / "data" / "logs"


@pytest.fixture
def panel(qtbot: QtBot, qapp: QApplication) -> Iterator[CalibratePanel]:
    session = PlanSession(sample_plan(), load_catalogue())
    made = CalibratePanel(session, ThemeManager(qapp, "light"))
    qtbot.addWidget(made)
    made.resize(1100, 620)
    made.show()
    yield made
    made.close_panel()
    session.close()


def _imported(qtbot: QtBot, panel: CalibratePanel, name: str) -> None:
    with qtbot.waitSignals([panel._session.plan_changed, panel.proposed]):
        panel.import_file(LOGS / name)


def _text(panel: CalibratePanel, name: str) -> str:
    label = panel.findChild(QLabel, name)
    assert label is not None
    return label.text()


def _click(qtbot: QtBot, panel: CalibratePanel, name: str) -> None:
    button = panel.findChild(QPushButton, name)
    assert button is not None and button.isEnabled(), name
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_an_imported_log_shows_its_facts_and_its_factor(qtbot: QtBot, panel: CalibratePanel) -> None:
    _imported(qtbot, panel, "h100-node07.csv")
    assert _text(panel, "fact-rows") == "969, 0 skipped"
    assert panel.facts.chip.currentText() == "H100 SXM"
    assert panel.facts.count.text() == "8"
    assert _text(panel, "calibration-factor").startswith("Speed factor for H100 SXM: 0.9")
    assert _text(panel, "steady-window").startswith("Steady window 8–111 min")
    assert panel.timeline.charts[0].summary().startswith("Utilisation, %: mean 9")


def test_accepting_moves_the_predictions_of_that_chip_and_undo_brings_them_back(
    qtbot: QtBot, panel: CalibratePanel
) -> None:
    session = panel._session
    with qtbot.waitSignal(session.results_changed, timeout=20_000):
        session.start()
    before = _h100_speed(session)
    _imported(qtbot, panel, "h100-node07.csv")
    with qtbot.waitSignal(session.results_changed, timeout=20_000, check_params_cb=None):
        _click(qtbot, panel, "accept-calibration")
    qtbot.waitUntil(lambda: not session.is_busy, timeout=20_000)
    factor = session.plan.calibrations[0].factor
    assert _h100_speed(session) == pytest.approx(before * factor)
    evidence = {r.candidate.accelerator.id: r.evidence for r in session.results.results if r.throughput.fits}
    assert evidence["h100-sxm"] is Evidence.MEASURED_HERE
    assert evidence["h200-sxm"] is Evidence.TRANSFERRED
    assert not panel.footer.accept.isEnabled()
    with qtbot.waitSignal(panel.proposed):
        session.undo_stack.undo()
    qtbot.waitUntil(lambda: not session.is_busy, timeout=20_000)
    assert _h100_speed(session) == pytest.approx(before)
    assert panel.footer.accept.isEnabled()


def _h100_speed(session: PlanSession) -> float:
    """Fastest H100 per chip: every candidate of the chip moves by the same factor."""
    assert session.results is not None
    found = [
        r.throughput.tokens_per_s.likely / r.candidate.n_chips
        for r in session.results.results
        if r.candidate.accelerator.id == "h100-sxm" and r.throughput.fits and r.candidate.n_chips == 512
    ]
    return max(found)


def test_discarding_takes_the_log_away_and_undo_brings_it_back(qtbot: QtBot, panel: CalibratePanel) -> None:
    _imported(qtbot, panel, "maxtext-v5p.log")
    _click(qtbot, panel, "discard-calibration")
    assert panel._session.plan.logs == ()
    assert panel.start.isVisible()
    panel._session.undo_stack.undo()
    assert panel._session.plan.logs[0].file_name == "maxtext-v5p.log"
    assert not panel.start.isVisible()


def test_a_typed_speed_is_used_and_a_bad_one_is_told(qtbot: QtBot, panel: CalibratePanel) -> None:
    _imported(qtbot, panel, "maxtext-v5p.log")
    speed = panel.findChild(QLineEdit, "fact-speed")
    assert speed is not None
    with qtbot.waitSignal(panel.proposed):
        qtbot.keyClicks(speed, "50k")
    assert panel.proposal is not None
    assert panel.proposal.measured_tokens_per_s == 50_000
    speed.clear()
    qtbot.keyClicks(speed, "fast")
    assert "a number above 0" in _text(panel, "calibration-detail")
    assert not panel.footer.accept.isEnabled()


def test_dragging_the_window_changes_what_is_measured(qtbot: QtBot, panel: CalibratePanel) -> None:
    _imported(qtbot, panel, "h100-node07.csv")
    assert panel.proposal is not None
    whole = panel.proposal.factor
    with qtbot.waitSignal(panel.proposed):
        panel.timeline.charts[0].limit_moved.emit("window-end", 50.0)
    assert panel.proposal.window_s == (480.0, 3000.0)
    assert panel.proposal.factor > whole


def test_a_file_that_is_no_log_gives_one_sentence_and_changes_nothing(
    qtbot: QtBot, panel: CalibratePanel, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("nothing to see\n")
    with qtbot.waitSignal(panel._session.problems_changed):
        panel.import_file(tmp_path / "notes.txt")
    assert "notes.txt: found 'nothing to see' as its first line" in _text(panel, "calibrate-message")
    assert panel._session.plan.logs == ()


def test_a_log_can_be_dropped_on_the_tab(qtbot: QtBot, panel: CalibratePanel) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(LOGS / "maxtext-v5p.log"))])
    event = QDropEvent(
        QPointF(50, 50), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    with qtbot.waitSignals([panel._session.plan_changed, panel.proposed]):
        panel.dropEvent(event)
    assert _text(panel, "calibration-factor").startswith("Speed factor for TPU v5p")


def test_reading_shows_how_far_it_is_and_can_be_stopped(qtbot: QtBot, panel: CalibratePanel) -> None:
    panel.discard()
    logs = panel._session.plan.logs
    panel.import_file(LOGS / "h100-node07.csv")
    panel.start.show_share(0.4)
    assert panel.start.button.text() == "Stop reading h100-node07.csv, 40% done"
    panel.start.button.click()
    assert panel.start.message.text() == "Reading was stopped."
    assert panel.start.button.text() == "Import log…"
    qtbot.waitUntil(lambda: panel._session.road.is_idle)
    assert panel._session.plan.logs == logs
