"""Runs the app itself, in another process and under other circumstances."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.repository_files import ROOT

PATIENCE_S = 240


def namespaces(*flags: str) -> list[str]:
    """The command that runs another one in namespaces of its own; skips where that is not permitted."""
    command = ["unshare", *flags]
    allowed = shutil.which("unshare") and subprocess.run([*command, "true"], capture_output=True, check=False)
    if not allowed or allowed.returncode:
        pytest.skip("no namespaces here")
    return command


def run_app(
    folder: Path, *words: str, before: Sequence[str] = (), **variables: str
) -> subprocess.CompletedProcess[str]:
    """Runs the app, which works on its own (see :mod:`driven_app`) and ends; its plan is saved in the folder."""
    kept = {name: value for name, value in os.environ.items() if name not in {"ROOFPLAN_HOME", "XDG_DATA_HOME"}}
    environment = {**kept, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT), **variables}
    target = str(folder / "out.roofplan")
    command = [*before, sys.executable, "-m", "tests.gui.hostile.driven_app", target, *words]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )


def driven(folder: Path, before: Sequence[str] = (), **variables: str) -> dict[str, Any]:
    """What the app did and said; it ended well."""
    done = run_app(folder, before=before, **variables)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told
