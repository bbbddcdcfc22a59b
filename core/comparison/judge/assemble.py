"""Puts throughput, time, cost and flexibility of the kept candidates side by side, and results together on demand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from core.amounts import Text
from core.breath import breathe
from core.catalogue.catalogue import Catalogue
from core.catalogue.places.distance import route_of
from core.catalogue.sellers.waits import wait_of
from core.comparison.columns import Columns
from core.comparison.judge.any_price import misses_at_any_price, ready_days, term_days
from core.comparison.judge.bills import cost_batch, flexibilities, grid_g_per_kwh
from core.comparison.judge.candidates import Shortlisted, candidate_id
from core.comparison.judge.durations import LIKELY
from core.comparison.judge.limits import BUDGET, LIMITS, SELLERS, SpotRun, Term, missed_limits, sold_in_words
from core.comparison.judge.supply import Supply, independent_sellers, supply_of
from core.comparison.judge.tried import tried
from core.comparison.obtain.obtainable import ON_PAPER, obtainable, statuses
from core.comparison.result import CandidateResult, Chance, RunLosses
from core.comparison.search.counts import joins
from core.comparison.search.option_set import Index, numbered
from core.comparison.search.options import Option
from core.comparison.search.screen import Screened, counted, of_one
from core.constants import HOURS_PER_DAY
from core.cost.bill.batch import CostBatch
from core.cost.parts.energy import energy_kwh
from core.cost.total import Bills, bills
from core.flexibility.score import Scored
from core.lazy_sequence import LazySequence
from core.ranges import Range
from core.throughput.types import Reason, Throughput
from core.workload.profile import PURCHASE_WORDS, Profile

Array = NDArray[np.float64]
Having = tuple[Index, NDArray[np.bool_]]
"""Place of each candidate's status, and whether its price is proved, shapes (n,)."""


@dataclass(frozen=True)
class Standing:
    """A candidate's place among the others; ``n_offers`` is how many rejected offers it stands for."""

    utility: float = 0.0
    pareto: bool = False
    rank: int = 0
    n_offers: int = 1
    chance: Chance | None = None


