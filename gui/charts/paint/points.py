"""Paints a figure's grid, limits, curves and points in pixels, on screen and on paper alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPolygonF

from gui.charts.figure.figure import Curve, Figure, Limit, Mapping, Mark
from gui.charts.figure.label_layout import Box, LabelWish, Placed, leader_boxes, place_along, place_labels
from gui.charts.paint.brush import Ink, clipped, text_width
from gui.charts.paint.notes import note_place

LINE_PX = 15.0
DASH, DOTS = (5.0, 4.0), (2.0, 3.0)
RING_PX = 4.5
"""How far from its edge the ring of the selected mark runs."""


@dataclass(frozen=True, slots=True)
class Highlights:
    """What the user points at: hovered, with the part of its bar; selected; and the pinned pair A and B."""

    hovered: str | None = None
    selected: str | None = None
    pinned: tuple[str, ...] = ()
    part: str = ""


NOTHING_LIT = Highlights()


def plot_rect(view: Mapping) -> QRectF:
    """The plot's area in pixels."""
    return QRectF(view.left, view.top, view.width, view.height)


def paint_back(ink: Ink, figure: Figure, view: Mapping, x_ticks: Sequence[float], y_ticks: Sequence[float]) -> None:
    """Regions beyond the limits and the grid, under everything."""
    with clipped(ink.painter, plot_rect(view)):
        for limit in figure.limits:
            if limit.past:
                ink.fill(_beyond(limit, view), "limit")
        if not figure.rows or figure.x.shown:
            for x in x_ticks:
                ink.line(view.px(x), view.top, view.px(x), view.top + view.height, ink.pen("grid"))
        for y in y_ticks:
            ink.line(view.left, view.py(y), view.left + view.width, view.py(y), ink.pen("grid"))


def _beyond(limit: Limit, view: Mapping) -> QRectF:
    area = plot_rect(view)
    if limit.axis == "x":
        area.setLeft(max(view.px(limit.at), area.left()))
    else:
        area.setBottom(min(view.py(limit.at), area.bottom()))
    return area


def paint_curves(ink: Ink, curves: Sequence[Curve], view: Mapping, selected: str | None) -> None:
    """Bands first, then the lines; the selected one is thicker."""
    with clipped(ink.painter, plot_rect(view)):
        for curve in curves:
            if curve.low:
                edge = [*zip(curve.xs, curve.low, strict=True), *reversed(list(zip(curve.xs, curve.high, strict=True)))]
                ink.painter.setPen(ink.pen(curve.colour, 0.0, 0.0))
                ink.painter.setBrush(ink.colour(curve.colour, ink.theme.band_opacity))
                ink.painter.drawPolygon(_polygon(edge, view))
        ink.painter.setBrush(ink.colour("bg", 0.0))
        for curve in curves:
            width = curve.width_px + (1.0 if curve.id and curve.id == selected else 0.0)
            ink.painter.setPen(ink.pen(curve.colour, width, dash=(6.0, 4.0) if curve.dashed else None))
            ink.painter.drawPolyline(_polygon(list(zip(curve.xs, curve.ys, strict=True)), view))
    paint_curve_labels(ink, curves, view, selected)


def _polygon(points: Sequence[tuple[float, float]], view: Mapping) -> QPolygonF:
    return QPolygonF([QPointF(view.px(x), view.py(y)) for x, y in points])


def paint_curve_labels(ink: Ink, curves: Sequence[Curve], view: Mapping, selected: str | None) -> None:
    """Names at the right ends, pushed apart downwards so that they never overlap."""
    named = sorted((c for c in curves if c.labels), key=lambda c: view.py(c.ys[-1]))
    floor = view.top - 8.0
    room = view.top + view.height - sum(len(c.labels) * LINE_PX + 2 for c in named)
    for curve in named:
        y = max(min(view.py(curve.ys[-1]) - 6, room), floor) + 6
        for number, text in enumerate(curve.labels):
            key = f"{curve.colour}_label_text" if number == 0 else "ink3"
            ink.text(view.left + view.width + 10, y, text, key, strong=number == 0)
            y += LINE_PX
        floor = y - 4
        room += len(curve.labels) * LINE_PX + 2


