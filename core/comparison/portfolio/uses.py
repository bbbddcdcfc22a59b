"""A workload made a use of a pool: its chips, and what its bill holds beside rent, month by month."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

import numpy as np
from numpy.typing import NDArray

from core.comparison.portfolio.calendar import Calendar
from core.comparison.portfolio.demand import (
    Work,
    alone_by_hour,
    held_alone,
    held_pooled,
    most_alone,
    most_pooled,
    pooled_by_hour,
    stretches,
)
from core.comparison.portfolio.result import Chips, Draws, Use
from core.comparison.result import ResultSet
from core.comparison.together.part import drawn_at
from core.comparison.together.ways import held_days
from core.constants import HOURS_PER_DAY, HOURS_PER_MONTH
from core.cost.bill.types import CostPart
from core.cost.parts.commitment import TERM_H, TERM_MONTHS
from core.cost.parts.hardware import PART as HARDWARE
from core.cost.parts.hardware import bought_and_worth_usd
from core.cost.registry import component_by_part
from core.months import months_between, months_of_days, n_terms_of

SUPPORT = "support"
"""A part of the bill that is a share of the rent: a pool's is worked out anew of its own rent."""


def use_of(work: Work, results: ResultSet, calendar: Calendar) -> Use:
    """The use of a workload on its candidate."""
    alone = held_alone(work, calendar)
    is_service = work.profile.job.service is not None
    at_work = held_pooled(work, calendar, lends=True) if is_service else alone
    return Use(
        profile=work.profile,
        result=work.result,
        member=work.member,
        alone=alone,
        kept=_kept(work, calendar, at_work),
        at_work=at_work,
        most_alone=most_alone(work, calendar),
        most_pooled=most_pooled(work, calendar),
        other_usd=other_by_month(work, calendar),
        ahead_usd=ahead_by_month(work, calendar),
        cost_factor=cost_factor(results, work),
        held_days=held_days(work.profile, work.result) * _times_held(work, calendar),
        billed_share=work.billed_h / work.hours,
        n_rounds=max(len(stretches(work, calendar.first_day, calendar.n_days)), 1),
        start_hour=work.start_hour if work.is_schedule else None,
    )


def _times_held(work: Work, calendar: Calendar) -> float:
    """Hours of the calendar in which the work holds chips, over those that the plan counts of it."""
    hours, _ = _hours_by_month(work, calendar, np.ones(len(calendar.months)))
    return float(hours.sum()) / work.hours


def _kept(work: Work, calendar: Calendar, at_work: Chips) -> Chips:
    """What a service keeps all day; nothing of what comes and goes."""
    service = work.profile.job.service
    if service is None:
        return np.zeros_like(at_work)
    return at_work if service.autoscale else held_pooled(work, calendar, lends=False)


def cost_factor(results: ResultSet, work: Work) -> Draws:
    """The candidate's bill over the likely one in each draw of the comparison, shape (n draws,)."""
    likely = work.result.cost.total.likely
    drawn = drawn_at(results, results.row_of[work.result.id]).cost_usd.astype(np.float64)
    return np.asarray(drawn / likely) if likely > 0 else np.ones(len(drawn))


def other_by_month(work: Work, calendar: Calendar) -> NDArray[np.float64]:
    """What the bill holds beside chips and support, in USD, by month of cash, shape (n months,).

    Work done once is due at the start of the workload, before its chips come. The rest is spread over the hours of the
    work: that which follows use times the use of the month, a run's once for each run.
    """
    once, by_hour, by_use = _others(work)
    usd = np.zeros(calendar.n_cash_months)
    if (work.begin - calendar.first_day).days < calendar.n_days:
        usd[max(months_between(calendar.cash_from, work.profile.limits.start_date), 0)] += once
    use = np.array([work.member.use_in(month) for month in range(len(calendar.months))])
    hours, used_h = _hours_by_month(work, calendar, use)
    usd[calendar.months_before :][: len(hours)] += (by_hour * hours + by_use * used_h) / work.hours
    return usd


def ahead_by_month(work: Work, calendar: Calendar) -> NDArray[np.float64]:
    """What the hardware of a service wears off in the hours of each month, paid in the first one instead, with what it
    is worth by then back in that of the day after the last one: USD by month of cash, shape (n months,), 0 in all."""
    hours, _ = _hours_by_month(work, calendar, np.ones(len(calendar.months)))
    bought, worth = (0.0, 0.0) if work.is_run else bought_and_worth_usd(work.result.cost.parts)
    held, worn = np.flatnonzero(hours), (bought - worth) * hours / work.hours
    moved = np.zeros(calendar.n_cash_months)
    moved[calendar.months_before :][: len(worn)] = -worn
    if len(held):
        ends = min(work.end, calendar.first_day + timedelta(days=calendar.n_days))
        moved[calendar.months_before + held[0]] += bought
        moved[months_between(calendar.cash_from, ends)] -= bought - worn.sum()
    return moved


def _others(work: Work) -> tuple[float, float, float]:
    """USD of the candidate's parts beside rent: done once, by the hour, and by use."""
    once = by_hour = by_use = 0.0
    for part in work.result.cost.parts:
        component = component_by_part()[part.id]
        if _is_of_chips(part) or part.id == SUPPORT:
            continue
        if component.is_one_off:
            once += part.usd
        elif component.follows_use == "always":
            by_use += part.usd
        else:
            by_hour += part.usd
    return once, by_hour, by_use


