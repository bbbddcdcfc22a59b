"""Which tools a machine has, what is asked of them, and where the log is kept."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from core import paths
from core.logs.recorder import TOOLS, recording_path, tools_here


def test_only_the_tools_of_this_machine_are_offered() -> None:
    assert tools_here(lambda _: None) == []
    assert [tool.program for tool in tools_here(lambda name: name if name == "rocm-smi" else None)] == ["rocm-smi"]
    assert tools_here(lambda name: name) == list(TOOLS)


def test_the_command_holds_the_interval_and_can_be_typed_elsewhere() -> None:
    nvidia = TOOLS[0]
    assert nvidia.command(2)[-2:] == ["--format=csv", "--loop=2"]
    assert nvidia.line(2).startswith("nvidia-smi --query-gpu=timestamp,index,uuid,name,utilization.gpu,")
    assert nvidia.line(2).endswith("--loop=2 > nvidia-smi.csv")
    once = next(tool for tool in TOOLS if not tool.repeats)
    assert once.line(1).startswith(f"while sleep 1; do date -Iseconds; {once.program}")


def test_a_recording_is_named_by_tool_and_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "user_data", lambda: tmp_path)
    path = recording_path(TOOLS[0], datetime(2026, 11, 22, 20, 5, 9))
    assert path == tmp_path / "recordings" / "nvidia-smi 2026-11-22 20.05.09.csv"
    assert path.parent.is_dir()
