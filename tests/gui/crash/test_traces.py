"""When the whole process dies its last calls are in a file, which the next start finds and offers once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication

from core.crash.story import MOST_REPORTS, log_folder, new_report
from core.paths import user_data
from gui.app import offer_trace
from gui.crash.dialog import FaultDialog
from gui.crash.traces import left_traces
from gui.window.main_window import MainWindow
from tests.repository_files import ROOT

BEGIN = "from gui.crash.traces import trace_of_death\ndeath = trace_of_death()\n"
DIES = f"{BEGIN}import faulthandler\ndef deep_inside(): faulthandler._sigsegv()\ndeep_inside()\n"
IS_KILLED = f"{BEGIN}import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n"
ENDS = f"{BEGIN}death.end()\n"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


def run(code: str) -> int:
    command = [sys.executable, "-c", code]
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, check=False).returncode


def test_a_dead_run_leaves_its_last_calls() -> None:
    assert run(DIES) == -signal.SIGSEGV
    [trace] = left_traces()
    assert "Segmentation fault" in trace.text and "in deep_inside" in trace.text
    assert str(ROOT) not in trace.text


@pytest.mark.parametrize("code", [IS_KILLED, ENDS], ids=["killed", "ended"])
def test_other_ends_leave_nothing(code: str) -> None:
    run(code)
    assert left_traces() == []
    assert [path.name for path in log_folder().iterdir() if path.suffix == ".txt"] == []


def test_a_run_that_lives_is_left_alone() -> None:
    command = [sys.executable, "-c", f"{BEGIN}print('up', flush=True); input()"]
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=ROOT, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as alive:
        assert alive.stdout is not None and alive.stdout.readline() == "up\n"
        assert left_traces() == []
        assert len(list(log_folder().glob("crash-*.txt"))) == 1
        alive.communicate("\n")


def test_the_next_start_offers_the_report_once(window: MainWindow) -> None:
    run(DIES)
    offer_trace(window)
    assert "ended unexpectedly" in window.message.text.text()
    window.message.button.click()
    QCoreApplication.processEvents()
    [dialog] = window.findChildren(FaultDialog)
    assert "Segmentation fault" in dialog.report.toPlainText()
    dialog.close()
    offer_trace(window)
    assert not window.message.isVisible()


def test_old_reports_go() -> None:
    for _ in range(MOST_REPORTS + 5):
        new_report().write_text("x", encoding="utf-8")
    assert len(list((user_data() / "logs").glob("fault-*.txt"))) == MOST_REPORTS


def test_without_a_place_for_it_the_program_runs_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("core.paths.user_data", refused)
    assert left_traces() == []