def _hours_by_month(
    work: Work, calendar: Calendar, use: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Hours of the work in each month, and the same times its use."""
    begin_h = float(HOURS_PER_DAY * (work.begin - calendar.first_day).days)
    spans = [(begin_h, work.hours)]
    if work.is_run:
        spans = [(one.begin_h, one.hours) for one in stretches(work, calendar.first_day, calendar.n_days)]
    by_day = sum((_hours_by_day(calendar, *span) for span in spans), np.zeros(calendar.n_days))
    hours = np.asarray(np.bincount(calendar.month_of, by_day, minlength=len(calendar.months)), dtype=np.float64)
    return hours, hours if work.is_run else np.asarray(hours * use)


def _hours_by_day(calendar: Calendar, begin_h: float, hours: float) -> NDArray[np.float64]:
    days = HOURS_PER_DAY * np.arange(calendar.n_days)
    covered = np.minimum(days + HOURS_PER_DAY, begin_h + hours) - np.maximum(days, begin_h)
    return np.asarray(np.maximum(covered, 0.0))


def rent_of(work: Work) -> float:
    """Rent in the candidate's bill, or what hardware of one's own costs, in USD."""
    return sum(part.usd for part in work.result.cost.parts if _is_of_chips(part))


def _is_of_chips(part: CostPart) -> bool:
    return component_by_part()[part.id].is_rent or part.id == HARDWARE


def support_share(uses: Sequence[Use]) -> float:
    """Support over rent in the bills of some uses together."""
    parts = [part for use in uses for part in use.result.cost.parts]
    rent = sum(part.usd for part in parts if component_by_part()[part.id].is_rent)
    return sum(part.usd for part in parts if part.id == SUPPORT) / rent if rent > 0 else 0.0


def usd_per_chip_hour(work: Work) -> float:
    """Rent in the candidate's bill over the chip hours that it pays for: today's price, with what warming up adds and
    other work takes over of a term; of chips that are owned what their hardware costs."""
    return rent_of(work) / max(_billed_h(work), 1e-9)


def n_terms(work: Work) -> int:
    """Terms for which the chips of a candidate that is committed are held; 0 without a term."""
    term_months = TERM_MONTHS.get(work.result.candidate.offer.purchase_model, 0)
    months = work.profile.job.months_in_service
    held = work.billed_h / HOURS_PER_MONTH if months is None else months
    return n_terms_of(held, term_months) if term_months else 0


def _billed_h(work: Work) -> float:
    """Chip hours of the candidate's bill: whole terms where it is committed, else those held."""
    job, held_h = work.profile.job, work.billed_h
    if terms := n_terms(work):
        return work.n_chips * terms * TERM_H[work.result.candidate.offer.purchase_model]
    if work.is_schedule:
        held_h = (work.result.run_h.likely + job.set_up_h) * job.n_rounds
    if job.service is not None:
        return float(alone_by_hour(job.service, work.result, 1.0).mean()) * held_h
    return work.n_chips * held_h


def quiet_hours(works: Sequence[Work]) -> Mapping[str, int]:
    """Hours at which batches start so that the services' mean day and the batches before them leave most room.

    The largest batch first, at the hour whose span has the lowest peak, then the lowest sum, then the earliest; one
    whose hour is set keeps it. Use counts as in the first month.
    """
    day = np.zeros(HOURS_PER_DAY, dtype=np.int64)
    for work in works:
        if work.profile.job.service is not None:
            day += pooled_by_hour(work.profile.job.service, work.result, work.member.use_in(0), lends=True)
    batches = [work for work in works if work.is_schedule]
    told: dict[str, int] = {}
    for work in sorted(batches, key=lambda one: (one.member.start_hour is None, -one.n_chips, one.profile.id)):
        spans = _spans(work)
        set_hour = work.member.start_hour
        hour = _quietest(day, spans) if set_hour is None else set_hour
        told[work.profile.id] = hour
        day[spans[hour]] += work.n_chips
    return told


def _quietest(day: NDArray[np.int64], spans: Sequence[NDArray[np.intp]]) -> int:
    return min(range(HOURS_PER_DAY), key=lambda hour: (int(day[spans[hour]].max()), int(day[spans[hour]].sum()), hour))


def _spans(work: Work) -> Sequence[NDArray[np.intp]]:
    """Hours of the day that a batch touches from each hour on."""
    one = next(iter(stretches(work, work.begin, 1)), None)
    hours = min(int(np.ceil(one.hours - 1e-9)), HOURS_PER_DAY) if one else 1
    return [(hour + np.arange(max(hours, 1))) % HOURS_PER_DAY for hour in range(HOURS_PER_DAY)]


def months_of_terms(calendar: Calendar, paid_to_day: float) -> tuple[NDArray[np.intp], int]:
    """Number of the month of each day up to the end of the calendar or of what is paid, and how many days these are."""
    n_days = max(calendar.n_days, int(np.ceil(paid_to_day - 1e-9)))
    return months_of_days(calendar.first_day, n_days), n_days
