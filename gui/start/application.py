"""The application object, made once: quick to import, for the first picture."""

from __future__ import annotations

import sys
from typing import Any, cast

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from core import paths
from core.version import VERSION


def application() -> QApplication:
    """The application object, made when there is none yet."""
    _leave_sources_alone()
    app = cast(QApplication, QApplication.instance() or QApplication(sys.argv[:1]))
    app.setApplicationName("roofplan")
    app.setApplicationDisplayName("Roofplan")
    app.setApplicationVersion(VERSION)
    app.setDesktopFileName("roofplan")
    app.setWindowIcon(QIcon(str(paths.resources() / "icons" / "roofplan.png")))
    return app


def _leave_sources_alone() -> None:
    """PySide reads the source of every module that is imported, to see whether it speaks of PySide and might switch on
    its other spellings of names, and Python keeps what was read: 20 MB and a tenth of a second of each start. Nothing
    here uses such spellings, and a packaged app has no sources."""
    for name in ("shibokensupport.feature", "PySide6.support.feature"):
        feature: Any = sys.modules.get(name)
        if hasattr(feature, "_mod_uses_pyside"):
            feature._mod_uses_pyside = lambda _: False
