"""The application object, made once: quick to import, for the first picture."""

from __future__ import annotations

import sys
from typing import cast

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from core import paths
from core.version import VERSION


def application() -> QApplication:
    """The application object, made when there is none yet."""
    app = cast(QApplication, QApplication.instance() or QApplication(sys.argv[:1]))
    app.setApplicationName("roofplan")
    app.setApplicationDisplayName("Roofplan")
    app.setApplicationVersion(VERSION)
    app.setDesktopFileName("roofplan")
    app.setWindowIcon(QIcon(str(paths.resources() / "icons" / "roofplan.png")))
    return app
