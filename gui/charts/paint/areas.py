"""Paints areas: filled or striped steps with their names at the right, on screen and on paper alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPolygonF

from gui.charts.figure.figure import Area, Figure, Mapping, Step
from gui.charts.paint.brush import Ink, clipped
from gui.charts.paint.points import LINE_PX, Highlights, plot_rect
from gui.charts.paint.stripes import HATCH_PITCH

SWATCH_PX, LABEL_GAP_PX, PAIR_GAP_PX = 10.0, 12.0, 4.0


def step_rect(step: Step, view: Mapping) -> QRectF:
    """Where a step stands, px."""
    left, right = view.px(step.start), view.px(step.end)
    top, bottom = view.py(step.high), view.py(step.low)
    return QRectF(left, top, right - left, bottom - top)


def paint_areas(ink: Ink, figure: Figure, view: Mapping) -> None:
    """Shapes, from the first up, then their names."""
    with clipped(ink.painter, plot_rect(view)):
        for area in figure.areas:
            for run in _runs(area.steps):
                _paint_run(ink, area, run, view)
    _paint_names(ink, [area for area in reversed(figure.areas) if area.labels], view, figure.right_px)


def _runs(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Steps with some height that touch, together: painted one by one they would part by a hair."""
    run: list[Step] = []
    for step in steps:
        if run and (step.start != run[-1].end or step.high <= step.low):
            yield run
            run = []
        if step.high > step.low:
            run.append(step)
    if run:
        yield run


def _paint_run(ink: Ink, area: Area, run: Sequence[Step], view: Mapping) -> None:
    if area.stripes:
        for step in run:
            _stripe(ink, area, step_rect(step, view))
        return
    above = [(x, step.high) for step in run for x in (step.start, step.end)]
    below = [(x, step.low) for step in reversed(run) for x in (step.end, step.start)]
    shape = QPolygonF([QPointF(view.px(x), view.py(y)) for x, y in (*above, *below)])
    ink.painter.setPen(ink.pen("bg", 1.0))
    for brush in (ink.colour("bg"), ink.colour(area.colour, area.shade)):
        ink.painter.setBrush(brush)
        ink.painter.drawPolygon(shape)
    ink.painter.setBrush(Qt.BrushStyle.NoBrush)


def _stripe(ink: Ink, area: Area, rect: QRectF) -> None:
    """Rising stripes; thin ones go on in the step beside, each ending at the edges, so that nothing is clipped."""
    if area.stripes == "thick":
        ink.hatch(rect, area.colour)
        return
    lines = []
    sum_px = HATCH_PITCH * ((rect.left() + rect.top()) // HATCH_PITCH + 1)
    while sum_px < rect.right() + rect.bottom():
        low = min(sum_px - rect.left(), rect.bottom())
        high = max(sum_px - rect.right(), rect.top())
        lines.append((sum_px - low, low, sum_px - high, high))
        sum_px += HATCH_PITCH
    ink.lines(lines, ink.pen(area.colour, 1.0))


def _paint_names(ink: Ink, areas: Sequence[Area], view: Mapping, right_px: float) -> None:
    """A swatch, a name and words below it, beside the last step, pushed apart downwards so that they never overlap."""
    floor = view.top - 4.0
    room = view.top + view.height - sum(_height(area) for area in areas)
    x = view.left + view.width + LABEL_GAP_PX
    start_px = LABEL_GAP_PX + SWATCH_PX + 6
    for area in areas:
        y = max(min(step_rect(area.steps[-1], view).center().y() - LINE_PX / 2, room), floor)
        box = QRectF(x, y + (LINE_PX - SWATCH_PX) / 2, SWATCH_PX, SWATCH_PX)
        if area.stripes:
            _stripe(ink, area, box)
        else:
            ink.fill(box, area.colour, area.shade)
        for number, text in enumerate(area.labels):
            at = y + LINE_PX * (number + 0.5)
            key, room = "ink3" if number else "ink", right_px - start_px
            ink.text(view.left + view.width + start_px, at, text, key, strong=not number, room=room)
        floor = y + _height(area)
        room += _height(area)


def _height(area: Area) -> float:
    return len(area.labels) * LINE_PX + PAIR_GAP_PX


def paint_pointed(ink: Ink, figure: Figure, view: Mapping, lit: Highlights) -> None:
    """An outline round the step that is pointed at."""
    area = next((one for one in figure.areas if one.id and one.id == lit.hovered), None)
    if area is None or not lit.part.isdecimal() or int(lit.part) >= len(area.steps):
        return
    ink.painter.setPen(ink.pen("ink", 1.5))
    ink.painter.setBrush(Qt.BrushStyle.NoBrush)
    ink.painter.drawRect(step_rect(area.steps[int(lit.part)], view))
