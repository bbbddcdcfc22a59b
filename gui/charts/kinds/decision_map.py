"""C1, the decision map: each option's cost against its time, with ranges, limits and the Pareto line."""

from __future__ import annotations

from collections.abc import Sequence

from core.catalogue.prices.age import price_words
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.time_measure import TimeMeasure, is_serving, time_measure
from core.ranges import Range
from core.units import THIN, span, usd
from gui.charts.figure.figure import Axis, Curve, Figure, LegendEntry, Limit, Mark, log10_of, padded, step_line
from gui.charts.figure.kind import ChartKind
from gui.charts.figure.shown import colour_key, empty_sentence, fill_of, legend_of_having, shape_of, shown_results
from gui.charts.figure.texts import money_scale, reason_text

TITLE = "Decision map"
N_VALUES = 4
BEYOND = 1.35
FAR = 10.0
LOG_FROM = 8.0
"""Spread of times from which the time axis is logarithmic too."""


def cost_measure(result: CandidateResult, per_month: bool) -> Range:
    """Total cost, or the cost of a month when serving, with its range."""
    return result.cost.per_month if per_month else result.cost.total


def months_of(results: ResultSet) -> float:
    """Months that the budget pays for: the job's months when serving, else 1."""
    return results.profile.job.months_in_service or 1.0


def decision_map(results: ResultSet, selected_id: str | None = None, pinned: Sequence[str] = ()) -> Figure:
    """The map as a figure."""
    if sentence := empty_sentence(results):
        return Figure(TITLE, empty=sentence)
    measure, monthly = time_measure(results.profile), is_serving(results)
    shown = [r for r in shown_results(results, selected_id, pinned) if _can_be_drawn(r, measure)]
    if not shown:
        return Figure(TITLE, empty="No option fits this workload; the table says why for each")
    y = _y_axis(shown, measure)
    marks = tuple(_mark(r, measure, monthly, y, number, selected_id) for number, r in enumerate(shown))
    limits = _limits(results, measure, monthly, y)
    x = _x_axis(shown, limits, monthly)
    curves = _pareto(shown, measure, monthly, (x, y), limits)
    legend = (*legend_of_having(shown), LegendEntry("larger = more flexible"))
    return Figure(
        TITLE,
        _summary(shown, measure, monthly),
        x=x,
        y=y,
        marks=marks,
        limits=limits,
        curves=curves,
        legend=legend,
        table=_table(shown, measure, monthly),
        left_px=62 if measure.kind == "answer" else 48,
    )


def _can_be_drawn(result: CandidateResult, measure: TimeMeasure) -> bool:
    return measure.value(result) is not None and result.cost.total.likely > 0


def _mark(
    result: CandidateResult, measure: TimeMeasure, monthly: bool, y: Axis, number: int, selected_id: str | None
) -> Mark:
    candidate, cost = result.candidate, cost_measure(result, monthly)
    time = measure.value(result) or Range(0, 0, 0)
    miss = str(result.reasons[0].text).rstrip(".") if result.reasons and not result.feasible else ""
    name = f"{candidate.name}, {miss}" if miss and len(miss) <= 22 else candidate.name
    return Mark(
        result.id,
        log10_of(cost.likely),
        y.place(time.likely),
        (log10_of(cost.low), log10_of(cost.high)),
        (y.place(time.low), y.place(time.high)),
        mark_radius(result.flexibility.score.likely),
        shape_of(candidate.accelerator),
        colour_key(candidate.accelerator),
        not result.feasible,
        name,
        f"{usd(cost.likely)}, {measure.text(time.likely)}",
        _tip(result, measure, monthly),
        show_value=result.feasible and (number < N_VALUES or result.id == selected_id),
        fill=fill_of(result),
    )


def mark_radius(score: float) -> float:
    """Radius in px that shows the flexibility score: 4 at 35 and below, 8.5 at 85 and above."""
    return min(max(4 + (score - 35) / 50 * 4.5, 4.0), 8.5)


def _tip(result: CandidateResult, measure: TimeMeasure, monthly: bool) -> str:
    cost, time = cost_measure(result, monthly), measure.value(result) or Range(0, 0, 0)
    lines = [
        f"{result.candidate.name}, {result.candidate.place}",
        f"Cost {usd(cost.likely)}{' a month' if monthly else ''}, {span(usd(cost.low), usd(cost.high))}",
        f"{measure.title}: {measure.text(time.likely)}, {span(measure.text(time.low), measure.text(time.high))}",
        f"Flexibility {result.flexibility.score.likely:.0f} of 100; {result.evidence}",
        f"Can be had: {result.obtainable.status}. "
        f"Price {price_words(result.candidate.offer, result.candidate.usd_per_chip_hour)}",
    ]
    return "\n".join([*lines, reason_text(result)] if not result.feasible else lines)


