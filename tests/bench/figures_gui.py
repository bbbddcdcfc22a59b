"""Speed of the window, drawn off screen, and of the PDF."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import numpy as np
from figures_core import median_ms
from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.plan.sample_plan import sample_plan
from core.report.document import build
from gui.app import calm_collector, make_window
from gui.headless import application
from gui.offscreen import WINDOW_PX, wait_for_results
from gui.pdf.writer import write_pdf
from gui.window.main_window import MainWindow

N_EDITS = 8
TABS = ("describe", "compare", "cost", "performance", "flexibility")


def first_window_ms() -> float:
    """From the command to the first paint of the window, in a process of its own."""
    return median_ms(_start_once, 5)


def _start_once() -> None:
    with tempfile.TemporaryDirectory() as folder:
        pipe = Path(folder) / "ready"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "ROOFPLAN_READY_FILE": str(pipe)}
        program = subprocess.Popen([sys.executable, "-m", "gui.entry", "--sample"], env=environment)
        ready, _, _ = select.select([reader], [], [], 60)
        program.kill()
        program.wait()
        os.close(reader)
        if not ready:
            raise RuntimeError("the window was not painted within 60 s")


def edit_to_repaint_p95_ms() -> float:
    """From one edit, through pause, evaluation and drawing, to a repainted window; 95th percentile over five tabs."""
    application()
    window = make_window(sample_plan())
    window.resize(*WINDOW_PX)
    window.show()
    wait_for_results(window.session)
    calm_collector()
    taken_ms = []
    for number, tab in enumerate(TABS):
        window.tabs.show_tab(tab)
        QApplication.processEvents()
        taken_ms += [edit_once(window, 61.0 + number + step / N_EDITS) for step in range(N_EDITS)]
    window.session.undo_stack.setClean()  # else closing asks whether to save
    window.close()
    return float(np.percentile(taken_ms, 95))


def edit_once(window: MainWindow, deadline_days: float = 0.0, act: Callable[[], object] | None = None) -> float:
    """Milliseconds from a changed deadline, or another act, until every visible chart is painted anew."""
    session = window.session
    loop = QEventLoop()
    session.results_changed.connect(loop.quit)
    start_s = time.perf_counter()
    if act is None:
        session.edit("profiles.0.limits.deadline_days", deadline_days)
    else:
        act()
    loop.exec()
    QApplication.processEvents()
    window.repaint()
    session.results_changed.disconnect(loop.quit)
    return 1000 * (time.perf_counter() - start_s)


def pdf_full_ms() -> float:
    """The comparison plan with every page, from results to a file."""
    application()
    plan, catalogue = sample_plan(), load_catalogue()
    results = {profile.id: evaluate(profile, catalogue) for profile in plan.profiles}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "plan.pdf"
        return median_ms(lambda: write_pdf(build(plan, results, catalogue, date.today()), path), 5)


FIGURES = {
    "first_window_ms": (first_window_ms, "ms"),
    "edit_to_repaint_p95_ms": (edit_to_repaint_p95_ms, "ms"),
    "pdf_full_ms": (pdf_full_ms, "ms"),
}
