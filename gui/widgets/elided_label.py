"""A label that shortens its text to the room there is and tells the whole of it on hover."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

_LEAST_PX = 60


class ElidedLabel(QLabel):
    """Takes what room is left; its full text stays available to readers and as a tooltip."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:
        """Shows a text."""
        super().setText(text)
        self.setToolTip(text)

    def minimumSizeHint(self) -> QSize:
        """A few letters wide."""
        return QSize(_LEAST_PX, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """The text, its middle left out when it is too long: names differ at their ends."""
        painter = QPainter(self)
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, self.width())
        painter.drawText(self.rect(), int(self.alignment()), shown)
