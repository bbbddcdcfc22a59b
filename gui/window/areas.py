"""The areas of the window: the round of F6 through them, and the room they have."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QWidget

LEAST_DOCK_PX = 130
"""Narrower than this no title in the project dock can be read."""


def focus_next_area(areas: Sequence[QWidget]) -> None:
    """Gives the focus to the visible area after the one that has it, or to the first widget inside that takes it."""
    shown = [area for area in areas if area.isVisible()]
    focused = QApplication.focusWidget()
    at = next((i for i, area in enumerate(shown) if focused and (area is focused or area.isAncestorOf(focused))), -1)
    for step in range(1, len(shown) + 1):
        target = _focusable(shown[(at + step) % len(shown)])
        if target is not None:
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return


def _focusable(area: QWidget) -> QWidget | None:
    if area.focusPolicy() & Qt.FocusPolicy.TabFocus:
        return area
    inside = (child for child in area.findChildren(QWidget) if child.isVisible() and child.isEnabled())
    return next((child for child in inside if child.focusPolicy() & Qt.FocusPolicy.TabFocus), None)


def widen_squeezed(window: QMainWindow, dock: QDockWidget, usual_px: int) -> None:
    """Gives a dock its usual width again that a narrow window had squeezed below what anybody would choose."""
    if dock.isVisible() and dock.width() < LEAST_DOCK_PX:
        window.resizeDocks([dock], [usual_px], Qt.Orientation.Horizontal)
