"""What the program needs before its first window, and what it leaves for later."""

from __future__ import annotations

import subprocess
import sys

from tests.repository_files import ROOT

LATER = ("sqlite_utils", "core.report.document", "core.report.pages.cost", "openpyxl", "gui.pdf.writer", "typst")
"""Needed to save, to hand out, to print: each costs every start a hundredth or more of a second."""


def test_what_only_files_and_papers_need_is_not_imported_before_the_window() -> None:
    code = f"import sys, gui.app; print(*(name for name in {LATER!r} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
