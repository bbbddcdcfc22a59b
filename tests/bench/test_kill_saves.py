"""A small share of ``make kill`` in every run of the tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.repository_files import ROOT


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the harness forks")
def test_programs_killed_while_they_write_leave_every_file_whole_and_nothing_behind() -> None:
    command = [sys.executable, "-m", "tests.bench.kill_saves", "20", "7"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.match(r"20 kills \(save 5, migration 5, autosave 5, snapshot 5\)\n\d+ reads .*, 0 faults\n", done.stdout)
