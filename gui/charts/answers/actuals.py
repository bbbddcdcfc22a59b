"""The two pictures: work done against the plan, and spend against it, each with where it leads."""

from __future__ import annotations

from datetime import date

from core.comparison.actuals.standing import Standing, planned_end, planned_usd
from core.comparison.actuals.told import paid_at_first
from core.comparison.actuals.words import CHARTS, DONE, SPEND, headline
from core.months import month_of, months_from
from gui.charts.figure.figure import Axis, Curve, Figure, LegendEntry, Limit
from gui.charts.figure.texts import money_scale

LEGEND = (
    LegendEntry("planned", "ink3", "dash"),
    LegendEntry("entered", "ink", "line"),
    LegendEntry("at this rate, 80 %", "accent", "line"),
)
FEW_DAYS = 75


def done_figure(one: Standing, today: date) -> Figure:
    """Per cent of the work over days, with deadline and today."""
    base = one.baseline
    planned = Curve(_days(one, base.work_begins, planned_end(base)), (0.0, 100.0), "ink3", dashed=True, tip="Planned")
    xs = (_x(one, base.work_begins), *(_x(one, point.day) for point in one.points))
    ys = (0.0, *(100 * point.done / base.amount for point in one.points))
    highest = max(100.0, *ys) if base.ends else max(100.0, 100 * _end_share(one), *ys)
    axis = Axis("% of the work", 0.0, 1.08 * highest)
    return _figure(one, CHARTS[DONE], axis, (planned, _entered(xs, ys), *_done_cone(one)), (), today)


def spend_figure(one: Standing, today: date) -> Figure:
    """Money over days, with the budget; what hardware is worth at the end comes back there, and what is owed of a term
    after it is added there."""
    base, cost, back = one.baseline, one.forecast.cost, one.worth_usd - one.owed_after_usd
    most = max(base.cost_usd + base.hardware.worth_usd, cost.high + max(back, 0.0), base.budget_usd or 0.0, 1.0)
    scale = money_scale(most)
    xs = (_x(one, base.work_begins), *(_x(one, point.day) for point in one.points))
    first = paid_at_first(base, [point.entry for point in one.points]) if one.points else base.upfront_usd
    ys = (first, *(point.spend_usd for point in one.points))
    at = _days(one, one.as_of, one.forecast.end)
    spent, ends = one.spend_usd, (cost.low, cost.likely, cost.high)
    low, likely, high = ((spent, max(end + back, spent), end) if back else (spent, end) for end in ends)
    cone = Curve((*at, at[1]) if back else at, likely, "accent", low=low, high=high, tip="At this rate, 80 %")
    budget = base.budget_usd
    limits = (Limit("budget", "y", budget, "Budget", side="left"),) if budget is not None else ()
    axis = Axis(f"Spent, {scale.words}", 0.0, 1.08 * most, scale=scale.divisor, money=True)
    told = (_planned_spend(one), _entered(xs, ys), *((cone,) if one.points and at[1] > at[0] else ()))
    return _figure(one, CHARTS[SPEND], axis, told, limits, today)


def _planned_spend(one: Standing) -> Curve:
    """Hardware is paid as the work begins, and its worth comes back at the end; what is owed of a term after the work
    is added there."""
    base = one.baseline
    begin, end = _days(one, base.work_begins, planned_end(base))
    paid = base.upfront_usd + base.hardware.bought_usd
    xs: tuple[float, ...] = (begin, end)
    ys: tuple[float, ...] = (paid, base.cost_usd)
    if base.commitment:
        xs, ys = (begin, end, end), (paid, planned_usd(base, planned_end(base)), base.cost_usd)
    if base.hardware.bought_usd:
        xs = (begin, begin, end, end)
        ys = (base.upfront_usd, paid, base.cost_usd + base.hardware.worth_usd, base.cost_usd)
    return Curve(xs, ys, "ink3", dashed=True, tip="Planned")


