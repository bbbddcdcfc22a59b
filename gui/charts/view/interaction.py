"""The user's hand on a chart: clicking, hovering, dragging limits, and the keyboard's way to do the same."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent

from gui.charts.figure.figure import Figure, Limit, Mapping, Mark
from gui.charts.paint.picture import Picture
from gui.charts.paint.points import Highlights
from gui.charts.view.pointing import Hit, explained_by, find_draggable, find_hit, find_limit, parts_of

CLICK_PX = 4.0
_STEPS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}
_ALONG = (Qt.Key.Key_Right, Qt.Key.Key_Left)
PUSH = 5.0
"""How far Shift and an arrow move a mark, in units of the axis."""
_PUSHES = {Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Up: (0, 1), Qt.Key.Key_Down: (0, -1)}
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_GRIPS = {"x": Qt.CursorShape.SplitHCursor, "y": Qt.CursorShape.SplitVCursor}


class Chart(Protocol):
    """What a hand needs of the chart it works on."""

    figure: Figure
    lit: Highlights

    def picture(self) -> Picture | None: ...
    def pick(self, candidate_id: str) -> None: ...
    def explain(self, key: str) -> None: ...
    def pin(self, candidate_id: str) -> None: ...
    def clear(self) -> None: ...
    def copy(self) -> None: ...
    def set_hovered(self, candidate_id: str | None, part: str = "") -> None: ...
    def move_limit(self, limit_id: str, at: float, value: float) -> None: ...
    def drop_limit(self, limit_id: str, value: float) -> None: ...
    def hold_mark(self, mark: Mark | None, x: float = 0.0, y: float = 0.0) -> None: ...
    def drop_mark(self, mark: Mark, x: float, y: float) -> None: ...
    def show_cursor(self, shape: Qt.CursorShape) -> None: ...
    def show_tip(self, text: str, at: QPoint) -> None: ...
    def setFocus(self, reason: Qt.FocusReason) -> None: ...


class ChartInteraction:
    """Turns mouse and key events of one chart into what they mean. Methods return True when an event is used up."""

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._pressed_at: QPointF | None = None
        self._dragged: Limit | None = None
        self._held: Mark | None = None
        self._place: tuple[float, float] | None = None
        self._value: float | None = None

    @property
    def is_dragging(self) -> bool:
        """True while a limit or a mark is held."""
        return self._dragged is not None or self._held is not None

    def press(self, event: QMouseEvent) -> bool:
        """Begin a click, or the drag of a limit."""
        picture, at = self._chart.picture(), event.position()
        if event.button() != Qt.MouseButton.LeftButton or picture is None:
            return False
        self._pressed_at = at
        self._dragged = find_limit(self._chart.figure, picture.view, at.x(), at.y())
        if self._dragged is None:
            self._held = find_draggable(self._chart.figure, picture.view, at.x(), at.y())
        return self.is_dragging

    def move(self, event: QMouseEvent) -> bool:
        """Drag a limit live, or hover."""
        picture, at = self._chart.picture(), event.position()
        if picture is None:
            return False
        if self._dragged:
            self._drag(self._dragged, picture.view.x_at(at.x()), picture.view.y_at(at.y()))
            return True
        if self._held:
            self._carry(self._held, at, picture.view)
            return True
        limit = find_limit(self._chart.figure, picture.view, at.x(), at.y())
        self._chart.show_cursor(_GRIPS[limit.axis] if limit else Qt.CursorShape.ArrowCursor)
        self._hover(find_hit(self._chart.figure, picture.view, at.x(), at.y()), event.globalPosition().toPoint())
        return False

    def release(self, event: QMouseEvent) -> bool:
        """End a drag, or pick what was clicked."""
        held, place, was_dragging = self._held, self._place, self.is_dragging
        limit, value = self._dragged, self._value
        self._dragged = self._held = self._place = self._value = None
        start, self._pressed_at = self._pressed_at, None
        if held:
            self._chart.hold_mark(None)
            if place:
                self._chart.drop_mark(held, *place)
                return True
            was_dragging = False
        if limit is not None and value is not None:
            self._chart.drop_limit(limit.id, value)
        if start is not None and not was_dragging and (event.position() - start).manhattanLength() <= CLICK_PX:
            self._click(event)
        return was_dragging

    def key(self, event: QKeyEvent) -> bool:
        """Walk, select, pin, clear or copy. In a bar made of parts, left and right walk its parts."""
        key, hovered = event.key(), self._chart.lit.hovered
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self._push(key):
            return True
        if key in _ALONG and parts_of(self._chart.figure, hovered or self._chart.lit.selected):
            self._walk_parts(_STEPS[Qt.Key(key)])
        elif key in _STEPS:
            self._walk(_STEPS[Qt.Key(key)])
        elif key in _ENTER and hovered:
            explains = explained_by(self._chart.figure, hovered, self._chart.lit.part)
            self._pick(hovered, explains, event.modifiers())
        elif key == Qt.Key.Key_Escape:
            self._chart.clear()
        elif key == Qt.Key.Key_C and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._chart.copy()
        else:
            return False
        return True

    def _carry(self, mark: Mark, at: QPointF, view: Mapping) -> None:
        """The mark follows the hand once that has moved farther than a click does."""
        start = self._pressed_at
        if self._place is None and start is not None and (at - start).manhattanLength() <= CLICK_PX:
            return
        x, y = view.x_at(at.x()) if mark.drag == "both" else mark.x, view.y_at(at.y())
        self._place = self._within(x, y)
        self._chart.show_cursor(Qt.CursorShape.ClosedHandCursor)
        self._chart.hold_mark(mark, *self._place)

    def _push(self, key: int) -> bool:
        """Moves the mark that the arrows or a click chose by one step, else a limit that goes by steps; False where
        neither is, or it cannot go there."""
        ids = self._chart.lit.hovered, self._chart.lit.selected
        mark = next((one for chosen in ids for one in self._chart.figure.marks if one.id == chosen and one.drag), None)
        if mark is None:
            return self._push_limit(key)
        if key not in _PUSHES or (_PUSHES[Qt.Key(key)][0] and mark.drag == "y"):
            return False
        right, up = _PUSHES[Qt.Key(key)]
        self._chart.drop_mark(mark, *self._within(mark.x + PUSH * right, mark.y + PUSH * up))
        return True

    def _push_limit(self, key: int) -> bool:
        """Moves the limit that goes by steps along its axis by one step; False where there is none."""
        right, up = _PUSHES.get(Qt.Key(key), (0, 0))
        axis, steps = ("x", right) if right else ("y", up)
        found = (one for one in self._chart.figure.limits if one.draggable and one.step and one.axis == axis)
        limit = next(found, None) if steps else None
        if limit is None:
            return False
        value = limit.near(limit.at + steps * limit.step)
        self._chart.move_limit(limit.id, value, value)
        self._chart.drop_limit(limit.id, value)
        return True

    def _within(self, x: float, y: float) -> tuple[float, float]:
        across, up = self._chart.figure.x, self._chart.figure.y
        return min(max(x, across.low), across.high), min(max(y, up.low), up.high)

    def _drag(self, limit: Limit, x: float, y: float) -> None:
        figure = self._chart.figure
        axis, at = (figure.x, x) if limit.axis == "x" else (figure.y, y)
        self._value = limit.near(10**at if axis.log else at)
        self._chart.move_limit(limit.id, self._value if limit.step else at, self._value)

    def _click(self, event: QMouseEvent) -> None:
        self._chart.setFocus(Qt.FocusReason.MouseFocusReason)
        picture, at = self._chart.picture(), event.position()
        hit = find_hit(self._chart.figure, picture.view, at.x(), at.y()) if picture else None
        if hit:
            self._pick(hit.id, hit.explains, event.modifiers())

    def _pick(self, picked_id: str, explains: str, modifiers: Qt.KeyboardModifier) -> None:
        """Either may be empty. The candidate is picked first, so that its own figure is explained."""
        if picked_id and modifiers & Qt.KeyboardModifier.ShiftModifier:
            self._chart.pin(picked_id)
            return
        if picked_id:
            self._chart.pick(picked_id)
        if explains:
            self._chart.explain(explains)

    def _hover(self, hit: Hit | None, at: QPoint) -> None:
        self._chart.set_hovered(hit.id if hit else None, hit.part if hit else "")
        self._chart.show_tip(hit.tip if hit else "", at)

    def _walk(self, step: int) -> None:
        ids = self._chart.figure.ids
        if not ids:
            return
        here = self._chart.lit.hovered or self._chart.lit.selected
        self._chart.set_hovered(ids[(ids.index(here) + step) % len(ids)] if here in ids else ids[0])

    def _walk_parts(self, step: int) -> None:
        here = self._chart.lit.hovered or self._chart.lit.selected
        parts, part = parts_of(self._chart.figure, here), self._chart.lit.part
        start = 0 if step > 0 else len(parts) - 1
        self._chart.set_hovered(here, parts[(parts.index(part) + step) % len(parts)] if part in parts else parts[start])
