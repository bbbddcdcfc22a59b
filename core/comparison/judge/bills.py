"""Cost, energy, carbon and flexibility of the candidates, each asked of its own package once for all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.catalogue.catalogue import Catalogue
from core.catalogue.places.distance import region_of
from core.comparison.judge.candidates import Shortlisted
from core.comparison.judge.durations import units_needed
from core.cost.bill.batch import LIKELY, Array, CostBatch
from core.cost.total import Bills
from core.flexibility.judgements import Scorable
from core.flexibility.score import Scored, score_all
from core.ranges import Range
from core.throughput.load.mean_day import shares_scaled
from core.throughput.measured import AS_TAKEN, Measured
from core.workload.profile import Profile


def flexibilities(batch: CostBatch, bills: Bills, terms_of: NDArray[np.intp]) -> Scored:
    """Score and exit bill of each candidate; bills are read for the cost of leaving.

    ``terms_of``, shape (n,), numbers the terms on which chips are sold: see :func:`core.flexibility.score.score_all`.
    """
    months, waste_usd = batch.months[:, LIKELY], bills.part("commitment_waste")
    running_usd = bills.likely_usd - bills.once_usd
    figures = np.column_stack((running_usd, waste_usd, months, batch.waiting_days))

    def candidate(row: int) -> Scorable:
        running_usd, waste_usd, months, *days = figures[row].tolist()
        return Scorable(batch.accelerators[row], batch.offers[row], running_usd, waste_usd, months, Range(*days))

    return score_all(batch.profile, batch.catalogue, candidate, running_usd, waste_usd, months, terms_of)


def cost_batch(
    profile: Profile, catalogue: Catalogue, shortlisted: Shortlisted, porting_weeks: dict[str, Range]
) -> CostBatch:
    """The candidates as the cost package takes them; ``porting_weeks`` maps accelerator ids to engineer-weeks."""
    weeks = [porting_weeks[option.accelerator.id] for option in shortlisted.options]
    spans = np.array([(one.low, one.likely, one.high) for one in weeks], dtype=float).reshape(-1, 3)
    options, option_of = shortlisted.options, shortlisted.option_of.tolist()
    return CostBatch(
        profile=profile,
        catalogue=catalogue,
        offers=tuple(options[number].offer for number in option_of),
        accelerators=tuple(options[number].accelerator for number in option_of),
        n_chips=shortlisted.n_chips.astype(float),
        run_h=shortlisted.run_h,
        waiting_days=shortlisted.waiting_days,
        porting_weeks=spans[shortlisted.option_of],
        chips_factor=_chips_factor(profile, shortlisted),
        held_share=_held_share(profile, shortlisted),
        undisturbed_h=shortlisted.undisturbed_h,
        measured=_measured(shortlisted),
    )


def _measured(shortlisted: Shortlisted) -> tuple[Measured, ...] | None:
    """What logs measured of each candidate's system; None where they did of none."""
    every = [speed.system.measured for speed in shortlisted.clusters]
    if all(one == AS_TAKEN for one in every):
        return None
    return tuple(every[number] for number in shortlisted.cluster_of.tolist())


def _held_share(profile: Profile, shortlisted: Shortlisted) -> Array | None:
    """Share of the chip hours that autoscaling holds over a mean day, shape (n, 1); None where nothing scales."""
    job = profile.job.service
    if job is None or not job.autoscale:
        return None
    shares = shares_scaled(job, [speed.load for speed in shortlisted.clusters])
    return shares[shortlisted.cluster_of].reshape(-1, 1)


def _chips_factor(profile: Profile, shortlisted: Shortlisted) -> Array | None:
    """Clusters that would carry the peak at the speed's bounds over those planned, shape (n, 3), when serving online.

    None for work that a slower chip finishes later instead. Whole clusters: room to spare in the plan stays free, and
    clusters planned for slow chips are paid already, but where autoscaling holds them only then.
    """
    if not profile.job.answers_users:
        return None
    speeds = [(t.tokens_per_s.high, t.tokens_per_s.likely, t.tokens_per_s.low) for t in shortlisted.clusters]
    of_one = np.array(speeds).reshape(-1, 3)[shortlisted.cluster_of] / shortlisted.units[:, None]
    needed = np.column_stack([units_needed(profile, column) for column in of_one.T])
    job = profile.job.service
    planned = needed[:, 1] if job and job.autoscale else np.maximum(shortlisted.units, needed[:, 1])
    slower = np.maximum(needed[:, 2], planned) / planned
    return np.column_stack((needed[:, 0] / needed[:, 1], np.ones(len(planned)), slower))


def grid_g_per_kwh(batch: CostBatch, row: int) -> float | None:
    """Carbon of the grid at one candidate's region, in g/kWh; None where it is unknown."""
    offer = batch.offers[row]
    region = region_of(batch.catalogue, offer.provider, offer.region)
    return region.carbon_g_per_kwh if region else None
