"""The plan frozen when tracking begins, and in what the answer of today differs from it."""

from __future__ import annotations

from datetime import date

from core.amounts import USD, Amount, Sentence, Text
from core.catalogue.entries import OWN
from core.comparison.actuals.commitments import commitment_of
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.together.ways import held_days
from core.constants import HOURS_PER_DAY
from core.cost.parts.hardware import bought_and_worth_usd, hardware_split
from core.errors import InputError
from core.ranges import Range
from core.units import LONGEST_DAYS, day_after
from core.workload.actuals import Baseline, OwnHardware
from core.workload.profile import Profile

SAME_SHARE = 0.01
"""Costs and lengths that differ by less are told as the same."""
FROZEN_BEFORE = (
    "This plan was frozen when the price of hardware still counted as evenly spent over all days: freeze it anew to "
    "have it counted when it is paid, and its worth at the end."
)
TERM_BEFORE = (
    "This plan was frozen when chips that are paid by the term still counted as evenly spent over the days of work: "
    "freeze it anew to have whole terms counted, which are owed whatever the work does."
)
TRAFFIC_SPREAD = 1.25
"""Traffic of a service over that planned, at the ends of 80 % (our estimate): nobody plans requests with a range."""


def frozen(results: ResultSet, today: date) -> Baseline:
    """The pick of a workload with its rate, cost and dates as they are now.

    Rate of work that ends: ``amount / days of the run``, its range that of the run; of a service its requests a day.
    Raises InputError where the workload has no pick.
    """
    pick, profile = results.choice, results.profile
    if pick is None:
        raise InputError(profile.name, "no pick to track against", "a workload whose comparison has a pick")
    days, limits, job = work_days(profile, pick), profile.limits, profile.job
    amount, total, candidate = amount_of(profile), pick.cost.total, pick.candidate
    before = sum(pick.time_terms_days.get(term, 0.0) for term in ("waiting", "porting"))
    training = job.training
    in_time = limits.deadline_days if job.ends else None
    return Baseline(
        frozen_on=today,
        candidate=pick.id,
        name=candidate.name,
        place=candidate.place,
        n_chips=candidate.n_chips,
        usd_per_chip_hour=candidate.usd_per_chip_hour,
        unit=unit_of_work(profile),
        per_step=float(training.global_batch_sequences * training.sequence_length) if training else None,
        amount=amount,
        ends=job.ends,
        work_begins=_day(limits.start_date, before),
        work_days=days.likely,
        rate_low=amount / days.high if job.ends else amount / days.likely / TRAFFIC_SPREAD,
        rate_high=amount / days.low if job.ends else amount / days.likely * TRAFFIC_SPREAD,
        upfront_usd=min(pick.cost.part("porting"), total.likely),
        cost_usd=total.likely,
        cost_low_usd=total.low,
        cost_high_usd=total.high,
        deadline=None if in_time is None else _day(limits.start_date, in_time),
        budget_usd=limits.budget_usd,
        own=own_hardware(pick),
        commitment=commitment_of(profile, pick),
    )


def own_hardware(result: CandidateResult) -> OwnHardware | None:
    """What an option's own chips take and leave, by its bill; None for rented ones."""
    if result.candidate.offer.provider != OWN:
        return None
    split = hardware_split(result.cost.parts)
    price = split.bought_usd - split.installing_usd
    return OwnHardware(
        price_usd=price, installing_usd=split.installing_usd, worth_usd=split.worth_usd, capital_usd=split.capital_usd
    )


def work_days(profile: Profile, result: CandidateResult) -> Range:
    """Days of the run with their range; of a service all its months, which are certain."""
    if profile.job.ends:
        days = result.run_h.scaled(1.0 / HOURS_PER_DAY)
        return Range(max(days.low, 1e-6), max(days.likely, 1e-6), max(days.high, 1e-6))
    months = max(held_days(profile, result), 1.0)
    return Range(months, months, months)


def amount_of(profile: Profile) -> float:
    """All the work: tokens trained on in all runs; requests (samples) of all months of a service or of batches."""
    job = profile.job
    if job.trains:
        return job.paid_tokens
    return job.paid_tokens / max(getattr(job, "output_tokens", 1), 1)


def unit_of_work(profile: Profile) -> str:
    """``tokens``, ``samples`` or ``requests``."""
    if profile.is_in_samples:
        return "samples"
    return "tokens" if profile.job.trains else "requests"


def drift(baseline: Baseline, results: ResultSet) -> Text:
    """What the comparison says today where that is no longer what was frozen; empty where it is the same."""
    pick = results.choice
    if pick is None:
        return "The comparison has no pick any more; the plan as it was frozen stays the measure."
    if pick.id != baseline.candidate:
        return Sentence(
            "The comparison would pick {} at {} today, for {}; the plan as it was frozen stays the measure.",
            pick.candidate.name,
            pick.candidate.place,
            Amount(pick.cost.total.likely, USD),
        )
    if baseline.own is None and bought_and_worth_usd(pick.cost.parts)[0] > 0:
        return FROZEN_BEFORE
    if baseline.commitment is None and commitment_of(results.profile, pick) is not None:
        return TERM_BEFORE
    cost, days = pick.cost.total.likely, work_days(results.profile, pick).likely
    is_same = _close(cost, baseline.cost_usd) and _close(days, baseline.work_days)
    if is_same and _close(amount_of(results.profile), baseline.amount):
        return ""
    return Sentence(
        "The same option would cost {} today instead of {}; the plan as it was frozen stays the measure.",
        Amount(cost, USD),
        Amount(baseline.cost_usd, USD),
    )


def _close(one: float, other: float) -> bool:
    return abs(one - other) <= SAME_SHARE * max(abs(other), 1e-9)


def _day(start: date, days: float) -> date:
    return day_after(start, min(days, LONGEST_DAYS)) or date.max
