"""The pairs that were kept, as candidates: whole clusters, with their times side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.comparison.judge.durations import Clock, Stops
from core.comparison.result import Candidate
from core.comparison.search.option_set import Index, numbered, paired, seller_of
from core.comparison.search.options import Option
from core.comparison.search.pool import Pool
from core.constants import HOURS_PER_DAY
from core.lazy_sequence import LazySequence
from core.rows import rows_of_groups
from core.throughput.load.under_load import with_latencies
from core.throughput.types import Throughput

Array = NDArray[np.float64]
_APART = np.array([1.0, 1e4, 1e8])
"""Puts low, likely and high days into one number, different for different waits."""


@dataclass(frozen=True)
class Shortlisted:
    """One entry a candidate. Spans have shape (n, 3): low, likely, high; ``days`` is porting + waiting + run.

    ``option_of`` points into ``options``, ``cluster_of`` into ``clusters``, the throughputs of whole clusters, each
    once, of ``units`` equal parts; ``goodput`` is useful over paid run time, ``stops`` what keeps training runs from
    computing. ``n_offers`` is for how many options each candidate stands that misses a limit; None: for its own.
    """

    options: tuple[Option, ...]
    option_of: Index
    clusters: tuple[Throughput, ...]
    cluster_of: Index
    run_h: Array
    waiting_days: Array
    porting_days: Array
    units: Index
    goodput: Array
    stops: Stops | None = None
    undisturbed_h: Array | None = None
    n_offers: Index | None = None

    @property
    def n(self) -> int:
        """Candidates in all."""
        return len(self.option_of)

    @cached_property
    def candidates(self) -> Sequence[Candidate]:
        """The candidates, each put together when somebody looks."""
        options, option_of, n_chips = self.options, self.option_of, self.n_chips
        return LazySequence(self.n, lambda row: candidate_of(options[int(option_of[row])], int(n_chips[row])))

    @property
    def days(self) -> Array:
        """Days until the run is finished, shape (n, 3)."""
        return self.porting_days + self.waiting_days + self.run_h / HOURS_PER_DAY

    @cached_property
    def n_chips(self) -> Index:
        """Chips of each candidate, shape (n,)."""
        return self.per_cluster(lambda speed: speed.system.n_chips).astype(np.intp)

    @cached_property
    def fits(self) -> NDArray[np.bool_]:
        """True for clusters that run the work, shape (n,)."""
        return self.per_cluster(lambda speed: speed.fits) > 0

    @cached_property
    def seller_of(self) -> Index:
        """A number for each chip at a provider under a way to pay, shape (n,)."""
        return self._seller_of_options[self.option_of]

    @cached_property
    def _seller_of_options(self) -> Index:
        return numbered(seller_of(option) for option in self.options)[0]

    @cached_property
    def terms_of(self) -> Index:
        """A number for each seller's size of host and each wait, shape (n,): on the same terms, only price and place
        differ."""
        sizes = np.array([option.offer.chips_per_host for option in self.options], dtype=np.intp)
        terms = paired(self._seller_of_options, sizes)[self.option_of]
        waits = np.unique(self.waiting_days @ _APART, return_inverse=True)[1]
        return paired(terms, np.asarray(waits, dtype=np.intp))

    @cached_property
    def n_apart(self) -> Index:
        """Parts of each candidate that need no network between them, shape (n,): its clusters at least."""
        of_whole = np.array([speed.layout.n_apart for speed in self.clusters], dtype=np.intp)
        return np.maximum(self.units, of_whole[self.cluster_of])

    def option(self, row: int) -> Option:
        """The option of one candidate."""
        return self.options[int(self.option_of[row])]

    def throughput(self, row: int) -> Throughput:
        """The speed of one candidate's whole cluster."""
        return self.clusters[int(self.cluster_of[row])]

    def taken(self, rows: Index) -> tuple[Shortlisted, Index]:
        """Some of the candidates with the options of which they are, and the numbers of these options."""
        left, option_of = np.unique(self.option_of[rows], return_inverse=True)
        taken = Shortlisted(
            tuple(self.options[number] for number in left.tolist()),
            np.asarray(option_of, dtype=np.intp),
            self.clusters,
            self.cluster_of[rows],
            self.run_h[rows],
            self.waiting_days[rows],
            self.porting_days[rows],
            self.units[rows],
            self.goodput[rows],
            None if self.stops is None else self.stops.take(rows),
            None if self.undisturbed_h is None else self.undisturbed_h[rows],
            None if self.n_offers is None else self.n_offers[rows],
        )
        return taken, left

    def per_cluster(self, value: Callable[[Throughput], float]) -> Array:
        """A number of each candidate's cluster, asked once a cluster, shape (n,)."""
        return np.array([value(speed) for speed in self.clusters], dtype=np.float64)[self.cluster_of]


