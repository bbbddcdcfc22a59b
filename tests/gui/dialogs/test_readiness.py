"""The scan of a source folder: read off the GUI thread, listed by side, taken over as one undo step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from core.readiness.kinds import Side
from gui.dialogs.readiness import ReadinessDialog
from gui.session.plan_session import PlanSession
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session
from tests.repository_files import ROOT

PLANTED = ROOT / "tests" / "data" / "readiness" / "planted"
CLEAN = ROOT / "tests" / "data" / "readiness" / "clean_jax"


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[PlanSession]:
    made = sample_session(qtbot, sample_results())
    yield made
    made.close()


@pytest.fixture
def dialog(qtbot: QtBot, session: PlanSession) -> ReadinessDialog:
    made = ReadinessDialog(session)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    return made


def read(qtbot: QtBot, dialog: ReadinessDialog, folder: Path) -> None:
    dialog.begin(folder)
    assert dialog.stopper.isVisible()
    qtbot.waitUntil(lambda: dialog.choose.isEnabled(), timeout=20_000)


def apply(qtbot: QtBot, dialog: ReadinessDialog) -> None:
    button = dialog.buttons.button(QDialogButtonBox.StandardButton.Apply)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_findings_stand_by_side_with_their_weeks(qtbot: QtBot, dialog: ReadinessDialog) -> None:
    read(qtbot, dialog, PLANTED)
    assert dialog.summary.text().startswith("7 files, ")
    assert dialog.sides.tabText(0).startswith("TPU: ") and dialog.sides.tabText(1).startswith("ROCm: ")
    assert any("train.py:" in row.cells[1] for row in dialog.table.rows.rows)
    on_tpu = len(dialog.table.rows.rows)
    qtbot.mouseClick(dialog.sides, Qt.MouseButton.LeftButton, pos=dialog.sides.tabRect(1).center())
    assert dialog.side is Side.ROCM and 0 < len(dialog.table.rows.rows) < on_tpu


def test_the_weeks_of_a_port_say_what_they_add_to_the_rewriting(
    qtbot: QtBot, dialog: ReadinessDialog, tmp_path: Path
) -> None:
    """The tab said 6.8 weeks and the field 8.3, and nothing why."""
    (tmp_path / "add.cu").write_text("__global__ void add(float* a) { a[threadIdx.x] += 1; }\n", encoding="utf-8")
    (tmp_path / "kernel.py").write_text("import torch\nimport triton\n@triton.jit\ndef add(x): ...\n", encoding="utf-8")
    read(qtbot, dialog, tmp_path)
    assert dialog.sides.tabText(0).startswith("TPU: 4 weeks (2–8)")
    box, typed = next((one.box, one.typed) for one in dialog.answers if one.field == "tpu_port_weeks")
    assert box.text() == "Weeks to port to TPU: low, likely, high (estimate): 4 rewriting + 1.5 for PyTorch on TPU"
    assert typed is not None and typed.text() == "2.5, 5.5, 11"
    for words in (box.toolTip(), typed.toolTip()):
        assert "Rewriting what was found: 4 weeks (2–8)" in words and "Moving PyTorch on TPU: 1.5 weeks" in words
    assert "without the framework's own move" in dialog.sides.tabToolTip(0)
    assert all(one.box.toolTip() for one in dialog.answers)


def test_the_framework_that_the_sources_use_is_the_one_that_is_moved(qtbot: QtBot, dialog: ReadinessDialog) -> None:
    read(qtbot, dialog, CLEAN)
    box = next(one.box for one in dialog.answers if one.field == "tpu_port_weeks")
    assert box.text() == "Weeks to port to TPU: low, likely, high (estimate)"


def test_what_is_to_be_done_first_stands_at_the_top(dialog: ReadinessDialog) -> None:
    QGuiApplication.processEvents()
    assert dialog.choose.mapTo(dialog, QPoint(0, 0)).y() < 80


def test_a_folder_without_sources_changes_nothing(qtbot: QtBot, dialog: ReadinessDialog, tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_a.py").write_text("import torch\n", encoding="utf-8")
    read(qtbot, dialog, tmp_path)
    words = "0 files, 0 lines, 1 test file left out."
    assert (
        dialog.message.isVisible()
        and f"{tmp_path.name} has no sources that can be read: {words}" in dialog.message.text()
    )
    assert not dialog.answers and not dialog.table.isVisible()
    assert not dialog.buttons.button(QDialogButtonBox.StandardButton.Apply).isEnabled()
    read(qtbot, dialog, PLANTED)
    assert not dialog.message.isVisible() and dialog.answers


def test_what_is_ticked_changes_the_workload_as_one_step(
    qtbot: QtBot, dialog: ReadinessDialog, session: PlanSession
) -> None:
    before = session.plan
    read(qtbot, dialog, PLANTED)
    weeks = {one.field: one for one in dialog.answers}
    for line, text in (("tpu_port_weeks", "3, 8, 20"), ("rocm_port_weeks", "1")):
        typed = weeks[line].typed
        assert typed is not None
        typed.clear()
        qtbot.keyClicks(typed, text)
    weeks["libraries"].box.click()
    apply(qtbot, dialog)
    assert session.profile is not None
    stack = session.profile.stack
    assert (stack.tpu_port_weeks, stack.rocm_port_weeks) == ("3, 8, 20", "1")
    assert stack.custom_kernels > 5 and (stack.dynamic_shapes, stack.control_flow) == ("many", "heavy")
    assert before.profiles[0].stack.libraries == stack.libraries
    session.undo_stack.undo()
    assert session.plan == before


def test_weeks_that_are_none_are_told_and_nothing_changes(
    qtbot: QtBot, dialog: ReadinessDialog, session: PlanSession
) -> None:
    before = session.plan
    read(qtbot, dialog, PLANTED)
    typed = dialog.answers[-1].typed
    assert typed is not None
    typed.setText("12, 5, 2")
    apply(qtbot, dialog)
    assert dialog.isVisible() and "low, likely and high" in dialog.message.text()
    assert session.plan == before


def test_clean_code_has_nothing_to_change(qtbot: QtBot, dialog: ReadinessDialog) -> None:
    read(qtbot, dialog, CLEAN)
    assert [dialog.sides.tabText(n) for n in (0, 1)] == ["TPU: nothing to change", "ROCm: nothing to change"]


def test_a_folder_that_is_none_is_told(qtbot: QtBot, dialog: ReadinessDialog, tmp_path: Path) -> None:
    read(qtbot, dialog, tmp_path / "missing")
    assert "a folder of sources" in dialog.message.text()
    assert not dialog.table.isVisible()


def test_a_report_is_added_and_a_wrong_one_told(qtbot: QtBot, dialog: ReadinessDialog, tmp_path: Path) -> None:
    read(qtbot, dialog, CLEAN)
    report, notes = tmp_path / "report.txt", tmp_path / "notes.txt"
    report.write_text("Counter: aten::nonzero\n  Value: 120\n")
    notes.write_text("hello\n")
    dialog.add_report(notes)
    assert "a metrics report" in dialog.message.text()
    dialog.add_report(report)
    assert [row.cells[0] for row in dialog.table.rows.rows][0] == "Operation that ran on the host: aten::nonzero"
    assert not dialog.message.text()


def test_reading_can_be_stopped(qtbot: QtBot, dialog: ReadinessDialog) -> None:
    dialog.begin(PLANTED)
    qtbot.mouseClick(dialog.stopper, Qt.MouseButton.LeftButton)
    assert dialog.choose.isEnabled() and not dialog.stopper.isVisible() and dialog.read is None


def test_a_read_only_plan_cannot_be_changed(qtbot: QtBot, dialog: ReadinessDialog, session: PlanSession) -> None:
    session.is_read_only = True
    read(qtbot, dialog, PLANTED)
    assert not dialog.buttons.button(QDialogButtonBox.StandardButton.Apply).isEnabled()
