"""Over how long, at which use and at which cost of capital ways to pay are compared."""

from __future__ import annotations

from dataclasses import dataclass

from core.catalogue.tco import cost_input
from core.comparison.result import CandidateResult, ResultSet
from core.throughput.traffic import held_share
from core.units import HOURS_PER_MONTH
from core.workload.job import BatchInference, OnlineServing

HORIZON_MONTHS = 36
"""Usual horizon: three years, the life of most commitments and loans."""


@dataclass(frozen=True, slots=True)
class CashTerms:
    """``use``, 0..1, is the share of the hours in which the chips are needed; ``use_words`` say where it comes from.

    ``capital_rate`` is the cost of capital a year, a share of 1.
    """

    horizon_months: int
    use: float
    use_words: str
    capital_rate: float

    @property
    def hours_per_month(self) -> float:
        """Hours a month in which the chips are needed."""
        return self.use * HOURS_PER_MONTH


def cash_terms(results: ResultSet, result: CandidateResult) -> CashTerms:
    """The terms that the profile enters, else 36 months at the use of this plan and the usual cost of capital."""
    entered, rate = results.profile.outlook, _capital_rate(results)
    horizon = entered.horizon_months or HORIZON_MONTHS
    if entered.use_pct is not None:
        return CashTerms(horizon, entered.use_pct / 100.0, "as entered", rate)
    return CashTerms(horizon, plan_use(results, result), "as in this plan", rate)


def _capital_rate(results: ResultSet) -> float:
    entered = results.profile.owning.capital_pct_per_year
    if entered is not None:
        return entered / 100.0
    return (cost_input(results.basis.catalogue, "cost_of_capital").typical or 0.0) if results.basis else 0.0


def plan_use(results: ResultSet, result: CandidateResult) -> float:
    """Share of the hours of this plan in which the chips are needed, 0..1.

    Training: the run's share of waiting and run. Batches: hours of a month's batches over 730. Serving: all hours, or
    with autoscaling the chip hours that the load of a mean day takes.
    """
    job = results.profile.job
    if isinstance(job, BatchInference):
        return min(result.run_h.likely * job.batches_per_month / HOURS_PER_MONTH, 1.0)
    if isinstance(job, OnlineServing):
        load = result.throughput.load
        return held_share(job, load, autoscales=True) if job.autoscale and load else 1.0
    run, waiting = result.time_terms_days.get("run", 0.0), result.time_terms_days.get("waiting", 0.0)
    return run / (run + waiting) if run > 0 else 1.0
