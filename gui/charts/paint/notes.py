"""Texts tied to points of a plot: where no line runs through them, near the point."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from gui.charts.figure.figure import Curve, Figure, Mapping, Note
from gui.charts.paint.brush import TEXT_PX, Ink, text_width

STEP_PX, MOST_STEPS = 18.0, 4
"""How far a text moves on from its point at a time, and how often."""
BESIDE_PX = 10.0
_HALF_PX = TEXT_PX / 2 + 1
_AIR_PX = 3.0
_LABEL_PX = 16.0
"""Upright limits have their words at the upper or lower end of the plot."""
_N_SAMPLES = 16

Place = tuple[float, float, str]
"""Where a text is aligned, px from the left and from the top, and how."""


def paint_notes(ink: Ink, figure: Figure, view: Mapping) -> None:
    """The texts, with a dot at the point where asked."""
    for note in figure.notes:
        if note.dot:
            ink.ring(view.px(note.x), view.py(note.y), 4.5, "ink", 1.5, filled=True)
        x, y, align = note_place(note, figure, view)
        ink.text(x, y, note.text, note.colour, align, strong=note.strong, halo=True)


def note_place(note: Note, figure: Figure, view: Mapping) -> Place:
    """Where a note asks to stand; one with a dot moves to the nearest place that no curve or upright limit crosses."""
    own = view.px(note.x) + note.dx_px, view.py(note.y) + note.dy_px, note.align
    if not note.dot:
        return own
    inside = [place for place in _places(note, own, view) if _is_inside(place, note, figure, view)]
    free = (place for place in inside if _is_free(place, note, figure, view))
    return next(free, next(iter(inside), own))


def _places(note: Note, own: Place, view: Mapping) -> Iterator[Place]:
    """Its own, then beside the point, over its middle and at the plot's ends, above and below, ever farther away."""
    yield own
    x, y = view.px(note.x), view.py(note.y)
    near = ((x - BESIDE_PX, "left"), (x + BESIDE_PX, "right"), (x + BESIDE_PX, "left"), (x - BESIDE_PX, "right"))
    width, end = text_width(note.text, note.strong), view.left + view.width
    over = max(min(x - width / 2, end - width - 1), view.left + 1)
    sides = ((own[0], own[2]), *near, (over, "left"), (end - width - 1, "left"), (view.left + 1, "left"))
    away = -1.0 if note.dy_px < 0 else 1.0
    for step, way, (at, align) in product(range(MOST_STEPS), (away, -away), sides):
        yield at, y + way * (abs(note.dy_px) + step * STEP_PX), align


def _ends(place: Place, note: Note) -> tuple[float, float]:
    """Left and right end of a note at a place, px."""
    width = text_width(note.text, note.strong)
    left = place[0] - {"left": 0.0, "centre": width / 2, "right": width}[place[2]]
    return left, left + width


def _is_inside(place: Place, note: Note, figure: Figure, view: Mapping) -> bool:
    """Within the plot, and off the words of upright limits at its upper and lower end."""
    left, right = _ends(place, note)
    edge = _HALF_PX + (_LABEL_PX if _upright(figure, view) else 0.0)
    above, below = place[1] - view.top, view.top + view.height - place[1]
    return view.left <= left and right <= view.left + view.width and min(above, below) >= edge


def _upright(figure: Figure, view: Mapping) -> list[float]:
    return [view.px(limit.at) for limit in figure.limits if limit.axis == "x"]


def _is_free(place: Place, note: Note, figure: Figure, view: Mapping) -> bool:
    left, right = _ends(place, note)
    if any(left - _AIR_PX < at < right + _AIR_PX for at in _upright(figure, view)):
        return False
    return not any(_crosses(curve, left, right, place[1], view) for curve in figure.curves)


def _crosses(curve: Curve, left: float, right: float, y: float, view: Mapping) -> bool:
    """Whether a curve, given from left to right, runs through a line of text."""
    xs = np.linspace(left, right, _N_SAMPLES)
    at = np.interp(xs, [view.px(x) for x in curve.xs], [view.py(one) for one in curve.ys], np.nan, np.nan)
    near = np.abs(at - y) < _HALF_PX + _AIR_PX
    through = np.sign(at[1:] - y) * np.sign(at[:-1] - y) < 0
    return bool(near.any() or through.any())
