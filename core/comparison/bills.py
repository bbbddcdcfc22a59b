"""Cost, energy, carbon and flexibility of the kept candidates, each asked of its own package once for all."""

from __future__ import annotations

import numpy as np

from core.catalogue.catalogue import Catalogue
from core.catalogue.places import region_of
from core.comparison.clock import units_needed
from core.comparison.kept import Kept
from core.cost.batch import Array, CostBatch
from core.ranges import Range
from core.throughput.traffic import held_share
from core.workload.job import OnlineServing
from core.workload.profile import Profile


def cost_batch(profile: Profile, catalogue: Catalogue, kept: Kept, porting_weeks: dict[str, Range]) -> CostBatch:
    """The candidates as the cost package takes them; ``porting_weeks`` maps accelerator ids to engineer-weeks."""
    weeks = [porting_weeks[option.accelerator.id] for option in kept.options]
    spans = np.array([(one.low, one.likely, one.high) for one in weeks], dtype=float).reshape(-1, 3)
    options, option_of = kept.options, kept.option_of.tolist()
    return CostBatch(
        profile=profile,
        catalogue=catalogue,
        offers=tuple(options[number].offer for number in option_of),
        accelerators=tuple(options[number].accelerator for number in option_of),
        n_chips=kept.n_chips.astype(float),
        run_h=kept.run_h,
        waiting_days=kept.waiting_days,
        porting_weeks=spans[kept.option_of],
        chips_factor=_chips_factor(profile, kept),
        held_share=_held_share(profile, kept),
        undisturbed_h=kept.undisturbed_h,
    )


def _held_share(profile: Profile, kept: Kept) -> Array | None:
    """Share of the chip hours that autoscaling holds over a mean day, shape (n, 1); None where nothing scales."""
    job = profile.job
    if not isinstance(job, OnlineServing) or not job.autoscale:
        return None
    share = kept.per_cluster(lambda speed: held_share(job, speed.load, autoscales=True) if speed.load else 1.0)
    return share.reshape(-1, 1)


def _chips_factor(profile: Profile, kept: Kept) -> Array | None:
    """Clusters that would carry the peak at the speed's bounds over those planned, shape (n, 3), when serving online.

    None for work that a slower chip finishes later instead. Whole clusters: room to spare in the plan stays free.
    """
    if not isinstance(profile.job, OnlineServing):
        return None
    speeds = [(t.tokens_per_s.high, t.tokens_per_s.likely, t.tokens_per_s.low) for t in kept.clusters]
    of_one = np.array(speeds).reshape(-1, 3)[kept.cluster_of] / kept.units[:, None]
    needed = np.column_stack([units_needed(profile, column) for column in of_one.T])
    return needed / needed[:, 1:2]


def grid_g_per_kwh(batch: CostBatch, row: int) -> float | None:
    """Carbon of the grid at one candidate's region, in g/kWh; None where it is unknown."""
    offer = batch.offers[row]
    region = region_of(batch.catalogue, offer.provider, offer.region)
    return region.carbon_g_per_kwh if region else None
