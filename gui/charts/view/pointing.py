"""What lies under the pointer: a candidate, a part of a bar, a limit line."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QRectF

from core.units import plain, usd
from gui.charts.figure.figure import Area, Bar, Curve, Figure, Limit, Mapping, Mark
from gui.charts.paint.rows import bar_rect, row_band

REACH_PX = 8.0
GRIP_PX = 5.0


@dataclass(frozen=True, slots=True)
class Hit:
    """The thing pointed at: the id it selects and the key it explains (both may be empty), what to say, its ring."""

    id: str
    tip: str
    x: float
    y: float
    radius: float
    part: str = ""
    explains: str = ""


def find_hit(figure: Figure, view: Mapping, x: float, y: float) -> Hit | None:
    """The nearest mark within reach, else the bar or row, else the curve, else the area at this pixel."""
    finders = (_mark_at, _bar_at, _curve_at, _area_at)
    return next((hit for find in finders if (hit := find(figure, view, x, y))), None)


def _mark_at(figure: Figure, view: Mapping, x: float, y: float) -> Hit | None:
    distances = [(math.hypot(view.px(mark.x) - x, view.py(mark.y) - y) - mark.radius_px, mark) for mark in figure.marks]
    near = [item for item in distances if item[0] <= REACH_PX]
    if not near:
        return None
    mark = min(near, key=lambda item: item[0])[1]
    return Hit(mark.id, mark.tip, view.px(mark.x), view.py(mark.y), mark.radius_px, explains=mark.explains)


def _bar_at(figure: Figure, view: Mapping, x: float, y: float) -> Hit | None:
    for number, row in enumerate(figure.rows):
        strip = row_band(number, view)
        if strip.top() <= y < strip.bottom():
            bars = [bar for bar in figure.bars if bar.row == number and _spans(bar_rect(bar, figure, view), x)]
            if not bars:
                return Hit(row.id, row.tip, x, y, 0.0)
            return Hit(row.id, bars[-1].tip, x, y, 0.0, bars[-1].part, bars[-1].explains)
    return None


def _spans(rect: QRectF, x: float) -> bool:
    return rect.left() <= x <= rect.right()


def _curve_at(figure: Figure, view: Mapping, x: float, y: float) -> Hit | None:
    near = [
        (distance, curve)
        for curve in figure.curves
        if (curve.id or curve.tip) and (distance := _distance(curve, view, x, y)) <= REACH_PX
    ]
    if not near:
        return None
    curve = min(near, key=lambda item: item[0])[1]
    at = view.x_at(x)
    tip = f"{_name_of(curve)}: {_value_text(figure, _value_at(curve, at))}"
    return Hit(curve.id, tip, x, view.py(_value_at(curve, at)), 3.0, explains=curve.explains)


def _area_at(figure: Figure, view: Mapping, x: float, y: float) -> Hit | None:
    """The step of an area that holds the pixel; its number is the part."""
    at, high = view.x_at(x), view.y_at(y)
    for area in figure.areas:
        for number, step in enumerate(area.steps):
            if step.start <= at < step.end and step.low <= high < step.high:
                return Hit(area.id, step.tip, x, y, 0.0, str(number), area.explains)
    return None


def _name_of(curve: Curve) -> str:
    return curve.tip or (curve.labels[0] if curve.labels else curve.id)


def _value_text(figure: Figure, y: float) -> str:
    value = figure.y.value_at(y)
    return usd(value) if figure.y.money else plain(value)


def _ends_text(figure: Figure, curve: Curve) -> str:
    """A curve in words: its name and the values at its left and right ends."""
    ends = [_value_text(figure, y) for y in (curve.ys[0], curve.ys[-1])]
    return f"{_name_of(curve)}: {' to '.join(dict.fromkeys(ends))}"


def _value_at(curve: Curve, x: float) -> float:
    for (x0, y0), (x1, y1) in zip(
        zip(curve.xs, curve.ys, strict=True), zip(curve.xs[1:], curve.ys[1:], strict=True), strict=False
    ):
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * ((x - x0) / (x1 - x0) if x1 > x0 else 0.0)
    return curve.ys[-1] if x > curve.xs[-1] else curve.ys[0]


def _distance(curve: Curve, view: Mapping, x: float, y: float) -> float:
    at = view.x_at(x)
    if not curve.xs[0] <= at <= curve.xs[-1]:
        return math.inf
    return abs(view.py(_value_at(curve, at)) - y)


def find_limit(figure: Figure, view: Mapping, x: float, y: float) -> Limit | None:
    """The draggable limit line whose grip is at this pixel."""
    for limit in figure.limits:
        off = x - view.px(limit.at) if limit.axis == "x" else y - view.py(limit.at)
        inside = view.left <= x <= view.left + view.width + 4 and view.top <= y <= view.top + view.height + 4
        if limit.draggable and inside and abs(off) <= GRIP_PX:
            return limit
    return None


def find_draggable(figure: Figure, view: Mapping, x: float, y: float) -> Mark | None:
    """The mark at this pixel, if a hand may move it."""
    hit = _mark_at(figure, view, x, y)
    return next((mark for mark in figure.marks if hit and mark.id == hit.id and mark.drag), None)


def parts_of(figure: Figure, picked_id: str | None) -> list[str]:
    """The parts of a row's bar, or the steps of an area that have some height, from left to right; none for a point or
    a bar of one piece."""
    area = _area_of(figure, picked_id)
    if area is not None:
        return [str(number) for number, step in enumerate(area.steps) if step.high > step.low]
    return [bar.part for bar in _bars_of(figure, picked_id) if bar.part]


def _area_of(figure: Figure, picked_id: str | None) -> Area | None:
    return next((area for area in figure.areas if area.id and area.id == picked_id), None)


def _bars_of(figure: Figure, picked_id: str | None) -> list[Bar]:
    row = next((number for number, one in enumerate(figure.rows) if one.id == picked_id), None)
    return [bar for bar in figure.bars if bar.row == row]


def explained_by(figure: Figure, picked_id: str, part: str = "") -> str:
    """The key that a bar, point or curve explains, for the keyboard; empty where nothing explains it."""
    keys = [bar.explains for bar in _bars_of(figure, picked_id) if bar.part == part]
    keys += [mark.explains for mark in figure.marks if mark.id == picked_id]
    keys += [curve.explains for curve in figure.curves if curve.id == picked_id]
    keys += [area.explains for area in figure.areas if area.id == picked_id]
    return keys[0] if keys else ""


def tip_of(figure: Figure, picked_id: str | None, part: str = "") -> str:
    """The words of a point, a row or a part of its bar, as a tool tip and a screen reader say them; empty if none."""
    area = _area_of(figure, picked_id)
    if area is not None:
        return area.steps[int(part)].tip if part.isdecimal() and int(part) < len(area.steps) else ", ".join(area.labels)
    if part:
        return next((bar.tip for bar in _bars_of(figure, picked_id) if bar.part == part), "")
    tips = {row.id: row.tip for row in figure.rows} | {mark.id: mark.tip for mark in figure.marks}
    tips |= {curve.id: _ends_text(figure, curve) for curve in figure.curves}
    return tips.get(picked_id or "", "")
