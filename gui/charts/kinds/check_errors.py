"""C17b errors of a prediction against one log, before and after calibration: a row a figure, on one scale."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.calibration.accepted import Check
from core.units import MINUS
from gui.charts.figure.figure import Axis, Curve, Figure, LegendEntry, Mark, Note
from gui.charts.figure.ticks import linear_ticks

BAND_PCT = 5.0
"""Errors inside count as none."""

_LEAST_PCT = 10.0


def check_errors(checks: Sequence[Check]) -> Figure:
    """Hollow before, filled after, a line between, a band of 5 % around none."""
    title = "Predicted and measured"
    if not checks:
        return Figure(title=title, empty="Nothing to compare yet")
    errors = [error for one in checks for error in (one.before_pct, one.after_pct)]
    low, high = -_beyond(-min(errors)), _beyond(max(errors))
    n_rows = len(checks)
    ends = (0.4 - n_rows, 0.6)
    band = Curve((-BAND_PCT, BAND_PCT), (ends[0],) * 2, "ink3", low=(ends[0],) * 2, high=(ends[1],) * 2, width_px=0.0)
    zero = Curve((0.0, 0.0), ends, "ink2", width_px=1.0)
    return Figure(
        title=title,
        summary="; ".join(map(_told, checks)),
        x=Axis("Error, %", low, high, names=tuple((tick, words(tick)) for tick in _ticks(low, high))),
        y=Axis("", *ends, names=tuple((-float(i), one.name) for i, one in enumerate(checks))),
        curves=(band, zero, *(_line(i, one) for i, one in enumerate(checks))),
        marks=tuple(mark for i, one in enumerate(checks) for mark in _marks(i, one)),
        notes=tuple(note for i, one in enumerate(checks) for note in _notes(i, one, high)),
        legend=(LegendEntry("before", "ink2", "hollow"), LegendEntry("after", "ink2", "circle")),
        table=(("figure", "before_pct", "after_pct"), *((c.name, str(c.before_pct), str(c.after_pct)) for c in checks)),
        left_px=128,
        right_px=84,
    )


def _told(one: Check) -> str:
    return f"{one.name}: predicted {words(one.before_pct)} % off before, {words(one.after_pct)} % after calibration"


def words(error_pct: float) -> str:
    """A whole number with its sign: ``+15``, ``−3``, ``0``."""
    whole = round(error_pct)
    return f"+{whole}" if whole > 0 else f"{MINUS}{-whole}" if whole < 0 else "0"


def _beyond(error_pct: float) -> float:
    """A round value beyond an error on one side, 10 at least."""
    return _LEAST_PCT * math.ceil(max(error_pct * 1.1, _LEAST_PCT) / _LEAST_PCT)


def _ticks(low: float, high: float) -> list[float]:
    return [tick for tick in linear_ticks(low, high, 2) if low <= tick <= high]


def _line(row: int, one: Check) -> Curve:
    return Curve((one.before_pct, one.after_pct), (-float(row),) * 2, "nvidia_gpu", width_px=1.0)


def _marks(row: int, one: Check) -> tuple[Mark, Mark]:
    made = {"y": -float(row), "x_range": None, "y_range": None, "radius_px": 4.5, "shape": "circle"}
    made |= {"colour": "nvidia_gpu", "name": one.name, "value": "", "tip": _told(one), "show_name": False}
    before = Mark(id=f"before-{row}", x=one.before_pct, hollow=True, **made)  # type: ignore[arg-type]
    return before, Mark(id=f"after-{row}", x=one.after_pct, hollow=False, **made)  # type: ignore[arg-type]


def _notes(row: int, one: Check, high: float) -> tuple[Note, Note]:
    y = -float(row)
    before = Note(high, y, words(one.before_pct), "ink2", align="right", dx_px=40, dy_px=4)
    return before, Note(high, y, words(one.after_pct), "ink", align="right", dx_px=78, dy_px=4, strong=True)