@dataclass(frozen=True)
class Judged:
    """Every candidate as columns. ``result`` puts one together when somebody looks: few are ever looked at.

    What ranking, thinning, sorting and counting need of all of them stands in arrays of shape (n,) or (n, 3).
    """

    profile: Profile
    screened: Screened
    shortlisted: Shortlisted
    batch: CostBatch
    bills: Bills
    scored: Scored

    @property
    def n(self) -> int:
        """Candidates in all."""
        return self.shortlisted.n

    @cached_property
    def is_serving(self) -> bool:
        """True for work that never ends or comes in batches."""
        return not self.profile.job.ends

    @cached_property
    def ready_days(self) -> Array:
        """Days until the run is finished, or until the service can start, shape (n, 3)."""
        return ready_days(self.profile, self.shortlisted)

    @cached_property
    def misses(self) -> NDArray[np.bool_]:
        """Which limits candidates miss, shape (n, number of limits); False where the cluster does not fit at all."""
        least, missed = self.profile.places.min_sellers, self._missed_alone.copy()
        if least > 1:
            n_sellers = [len(self._sellers.get(chip.id, ())) for chip in self.batch.accelerators]
            missed[:, SELLERS] = (np.array(n_sellers) < least) & self.shortlisted.fits
        return missed

    @cached_property
    def _sellers(self) -> dict[str, frozenset[str]]:
        """Independent sellers of each chip with a candidate that can be had and keeps all other limits."""
        admitted = np.array([not reasons for reasons in self.screened.reasons], dtype=bool)
        keeps = self.shortlisted.fits & ~self._missed_alone.any(axis=1) & admitted[self.shortlisted.option_of]
        chips = [chip.id for chip in self.batch.accelerators]
        return independent_sellers(self.batch.catalogue, chips, self.batch.offers, keeps & self.is_firm)

    def _supply(self, row: int) -> Supply:
        batch, shortlisted = self.batch, self.shortlisted
        chip, n_chips = batch.accelerators[row], int(shortlisted.n_chips[row])
        wait, days = wait_of(batch.catalogue, batch.offers[row], n_chips), float(shortlisted.waiting_days[row, LIKELY])
        sellers = self._sellers.get(chip.id, frozenset()) if self.profile.places.min_sellers > 1 else frozenset()
        return supply_of(batch.catalogue, days, wait, chip.short_name, sellers)

    @cached_property
    def _missed_alone(self) -> NDArray[np.bool_]:
        """The same without the limit on sellers, which asks who else keeps the others."""
        missed, budget_usd = misses_at_any_price(self.profile, self.shortlisted), self.profile.limits.budget_usd
        if budget_usd is not None:
            missed[:, BUDGET] = (self.bills.likely_usd > budget_usd) & self.shortlisted.fits
        return missed

    @cached_property
    def n_reasons(self) -> Index:
        """Reasons against each candidate, shape (n,); those without one are feasible."""
        hard = np.array([len(reasons) for reasons in self.screened.reasons], dtype=np.intp)[self.shortlisted.option_of]
        unfit = self.shortlisted.per_cluster(lambda speed: 0 if speed.fits else len(speed.reasons)).astype(np.intp)
        return np.asarray(hard + unfit + self.misses.sum(axis=1))

    @cached_property
    def first_reasons(self) -> Index:
        """A number for the code of the first reason against each candidate, shape (n,); meaningless without one."""
        shortlisted, hard = self.shortlisted, [one[0].code if one else "" for one in self.screened.reasons]
        unfit = ["" if speed.fits or not speed.reasons else speed.reasons[0].code for speed in shortlisted.clusters]
        of_all, _ = numbered((*LIMITS, *hard, *unfit, ""))
        of_hard, of_unfit = of_all[len(LIMITS) :][: len(hard)], of_all[len(LIMITS) + len(hard) :]
        missed = np.where(shortlisted.fits, of_all[np.argmax(self.misses, axis=1)], of_unfit[shortlisted.cluster_of])
        return np.where(of_hard[shortlisted.option_of] == of_all[-1], missed, of_hard[shortlisted.option_of])

    @cached_property
    def columns(self) -> Columns:
        """What is asked of all candidates at once."""
        shortlisted, batch = self.shortlisted, self.batch
        rows = zip(batch.accelerators, shortlisted.n_chips.tolist(), shortlisted.option_of.tolist(), strict=True)
        never = self.is_serving or ~shortlisted.fits
        return Columns(
            [candidate_id(chip.id, n_chips, shortlisted.options[number].id_tail) for chip, n_chips, number in rows],
            batch.accelerators,
            batch.offers,
            [shortlisted.clusters[number] for number in shortlisted.cluster_of.tolist()],
            shortlisted.n_chips,
            self.n_reasons == 0,
            self.bills.likely_usd,
            self.bills.per_month_usd,
            self.bills.unit_usd,
            np.where(never, np.inf, self.ready_days[:, LIKELY]),
            shortlisted.run_h[:, LIKELY],
            self.scored.spans[:, LIKELY],
            LazySequence(self.n, partial(_codes, self.screened, shortlisted, self.misses)),
            self.statuses,
            self.is_firm,
            np.full(self.n, np.nan),
            np.full(self.n, np.nan),
            LazySequence(self.n, lambda row: shortlisted.option(row).regions),
        )

    def result(self, row: int, standing: Standing = Standing()) -> CandidateResult:
        """One candidate with everything about it."""
        breathe()
        shortlisted, cost, speed = self.shortlisted, self.bills.costs[row], self.shortlisted.throughput(row)
        ready, energy = _range(self.ready_days, row), _range(self._energy_kwh, row)
        hard = self.screened.reasons[int(shortlisted.option_of[row])]
        reasons = tried((*hard, *_further(hard, self._missed(row))))
        grams = grid_g_per_kwh(self.batch, row)
        return CandidateResult(
            candidate=shortlisted.candidates[row],
            feasible=not reasons,
            reasons=counted(reasons, standing.n_offers),
            throughput=_on_host(speed, shortlisted.option(row)),
            run_h=_range(shortlisted.run_h, row),
            days_to_finish=None if self.is_serving or not speed.fits else ready,
            time_terms_days=_terms(shortlisted, row),
            cost=cost,
            flexibility=self.scored.found[row],
            energy_kwh=energy,
            carbon_kg=None if grams is None else energy.likely * grams / 1000,
            utility=standing.utility,
            pareto=standing.pareto,
            rank=standing.rank,
            losses=_losses(shortlisted, row),
            route=route_of(self.profile, self.batch.catalogue, self.batch.offers[row]),
            obtainable=obtainable(
                shortlisted.option(row),
                self.batch.catalogue,
                int(shortlisted.n_chips[row]),
                int(shortlisted.n_apart[row]),
            ),
            chance=standing.chance,
        )

    @cached_property
    def is_firm(self) -> NDArray[np.bool_]:
        """True for candidates that can be had, whose price is proved and whose speed has evidence, shape (n,)."""
        return is_firm(self.shortlisted, self._having)

    @cached_property
    def statuses(self) -> Index:
        """Can it be had: place of each candidate's status in :data:`STATUSES`, shape (n,)."""
        return self._having[0]

    @cached_property
    def _having(self) -> Having:
        return having(self.shortlisted, self.batch.catalogue)

    @cached_property
    def _energy_kwh(self) -> Array:
        return energy_kwh(self.batch)

    @cached_property
    def _term_days(self) -> tuple[Array, Array]:
        return term_days(self.profile, self.shortlisted)

    def _term(self, row: int) -> Term:
        days, longest = self._term_days
        offer = self.shortlisted.option(row).offer
        way = "Your reservation" if offer.held_until else PURCHASE_WORDS[offer.purchase_model].capitalize()
        return Term(float(days[row]), float(longest[row]), way)

    def _spot_run(self, row: int) -> SpotRun | None:
        shortlisted = self.shortlisted
        if shortlisted.undisturbed_h is None or shortlisted.stops is None:
            return None
        hours = float(shortlisted.run_h[row, LIKELY]), float(shortlisted.undisturbed_h[row, LIKELY])
        return SpotRun(*hours, float(shortlisted.stops.best_interval_h[row]))

    def _enough(self, row: int) -> int | None:
        """The fewest chips of the same offer among the candidates that meet every limit; None without."""
        of_offer = self.shortlisted.option_of == self.shortlisted.option_of[row]
        counts = self.shortlisted.n_chips[of_offer & (self.n_reasons == 0)]
        return int(counts.min()) if len(counts) else None

    def _missed(self, row: int) -> tuple[Reason, ...]:
        """The limits that a candidate misses, in words; see :attr:`misses`."""
        shortlisted = self.shortlisted
        if shortlisted.fits[row] and not self.misses[row].any():
            return ()
        option = shortlisted.option(row)
        return missed_limits(
            self.profile,
            shortlisted.throughput(row),
            self.bills.costs[row],
            _range(self.ready_days, row),
            None if self.is_serving else float(shortlisted.run_h[row, LIKELY]) / HOURS_PER_DAY,
            int(shortlisted.n_chips[row]),
            option.chips_per_host,
            self._enough(row),
            option.usd_per_chip_hour,
            self._spot_run(row),
            self._term(row),
            self._supply(row),
            _sold_in(self.profile, option),
            option.offer.held_chips,
        )


