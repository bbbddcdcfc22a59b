"""Phases on hardware of one's own: it is paid when it comes, kept to the last phase on it, and given up then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from core.comparison.chance.errors import N_DRAWS, Errors
from core.comparison.over_time.layers import layers
from core.comparison.over_time.owned import Owned
from core.comparison.over_time.spread import Spread, fixed
from core.cost.bill.batch import LIKELY, Array
from core.cost.parts.colocation import rooms_usd
from core.cost.parts.hardware import bought_usd, capital_usd, upkeep_usd, worth_usd
from core.months import DAYS_PER_MONTH
from core.ranges import Z_OF_80_PCT


@dataclass(frozen=True)
class Use:
    """A phase on hardware of one's own: days of waiting for it, and the days of the plan on which its work begins and
    ends."""

    owned: Owned
    waiting: Spread
    begins: Spread
    ends: Spread


@dataclass(frozen=True)
class Payment:
    """USD of one phase: ``once`` when it begins, ``bought`` when its work begins, ``by_day`` evenly over its work, and
    ``worth``, which comes back when that ends. Of what goes by the day ``capital`` is due to nobody."""

    once: Spread
    bought: Spread
    by_day: Spread
    worth: Spread
    capital: Spread

    @property
    def at_once(self) -> Spread:
        """All but what is paid by the day."""
        return np.asarray(self.once + self.bought - self.worth)


FREE = Payment(*(fixed(0.0),) * 5)
"""Of a phase without hardware of one's own."""


def payments(uses: Sequence[Use]) -> tuple[Payment, ...]:
    """What each of the phases on hardware of one's own pays.

    Servers are paid when the first phase that needs them begins its work, and are kept up, and given room, until the
    last one ends: those that none needs in between wait for the next. Then what they are worth comes back. So all
    phases together come to the bill of the months for which the servers are really held.
    """
    told = [_beside(use, uses[:number]) for number, use in enumerate(uses)]
    for servers, places in layers([(use.owned.hardware, use.owned.servers) for use in uses]):
        kept = _kept(servers, [uses[place] for place in places])
        for place, payment in zip(places, kept, strict=True):
            told[place] = _sum(told[place], payment)
    return tuple(told)


def _sum(one: Payment, other: Payment) -> Payment:
    return Payment(*(getattr(one, field.name) + getattr(other, field.name) for field in fields(Payment)))


def _beside(use: Use, before: Sequence[Use]) -> Payment:
    """What is paid beside servers and their rooms; once is what a workload needs on hardware that it first works on."""
    owned, off = use.owned, _off(use.owned)
    is_first = all((one.owned.profile.id, one.owned.hardware) != (owned.profile.id, owned.hardware) for one in before)
    once_usd, moved_usd = (owned.once_usd, owned.moved_usd) if is_first else (0.0, 0.0)
    waiting_usd = use.waiting * owned.profile.team.delay_usd_per_day
    by_day = (moved_usd + owned.usd_per_day * (use.ends - use.begins)) * off
    return replace(FREE, once=once_usd * off + waiting_usd, by_day=by_day)


def _kept(servers: int, uses: Sequence[Use]) -> Iterator[Payment]:
    """What so many servers cost in each of the phases that need them, by the terms of the first."""
    owned, months, free_from = uses[0].owned, fixed(0.0), uses[0].begins
    error, off = _error(owned), _off(owned)
    for use in uses:
        since, free = months, (use.begins - free_from) / DAYS_PER_MONTH
        months = since + free + use.owned.months_per_day * (use.ends - use.begins)
        was, now = (owned.fleet(servers, one[:, np.newaxis]) for one in (since, months))
        rooms = (rooms_usd(now) - rooms_usd(was))[:, LIKELY] * off
        yield Payment(
            once=FREE.once,
            bought=_at(bought_usd(now), error) if use is uses[0] else FREE.bought,
            by_day=_at(upkeep_usd(now) - upkeep_usd(was), error) + rooms,
            worth=_at(worth_usd(now), error) if use is uses[-1] else FREE.worth,
            capital=_at(capital_usd(now) - capital_usd(was), error),
        )
        free_from = use.ends


def _error(owned: Owned) -> Spread:
    """Standard deviations by which costs are off, as all costs of bought hardware in the comparison: none in the likely
    case."""
    return np.concatenate(([0.0], Errors([owned.causes.rest], N_DRAWS).values[0].astype(np.float64)))


def _at(spans: Array, error: Spread) -> Spread:
    """Low, likely and high, shape (k, 3), where the error is: along straight lines, so that what is paid, kept up and
    given back adds up to a bill at the ends of its range too."""
    low, likely, high = spans.T
    share = error / Z_OF_80_PCT
    return np.asarray(np.maximum(likely + np.where(share < 0, share * (likely - low), share * (high - likely)), 0.0))


def _off(owned: Owned) -> Spread:
    """What all beside the servers is multiplied with."""
    off = owned.factor
    return _at(np.array([[off.low, off.likely, off.high]]), _error(owned))
