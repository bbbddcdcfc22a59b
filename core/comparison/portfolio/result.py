"""What a portfolio comes to: pools with their chips over time, hours paid and idle, cash, packing, other ways."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.amounts import Text
from core.catalogue.entries import Accelerator, Offer
from core.catalogue.places.distance import region_words
from core.catalogue.providers import provider_name
from core.comparison.obtain.obtainable import STATUSES, Status
from core.comparison.obtain.price_proof import PROVED, PriceProof
from core.comparison.portfolio.accounts import Account
from core.comparison.portfolio.calendar import Calendar
from core.comparison.portfolio.packing import Packing
from core.comparison.result import CandidateResult, name_of
from core.comparison.together.moving import Apart
from core.constants import DAYS_PER_WEEK
from core.months import quarter_name, quarter_of
from core.ranges import Range
from core.units import grouped
from core.workload.portfolio import Member, Pooling
from core.workload.profile import Profile, PurchaseModel

Chips = NDArray[np.int32]
"""Whole chips held, shape (n days, n slots) of a :class:`Calendar`."""
Draws = NDArray[np.float64]
SchemeId = Literal["own", "split", "peak", "base", "shared"]
SCHEME_TITLES: dict[SchemeId, str] = {
    "own": "Each on its own pick",
    "split": "Split pools",
    "peak": "One pool, held at its peak",
    "base": "One pool, base and burst",
    "shared": "Shared cluster",
}


@dataclass(frozen=True, slots=True)
class Rate:
    """A way to pay at a site: today's USD per chip and hour, and how far price and number of chips are proved."""

    offer: Offer
    usd_per_chip_hour: Range
    status: Status
    why: str
    proof: PriceProof

    @property
    def way(self) -> PurchaseModel:
        """The way to pay."""
        return self.offer.purchase_model

    @property
    def is_firm(self) -> bool:
        """True where so many chips can be had and the price is the seller's own, or told twice."""
        return self.status != "on paper" and self.proof in PROVED


@dataclass(frozen=True)
class Site:
    """One kind of chip at one seller in one region; ``rates`` by way to pay, those alone that the workloads allow.

    ``lacking`` says of ways that were asked for why they are not to be had.
    """

    chip: Accelerator
    provider: str
    region: str
    chips_per_host: int
    rates: Mapping[PurchaseModel, Rate]
    lacking: tuple[Text, ...] = ()

    @property
    def place(self) -> str:
        """Who sells it where: ``AWS us-east-1``."""
        region = "" if self.region == "any" else f" {region_words(self.region)}"
        return f"{provider_name(self.provider)}{region}"


@dataclass(frozen=True)
class Use:
    """A workload on a site. ``alone`` are chips held when it has them for itself; ``kept`` those that a service keeps
    in one pool all day, of its busiest hour unless it autoscales; ``at_work`` those that the load of each hour, a run
    or a batch takes. ``most_alone`` and ``most_pooled`` are what a service takes at most: with its pick for itself all
    of it, in a pool its busiest hour where its speed turns out slow, all day where that hour may be any. A packed one
    takes none itself: its chips are those of :class:`Packing`.

    ``other_usd`` is what its bill holds beside rent, by month of cash, ``ahead_usd`` what it pays there earlier
    or later than by the hour for hardware of its own, 0 in all; ``cost_factor`` its bill over the likely one, in each
    draw of the comparison. ``n_rounds`` counts its runs or batches within the calendar, 1 for a service; ``held_days``
    are those for which it holds its chips in there. ``billed_share`` are the hours that its bill counts over those of
    the clock.
    """

    profile: Profile
    result: CandidateResult
    member: Member
    alone: Chips
    kept: Chips
    at_work: Chips
    most_alone: Chips
    most_pooled: Chips
    other_usd: NDArray[np.float64]
    ahead_usd: NDArray[np.float64]
    cost_factor: Draws
    held_days: float
    billed_share: float
    n_rounds: int = 1
    start_hour: int | None = None
    is_packed: bool = False

    @property
    def name(self) -> str:
        """The workload's name."""
        return self.profile.name


