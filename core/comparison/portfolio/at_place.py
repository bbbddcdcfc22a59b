"""A portfolio at one place: its works, chips, prices and the ways to run it there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.amounts import Sentence, Text, whole
from core.breath import breathe
from core.catalogue.catalogue import Catalogue
from core.comparison.portfolio.accounts import Need
from core.comparison.portfolio.bands import bands_of
from core.comparison.portfolio.calendar import Calendar, calendar_of
from core.comparison.portfolio.demand import Work, edges_of, span_of, work_of
from core.comparison.portfolio.items import packing_of
from core.comparison.portfolio.own_picks import on_own_pick
from core.comparison.portfolio.packing import Packing
from core.comparison.portfolio.pools import (
    Offer,
    cheapest_base,
    machines_of,
    need_of,
    packed_chips,
    pool_of,
    ways_to_pay,
    with_packed,
)
from core.comparison.portfolio.result import PortfolioAnswer, Scheme, SchemeId, Site, Use
from core.comparison.portfolio.schemes import Priced, contest, curve_of, scheme_of
from core.comparison.portfolio.sites import Place, site_of
from core.comparison.portfolio.uses import quiet_hours, use_of
from core.comparison.result import CandidateResult, ResultSet
from core.comparison.together.part import settled
from core.workload.phases import Phase
from core.workload.portfolio import Portfolio


@dataclass(frozen=True)
class AtPlace:
    """The portfolio at one place."""

    settings: Portfolio
    results: Sequence[ResultSet]
    place: Place
    rows: Mapping[str, int]

    @cached_property
    def catalogue(self) -> Catalogue:
        """The catalogue behind the answers."""
        basis = self.results[0].basis
        assert basis is not None
        return basis.catalogue

    @property
    def _lends(self) -> bool:
        return self.settings.lends_quiet_hours

    @cached_property
    def shared(self) -> tuple[tuple[ResultSet, CandidateResult], ...]:
        """Workloads on the shared chip."""
        of_place = [one for one in self.results if one.profile.id in self.rows]
        return tuple((one, one.results[self.rows[one.profile.id]]) for one in of_place)

    @cached_property
    def works(self) -> tuple[Work, ...]:
        """Their works, with batches in quiet hours."""
        plain = [self._work(one, result) for one, result in self.shared]
        hours = quiet_hours(plain)
        return tuple(replace(one, start_hour=hours.get(one.profile.id, 0)) for one in plain)

    @cached_property
    def own_works(self) -> tuple[Work, ...]:
        """All workloads on their own picks."""
        return tuple(self._work(one, one.choice) for one in self.results if one.choice is not None)

    def _work(self, one: ResultSet, result: CandidateResult) -> Work:
        return work_of(one.profile, settled(result), self.settings.member(one.profile.id))

    @cached_property
    def calendar(self) -> Calendar:
        """The days of all schemes."""
        works = (*self.works, *self.own_works)
        first, n_days = span_of(works, self.settings.months)
        cash_from = min(work.profile.limits.start_date for work in works)
        return calendar_of(first, n_days, edges_of(works, first, n_days), cash_from)

    @cached_property
    def uses(self) -> tuple[Use, ...]:
        """Uses of the shared chip."""
        pairs = zip(self.works, self.shared, strict=True)
        return tuple(use_of(work, one, self.calendar) for work, (one, _) in pairs)

    @cached_property
    def packing(self) -> Packing | None:
        """Small models of one pool."""
        return packing_of(self.uses, self.settings, len(self.calendar.months))

    @cached_property
    def site(self) -> Site:
        """The place with its prices, asked for as many chips as the pool needs at most."""
        need = self._need(1)
        profiles = [use.profile for use in self.uses]
        return site_of(self.place, self.catalogue, profiles, max(need.peak_chips, 1), self.settings)

    def _need(self, chips_per_host: int) -> Need:
        uses = with_packed(self.uses, self.packing)
        return need_of(uses, self.calendar, chips_per_host, packed_chips(uses, self.packing), True, self._lends)

    @cached_property
    def need(self) -> Need:
        """Chips of one pool."""
        return self._need(self.site.chips_per_host)

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """Ways to pay for one pool."""
        return tuple(ways_to_pay(self.site, self.need, self.settings, self.calendar.first_day))

    @cached_property
    def one_pool(self) -> Priced:
        """One pool with the base that is set, else that which costs least."""
        typed, none = self.settings.base_chips, self.settings.term == "none"
        offer, base = cheapest_base(self.need, self.offers, 0 if none and typed is None else typed)
        return self._one(offer, base)

    def _one(self, offer: Offer, base_chips: int) -> Priced:
        uses = with_packed(self.uses, self.packing)
        packed = packed_chips(uses, self.packing)
        pool = pool_of("One pool", self.site, uses, self.need, offer, base_chips, packed)
        return Priced(pool, self.need, offer.paid)

    @cached_property
    def base(self) -> Scheme:
        """One pool, base and burst."""
        breathe()
        return self._scheme("base", (self.one_pool,))

    def _scheme(self, scheme_id: SchemeId, priced: Sequence[Priced]) -> Scheme:
        """With the workloads that stand outside on their own picks."""
        return scheme_of(scheme_id, (*priced, *self.outside), self.calendar, self.catalogue)

    @cached_property
    def outside(self) -> tuple[Priced, ...]:
        """Own picks of the workloads that do not run on the shared chip."""
        return tuple(self._own(work) for work in self.own_works if work.profile.id not in self.rows)

    @cached_property
    def own(self) -> tuple[Priced, ...]:
        """Every workload on its own pick, as the comparison found it."""
        return tuple(self._own(work) for work in self.own_works)

    def _own(self, work: Work) -> Priced:
        results = next(one for one in self.results if one.profile.id == work.profile.id)
        return on_own_pick(work, results, self.calendar)

    @cached_property
    def peak(self) -> Priced:
        """One pool that is held at its peak."""
        return self._held(self.need.peak_chips)

    def _held(self, n_chips: int) -> Priced:
        """A cluster of so many chips by the cheapest way to hold it, and nothing above."""
        host = self.need.chips_per_host
        offers = [replace(one, paid=replace(one.paid, burst_usd=None), burst=None) for one in self.offers]
        held = machines_of(n_chips, host) * host
        lasting = [one for one in offers if one.paid.base_h >= self.need.span_h - 1e-6] or offers
        offer = min(lasting, key=lambda one: held * one.paid.base_h * one.paid.base_usd)
        return self._one(offer, held)

    @cached_property
    def split(self) -> tuple[Priced, ...]:
        """Pools of the settings, those without a name each of their own, with their cheapest bases."""
        groups: dict[tuple[str, str], list[Use]] = {}
        for use in self.uses:
            pool = use.member.pool
            groups.setdefault((pool, "" if pool else use.profile.id), []).append(use)
        return tuple(self._pool(pool or uses[0].name, uses) for (pool, _), uses in groups.items())

    def _pool(self, name: str, uses: Sequence[Use]) -> Priced:
        shares = len(uses) > 1
        packing = packing_of(uses, self.settings, len(self.calendar.months)) if shares else None
        marked = with_packed(uses, packing)
        packed = packed_chips(marked, packing)
        need = need_of(marked, self.calendar, self.site.chips_per_host, packed, shares, self._lends)
        none = 0 if self.settings.term == "none" else None
        offers = tuple(ways_to_pay(self.site, need, self.settings, self.calendar.first_day))
        offer, base = cheapest_base(need, offers, none)
        return Priced(pool_of(name, self.site, marked, need, offer, base, packed), need, offer.paid)

    def schemes(self) -> Iterator[Scheme]:
        """All that are compared."""
        yield scheme_of("own", self.own, self.calendar, self.catalogue)
        yield self._scheme("split", self.split)
        yield self._scheme("peak", (self.peak,))
        yield self.base
        if self.settings.shared_chips is not None:
            yield self._scheme("shared", (self._held(self.settings.shared_chips),))

    def answer(self, unanswered: tuple[tuple[str, Text], ...], phases: Sequence[Phase]) -> PortfolioAnswer:
        """The answer at this place."""
        schemes = tuple(self.schemes())
        best, other = contest(schemes)
        cheaper = None if other is None else float(np.mean(best.usd < other.usd))
        chosen = "base" if self.settings.pooling == "one" else "split"
        return PortfolioAnswer(
            calendar=self.calendar,
            pooling=self.settings.pooling,
            schemes=schemes,
            chosen=next(one for one in schemes if one.id == chosen),
            best=best,
            next_best=other,
            cheaper=cheaper,
            bands=bands_of(self.one_pool.pool, self.calendar),
            curve=curve_of(self.one_pool, self.offers),
            packing=self.packing,
            outside=tuple(self._outside_words()),
            unanswered=unanswered,
            notes=tuple(self._notes(phases)),
        )

    def _outside_words(self) -> Iterator[tuple[str, Text]]:
        for one in self.results:
            if one.profile.id not in self.rows:
                yield (
                    one.profile.name,
                    Sentence("no proved option of {} there keeps its limits", self.site.chip.short_name),
                )

    def _notes(self, phases: Sequence[Phase]) -> Iterator[Text]:
        yield from self.site.lacking
        known = self.catalogue.accelerator_by_id
        held = dict.fromkeys(known[one.accelerator_id].short_name for one in self.catalogue.offers if one.held_chips)
        if held:
            yield Sentence("The pool is rented: {} that you have takes no part in it", " and ".join(held))
        typed, base = self.settings.base_chips, self.one_pool.pool.account.base_chips
        if typed is not None and typed != base:
            yield Sentence("A base of {} takes whole machines: {} chips", whole(typed), whole(base))
        last_day = self.calendar.n_days
        for work in self.works:
            if (work.end - self.calendar.first_day).days > last_day:
                yield Sentence("{} goes on beyond the months that are counted", work.profile.name)
        phased = {one.workload or self.results[0].profile.id for one in phases}
        for one in self.results:
            if one.profile.id in phased:
                yield Sentence("{} counts as a whole here, not by its phases", one.profile.name)
