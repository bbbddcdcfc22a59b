"""A line of text that takes the room there is."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme.plain import Label, tip

LEAST_PX = 60


class ElidedLabel(Label):
    """Leaves out what does not fit; its full text stays available to readers and as a tooltip.

    Names that differ at their ends are cut in the middle.
    """

    def __init__(self, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight, parent: QWidget | None = None) -> None:
        self._mode = mode
        super().__init__(parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:
        """Shows a text."""
        super().setText(text)
        self.setToolTip(tip(text))
        self.setAccessibleName(self.text())

    @property
    def shown(self) -> str:
        """The text as it is painted."""
        return self.fontMetrics().elidedText(self.text(), self._mode, self.width())

    def minimumSizeHint(self) -> QSize:
        """A few letters wide."""
        hint = super().minimumSizeHint()
        return QSize(min(LEAST_PX, hint.width()), hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """The text, or what of it fits."""
        QPainter(self).drawText(self.rect(), int(self.alignment()), self.shown)
