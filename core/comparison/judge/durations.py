"""When the work is done: run, waiting and porting, for every pair at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from core.catalogue.catalogue import Catalogue
from core.comparison.judge.calendar import time_inputs
from core.comparison.judge.goodput import Interruptions, best_interval_h, interruptions, stretch
from core.comparison.search.pool import Pool
from core.constants import HOURS_PER_DAY, HOURS_PER_MONTH, SECONDS_PER_HOUR
from core.ranges import Z_OF_80_PCT, Range
from core.rows import Rows
from core.throughput.chips.links import n_slices
from core.throughput.training.overheads import RunOverheads, done_again, run_overheads_of
from core.throughput.types import System, Throughput
from core.workload.jobs.kinds import BatchInference, OnlineServing, TrainingJob
from core.workload.profile import Profile

Array = NDArray[np.float64]
LOW, LIKELY, HIGH = 0, 1, 2
SCALED_ROOM = 0.02
"""Share of outcomes in which the room of an autoscaled service is not enough."""
Z_OF_SCALED_ROOM = NormalDist().inv_cdf(1.0 - SCALED_ROOM)
SPOT_SPREAD = np.array([0.5, 1.0, 2.0])
"""Low, likely and high over the published rate of interruptions (our estimate)."""


@dataclass(frozen=True)
class Stops(Rows):
    """What keeps training runs from computing, likely values, shape (n pairs,).

    ``stops_per_h``: failures and spot interruptions; ``save_s``: standing still for each saved state; ``restart_h``:
    from a stop to training again; ``start_h``: before the first step; ``best_interval_h``: between saved states, at
    least as long as one takes to be written, ``write_s``; ``done_again``: share of the work, see :func:`done_again`.
    """

    stops_per_h: Array
    save_s: Array
    restart_h: Array
    start_h: Array
    best_interval_h: Array
    write_s: Array
    done_again: Array


@dataclass(frozen=True)
class Clock:
    """Times of all pairs. Spans have shape (n pairs, 3): low, likely, high.

    ``run_h`` is the whole run when training, one batch, or the months in service; ``units`` says how many of the
    predicted cluster are needed side by side (1 when training); ``goodput`` is useful over paid run time;
    ``stops`` what lowers it (None for inference). ``undisturbed_h`` is the run without the provider's interruptions;
    None where nothing runs on spot. ``ends_with_work`` is False where chips are held for months, whatever they can do.
    """

    units: NDArray[np.intp]
    run_h: Array
    waiting_days: Array
    porting_days: Array
    goodput: Array
    stops: Stops | None = None
    undisturbed_h: Array | None = None
    ends_with_work: bool = True

    @property
    def days(self) -> Array:
        """Porting, waiting and run together, in days, shape (n pairs, 3)."""
        return self.porting_days + self.waiting_days + self.run_h / HOURS_PER_DAY


def read_clock(
    profile: Profile, catalogue: Catalogue, pool: Pool, throughputs: Sequence[Throughput], porting: dict[str, Range]
) -> Clock:
    """Times of every pair; ``porting`` maps accelerator ids to calendar days."""
    speed = np.array([(t.tokens_per_s.low, t.tokens_per_s.likely, t.tokens_per_s.high) for t in throughputs])
    speed = speed.reshape(-1, 3)[pool.system_of]
    units = _in_all(profile, pool, units_needed(profile, _counted_on(profile, pool, throughputs)))
    chips, chip_of = pool.kinds.chips
    ports = np.array([_triple(porting[chip]) for chip in chips]).reshape(-1, 3)[chip_of]
    days = _waiting_days(pool, units), ports[pool.option_of]
    job = profile.job
    match job:
        case TrainingJob():
            systems = _measured_systems(pool.systems, throughputs)
            return Clock(units, *_training_run(profile, job, catalogue, pool, systems, speed, days))
        case BatchInference():
            run_h = job.tokens_per_batch / (_reversed(speed) * units[:, None] * SECONDS_PER_HOUR)
        case OnlineServing():
            run_h = np.full((len(units), 3), job.months * HOURS_PER_MONTH)
        case _:
            assert_never(job)
    return Clock(units, run_h, *days, np.ones(len(units)), ends_with_work=not job.answers_users)


def _measured_systems(systems: Sequence[System], throughputs: Sequence[Throughput]) -> list[System]:
    """The systems with what the prediction of each knows of its logs."""
    known = (answer.system.measured for answer in throughputs)
    pairs = zip(systems, known, strict=True)
    return [one if measured is one.measured else replace(one, measured=measured) for one, measured in pairs]


def _waiting_days(pool: Pool, units: NDArray[np.intp]) -> Array:
    """Days until the chips of every pair are there, shape (n pairs, 3)."""
    n_chips = np.array([system.n_chips for system in pool.systems], dtype=np.int64)[pool.system_of] * units
    return pool.kinds.waiting_days(pool.option_of, n_chips)


def _counted_on(profile: Profile, pool: Pool, throughputs: Sequence[Throughput]) -> Array:
    """The speed of each pair by which clusters are counted, shape (n pairs,): the likely one, a slow one where there is
    room."""
    likely = carried_tokens_per_s(profile, throughputs)[pool.system_of]
    if pool.has_room is None:
        return likely
    return np.where(pool.has_room, slow_tokens_per_s(profile, throughputs)[pool.system_of], likely)


def slow_tokens_per_s(profile: Profile, throughputs: Sequence[Throughput]) -> Array:
    """What a plan with room counts on, shape (n systems,)."""
    return np.asarray(carried_tokens_per_s(profile, throughputs) * slow_shares(profile.job.service, throughputs))


def slow_shares(job: OnlineServing | None, throughputs: Sequence[Throughput]) -> Array:
    """The same over the likely speed, 0..1, shape (n systems,)."""
    speeds = [speed.tokens_per_s for speed in throughputs]
    low = np.array([one.low / one.likely if one.likely > 0 else 1.0 for one in speeds])
    return np.asarray(low ** room_depth(job))


def room_depth(job: OnlineServing | None) -> float:
    """How far down room reaches, 1 at the low end of a speed: further, where autoscaling gives back what an hour does
    not need and room costs little (:data:`SCALED_ROOM`)."""
    return Z_OF_SCALED_ROOM / Z_OF_80_PCT if job is not None and job.autoscale else 1.0


def carried_tokens_per_s(profile: Profile, throughputs: Sequence[Throughput]) -> Array:
    """Likely speed that a plan may count on, shape (n systems,): at most what replicas carry with room to spare."""
    job = profile.job.service
    likely = np.array([speed.tokens_per_s.likely for speed in throughputs])
    if job is None:
        return likely
    loads = [speed.load for speed in throughputs]
    most = np.array([load.max_requests_per_s if load else 0.0 for load in loads]) * job.output_tokens
    return np.where(most > 0, np.minimum(likely, most), likely)


def units_needed(profile: Profile, tokens_per_s: Array) -> NDArray[np.intp]:
    """How many clusters carry the peak (or finish a batch in its window), shape (n,); 1 when training or too slow."""
    needed = profile.job.needed_tokens_per_s
    if needed is None:
        return np.ones(len(tokens_per_s), dtype=np.intp)
    units = np.where(tokens_per_s > 0, needed / np.maximum(tokens_per_s, 1e-9), 1.0)
    return np.asarray(np.ceil(np.clip(units, 1.0, 1e6)), dtype=np.intp)


def _in_all(profile: Profile, pool: Pool, needed: NDArray[np.intp]) -> NDArray[np.intp]:
    """Clusters side by side, shape (n pairs,): those needed, or as many as the exact number of chips makes up."""
    exact = profile.limits.exact_chips
    if exact is None or profile.job.trains:
        return needed
    size = np.array([system.n_chips for system in pool.systems], dtype=np.int64)[pool.system_of]
    return np.maximum(needed, np.floor(exact / size + 0.5).astype(np.intp))


def _training_run(
    profile: Profile,
    job: TrainingJob,
    catalogue: Catalogue,
    pool: Pool,
    systems: Sequence[System],
    speed: Array,
    days: tuple[Array, Array],
) -> tuple[Array, Array, Array, Array, Stops, Array | None]:
    """Hours of the run, shape (n, 3), the days around it, goodput, shape (n,), what lowers it, undisturbed hours.

    ``run = starts + hours of work x stretch`` by failures, interruptions and saved states (see :func:`stretch`); the
    work is every step once and what is done again (see :func:`done_again`), over the share of time that logs of the
    chip did not lose to stalls.
    """
    overheads = run_overheads_of(profile.model, job, profile.stack, systems).take(pool.system_of)
    kept = np.array([system.measured.kept for system in systems], dtype=np.float64)[pool.system_of, None]
    once_h = job.n_tokens * job.n_runs / (_reversed(speed) * SECONDS_PER_HOUR)
    again = done_again(job)
    pure_h = once_h * (1.0 + again) / kept
    spot = _spot_rates(catalogue, pool, job.spot_stops_per_day)
    rates = overheads.failures_per_h + spot
    restart_h = np.array(_triple(time_inputs()["restart", "any"].value)) + overheads.resume_s / SECONDS_PER_HOUR
    start_h = job.n_runs * overheads.start_s / SECONDS_PER_HOUR

    stops = _stops(overheads, rates, restart_h, again)
    interval_h = stops.best_interval_h if job.checkpoint_interval_h is None else job.checkpoint_interval_h

    def hours(stops_per_h: Array) -> Array:
        save_h = overheads.save_s / SECONDS_PER_HOUR
        return start_h + pure_h * _stretches(interval_h, pure_h, stops_per_h, save_h, restart_h)

    run_h = hours(rates)
    undisturbed_h = hours(np.broadcast_to(overheads.failures_per_h, rates.shape)) if spot.any() else None
    goodput = once_h[:, LIKELY] / run_h[:, LIKELY]
    return run_h, *days, goodput, stops, undisturbed_h


def _stretches(interval_h: Array | float, pure_h: Array, rates: Array, save_h: Array, restart_h: Array) -> Array:
    """Wall time over undisturbed time, column by column, shape (n, 3); a state is saved at the same interval in all."""
    return np.column_stack([
        stretch(pure_h[:, n], rates[:, n], interval_h, save_h[:, n], restart_h[:, n])
        for n in (LOW, LIKELY, HIGH)
    ])  # fmt: skip


def _stops(overheads: RunOverheads, rates: Array, restart_h: Array, again: Array) -> Stops:
    save_s = overheads.save_s[:, LIKELY]
    return Stops(
        stops_per_h=rates[:, LIKELY],
        save_s=save_s,
        restart_h=restart_h[:, LIKELY],
        start_h=overheads.start_s[:, LIKELY] / SECONDS_PER_HOUR,
        best_interval_h=np.maximum(
            best_interval_h(save_s / SECONDS_PER_HOUR, rates[:, LIKELY]), overheads.write_s / SECONDS_PER_HOUR
        ),
        write_s=overheads.write_s,
        done_again=np.full(len(save_s), again[LIKELY]),
    )


def _spot_rates(catalogue: Catalogue, pool: Pool, typed_per_day: float | None) -> Array:
    """Interruptions per hour of every pair, low, likely and high, 0 off spot, shape (n, 3).

    Parts are lost one by one at the likely and the high rate, all together at the low one.
    """
    per_h, lost = _lost_on_spot(catalogue, pool, typed_per_day)
    parts = np.ones(pool.n_pairs)
    by_host, by_slice = (np.flatnonzero((lost == kind)[pool.option_of]) for kind in ("host", "slice"))
    chips = np.array([system.n_chips for system in pool.systems], dtype=float)[pool.system_of[by_host]]
    parts[by_host] = np.maximum(1.0, chips / pool.kinds.chips_per_host[pool.option_of[by_host]])
    parts[by_slice] = [n_slices(pool.systems[number]) for number in pool.system_of[by_slice].tolist()]
    spread = SPOT_SPREAD if typed_per_day is None else np.ones(3)
    together = np.column_stack((np.ones_like(parts), parts, parts))
    return np.asarray(per_h[pool.option_of, None] * together * spread)


def _lost_on_spot(catalogue: Catalogue, pool: Pool, typed_per_day: float | None) -> tuple[Array, NDArray[np.str_]]:
    """Interruptions per hour of a part of each option, 0 off spot, and what such a part is, shapes (n options,)."""
    per_h, lost = np.zeros(len(pool.options)), np.full(len(pool.options), "cluster")
    known: dict[tuple[str, str], Interruptions] = {}
    for number in pool.kinds.spot:
        offer = pool.options[number].offer
        key = (offer.provider, offer.accelerator_id)
        if key not in known:
            known[key] = interruptions(catalogue, offer, typed_per_day)
        per_h[number], lost[number] = known[key].per_h, known[key].lost
    return per_h, lost


def _triple(value: Range) -> tuple[float, float, float]:
    return value.low, value.likely, value.high


def _reversed(speed: Array) -> Array:
    """Speeds in the order that makes times rise: high, likely, low; never 0."""
    return np.maximum(speed[:, ::-1], 1e-9)
