"""The app dies in the middle of its work: the next start offers the plan and the report."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from tests.gui.hostile.running import driven, run_app


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_after_a_hard_crash_the_next_start_offers_plan_and_report(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    died = run_app(tmp_path, "die", ROOFPLAN_HOME=home)
    assert died.returncode == -signal.SIGSEGV, died.stderr
    told = driven(tmp_path, ROOFPLAN_HOME=home)
    assert "not closed properly" in told["said"]
    assert "ended unexpectedly" in told["later"]
    assert len(list((tmp_path / "home" / "logs").glob("fault-*.txt"))) == 1