@dataclass(frozen=True)
class Pool:
    """Chips of one site and the workloads on them, with what is paid for: ``account`` holds hours and USD of rent.

    ``chips`` are those needed slot by slot, ``at_work`` those of them that work takes, ``packed`` those that hold small
    models. ``peak_chips`` are needed at most: more than ``chips`` where services have a busiest hour at a time that
    nobody knows, or scale and turn out slow. ``base`` and ``burst`` are the ways to pay, None where nothing is.
    """

    name: str
    site: Site
    uses: tuple[Use, ...]
    chips: Chips
    at_work: Chips
    account: Account
    peak_chips: int
    base: Rate | None
    burst: Rate | None
    packed: Chips | None = None

    @property
    def short_chips(self) -> int:
        """Chips of its busiest hour that nobody holds or buys."""
        return 0 if self.burst is not None else max(self.peak_chips - self.account.base_chips, 0)

    @property
    def chips_name(self) -> str:
        """``64 × H200``: what is needed at the peak."""
        return name_of(self.site.chip, self.peak_chips)


@dataclass(frozen=True, slots=True)
class Month:
    """Cash of a month in USD: ``total_usd`` is the sum of the four others."""

    year: int
    month: int
    base_used_usd: float
    idle_usd: float
    burst_usd: float
    other_usd: float

    @property
    def total_usd(self) -> float:
        """All that is due in it."""
        return self.base_used_usd + self.idle_usd + self.burst_usd + self.other_usd


@dataclass(frozen=True, slots=True)
class Quarter:
    """The same of a quarter of the calendar, 1..4."""

    year: int
    number: int
    base_used_usd: float
    idle_usd: float
    burst_usd: float
    other_usd: float

    @property
    def total_usd(self) -> float:
        """All that is due in it."""
        return self.base_used_usd + self.idle_usd + self.burst_usd + self.other_usd

    @property
    def name(self) -> str:
        """``Q4 26``."""
        return quarter_name((self.year, self.number))


@dataclass(frozen=True)
class Scheme:
    """One way to run the portfolio. ``usd`` has the whole cost in each draw, ``total`` the likely one with its 80 %
    range. ``apart`` is what its workloads pay together where they run apart, a part of all else. ``held_back`` says why
    it cannot be signed as it stands, empty where it can."""

    id: SchemeId
    pools: tuple[Pool, ...]
    total: Range
    usd: Draws
    months: tuple[Month, ...]
    apart: Apart
    held_back: tuple[Text, ...] = ()

    @property
    def title(self) -> str:
        """What it is called: a shared cluster by its size."""
        size = f" of {grouped(self.pools[0].account.base_chips)}" if self.id == "shared" else ""
        return f"{SCHEME_TITLES[self.id]}{size}"

    @property
    def lacks(self) -> str:
        """What keeps it from being signed, in two words; empty where nothing does."""
        if self.unmet_h >= 1.0 or any(pool.short_chips for pool in self.pools):
            return "work left over"
        return "not proved" if self.held_back else ""

    @property
    def having(self) -> Status:
        """How surely its chips can be had: as the least sure of them."""
        rates = [rate for pool in self.pools for rate in (pool.base, pool.burst) if rate is not None]
        return min((rate.status for rate in rates), key=STATUSES.index, default="attested")

    @property
    def can_be_signed(self) -> bool:
        """True where all work is done on chips that can be had at proved prices."""
        return not self.held_back

    @property
    def peak_chips(self) -> int:
        """Peaks of the pools together."""
        return sum(pool.peak_chips for pool in self.pools)

    @property
    def paid_h(self) -> float:
        """Chip hours paid."""
        return sum(pool.account.paid_h for pool in self.pools)

    @property
    def idle_h(self) -> float:
        """Chip hours paid in which no work holds the chip."""
        return sum(pool.account.idle_h for pool in self.pools)

    @property
    def idle_share(self) -> float:
        """Idle over paid chip hours, 0..1."""
        return self.idle_h / self.paid_h if self.paid_h > 0 else 0.0

    @property
    def idle_usd(self) -> float:
        """What idle chip hours cost."""
        return sum(pool.account.idle_usd for pool in self.pools)

    @property
    def unmet_h(self) -> float:
        """Chip hours of work that find no chip; 0 but in a shared cluster that is too small."""
        return sum(pool.account.unmet_h for pool in self.pools)

    @cached_property
    def quarters(self) -> tuple[Quarter, ...]:
        """Cash by quarter; adds up to the likely total."""
        sums: dict[tuple[int, int], list[float]] = {}
        for one in self.months:
            row = sums.setdefault(quarter_of((one.year, one.month)), [0.0] * 4)
            for at, usd in enumerate((one.base_used_usd, one.idle_usd, one.burst_usd, one.other_usd)):
                row[at] += usd
        return tuple(Quarter(year, number, *row) for (year, number), row in sorted(sums.items()))


