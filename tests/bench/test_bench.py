"""The runner of the speed figures."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

RUNNER = Path(__file__).parent / "bench.py"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(RUNNER), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_one_figure_is_one_line() -> None:
    done = run("save_ms")
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"save_ms \d+(\.\d+)? ms\n", done.stdout)


def test_an_unknown_figure_is_told_with_the_known_ones() -> None:
    done = run("no_such_ms")
    assert done.returncode == 2
    assert "save_ms" in done.stderr
