"""What every editor of a field can do, whatever it looks like."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.plan.fields import FieldInfo


class Editor(QWidget):
    """Base of editors: shows a value, tells of another, and of text that is none.

    ``edited`` carries a value of the field's type, ``refused`` a sentence on text that cannot be one, ``finished`` says
    that the focus left. ``is_wide`` editors use the room of the help text as well.
    """

    edited = Signal(object)
    refused = Signal(str)
    finished = Signal()
    is_wide = False

    def __init__(self, info: FieldInfo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.info = info
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(0)

    def show_value(self, value: Any) -> None:
        """Shows a value without telling of an edit."""
        raise NotImplementedError(type(self).__name__)

    def follow(self, value: Any) -> None:
        """What counts now, while the text stays as typed: for what stands beside it."""

    def target(self) -> QWidget:
        """The widget that takes the focus."""
        return self

    def stops(self) -> list[QWidget]:
        """The widgets that Tab visits, in order."""
        return [self.target()]

    def set_state(self, state: str) -> None:
        """``""``, ``"warning"`` or ``"error"``."""

    def add(self, widget: QWidget) -> None:
        """Places a widget, and gives it the field's name where it has none."""
        if not widget.objectName():
            widget.setObjectName(f"field-{self.info.path}")
        if not widget.accessibleName():
            widget.setAccessibleName(self.info.title)
        widget.setAccessibleDescription(self.info.help)
        self.row.addWidget(widget)
