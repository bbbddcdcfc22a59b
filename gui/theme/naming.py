"""Names for widgets: one for tests and the sheet, one for screen readers, one for the look."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QWidget

Named = TypeVar("Named", bound=QWidget)


def named(widget: Named, name: str, accessible_name: str = "", kind: str = "") -> Named:
    """The widget with its names, and the style sheet's kind if one is given."""
    widget.setObjectName(name)
    if accessible_name:
        widget.setAccessibleName(accessible_name)
    if kind:
        widget.setProperty("kind", kind)
    return widget