@dataclass(frozen=True)
class Curve:
    """Cost of one pool over its committed base, shapes (n,): whole hosts from none to the peak.

    ``within`` are the bounds of all bases that cost at most 3 % more than the least.
    """

    base_chips: NDArray[np.int64]
    likely_usd: NDArray[np.float64]
    low_usd: NDArray[np.float64]
    high_usd: NDArray[np.float64]
    idle_share: NDArray[np.float64]

    @property
    def least(self) -> int:
        """Place of the least cost, the fewest chips of equal ones."""
        return int(np.flatnonzero(self.likely_usd <= self.likely_usd.min() * (1.0 + 1e-9))[0])

    @property
    def within(self) -> tuple[int, int]:
        """Fewest and most chips that cost at most 3 % more than the least."""
        near = self.base_chips[self.likely_usd <= 1.03 * self.likely_usd[self.least]]
        return int(near.min()), int(near.max())


@dataclass(frozen=True, slots=True)
class Band:
    """A layer of the stack over the weeks: chips at work of one workload, or of the packed ones together, in each
    week's busiest slot, so that layers add up to the chips at work then. ``at_busiest`` are those of a service in its
    busiest hour where it turns out slow."""

    key: str
    name: str
    chips: tuple[int, ...]
    is_flat: bool
    """No load by hour is known: the same all day."""
    at_busiest: int = 0


@dataclass(frozen=True)
class PortfolioAnswer:
    """The portfolio as it is set, and other ways beside it.

    ``chosen`` is the scheme that the settings ask for, ``best`` the cheapest that can be signed (the cheapest at all
    where none can), ``next_best`` the next one; ``cheaper`` is the share of draws in which the best costs less than
    that, None without one. ``outside`` names workloads without an answer on the shared chip, which stand on their own
    pick in every scheme, ``unanswered`` those in none, each with why. ``bands`` and ``curve`` are of the one pool.
    """

    calendar: Calendar
    pooling: Pooling
    schemes: tuple[Scheme, ...]
    chosen: Scheme
    best: Scheme
    next_best: Scheme | None
    cheaper: float | None
    bands: tuple[Band, ...]
    curve: Curve
    packing: Packing | None
    outside: tuple[tuple[str, Text], ...]
    unanswered: tuple[tuple[str, Text], ...]
    notes: tuple[Text, ...]

    def scheme(self, scheme_id: SchemeId) -> Scheme | None:
        """A scheme by its id; None where it was not asked for."""
        return next((one for one in self.schemes if one.id == scheme_id), None)

    @property
    def one_pool(self) -> Pool:
        """The pool with base and burst."""
        return next(one for one in self.schemes if one.id == "base").pools[0]

    @property
    def weeks(self) -> tuple[date, ...]:
        """First day of each week from the first day on."""
        n_weeks = -(-self.calendar.n_days // DAYS_PER_WEEK)
        return tuple(self.calendar.first_day + timedelta(weeks=number) for number in range(n_weeks))
