"""The scene a chart is painted in: cached layers, and the mouse that drags and zooms them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QGraphicsItem, QGraphicsScene, QGraphicsView, QWidget

from gui.charts.view.interaction import CLICK_PX, ChartInteraction

ZOOM_PER_STEP = 1.02**15
"""How much closer one notch of a wheel goes."""

NOTCH = 120
"""What Qt calls one notch, in eighths of a degree."""

_HOLDS = (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton)


class Window(Protocol):
    """The part of a figure that is shown, moved by the mouse."""

    def pan(self, moved_px: QPointF) -> None: ...
    def zoom(self, factor: float, at_px: QPointF) -> bool: ...
    def reset_view(self) -> None: ...


class Layer(QGraphicsItem):
    """One cached scene object painted by a function, in pixels of the widget."""

    def __init__(self, paint: Callable[[QPainter], None], z: float) -> None:
        super().__init__()
        self._paint = paint
        self._rect = QRectF(0, 0, 1, 1)
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


class Plot(QGraphicsView):
    """A scene as large as the widget. The hand has mouse events first; what it does not use moves the window."""

    def __init__(self, window: Window, hand: ChartInteraction, parent: QWidget) -> None:
        super().__init__(parent)
        self._window, self._hand = window, hand
        self._pressed_at: QPointF | None = None
        self._held_at: QPointF | None = None
        self.setScene(QGraphicsScene(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The scene follows the widget, pixel for pixel."""
        super().resizeEvent(event)
        self.setSceneRect(QRectF(self.viewport().rect()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press on a limit's grip drags it; any other may become a pan."""
        if not self._hand.press(event) and event.button() in _HOLDS:
            self._pressed_at = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag a limit, or pan and hover."""
        if self._hand.move(event) or self._pressed_at is None:
            return
        at = event.position()
        if self._held_at is None and (at - self._pressed_at).manhattanLength() <= CLICK_PX:
            return
        self._window.pan(at - (self._held_at or self._pressed_at))
        self._held_at = at

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a drag, or click."""
        self._pressed_at = self._held_at = None
        self._hand.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Back to the whole view."""
        self._window.reset_view()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom about the pointer; where nothing can be zoomed, the page around may scroll."""
        factor = ZOOM_PER_STEP ** (-event.angleDelta().y() / NOTCH)
        event.setAccepted(self._window.zoom(factor, event.position()))
