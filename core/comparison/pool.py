"""Pairs of an option and a cluster to predict; clusters that several offers share are predicted once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Offer
from core.catalogue.places import way_of
from core.comparison.counts import rentable_counts, slice_for, training_counts, unit_counts
from core.comparison.options import Option, kind_of
from core.comparison.shelf import Shelf, numbered, paired
from core.throughput.feed import sample_of, sample_of_network
from core.throughput.types import System
from core.workload.job import BatchInference, OnlineServing
from core.workload.network_model import NetworkModel
from core.workload.profile import Profile

Index = NDArray[np.intp]
WAY_STEPS = 30
LEAST_STEP_MS = 10.0
WEIGHT_BYTES = {
    "fp32": 4.0, "tf32": 4.0, "bf16": 2.0, "fp16": 2.0, "fp8": 1.0, "int8": 1.0, "int4": 0.5, "fp4": 0.5,
    "mxfp4": 0.5,
}  # fmt: skip


@dataclass(frozen=True)
class Pool:
    """``option_of`` and ``system_of``, shape (n pairs,), point into the tuples; pairs of one option lie together."""

    options: tuple[Option, ...]
    systems: tuple[System, ...]
    option_of: Index
    system_of: Index

    @property
    def n_pairs(self) -> int:
        """Pairs to look at."""
        return len(self.option_of)


@dataclass(frozen=True)
class Lots:
    """Options that only price and region tell apart, so that speed and time are the same for all of a lot.

    ``firsts``: an option of each lot, in order of their coming; ``lot_of``, shape (n options,), points into them.
    """

    firsts: tuple[Option, ...]
    lot_of: Index


def lots_of(profile: Profile, catalogue: Catalogue, shelf: Shelf, taken: Index) -> Lots:
    """Lots of some options of the shelf, ``taken`` by number; the way to users is a matter of the region."""
    ways, _ = numbered(_way_ms(profile, catalogue, offer) for offer in shelf.places)
    lot_of, firsts = numbered(paired(shelf.lot_of[taken], ways[shelf.place_of[taken]]).tolist())
    return Lots(tuple(shelf.options[number] for number in taken[firsts].tolist()), lot_of)


def build_pool(
    profile: Profile, catalogue: Catalogue, options: Sequence[Option], days_left: Callable[[Option], float | None]
) -> Pool:
    """All pairs worth predicting; ``days_left`` says how long a run may take on an option, None for any time."""
    numbers: dict[tuple[object, ...], int] = {}
    systems: list[System] = []
    counts_of: dict[tuple[object, ...], tuple[int, ...]] = {}
    option_of, system_of = [], []
    feeds = _takes_processors(profile)
    for number, option in enumerate(options):
        way_ms = _way_ms(profile, catalogue, option.offer)
        kind = (*kind_of(option, feeds), way_ms)
        key = (*kind, option.offer.purchase_model)
        if key not in counts_of:
            counts_of[key] = _counts(profile, catalogue, option, days_left(option))
        for count in counts_of[key]:
            if (*kind, count) not in numbers:
                numbers[(*kind, count)] = len(systems)
                systems.append(_system(catalogue, option, count, way_ms))
            option_of.append(number)
            system_of.append(numbers[(*kind, count)])
    return Pool(tuple(options), tuple(systems), np.array(option_of, dtype=np.intp), np.array(system_of, dtype=np.intp))


def _takes_processors(profile: Profile) -> bool:
    """True where processors of the hosts prepare the samples of a training run, so that their number counts."""
    job, model = profile.job, profile.model
    if isinstance(job, BatchInference | OnlineServing):
        return False
    if isinstance(model, NetworkModel):
        return sample_of_network(job, model.family).processor_s > 0
    return sample_of(job, model.vocab_size).processor_s > 0


def _way_ms(profile: Profile, catalogue: Catalogue, offer: Offer) -> float:
    """Round trip to the users as the time limits count it, 0 where it is not known or nothing depends on it.

    Rounded up in steps of a thirtieth of the limit, so that far fewer clusters differ in it alone.
    """
    way, job = way_of(profile, catalogue, offer), profile.job
    if way is None or not isinstance(job, OnlineServing) or (job.ttft_limit_ms is None and not profile.is_in_samples):
        return 0.0
    step_ms = max((job.ttft_limit_ms or 0.0) / WAY_STEPS, 1.0 if job.ttft_limit_ms else LEAST_STEP_MS)
    return step_ms * ceil(way.ms(job.latency_percentile).likely / step_ms)


def _counts(profile: Profile, catalogue: Catalogue, option: Option, days: float | None) -> tuple[int, ...]:
    """One host at least, even where that is over the limit: the option is then turned down with the limit named."""
    counts = rentable_counts(option, catalogue, profile.limits.max_chips) or (option.chips_per_host,)
    job = profile.job
    if isinstance(job, BatchInference | OnlineServing):
        return unit_counts(counts, profile, WEIGHT_BYTES[job.weight_precision], option)
    return training_counts(counts, profile, job, option, days)


def _system(catalogue: Catalogue, option: Option, n_chips: int, way_ms: float) -> System:
    return System(
        accelerator=option.accelerator,
        n_chips=n_chips,
        chips_per_host=min(option.chips_per_host, n_chips),
        network_gbit_per_s=option.network_gbit_per_s,
        network_estimate=option.network_estimate,
        slice=slice_for(option, catalogue, n_chips) if option.accelerator.torus_dims else None,
        host=option.host,
        way_ms=way_ms,
    )
