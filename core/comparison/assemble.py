"""Puts throughput, time, cost and flexibility of the kept candidates together into results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.catalogue.catalogue import Catalogue
from core.catalogue.places import way_of
from core.comparison.bills import cost_batch, power_use
from core.comparison.freedom import flexibilities
from core.comparison.kept import Kept
from core.comparison.limits import missed_limits
from core.comparison.result import CandidateResult, RunLosses
from core.comparison.screen import Screened
from core.cost.total import bills
from core.cost.types import Cost
from core.flexibility.types import Flexibility
from core.ranges import Range
from core.throughput.types import Reason
from core.workload.job import BatchInference, OnlineServing
from core.workload.profile import Profile


@dataclass(frozen=True)
class _Answers:
    """What each candidate comes to, lists in the order of the candidates."""

    ready: list[Range]
    runs: list[Range]
    costs: Sequence[Cost]
    freedoms: Sequence[Flexibility]
    energies: list[Range]
    carbons: list[float | None]


def assemble(
    profile: Profile, catalogue: Catalogue, screened: Screened, kept: Kept, efforts: dict[str, Range]
) -> list[CandidateResult]:
    """One result a candidate, in their order, not ranked yet; ``efforts`` are engineer-weeks of porting by chip."""
    batch = cost_batch(profile, catalogue, kept, efforts)
    found = bills(batch)
    ready = _ranges(kept.porting_days + kept.waiting_days if _is_serving(profile) else kept.days)
    answers = _Answers(ready, _ranges(kept.run_h), found.costs, flexibilities(batch, found).found, *power_use(batch))
    return [_result(profile, catalogue, screened, kept, answers, row) for row in range(len(kept.candidates))]


def _is_serving(profile: Profile) -> bool:
    return isinstance(profile.job, BatchInference | OnlineServing)


def _result(
    profile: Profile, catalogue: Catalogue, screened: Screened, kept: Kept, answers: _Answers, row: int
) -> CandidateResult:
    reasons = (*screened.reasons[kept.option_of[row]], *_missed(profile, screened, kept, answers, row))
    never = _is_serving(profile) or not kept.throughputs[row].fits
    return CandidateResult(
        candidate=kept.candidates[row],
        feasible=not reasons,
        reasons=reasons,
        throughput=kept.throughputs[row],
        run_h=answers.runs[row],
        days_to_finish=None if never else answers.ready[row],
        time_terms_days=_terms(kept, row),
        cost=answers.costs[row],
        flexibility=answers.freedoms[row],
        energy_kwh=answers.energies[row],
        carbon_kg=answers.carbons[row],
        utility=0.0,
        pareto=False,
        rank=0,
        losses=_losses(kept, row),
        way=way_of(profile, catalogue, kept.candidates[row].offer),
    )


def _missed(profile: Profile, screened: Screened, kept: Kept, answers: _Answers, row: int) -> tuple[Reason, ...]:
    candidate = kept.candidates[row]
    return missed_limits(
        profile,
        kept.throughputs[row],
        answers.costs[row],
        answers.ready[row],
        None if _is_serving(profile) else answers.runs[row].likely / 24,
        candidate.n_chips,
        screened.options[kept.option_of[row]].chips_per_host,
        candidate.offer.usd_per_chip_hour,
    )


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
