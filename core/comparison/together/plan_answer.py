"""The plan's answer over its workloads: cost, when it is due, when all is done, and how surely its limits are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import accumulate, pairwise
from math import floor, log10

from core.comparison.result import ResultSet
from core.comparison.together.due import Quarter, capital_usd, due_by_quarter
from core.comparison.together.moving import Moving, Upkeep
from core.comparison.together.part import PlanPart, part_of
from core.comparison.together.ways import MAIN_KINDS, Beside, Picked, Way, ways_beside
from core.ranges import Range
from core.units import CENTS_BELOW, rounded, shown_money

NO_REMAINDER = 1e-9
"""Of a step, so that what is a whole number of steps stays one."""


@dataclass(frozen=True)
class PlanAnswer:
    """What the picks of a plan's workloads come to, and other ways beside them.

    ``unanswered`` names workloads without a pick, which no figure holds, and says why.
    """

    way: Way
    unanswered: tuple[tuple[str, str], ...]
    others: tuple[Beside, ...]
    cash_by_quarter: tuple[Quarter, ...]

    @property
    def picks(self) -> tuple[Picked, ...]:
        """The picks with their days."""
        return self.way.picks

    @property
    def n_workloads(self) -> int:
        """Workloads of the plan, with an answer or without."""
        return len(self.picks) + len(self.unanswered)

    @property
    def total_usd(self) -> Range:
        """Cost of the whole plan; the range is that of the draws, in which errors of one cause move together."""
        return self.way.total

    @property
    def done(self) -> date:
        """When the last run is done or the last service can start."""
        return self.way.ready

    @property
    def chance_in_limits(self) -> float | None:
        """Share of draws that keep all limits of all workloads; None without limits."""
        return self.way.chance_in_limits

    @property
    def moving(self) -> tuple[Moving, ...]:
        """Weights that move, a part of the total."""
        return self.way.apart.moving

    @property
    def upkeep(self) -> tuple[Upkeep, ...]:
        """Further kinds of software, a part of the total."""
        return self.way.apart.upkeep

    @property
    def per_month_usd(self) -> float:
        """What a month costs while all services run; 0 without one."""
        return sum(one.pick.cost.per_month_usd for one in self.picks if one.profile.job.months_in_service is not None)

    @property
    def all_end(self) -> bool:
        """True where every workload is a run that ends."""
        return all(one.profile.job.months_in_service is None for one in self.picks)

    @property
    def capital_usd(self) -> float:
        """Cost of the money tied up in hardware: a part of the total that is due in no quarter; 0 of what is rented."""
        return sum(map(capital_usd, self.picks))

    @property
    def printed_usd(self) -> float:
        """The likely total as the sum of what is printed of its parts, so that a reader's own sum agrees."""
        costs = [one.pick.cost.total.likely for one in self.picks]
        return sum(map(as_printed, (*costs, *self.way.apart.each_usd)))

    @property
    def without_kind(self) -> tuple[tuple[str, str], ...]:
        """Kinds of chip of which no option meets a workload's limits, each with the workload's name."""
        parts = self.way.parts
        return tuple((kind, part.profile.name) for kind in MAIN_KINDS for part in parts if kind not in part.of_kind)

    @cached_property
    def rivals(self) -> tuple[Beside, ...]:
        """The ways that could be signed and are better than the picks, or too close to them to call; best first."""
        told = [one for one in self.others if one.way.is_proved and one.call != "worse"]
        return tuple(sorted(told, key=lambda one: -one.better))


def plan_answer(parts: Sequence[PlanPart]) -> PlanAnswer | None:
    """The answer over the workloads with a pick; None where none has one."""
    answered = tuple(part for part in parts if part.pick)
    if not answered:
        return None
    catalogue = next((part.catalogue for part in answered if part.catalogue), None)
    way = Way("The picks", answered, tuple(part.pick for part in answered if part.pick), catalogue)
    apart_usd = sum(one.usd for one in way.apart.moving), sum(one.usd for one in way.apart.upkeep)
    return PlanAnswer(
        way=way,
        unanswered=tuple((part.profile.name, part.why_not) for part in parts if part.pick is None),
        others=ways_beside(way, answered, catalogue) if len(answered) > 1 else (),
        cash_by_quarter=due_by_quarter(way.picks, *apart_usd),
    )


def answer_of(result_sets: Sequence[ResultSet]) -> PlanAnswer | None:
    """The answer of results that are all there."""
    return plan_answer([part_of(results) for results in result_sets])


def as_printed(usd: float) -> float:
    """An amount as :func:`core.units.usd` tells it in the currency shown, in USD: three digits, cents below 100."""
    rate = shown_money().per_usd
    size = usd * rate
    return (round(size, 2) if abs(size) < CENTS_BELOW else rounded(size)) / rate


def last_digit(usd: float) -> float:
    """One of the last digit of an amount as it is printed in the currency shown, in USD; 1 for nothing."""
    rate = shown_money().per_usd
    size = usd * rate
    if size <= 0:
        return 1.0
    return float(0.01 if size < CENTS_BELOW else 10.0 ** (floor(log10(size)) - 2)) / rate


def added_up(parts: Sequence[float], total: float, step: float) -> tuple[float, ...]:
    """Amounts one after the other as multiples of ``step`` that add up to ``total``, itself one: differences of
    rounded sums, so that sums so far are rounded too."""
    whole = sum(parts)
    if whole <= 0 or total <= 0:
        return tuple(parts)
    sums = [round(so_far * total / whole / step) for so_far in accumulate(parts, initial=0.0)]
    return tuple((last - first) * step for first, last in pairwise(sums))


def shared_out(parts: Sequence[float], total: float, step: float) -> tuple[float, ...]:
    """Parts beside each other as multiples of ``step`` that add up to ``total``, itself one: those with the largest
    remainders are rounded up, so that each is rounded as it would be alone where that adds up."""
    whole = sum(parts)
    if whole <= 0 or total <= 0:
        return tuple(parts)
    shares = [part * total / whole / step for part in parts]
    steps = [floor(share + NO_REMAINDER) for share in shares]
    by_remainder = sorted(range(len(parts)), key=lambda n: steps[n] - shares[n])
    for n in by_remainder[: round(total / step) - sum(steps)]:
        steps[n] += 1
    return tuple(one * step for one in steps)
