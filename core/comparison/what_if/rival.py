"""The option beside which the pick is asked what if, where nobody names one."""

from __future__ import annotations

from core.comparison.result import CandidateResult, ResultSet
from core.comparison.what_if.inputs import is_allowed


def rival_of(results: ResultSet, a: CandidateResult) -> CandidateResult | None:
    """The best of the other kind of chip, else the runner-up, else the next best chip; none that the hard limits do not
    allow, which no price could bring back."""
    of_chips = [one for one in results.best_per_accelerator if one.id != a.id and _is_allowed(results, one)]
    kind = a.candidate.accelerator.kind
    other = next((one for one in of_chips if one.candidate.accelerator.kind != kind and one.throughput.fits), None)
    runner_up = results.runner_up
    return other or (runner_up if runner_up and runner_up.id != a.id else None) or next(iter(of_chips), None)


def _is_allowed(results: ResultSet, one: CandidateResult) -> bool:
    """Of results that were put together by hand nobody knows the limits' catalogue."""
    return results.basis is None or is_allowed(results.profile, results.basis.catalogue, one)
