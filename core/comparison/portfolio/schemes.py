"""Ways to run a portfolio: pools with their cash by month, the cost in every draw, and what holds a way back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.amounts import Counted, Sentence, Text, whole
from core.catalogue.catalogue import Catalogue
from core.comparison.obtain.price_proof import PROVED
from core.comparison.portfolio.accounts import Need, Paid, account, by_month, rents
from core.comparison.portfolio.calendar import Calendar
from core.comparison.portfolio.pools import Offer, machines_of
from core.comparison.portfolio.result import Curve, Draws, Month, Pool, Rate, Scheme, SchemeId, Use
from core.comparison.portfolio.uses import months_of_terms, support_share
from core.comparison.together.moving import Apart, Placed, apart_of
from core.comparison.together.plan_answer import as_printed
from core.months import month_number, month_of, numbered_month
from core.ranges import HIGH_PCT, LOW_PCT, Range
from core.units import counted
from core.workload.profile import PURCHASE_WORDS

Table = NDArray[np.float64]
MOST_BASES = 60
"""Bases of the curve: a finer one would not be told apart on screen."""


@dataclass(frozen=True)
class Priced:
    """A pool with what it was priced by."""

    pool: Pool
    need: Need
    paid: Paid


def scheme_of(scheme_id: SchemeId, priced: Sequence[Priced], calendar: Calendar, catalogue: Catalogue) -> Scheme:
    """The scheme of some pools."""
    uses = [use for one in priced for use in one.pool.uses]
    apart = apart_of([Placed(use.profile, use.result, use.held_days) for use in uses], catalogue)
    draws = sum((_draws(one) for one in priced), apart.cost_usd.astype(np.float64))
    months = _added([*(_months(one, calendar) for one in priced), _apart_by_month(apart, uses, calendar)], calendar)
    likely = sum(one.total_usd for one in months)
    low, high = np.percentile(draws, (LOW_PCT, HIGH_PCT)).tolist()
    total = Range(min(low, likely), likely, max(high, likely))
    held_back = tuple(dict.fromkeys(text for one in priced for text in _held_back(one.pool)))
    pools = tuple(one.pool for one in priced)
    return Scheme(scheme_id, pools, total, np.asarray(draws), months, apart, held_back)


def _draws(one: Priced) -> Draws:
    """Rent and all else in each draw: rent errs as the bills of the pool's workloads, each by its chip hours."""
    pool = one.pool
    rent = pool.account.rent_usd * (1.0 + support_share(pool.uses))
    other = sum((float(use.other_usd.sum()) * use.cost_factor for use in pool.uses), np.zeros(1))
    return np.asarray(rent * rent_factor(one) + other)


def rent_factor(one: Priced) -> Draws:
    """Mean of the workloads' cost over the likely one by their chip hours, in each draw, shape (n draws,)."""
    hours = np.array([float(use.at_work.sum(axis=0) @ one.need.widths_h) for use in one.pool.uses])
    weights = hours / hours.sum() if hours.sum() > 0 else np.full(len(hours), 1.0 / max(len(hours), 1))
    factors = (weight * use.cost_factor for weight, use in zip(weights, one.pool.uses, strict=True))
    return np.asarray(sum(factors, np.zeros(1)))


def _months(one: Priced, calendar: Calendar) -> Table:
    """USD of base used, idle, burst and all else by month of cash and those after it, shape (n months, 4)."""
    rent = _rent_by_month(one, calendar)
    table = np.zeros((max(calendar.months_before + len(rent), calendar.n_cash_months), 4))
    table[calendar.months_before :][: len(rent), :3] = rent
    table[:, 3] = support_share(one.pool.uses) * table[:, :3].sum(axis=1)
    for use in one.pool.uses:
        table[: len(use.other_usd), 3] += use.other_usd
        table[: len(use.ahead_usd), 0] += use.ahead_usd
    return np.asarray(table)


def _rent_by_month(one: Priced, calendar: Calendar) -> Table:
    """USD of base used, idle and burst by month of the calendar and those after it, shape (n months, 3)."""
    need, base = one.need, one.pool.account.base_chips
    paid_days = one.paid.base_h / need.day_h
    numbers, n_days = months_of_terms(calendar, need.first_day + paid_days if base else 0.0)
    days = np.arange(n_days) - need.first_day
    day_h = need.day_h * np.clip(paid_days - days, 0.0, 1.0) * (days >= 0)
    rent = by_month(need, numbers, base, one.paid, day_h)
    return np.column_stack((rent.base_used_usd, rent.idle_usd, rent.burst_usd))


def _apart_by_month(apart: Apart, uses: Sequence[Use], calendar: Calendar) -> Table:
    """The columns of :func:`_months` of what workloads pay together: upkeep day by day, moves when training is done."""
    before = calendar.months_before
    table = np.zeros((before + len(calendar.months), 4))
    table[before:, 3] = sum(one.usd for one in apart.upkeep) * np.bincount(calendar.month_of) / calendar.n_days
    if apart.moving:
        trained = np.logical_or.reduce([use.at_work.any(axis=1) for use in uses if use.profile.job.trains])
        last_day = int(np.flatnonzero(trained)[-1]) if trained.any() else 0
        table[before + calendar.month_of[last_day], 3] += sum(one.usd for one in apart.moving)
    return table


def _added(tables: Sequence[Table], calendar: Calendar) -> tuple[Month, ...]:
    whole_table = np.zeros((max(len(one) for one in tables), 4))
    for one in tables:
        whole_table[: len(one)] += one
    n_due = int(np.flatnonzero(whole_table.any(axis=1)).max(initial=0)) + 1
    first = month_number(month_of(calendar.cash_from))
    return tuple(Month(*numbered_month(first + at), *row) for at, row in enumerate(whole_table[:n_due].tolist()))


