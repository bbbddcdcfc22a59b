"""The user's hand on a chart: clicking, hovering, dragging limits, and the keyboard's way to do the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip

from gui.charts.figure import Limit
from gui.charts.pointing import Hit, find_hit, find_limit

if TYPE_CHECKING:
    from gui.charts.view import ChartView

CLICK_PX = 4.0
_STEPS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_GRIPS = {"x": Qt.CursorShape.SplitHCursor, "y": Qt.CursorShape.SplitVCursor}


class Hand:
    """Turns mouse and key events of one chart into its signals. Methods return True when an event is used up."""

    def __init__(self, chart: ChartView) -> None:
        self._chart = chart
        self._pressed_at: QPointF | None = None
        self._dragged: Limit | None = None

    @property
    def is_dragging(self) -> bool:
        """True while a limit is held."""
        return self._dragged is not None

    def press(self, event: QMouseEvent) -> bool:
        """Begin a click, or the drag of a limit."""
        picture, at = self._chart.picture(), event.position()
        if event.button() != Qt.MouseButton.LeftButton or picture is None:
            return False
        self._pressed_at = at
        self._dragged = find_limit(self._chart.figure, picture.view, at.x(), at.y())
        return self.is_dragging

    def move(self, event: QMouseEvent) -> bool:
        """Drag a limit live, or hover."""
        picture, at = self._chart.picture(), event.position()
        if picture is None:
            return False
        if self._dragged:
            self._drag(self._dragged, picture.view.x_at(at.x()), picture.view.y_at(at.y()))
            return True
        limit = find_limit(self._chart.figure, picture.view, at.x(), at.y())
        self._chart.show_cursor(_GRIPS[limit.axis] if limit else Qt.CursorShape.ArrowCursor)
        self._hover(find_hit(self._chart.figure, picture.view, at.x(), at.y()), event.globalPosition().toPoint())
        return False

    def release(self, event: QMouseEvent) -> bool:
        """End a drag, or pick what was clicked."""
        was_dragging, self._dragged = self.is_dragging, None
        start, self._pressed_at = self._pressed_at, None
        if start is not None and not was_dragging and (event.position() - start).manhattanLength() <= CLICK_PX:
            self._click(event)
        return was_dragging

    def key(self, event: QKeyEvent) -> bool:
        """Walk, select, pin, clear or copy."""
        key, hovered = event.key(), self._chart.lit.hovered
        if key in _STEPS:
            self._walk(_STEPS[Qt.Key(key)])
        elif key in _ENTER and hovered:
            self._pick(hovered, event.modifiers())
        elif key == Qt.Key.Key_Escape:
            self._chart.cleared.emit()
        elif key == Qt.Key.Key_C and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._chart.copy()
        else:
            return False
        return True

    def _drag(self, limit: Limit, x: float, y: float) -> None:
        figure = self._chart.figure
        axis, at = (figure.x, x) if limit.axis == "x" else (figure.y, y)
        self._chart.show_limit_at(limit.id, at)
        self._chart.limit_moved.emit(limit.id, 10**at if axis.log else at)

    def _click(self, event: QMouseEvent) -> None:
        self._chart.setFocus(Qt.FocusReason.MouseFocusReason)
        picture, at = self._chart.picture(), event.position()
        hit = find_hit(self._chart.figure, picture.view, at.x(), at.y()) if picture else None
        if hit and hit.id:
            self._pick(hit.id, event.modifiers())

    def _pick(self, candidate_id: str, modifiers: Qt.KeyboardModifier) -> None:
        shifted = modifiers & Qt.KeyboardModifier.ShiftModifier
        (self._chart.pin_requested if shifted else self._chart.picked).emit(candidate_id)

    def _hover(self, hit: Hit | None, at: QPoint) -> None:
        self._chart.set_hovered(hit.id if hit else None)
        if hit and hit.tip:
            QToolTip.showText(at + QPoint(12, 12), hit.tip, self._chart)
        elif hit is None:
            QToolTip.hideText()

    def _walk(self, step: int) -> None:
        ids = self._chart.figure.ids
        if not ids:
            return
        here = self._chart.lit.hovered or self._chart.lit.selected
        self._chart.set_hovered(ids[(ids.index(here) + step) % len(ids)] if here in ids else ids[0])
