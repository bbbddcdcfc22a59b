"""Cost, energy, carbon and flexibility of the kept candidates, each asked of its own package once for all."""

from __future__ import annotations

import numpy as np

from core.catalogue.catalogue import Catalogue
from core.catalogue.places import region_of
from core.comparison.clock import units_needed
from core.comparison.kept import Kept
from core.cost.batch import Array, CostBatch
from core.cost.energy import energy_kwh
from core.ranges import Range
from core.throughput.traffic import held_share
from core.workload.job import OnlineServing
from core.workload.profile import Profile


def cost_batch(profile: Profile, catalogue: Catalogue, kept: Kept, porting_weeks: dict[str, Range]) -> CostBatch:
    """The candidates as the cost package takes them; ``porting_weeks`` maps accelerator ids to engineer-weeks."""
    chips = tuple(candidate.accelerator for candidate in kept.candidates)
    weeks = [(w.low, w.likely, w.high) for w in (porting_weeks[chip.id] for chip in chips)]
    return CostBatch(
        profile=profile,
        catalogue=catalogue,
        offers=tuple(candidate.offer for candidate in kept.candidates),
        accelerators=chips,
        n_chips=kept.n_chips.astype(float),
        run_h=kept.run_h,
        waiting_days=kept.waiting_days,
        porting_weeks=np.array(weeks, dtype=float).reshape(-1, 3),
        chips_factor=_chips_factor(profile, kept),
        held_share=_held_share(profile, kept),
    )


def _held_share(profile: Profile, kept: Kept) -> Array | None:
    """Share of the chip hours that autoscaling holds over a mean day, shape (n, 1); None where nothing scales."""
    job = profile.job
    if not isinstance(job, OnlineServing) or not job.autoscale:
        return None
    loads = [speed.load for speed in kept.throughputs]
    return np.array([[held_share(job, load, autoscales=True) if load else 1.0] for load in loads])


def _chips_factor(profile: Profile, kept: Kept) -> Array | None:
    """Clusters that would carry the peak at the speed's bounds over those planned, shape (n, 3), when serving online.

    None for work that a slower chip finishes later instead. Whole clusters: room to spare in the plan stays free.
    """
    if not isinstance(profile.job, OnlineServing):
        return None
    speeds = [(t.tokens_per_s.high, t.tokens_per_s.likely, t.tokens_per_s.low) for t in kept.throughputs]
    of_one = np.array(speeds).reshape(-1, 3) / kept.units[:, None]
    needed = np.column_stack([units_needed(profile, column) for column in of_one.T])
    return needed / needed[:, 1:2]


def power_use(batch: CostBatch) -> tuple[list[Range], list[float | None]]:
    """Energy in kWh with its range, and likely carbon in kg (None where the region's grid is unknown)."""
    energies = [Range(*span) for span in energy_kwh(batch).tolist()]
    carbons: list[float | None] = []
    for offer, energy in zip(batch.offers, energies, strict=True):
        region = region_of(batch.catalogue, offer.provider, offer.region)
        grams = region.carbon_g_per_kwh if region else None
        carbons.append(None if grams is None else energy.likely * grams / 1000)
    return energies, carbons