def paint_whiskers(ink: Ink, marks: Sequence[Mark], view: Mapping) -> None:
    """80 % ranges as thin lines without caps, under the marks; dotted for what is on paper."""
    with clipped(ink.painter, plot_rect(view)):
        for mark in marks:
            dash = DOTS if mark.fill == "dashed" and not mark.hollow else None
            pen = ink.pen(mark.colour, 1.25, 0.4 if mark.hollow else 0.55, dash)
            x, y = view.px(mark.x), view.py(mark.y)
            if mark.x_range:
                ink.line(view.px(mark.x_range[0]), y, view.px(mark.x_range[1]), y, pen)
            if mark.y_range:
                ink.line(x, view.py(mark.y_range[0]), x, view.py(mark.y_range[1]), pen)


def paint_marks(ink: Ink, marks: Sequence[Mark], view: Mapping, lit: Highlights) -> None:
    """Points, with rings for the selected and the hovered one; those outside the view are left out."""
    for mark in marks:
        x, y = view.px(mark.x), view.py(mark.y)
        if not is_inside(mark, view):
            continue
        if mark.id == lit.selected:
            ink.ring(x, y, mark.radius_px + RING_PX, "ink", 1.5, filled=True)
        ink.glyph(x, y, mark.radius_px, mark.shape, mark.colour, mark.hollow, mark.fill)
        if mark.id in lit.pinned:
            letter = "AB"[lit.pinned.index(mark.id) % 2]
            ink.text(*_letter_at(mark, view), letter, "ink", strong=True, halo=True)


def is_inside(mark: Mark, view: Mapping) -> bool:
    """True when the mark's centre lies in the plot."""
    return plot_rect(view).adjusted(-1, -1, 1, 1).contains(QPointF(view.px(mark.x), view.py(mark.y)))


def label_places(figure: Figure, view: Mapping, lit: Highlights = NOTHING_LIT) -> list[tuple[Mark, Placed]]:
    """Labels of the marks in the view by the rules of ``label_layout``: the selected one's first, then in order."""
    inside = [mark for mark in figure.marks if is_inside(mark, view)]
    marks = sorted((mark for mark in inside if mark.show_name), key=lambda mark: mark.id != lit.selected)
    wishes = [_wish(mark, view, mark.id == lit.selected) for mark in marks]
    others = [_wish(mark, view, mark.id == lit.selected).mark for mark in inside if not mark.show_name]
    taken = [*others, *_limit_labels(figure, view), *_note_boxes(figure, view), *_letters(inside, view, lit)]
    bounds = Box(view.left, view.top, view.width, view.height)
    placed = place_labels(wishes, line_boxes(figure, view), taken, bounds)
    return [(mark, place) for mark, place in zip(marks, placed, strict=True) if place]


def name_places(figure: Figure, view: Mapping, labels: Sequence[tuple[Mark, Placed]]) -> list[tuple[Curve, Box]]:
    """Names of the curves that have one, off marks, labels and notes; those without such a place are left out."""
    marks = [_wish(mark, view, True).mark for mark in figure.marks if is_inside(mark, view)]
    taken = [*marks, *(box for _, place in labels for box in (place.box, *leader_boxes(place.leader)))]
    taken += [*_limit_labels(figure, view), *_note_boxes(figure, view)]
    lines, bounds = line_boxes(figure, view), Box(view.left, view.top, view.width, view.height)
    places = []
    for curve in (curve for curve in figure.curves if curve.name):
        points = [(view.px(x), view.py(y)) for x, y in zip(curve.xs, curve.ys, strict=True)]
        box = place_along(points, (text_width(curve.name), LINE_PX), taken, lines, bounds)
        if box:
            places.append((curve, box))
            taken.append(box)
    return places


def _letters(marks: Sequence[Mark], view: Mapping, lit: Highlights) -> list[Box]:
    """Where the A and B of pinned marks stand."""
    pinned = [(mark, *_letter_at(mark, view)) for mark in marks if mark.id in lit.pinned]
    return [Box(x, y - LINE_PX / 2, text_width("A", strong=True), LINE_PX) for _, x, y in pinned]


def _letter_at(mark: Mark, view: Mapping) -> tuple[float, float]:
    return view.px(mark.x) + mark.radius_px + 2, view.py(mark.y) - mark.radius_px - 4


