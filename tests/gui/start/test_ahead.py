"""What is read ahead of the first opening of a tab."""

from __future__ import annotations

import subprocess
import sys

from tests.repository_files import ROOT

PROGRAM = """
import sys
from PySide6.QtCore import QCoreApplication
import gui.app
from gui.session.road import Road
from gui.start.ahead import read_ahead
app, road = QCoreApplication([]), Road()
read_ahead(road).ended.connect(lambda _: app.quit())
app.exec()
road.stop()
before = set(sys.modules)
import gui.tabs.calibrate.panel, gui.tabs.flexibility.panel
from core.logs.registry import formats
formats()
print(*sorted(name for name in set(sys.modules) - before if name.startswith(("core.logs", "core.calibration"))))
"""


def test_tabs_find_what_reads_logs_and_published_rows_there() -> None:
    """Of the engine's rooms that took longest nothing is left to the moment at which a tab is opened."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert set(done.stdout.split()) <= {
        "core.calibration.own_logs.load", "core.calibration.own_logs.stretches", "core.calibration.own_logs.use",
    }  # fmt: skip
