"""Cash over time: what each way to pay has cost by each month, break-even, and what later money is worth today."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from core.constants import MONTHS_PER_YEAR
from core.cost.owned.terms import book_usd


def monthly_rate(yearly_rate: float) -> float:
    """Rate of a month that compounds to that of a year: ``(1 + k)^(1/12) - 1``."""
    return float((1.0 + yearly_rate) ** (1.0 / MONTHS_PER_YEAR) - 1.0)


def annuity(n_months: float, yearly_rate: float) -> float:
    """Worth today of 1 USD at the end of each of ``n_months`` months: ``(1 - (1 + i)^-n) / i``; n at a rate of 0."""
    rate = monthly_rate(yearly_rate)
    return n_months if rate == 0 else float((1.0 - (1.0 + rate) ** -n_months) / rate)


def npv_usd(upfront_usd: float, monthly_usd: float, n_months: float, last_usd: float, yearly_rate: float) -> float:
    """Net present value of what is paid, in USD: ``upfront + monthly x annuity + last / (1 + i)^n``.

    ``upfront_usd`` is paid today, ``monthly_usd`` at the end of each month, ``last_usd`` at the end of the last one
    (below 0 when money comes back). Costs count as positive, so the smaller value is the better one.
    """
    last = last_usd * float((1.0 + monthly_rate(yearly_rate)) ** -n_months)
    return upfront_usd + monthly_usd * annuity(n_months, yearly_rate) + last


Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asset:
    """Hardware that can be sold again: its price, months until only the resale share of it is left, and that share."""

    price_usd: float
    life_months: float
    resale_share: float

    def book_usd(self, months: Floats) -> Floats:
        """What it is worth after so many months, shape of ``months``."""
        price_usd, resale_share = np.array([self.price_usd]), np.array([self.resale_share])
        return book_usd(price_usd, months, self.life_months, resale_share)


@dataclass(frozen=True, slots=True)
class Flow:
    """Cash out of one way to pay for a cluster.

    ``upfront_usd`` is paid at the start, ``fixed_usd_per_month`` whether the chips work or not, ``used_usd_per_month``
    when they are needed all hours; ``use``, 0..1, is the share of the hours in which they are. ``term_months`` is the
    length of a commitment (0 without one), ``asset`` what is owned (None when renting).
    """

    upfront_usd: float
    fixed_usd_per_month: float
    used_usd_per_month: float
    use: float
    term_months: int = 0
    asset: Asset | None = None

    @property
    def monthly_usd(self) -> float:
        """``fixed + used x use``, USD a month."""
        return self.fixed_usd_per_month + self.used_usd_per_month * self.use

    def at_use(self, use: float) -> Flow:
        """The same at another use, 0..1."""
        return replace(self, use=use)


def cumulative_usd(flow: Flow, months: Floats) -> Floats:
    """Cash paid by the end of each month, ``upfront + monthly x m``; nothing sold, shape of ``months``."""
    return flow.upfront_usd + flow.monthly_usd * months


def settlement_usd(flow: Flow, months: Floats) -> Floats:
    """What ending after so many months still costs: months owed of a term, less what the hardware sells for.

    ``monthly x (ceil(m / term) x term - m) - book value``; below 0 where money comes back. Shape of ``months``.
    """
    owed = np.zeros_like(months)
    if flow.term_months:
        terms = np.maximum(np.ceil(months / flow.term_months - 1e-9), 1.0)
        owed = (terms * flow.term_months - months) * flow.monthly_usd
    return owed - (flow.asset.book_usd(months) if flow.asset else 0.0)


def settled_usd(flow: Flow, months: Floats) -> Floats:
    """Cost if everything ended after so many months: cash paid and the settlement, shape of ``months``."""
    return cumulative_usd(flow, months) + settlement_usd(flow, months)


def present_usd(flow: Flow, n_months: int, yearly_rate: float) -> float:
    """Net present value of the way over ``n_months``, settled at their end, in USD of today."""
    last = float(settlement_usd(flow, np.array([float(n_months)]))[0])
    return npv_usd(flow.upfront_usd, flow.monthly_usd, n_months, last, yearly_rate)


def break_even_month(buy: Flow, rent: Flow, n_months: int, sold: bool) -> float | None:
    """First month from which buying has cost no more than renting; None when that is never within ``n_months``.

    ``sold``: as if both ended that month, hardware sold at its book value and terms paid to their end; else by cash
    alone. Between months the gap is taken as a straight line. Discounting is left out, as cash is.
    """
    months = np.arange(n_months + 1, dtype=np.float64)
    paid = settled_usd if sold else cumulative_usd
    gap = paid(buy, months) - paid(rent, months)
    won = np.flatnonzero(gap <= 0)
    if not len(won):
        return None
    first = int(won[0])
    if first == 0:
        return 0.0
    return float(first - 1 + gap[first - 1] / (gap[first - 1] - gap[first]))


def break_even_use(buy: Flow, rent: Flow, n_months: int, yearly_rate: float) -> float | None:
    """Share of the hours, 0..1, from which buying costs no more than renting over ``n_months``; None when never.

    Net present values are straight lines in the use: ``u = (B0 - R0) / ((R1 - R0) - (B1 - B0))`` from those at no
    use and at full use.
    """
    idle_gap = present_usd(buy.at_use(0.0), n_months, yearly_rate) - present_usd(
        rent.at_use(0.0), n_months, yearly_rate
    )
    busy_gap = present_usd(buy.at_use(1.0), n_months, yearly_rate) - present_usd(
        rent.at_use(1.0), n_months, yearly_rate
    )
    if idle_gap <= 0:
        return 0.0
    return idle_gap / (idle_gap - busy_gap) if busy_gap <= 0 else None


def terms_needed(n_months: int, term_months: int) -> int:
    """Whole terms that cover so many months; 0 without a term."""
    return ceil(n_months / term_months) if term_months else 0
