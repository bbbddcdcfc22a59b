"""The pairs that were kept, as candidates: whole clusters, with their times side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.comparison.clock import Clock, Stops
from core.comparison.options import Option, slug
from core.comparison.pool import Pool
from core.comparison.result import Candidate
from core.throughput.load import with_latencies
from core.throughput.types import Throughput

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Kept:
    """One entry a candidate. Spans have shape (n, 3): low, likely, high; ``days`` is porting + waiting + run.

    ``option_of`` points into the screened options. Throughputs are those of the whole cluster, ``units`` equal parts;
    ``goodput`` is useful over paid run time, ``stops`` what keeps training runs from computing.
    """

    candidates: tuple[Candidate, ...]
    option_of: NDArray[np.intp]
    throughputs: tuple[Throughput, ...]
    run_h: Array
    waiting_days: Array
    porting_days: Array
    units: NDArray[np.intp]
    goodput: Array
    stops: Stops | None = None

    @property
    def days(self) -> Array:
        """Days until the run is finished, shape (n, 3)."""
        return self.porting_days + self.waiting_days + self.run_h / 24

    @property
    def n_chips(self) -> NDArray[np.intp]:
        """Chips of each candidate, shape (n,)."""
        return np.array([candidate.n_chips for candidate in self.candidates], dtype=np.intp)


def keep(
    pool: Pool,
    throughputs: Sequence[Throughput],
    clock: Clock,
    pairs: Sequence[int],
    requests_per_s: float | None = None,
) -> Kept:
    """Candidates of the pairs, in their order; ``requests_per_s`` is the load at which latencies are told."""
    rows = np.array(pairs, dtype=np.intp)
    whole = _whole(throughputs, clock, pool, rows, requests_per_s)
    found, speeds = [], []
    for pair in pairs:
        speed = whole[int(pool.system_of[pair]), int(clock.units[pair])]
        speeds.append(speed)
        found.append(candidate_of(pool.options[pool.option_of[pair]], speed.system.n_chips))
    fits = np.array([speed.fits for speed in speeds], dtype=bool)
    run_h = np.where(fits[:, None], clock.run_h[rows], 0.0)  # what does not fit never runs
    stops = clock.stops.take(rows) if clock.stops else None
    days = (clock.waiting_days[rows], clock.porting_days[rows])
    return Kept(
        tuple(found), pool.option_of[rows], tuple(speeds), run_h, *days, clock.units[rows], clock.goodput[rows], stops
    )


def candidate_of(option: Option, n_chips: int) -> Candidate:
    """The candidate of an option taken so many chips large; its id never changes between evaluations."""
    offer = option.offer
    parts = [offer.accelerator_id, f"{n_chips}x", slug(offer.provider), slug(offer.region), offer.purchase_model]
    name = "-".join([*parts, option.suffix] if option.suffix else parts)
    return Candidate(name, option.accelerator, offer, n_chips, -(-n_chips // option.chips_per_host))


def _whole(
    throughputs: Sequence[Throughput],
    clock: Clock,
    pool: Pool,
    rows: NDArray[np.intp],
    requests_per_s: float | None,
) -> dict[tuple[int, int], Throughput]:
    """Whole clusters by system and units, each once, with their latencies at the rate where it keeps the limits."""
    keys = list(dict.fromkeys(zip(pool.system_of[rows].tolist(), clock.units[rows].tolist(), strict=True)))
    clusters = [side_by_side(throughputs[number], units) for number, units in keys]
    if requests_per_s is not None:
        most = [cluster.load.max_requests_per_s if cluster.load else 0.0 for cluster in clusters]
        clusters = with_latencies(clusters, [min(requests_per_s, rate) for rate in most])
    return dict(zip(keys, clusters, strict=True))


def side_by_side(one: Throughput, units: int) -> Throughput:
    """Throughput of several equal clusters that share the load; latency and memory are those of one."""
    if units == 1:
        return one
    load = one.load
    carried = load and replace(
        load, replicas=load.replicas * units, max_requests_per_s=load.max_requests_per_s * units, units=units
    )
    return replace(
        one,
        system=replace(one.system, n_chips=one.system.n_chips * units),
        layout=replace(one.layout, replicas=one.layout.replicas * units),
        tokens_per_s=one.tokens_per_s.scaled(units),
        samples_per_s=one.samples_per_s * units,
        load=carried,
    )
