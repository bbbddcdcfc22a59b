"""When a plan's money is due, by months and quarters of the calendar, from the jobs' own days."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from core.catalogue.entries import OWN
from core.comparison.together.ways import Picked
from core.cost.bill.types import CostPart
from core.cost.parts.commitment import TERM_MONTHS
from core.cost.parts.hardware import PART as HARDWARE
from core.cost.parts.hardware import hardware_split
from core.cost.registry import component_by_part
from core.months import (
    DAYS_PER_MONTH,
    MONTHS_PER_QUARTER,
    Month,
    month_of,
    months_after,
    n_terms_of,
    period_of,
    quarter_name,
)

COMMITTED = ("compute", "idle", "commitment_waste")
"""Parts of a bill that a committed term owes to its end, whenever the work is over."""
PREPAID = "capacity_block"
"""A block of hours is paid whole when it is reserved, and cannot be cancelled. Source: AWS, Capacity Blocks pricing
(aws.amazon.com/ec2/capacityblocks/pricing) and CancelCapacityReservation, read 2026-11."""
PURCHASE, MAINTENANCE, RESALE, CAPITAL = "purchase", "maintenance", "resale", "capital"
"""What hardware of one's own is made of; the cost of capital counts in its cost, and is due to nobody."""


@dataclass(frozen=True, slots=True)
class Quarter:
    """Cash due in a quarter of a year: ``Q4 2026``."""

    year: int
    number: int
    usd: float

    @property
    def name(self) -> str:
        """``Q4 26``."""
        return quarter_name((self.year, self.number))


@dataclass(frozen=True, slots=True)
class Payment:
    """A part of a bill and when it is paid: evenly from a day up to, not with, another, or at once where these are one.

    ``workload`` is the place of its workload among the picks, None for what workloads share; ``part`` is that of the
    bill, or :data:`MOVING` or :data:`UPKEEP`, ``item`` which of those that hardware is made of.
    """

    workload: int | None
    part: str
    usd: float
    begins: date
    ends: date
    item: str = ""


Due = dict[tuple[int, int], float]
"""USD by year and period of the year, counted from 1."""

MOVING, UPKEEP = "moving", "upkeep"
"""What workloads share: weights that move, further kinds of software."""


def dues(picks: Sequence[Picked], moving_usd: float, upkeep_usd: float) -> tuple[Payment, ...]:
    """What is done once, and a block that is paid ahead, is due at the start of each workload, hardware when it comes,
    with its worth back at the end, the rest evenly while its chips are held or, if it is committed for longer, to the
    end of the term; moves when training is done, upkeep over the whole plan. Cost of capital is due to nobody: payments
    and :func:`capital_usd` add up to the cost."""
    own = (due for number, one in enumerate(picks) for due in _dues_of(number, one))
    return (*own, *_shared(picks, moving_usd, upkeep_usd))


def due_by_quarter(picks: Sequence[Picked], moving_usd: float, upkeep_usd: float) -> tuple[Quarter, ...]:
    """The quarters of :func:`dues`."""
    due = by_period(dues(picks, moving_usd, upkeep_usd))
    return tuple(Quarter(year, number, usd) for (year, number), usd in sorted(due.items()))


def due_apart(picks: Sequence[Picked], moving_usd: float, upkeep_usd: float, months: int = MONTHS_PER_QUARTER) -> Due:
    """What running apart costs, by periods of so many months."""
    return by_period(_shared(picks, moving_usd, upkeep_usd), months)


def by_period(payments: Iterable[Payment], months: int = MONTHS_PER_QUARTER) -> Due:
    """Payments added up by periods of so many months."""
    due: Due = {}
    for payment in payments:
        for month, usd in due_by_month(payment):
            period = period_of(month, months)
            due[period] = due.get(period, 0.0) + usd
    return due


