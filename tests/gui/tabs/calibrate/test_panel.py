"""The Calibrate tab, driven like a person: import, look, accept, undo, discard, bad files."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDropEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.logs.record import LogRecord, Subject, summarise_all
from core.plan.imports import kept, with_logs
from core.plan.sample_plan import sample_plan
from core.ranges import Evidence
from gui.dialogs.map_table import MapTableDialog
from gui.dialogs.record_here import RecordDialog
from gui.session.plan_session import PlanSession
from gui.tabs.calibrate.log_facts import chips_of_a_copy
from gui.tabs.calibrate.panel import ACCEPTED, CalibratePanel
from gui.theme.manager import ThemeManager
from gui.widgets.share_bar import ShareBar
from tests.core.calibration.own_logs.made import machine, training
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
        panel.importing.files([LOGS / name])


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
    assert (_text(panel, "fact-lines-read"), _text(panel, "place-lines-read")) == ("969", "nothing skipped")
    assert _text(panel, "fact-chips") == "8 × H100 SXM"
    assert panel.form.chip.currentText() == "H100 SXM" and panel.form.count.text() == "8"
    assert not panel.form.isVisible()
    assert _text(panel, "calibration-factor").startswith("Speed factor for H100 SXM: 0.9")
    assert "from one run, so pulled" in _text(panel, "calibration-detail")
    sign = panel.findChild(QLabel, "fact-sign")
    assert sign is not None and not sign.isVisible(), "it carries one"
    reach = _text(panel, "calibration-reach")
    assert "Others on the chip move a tenth as far" in reach and "48\N{NARROW NO-BREAK SPACE}% of 446" in reach
    assert _text(panel, "steady-window") == "Steady 8–112 min proposed, 2 checkpoints cut: 100 min kept"
    assert panel.timeline.rows[0].summary.startswith("Utilisation, %: mean 9")
    assert [check.name for check in panel.proposal.checks] == [
        "Share of time busy", "Last third, held out", "Memory peak", "Power",
    ]  # fmt: skip


def test_what_was_paid_for_and_not_used_has_bars_by_its_time(qtbot: QtBot, panel: CalibratePanel) -> None:
    _imported(qtbot, panel, "h100-node07.csv")
    waste = panel.findChild(QWidget, "paid-for-not-used")
    assert waste is not None
    bars = [bar for bar in waste.findChildren(ShareBar) if bar.isVisible()]
    assert len(bars) > 2 and max(bar.share for bar in bars) == 1.0 and min(bar.share for bar in bars) > 0.0
    longest, shortest = (key(bars, key=lambda bar: bar.share) for key in (max, min))
    inked = [_hatched_px(bar) for bar in (longest, shortest)]
    assert inked[0] > inked[1] > 0


def _hatched_px(bar: ShareBar) -> int:
    picture = bar.grab().toImage()
    ground = picture.pixel(picture.width() - 1, 0) if bar.share < 1 else QColor("white").rgb()
    return sum(picture.pixel(x, y) != ground for x in range(picture.width()) for y in range(picture.height()))


def test_plots_are_made_while_the_first_log_is_read_and_stay(qtbot: QtBot, panel: CalibratePanel) -> None:
    """Before, drawing the first log made them too and held the window for 65 ms of thread time (35 now)."""
    with qtbot.waitSignals([panel._session.plan_changed, panel.proposed]):
        panel.importing.files([LOGS / "h100-node07.csv"])
        qtbot.waitUntil(lambda: len(panel.timeline.plots.plots) == 3)
        made = list(panel.timeline.plots.plots)
        assert panel.log_page.log is None
    assert panel.timeline.plots.plots == made
    _imported(qtbot, panel, "maxtext-v5p.log")
    assert panel.timeline.plots.plots == made[:2], "the third is not needed"
    assert [plot.getAxis("bottom").isVisible() for plot in made[:2]] == [False, True]


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
    counted = session.corrections.find("h100-sxm", "training", session.plan.profiles[0].model.n_params)
    assert counted is not None and factor < counted.factor < 1.0
    assert _h100_speed(session) == pytest.approx(before * counted.factor)
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
    _click(qtbot, panel, "log-form-button")
    speed = panel.findChild(QLineEdit, "fact-speed")
    assert speed is not None and speed.isVisible()
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
    cuts_s = panel.proposal.cuts_s
    assert len(cuts_s) == 2
    with qtbot.waitSignal(panel.proposed):
        panel.timeline.plots.window_moved.emit(480.0, 3000.0)
    assert (panel.proposal.window_s, panel.proposal.cuts_s) == ((480.0, 3000.0), ())
    assert _text(panel, "steady-window").startswith("Steady 8–50 min chosen: 42 min")


def test_a_click_on_the_strip_keeps_a_stretch_and_another_cuts_it(qtbot: QtBot, panel: CalibratePanel) -> None:
    _imported(qtbot, panel, "h100-node07.csv")
    assert panel.proposal is not None
    first, before = panel.proposal.cuts_s[0], panel.proposal
    for _ in range(2):
        with qtbot.waitSignal(panel.proposed):
            panel.timeline.plots.part_chosen.emit(first[0] + 1.0)
        assert panel.proposal is not None
        is_cut = first in panel.proposal.cuts_s
    assert is_cut and panel.proposal == before


def test_the_window_is_one_through_all_plots(qtbot: QtBot, panel: CalibratePanel) -> None:
    _imported(qtbot, panel, "h100-node07.csv")
    plots = panel.timeline.plots
    regions = [item for plot in plots.plots for item in plot.items if isinstance(item, pg.LinearRegionItem)]
    assert len(regions) == 3
    regions[1].setRegion((600.0, 6000.0))
    assert {tuple(region.getRegion()) for region in regions} == {(600.0, 6000.0)}


def test_a_log_that_carries_nothing_is_shown_with_its_reasons_and_cannot_be_accepted(
    qtbot: QtBot, panel: CalibratePanel, tmp_path: Path
) -> None:
    lines = (LOGS / "h100-node07.csv").read_text().splitlines()[:2]
    (tmp_path / "idle.csv").write_text("\n".join(lines) + "\n")
    with qtbot.waitSignals([panel._session.plan_changed, panel.proposed]):
        panel.importing.files([tmp_path / "idle.csv"])
    assert _text(panel, "refusal-reasons").splitlines() == [
        "✗ One snapshot: at least 60 s of steady use are needed", "✗ The chip was idle: 2 % use, 121 W",
    ]  # fmt: skip
    assert "Read all the same: chip" in _text(panel, "refusal-kept")
    sign = panel.findChild(QLabel, "fact-sign")
    assert sign is not None and sign.isVisible() and not sign.pixmap().isNull()
    assert (_text(panel, "fact-speed-from"), _text(panel, "place-speed-from")) == (
        "Utilisation 2\N{NARROW NO-BREAK SPACE}%", "1 reading",
    )  # fmt: skip
    assert panel.timeline.card.isVisible() and not panel.summary.isVisible()
    assert not panel.footer.accept.isVisible()
    assert _text(panel, "calibration-factor") == "No change to any prediction."
    _click(qtbot, panel, "copy-command")
    assert QApplication.clipboard().text().startswith("nvidia-smi --query-gpu=timestamp,")
    _click(qtbot, panel, "log-form-button")
    with qtbot.waitSignal(panel.proposed):
        qtbot.keyClicks(panel.form.speed, "9")
    assert panel.proposal is None and panel.timeline.card.isVisible()
    _click(qtbot, panel, "discard-calibration")
    assert panel.start.isVisible() and panel._session.plan.logs == ()
    panel._session.undo_stack.undo()
    assert len(panel._session.plan.logs) == 1 and panel.timeline.card.isVisible()
    panel.show_log("log-1")
    assert panel.timeline.card.isVisible()


def test_removing_the_last_workload_while_a_log_is_shown_tells_that_there_is_none(
    qtbot: QtBot, panel: CalibratePanel
) -> None:
    _imported(qtbot, panel, "h100-node07.csv")
    panel.form.workload.setCurrentIndex(1)
    plan = panel._session.plan
    for left in (plan.profiles[:1], ()):
        with qtbot.waitSignal(panel.proposed):
            panel._session.replace_plan(plan.model_copy(update={"profiles": left}), "Remove a workload")
        assert panel.form.workload.count() == len(left)
    assert "the workload that ran" in _text(panel, "calibration-detail")


def test_the_count_begins_at_the_chips_that_share_a_copy() -> None:
    assert chips_of_a_copy({"tensor_parallel": 8.0, "pipeline_parallel": 2.0, "model": "x"}) == 16
    assert chips_of_a_copy({"tensor_parallel": "8", "pipeline_parallel": 0.0}) == 1
    assert chips_of_a_copy({"tensor_parallel": 1e12}) == 1


def test_a_server_s_totals_tell_how_long_it_was_measured(qtbot: QtBot, panel: CalibratePanel, tmp_path: Path) -> None:
    path = tmp_path / "serve.txt"
    path.write_text(
        "Namespace(model='meta-llama/Llama-3.1-70B', tensor_parallel_size=8)\n"
        "============ Serving Benchmark Result ============\nBenchmark duration (s): 210.50\n"
        "Request throughput (req/s): 3.04\nOutput token throughput (tok/s): 912.11\n"
    )
    with qtbot.waitSignals([panel._session.plan_changed, panel.proposed]):
        panel.importing.files([path])
    assert _text(panel, "fact-read-as") == "Serving benchmark, 3.5\u202fmin"
    assert panel.form.count.text() == "8"
    assert "Filled in: those that share a copy of the model." in panel.form.missing.text()
    shown = [row.cells[0] for row in panel.timeline.totals.rows.rows]
    assert "Model: meta-llama/Llama-3.1-70B" in shown


def test_a_folder_is_one_undo_step_and_tells_what_could_not_be_read(
    qtbot: QtBot, panel: CalibratePanel, tmp_path: Path
) -> None:
    for name in ("h100-node07.csv", "maxtext-v5p.log"):
        shutil.copy(LOGS / name, tmp_path)
    (tmp_path / "notes.txt").write_text("nothing to see\n")
    session = panel._session
    with qtbot.waitSignals([session.plan_changed, panel.proposed, session.problems_changed]):
        panel.importing.files([tmp_path])
    names = [f"{tmp_path.name}/{name}" for name in ("h100-node07.csv", "maxtext-v5p.log")]
    assert [log.file_name for log in session.plan.logs] == names
    assert all(len(log.sha256) == 64 for log in session.plan.logs)
    assert _text(panel, "log-count") == "2 logs, 2 not yet accepted"
    session.undo_stack.undo()
    assert session.plan.logs == ()


def test_calibrations_are_listed_switched_off_and_removed(qtbot: QtBot, panel: CalibratePanel) -> None:
    session = panel._session
    _imported(qtbot, panel, "h100-node07.csv")
    with qtbot.waitSignal(panel.proposed):
        panel.log_page.accept()
    table = panel.calibrations.table
    row = table.rows.rows[0].cells
    assert row[0] == "H100 SXM, training" and row[7] == "h100-node07.csv" and row[8] == date.today().isoformat()
    assert "H200" in panel.calibrations.note.text()
    assert "H100 SXM," not in panel.calibrations.note.text(), "it was measured itself"
    assert len(panel.calibrations.chart.figure.marks) == 2
    box = table.rows.index(0, 0)
    table.rows.setData(box, Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    assert not session.plan.calibrations[0].is_on and session.corrections.factors == {}
    assert table.rows.rows[0].cells[2] == "off"
    session.undo_stack.undo()
    assert session.corrections.find("h100-sxm", "training") is not None
    panel.kinds.setCurrentIndex(ACCEPTED)
    table.selectRow(0)
    _click(qtbot, panel, "remove-calibration")
    assert session.plan.calibrations == () and not panel.calibrations.empty.isVisible()
    power = table.rows.rows[0].cells
    assert power[0] == "H100 SXM, power" and power[7] == "h100-node07.csv"
    table.rows.setData(table.rows.index(0, 0), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    assert session.corrections.terms == () and table.rows.rows[0].cells[2] == "off"
    _click(qtbot, panel, "remove-calibration")
    assert session.plan.lessons == () and panel.calibrations.empty.isVisible()


def test_a_file_that_is_no_log_gives_one_sentence_and_changes_nothing(
    qtbot: QtBot, panel: CalibratePanel, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("nothing to see\n")
    with qtbot.waitSignal(panel._session.problems_changed):
        panel.importing.files([tmp_path / "notes.txt"])
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
    panel.log_page.discard()
    logs = panel._session.plan.logs
    panel.importing.files([LOGS / "h100-node07.csv"])
    panel.start.show_share(0.4)
    assert panel.start.button.text() == "Stop reading h100-node07.csv, 40% done"
    panel.start.button.click()
    assert panel.start.message.text() == "Reading was stopped."
    assert panel.start.button.text() == "Import log…"
    qtbot.waitUntil(lambda: panel._session.road.is_idle)
    assert panel._session.plan.logs == logs


def test_recording_here_is_offered_and_what_it_brings_is_imported(qtbot: QtBot, panel: CalibratePanel) -> None:
    _click(qtbot, panel, "record-here")
    (dialog,) = panel.findChildren(RecordDialog)
    with qtbot.waitSignals([panel._session.plan_changed, panel.proposed]):
        dialog.recorded.emit(LOGS / "h100-node07.csv")
    dialog.close()
    assert panel._session.plan.logs[0].file_name == "h100-node07.csv"


def test_a_log_of_steps_without_tokens_is_asked_for_them_filled_in_from_the_workload(
    qtbot: QtBot, panel: CalibratePanel
) -> None:
    session = panel._session
    record = replace(training([2.0] * 60), accelerator_id="h100-sxm", n_accelerators=512)
    plan = with_logs(session.plan, [kept(record, "", datetime(2026, 11, 22, tzinfo=UTC))])
    with qtbot.waitSignal(panel.proposed):
        session.replace_plan(plan, "Import")
    job = plan.profiles[0].job.training
    assert job is not None and panel.form.isVisible()
    assert float(panel.form.speed.text()) == job.global_batch_sequences * job.sequence_length / 2.0
    assert panel.form.missing.text().startswith("Tokens/s: from the log's steps")


def test_a_table_that_no_reader_knows_is_asked_about_and_remembered(
    qtbot: QtBot, panel: CalibratePanel, tmp_path: Path
) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("time_s,power_w\n" + "".join(f"{i},{300 + i}\n" for i in range(90)))
    panel.importing.files([path])
    qtbot.waitUntil(lambda: bool(panel.findChildren(MapTableDialog)))
    (dialog,) = panel.findChildren(MapTableDialog)
    with qtbot.waitSignal(panel.proposed):
        dialog.accept()
    plan = panel._session.plan
    assert [log.file_name for log in plan.logs] == ["mine.csv"] and len(plan.table_mappings) == 1
    panel._session.undo_stack.undo()
    assert panel._session.plan.logs == () and panel._session.plan.table_mappings == (), "one step"


def test_what_else_a_log_measured_is_ticked_accepted_and_undone(qtbot: QtBot, panel: CalibratePanel) -> None:
    session = panel._session
    _imported(qtbot, panel, "h100-node07.csv")
    also = panel.summary.also
    assert [one.term for one in also.chosen] == ["power"]
    assert "which run filled the memory" in also.lacking.toolTip()
    panel.log_page.accept()
    assert [one.term for one in session.plan.lessons] == ["power"] and session.plan.calibrations
    assert session.plan.lessons[0].sha256 == session.plan.logs[0].sha256 != ""
    qtbot.waitUntil(lambda: panel.footer.accept.text() == "Accepted")
    _box(panel, "take-power").click()
    assert panel.footer.accept.isEnabled() and panel.footer.accept.text() == "Accept"
    panel.log_page.accept()
    assert session.plan.lessons == ()
    session.undo_stack.undo()
    assert [one.term for one in session.plan.lessons] == ["power"]
    session.undo_stack.undo()
    assert session.plan.lessons == () and session.plan.calibrations == ()


def test_a_log_of_links_teaches_links_alone(qtbot: QtBot, panel: CalibratePanel) -> None:
    quantities = summarise_all({"bus_bandwidth_gb_per_s": np.array([300.0])})
    record = LogRecord(
        "nccl.txt", "nccl-tests", 9, {}, "NVIDIA H100", "h100-sxm", 8, None, np.array([]), {}, quantities,
        subject=Subject.LINK, facts={"collective": "all_reduce"},
    )  # fmt: skip
    with qtbot.waitSignal(panel.taught):
        session = panel._session
        session.replace_plan(with_logs(session.plan, [kept(record, "", datetime.now(UTC))]), "Import")
    assert [one.term for one in panel.summary.also.chosen] == ["inner_link"]
    assert panel.footer.accept.isVisible() and panel.summary.isVisible()
    panel.log_page.accept()
    assert session.plan.calibrations == () and [one.term for one in session.corrections.terms] == ["inner_link"]


def _box(panel: CalibratePanel, name: str) -> QCheckBox:
    box = panel.findChild(QCheckBox, name)
    assert box is not None
    return box


def test_a_straggler_is_drawn_as_a_line_of_its_own(qtbot: QtBot, panel: CalibratePanel) -> None:
    use = np.full((200, 4), 95.0)
    use[:, 2] = 60.0
    record = machine(use, power_w=use * 6)
    with qtbot.waitSignal(panel.proposed):
        plan = panel._session.plan
        panel._session.replace_plan(with_logs(plan, [kept(record, "", datetime.now(UTC))]), "Import")
    _click(qtbot, panel, "draw-straggler")
    drawn = {plot.titled: curve.getOriginalDataset()[1] for plot, curve in panel.timeline.plots.chip_curves}
    assert drawn["power_w"].tolist() == pytest.approx([360.0] * 200) and "utilization_pct" in drawn
    _click(qtbot, panel, "draw-straggler")
    assert panel.timeline.plots.chip_curves == []


def test_another_log_is_drawn_in_the_plots_that_are_there(qtbot: QtBot, panel: CalibratePanel) -> None:
    plots, plan, now = panel.timeline.plots, panel._session.plan, datetime.now(UTC)
    first, second = machine(np.full((90, 2), [95.0, 90.0])), machine(np.full(120, 80.0))
    third = machine(np.full(120, 80.0), power_w=np.full(120, 400.0))
    logs = [kept(record, "", now) for record in (first, second, third)]
    with qtbot.waitSignal(panel.proposed):
        panel._session.replace_plan(with_logs(plan, logs[:1]), "Import")
    drawn = list(plots.plots)
    panel._session.replace_plan(with_logs(panel._session.plan, logs[1:]), "Import")
    panel.show_log("log-2")
    assert plots.plots == drawn
    curves = [one for one in drawn[0].listDataItems() if isinstance(one, pg.PlotDataItem)]
    known = [curve.getOriginalDataset() for curve in curves]
    assert [0 if y is None else len(y) for _, y in known] == [0, 0, 120], "no band, and the other log's readings"
    with qtbot.waitSignal(panel.proposed):
        panel.show_log("log-3")
    assert [plot.titled for plot in plots.plots] == ["utilization_pct", "power_w"]


def test_a_file_that_cannot_be_read_leaves_the_log_on_screen_as_it_is(
    qtbot: QtBot, panel: CalibratePanel, tmp_path: Path
) -> None:
    """Its reason stood in the footer, cut, in place of what the log proposes, which could not be accepted any more."""
    _imported(qtbot, panel, "maxtext-v5p.log")
    factor = _text(panel, "calibration-factor")
    assert factor.startswith("Speed factor for TPU v5p") and panel.footer.accept.isEnabled()
    problem = panel.log_page.problem
    panel.importing.files([tmp_path / "nowhere.csv"])
    qtbot.waitUntil(problem.isVisible)
    assert "found no such file" in problem.text.text() and problem.text.wordWrap()
    assert _text(panel, "calibration-factor") == factor and panel.footer.accept.isEnabled()
    foot = problem.mapToGlobal(problem.rect().bottomLeft()).y()
    assert foot < panel.footer.mapToGlobal(panel.footer.rect().topLeft()).y(), "Accept stays in reach"
    panel.importing.files([LOGS / "h100-node07.csv"])
    assert not problem.isVisible()
    qtbot.waitUntil(lambda: _text(panel, "calibration-factor").startswith("Speed factor for H100"))


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "Chips: nothing entered."),
        ("-8", "Chips: '-8'."),
        ("8.5", "Chips: '8.5'."),
        ("1e12", "a whole number from 1 to 10\u202f000\u202f000"),
    ],
)
def test_a_count_that_is_none_is_told_with_what_is_expected(
    qtbot: QtBot, panel: CalibratePanel, typed: str, told: str
) -> None:
    """A million millions ended in a fault of ours, and half a chip was let go in silence."""
    _imported(qtbot, panel, "h100-node07.csv")
    with qtbot.waitSignal(panel.proposed):
        panel.form.count.setText(typed)
    assert told in _text(panel, "calibration-detail") and panel.proposal is None


def test_a_log_of_steps_lasts_as_long_as_its_chart_and_tells_what_it_skipped(
    qtbot: QtBot, panel: CalibratePanel
) -> None:
    """It lasted 5.3 min beside a chart of 6.1 min, as the first step's own time was left out."""
    _imported(qtbot, panel, "maxtext-v5p.log")
    assert _text(panel, "fact-read-as") == "MaxText output, 6.1\u202fmin"
    assert _text(panel, "place-lines-read") == "skipped 3: 3 × start-up step, left out of the summary"