def _done_cone(one: Standing) -> tuple[Curve, ...]:
    """The likely line, and the early and the late one of 80 % as a band over the same days."""
    forecast = one.forecast
    first, last = forecast.end_range
    if not one.points or last <= one.as_of:
        return ()
    start = 100 * one.done_share
    begin = _x(one, one.as_of)
    if not one.baseline.ends:
        days = max((forecast.end - one.as_of).days, 1)
        rate = one.rate.range.scaled(100 * days / one.baseline.amount)
        ends = (start + rate.low, start + rate.likely, start + rate.high)
        xs: tuple[float, ...] = (begin, begin + days)
        return (_cone(xs, (start, ends[1]), (start, ends[0]), (start, ends[2])),)
    xs = (begin, *(_x(one, day) for day in (first, forecast.end, last)))

    def line(end: date) -> tuple[float, ...]:
        length = max(_x(one, end) - begin, 1e-6)
        return tuple(min(100.0, start + (100.0 - start) * (x - begin) / length) for x in xs)

    return (_cone(xs, line(forecast.end), line(last), line(first)),)


def _cone(xs: tuple[float, ...], ys: tuple[float, ...], low: tuple[float, ...], high: tuple[float, ...]) -> Curve:
    return Curve(xs, ys, "accent", low=low, high=high, tip="At this rate, 80 %")


def _end_share(one: Standing) -> float:
    days = max((one.forecast.end - one.as_of).days, 0)
    return one.done_share + days * one.rate.range.high / one.baseline.amount


def _entered(xs: tuple[float, ...], ys: tuple[float, ...]) -> Curve:
    return Curve(xs, ys, "ink", width_px=2.5, tip="Entered")


def _figure(
    one: Standing, title: str, y: Axis, curves: tuple[Curve, ...], limits: tuple[Limit, ...], today: date
) -> Figure:
    last = max(planned_end(one.baseline), one.forecast.end_range[1], one.target, one.as_of)
    low, high = _x(one, one.baseline.work_begins), _x(one, last)
    air = max(0.05 * (high - low), 2.0)
    lines = [*limits]
    if one.baseline.deadline is not None:
        deadline = one.baseline.deadline
        lines.append(Limit("deadline", "x", _x(one, deadline), f"Deadline {deadline.day} {deadline:%b}", past=False))
    if low <= _x(one, today) <= high:
        lines.append(Limit("today", "x", _x(one, today), "Today", solid=True, past=False))
    return Figure(
        title,
        str(headline(one)),
        x=Axis("", low - air * 0.2, high + air, names=_ticks(one, one.baseline.work_begins, last)),
        y=y,
        curves=curves,
        limits=tuple(lines),
        legend=LEGEND,
        table=_table(one),
        left_px=56,
        right_px=16,
    )


def _ticks(one: Standing, first: date, last: date) -> tuple[tuple[float, str], ...]:
    """First days of months, every second or third where they are many; of few weeks, days."""
    n_days = (last - first).days
    if n_days < FEW_DAYS:
        step = max(n_days // 5, 1)
        days = [date.fromordinal(first.toordinal() + n) for n in range(0, n_days + 1, step)]
        return tuple((_x(one, day), f"{day.day} {day:%b}") for day in days)
    every = max(n_days // 240, 0) + 1
    starts = [date(*month, 1) for month in months_from(month_of(first), month_of(last))[1::every]]
    return tuple((_x(one, day), f"{day:%b %Y}" if day.month == 1 else f"{day:%b}") for day in starts)


def _table(one: Standing) -> tuple[tuple[str, ...], ...]:
    rows = [(p.day.isoformat(), f"{p.done:.6g}", f"{p.spend_usd:.2f}") for p in one.points]
    return (("day", f"done_{one.baseline.unit}", "spend_usd"), *rows)


def _days(one: Standing, first: date, last: date) -> tuple[float, float]:
    return _x(one, first), _x(one, last)


def _x(one: Standing, day: date) -> float:
    """Days from when work was planned to begin."""
    return float((day - one.baseline.work_begins).days)


DRAWN = {DONE: done_figure, SPEND: spend_figure}
"""How each is drawn, by its id."""