def _held_back(pool: Pool) -> Iterator[Text]:
    """Why a pool cannot be signed as it stands."""
    own = pool.account
    if own.unmet_h > 1e-6:
        yield Sentence("{} chip hours of work find no chip", whole(own.unmet_h))
    elif pool.short_chips:
        yield Sentence("{} short in the busiest hour", Counted(pool.short_chips, "chip"))
    yield from _unfirm(pool)
    burst_chips = pool.peak_chips - own.base_chips
    for rate, n_chips in ((pool.base, own.base_chips), (pool.burst, burst_chips)):
        if rate is not None:
            yield from _unproved(pool, rate, n_chips)


def _unfirm(pool: Pool) -> Iterator[Text]:
    """Why options of workloads are no proved ones, as their clusters are joined."""
    for use in pool.uses:
        if use.result.obtainable.status == "on paper":
            name, why = use.result.candidate.name, use.result.obtainable.why
            yield Sentence("{} on {} is on paper: {}", use.name, name, why)
    unseen = [use.name for use in pool.uses if not use.result.evidence.is_proof]
    if unseen:
        yield Sentence("No run shows the speed of {} on {}", first_of(unseen), pool.site.chip.short_name)


def first_of(names: Sequence[str]) -> str:
    """``Chat``; ``Chat and 6 others``."""
    more = len(names) - 1
    return f"{names[0]} and {counted(more, 'other')}" if more else names[0]


def _unproved(pool: Pool, rate: Rate, n_chips: int) -> Iterator[Text]:
    way = PURCHASE_WORDS[rate.way]
    if rate.status == "on paper":
        what = Sentence("{} {}, {}", whole(n_chips), pool.site.chip.short_name, way)
        yield Sentence("{} at {} are on paper: {}", what, pool.site.place, rate.why)
    if rate.proof not in PROVED:
        yield Sentence("The price of {} at {}, {}, is not proved", pool.site.chip.short_name, pool.site.place, way)


def contest(schemes: Sequence[Scheme]) -> tuple[Scheme, Scheme | None]:
    """The cheapest way that can be signed, and the next one that is no other form of it: one pool is one, however it is
    held, and what costs the same is told only where all does. Where only one or none can be signed, the others that
    leave no work are asked."""
    whole_work = [one for one in schemes if one.unmet_h < 1.0]
    ordered = sorted(
        whole_work, key=lambda one: (not one.can_be_signed, as_printed(one.total.likely), _ORDER.index(one.id))
    )
    best, *others = ordered
    told = [one for one in others if _FORMS[one.id] != _FORMS[best.id]]
    dearer = [one for one in told if as_printed(one.total.likely) != as_printed(best.total.likely)]
    return best, next(iter(dearer or told), None)


_ORDER: tuple[SchemeId, ...] = ("base", "own", "split", "peak", "shared")
"""Of ways of one cost, as printed, the first of these counts."""
_FORMS: dict[SchemeId, str] = {"own": "own", "split": "split", "peak": "one", "base": "one", "shared": "one"}


def curve_of(one: Priced, offers: Sequence[Offer]) -> Curve:
    """Cost over the committed base by the way to pay that the pool has, whichever number of terms costs least."""
    own = [offer for offer in offers if _is_way_of(offer, one.pool)] or list(offers)
    of_each = np.array([rents(one.need, offer.paid) for offer in own])
    hosts = _bases(of_each.shape[1], machines_of(one.pool.account.base_chips, one.need.chips_per_host))
    best = np.argmin(of_each, axis=0)[hosts]
    rent = of_each.min(axis=0)[hosts]
    is_had = np.isfinite(rent)
    hosts, best, rent = hosts[is_had], best[is_had], rent[is_had]
    chips = hosts * one.need.chips_per_host
    low, likely, high = _spans(one, rent)
    accounts = [account(one.need, int(base), own[int(way)].paid) for base, way in zip(chips, best, strict=True)]
    idle = [each.idle_h / each.paid_h if each.paid_h > 0 else 0.0 for each in accounts]
    return Curve(chips.astype(np.int64), likely, low, high, np.array(idle))


def _is_way_of(offer: Offer, pool: Pool) -> bool:
    """True for the way that the base is paid; any term where there is none."""
    return (offer.n_terms > 0) if pool.base is None else offer.base is pool.base


def _bases(n_bases: int, own: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Bases of the curve in machines: evenly apart, with the pool's own among them."""
    even = np.linspace(0, n_bases - 1, min(n_bases, MOST_BASES)).round().astype(np.intp)
    return np.unique(np.append(even, min(own, n_bases - 1)))


def _spans(one: Priced, rent: Draws) -> tuple[Draws, Draws, Draws]:
    """Low, likely and high cost of each rent, shapes (n,)."""
    support, uses = 1.0 + support_share(one.pool.uses), one.pool.uses
    other = sum((float(use.other_usd.sum()) * use.cost_factor for use in uses), np.zeros(1))
    likely = support * rent + sum(float(use.other_usd.sum()) for use in uses)
    draws = support * rent[:, None] * rent_factor(one)[::10] + np.broadcast_to(other, rent_factor(one).shape)[::10]
    low, high = np.percentile(draws, (LOW_PCT, HIGH_PCT), axis=1)
    return np.minimum(low, likely), likely, np.maximum(high, likely)
