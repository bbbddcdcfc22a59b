"""Hours and dollars of a pool: a base that is paid for all the time, and what is needed above it.

With ``d`` chips held in a slot of ``w`` hours, of which ``a`` are at work, a base of ``B`` chips and machines of ``m``:

    used of the base    = sum of min(a, B) w                          while the base lasts
    used above it       = sum of a w - used of the base
    bought above it     = sum of m ceil((d - B) / m) w                whole machines, of d where the base is over
    paid                = B T + bought above it = used of the base + used above it + idle

``T`` are the hours for which the base is paid: whole terms from the first day on, or, without a term, the hours from
the first to the last day of need. Hours are those that bills count: a day has 24, or of a service as many as make 730
of a month; terms are told in them too, at what they cost in all. Own accounting; a term is that of
:mod:`core.cost.parts.commitment`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.constants import HOURS_PER_DAY
from core.months import months_after, months_in_days, n_terms_of

Array = NDArray[np.float64]
Chips = NDArray[np.int32]


@dataclass(frozen=True)
class Need:
    """Chips held slot by slot, shape (n days, n slots), hours that bills count of each slot, and chips of a machine.

    ``at_work`` are those of them that the load of the hour takes, all where None: a service that has chips for itself
    holds them in quiet hours too. ``at_most`` are chips of an hour that may come at any time and lasts too short to be
    paid for, or that is slow against expectation.
    """

    chips: Chips
    widths_h: Array
    chips_per_host: int = 1
    at_work: Chips | None = None
    at_most: int = 0

    @property
    def peak_chips(self) -> int:
        """Chips needed at most."""
        return max(int(self.chips.max(initial=0)), self.at_most)

    @property
    def working(self) -> Chips:
        """Chips at work, never more than are held."""
        return self.chips if self.at_work is None else np.minimum(self.at_work, self.chips)

    @property
    def first_day(self) -> int:
        """The first day of need, 0 without any."""
        days = np.flatnonzero(self.chips.any(axis=1))
        return int(days[0]) if len(days) else 0

    @property
    def span_days(self) -> int:
        """Days from the first to the last one of need, both included."""
        days = np.flatnonzero(self.chips.any(axis=1))
        return int(days[-1] - days[0] + 1) if len(days) else 0

    @cached_property
    def day_h(self) -> float:
        """Hours that bills count of a day: 24, or as many as make 730 of a mean month."""
        return float(self.widths_h.sum())

    @property
    def span_h(self) -> float:
        """Hours of :attr:`span_days`."""
        return self.span_days * self.day_h

    @property
    def clock_h(self) -> Array:
        """Hours of the clock of each slot, shape (n slots,)."""
        return np.asarray(self.widths_h * HOURS_PER_DAY / self.day_h)

    @property
    def hours(self) -> float:
        """Chip hours of work."""
        return float(self.working.sum(axis=0) @ self.widths_h)

    def in_base(self, paid_h: float) -> Array:
        """Share of each day for which a base lasts that is paid for so long from the first day of need on, 0..1, shape
        (n days,)."""
        days = np.arange(len(self.chips)) - self.first_day
        return np.asarray(np.where(days < 0, 0.0, np.clip(paid_h / self.day_h - days, 0, 1)))


@dataclass(frozen=True, slots=True)
class Paid:
    """What a base costs: USD per chip hour, hours for which it is paid, and of what is above it; None: not bought."""

    base_usd: float
    base_h: float
    burst_usd: float | None


@dataclass(frozen=True, slots=True)
class Account:
    """Chip hours and USD of a pool's rent. ``above_h`` are hours of the clock in which more than the base is needed;
    ``unmet_h`` chip hours needed that nobody buys; ``at_work`` chips at work in the mean of all days."""

    base_chips: int
    n_terms: int
    base_paid_h: float
    base_used_h: float
    burst_paid_h: float
    burst_used_h: float
    unmet_h: float
    above_h: float
    at_work: float
    base_usd: float
    burst_usd: float
    idle_usd: float

    @property
    def paid_h(self) -> float:
        """Chip hours paid: base used + above it used + idle."""
        return self.base_paid_h + self.burst_paid_h

    @property
    def idle_h(self) -> float:
        """Chip hours paid in which no work takes the chip."""
        return max(self.base_paid_h - self.base_used_h + self.burst_paid_h - self.burst_used_h, 0.0)

    @property
    def rent_usd(self) -> float:
        """All rent."""
        return self.base_usd + self.burst_usd


@dataclass(frozen=True)
class Monthly:
    """Rent of each month, shapes (n,): of the base that is used, of what idles, of what is used above it. Months beyond
    the calendar, in which a term still runs, come last."""

    base_used_usd: Array
    idle_usd: Array
    burst_usd: Array


def machines(chips: Chips, chips_per_host: int) -> Chips:
    """Chips of whole machines that hold so many: ``m ceil(d / m)``."""
    return np.asarray(-(-chips // chips_per_host) * chips_per_host)


def account(need: Need, base_chips: int, paid: Paid, n_terms: int = 0) -> Account:
    """The account of one base; equations above. Nothing is bought above it where ``paid`` has no price for that."""
    lasts, above = need.in_base(paid.base_h)[:, None], np.maximum(need.chips - base_chips, 0)
    used_h = float((lasts * np.minimum(need.working, base_chips) @ need.widths_h).sum())
    over_h = need.hours - used_h
    bought = lasts * machines(above, need.chips_per_host) + (1 - lasts) * machines(need.chips, need.chips_per_host)
    is_bought = paid.burst_usd is not None
    bought_h = float((bought @ need.widths_h).sum()) if is_bought else 0.0
    base_paid_h, burst_used_h, burst_usd = base_chips * paid.base_h, over_h if is_bought else 0.0, paid.burst_usd or 0.0
    return Account(
        base_chips=base_chips,
        n_terms=n_terms,
        base_paid_h=base_paid_h,
        base_used_h=used_h,
        burst_paid_h=bought_h,
        burst_used_h=burst_used_h,
        unmet_h=0.0 if is_bought else over_h,
        above_h=float(((lasts * (above > 0) + (1 - lasts) * (need.chips > 0)) @ need.clock_h).sum()),
        at_work=(used_h + burst_used_h) / (need.day_h * len(need.chips)),
        base_usd=base_paid_h * paid.base_usd,
        burst_usd=bought_h * burst_usd,
        idle_usd=max((base_paid_h - used_h) * paid.base_usd + (bought_h - burst_used_h) * burst_usd, 0.0),
    )


def rents(need: Need, paid: Paid) -> Array:
    """Rent in USD of every base in whole machines, from none to the peak, shape (machines at the peak + 1,).

    The same as :func:`account`, for all bases at once: with ``H(b)`` the hours in which more than ``b`` machines are
    needed, a base of ``k`` buys ``m (H(k) + H(k + 1) + ...)`` above it. Inf where more than the base is needed, at
    whatever time, and nothing is to be had above it.
    """
    lasts = need.in_base(paid.base_h)[:, None]
    hosts = machines(need.chips, need.chips_per_host) // need.chips_per_host
    n_most = -(-need.peak_chips // need.chips_per_host)
    hours = np.bincount(hosts.ravel(), (lasts * need.widths_h).ravel(), minlength=n_most + 1)
    more = np.append(np.cumsum(hours[::-1])[::-1][1:], 0.0)
    bought = np.cumsum(more[::-1])[::-1] + float(((1 - lasts) * hosts @ need.widths_h).sum())
    m, count = need.chips_per_host, np.arange(len(hours))
    is_short = (bought > 1e-9) | (count < n_most)
    above = np.where(is_short, np.inf, 0.0) if paid.burst_usd is None else m * bought * paid.burst_usd
    return np.asarray(m * count * paid.base_h * paid.base_usd + above)


def terms_for(span_months: float, term_months: int) -> tuple[int, ...]:
    """Numbers of terms that may cost least: those that end before the need does, and those that outlast it."""
    return tuple(sorted({max(int(span_months / term_months), 1), n_terms_of(span_months, term_months)}))


def term_h(need: Need, first_day: date, n_terms: int, term_months: int) -> float:
    """Hours, as the need counts them, of so many terms from its first day on, which is that many days after
    ``first_day``: they end by the calendar, with the need where that lasts as many months."""
    begins = first_day + timedelta(days=need.first_day)
    ends = months_after(begins, n_terms * term_months) or date.max
    covers = n_terms >= n_terms_of(months_in_days(need.span_days), term_months)
    return need.day_h * max((ends - begins).days, need.span_days if covers else 1)


def by_month(need: Need, month_of: NDArray[np.intp], base_chips: int, paid: Paid, day_h: Array) -> Monthly:
    """Rent month by month; adds up to that of :func:`account`.

    ``month_of`` numbers the months of all days on which anything is paid, the calendar's first, shape (n,), and
    ``day_h`` has the hours of each for which the base is paid, as the need counts them, shape (n,).
    """
    n_days, n_months = len(need.chips), int(month_of[-1]) + 1
    lasts, above = need.in_base(paid.base_h)[:, None], np.maximum(need.chips - base_chips, 0)
    used_h = lasts * np.minimum(need.working, base_chips) @ need.widths_h
    bought = lasts * machines(above, need.chips_per_host) + (1 - lasts) * machines(need.chips, need.chips_per_host)
    burst_usd = paid.burst_usd or 0.0
    bought_h, over_h = bought @ need.widths_h, need.working @ need.widths_h - used_h

    def sums(values: Array) -> Array:
        return np.asarray(np.bincount(month_of[: len(values)], values, minlength=n_months), dtype=np.float64)

    base_idle_h = base_chips * day_h - np.append(used_h, np.zeros(len(day_h) - n_days))
    idle_usd = sums(base_idle_h) * paid.base_usd + sums(bought_h - over_h) * burst_usd
    return Monthly(sums(used_h) * paid.base_usd, idle_usd, sums(over_h) * burst_usd)