def test_a_chip_that_the_catalogue_lacks_is_named_as_such(qtbot: QtBot, panel: CalibratePanel, tmp_path: Path) -> None:
    """The form said that the catalogue has no such chip, and the foot that none was recognised."""
    text = (LOGS / "h100-node07.csv").read_text().replace("NVIDIA H100 80GB HBM3", "NVIDIA GeForce RTX 2070")
    (tmp_path / "old.csv").write_text(text)
    with qtbot.waitSignals([panel._session.plan_changed, panel.proposed]):
        panel.importing.files([tmp_path / "old.csv"])
    assert "Chip: NVIDIA GeForce RTX 2070 is not in the catalogue." in _text(panel, "calibration-detail")


def test_after_an_undo_accepting_says_again_what_it_would_change(qtbot: QtBot, panel: CalibratePanel) -> None:
    """It compared with the answer that still knew the calibration: the range stayed as it was."""
    session = panel._session
    with qtbot.waitSignal(session.results_changed, timeout=30_000):
        session.start()
    with qtbot.waitSignal(panel.weighed, timeout=30_000):
        _imported(qtbot, panel, "h100-node07.csv")
    before = _text(panel, "calibration-effect")
    assert "shrinks from" in before
    with qtbot.waitSignal(session.results_changed, timeout=30_000):
        _click(qtbot, panel, "accept-calibration")
    with qtbot.waitSignal(panel.weighed, timeout=30_000):
        session.undo_stack.undo()
    assert _text(panel, "calibration-effect") == before


def test_in_a_low_window_the_plots_scroll_and_keep_their_height(qtbot: QtBot, panel: CalibratePanel) -> None:
    """The last of them was squeezed flat, with the three texts of its axis one over the other."""
    panel.resize(760, 330)
    _imported(qtbot, panel, "h100-node07.csv")
    _click(qtbot, panel, "log-form-button")
    QApplication.processEvents()
    plots = panel.timeline.plots
    assert plots.height() > panel.timeline.height() - 30
    heights = [plot.getViewBox().height() for plot in plots.plots]
    assert min(heights) > 25 and max(heights) - min(heights) < 25