def due_by_month(payment: Payment) -> Iterator[tuple[Month, float]]:
    """Months with what is due in each, by its days."""
    days, begins = (payment.ends - payment.begins).days, payment.begins
    if not days:
        yield month_of(begins), payment.usd
    while payment.usd and begins < payment.ends:
        until = min(months_after(begins.replace(day=1), 1) or payment.ends, payment.ends)
        yield month_of(begins), payment.usd * (until - begins).days / days
        begins = until


def _dues_of(number: int, one: Picked) -> Iterator[Payment]:
    start = one.profile.limits.start_date
    for part in one.pick.cost.parts:
        if part.id == HARDWARE and part.usd:
            yield from _hardware(number, one, part)
        elif component_by_part()[part.id].is_one_off or (part.id in COMMITTED and is_prepaid(one)):
            yield Payment(number, part.id, part.usd, start, start)
        else:
            owed = owed_until(one) if part.id in COMMITTED and is_committed(one) else one.ends
            yield Payment(number, part.id, part.usd, one.begins, owed)


def capital_usd(one: Picked) -> float:
    """Cost of the money that hardware of one's own ties up: in the workload's cost, and no payment."""
    return hardware_split(one.pick.cost.parts).capital_usd


def _hardware(number: int, one: Picked, part: CostPart) -> Iterator[Payment]:
    """Paid when it comes; what it is worth comes back at the end; maintenance falls due in between."""
    split = hardware_split([part])
    yield Payment(number, part.id, split.bought_usd, one.begins, one.begins, PURCHASE)
    yield Payment(number, part.id, split.maintenance_usd, one.begins, one.ends, MAINTENANCE)
    yield Payment(number, part.id, -split.worth_usd, one.ends, one.ends, RESALE)


def _shared(picks: Sequence[Picked], moving_usd: float, upkeep_usd: float) -> Iterator[Payment]:
    if moving_usd:
        done = max(one.ready for one in picks if one.profile.job.trains)
        yield Payment(None, MOVING, moving_usd, done, done)
    if upkeep_usd:
        yield Payment(None, UPKEEP, upkeep_usd, min(one.begins for one in picks), max(one.ends for one in picks))


def owed_until(one: Picked) -> date:
    """The day until which a workload's chips are paid: its end, or that of the term they are committed for."""
    last = months_after(one.begins, n_terms(one) * _term_months(one)) if has_term(one) else one.ends
    return max(one.ends, last) if last else one.ends


def given_back(one: Picked, day: date) -> date:
    """The day until which chips that are given back on a day are owed: the end of the term that has begun, of the work
    where they are paid ahead or are one's own, that very day where they are paid by use."""
    offer = one.pick.candidate.offer
    if is_prepaid(one) or offer.provider == OWN or offer.held_chips is not None:
        return max(one.ends, day)
    months = _term_months(one)
    ends = (months_after(one.begins, n * months) or date.max for n in range(1, n_terms(one) + 1))
    return next((end for end in ends if end >= day), day)


def n_terms(one: Picked) -> int:
    """Terms that the bill pays, by its months, not by days: a service of 36 months has three years, and no fourth for
    a leap day. 0 for chips without a term."""
    months, service = _term_months(one), one.profile.job.months_in_service
    if not months:
        return 0
    held = service if service is not None else (one.ends - one.begins).days / DAYS_PER_MONTH
    return n_terms_of(held, months)


def is_committed(one: Picked) -> bool:
    """True for chips that are owed whenever the work is over: paid by the term, or ahead."""
    return has_term(one) or is_prepaid(one)


def has_term(one: Picked) -> bool:
    """True for chips that are paid by the term, however short the work is."""
    return _term_months(one) > 0


def is_prepaid(one: Picked) -> bool:
    """True for a block of hours that is paid when it is reserved, at the start of its workload."""
    return one.pick.candidate.offer.purchase_model == PREPAID


def _term_months(one: Picked) -> int:
    return TERM_MONTHS.get(one.pick.candidate.offer.purchase_model, 0)