def _wish(mark: Mark, view: Mapping, selected: bool) -> LabelWish:
    name = text_width(mark.name, strong=True)
    full = (max(name, text_width(mark.value)), 2 * LINE_PX) if mark.show_value and mark.value else None
    radius = mark.radius_px + (RING_PX + 1 if selected else 2)
    return LabelWish(view.px(mark.x), view.py(mark.y), radius, full, (name, LINE_PX), selected)


def line_boxes(figure: Figure, view: Mapping) -> list[Box]:
    """Limits, whiskers and curves, which labels keep off where they can."""
    boxes = [_limit_box(limit, view) for limit in figure.limits]
    for mark in figure.marks:
        x, y = view.px(mark.x), view.py(mark.y)
        if mark.x_range:
            left, right = view.px(mark.x_range[0]), view.px(mark.x_range[1])
            boxes.append(Box(left, y - 1, right - left, 2))
        if mark.y_range:
            bottom, top = view.py(mark.y_range[0]), view.py(mark.y_range[1])
            boxes.append(Box(x - 1, top, 2, bottom - top))
    for curve in figure.curves:
        boxes.extend(_segment_boxes(curve, view))
    return boxes


def _segment_boxes(curve: Curve, view: Mapping) -> list[Box]:
    pixels = [(view.px(x), view.py(y)) for x, y in zip(curve.xs, curve.ys, strict=True)]
    return [
        Box(min(a[0], b[0]) - 1, min(a[1], b[1]) - 1, abs(a[0] - b[0]) + 2, abs(a[1] - b[1]) + 2)
        for a, b in pairwise(pixels)
    ]


def _limit_box(limit: Limit, view: Mapping) -> Box:
    if limit.axis == "x":
        return Box(view.px(limit.at) - 1, view.top, 2, view.height)
    return Box(view.left, view.py(limit.at) - 1, view.width, 2)


def _limit_labels(figure: Figure, view: Mapping) -> list[Box]:
    boxes = []
    for limit in figure.limits:
        x, y, align = limit_label_at(limit, view, bool(figure.rows), figure.limits, _lying(figure, view))
        width = text_width(limit.label, strong=True)
        boxes.append(Box(x - (width if align == "right" else 0), y - LINE_PX / 2, width, LINE_PX))
    return boxes


def _note_boxes(figure: Figure, view: Mapping) -> list[Box]:
    boxes = []
    for note in figure.notes:
        x, y, align = note_place(note, figure, view)
        width = text_width(note.text, note.strong)
        left = x - {"left": 0.0, "centre": width / 2, "right": width}[align]
        boxes.append(Box(left, y - LINE_PX / 2, width, LINE_PX))
    return boxes


def paint_labels(ink: Ink, places: Sequence[tuple[Mark, Placed]], selected: str | None) -> None:
    """Names in the colour of their mark with a halo, values below in ink 2, and the leaders of those further off."""
    for mark, place in places:
        if place.leader:
            (x0, y0), (x1, y1) = place.leader
            ink.line(x0, y0, x1, y1, ink.pen("ink3", 1.0))
        box = place.box
        x = box.x + {"left": 0.0, "centre": box.width / 2, "right": box.width}[place.align]
        y = box.y + LINE_PX / 2
        key = "ink2" if mark.hollow else f"{mark.colour}_label_text"
        ink.text(x, y, mark.name, key, place.align, strong=mark.id == selected or mark.show_value, halo=True)
        if place.full:
            ink.text(x, y + LINE_PX, mark.value, "ink2", place.align, halo=True)


def paint_names(ink: Ink, places: Sequence[tuple[Curve, Box]]) -> None:
    """Names along curves, less strong than labels of marks."""
    for curve, box in places:
        ink.text(box.x, box.y + LINE_PX / 2, curve.name, "ink3", halo=True)


def limit_label_at(
    limit: Limit, view: Mapping, rows: bool, limits: Sequence[Limit] = (), lying: Sequence[Box] = ()
) -> tuple[float, float, str]:
    """Where a limit's label stands: at the foot of an x limit, over an end of a y limit, on top over rows.

    It keeps off the upright lines of others of the ``limits``: over an end of its line before or behind those that
    would cross it; beside an upright line on the side that is free. Over or under a level line it keeps off what is
    ``lying`` there, which would strike it through.
    """
    if limit.axis == "y":
        x = _end_of(limit, view, limits)
        return x, _over_or_under(limit, view, x, lying), limit.side
    x, is_on_top = view.px(limit.at), rows or limit.solid
    y = view.top + 9 if is_on_top else view.top + view.height - 10
    is_right = _goes_right(limit, view, limits, is_on_top)
    return (x + 7, y, "left") if is_right else (x - 7, y, "right")


