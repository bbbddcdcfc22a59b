"""The scene a chart is painted in: cached layers over pyqtgraph's ViewBox, which zooms and pans.

With chart_view.py the only file that uses pyqtgraph.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QGraphicsItem

from gui.charts.view.graphs import pg
from gui.charts.view.interaction import ChartInteraction

if TYPE_CHECKING:
    from gui.charts.view.chart_view import ChartView


class Layer(pg.GraphicsObject):
    """One cached scene object painted by a function, in pixels of the widget."""

    def __init__(self, paint: Callable[[QPainter], None], z: float) -> None:
        super().__init__()
        self._paint = paint
        self._rect = QRectF()
        self.setZValue(z)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)

    def set_size(self, width: float, height: float) -> None:
        """Cover the widget."""
        self.prepareGeometryChange()
        self._rect = QRectF(0, 0, width, height)
        self.update()

    def boundingRect(self) -> QRectF:
        """The widget's rectangle."""
        return self._rect

    def paint(self, painter: QPainter, *_: object) -> None:
        """Paint the layer."""
        self._paint(painter)


class Plot(pg.GraphicsView):
    """pyqtgraph's view with nothing but a box that zooms and pans, handing mouse events to the chart first.

    Its plot would bring axes, menus and forms that no chart shows: 1.6 MiB and thirty widgets each.
    """

    def __init__(self, chart: ChartView, interaction: ChartInteraction) -> None:
        super().__init__(parent=chart)
        self._chart = chart
        self._hand = interaction
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.box = pg.ViewBox(enableMenu=False)
        self.scene().addItem(self.box)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press on a limit's grip drags it; any other pans."""
        if not self._hand.press(event):
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag a limit, or pan and hover."""
        if not self._hand.move(event):
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a drag, or click."""
        if not self._hand.release(event):
            super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Back to the whole view."""
        self._chart.reset_view()
