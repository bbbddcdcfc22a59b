"""The round of F6 through the areas of the window."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget


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
