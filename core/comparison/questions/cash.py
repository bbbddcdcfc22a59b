"""Cash over time of one candidate's cluster: the terms, a line for each way to pay for it, and what they come to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from core.catalogue.catalogue import Catalogue
from core.catalogue.cost_inputs import cost_input
from core.catalogue.entries import Accelerator, Server
from core.comparison.questions.purchase_models import PurchaseVariant, purchase_variants
from core.comparison.result import CandidateResult, ResultSet
from core.constants import HOURS_PER_DAY, HOURS_PER_MONTH, WORK_HOURS_PER_WEEK
from core.cost.bill.batch import LIKELY
from core.cost.bill.hours import PAY_PER_USE
from core.cost.cash.buying import BuyTerms, buy_flow
from core.cost.cash.cash import (
    Flow,
    break_even_month,
    break_even_use,
    cumulative_usd,
    present_usd,
    settled_usd,
)
from core.cost.owned.terms import (
    draw_kw,
    n_servers,
    own_terms,
    staff_usd_per_month,
)
from core.cost.parts.commitment import TERM_MONTHS
from core.cost.people import usual_h_per_month
from core.throughput.load.mean_day import held_share
from core.throughput.measured import AS_TAKEN
from core.workload.jobs.kinds import BatchInference, OnlineServing, TrainingJob
from core.workload.profile import Profile, PurchaseModel

LEAST_MONTHS = 3
"""Shortest horizon, also of the field: what is shorter is drawn within so many months."""

LONGEST_MONTHS = 1200
"""A century: a run that never ends within it is drawn so far."""

AS_PLANNED = "as in this plan"


@dataclass(frozen=True, slots=True)
class CashTerms:
    """``use``, 0..1, is the share of the hours in which the chips are needed; ``use_words`` say where it comes from.

    ``work_share``, 0..1, is the share of these hours in which they work: a service needs its chips all day for the load
    of an hour. ``capital_rate`` is the cost of capital a year, a share of 1.
    """

    horizon_months: int
    use: float
    use_words: str
    capital_rate: float
    work_share: float = 1.0

    @property
    def hours_per_month(self) -> float:
        """Hours a month in which the chips are needed."""
        return self.use * HOURS_PER_MONTH


def cash_terms(results: ResultSet, result: CandidateResult) -> CashTerms:
    """The terms that the profile enters, else the months for which the plan holds its chips, its hours in them and the
    usual cost of capital."""
    entered, rate = results.profile.outlook, _capital_rate(results)
    lasts = min(plan_months(results.profile, result), LONGEST_MONTHS)
    horizon = entered.horizon_months or max(LEAST_MONTHS, ceil(lasts - 1e-9))
    use = plan_use(results, result, horizon)
    works = work_share(results.profile, use)
    if entered.use_pct is not None:
        return CashTerms(horizon, entered.use_pct / 100.0, "as entered", rate, works)
    return CashTerms(horizon, use, AS_PLANNED, rate, works)


def work_share(profile: Profile, use: float) -> float:
    """Share, 0..1, of the hours in which the chips are needed that they work, as the bill's energy has it.

    The mean load of a service over its ``use``; all of them of a run.
    """
    job = profile.job
    return min(job.mean_load_share / use, 1.0) if job.answers_users and use > 0 else 1.0


def _capital_rate(results: ResultSet) -> float:
    entered = results.profile.owning.capital_pct_per_year
    if entered is not None:
        return entered / 100.0
    return (cost_input(results.basis.catalogue, "cost_of_capital").typical or 0.0) if results.basis else 0.0


def plan_use(results: ResultSet, result: CandidateResult, horizon_months: int) -> float:
    """Share of the hours of so many months in which the chips are needed, 0..1.

    Training: the hours of the run, once. Batches: hours of a month's batches over 730.
    Serving: all hours, or with autoscaling the chip hours that the load of a mean day takes.
    """
    job = results.profile.job
    match job:
        case TrainingJob():
            return min(result.run_h.likely / (horizon_months * HOURS_PER_MONTH), 1.0)
        case BatchInference():
            return min(result.run_h.likely * job.batches_per_month / HOURS_PER_MONTH, 1.0)
        case OnlineServing():
            load = result.throughput.load
            return held_share(job, load, autoscales=True) if job.autoscale and load else 1.0
        case _:
            assert_never(job)


def buy_terms(profile: Profile, catalogue: Catalogue, chip: Accelerator, server: Server, n_chips: int) -> BuyTerms:
    """Likely terms of whole servers that hold ``n_chips``, as entered or usual."""
    own = own_terms(profile, catalogue, chip, server)
    return BuyTerms(
        n_servers=n_servers(n_chips, server),
        server_usd=own.server_usd[LIKELY],
        install_share=own.install_share[LIKELY],
        life_months=own.life_months,
        resale_share=own.resale_share[LIKELY],
        maintenance_share_per_year=own.maintenance_share_per_year[LIKELY],
        power_kw=own.power_kw,
        colocation_usd_per_kw_month=own.colocation_usd_per_kw_month[LIKELY],
        pue=own.pue[LIKELY],
        usd_per_kwh=own.usd_per_kwh[LIKELY],
        staff_usd_per_month=extra_staff_usd(profile, catalogue, n_servers(n_chips, server)),
        draw_kw=draw_kw(chip, server),
    )


def extra_staff_usd(profile: Profile, catalogue: Catalogue, servers: int) -> float:
    """People beyond those who run rented chips: those of owned servers less those of the delivery, USD a month."""
    rented_h = usual_h_per_month(catalogue, profile.team.delivery, servers)[LIKELY]
    rented_usd = rented_h * profile.team.engineer_usd_per_week / WORK_HOURS_PER_WEEK
    return max(staff_usd_per_month(profile, catalogue, servers)[0][LIKELY] - rented_usd, 0.0)


Floats = NDArray[np.float64]
WAYS: tuple[PurchaseModel, ...] = ("on_demand", "commit_1y", "commit_3y", "dedicated_monthly", "owned")
"""Ways that are always drawn where the chip has such an offer; the candidate's own way joins them."""