def _over_or_under(limit: Limit, view: Mapping, x: float, lying: Sequence[Box]) -> float:
    """The middle of a level line's label: over it where that is free and in the plot, else under it if that is."""
    over, under, bottom = view.py(limit.at) - 9, view.py(limit.at) + 10, view.top + view.height
    width = text_width(limit.label, strong=True)
    left = x - width if limit.side == "right" else x
    inside = [y for y in (over, under) if view.top + 6 < y < bottom - 6] or [under]
    free = (y for y in inside if not any(one.meets(Box(left, y - LINE_PX / 2, width, LINE_PX)) for one in lying))
    return next(free, inside[0])


def _lying(figure: Figure, view: Mapping) -> list[Box]:
    """Ranges that lie along a line of text, with their marks."""
    return [
        Box(view.px(low), view.py(mark.y) - mark.radius_px / 2, view.px(high) - view.px(low), mark.radius_px)
        for mark in figure.marks
        if mark.x_range
        for low, high in [mark.x_range]
    ]


def _goes_right(limit: Limit, view: Mapping, limits: Sequence[Limit], is_on_top: bool) -> bool:
    """A label on top stands at the left of its line, one at the foot at its right, where it is free there."""
    x, needs = view.px(limit.at), 7 + text_width(limit.label, strong=True)
    others = [view.px(one.at) for one in limits if one.axis == "x" and one.id != limit.id]
    fits_right = x + needs < view.left + view.width and not any(x <= one < x + needs + 4 for one in others)
    fits_left = x - needs > view.left and not any(x - needs - 4 < one <= x for one in others)
    return fits_right and not fits_left if is_on_top else fits_right


def _end_of(limit: Limit, view: Mapping, limits: Sequence[Limit]) -> float:
    """Where the label of a level line begins, or ends at its right end."""
    width, is_right = text_width(limit.label, strong=True), limit.side == "right"
    start = view.left + view.width - 6 - width if is_right else view.left + 6
    end = start + width
    crossing = [view.px(one.at) for one in limits if one.axis == "x" and start - 4 < view.px(one.at) < end + 4]
    if is_right:
        return min(crossing) - 6 if crossing else end
    return max(crossing) + 6 if crossing else start


def paint_limits(ink: Ink, figure: Figure, view: Mapping) -> None:
    """Dashed lines with a handle at the axis when they can be dragged, then labels, over whatever line crosses them."""
    seen = [limit for limit in figure.limits if _is_seen(limit, view)]
    for limit in seen:
        box = _limit_box(limit, view)
        pen = ink.pen("ink2", 1.0, dash=None if limit.solid else DASH)
        if limit.axis == "x":
            ink.line(box.x + 1, view.top, box.x + 1, view.top + view.height, pen)
        else:
            ink.line(view.left, box.y + 1, view.left + view.width, box.y + 1, pen)
        _paint_handle(ink, limit, box, view)
    for limit in seen:
        x, y, align = limit_label_at(limit, view, bool(figure.rows), figure.limits, _lying(figure, view))
        ink.text(x, y, limit.label, "ink2", align, halo=True)


def _is_seen(limit: Limit, view: Mapping) -> bool:
    if limit.axis == "x":
        at, first, room = view.px(limit.at), view.left, view.width
    else:
        at, first, room = view.py(limit.at), view.top, view.height
    return math.isfinite(at) and first - 1 <= at <= first + room + 1


def _paint_handle(ink: Ink, limit: Limit, box: Box, view: Mapping) -> None:
    if not limit.draggable:
        return
    if limit.axis == "x":
        rect = QRectF(box.x + 1 - 6, view.top + view.height - 3, 12, 6)
    else:
        rect = QRectF(view.left + view.width - 3, box.y + 1 - 6, 6, 12)
    ink.painter.setPen(ink.pen("bg", 1.0))
    ink.painter.setBrush(ink.colour("ink2"))
    ink.painter.drawRoundedRect(rect, 2, 2)
    ink.painter.setBrush(ink.colour("bg", 0.0))
