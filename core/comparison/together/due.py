"""When a plan's money is due, by quarters of the calendar, from the jobs' own days."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from core.comparison.together.ways import Picked
from core.constants import HOURS_PER_DAY, MONTHS_PER_YEAR
from core.cost.parts.commitment import TERM_H
from core.cost.registry import component_by_part
from core.units import day_after

COMMITTED = ("compute", "idle", "commitment_waste")
"""Parts of a bill that a committed term owes to its end, whenever the work is over."""


@dataclass(frozen=True, slots=True)
class Quarter:
    """Cash due in a quarter of a year: ``Q4 2026``."""

    year: int
    number: int
    usd: float

    @property
    def name(self) -> str:
        """``Q4 26``."""
        return f"Q{self.number} {self.year % 100:02}"


Due = dict[tuple[int, int], float]
"""USD by year and period of the year, counted from 1."""
QUARTER_MONTHS = 3


def due_by_quarter(picks: Sequence[Picked], moving_usd: float, upkeep_usd: float) -> tuple[Quarter, ...]:
    """What all workloads and their running apart come to, by quarter; see :func:`due_of` and :func:`due_apart`."""
    due: Due = {}
    for part in (*map(due_of, picks), due_apart(picks, moving_usd, upkeep_usd)):
        for period, usd in part.items():
            _add(due, period, usd)
    return tuple(Quarter(year, number, usd) for (year, number), usd in sorted(due.items()))


def due_of(one: Picked, months: int = QUARTER_MONTHS) -> Due:
    """A workload's cost by periods of so many months: what is done once is due at its start, the rest evenly while its
    chips are held or, if it is committed for longer, to the end of the term."""
    due: Due = {}
    cost = one.pick.cost
    once = sum(part.usd for part in cost.parts if component_by_part()[part.id].is_one_off)
    committed = sum(part.usd for part in cost.parts if part.id in COMMITTED) if _term_days(one) else 0.0
    _add(due, period_of(one.profile.limits.start_date, months), once)
    _add_evenly(due, cost.total.likely - once - committed, one.begins, one.ends, months)
    _add_evenly(due, committed, one.begins, owed_until(one), months)
    return due


def due_apart(picks: Sequence[Picked], moving_usd: float, upkeep_usd: float, months: int = QUARTER_MONTHS) -> Due:
    """What running apart costs: moves when training is done, upkeep over the whole plan."""
    due: Due = {}
    if moving_usd:
        _add(due, period_of(max(one.ready for one in picks if one.profile.job.trains), months), moving_usd)
    if upkeep_usd:
        _add_evenly(due, upkeep_usd, min(one.begins for one in picks), max(one.ends for one in picks), months)
    return due


def owed_until(one: Picked) -> date:
    """The day until which a workload's chips are paid: its end, or that of the term they are committed for."""
    term = _term_days(one)
    n_terms = -(-(one.ends - one.begins).days // term) if term else 0
    last = day_after(one.begins, n_terms * term)
    return max(one.ends, last) if last else one.ends


def is_committed(one: Picked) -> bool:
    """True for chips that are paid by the term."""
    return _term_days(one) > 0


def _term_days(one: Picked) -> int:
    return round(TERM_H.get(one.pick.candidate.offer.purchase_model, 0.0) / HOURS_PER_DAY)


def _add(due: Due, period: tuple[int, int], usd: float) -> None:
    due[period] = due.get(period, 0.0) + usd


def _add_evenly(due: Due, usd: float, begins: date, ends: date, months: int) -> None:
    days = (ends - begins).days
    for period, n_days in _days_by_period(begins, ends, months) if usd else ():
        _add(due, period, usd * n_days / days)


def period_of(day: date, months: int = QUARTER_MONTHS) -> tuple[int, int]:
    """Year and number, from 1, of the period of so many months in which a day lies."""
    return day.year, (day.month - 1) // months + 1


def _days_by_period(begins: date, ends: date, months: int) -> Iterator[tuple[tuple[int, int], int]]:
    """Days of each period from one day up to, not with, another."""
    of_year = MONTHS_PER_YEAR // months
    while begins < ends:
        year, number = period_of(begins, months)
        last = (number == of_year and year == date.max.year) or year > date.max.year
        following = ends if last else date(year + (number == of_year), number % of_year * months + 1, 1)
        until = min(following, ends)
        yield (year, number), (until - begins).days
        begins = until