@dataclass(frozen=True)
class CashLine:
    """One way to pay: its offer, its cash, and the same at the low and high price where the price is a range.

    ``terms`` say what buying takes, None when renting; ``in_house`` that the servers are there already.
    """

    model: PurchaseModel
    variant: PurchaseVariant
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
        return self.variant.offer.estimate or self.is_bought


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
    terms, variants = cash_terms(results, result), purchase_variants(results, result)
    own = result.candidate.offer.purchase_model
    shown = [model for model in (*WAYS, own) if model in variants]
    lines = [_line(results, result, terms, model, variants[model]) for model in dict.fromkeys(shown)]
    return CashPlan(
        terms, tuple(line for line in lines if line), result.candidate.n_chips, plan_months(results.profile, result)
    )


def plan_months(profile: Profile, result: CandidateResult) -> float:
    """Months for which the plan holds the chips, as its bill has them: in service, or set up and run. Nobody pays for
    chips while they are waited for."""
    job = profile.job
    if job.months_in_service is not None:
        return job.months_in_service
    run_h = HOURS_PER_DAY * result.time_terms_days.get("run", 0.0)
    return (run_h + job.set_up_h * job.n_rounds) / HOURS_PER_MONTH


def _line(
    results: ResultSet, result: CandidateResult, terms: CashTerms, model: PurchaseModel, variant: PurchaseVariant
) -> CashLine | None:
    if model == "owned":
        return _bought(results, result, terms, variant)
    usd_per_hour, price = result.candidate.n_chips * variant.usd_per_chip_hour, variant.option.price
    factors = (price.low, 1.0, price.high)
    low, likely, high = (rent_flow(factor * usd_per_hour, model, terms.use) for factor in factors)
    return CashLine(model, variant, likely, low, high)


def rent_flow(usd_per_hour: float, model: PurchaseModel, use: float) -> Flow:
    """Cash of renting a cluster at ``usd_per_hour``, use 0..1: given back when idle if paid by the hour, else not."""
    full = usd_per_hour * HOURS_PER_MONTH
    if model in PAY_PER_USE:
        return Flow(0.0, 0.0, full, use)
    return Flow(0.0, full, 0.0, use, term_months=TERM_MONTHS.get(model, 0))


def _bought(results: ResultSet, result: CandidateResult, terms: CashTerms, variant: PurchaseVariant) -> CashLine | None:
    server = _server(results, variant)
    if server is None or results.basis is None:
        return None
    chip, count, catalogue = result.candidate.accelerator, result.candidate.n_chips, results.basis.catalogue
    own = replace(buy_terms(results.profile, catalogue, chip, server, count), work_share=terms.work_share)
    if (measured := result.throughput.system.measured) != AS_TAKEN:
        own = replace(own, draw_kw=draw_kw(chip, server, measured))
    prices = own_terms(results.profile, catalogue, chip, server).server_usd
    low, likely, high = (buy_flow(own.at_price(price), terms.use) for price in prices)
    return CashLine("owned", variant, likely, low, high, own, server.in_house)


def _server(results: ResultSet, variant: PurchaseVariant) -> Server | None:
    return results.basis.catalogue.server_by_instance.get(variant.offer.instance) if results.basis else None
