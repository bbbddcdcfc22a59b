"""Pools of a site: chips that their workloads need, and the way to pay for them that costs least."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from core.comparison.portfolio.accounts import Need, Paid, account, machines, rents, term_h, terms_for
from core.comparison.portfolio.calendar import Calendar
from core.comparison.portfolio.packing import Packing
from core.comparison.portfolio.result import Chips, Pool, Rate, Site, Use
from core.comparison.portfolio.sites import TERMS
from core.cost.parts.commitment import TERM_H, TERM_MONTHS
from core.months import months_in_days
from core.workload.portfolio import Portfolio

_SAME = 1e-9
"""Rents whose difference is below this share are one: they are sums of many products."""


@dataclass(frozen=True)
class Offer:
    """A way to pay for a pool: ``base`` for ``paid.base_h`` hours, which are ``n_terms`` terms or, at 0, the hours from
    first to last day; ``burst`` above it, None where nothing is bought there."""

    paid: Paid
    n_terms: int
    base: Rate | None
    burst: Rate | None


def need_of(
    uses: Sequence[Use],
    calendar: Calendar,
    chips_per_host: int,
    packed: Chips | None,
    shares: bool,
    lends: bool = True,
) -> Need:
    """Chips of all uses together: as each has them for itself, or as they share a pool.

    Where they share, services keep what their busiest hour takes, with room, and what they leave is lent to the others:
    ``max(sum kept, sum at work)``; see :func:`shared_chips`.
    """
    own = [use for use in uses if not use.is_packed]
    small = np.zeros((calendar.n_days, len(calendar.widths_h)), dtype=np.int32) if packed is None else packed
    at_work = small + sum(use.at_work for use in own)
    held, most = (_held(ones, shares, lends) for ones in (own, [at_most(use) for use in own]))
    peak = int(np.max(small + most, initial=0))
    widths_h = np.asarray(calendar.widths_h * billed_share(uses))
    return Need(np.asarray(small + held), widths_h, chips_per_host, np.asarray(at_work), peak)


def billed_share(uses: Sequence[Use]) -> float:
    """Hours that the bills of some uses count over those of the clock, each by the chips that it has at work."""
    weights = [float(use.at_work.sum()) for use in uses]
    if not sum(weights):
        return 1.0
    return sum(weight * use.billed_share for weight, use in zip(weights, uses, strict=True)) / sum(weights)


def _held(uses: Sequence[Use], shares: bool, lends: bool) -> Chips | int:
    return shared_chips(uses, lends) if shares else sum(use.alone for use in uses)


def at_most(use: Use) -> Use:
    """The use with what it takes at most at all times."""
    return replace(
        use,
        alone=np.maximum(use.alone, use.most_alone),
        kept=np.maximum(use.kept, use.most_pooled),
        at_work=np.maximum(use.at_work, use.most_pooled),
    )


def shared_chips(uses: Sequence[Use], lends: bool) -> Chips | int:
    """Chips of a pool slot by slot; without lending, runs and batches come on top of what services keep."""
    kept = sum(use.kept for use in uses)
    others = sum(use.at_work for use in uses if use.profile.job.service is None)
    return np.maximum(kept, sum(use.at_work for use in uses)) if lends else kept + others


def with_packed(uses: Sequence[Use], packing: Packing | None) -> tuple[Use, ...]:
    """The uses with those marked that lie on chips of small models."""
    names = packing.workloads if packing else ()
    return tuple(replace(use, is_packed=use.profile.id in names) for use in uses)


def packed_chips(uses: Sequence[Use], packing: Packing | None) -> Chips | None:
    """Chips of small models that are held slot by slot: a chip is held on every day on which a model of its runs."""
    if packing is None:
        return None
    days = {use.profile.id: use.kept.any(axis=1) for use in uses}
    held = [np.logical_or.reduce([days[one.workload] for one in chip.items]) for chip in packing.chips]
    by_day = np.array(held).sum(axis=0, dtype=np.int32).reshape(-1, 1)
    return np.asarray(np.repeat(by_day, uses[0].kept.shape[1], axis=1))


def ways_to_pay(site: Site, need: Need, settings: Portfolio, first_day: date) -> Iterator[Offer]:
    """Every way to pay for a base and for what is above it that the site has and the settings admit, for a need whose
    days are counted from ``first_day`` on."""
    burst = site.rates.get(settings.burst) or site.rates.get("on_demand")
    burst_usd = burst.usd_per_chip_hour.likely if burst else None
    for term in TERMS:
        rate = site.rates.get(term)
        if rate is None or settings.term not in ("best", term):
            continue
        for n_terms in terms_for(months_in_days(need.span_days), TERM_MONTHS[term]):
            yield Offer(_terms(rate, need, n_terms, first_day, burst_usd), n_terms, rate, burst)
    held = site.rates.get("on_demand")
    if held is not None:
        yield Offer(Paid(held.usd_per_chip_hour.likely, need.span_h, burst_usd), 0, held, burst)


def _terms(rate: Rate, need: Need, n_terms: int, first_day: date, burst_usd: float | None) -> Paid:
    """So many terms at what they cost by the hours of a bill, told in those of the need."""
    base_h = term_h(need, first_day, n_terms, TERM_MONTHS[rate.way])
    return Paid(rate.usd_per_chip_hour.likely * n_terms * TERM_H[rate.way] / base_h, base_h, burst_usd)


def cheapest_base(need: Need, offers: Sequence[Offer], base_chips: int | None) -> tuple[Offer, int]:
    """The way to pay and the base, in whole machines, whose rent is least; the fewest chips of equal ones.

    ``base_chips`` sets the base. Where nothing is to be had above it, it is the peak at least.
    """
    best: tuple[float, int, Offer] | None = None
    for offer in offers:
        usd = rents(need, offer.paid)
        least = int(np.flatnonzero(usd <= usd.min() * (1.0 + _SAME))[0])
        at = least if base_chips is None else machines_of(base_chips, need.chips_per_host)
        known = float(usd[at]) if at < len(usd) else account(need, at * need.chips_per_host, offer.paid).rent_usd
        if best is None or known < best[0] - 1e-6:
            best = known, at, offer
    assert best is not None
    return best[2], best[1] * need.chips_per_host


def machines_of(chips: int, chips_per_host: int) -> int:
    """Whole machines that hold so many chips."""
    return int(machines(np.array(chips), chips_per_host)) // chips_per_host


def pool_of(
    name: str, site: Site, uses: Sequence[Use], need: Need, offer: Offer, base_chips: int, packed: Chips | None = None
) -> Pool:
    """A pool with its account."""
    own = account(need, base_chips, offer.paid, offer.n_terms if base_chips else 0)
    is_above = own.burst_paid_h > 0 or (offer.paid.burst_usd is not None and need.peak_chips > base_chips)
    base, burst = offer.base if base_chips else None, offer.burst if is_above else None
    return Pool(name, site, tuple(uses), need.chips, need.working, own, need.peak_chips, base, burst, packed)
