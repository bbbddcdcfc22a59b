"""What nobody beats on cost, time and flexibility at once, as a chart: two of them as axes, the third as size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.comparison.result import CandidateResult, ResultSet
from core.comparison.time_measure import TimeMeasure, time_measure
from core.comparison.what_if.front import Front
from core.units import counted, plain, usd
from gui.charts.figure.figure import Axis, Curve, Figure, LegendEntry, Mark, log10_of, padded, step_line
from gui.charts.figure.shown import colour_key, fill_of, legend_of_having, shape_of, shown_results
from gui.charts.figure.texts import money_scale

Up = Literal["time", "flexibility"]
FRONT_TITLE = "Nobody beats these"
ONE_ONLY = "One option only: nothing to weigh"
BEATEN = "ink3"
BEATEN_PX, LEAST_PX, MOST_PX = 3.0, 4.5, 9.0
BEYOND = 1.6
"""Beaten options further than so many times the front's range have no place in the chart."""


@dataclass(frozen=True, slots=True)
class _Point:
    result: CandidateResult
    cost_usd: float
    time: float
    flexibility: float
    is_beaten: bool

    def up(self, up: Up) -> float:
        """What stands upright."""
        return self.time if up == "time" else self.flexibility


def front_figure(told: Front, results: ResultSet, up: Up) -> Figure:
    """The front with a line through what nobody beats in the two axes; beaten options are small and grey."""
    measure = time_measure(results.profile)
    front = _of_front(told, results)
    if len(results.best_per_accelerator) < 2 or not front:
        return Figure(FRONT_TITLE, empty=ONE_ONLY)
    x, y = _axes(front, measure, up)
    near = [one for one in _beaten(front, results, measure) if _is_in(one, x, y, up)]
    seen: set[str] = set()
    marks = [_mark(one, front, measure, y, up, seen) for one in (*front, *near)]
    return Figure(
        FRONT_TITLE,
        _summary(front, measure),
        x=x,
        y=y,
        marks=tuple(marks),
        curves=_line(front, x, y, up),
        legend=(*legend_of_having([one.result for one in front]), LegendEntry(_size_words(up)),
                LegendEntry("beaten on all three", BEATEN, "circle")),
        table=_table((*front, *near), measure),
    )  # fmt: skip


def _of_front(told: Front, results: ResultSet) -> list[_Point]:
    rows = zip(told.ids, told.cost_usd.tolist(), told.time.tolist(), told.flexibility.tolist(), strict=True)
    return [
        _Point(results.by_id[one], cost_usd, time, score, False)
        for one, cost_usd, time, score in rows
        if one in results.by_id
    ]


def _beaten(front: Sequence[_Point], results: ResultSet, measure: TimeMeasure) -> list[_Point]:
    """The best of the other chips that fit."""
    kept = {one.result.id for one in front}
    points = []
    for result in shown_results(results):
        time = measure.value(result)
        if result.id not in kept and result.feasible and time is not None:
            score = result.flexibility.score.likely
            points.append(_Point(result, result.cost.total.likely, time.likely, score, True))
    return points


def _axes(front: Sequence[_Point], measure: TimeMeasure, up: Up) -> tuple[Axis, Axis]:
    costs, heights = [one.cost_usd for one in front], [one.up(up) for one in front]
    scale = money_scale(max(costs))
    cost = padded(log10_of(min(costs)), log10_of(max(costs) * BEYOND**0.5), 0.12)
    x = Axis(f"Total cost, {scale.words}, log scale", *cost, log=True, scale=scale.divisor, money=True)
    low, high = padded(min(heights), max(heights), 0.25)
    if up == "flexibility":
        return x, Axis("Flexibility, 100 moves anywhere", max(low - 4, 0.0), min(high + 2, 100.0))
    top = max(high, BEYOND * min(heights))
    title, divisor = measure.on_axis(top)
    return x, Axis(title, max(low, 0.0), top, scale=divisor)


def _is_in(one: _Point, x: Axis, y: Axis, up: Up) -> bool:
    return x.low <= log10_of(one.cost_usd) <= x.high and y.low <= one.up(up) <= y.high


def _mark(one: _Point, front: Sequence[_Point], measure: TimeMeasure, y: Axis, up: Up, seen: set[str]) -> Mark:
    """A name is written once where several ways to pay for the same chips are on the front."""
    candidate = one.result.candidate
    is_named = not one.is_beaten and candidate.name not in seen
    seen.add(candidate.name)
    return Mark(
        one.result.id, log10_of(one.cost_usd), y.place(one.up(up)), None, None,
        BEATEN_PX if one.is_beaten else _radius(one, front, up),
        shape_of(candidate.accelerator),
        BEATEN if one.is_beaten else colour_key(candidate.accelerator),
        False, candidate.name, "", _tip(one, measure), show_name=is_named, fill=fill_of(one.result),
    )  # fmt: skip


def _radius(one: _Point, front: Sequence[_Point], up: Up) -> float:
    """Larger is better: more flexible, or sooner."""
    others = [-point.time if up == "flexibility" else point.flexibility for point in front]
    own = -one.time if up == "flexibility" else one.flexibility
    low, high = min(others), max(others)
    share = (own - low) / (high - low) if high > low else 0.5
    return LEAST_PX + share * (MOST_PX - LEAST_PX)


def _size_words(up: Up) -> str:
    return "larger = more flexible" if up == "time" else "larger = less time"


def _line(front: Sequence[_Point], x: Axis, y: Axis, up: Up) -> tuple[Curve, ...]:
    """Steps through what nobody beats in these two axes; what is on the front for the third stands off them."""
    best: list[tuple[float, float]] = []
    sign = 1.0 if up == "time" else -1.0
    for one in sorted(front, key=lambda point: (point.cost_usd, sign * point.up(up))):
        if not best or sign * one.up(up) < sign * best[-1][1]:
            best.append((log10_of(one.cost_usd), y.place(one.up(up))))
    xs, ys = step_line(best, x.high)
    return (Curve(xs, ys, "ink2", width_px=1.5, tip="Nobody beats these in the two that are shown"),)


def _tip(one: _Point, measure: TimeMeasure) -> str:
    """What the three are."""
    candidate = one.result.candidate
    lines = [f"{candidate.name}, {candidate.place}", f"Cost {usd(one.cost_usd)}"]
    lines += [f"{measure.title}: {measure.text(one.time)}", f"Flexibility {one.flexibility:.0f} of 100"]
    return "\n".join([*lines, "Another is better on all three" if one.is_beaten else "Nobody is better on all three"])


def _summary(front: Sequence[_Point], measure: TimeMeasure) -> str:
    told = "; ".join(
        f"{one.result.candidate.name} {usd(one.cost_usd)}, {measure.text(one.time)}, "
        f"flexibility {plain(one.flexibility, 2)}"
        for one in front[:3]
    )
    return f"Nobody beats {counted(len(front), 'option')} on all three: {told}."


def _table(points: Sequence[_Point], measure: TimeMeasure) -> tuple[tuple[str, ...], ...]:
    rows = [("candidate", "place", "on_front", "cost_usd", "time", "time_measure", "flexibility")]
    for one in points:
        candidate = one.result.candidate
        numbers = f"{one.cost_usd:.6g}", f"{one.time:.6g}", measure.title_with_unit, f"{one.flexibility:.1f}"
        rows.append((candidate.name, candidate.place, "no" if one.is_beaten else "yes", *numbers))
    return tuple(rows)