def _limits(results: ResultSet, measure: TimeMeasure, monthly: bool, y: Axis) -> tuple[Limit, ...]:
    limits = []
    if budget := results.profile.limits.budget_usd:
        share = budget / months_of(results) if monthly else budget
        limits.append(Limit("budget", "x", log10_of(share), f"Budget {usd(share)}", draggable=True))
    if measure.limit:
        limits.append(Limit("time", "y", y.place(measure.limit), measure.limit_label, draggable=True))
    return tuple(limits)


def _x_axis(shown: Sequence[CandidateResult], limits: Sequence[Limit], monthly: bool) -> Axis:
    costs = [cost_measure(r, monthly) for r in shown]
    feasible = [c for c, r in zip(costs, shown, strict=True) if r.feasible] or costs
    low = min(log10_of(c.low) for c in feasible)
    high = max(log10_of(c.high) for c in feasible)
    edges = [limit.at for limit in limits if limit.axis == "x"]
    near = [log10_of(c.likely) for c in costs if low - 0.3 <= log10_of(c.likely) <= max([high, *edges]) + 0.2]
    bounds = padded(min([low, *near]), max([high, *near, *(edge for edge in edges if edge < high + 1)]))
    scale = money_scale(10 ** bounds[1])
    per = " a month" if monthly else ""
    what = "Cost" if monthly else "Total cost"
    return Axis(f"{what}{per}, {scale.words}, log scale", *bounds, log=True, scale=scale.divisor)


def _y_axis(shown: Sequence[CandidateResult], measure: TimeMeasure) -> Axis:
    times = [(measure.value(r) or Range(0, 0, 0), r.feasible) for r in shown]
    feasible = [time for time, fits in times if fits] or [time for time, _ in times]
    top = max(time.high for time in feasible)
    bottom = min(time.low for time in feasible)
    if measure.limit and measure.limit < top * FAR:
        top = max(top, measure.limit)
    near = [time.likely for time, _ in times if time.likely <= top * BEYOND]
    ends = min([bottom, *near]), max([top, *near])
    title, scale = measure.on_axis(ends[1])
    if ends[0] > 0 and ends[1] / ends[0] > LOG_FROM:
        bounds = padded(log10_of(ends[0]), log10_of(ends[1]), 0.08)
        return Axis(f"{title}, log scale", *bounds, log=True, scale=scale)
    low, high = padded(*ends, 0.08)
    return Axis(title, max(low, 0.0), high, scale=scale)


def _pareto(
    shown: Sequence[CandidateResult],
    measure: TimeMeasure,
    monthly: bool,
    axes: tuple[Axis, Axis],
    limits: Sequence[Limit],
) -> tuple[Curve, ...]:
    """The staircase through the options that none beats in both cost and time."""
    x, y = axes
    points = [
        (log10_of(cost_measure(r, monthly).likely), y.place((measure.value(r) or Range(0, 0, 0)).likely))
        for r in shown
        if r.feasible
    ]
    best = lower_left(points)
    if not best:
        return ()
    end = min([x.high, *(limit.at for limit in limits if limit.axis == "x" and limit.at > best[-1][0])])
    xs, ys = step_line(best, end)
    tip = f"Pareto line, {measure.title[:1].lower()}{measure.title[1:]}"
    return (Curve(xs, ys, "ink2", width_px=1.5, tip=tip, name="Pareto line" if len(best) > 1 else ""),)


def lower_left(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Points that no other beats in both coordinates, from left to right."""
    best: list[tuple[float, float]] = []
    for point in sorted(points):
        if not best or point[1] < best[-1][1]:
            best.append(point)
    return best


def _summary(shown: Sequence[CandidateResult], measure: TimeMeasure, monthly: bool) -> str:
    fits = [r for r in shown if r.feasible]
    lines = [f"{len(fits)} options fit, {len(shown) - len(fits)} miss a limit."]
    for result in fits[:3]:
        time = measure.value(result) or Range(0, 0, 0)
        lines.append(
            f"{result.candidate.name}: {usd(cost_measure(result, monthly).likely)}, {measure.text(time.likely)}."
        )
    return " ".join(lines).replace(THIN, " ")


_HEADER = (
    "candidate", "place", "fits", "cost_usd_low", "cost_usd_likely", "cost_usd_high", "time_low", "time_likely",
    "time_high", "time_measure", "flexibility",
)  # fmt: skip


def _table(shown: Sequence[CandidateResult], measure: TimeMeasure, monthly: bool) -> tuple[tuple[str, ...], ...]:
    rows: list[tuple[str, ...]] = [_HEADER]
    for result in shown:
        cost, time = cost_measure(result, monthly), measure.value(result) or Range(0, 0, 0)
        numbers = [cost.low, cost.likely, cost.high, time.low, time.likely, time.high]
        texts = [f"{number:.6g}" for number in numbers]
        score = f"{result.flexibility.score.likely:.1f}"
        rows.append(
            (
                result.candidate.name,
                result.candidate.place,
                "yes" if result.feasible else "no",
                *texts,
                measure.title_with_unit,
                score,
            )
        )
    return tuple(rows)


CHART = ChartKind("decision-map", TITLE, decision_map)
