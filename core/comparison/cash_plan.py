"""Cash over time of one candidate's cluster: a line for each way to pay for it, and what they come to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.catalogue.entries import Server
from core.catalogue.quality import quality_of
from core.comparison.buy_terms import buy_terms
from core.comparison.cash_terms import CashTerms, cash_terms
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.ways import Way, ways
from core.cost.buying import BuyTerms, buy_flow
from core.cost.cash import (
    Flow,
    break_even_month,
    break_even_use,
    cumulative_usd,
    present_usd,
    settled_usd,
)
from core.cost.commitment import TERM_H
from core.cost.idle import PAY_PER_USE
from core.units import HOURS_PER_MONTH
from core.workload.job import BatchInference, OnlineServing
from core.workload.profile import Profile, PurchaseModel

Floats = NDArray[np.float64]
WAYS: tuple[PurchaseModel, ...] = ("on_demand", "commit_1y", "commit_3y", "dedicated_monthly", "owned")
"""Ways that are always drawn where the chip has such an offer; the candidate's own way joins them."""


@dataclass(frozen=True)
class CashLine:
    """One way to pay: its offer, its cash, and the same at the low and high price where the price is a range.

    ``terms`` say what buying takes, None when renting; ``in_house`` that the servers are there already.
    """

    model: PurchaseModel
    way: Way
    flow: Flow
    low: Flow
    high: Flow
    terms: BuyTerms | None = None
    in_house: bool = False

    @property
    def is_bought(self) -> bool:
        """True for the line of buying."""
        return self.terms is not None

    @property
    def is_estimate(self) -> bool:
        """True when the price is an estimate, or much of the line is."""
        return self.way.offer.estimate or self.is_bought


@dataclass(frozen=True)
class CashPlan:
    """The lines over ``terms.horizon_months`` at ``terms.use``; ``plan_months`` is how long the plan itself lasts."""

    terms: CashTerms
    lines: tuple[CashLine, ...]
    n_chips: int
    plan_months: float

    def line(self, model: str) -> CashLine | None:
        """The line of a way to pay."""
        return next((line for line in self.lines if line.model == model), None)

    @property
    def buy(self) -> CashLine | None:
        """Buying, where a server of the chip has a price."""
        return next((line for line in self.lines if line.is_bought), None)

    @property
    def rent(self) -> CashLine | None:
        """What buying is held against: on demand, else the candidate's own way by use, else the first rented one."""
        rented = [line for line in self.lines if not line.is_bought]
        by_use = [line for line in rented if line.model in PAY_PER_USE]
        return self.line("on_demand") or next(iter([*by_use, *rented]), None)

    @property
    def months(self) -> Floats:
        """Months from the start to the horizon, shape (horizon + 1,)."""
        return np.arange(self.terms.horizon_months + 1, dtype=np.float64)

    def paid_usd(self, flow: Flow) -> Floats:
        """Cash paid by each month and, as one more value, settled at the horizon, shape (horizon + 2,)."""
        months = self.months
        return np.concatenate([cumulative_usd(flow, months), settled_usd(flow, months[-1:])])

    def present_usd(self, line: CashLine) -> tuple[float, float, float]:
        """Net present value of a line, settled at the horizon: low, likely, high, USD of today."""
        n, rate = self.terms.horizon_months, self.terms.capital_rate
        low, likely, high = (present_usd(flow, n, rate) for flow in (line.low, line.flow, line.high))
        return low, likely, high

    def break_even_month(self, sold: bool) -> float | None:
        """First month from which buying has cost no more than renting; None when never, or nothing to hold it against.

        ``sold``: as if sold that month at book value; else by cash alone.
        """
        if self.buy is None or self.rent is None:
            return None
        return break_even_month(self.buy.flow, self.rent.flow, self.terms.horizon_months, sold)

    @property
    def break_even_use(self) -> float | None:
        """Share of the hours from which buying costs no more than renting over the horizon, discounted; None: never."""
        if self.buy is None or self.rent is None:
            return None
        return break_even_use(self.buy.flow, self.rent.flow, self.terms.horizon_months, self.terms.capital_rate)


def cash_plan(results: ResultSet, result: CandidateResult) -> CashPlan | None:
    """The lines of a candidate; None where it does not run or nothing is known of other ways to pay."""
    if results.basis is None or not result.throughput.fits:
        return None
    terms, found = cash_terms(results, result), ways(results, result)
    own = result.candidate.offer.purchase_model
    shown = [model for model in (*WAYS, own) if model in found]
    lines = [_line(results, result, terms, model, found[model]) for model in dict.fromkeys(shown)]
    return CashPlan(
        terms, tuple(line for line in lines if line), result.candidate.n_chips, plan_months(results.profile, result)
    )


def plan_months(profile: Profile, result: CandidateResult) -> float:
    """Months for which the plan holds the chips: in service, or waiting and run together."""
    if isinstance(profile.job, BatchInference | OnlineServing):
        return profile.job.months
    days = result.time_terms_days.get("run", 0.0) + result.time_terms_days.get("waiting", 0.0)
    return 24.0 * days / HOURS_PER_MONTH


def _line(
    results: ResultSet, result: CandidateResult, terms: CashTerms, model: PurchaseModel, way: Way
) -> CashLine | None:
    if model == "owned":
        return _bought(results, result, terms, way)
    usd_per_hour, quality = result.candidate.n_chips * way.offer.usd_per_chip_hour, quality_of(way.offer)
    factors = (min(quality.low, 1.0), 1.0, max(quality.high, 1.0))
    low, likely, high = (rent_flow(factor * usd_per_hour, model, terms.use) for factor in factors)
    return CashLine(model, way, likely, low, high)


def rent_flow(usd_per_hour: float, model: PurchaseModel, use: float) -> Flow:
    """Cash of renting a cluster at ``usd_per_hour``, use 0..1: given back when idle if paid by the hour, else not."""
    full = usd_per_hour * HOURS_PER_MONTH
    if model in PAY_PER_USE:
        return Flow(0.0, 0.0, full, use)
    term = round(TERM_H.get(model, 0.0) / HOURS_PER_MONTH)
    return Flow(0.0, full, 0.0, use, term_months=term)


def _bought(results: ResultSet, result: CandidateResult, terms: CashTerms, way: Way) -> CashLine | None:
    server = _server(results, way)
    if server is None or results.basis is None:
        return None
    chip, count = result.candidate.accelerator, result.candidate.n_chips
    own = buy_terms(results.profile, results.basis.catalogue, chip, server, count)
    prices = (server.low_usd, server.typical_usd, server.high_usd)
    low, likely, high = (buy_flow(own.at_price(price), terms.use) for price in prices)
    return CashLine("owned", way, likely, low, high, own, server.in_house)


def _server(results: ResultSet, way: Way) -> Server | None:
    return results.basis.catalogue.server_by_instance.get(way.offer.instance) if results.basis else None
