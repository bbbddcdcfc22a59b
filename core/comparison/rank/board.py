"""The feasible options as arrays, so that "what if" questions are answered without another evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.comparison.chance.goodness import MISSED
from core.comparison.rank.utility import Array, Axes, normalised
from core.comparison.result import CandidateResult
from core.cost.registry import rent_parts
from core.lazy_sequence import LazySequence
from core.rows import Rows
from core.workload.profile import Profile

LEAST_DAYS = 1.0
"""Of work that ends: sooner is no better."""
LEAST_OF_WINDOW = 0.5
"""A batch that ends in half its window can be run once more within it."""


@dataclass(frozen=True)
class Caution(Rows):
    """How options fare when things go badly, shapes (n,): cost and time over the likely ones, and the outcomes that
    miss a limit over the worst ones. ``lift`` is the goodness by which the pick, chosen for its regret, stands behind
    the best when things go badly, and what counts as next to nothing; 0 for all others. What else wins gains more."""

    cost_ratio: Array
    time_ratio: Array
    missed: Array
    lift: Array


@dataclass(frozen=True)
class Board:
    """Feasible options best first, one row each, shapes (n,).

    ``results`` and their ``names`` may be put together only when looked at; ``chip_ids`` are those of their chips.

    ``priced_usd`` is the part of the cost that moves with the price of the chip hour; ``porting_usd`` and
    ``porting_days`` are the parts that move with the porting effort. ``caution`` says what each comes to when things go
    badly, by which options are ranked; None ranks by the likely values.
    """

    results: Sequence[CandidateResult]
    names: Sequence[str]
    chip_ids: Sequence[str]
    axes: Axes
    priced_usd: Array
    porting_usd: Array
    porting_days: Array
    caution: Caution | None = None

    @property
    def cautious(self) -> Axes:
        """Cost and time as they are when things go badly, and the flexibility."""
        axes, caution = self.axes, self.caution
        if caution is None:
            return axes
        return replace(axes, cost_usd=axes.cost_usd * caution.cost_ratio, time=axes.time * caution.time_ratio)

    def goodness(self) -> Array:
        """Goodness of each row by cost, time and flexibility when things go badly, shape (n, 3), less what
        outcomes that miss a limit lose, and with the lift of the pick."""
        goodness, caution = normalised(self.cautious), self.caution
        return goodness if caution is None else goodness + (caution.lift - MISSED * caution.missed)[:, None]

    def utilities(self, weight_shares: Array) -> Array:
        """Weighted mean of the goodnesses of each row, shape (n,), for weights as shares of their sum, shape (3,);
        see :func:`~core.comparison.chance.goodness.shares`."""
        return np.asarray(self.goodness() @ weight_shares)

    def with_price(self, rows: Array, factor: float) -> Board:
        """The board when the price per chip hour of some rows (1 or 0 each) is multiplied."""
        cost_usd = self.axes.cost_usd + rows * self.priced_usd * (factor - 1)
        return replace(self, axes=replace(self.axes, cost_usd=cost_usd))

    def taken(self, rows: NDArray[np.intp]) -> Board:
        """The board with some rows, by number and in that order."""
        results, names, listed = self.results, self.names, rows.tolist()
        return Board(
            LazySequence(len(listed), lambda row: results[listed[row]]),
            LazySequence(len(listed), lambda row: names[listed[row]]),
            [self.chip_ids[row] for row in listed],
            self.axes.take(rows),
            self.priced_usd[rows],
            self.porting_usd[rows],
            self.porting_days[rows],
            None if self.caution is None else self.caution.take(rows),
        )


def time_value(profile: Profile, result: CandidateResult) -> float:
    """What counts as time in the ranking, less is better.

    Days to finish when training; median ms per output token when serving online, which is one over the speed that
    a user sees; hours of a batch otherwise.
    """
    if result.days_to_finish is not None:
        return result.days_to_finish.likely
    latency = result.throughput.latency
    if profile.job.answers_users and latency is not None:
        return latency.tpot_p50_ms
    return result.run_h.likely


def board_of(profile: Profile, feasible: Sequence[CandidateResult]) -> Board:
    """Arrays of the feasible results."""
    rented = rent_parts()
    return Board(
        tuple(feasible),
        [result.candidate.name for result in feasible],
        [result.candidate.accelerator.id for result in feasible],
        axes_of(profile, feasible),
        _column(sum(result.cost.part(part) for part in rented) for result in feasible),
        _column(result.cost.part("porting") for result in feasible),
        _column(result.time_terms_days.get("porting", 0.0) if result.days_to_finish else 0.0 for result in feasible),
    )


def axes_of(profile: Profile, feasible: Sequence[CandidateResult]) -> Axes:
    """Cost, time and flexibility of the feasible results, as they are ranked."""
    return Axes(
        _column(result.cost.total.likely for result in feasible),
        _column(time_value(profile, result) for result in feasible),
        _column(result.flexibility.score.likely for result in feasible),
        least_time(profile),
    )


def least_time(profile: Profile) -> float:
    """Time below which sooner is no better: a day when training, half the window of a batch."""
    if profile.job.ends:
        return LEAST_DAYS
    return LEAST_OF_WINDOW * (profile.job.round_limit_h or 0.0)


def _column(values: Iterable[float]) -> Array:
    return np.array(list(values), dtype=float)
