"""Taking widgets off the screen."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


def take_away(widget: QWidget) -> None:
    """Deletes a widget that has been on screen.

    It is hidden at once: deleted later alone, it would be painted under what takes its place until then.
    """
    widget.hide()
    widget.deleteLater()
