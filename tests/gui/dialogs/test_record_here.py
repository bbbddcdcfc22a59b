"""Recording with a tool of this machine: by its own end, by the clock, by Stop; and in words where it cannot be."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from core import paths
from core.logs.recorder import Tool
from core.logs.timestamps import seconds_of
from gui.dialogs.record_here import RecordDialog
from gui.session.recording import Recording
from tests.gui.sample_session import themes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the made-up tools are shell scripts")
FOREVER = "echo timestamp, index; exec sleep 60"


def _tool(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str, repeats: bool = True) -> Tool:
    """A tool that is a script on the search path."""
    file = folder / "bin" / "fake-smi"
    file.parent.mkdir()
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{file.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(paths, "user_data", lambda: folder)
    return Tool("fake-smi", "Nobody", ("--every={seconds}",), repeats, "csv")


def test_stop_hands_over_what_is_there(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = _tool(tmp_path, monkeypatch, FOREVER)
    dialog = RecordDialog([tool])
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.start_button.click()
    assert dialog.stop_button.isVisible() and not dialog.start_button.isVisible() and not dialog.minutes.isEnabled()
    file = next(iter((tmp_path / "recordings").iterdir()), None)
    qtbot.waitUntil(lambda: any(one.stat().st_size for one in (tmp_path / "recordings").iterdir()))
    with qtbot.waitSignal(dialog.recorded) as told:
        dialog.stop_button.click()
    assert told.args[0].read_text() == "timestamp, index\n"
    assert file is None or file == told.args[0]
    assert not dialog.isVisible()


def test_the_minutes_are_seen(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dialog = RecordDialog([_tool(tmp_path, monkeypatch, FOREVER)])
    qtbot.addWidget(dialog)
    themes()  # its style once left no room beside the buttons that it hides
    dialog.show()
    field = dialog.minutes.lineEdit()
    assert field.text() == "10 min"
    assert field.width() > field.fontMetrics().horizontalAdvance(field.text()) + 12


def test_closing_ends_the_tool_before_the_dialog(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dialog = RecordDialog([_tool(tmp_path, monkeypatch, FOREVER)])
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.begin()
    dialog._on_told(540.0)
    assert dialog.left.text() == "1\u202fmin left"
    assert not dialog.close_button.isVisible()
    qtbot.waitUntil(lambda: any(one.stat().st_size for one in (tmp_path / "recordings").iterdir()))
    with qtbot.waitSignals([dialog.recorded, dialog.finished]):
        dialog.reject()
        assert dialog.isVisible()


def test_the_clock_ends_it(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = _tool(tmp_path, monkeypatch, FOREVER)
    recording = Recording(tool, tmp_path / "log.csv", 1, 0.1)
    with qtbot.waitSignal(recording.ended) as told:
        recording.start()
    assert told.args == [tmp_path / "log.csv"]


def test_one_that_reads_once_is_started_again(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = _tool(tmp_path, monkeypatch, 'echo "$1"', repeats=False)
    log = tmp_path / "log.csv"
    recording = Recording(tool, log, 0, 60.0)
    recording.start()
    qtbot.waitUntil(lambda: log.exists() and len(log.read_text().splitlines()) >= 3)
    with qtbot.waitSignal(recording.ended):
        recording.stop()
    lines = log.read_text().splitlines()
    assert set(lines[1::2]) == {"--every=0"}
    times = [seconds_of(stamp) for stamp in lines[::2]]
    assert None not in times and times == sorted(times, key=lambda one: one or 0.0)


def test_a_tool_that_ends_early_hands_over_what_it_printed_and_says_so(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = RecordDialog([_tool(tmp_path, monkeypatch, "echo timestamp; echo 'GPU is lost' >&2; exit 15")])
    qtbot.addWidget(dialog)
    dialog.show()
    with qtbot.waitSignal(dialog.recorded) as told:
        dialog.begin()
    assert told.args[0].read_text() == "timestamp\n"
    assert dialog.isVisible() and dialog.start_button.isVisible()
    assert "fake-smi ended with status 15: GPU is lost. It ended" in dialog._message.text()
    assert dialog._message.text().endswith("what it had printed by then is imported.")


def test_a_stamp_alone_is_no_recording(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = _tool(tmp_path, monkeypatch, "exit 0", repeats=False)
    recording = Recording(tool, tmp_path / "log.csv", 1, 0.6)
    with qtbot.waitSignal(recording.failed) as told:
        recording.start()
    assert told.args == ["It printed nothing."] and not (tmp_path / "log.csv").exists()


def test_a_tool_that_cannot_says_why(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = _tool(tmp_path, monkeypatch, "echo 'NVIDIA-SMI has failed' >&2; exit 9")
    dialog = RecordDialog([tool])
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.begin()
    qtbot.waitUntil(lambda: dialog.start_button.isVisible())
    assert "fake-smi ended with status 9: NVIDIA-SMI has failed".lower() in dialog._message.text().lower()
    assert list((tmp_path / "recordings").iterdir()) == []


def test_a_message_in_place_of_readings_is_told(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = _tool(tmp_path, monkeypatch, "echo 'NVIDIA-SMI has failed because it found no driver.'; exit 9")
    recording = Recording(tool, tmp_path / "log.csv", 1, 5.0)
    with qtbot.waitSignal(recording.failed) as told:
        recording.start()
    assert told.args == ["Fake-smi ended with status 9: NVIDIA-SMI has failed because it found no driver."]
    assert not (tmp_path / "log.csv").exists()


def test_a_tool_that_went_away_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    recording = Recording(Tool("no-such-smi", "", (), True, "csv"), tmp_path / "a.csv", 1, 5.0)
    with qtbot.waitSignal(recording.failed) as told:
        recording.start()
    assert told.args[0] == "No-such-smi is not on this machine's search path any more."


def test_without_a_tool_the_command_can_be_copied(qtbot: QtBot) -> None:
    dialog = RecordDialog([])
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.start_button.isVisible() and dialog.line.isVisible()
    dialog.copy_button.click()
    assert QGuiApplication.clipboard().text().startswith("nvidia-smi --query-gpu=")
