"""Dialogs as large as they wish, never larger than the screen, beyond whose edge their buttons could not be reached."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

FRAME_PX = QSize(16, 40)
"""Title bar and edges that a window manager adds, at most."""


def within_screen(dialog: QWidget, width_px: int, height_px: int) -> None:
    """Gives a dialog its size, less what its screen has no room for."""
    dialog.resize(QSize(width_px, height_px).boundedTo(dialog.screen().availableSize() - FRAME_PX))
