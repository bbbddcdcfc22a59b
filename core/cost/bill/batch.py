"""What is billed: candidates side by side as arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from core.catalogue.catalogue import Catalogue
from core.catalogue.cost_inputs import cost_input
from core.catalogue.entries import Accelerator, Offer
from core.catalogue.todays_prices import TodaysPrice, todays_price
from core.constants import HOURS_PER_DAY, HOURS_PER_MONTH, WORK_HOURS_PER_WEEK
from core.cost.bill.figures import Figures, figures
from core.lazy_sequence import LazySequence
from core.rows import each_once
from core.throughput.measured import Measured
from core.workload.profile import Profile

Array = NDArray[np.float64]
LOW, LIKELY, HIGH = 0, 1, 2


@dataclass(frozen=True)
class CostBatch:
    """Candidates of one profile. Spans have shape (n, 3): low, likely, high.

    ``run_h``: hours of the whole run when training (all repeats), of one batch, or of the months in service.
    ``porting_weeks``: engineer-weeks. ``waiting_days``: between ordering and having the chips. ``chips_factor``: chips
    that turn out to be needed over the planned ones, where speed decides the count rather than the hours.
    ``held_share``, shape (n, 1): chip hours held over those of all chips all day where they can be given back by the
    hour; None where that is not known. ``undisturbed_h``: hours of the run without the provider's interruptions, None
    where there are none. ``measured``: what logs measured of each candidate's system, None where they did of none.
    """

    profile: Profile
    catalogue: Catalogue
    offers: tuple[Offer, ...]
    accelerators: tuple[Accelerator, ...]
    n_chips: Array
    run_h: Array
    waiting_days: Array
    porting_weeks: Array
    chips_factor: Array | None = None
    held_share: Array | None = None
    undisturbed_h: Array | None = None
    measured: tuple[Measured, ...] | None = None

    @property
    def n(self) -> int:
        """Candidates in all."""
        return len(self.offers)

    @cached_property
    def offers_once(self) -> tuple[tuple[Offer, ...], NDArray[np.intp]]:
        """The offers, each once, and which of them each candidate takes, shape (n,)."""
        offers, offer_of = each_once(self.offers)
        return tuple(offers), offer_of

    def per_offer(self, value: Callable[[Offer], float]) -> Array:
        """A number of each candidate's offer, asked once an offer, shape (n, 1)."""
        offers, offer_of = self.offers_once
        return np.array([value(offer) for offer in offers], dtype=np.float64)[offer_of].reshape(-1, 1)

    def words_of_offers(self, words: Callable[[Offer], str]) -> Sequence[str]:
        """Words about each candidate's offer, put together only when somebody looks."""
        offers = self.offers
        return LazySequence(self.n, lambda row: words(offers[row]))

    @cached_property
    def price_sources(self) -> Sequence[str]:
        """Where each candidate's price comes from, with its date."""
        return self.words_of_offers(partial(_price_source, self.catalogue))

    @cached_property
    def price_estimates(self) -> Sequence[bool]:
        """True where the price itself is an estimate."""
        offers = self.offers
        return LazySequence(self.n, lambda row: offers[row].estimate)

    @cached_property
    def usd_per_chip_hour(self) -> Array:
        """Rent of each offer today, shape (n, 1); 0 for owned hardware, whose bill is made of parts of its own."""
        offers, offer_of = self.offers_once
        today = [price.factor * offer.usd_per_chip_hour for offer, price in zip(offers, self._prices_once, strict=True)]
        return np.where(self.is_owned, 0.0, np.array(today, dtype=np.float64)[offer_of].reshape(-1, 1))

    @cached_property
    def price_factor(self) -> Array:
        """How far off the price may be, low, likely, high over today's price, shape (n, 3)."""
        spans = [(one.low, 1.0, one.high) for one in self._prices_once]
        return np.array(spans, dtype=np.float64).reshape(-1, 3)[self.offers_once[1]]

    @cached_property
    def _prices_once(self) -> tuple[TodaysPrice, ...]:
        """What each of the offers costs today."""
        return tuple(todays_price(self.catalogue, offer) for offer in self.offers_once[0])

    @cached_property
    def is_owned(self) -> NDArray[np.bool_]:
        """True for hardware whose server has a price, bought or in the house, shape (n, 1)."""
        servers = self.catalogue.server_by_instance
        return self.per_offer(lambda offer: offer.purchase_model == "owned" and offer.instance in servers) > 0

    @cached_property
    def paid_h(self) -> Array:
        """Hours that the chips are held: the run, all batches of the term, or the months in service, shape (n, 3)."""
        return self.run_h * self.profile.job.times_paid

    @cached_property
    def worked_h(self) -> Array:
        """Hours held less those that interruptions add, shape (n, 3)."""
        return self.paid_h if self.undisturbed_h is None else self.undisturbed_h

    @cached_property
    def months(self) -> Array:
        """Months that the plan lasts: in service, or waiting and run together, shape (n, 3)."""
        in_service = self.profile.job.months_in_service
        if in_service is not None:
            return np.full((self.n, 3), in_service)
        return (self.run_h + HOURS_PER_DAY * self.waiting_days) / HOURS_PER_MONTH

    @cached_property
    def chips(self) -> Array:
        """Chips, shape (n, 1), or (n, 3) where the count itself has a span."""
        planned = self.n_chips.reshape(-1, 1)
        return planned if self.chips_factor is None else planned * self.chips_factor

    @cached_property
    def _providers_once(self) -> tuple[tuple[str, ...], NDArray[np.intp]]:
        """The providers, each once, and which of them sells each candidate, shape (n,)."""
        offers, offer_of = self.offers_once
        numbers: dict[str, int] = {}
        provider_of = [numbers.setdefault(offer.provider, len(numbers)) for offer in offers]
        return tuple(numbers), np.array(provider_of, dtype=np.intp)[offer_of]

    def by_provider(self, name: str, scope: Callable[[str], str] = str) -> Figures:
        """A cost input for each candidate, by the words that ``scope`` makes of its provider."""
        providers, provider_of = self._providers_once
        rows = [cost_input(self.catalogue, name, scope(provider)) for provider in providers]
        return figures(rows).take(provider_of)

    @property
    def engineer_usd_per_hour(self) -> float:
        """Loaded cost of an engineer over a week of 40 hours."""
        return self.profile.team.engineer_usd_per_week / WORK_HOURS_PER_WEEK


def _price_source(catalogue: Catalogue, offer: Offer) -> str:
    moved = ", brought to today" if todays_price(catalogue, offer).factor != 1.0 else ""
    return f"{offer.source}, {offer.as_of}{moved}"
