"""A short hatched bar in a row of a table: its part of the longest."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

WIDTH_PX, HEIGHT_PX, LEAST_PX = 54, 10, 18


class ShareBar(QWidget):
    """``share`` of its width is hatched, 0 to 1."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.share = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMaximumWidth(WIDTH_PX)

    def show_share(self, share: float) -> None:
        """Hatches another part."""
        self.share = min(max(share, 0.0), 1.0)
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as may be."""
        return QSize(WIDTH_PX, HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:
        """Narrow where the words need the room."""
        return QSize(LEAST_PX, HEIGHT_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Hatched as what is paid for and not used is everywhere; a pixel is left of the smallest."""
        painter = QPainter(self)
        colour = self.palette().color(self.foregroundRole())
        colour.setAlphaF(0.55)
        bar = QRectF(0.0, 0.0, max(self.share * self.width(), 1.0), self.height())
        painter.setOpacity(0.35)
        painter.fillRect(bar, colour)
        painter.setOpacity(1.0)
        painter.fillRect(bar, QBrush(colour, Qt.BrushStyle.BDiagPattern))
        painter.end()
