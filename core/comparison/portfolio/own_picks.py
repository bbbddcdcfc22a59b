"""A workload on its own pick, as the comparison found it: a pool of its own at the rent of its bill."""

from __future__ import annotations

from datetime import date

from core.comparison.portfolio.accounts import Need, Paid, term_h
from core.comparison.portfolio.calendar import Calendar
from core.comparison.portfolio.demand import Work
from core.comparison.portfolio.pools import Offer, need_of, pool_of
from core.comparison.portfolio.result import Rate, Site
from core.comparison.portfolio.schemes import Priced
from core.comparison.portfolio.uses import n_terms, usd_per_chip_hour, use_of
from core.comparison.result import ResultSet
from core.cost.parts.commitment import TERM_H, TERM_MONTHS
from core.months import months_in_days, n_terms_of
from core.ranges import Range


def on_own_pick(work: Work, results: ResultSet, calendar: Calendar) -> Priced:
    """The workload on its pick: whole terms where that is committed, all the time where it is owned, else what it
    holds."""
    taken, having, price = work.result.candidate, work.result.obtainable, usd_per_chip_hour(work)
    rate = Rate(taken.offer, Range(price, price, price), having.status, having.why, having.price)
    site = Site(taken.accelerator, taken.offer.provider, taken.offer.region, 1, {rate.way: rate})
    use = use_of(work, results, calendar)
    need = need_of((use,), calendar, 1, None, shares=False)
    offer = _offer(work, need, rate, calendar.first_day)
    base = need.peak_chips if offer.base is rate else 0
    return Priced(pool_of(work.profile.name, site, (use,), need, offer, base), need, offer.paid)


def _offer(work: Work, need: Need, rate: Rate, first_day: date) -> Offer:
    """Whole terms, or all the time for chips that are owned and do not come for a run alone, else what is held."""
    price, months = rate.usd_per_chip_hour.likely, TERM_MONTHS.get(rate.way, 0)
    if rate.way == "owned" and not work.is_run:
        return Offer(Paid(price, need.span_h, None), 0, rate, None)
    if not months:
        return Offer(Paid(price, need.span_h, price), 0, None, rate)
    terms = n_terms_of(months_in_days(need.span_days), months)
    if work.member.every_months is None:
        terms = min(terms, n_terms(work))
    base_h = term_h(need, first_day, terms, months)
    return Offer(Paid(price * terms * TERM_H[rate.way] / base_h, base_h, None), terms, rate, None)
