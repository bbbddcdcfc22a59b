"""Puts throughput, time, cost and flexibility of the kept candidates together into results."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.catalogue.catalogue import Catalogue
from core.comparison.bills import cost_batch, power_use
from core.comparison.freedom import flexibilities
from core.comparison.kept import Kept
from core.comparison.limits import missed_limits
from core.comparison.result import CandidateResult, RunLosses
from core.comparison.screen import Screened
from core.cost.total import bill
from core.ranges import Range
from core.workload.job import BatchInference, OnlineServing
from core.workload.profile import Profile


def assemble(
    profile: Profile, catalogue: Catalogue, screened: Screened, kept: Kept, efforts: dict[str, Range]
) -> list[CandidateResult]:
    """One result a candidate, in their order, not ranked yet; ``efforts`` are engineer-weeks of porting by chip."""
    serving = isinstance(profile.job, BatchInference | OnlineServing)
    batch = cost_batch(profile, catalogue, kept, efforts)
    costs = bill(batch)
    freedoms = flexibilities(batch, costs)
    energies, carbons = power_use(batch)
    ready = _ranges(kept.porting_days + kept.waiting_days if serving else kept.days)
    runs = _ranges(kept.run_h)
    found = []
    for row, candidate in enumerate(kept.candidates):
        option = screened.options[kept.option_of[row]]
        run_days = None if serving else runs[row].likely / 24
        missed = missed_limits(
            profile,
            kept.throughputs[row],
            costs[row],
            ready[row],
            run_days,
            candidate.n_chips,
            option.chips_per_host,
            candidate.offer.usd_per_chip_hour,
        )
        reasons = (*screened.reasons[kept.option_of[row]], *missed)
        found.append(
            CandidateResult(
                candidate=candidate,
                feasible=not reasons,
                reasons=reasons,
                throughput=kept.throughputs[row],
                run_h=runs[row],
                days_to_finish=None if serving or not kept.throughputs[row].fits else ready[row],
                time_terms_days=_terms(kept, row),
                cost=costs[row],
                flexibility=freedoms[row],
                energy_kwh=energies[row],
                carbon_kg=carbons[row],
                utility=0.0,
                pareto=False,
                rank=0,
                losses=_losses(kept, row),
            )
        )
    return found


def _losses(kept: Kept, row: int) -> RunLosses | None:
    """What the run loses; None for inference and for what never runs."""
    stops = kept.stops
    if stops is None or not kept.throughputs[row].fits:
        return None
    return RunLosses(
        goodput=float(kept.goodput[row]),
        stops_per_day=24 * float(stops.stops_per_h[row]),
        save_s=float(stops.save_s[row]),
        restart_h=float(stops.restart_h[row]),
        start_h=float(stops.start_h[row]),
        best_interval_h=float(stops.best_interval_h[row]),
    )


def _terms(kept: Kept, row: int) -> dict[str, float]:
    """Likely days of porting, waiting and run."""
    return {
        "porting": float(kept.porting_days[row, 1]),
        "waiting": float(kept.waiting_days[row, 1]),
        "run": float(kept.run_h[row, 1] / 24),
    }


def _ranges(spans: NDArray[np.float64]) -> list[Range]:
    return [Range(*span) for span in spans.tolist()]
