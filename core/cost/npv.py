"""Money over time: cash of later months counts for less, by what capital costs."""

from __future__ import annotations


def monthly_rate(yearly_rate: float) -> float:
    """Rate of a month that compounds to that of a year: ``(1 + k)^(1/12) - 1``."""
    return float((1.0 + yearly_rate) ** (1.0 / 12.0) - 1.0)


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
