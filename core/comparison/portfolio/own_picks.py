"""A workload on its own pick, as the comparison found it: a pool of its own at the rent of its bill."""

from __future__ import annotations

import numpy as np

from core.comparison.portfolio.accounts import Need, Paid
from core.comparison.portfolio.calendar import Calendar
from core.comparison.portfolio.demand import Work
from core.comparison.portfolio.pools import Offer, need_of, pool_of
from core.comparison.portfolio.result import Rate, Site
from core.comparison.portfolio.schemes import Priced
from core.comparison.portfolio.uses import usd_per_chip_hour, use_of
from core.comparison.result import ResultSet
from core.cost.parts.commitment import TERM_H, committed_h
from core.ranges import Range


def on_own_pick(work: Work, results: ResultSet, calendar: Calendar) -> Priced:
    """The workload on its pick: whole terms where that is committed, all the time where it is owned, else what it
    holds."""
    taken, having, price = work.result.candidate, work.result.obtainable, usd_per_chip_hour(work)
    rate = Rate(taken.offer, Range(price, price, price), having.status, having.why, having.price)
    site = Site(taken.accelerator, taken.offer.provider, taken.offer.region, 1, {rate.way: rate})
    use = use_of(work, results, calendar)
    need = need_of((use,), calendar, 1, None, shares=False)
    offer = _offer(need, rate, work.is_run)
    base = need.peak_chips if offer.base is rate else 0
    return Priced(pool_of(work.profile.name, site, (use,), need, offer, base), need, offer.paid)


def _offer(need: Need, rate: Rate, is_run: bool) -> Offer:
    """Whole terms, or all the time for chips that are owned and do not come for a run alone, else what is held."""
    price, term_h = rate.usd_per_chip_hour.likely, TERM_H.get(rate.way, 0.0)
    if rate.way == "owned" and not is_run:
        return Offer(Paid(price, need.span_h, None), 0, rate, None)
    if not term_h:
        return Offer(Paid(price, need.span_h, price), 0, None, rate)
    paid_h = float(committed_h(np.array(need.span_h), np.array(term_h)))
    return Offer(Paid(price, paid_h, None), round(paid_h / term_h), rate, None)
