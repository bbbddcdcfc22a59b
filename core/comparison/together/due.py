"""When a plan's money is due, by quarters of the calendar, from the jobs' own days."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from core.comparison.together.ways import Picked
from core.constants import HOURS_PER_DAY
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


def due_by_quarter(picks: Sequence[Picked], moving_usd: float, upkeep_usd: float) -> tuple[Quarter, ...]:
    """What is done once is due at the start of each workload, the rest evenly while its chips are held or, if it is
    committed for longer, to the end of the term; moves when training is done, upkeep over the whole plan."""
    due: dict[tuple[int, int], float] = {}
    for one in picks:
        _add_workload(due, one)
    if moving_usd:
        _add(due, quarter_of(max(one.ready for one in picks if one.profile.job.trains)), moving_usd)
    if upkeep_usd:
        _add_evenly(due, upkeep_usd, min(one.begins for one in picks), max(one.ends for one in picks))
    return tuple(Quarter(year, number, usd) for (year, number), usd in sorted(due.items()))


def _add_workload(due: dict[tuple[int, int], float], one: Picked) -> None:
    cost = one.pick.cost
    once = sum(part.usd for part in cost.parts if component_by_part()[part.id].is_one_off)
    committed = sum(part.usd for part in cost.parts if part.id in COMMITTED) if _term_days(one) else 0.0
    _add(due, quarter_of(one.profile.limits.start_date), once)
    _add_evenly(due, cost.total.likely - once - committed, one.begins, one.ends)
    _add_evenly(due, committed, one.begins, owed_until(one))


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


def _add(due: dict[tuple[int, int], float], quarter: tuple[int, int], usd: float) -> None:
    due[quarter] = due.get(quarter, 0.0) + usd


def _add_evenly(due: dict[tuple[int, int], float], usd: float, begins: date, ends: date) -> None:
    days = (ends - begins).days
    for quarter, n_days in _days_by_quarter(begins, ends) if usd else ():
        _add(due, quarter, usd * n_days / days)


def quarter_of(day: date) -> tuple[int, int]:
    """Year and number, 1..4, of the quarter of a day."""
    return day.year, (day.month - 1) // 3 + 1


def _days_by_quarter(begins: date, ends: date) -> Iterator[tuple[tuple[int, int], int]]:
    """Days of each quarter from one day up to, not with, another."""
    while begins < ends:
        year, number = quarter_of(begins)
        last = (number == 4 and year == date.max.year) or year > date.max.year
        following = ends if last else date(year + (number == 4), number % 4 * 3 + 1, 1)
        until = min(following, ends)
        yield (year, number), (until - begins).days
        begins = until