def having(shortlisted: Shortlisted, catalogue: Catalogue) -> Having:
    """Can candidates be had, and are their prices proved; see :func:`core.comparison.obtain.obtainable.statuses`."""
    listed = shortlisted
    return statuses(listed.options, catalogue, listed.option_of, listed.n_chips, listed.n_apart)


def is_firm(shortlisted: Shortlisted, had: Having) -> NDArray[np.bool_]:
    """True for candidates that can be had, whose price is proved and whose speed has evidence, shape (n,)."""
    has_proof = shortlisted.per_cluster(lambda speed: speed.evidence.is_proof) > 0
    return np.asarray((had[0] > ON_PAPER) & had[1] & has_proof)


def judge(
    profile: Profile, catalogue: Catalogue, screened: Screened, shortlisted: Shortlisted, efforts: dict[str, Range]
) -> Judged:
    """Bills and scores of all candidates; ``efforts`` are engineer-weeks of porting by chip."""
    breathe()
    batch = cost_batch(profile, catalogue, shortlisted, efforts)
    breathe()
    billed = bills(batch)
    breathe()
    return Judged(profile, screened, shortlisted, batch, billed, flexibilities(batch, billed, shortlisted.terms_of))


def assemble(
    profile: Profile, catalogue: Catalogue, screened: Screened, shortlisted: Shortlisted, efforts: dict[str, Range]
) -> list[CandidateResult]:
    """One result a candidate, in their order, not ranked."""
    judged = judge(profile, catalogue, screened, shortlisted, efforts)
    return [judged.result(row) for row in range(judged.n)]


