"""Where the window and its docks stood when it was last closed."""

from __future__ import annotations

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QMainWindow

from gui.settings.settings import Settings

LAYOUT_VERSION = 1
"""Raised when docks are added or renamed, so that an old layout is not forced upon them."""

FIRST_SIZE_PX = (1440, 900)


def keep_layout(window: QMainWindow, settings: Settings) -> None:
    """Notes size, place and docks."""
    settings.geometry = bytes(window.saveGeometry().toHex().data()).decode("ascii")
    settings.layout = bytes(window.saveState(LAYOUT_VERSION).toHex().data()).decode("ascii")
    settings.save()


def restore_layout(window: QMainWindow, settings: Settings) -> None:
    """Puts window and docks where they were; what cannot be read is left as it is."""
    window.resize(*FIRST_SIZE_PX)
    window.restoreGeometry(_bytes(settings.geometry))
    window.restoreState(_bytes(settings.layout), LAYOUT_VERSION)


def _bytes(text: str) -> QByteArray:
    return QByteArray.fromHex(QByteArray(text.encode("ascii", "ignore")))