def shortlisted_of(
    pool: Pool,
    throughputs: Sequence[Throughput],
    clock: Clock,
    pairs: Sequence[int],
    requests_per_s: float | None = None,
) -> Shortlisted:
    """Candidates of the pairs, in their order; ``requests_per_s`` is the load at which latencies are told."""
    rows = np.array(pairs, dtype=np.intp)
    clusters, cluster_of = _whole(throughputs, clock, pool, rows, requests_per_s)
    fits = np.array([speed.fits for speed in clusters], dtype=bool)[cluster_of]
    runs = fits | (not clock.ends_with_work)  # what does not fit never runs; a service is paid for all the same
    run_h = np.where(runs[:, None], clock.run_h[rows], 0.0)
    stops = clock.stops.take(rows) if clock.stops else None
    days = (clock.waiting_days[rows], clock.porting_days[rows])
    units, goodput = clock.units[rows], clock.goodput[rows]
    undisturbed_h = None if clock.undisturbed_h is None else np.where(fits[:, None], clock.undisturbed_h[rows], 0.0)
    return Shortlisted(
        pool.options, pool.option_of[rows], clusters, cluster_of, run_h, *days, units, goodput, stops, undisturbed_h
    )


def for_all_of_groups(
    shortlisted: Shortlisted, is_out: NDArray[np.bool_], options: tuple[Option, ...], group_of: Index, stands_for: Index
) -> tuple[Shortlisted, Index]:
    """What was shortlisted for one option of each group, for all options: option by option, fewest chips first; and
    the numbers of the options that have a candidate left.

    ``group_of``, shape (n options,), points into the options of ``shortlisted``, whose rows lie together by option. Of
    a group whose rows ``is_out`` marks, shape (n,), only options that stand for some are left (see
    :func:`core.comparison.search.representatives.represented`).
    """
    n_of_group = np.bincount(shortlisted.option_of, minlength=len(shortlisted.options))
    option_of, rows = rows_of_groups(n_of_group, group_of)
    n_offers = np.where(is_out[rows], stands_for[option_of], 1)
    kept = np.flatnonzero(n_offers)
    left, option_of = np.unique(option_of[kept], return_inverse=True)
    rows = rows[kept]
    spans = (shortlisted.run_h[rows], shortlisted.waiting_days[rows], shortlisted.porting_days[rows])
    stops = shortlisted.stops.take(rows) if shortlisted.stops else None
    for_all = Shortlisted(
        tuple(options[number] for number in left.tolist()),
        option_of,
        shortlisted.clusters,
        shortlisted.cluster_of[rows],
        *spans,
        shortlisted.units[rows],
        shortlisted.goodput[rows],
        stops,
        None if shortlisted.undisturbed_h is None else shortlisted.undisturbed_h[rows],
        n_offers[kept],
    )
    return for_all, left


def candidate_of(option: Option, n_chips: int) -> Candidate:
    """The candidate of an option taken so many chips large; its id never changes between evaluations."""
    name = candidate_id(option.accelerator.id, n_chips, option.id_tail)
    n_hosts = -(-n_chips // option.chips_per_host)
    return Candidate(name, option.accelerator, option.offer, n_chips, n_hosts, option.price, option.regions)


def candidate_id(chip_id: str, n_chips: int, tail: str) -> str:
    """Id of a candidate; ``tail`` says who sells it (see :class:`core.comparison.search.options.Option`)."""
    return f"{chip_id}-{n_chips}x-{tail}"


def _whole(
    throughputs: Sequence[Throughput],
    clock: Clock,
    pool: Pool,
    rows: Index,
    requests_per_s: float | None,
) -> tuple[tuple[Throughput, ...], Index]:
    """Whole clusters by system and units, each once, with their latencies at the rate where it keeps the limits."""
    keys = list(zip(pool.system_of[rows].tolist(), clock.units[rows].tolist(), strict=True))
    cluster_of, firsts = numbered(keys)
    clusters = [side_by_side(throughputs[system], units) for system, units in (keys[row] for row in firsts)]
    if requests_per_s is not None:
        most = [cluster.load.max_requests_per_s if cluster.load else 0.0 for cluster in clusters]
        clusters = with_latencies(clusters, [min(requests_per_s, rate) for rate in most])
    return tuple(clusters), cluster_of


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
        layout=replace(
            one.layout,
            replicas=one.layout.replicas * units,
            prefill_replicas=one.layout.prefill_replicas * units,
        ),
        tokens_per_s=one.tokens_per_s.scaled(units),
        samples_per_s=one.samples_per_s * units,
        load=carried,
    )
