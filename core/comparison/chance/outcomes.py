"""What the draws make of some candidates: cost, time, and which limits they keep in each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np
from numpy.typing import NDArray

from core.comparison.chance.causes import Causes
from core.comparison.chance.errors import N_DRAWS, Cause, Draws, Errors, Spans, drawn, product_drawn
from core.comparison.judge.assemble import Judged
from core.comparison.judge.durations import LIKELY
from core.comparison.search.option_set import Index
from core.constants import HOURS_PER_DAY
from core.throughput.serving.latency_spread import latency_factors, slowness
from core.throughput.types import Latency, Throughput

Mask = NDArray[np.bool_]
LIMITS = ("deadline", "budget", "latency", "peak", "window")
"""Limits that draws keep or miss; all others are met for certain or not at all. A service has to carry its peak,
whatever else is asked of it."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Draws of k candidates, shape (k, n draws). ``time`` is what the ranking counts as time.

    ``keeps`` holds a mask for each of :data:`LIMITS` that the profile sets, ``keeps_all`` one for all of them
    together, None without limits.
    """

    cost_usd: Draws
    time: Draws
    keeps: dict[str, Mask]
    keeps_all: Mask | None


def outcomes_of(judged: Judged, rows: Index, n_draws: int = N_DRAWS) -> Outcomes:
    """The outcomes of some judged candidates; errors of one cause are the same for all candidates that share it."""
    taken = _Taken(judged, rows, n_draws)
    limits, job = judged.profile.limits, judged.profile.job
    speed_errors = taken.errors(lambda one: one.speed)
    cost_usd = _cost_usd(taken, speed_errors)
    days = _days(taken, speed_errors) if job.ends or limits.deadline_days is not None else None
    keeps: dict[str, Mask] = {}
    if days is not None and limits.deadline_days is not None:
        keeps["deadline"] = np.less_equal(days, np.float32(limits.deadline_days))
    if limits.budget_usd is not None:
        keeps["budget"] = np.less_equal(cost_usd, np.float32(limits.budget_usd))
    if job.time_limits.is_set:
        keeps["latency"] = _is_quick(taken, speed_errors)
    if job.busiest_requests_per_s is not None:
        keeps["peak"] = _carries(taken, speed_errors, job.busiest_requests_per_s)
    time = days if days is not None and job.ends else _pace(taken, speed_errors)
    if job.round_limit_h is not None:
        keeps["window"] = np.less_equal(time, np.float32(job.round_limit_h))
    return Outcomes(cost_usd, time, keeps, reduce(np.logical_and, keeps.values()) if keeps else None)


@dataclass(frozen=True)
class _Taken:
    judged: Judged
    rows: Index
    n_draws: int

    def errors(self, causes_of: Callable[[Causes], tuple[Cause, ...]]) -> Errors:
        """Errors of one quantity."""
        return Errors([causes_of(one) for one in self.causes], self.n_draws)

    @cached_property
    def causes(self) -> list[Causes]:
        """What each candidate's errors are of."""
        chips, offers = self.judged.batch.accelerators, self.judged.batch.offers
        return [Causes.of(chips[row], offers[row]) for row in self.rows.tolist()]

    @cached_property
    def speeds(self) -> list[Throughput]:
        """The speed of each candidate's whole cluster."""
        return [self.judged.shortlisted.throughput(row) for row in self.rows.tolist()]

    @cached_property
    def latency_spans(self) -> tuple[Spans, Spans]:
        """Low, likely and high over the likely time to first token, and per output token, shape (k, 3)."""
        factors = [latency_factors(self.judged.profile.model, speed) for speed in self.speeds]
        first, each_next = zip(*factors, strict=True)
        return _around_one(first), _around_one(each_next)


def _cost_usd(taken: _Taken, speed_errors: Errors) -> Draws:
    """``rent(speed) x price x (1 + parts counted of the rent) + porting + the rest``."""
    swings = taken.judged.bills.swings.take(taken.rows)
    cost_usd = drawn(swings.rest, taken.errors(lambda one: one.rest))
    rent = swings.rent
    if rent[:, LIKELY].any():
        is_rented = (rent[:, LIKELY] > 0)[:, None]
        factors = (np.where(is_rented, rent, 1.0), speed_errors), (swings.price_factor, taken.errors(_price))
        cost_usd += product_drawn(rent[:, LIKELY] + swings.of_rent, *factors)
    if swings.porting[:, LIKELY].any():
        cost_usd += drawn(swings.porting, taken.errors(_porting))
    return cost_usd


