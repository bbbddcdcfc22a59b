"""The Qt application where there is no display: for PDFs, pictures and the self-test."""

from __future__ import annotations

import os
import sys
from typing import cast

from PySide6.QtWidgets import QApplication

from gui.theme.fonts import load_fonts


def application() -> QApplication:
    """The application object, made when there is none yet, with the shipped typeface."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = cast(QApplication, QApplication.instance() or QApplication(sys.argv[:1]))
    load_fonts()
    return app
