"""The option beside which the pick is asked what if, where nobody names one."""

from __future__ import annotations

from core.comparison.result import CandidateResult, ResultSet


def rival_of(results: ResultSet, a: CandidateResult) -> CandidateResult | None:
    """The best of the other kind of chip, else the runner-up, else the next best chip."""
    of_chips = [one for one in results.best_per_accelerator if one.id != a.id]
    kind = a.candidate.accelerator.kind
    other = next((one for one in of_chips if one.candidate.accelerator.kind != kind and one.throughput.fits), None)
    runner_up = results.by_id.get(results.recommendation.runner_up or "")
    return other or (runner_up if runner_up and runner_up.id != a.id else None) or next(iter(of_chips), None)
