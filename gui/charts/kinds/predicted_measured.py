"""C17 predicted against measured speed, before and after calibration, with the 20 % band."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.units import plain
from gui.charts.figure.figure import Axis, Curve, Figure, LegendEntry, Mark, Note, Shape, log10_of

BAND = 0.2
_ROUND = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0)


@dataclass(frozen=True, slots=True)
class Pair:
    """Tokens/s per chip of one calibration: measured, predicted without it, predicted with it."""

    id: str
    name: str
    colour: str
    shape: Shape
    measured: float
    before: float
    after: float


def predicted_measured_figure(pairs: Sequence[Pair]) -> Figure:
    """Hollow before, filled after, a thin line between; equal log scales."""
    legend = (LegendEntry("before", "ink2", "hollow"), LegendEntry("after", "ink2", "circle"))
    if not pairs:
        return Figure(title="Predicted and measured", empty="Import a log to compare prediction and measurement")
    low, high = _bounds([value for pair in pairs for value in (pair.measured, pair.before, pair.after)])
    return Figure(
        title="Predicted and measured",
        summary="; ".join(_summary(pair) for pair in pairs),
        x=Axis("Measured tokens/s per chip", log10_of(low), log10_of(high), log=True),
        y=Axis("Predicted", log10_of(low), log10_of(high), log=True),
        curves=(_diagonal(low, high), *(_joining(pair) for pair in pairs)),
        marks=tuple(mark for pair in pairs for mark in _marks(pair)),
        notes=(Note(log10_of(high), log10_of(high * (1 - BAND)), "±20 %", "ink3", align="right", dy_px=14, dx_px=-4),),
        legend=legend,
        table=(("log", "measured", "before", "after"), *(_row(pair) for pair in pairs)),
        left_px=56,
        right_px=28,
    )


def _bounds(values: Sequence[float]) -> tuple[float, float]:
    return _round_down(min(values) / 1.3), -_round_down(-max(values) * 1.3)


def _round_down(value: float) -> float:
    """The nearest round value below (towards minus infinity, so that a negated call rounds up)."""
    size = abs(value)
    power = 10.0 ** int(log10_of(size) // 1)
    steps = [power * step for step in _ROUND]
    if value > 0:
        return max(step for step in steps if step <= size * 1.000001)
    return -min(step for step in steps if step >= size * 0.999999)


def _diagonal(low: float, high: float) -> Curve:
    xs = (log10_of(low), log10_of(high))
    below, above = log10_of(1 - BAND), log10_of(1 + BAND)
    return Curve(xs, xs, "ink3", low=(xs[0] + below, xs[1] + below), high=(xs[0] + above, xs[1] + above), width_px=1.0)


def _joining(pair: Pair) -> Curve:
    x = log10_of(pair.measured)
    return Curve((x, x), (log10_of(pair.before), log10_of(pair.after)), pair.colour, width_px=1.0)


def _marks(pair: Pair) -> tuple[Mark, Mark]:
    before = _mark(pair, pair.before, f"{pair.id}-before", True, "")
    return before, _mark(pair, pair.after, pair.id, False, pair.name)


def _mark(pair: Pair, predicted: float, mark_id: str, hollow: bool, name: str) -> Mark:
    when = "before" if hollow else "after"
    tip = f"{pair.name}, {when}: {plain(predicted)} predicted, {plain(pair.measured)} measured"
    return Mark(
        id=mark_id, x=log10_of(pair.measured), y=log10_of(predicted), x_range=None, y_range=None, radius_px=5,
        shape=pair.shape, colour=pair.colour, hollow=hollow, name=name, value="", tip=tip, show_name=bool(name),
    )  # fmt: skip


def _summary(pair: Pair) -> str:
    return f"{pair.name}: {plain(pair.measured)} measured, {plain(pair.before)} before, {plain(pair.after)} after"


def _row(pair: Pair) -> tuple[str, str, str, str]:
    return pair.name, str(pair.measured), str(pair.before), str(pair.after)
