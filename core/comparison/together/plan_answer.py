"""The plan's answer over its workloads: cost, when it is due, when all is done, and how surely its limits are kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate, pairwise
from math import floor, log10, prod, sqrt
from typing import Literal

from core.catalogue.catalogue import Catalogue
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.together.moving import Moving, movings
from core.constants import DAYS_PER_YEAR, MONTHS_PER_YEAR
from core.cost.registry import component_by_part
from core.ranges import Range
from core.units import LONGEST_DAYS, day_after, rounded, shown_money
from core.workload.profile import Profile

DAYS_PER_MONTH = DAYS_PER_YEAR / MONTHS_PER_YEAR
How = Literal["independent", "together"]
"""How ranges of several picks become one: as errors that have nothing to do with each other, or, where picks share a
chip or a seller and so their errors, end to end, which is the wider and more cautious range."""


@dataclass(frozen=True, slots=True)
class Picked:
    """A workload's pick with its days: chips are held from ``begins`` to ``ends``; ``ready`` is when a run is done, or
    when a service can start."""

    profile: Profile
    pick: CandidateResult
    begins: date
    ends: date
    ready: date

    @property
    def name(self) -> str:
        """The workload's name."""
        return self.profile.name


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


@dataclass(frozen=True)
class PlanAnswer:
    """What the picks of a plan's workloads come to.

    ``unanswered`` names workloads without a pick, which no figure holds. ``chance_in_limits`` is the product of the
    picks' own chances, as if they had nothing to do with each other. ``moving`` is what carrying trained weights to
    another seller costs, a part of the total.
    """

    picks: tuple[Picked, ...]
    unanswered: tuple[str, ...]
    total_usd: Range
    combined: How
    cash_by_quarter: tuple[Quarter, ...]
    done: date
    chance_in_limits: float
    moving: tuple[Moving, ...] = ()

    @property
    def printed_usd(self) -> float:
        """The likely total as the sum of what is printed of its parts, so that a reader's own sum agrees."""
        costs = [picked.pick.cost.total.likely for picked in self.picks]
        return sum(as_printed(usd) for usd in (*costs, *(one.usd for one in self.moving)))

    @property
    def printed_quarters(self) -> tuple[float, ...]:
        """Quarters rounded to the last digit of the total as printed, of which they are the whole."""
        total = as_printed(self.printed_usd)
        return added_up([one.usd for one in self.cash_by_quarter], total, last_digit(total))


def plan_answer(result_sets: Sequence[ResultSet]) -> PlanAnswer | None:
    """The answer over the workloads with a pick; None where none has one."""
    picks = tuple(_picked(results, results.choice) for results in result_sets if results.choice)
    if not picks:
        return None
    carried = movings([(one.profile, one.pick) for one in picks], catalogue_of(result_sets))
    combined = _how([one.pick for one in picks])
    costs = [one.pick.cost.total for one in picks] + [Range(one.usd, one.usd, one.usd) for one in carried]
    return PlanAnswer(
        picks=picks,
        unanswered=tuple(results.profile.name for results in result_sets if results.choice is None),
        total_usd=summed(costs, combined),
        combined=combined,
        cash_by_quarter=_by_quarter(picks, sum(one.usd for one in carried)),
        done=max(one.ready for one in picks),
        chance_in_limits=prod(one.pick.chance.in_limits for one in picks if one.pick.chance),
        moving=carried,
    )


def catalogue_of(result_sets: Sequence[ResultSet]) -> Catalogue | None:
    """The catalogue that they were worked out from; None where they were put together by hand."""
    return next((results.basis.catalogue for results in result_sets if results.basis), None)


def _picked(results: ResultSet, pick: CandidateResult) -> Picked:
    """Chips are held from when they are there: after waiting and porting, to the end of the run or of the service."""
    profile, terms = results.profile, pick.time_terms_days
    start = profile.limits.start_date
    before = terms.get("waiting", 0.0) + terms.get("porting", 0.0)
    months = profile.job.months_in_service
    held = terms.get("run", 0.0) if months is None else months * DAYS_PER_MONTH
    begins, ends = min(_day(start, before), _LAST), _day(start, before + held)
    return Picked(profile, pick, begins, max(ends, begins + timedelta(days=1)), ends if months is None else begins)


_LAST = date.max - timedelta(days=1)
"""No chips are held from later on: a day of holding them must still follow."""


def _day(start: date, days: float) -> date:
    return day_after(start, min(days, LONGEST_DAYS)) or date.max


def summed(parts: Sequence[Range], how: How) -> Range:
    """Sum of ranges: likely values add up; the ends as square roots of summed squares, or added, see :data:`How`."""
    likely = sum(part.likely for part in parts)
    below = [part.likely - part.low for part in parts]
    above = [part.high - part.likely for part in parts]
    if how == "together":
        return Range(likely - sum(below), likely, likely + sum(above))
    return Range(likely - sqrt(sum(d * d for d in below)), likely, likely + sqrt(sum(d * d for d in above)))


def _how(picks: Sequence[CandidateResult]) -> How:
    chips = {pick.candidate.accelerator.id for pick in picks}
    sellers = {pick.candidate.offer.provider for pick in picks}
    return "independent" if len(chips) == len(sellers) == len(picks) else "together"


def _by_quarter(picks: Sequence[Picked], moving_usd: float) -> tuple[Quarter, ...]:
    """What is done once is due at the start of each workload, the rest of its bill evenly while its chips are held."""
    due: dict[tuple[int, int], float] = {}
    for picked in picks:
        cost = picked.pick.cost
        once = sum(part.usd for part in cost.parts if component_by_part()[part.id].is_one_off)
        start = picked.profile.limits.start_date
        _add(due, quarter_of(start), once)
        days = (picked.ends - picked.begins).days
        for quarter, n_days in _days_by_quarter(picked.begins, picked.ends):
            _add(due, quarter, (cost.total.likely - once) * n_days / days)
    if moving_usd:
        _add(due, quarter_of(max(one.ready for one in picks if one.profile.job.trains)), moving_usd)
    return tuple(Quarter(year, number, usd) for (year, number), usd in sorted(due.items()))


def _add(due: dict[tuple[int, int], float], quarter: tuple[int, int], usd: float) -> None:
    due[quarter] = due.get(quarter, 0.0) + usd


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


def as_printed(usd: float) -> float:
    """An amount as three digits tell it in the currency shown, in USD."""
    rate = shown_money().per_usd
    return rounded(usd * rate) / rate


def last_digit(usd: float) -> float:
    """One of the last of three digits of an amount in the currency shown, in USD; 1 for nothing."""
    rate = shown_money().per_usd
    return float(10.0 ** (floor(log10(usd * rate)) - 2) / rate) if usd > 0 else 1.0


def added_up(parts: Sequence[float], total: float, step: float) -> tuple[float, ...]:
    """Parts as multiples of ``step`` that add up to ``total``, itself one: differences of rounded sums."""
    whole = sum(parts)
    if whole <= 0 or total <= 0:
        return tuple(parts)
    sums = [round(so_far * total / whole / step) for so_far in accumulate(parts, initial=0.0)]
    return tuple((last - first) * step for first, last in pairwise(sums))
