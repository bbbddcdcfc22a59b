"""When the work is done: run, waiting and porting, for every pair at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Offer
from core.comparison.goodput import failures_per_host_hour, interruptions_per_hour, stretch
from core.comparison.pool import Pool
from core.comparison.time_inputs import time_inputs, waiting_days
from core.ranges import Range
from core.throughput.types import Throughput
from core.units import HOURS_PER_MONTH
from core.workload.job import BatchInference, OnlineServing
from core.workload.profile import Profile

Array = NDArray[np.float64]
CHIPS_PER_FAILURE_DOMAIN = 8
LOW, LIKELY, HIGH = 0, 1, 2


@dataclass(frozen=True)
class Clock:
    """Times of all pairs. Spans have shape (n pairs, 3): low, likely, high.

    ``run_h`` is the whole run when training, one batch, or the months in service; ``units`` says how many of the
    predicted cluster are needed side by side (1 when training); ``goodput`` is useful over paid run time.
    """

    units: NDArray[np.intp]
    run_h: Array
    waiting_days: Array
    porting_days: Array
    goodput: Array

    @property
    def days(self) -> Array:
        """Porting, waiting and run together, in days, shape (n pairs, 3)."""
        return self.porting_days + self.waiting_days + self.run_h / 24


def read_clock(
    profile: Profile, catalogue: Catalogue, pool: Pool, throughputs: Sequence[Throughput], porting: dict[str, Range]
) -> Clock:
    """Times of every pair; ``porting`` maps accelerator ids to calendar days."""
    speed = np.array([(t.tokens_per_s.low, t.tokens_per_s.likely, t.tokens_per_s.high) for t in throughputs])
    speed = speed.reshape(-1, 3)[pool.system_of]
    units = units_needed(profile, speed[:, LIKELY])
    waiting = np.array([_triple(waiting_days(option.offer.purchase_model).value) for option in pool.options])
    ports = np.array([_triple(porting[option.accelerator.id]) for option in pool.options])
    run_h, goodput = _run(profile, catalogue, pool, speed, units)
    return Clock(units, run_h, waiting.reshape(-1, 3)[pool.option_of], ports.reshape(-1, 3)[pool.option_of], goodput)


def units_needed(profile: Profile, tokens_per_s: Array) -> NDArray[np.intp]:
    """How many clusters carry the peak (or finish a batch in its window), shape (n,); 1 when training or too slow."""
    job = profile.job
    if isinstance(job, OnlineServing):
        needed = job.peak_requests_per_s * job.output_tokens
    elif isinstance(job, BatchInference):
        needed = job.requests_per_batch * job.output_tokens / (job.window_h * 3600)
    else:
        return np.ones(len(tokens_per_s), dtype=np.intp)
    units = np.where(tokens_per_s > 0, needed / np.maximum(tokens_per_s, 1e-9), 1.0)
    return np.asarray(np.ceil(np.clip(units, 1.0, 1e6)), dtype=np.intp)


def _run(
    profile: Profile, catalogue: Catalogue, pool: Pool, speed: Array, units: NDArray[np.intp]
) -> tuple[Array, Array]:
    """Hours of the run, shape (n, 3), and goodput, shape (n,)."""
    job = profile.job
    if isinstance(job, OnlineServing):
        return np.full((len(units), 3), job.months * HOURS_PER_MONTH), np.ones(len(units))
    if isinstance(job, BatchInference):
        hours = job.requests_per_batch * job.output_tokens / (_reversed(speed) * units[:, None] * 3600)
        return hours, np.ones(len(units))
    hours = job.n_tokens * job.n_runs / (_reversed(speed) * 3600)
    factor = _stretch(catalogue, pool, hours, job.checkpoint_interval_h)
    return hours * factor, 1 / factor[:, LIKELY]


def _stretch(catalogue: Catalogue, pool: Pool, hours: Array, interval_h: float) -> Array:
    """Factors by failures, interruptions and checkpoints, shape (n, 3)."""
    inputs = time_inputs()
    stall, restart = inputs["checkpoint_stall", "any"].value, inputs["restart", "any"].value
    chips = np.array([system.n_chips for system in pool.systems], dtype=float)[pool.system_of]
    domains = np.ceil(chips / CHIPS_PER_FAILURE_DOMAIN)
    spot = _spot_rates(catalogue, pool, chips)
    failure = failures_per_host_hour(catalogue)
    columns = (
        (failure.low, 0.5, stall.low, restart.low),
        (failure.likely, 1.0, stall.likely, restart.likely),
        (failure.high, 2.0, stall.high, restart.high),
    )
    return np.column_stack(
        [
            stretch(hours[:, n], domains * rate + spot * spot_factor, interval_h, stall_h, restart_h)
            for n, (rate, spot_factor, stall_h, restart_h) in enumerate(columns)
        ]
    )


def _spot_rates(catalogue: Catalogue, pool: Pool, chips: Array) -> Array:
    """Interruptions per hour of every pair, 0 off spot, shape (n,)."""
    rates = np.zeros(len(chips))
    known: dict[tuple[str, str], tuple[float, float]] = {}
    for row in np.flatnonzero(_is_spot(pool)[pool.option_of]):
        option = pool.options[pool.option_of[row]]
        key = (option.offer.provider, option.accelerator.id)
        if key not in known:
            known[key] = _per_host_and_fixed(catalogue, option.offer)
        per_host, fixed = known[key]
        rates[row] = per_host * max(1.0, chips[row] / option.chips_per_host) + fixed
    return rates


def _per_host_and_fixed(catalogue: Catalogue, offer: Offer) -> tuple[float, float]:
    one, two = interruptions_per_hour(catalogue, offer, 1), interruptions_per_hour(catalogue, offer, 2)
    return two - one, 2 * one - two


def _is_spot(pool: Pool) -> NDArray[np.bool_]:
    return np.array([option.offer.purchase_model == "spot" for option in pool.options], dtype=bool)


def _triple(value: Range) -> tuple[float, float, float]:
    return value.low, value.likely, value.high


def _reversed(speed: Array) -> Array:
    """Speeds in the order that makes times rise: high, likely, low; never 0."""
    return np.maximum(speed[:, ::-1], 1e-9)