def _price(causes: Causes) -> tuple[Cause, ...]:
    return causes.price


def _porting(causes: Causes) -> tuple[Cause, ...]:
    return causes.porting


def _days(taken: _Taken, speed_errors: Errors) -> Draws:
    """Days until the run is done, or until the service can start: waiting, porting and run."""
    listed, rows = taken.judged.shortlisted, taken.rows
    days = drawn(listed.waiting_days[rows], taken.errors(lambda one: one.waiting))
    if listed.porting_days[rows, LIKELY].any():
        days += drawn(listed.porting_days[rows], taken.errors(_porting))
    if taken.judged.profile.job.ends:
        days += drawn(listed.run_h[rows] / HOURS_PER_DAY, speed_errors)
    return days


def _pace(taken: _Taken, speed_errors: Errors) -> Draws:
    """Time per output token of a service in ms, hours of a batch; see :func:`core.comparison.rank.board.time_value`."""
    speeds, run_h = taken.speeds, taken.judged.shortlisted.run_h[taken.rows]
    if not taken.judged.profile.job.answers_users:
        return drawn(run_h, speed_errors)
    likely_ms = np.array([speed.latency.tpot_p50_ms if speed.latency else np.nan for speed in speeds])
    spans = np.where(np.isnan(likely_ms)[:, None], run_h, likely_ms[:, None] * taken.latency_spans[1])
    return drawn(spans, speed_errors)


def _around_one(factors: Iterable[tuple[float, float]]) -> Spans:
    return np.array([(low, 1.0, high) for low, high in factors])


def _is_quick(taken: _Taken, speed_errors: Errors) -> Mask:
    """Draws in which all latencies keep their limits at the percentile asked for."""
    limits, speeds = taken.judged.profile.job.time_limits, taken.speeds
    is_quick = np.ones((len(speeds), taken.n_draws), dtype=bool)
    way_ms = np.array([speed.system.route_ms for speed in speeds], dtype=np.float32)[:, None]
    whole_ms = way_ms
    if limits.counts_the_way:
        likely_ms = _likely_ms(speeds, lambda latency: latency.ttft_ms(limits.percentile))[:, None]
        first_ms = drawn(likely_ms * taken.latency_spans[0], taken.errors(lambda one: one.first_token))
        is_quick &= first_ms <= _limit(limits.first_ms) - way_ms
        whole_ms = first_ms + way_ms if limits.whole_ms is not None else way_ms
    if limits.next_ms is not None or limits.whole_ms is not None:
        likely_ms = _likely_ms(speeds, lambda latency: latency.tpot_ms(limits.percentile))[:, None]
        next_ms = drawn(likely_ms * taken.latency_spans[1], speed_errors)
        is_quick &= next_ms <= _limit(limits.next_ms)
        if limits.whole_ms is not None:
            is_quick &= whole_ms + np.float32(limits.answer_tokens - 1.0) * next_ms <= _limit(limits.whole_ms)
    return is_quick


def _carries(taken: _Taken, speed_errors: Errors, peak_per_s: float) -> Mask:
    """Draws in which the replicas are not full in the busiest hour: where they are, the queue grows without end."""
    speeds = taken.speeds
    fullness = np.array([peak_per_s / one.load.saturated_at_per_s if one.load else 0.0 for one in speeds])
    spans = _around_one(slowness(one) for one in speeds) * fullness[:, None]
    return np.less_equal(drawn(spans, speed_errors), np.float32(1.0))


def _limit(limit_ms: float | None) -> np.float32:
    return np.float32(np.inf if limit_ms is None else limit_ms)


def _likely_ms(speeds: list[Throughput], of: Callable[[Latency], float]) -> NDArray[np.float64]:
    return np.array([of(speed.latency) if speed.latency else 0.0 for speed in speeds])