def _further(told: tuple[Reason, ...], missed: tuple[Reason, ...]) -> Iterator[Reason]:
    """Reasons that are not told yet: what a hard limit refuses of a chip the engine refuses in the same words."""
    known = [of_one(reason).words for reason in told]
    return (reason for reason in missed if reason.words not in known)


def _codes(screened: Screened, shortlisted: Shortlisted, misses: NDArray[np.bool_], row: int) -> tuple[str, ...]:
    """Codes of all reasons against a candidate, each told once."""
    hard, speed = screened.reasons[int(shortlisted.option_of[row])], shortlisted.throughput(row)
    unfit = () if speed.fits else _further(hard, speed.reasons)
    missed = [code for code, misses_it in zip(LIMITS, misses[row].tolist(), strict=True) if misses_it]
    return (*(one.code for one in (*hard, *unfit)), *missed)


def _on_host(speed: Throughput, option: Option) -> Throughput:
    """A speed that several sellers' servers share, with the option's own server in it."""
    if speed.system.host is option.host:
        return speed
    return replace(speed, system=replace(speed.system, host=option.host))


def _sold_in(profile: Profile, option: Option) -> Text:
    in_slices = option.accelerator.torus_dims > 0 and joins(option)
    return sold_in_words(option.chips_per_host, in_slices, joins(option) or not profile.job.trains)


def _losses(shortlisted: Shortlisted, row: int) -> RunLosses | None:
    """What the run loses; None for inference and for what never runs."""
    stops = shortlisted.stops
    if stops is None or not shortlisted.throughput(row).fits:
        return None
    return RunLosses(
        goodput=float(shortlisted.goodput[row]),
        stops_per_day=HOURS_PER_DAY * float(stops.stops_per_h[row]),
        save_s=float(stops.save_s[row]),
        restart_h=float(stops.restart_h[row]),
        start_h=float(stops.start_h[row]),
        best_interval_h=float(stops.best_interval_h[row]),
        write_s=float(stops.write_s[row]),
        done_again=float(stops.done_again[row]),
    )


def _terms(shortlisted: Shortlisted, row: int) -> dict[str, float]:
    """Likely days of porting, waiting and run."""
    return {
        "porting": float(shortlisted.porting_days[row, LIKELY]),
        "waiting": float(shortlisted.waiting_days[row, LIKELY]),
        "run": float(shortlisted.run_h[row, LIKELY] / HOURS_PER_DAY),
    }


def _range(spans: Array, row: int) -> Range:
    return Range(*spans[row].tolist())
