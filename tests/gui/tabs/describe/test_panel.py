"""The Describe tab: live chart, config.json, ways to other tabs."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from core.units import THIN
from core.workload.models.transformer import TransformerModel
from gui.charts.kinds.throughput import needed_tokens_per_s, throughput
from gui.session.plan_session import PlanSession
from gui.tabs.describe.panel import DescribePanel
from tests.gui.sample_results import empty_results, sample_results
from tests.gui.sample_session import sample_session, themes

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 30,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 14336,
    "vocab_size": 128256,
    "sliding_window": 4096,
}


@pytest.fixture
def session(qtbot: QtBot) -> PlanSession:
    return sample_session(qtbot, sample_results())


@pytest.fixture
def panel(qtbot: QtBot, session: PlanSession) -> DescribePanel:
    made = DescribePanel(session, themes())
    qtbot.addWidget(made)
    made.resize(1092, 654)
    made.show()
    qtbot.waitExposed(made)
    return made


def config_file(folder: Path, **changes: object) -> Path:
    path = folder / "config.json"
    path.write_text(json.dumps({**LLAMA, **changes}), encoding="utf-8")
    return path


def model_message(panel: DescribePanel) -> str:
    link = panel.form.link("model")
    assert link is not None
    return link.row.message


def test_a_dropped_config_becomes_the_model_in_one_step(
    panel: DescribePanel, session: PlanSession, tmp_path: Path
) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(config_file(tmp_path)))])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    panel.dropEvent(QDropEvent(QPointF(5, 5), copy, mime, left, none))
    assert session.profile is not None
    assert session.profile.model.n_layers == 30
    assert session.undo_stack.count() == 1
    assert isinstance(session.profile.model, TransformerModel)
    assert session.profile.model.window_tokens == 4096
    read = model_message(panel).replace(THIN, " ")
    assert read == "Read config.json: llama, 30 layers, 7.59 B parameters.", "nothing about a window is approximated"
    said = panel.findChild(QLabel, "message-model")
    assert said is not None and said.property("kind") == "small", "a note is neither wrong nor doubtful"


def test_what_is_approximated_in_a_config_is_a_warning(panel: DescribePanel, tmp_path: Path) -> None:
    panel.take_config(config_file(tmp_path, vision_config={"hidden_size": 1152}))
    assert model_message(panel).endswith("Only the language model is counted.")
    said = panel.findChild(QLabel, "message-model")
    assert said is not None and said.property("kind") == "warn"


def test_a_config_that_is_none_says_so_and_changes_nothing(
    panel: DescribePanel, session: PlanSession, tmp_path: Path
) -> None:
    before = session.plan
    panel.take_config(config_file(tmp_path, model_type="t5"))
    assert session.plan is before
    assert "t5" in model_message(panel)


def test_compare_all_asks_for_the_tab(qtbot: QtBot, panel: DescribePanel) -> None:
    button = panel.findChild(QPushButton, "compare-all")
    with qtbot.waitSignal(panel.tab_requested) as asked:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert asked.args == ["compare"]


def test_an_edit_is_answered_and_its_time_told(qtbot: QtBot, panel: DescribePanel, session: PlanSession) -> None:
    with qtbot.waitSignal(session.results_changed):
        session.edit(session.path("stack.custom_kernels"), 3)
    told = panel.findChild(QLabel, "updated")
    assert told is not None
    assert told.text().startswith("Updated ")


def test_a_field_is_brought_to_the_front(panel: DescribePanel, session: PlanSession) -> None:
    panel.show_field(session.path("team.engineers"))
    focused = panel.form.focusWidget()
    assert focused is not None
    assert focused.objectName() == "field-team.engineers"


def test_a_link_in_the_stale_bar_asks_for_its_field(qtbot: QtBot, panel: DescribePanel, session: PlanSession) -> None:
    session.report(session.path("job.n_tokens"), "Tokens: 'x' is no number")
    assert panel.chart.chart.stale
    session.settle(session.path("job.n_tokens"))
    assert not panel.chart.chart.stale


def test_bars_are_fastest_first_with_those_that_fit_before_the_rest() -> None:
    results = sample_results()
    rows = throughput(results).rows
    shown = [results.by_id[row.id] for row in rows]
    assert [r.feasible for r in shown] == sorted((r.feasible for r in shown), reverse=True)
    speeds = [r.throughput.tokens_per_s.likely for r in shown if r.feasible]
    assert speeds == sorted(speeds, reverse=True)


def test_the_tick_is_the_speed_that_ends_on_the_deadline() -> None:
    results = sample_results()
    first = results.results[0]
    needed = needed_tokens_per_s(first, results.profile)
    deadline = results.profile.limits.deadline_days
    assert needed is not None and deadline is not None and first.days_to_finish is not None
    overhead_days = first.days_to_finish.likely - first.run_h.likely / 24
    run_days = first.run_h.likely / 24 * first.throughput.tokens_per_s.likely / needed
    assert overhead_days + run_days == pytest.approx(deadline)


def test_nothing_is_drawn_before_there_are_results() -> None:
    assert throughput(empty_results()).empty


def test_what_is_open_read_only_can_be_read_and_not_changed(panel: DescribePanel, session: PlanSession) -> None:
    assert panel.form.isEnabled() and panel.have.isEnabled()
    session.is_read_only = True
    session.plan_changed.emit()
    assert not panel.form.isEnabled() and not panel.have.isEnabled()


def type_over(qtbot: QtBot, panel: DescribePanel, path: str, text: str) -> None:
    """Types a value in place of the one that is there, and leaves the field with Tab."""
    line = panel.findChild(QLineEdit, f"field-{path}")
    assert line is not None
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Tab)


def test_what_is_wrong_has_room_in_rows_that_were_laid_out_anew(qtbot: QtBot, panel: DescribePanel) -> None:
    """Kernels of one's own ask for more fields; the message of a row that stayed was painted under the next field."""
    deadline, budget = (panel.form.link(path) for path in ("limits.deadline_days", "limits.budget_usd"))
    assert deadline is not None and budget is not None
    usual_px = deadline.row.height()
    type_over(qtbot, panel, "stack.custom_kernels", "2")
    type_over(qtbot, panel, "limits.deadline_days", "12 x")
    qtbot.waitUntil(lambda: deadline.row.height() > usual_px)
    qtbot.waitUntil(lambda: budget.row.y() > deadline.row.geometry().bottom())
    type_over(qtbot, panel, "limits.deadline_days", "50")
    qtbot.waitUntil(lambda: deadline.row.height() == usual_px)


def test_what_is_wrong_beside_its_field_is_not_told_again_over_the_axis(panel: DescribePanel) -> None:
    """Two lines of it covered the title of the axis."""
    panel._session.report(panel._session.path("limits.deadline_days"), "Deadline: 'abc' is not a number")
    bar = panel.findChild(QLabel, "stale-bar")
    assert bar is not None and bar.text().startswith("Showing results from before. ") and "Go to field" in bar.text()
