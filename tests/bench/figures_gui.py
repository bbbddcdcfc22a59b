"""Speed of the window, drawn off screen, and of the PDF."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

from figures_core import median_ms

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.plan.sample_plan import sample_plan
from core.report.document import build
from gui.headless import application
from gui.pdf.writer import write_pdf


def first_window_ms() -> float:
    """From the command to the first paint, which is that of the empty window, in a process of its own."""
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
    "pdf_full_ms": (pdf_full_ms, "ms"),
}
