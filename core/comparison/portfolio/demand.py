"""Chips that a workload holds over the days: alone on machines of its own, and within one pool."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from math import ceil

import numpy as np
from numpy.typing import NDArray

from core.comparison.judge.durations import slow_shares
from core.comparison.portfolio.calendar import Calendar
from core.comparison.result import CandidateResult
from core.comparison.together.ways import picked
from core.constants import DAYS_PER_YEAR, HOURS_PER_DAY, HOURS_PER_MONTH
from core.cost.bill.hours import PAY_PER_USE
from core.months import DAYS_PER_MONTH, months_between
from core.throughput.load.mean_day import load_by_hour, units_by_hour
from core.throughput.types import LoadCurve
from core.units import LONGEST_DAYS, day_after, whole_days
from core.workload.jobs.kinds import Job, OnlineServing
from core.workload.portfolio import Member
from core.workload.profile import Profile

Chips = NDArray[np.int32]
ByHour = NDArray[np.int32]
"""Chips by hour of a mean day, shape (24,)."""

DAILY_UP_TO_H = 1.5 * HOURS_PER_DAY
"""Batches nearer to each other than this are counted as so many hours of every day."""
MOST_YEARS = 5
"""What is later is not counted."""
ROUNDED_H = 0.25
"""Where use is not that of the workload, hours are rounded up to this, so that days have few edges."""


@dataclass(frozen=True)
class Work:
    """A workload on one candidate. ``begin`` is when its chips are there; ``hours`` of the clock how long a service or
    a schedule of batches lasts, by the days of the plan, or one run with its start; ``start_hour`` is that of its
    batches.
    """

    profile: Profile
    result: CandidateResult
    member: Member
    begin: date
    hours: float
    start_hour: int = 0

    @property
    def end(self) -> date:
        """The day after the last one, of the first run of several."""
        return day_after(self.begin, min(ceil(self.hours / HOURS_PER_DAY - 1e-9), LONGEST_DAYS)) or date.max

    @property
    def is_run(self) -> bool:
        """True for work that is done one day."""
        return self.profile.job.months_in_service is None

    @property
    def is_schedule(self) -> bool:
        """True for batches that come again and again."""
        return not self.is_run and self.profile.job.service is None

    @property
    def billed_h(self) -> float:
        """Hours that its bill counts of :attr:`hours`: 730 of each month of a service, all of other work."""
        months = self.profile.job.months_in_service
        return self.hours if months is None or self.is_schedule else months * HOURS_PER_MONTH

    @property
    def n_chips(self) -> int:
        """Chips of the candidate."""
        return self.result.candidate.n_chips


@dataclass(frozen=True, slots=True)
class Stretch:
    """Hours in which all chips of a candidate are held, from the first day of the calendar on; ``use`` is the share of
    the work that is done in them, ``copies`` how many such stretches lie beside each other."""

    begin_h: float
    hours: float
    use: float = 1.0
    copies: int = 1


def work_of(profile: Profile, result: CandidateResult, member: Member) -> Work:
    """The workload with its days as the plan has them: after waiting and porting, for all its months, or until done."""
    one = picked(profile, result)
    run_h = result.run_h.likely + profile.job.set_up_h * profile.job.n_rounds
    is_run = profile.job.months_in_service is None
    hours = run_h if is_run else float(HOURS_PER_DAY * (one.ends - one.begins).days)
    return Work(profile, result, member, one.begins, max(hours, ROUNDED_H), member.start_hour or 0)


def span_of(works: Sequence[Work], months: int | None) -> tuple[date, int]:
    """First day and number of days of a portfolio: from the first begin to the last end, five years at most, or for so
    many months."""
    first = min(work.begin for work in works)
    last = max(work.end for work in works)
    asked = (last - first).days if months is None else whole_days(months * DAYS_PER_MONTH)
    return first, max(min(asked, round(MOST_YEARS * DAYS_PER_YEAR), (date.max - first).days), 1)


def edges_of(works: Sequence[Work], first_day: date, n_days: int) -> Iterator[float]:
    """Hours at which any work ends, for :func:`core.comparison.portfolio.calendar.calendar_of`."""
    for work in works:
        yield HOURS_PER_DAY * (work.begin - first_day).days + work.hours
        for one in stretches(work, first_day, n_days):
            yield one.begin_h + one.hours


def stretches(work: Work, first_day: date, n_days: int) -> tuple[Stretch, ...]:
    """Runs, or batches one by one; none of a service."""
    if work.is_run:
        return tuple(_runs(work, first_day, n_days))
    return tuple(_batches(work, work.profile.job, first_day, n_days)) if work.is_schedule else ()


def _runs(work: Work, first_day: date, n_days: int) -> Iterator[Stretch]:
    """The run, and again every so many months if it ends within the days; none begins before the last one is done."""
    every = work.member.every_months
    begin_h = last_h = float(HOURS_PER_DAY * (work.begin - first_day).days)
    number = 0
    while True:
        use = work.member.use_in(_month(first_day, begin_h))
        hours = _scaled(work.hours, use)
        if number and begin_h + hours > HOURS_PER_DAY * n_days:
            return
        if use > 0:
            yield Stretch(begin_h, hours, use)
            last_h = begin_h + hours
        if every is None:
            return
        number += 1
        planned_h = HOURS_PER_DAY * ((work.begin - first_day).days + whole_days(number * every * DAYS_PER_MONTH))
        begin_h = float(max(planned_h, HOURS_PER_DAY * ceil(last_h / HOURS_PER_DAY - 1e-9)))
        if begin_h >= HOURS_PER_DAY * n_days:
            return


def _batches(work: Work, job: Job, first_day: date, n_days: int) -> Iterator[Stretch]:
    """Batches at even distances through the months in service; frequent ones as so many hours of every day."""
    from_h = HOURS_PER_DAY * (work.begin - first_day).days
    every_h = work.hours / job.n_rounds
    step_h = HOURS_PER_DAY if every_h < DAILY_UP_TO_H else every_h
    each_h = (work.result.run_h.likely + job.set_up_h) * step_h / every_h
    uses: dict[int, float] = {}
    for number in range(max(round(work.hours / step_h), 1)):
        begin_h = from_h + HOURS_PER_DAY * int(number * step_h / HOURS_PER_DAY + 1e-9) + work.start_hour
        if begin_h >= HOURS_PER_DAY * n_days:
            return
        month = _month(first_day, begin_h)
        use = uses.setdefault(month, work.member.use_in(month))
        whole_h = _scaled(each_h, use)
        copies = max(ceil(whole_h / step_h - 1e-9), 1)
        if use > 0:
            yield Stretch(begin_h, whole_h / copies, use, copies)


def _scaled(hours: float, use: float) -> float:
    return hours if use == 1.0 else ceil(hours * use / ROUNDED_H - 1e-9) * ROUNDED_H


def _month(first_day: date, begin_h: float) -> int:
    return months_between(first_day, first_day + timedelta(hours=begin_h))


def held_alone(work: Work, calendar: Calendar) -> Chips:
    """Chips held by a workload that has them for itself, as in the comparison, shape (n days, n slots)."""
    service = work.profile.job.service
    if service is None:
        return _of_stretches(work, calendar)
    return _of_service(work, calendar, lambda use: alone_by_hour(service, work.result, use))


def held_pooled(work: Work, calendar: Calendar, lends: bool) -> Chips:
    """Chips taken of one pool, shape (n days, n slots): those that the load of each hour takes where a service lends
    the rest, else those of its busiest hour; never more than :func:`held_alone` without autoscaling."""
    service = work.profile.job.service
    if service is None:
        return _of_stretches(work, calendar)
    return _of_service(work, calendar, lambda use: pooled_by_hour(service, work.result, use, lends))


def most_alone(work: Work, calendar: Calendar) -> Chips:
    """All chips of a service's pick, whatever autoscaling gives back, shape (n days, n slots); nothing of other work,
    which holds all that it ever needs."""
    service = work.profile.job.service
    if service is None:
        return _none(calendar)
    all_day = service.model_copy(update={"autoscale": False})
    return _of_service(work, calendar, lambda use: alone_by_hour(all_day, work.result, use))


def most_pooled(work: Work, calendar: Calendar) -> Chips:
    """Chips that a service takes of a pool where it turns out slow: hour by hour, or in its busiest one all day where
    that may be any, for no hour of its mean day stands out. Nothing of other work, shape (n days, n slots)."""
    service, speed = work.profile.job.service, work.result.throughput
    if service is None:
        return _none(calendar)
    slow, lends = float(slow_shares(service, [speed])[0]), has_load_by_hour(work.profile)
    return _of_service(work, calendar, lambda use: pooled_by_hour(service, work.result, use, lends, slow))


def _none(calendar: Calendar) -> Chips:
    return np.zeros((calendar.n_days, len(calendar.widths_h)), dtype=np.int32)


def _of_stretches(work: Work, calendar: Calendar) -> Chips:
    held = _none(calendar)
    for one in stretches(work, calendar.first_day, calendar.n_days):
        _add(held, calendar, one, work.n_chips)
    return held


def _add(held: Chips, calendar: Calendar, one: Stretch, n_chips: int) -> None:
    """Adds a stretch on the days that it touches."""
    first = min(int(one.begin_h // HOURS_PER_DAY), calendar.n_days)
    last = min(int((one.begin_h + one.hours) // HOURS_PER_DAY) + 1, calendar.n_days)
    middles = (np.array(calendar.edges[:-1]) + np.array(calendar.edges[1:])) / 2.0
    at = np.arange(first, last)[:, None] * HOURS_PER_DAY + middles
    held[first:last] += n_chips * one.copies * ((at >= one.begin_h) & (at < one.begin_h + one.hours))


def _of_service(work: Work, calendar: Calendar, by_hour: Callable[[float], ByHour]) -> Chips:
    uses = [work.member.use_in(month) for month in range(len(calendar.months))]
    known = {use: by_hour(use) for use in set(uses)}
    table = np.array([known[use] for use in uses])[:, calendar.hours]
    begin_h = float(HOURS_PER_DAY * (work.begin - calendar.first_day).days)
    return np.asarray(table[calendar.month_of] * calendar.covered(begin_h, work.hours))


def alone_by_hour(job: OnlineServing, result: CandidateResult, use: float) -> ByHour:
    """Whole clusters of the candidate as its bill counts them: all of them, or with autoscaling those of the hour."""
    load, n_chips = result.throughput.load, result.candidate.n_chips
    if load is None or load.max_requests_per_s <= 0:
        return np.full(HOURS_PER_DAY, ceil(n_chips * use - 1e-9), dtype=np.int32)
    scales = job.autoscale and result.candidate.offer.purchase_model in PAY_PER_USE
    units = max(ceil(load.units * use - 1e-9), 1) if use > 0 else 0
    return _by_hour(job, _of_units(load, units, load.max_requests_per_s / load.units), use, scales) * (
        n_chips // load.units
    )


def pooled_by_hour(
    job: OnlineServing, result: CandidateResult, use: float, lends: bool, of_likely: float = 1.0
) -> ByHour:
    """Replicas that the load takes: those of the busiest hour all day, or, where quiet hours are lent, those of each
    hour with the rest that autoscaling keeps; at least one.

    The busiest hour has the room that a candidate has of its own: it is carried at the slow speed of
    :func:`core.comparison.judge.durations.slow_shares`, with as many chips as the candidate has at most. Other hours
    take what they do at ``of_likely`` of the likely speed.
    """
    load, n_chips = result.throughput.load, result.candidate.n_chips
    if load is None or load.max_requests_per_s <= 0:
        return alone_by_hour(job, result, use)
    n_parts = replicas_apart(job, result, load)
    of_one = load.max_requests_per_s / n_parts
    slow = float(slow_shares(job, [result.throughput])[0])
    most = max(ceil(job.peak_requests_per_s * use / (of_one * slow) - 1e-9), 1) if use > 0 else 0
    scaled = job.model_copy(update={"min_replicas": max(job.min_replicas, 1)})
    pooled = _by_hour(scaled, _of_units(load, most, of_one * of_likely), use, lends) * (n_chips // n_parts)
    return np.minimum(pooled, alone_by_hour(job.model_copy(update={"autoscale": False}), result, use))


def replicas_apart(job: OnlineServing, result: CandidateResult, load: LoadCurve) -> int:
    """Replicas that can be held one by one: not those that others fill caches for, nor those of several models, which
    hold different ones."""
    layout = result.throughput.layout
    is_apart = not layout.prefill_replicas and job.n_models == 1 and result.candidate.n_chips % load.replicas == 0
    return load.replicas if is_apart else load.units


def _of_units(load: LoadCurve, units: int, of_one: float) -> LoadCurve:
    return replace(load, units=units, replicas=units, max_requests_per_s=units * of_one)


def _by_hour(job: OnlineServing, load: LoadCurve, use: float, scales: bool) -> ByHour:
    if load.units == 0:
        return np.zeros(HOURS_PER_DAY, dtype=np.int32)
    asked = job.model_copy(update={"peak_requests_per_s": job.peak_requests_per_s * use})
    return np.asarray(units_by_hour(asked, load, scales), dtype=np.int32)


def has_load_by_hour(profile: Profile) -> bool:
    """True where the load of each hour is known and not the same all day."""
    service = profile.job.service
    return service is not None and float(np.ptp(load_by_hour(service))) > 0
