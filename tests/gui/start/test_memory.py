"""What a start takes of memory: of Qt and of sources no more than is used, with the sample plan answered in all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository_files import ROOT

MOST_MB = 200
"""Of the whole process at rest; 260 before papers were laid out apart and copies of sources and of Qt's names went."""

LIBRARIES = """
import linecache, sys
from gui.start.application import application
application()
from gui.charts.view.graphs import pg
import gui.app
import PySide6.QtWidgets
kept = [name for name in linecache.cache if "comparison" in name or "window" in name or "pyqtgraph" in name]
made = set(vars(sys.modules["pyqtgraph.Qt.QtWidgets"]))
print(len(kept), "QWidget" in dir(PySide6.QtWidgets), "QGraphicsView" in made, "QCalendarWidget" in made)
print(pg.QtWidgets.QCalendarWidget is PySide6.QtWidgets.QCalendarWidget, hasattr(pg.QtCore, "nothing"))
"""
SAMPLE = """
from pathlib import Path
from core.plan.sample_plan import sample_plan
from gui.session.collector import Collector, calm_collector, share_memory
from gui.start.application import application
share_memory()
app = application()
from gui.app import make_window
from PySide6.QtCore import QTimer
window = make_window(sample_plan())
window.show()
calm_collector()
collector = Collector(window.session.road)
def look():
    if window.session.whole_plan.answer is not None and window.session.road.is_idle:
        collector.collect()
        told = Path("/proc/self/status").read_text().split("VmRSS:")[1].split()[0]
        print(window.session.whole_plan.n_parts, int(told) * 1024 / 1e6)
        app.quit()
timer = QTimer(interval=50)
timer.timeout.connect(look)
timer.start()
app.exec()
window.session.close()
"""


def told_by(code: str, home: Path) -> list[str]:
    own = {"QT_QPA_PLATFORM": "offscreen", "ROOFPLAN_HOME": str(home)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | own, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_no_source_is_kept_and_of_qt_s_classes_only_those_in_use_are_made(tmp_path: Path) -> None:
    assert told_by(LIBRARIES, tmp_path) == ["0", "True", "True", "False", "True", "False"]


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_the_sample_plan_is_answered_in_little_memory(tmp_path: Path) -> None:
    n_parts, mb = told_by(SAMPLE, tmp_path)
    assert int(n_parts) == 2
    assert float(mb) < MOST_MB
