"""Results of a comparison: immutable, each carrying its own breakdown so that any number can open its formula."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from core.amounts import Text
from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import OWN, Accelerator, Offer
from core.catalogue.places.distance import RouteToUsers, region_words
from core.catalogue.providers import provider_name
from core.catalogue.todays_prices import AS_LISTED, TodaysPrice
from core.comparison.columns import Columns, SideBySide, columns_of, contending_rows, trusted_rows
from core.comparison.drawn import DrawnCandidate
from core.comparison.obtain.obtainable import NOT_ASKED, Obtainable
from core.comparison.search.option_set import numbered
from core.cost.bill.hours import PAY_PER_USE
from core.cost.bill.types import Cost
from core.flexibility.types import Flexibility
from core.lazy_sequence import LazySequence, MadeByKey
from core.ranges import Evidence, Range
from core.throughput.correction import Corrections
from core.throughput.load.mean_day import Day, day_of
from core.throughput.types import Reason, Throughput
from core.units import grouped
from core.workload.jobs.kinds import Job
from core.workload.profile import PURCHASE_WORDS, Profile


@dataclass(frozen=True, slots=True)
class Candidate:
    """An offer taken a number of times: what a profile is evaluated on; ``price`` is what it costs today.

    ``regions``: all for which it stands, where several are equal to the work; none where it is its own alone.
    """

    id: str
    accelerator: Accelerator
    offer: Offer
    n_chips: int
    n_hosts: int
    price: TodaysPrice = AS_LISTED
    regions: tuple[str, ...] = ()

    @property
    def usd_per_chip_hour(self) -> float:
        """Today's price, which is billed."""
        return self.price.factor * self.offer.usd_per_chip_hour

    @property
    def name(self) -> str:
        """Short human name: ``256 × B200``."""
        return name_of(self.accelerator, self.n_chips)

    @property
    def place(self) -> str:
        """Where and how it is paid: ``GCP us-central1, 1-year``, ``AWS any of 6 regions, spot``."""
        region = "" if self.offer.region == "any" else f" {region_words(self.offer.region)}"
        if self.regions:
            region = f" any of {grouped(len(self.regions))} regions"
        if self.offer.provider == OWN:
            return provider_name(OWN) if self.offer.held_chips is None else "in the house"
        if self.offer.held_chips is not None:
            return f"{provider_name(self.offer.provider)}{region}, reserved"
        return f"{provider_name(self.offer.provider)}{region}, {PURCHASE_WORDS[self.offer.purchase_model]}"

    @property
    def region_lines(self) -> tuple[str, ...]:
        """The regions for which it stands, as a line where they are several."""
        return (f"Regions at this price: {', '.join(map(region_words, self.regions))}",) if self.regions else ()


def name_of(chip: Accelerator, n_chips: int) -> str:
    """Short human name of so many chips: ``256 × B200``."""
    return f"{grouped(n_chips)} × {chip.short_name}"


@dataclass(frozen=True, slots=True)
class RunLosses:
    """What keeps a training run from computing, likely values.

    ``goodput``: useful over paid run time, 0..1. ``save_s``: standing still for each saved state. ``restart_h``: from
    a stop to training again. ``start_h``: compiling and warming up. ``best_interval_h``: between saved states, which
    loses the least (Daly 2006), and at least as long as one takes to be written, ``write_s``. ``done_again``: share of
    the work for evaluation and for steps that are repeated.
    """

    goodput: float
    stops_per_day: float
    save_s: float
    restart_h: float
    start_h: float
    best_interval_h: float
    write_s: float = 0.0
    done_again: float = 0.0


@dataclass(frozen=True, slots=True)
class Chance:
    """What the draws say of one feasible candidate; shares 0..1.

    ``in_limits``: of draws that keep deadline, budget, latency limits, the peak of a service and the window of a batch
    together; each alone is None where the profile sets none. ``best``: of draws in which it is the best of those among
    which the pick is taken; None for an option that takes no part. ``regret_usd``: what being wrong would cost on
    average, see :meth:`core.comparison.chance.contest.Contest.regret_of`; None likewise.
    """

    in_limits: float
    deadline: float | None = None
    budget: float | None = None
    latency: float | None = None
    best: float | None = None
    regret_usd: float | None = None
    window: float | None = None
    peak: float | None = None

    @property
    def has_limits(self) -> bool:
        """True where the profile sets a limit that draws may miss."""
        each = self.deadline, self.budget, self.latency, self.peak, self.window
        return any(share is not None for share in each)


@dataclass(frozen=True, slots=True)
class CandidateResult:
    """Throughput, cost and flexibility of one candidate.

    ``days_to_finish`` is porting + waiting + run (None when serving, where nothing finishes).
    ``time_terms_days`` are its likely parts: porting, waiting, run. ``rank`` counts feasible ones from 1, 0 otherwise.
    ``losses`` is None when serving. ``route`` leads to the users whom it serves, None where it is not known.
    ``obtainable`` says whether it can be had, ``chance`` what the draws say of it, None for a rejected one.
    """

    candidate: Candidate
    feasible: bool
    reasons: tuple[Reason, ...]
    throughput: Throughput
    run_h: Range
    days_to_finish: Range | None
    time_terms_days: dict[str, float]
    cost: Cost
    flexibility: Flexibility
    energy_kwh: Range
    carbon_kg: float | None
    utility: float
    pareto: bool
    rank: int
    losses: RunLosses | None = None
    route: RouteToUsers | None = None
    obtainable: Obtainable = NOT_ASKED
    chance: Chance | None = None

    @property
    def is_firm(self) -> bool:
        """True for what can be had, at a proved price and a speed with evidence: what a pick is taken from."""
        return self.obtainable.is_firm and self.evidence.is_proof

    @property
    def round_trip_ms(self) -> Range | None:
        """There and back between the chips and the mean place of users, an estimate; None where it is not known."""
        return self.route.mean_ms if self.route else None

    @property
    def id(self) -> str:
        """Id of the candidate, stable between evaluations."""
        return self.candidate.id

    def day(self, job: Job) -> Day | None:
        """A mean day of a service hour by hour; None for other jobs and where no load curve is known."""
        service, load = job.service, self.throughput.load
        if service is None or load is None:
            return None
        autoscales = service.autoscale and self.candidate.offer.purchase_model in PAY_PER_USE
        return day_of(service, load, self.candidate.n_chips, autoscales)

    @property
    def evidence(self) -> Evidence:
        """Evidence class of the speed, on which cost and days rest."""
        return self.throughput.evidence


@dataclass(frozen=True, slots=True)
class FlipPoint:
    """How far one input must move before another chip is picked; ``flips_at`` None means never.

    ``value`` is where it flips as a number in the unit of the what-if input ``input_id``. ``new_winner_id`` is the
    candidate that is picked there, by whose number of chips the answer of now may have none; None where nothing fits.
    ``new_name`` and ``new_chip`` are its short name and its chip's id.
    """

    input_name: str
    now: Text
    flips_at: Text | None
    new_winner_id: str | None
    input_id: str = ""
    value: float | None = None
    new_name: str = ""
    new_chip: str | None = None


Question = Literal["size", "fabric", "price", "date", "speed"]
"""What must be confirmed of a lead: that so many chips are there, joined by a network, at this price, of today, and
that they are as fast."""


@dataclass(frozen=True, slots=True)
class Lead:
    """An option that would be better than the pick if what is not proved about it holds.

    ``saving_usd`` and ``saving_days`` are below 0 where it is dearer or later; days are None where nothing ends, and
    ``faster_share`` is by what share it answers, or runs a batch, faster there: below 0 where it is slower.
    ``better_up_to_usd_per_chip_hour`` is the price up to which it stays better, None where no price is too high.
    ``best_then`` is the share of draws in which it would be the best if all of that held.
    """

    id: str
    saving_usd: float
    saving_days: float | None
    confirm: tuple[Question, ...]
    better_up_to_usd_per_chip_hour: float | None
    best_then: float = 0.0
    faster_share: float | None = None

    @property
    def faster_as_told(self) -> float | None:
        """The share that words and JSON tell: a lead that answers in 31 % more time is "31 % slower", -0.31, though its
        speed is 24 % less."""
        share = self.faster_share
        return share if share is None or share >= 0 else 1 - 1 / (1 + share)


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The pick and its defence; ``choice`` is None when nothing fits or too little is known.

    The pick is taken among options that can be had, whose price is proved and whose speed has evidence, as long as
    there are any; ``leads`` are better ones that lack proof, best first. ``runner_up`` wins most often when the pick
    does not; ``beats_runner_up`` is the share of draws in which the pick is the better of the two, and they are
    ``too_close`` to call where the draws do not tell them apart. Where nothing fits, ``nearest`` is the option that the
    headline names. ``would_change_it`` is worked out when somebody looks,
    so answers are not compared by it.
    """

    choice: str | None
    runner_up: str | None
    lean: str
    strength: str
    confidence: str
    confidence_why: Text
    headline: Text
    reasons_for: tuple[Text, ...]
    reasons_against: tuple[Text, ...]
    would_change_it: Sequence[FlipPoint] = field(compare=False, repr=False)
    stays_first_pct: float
    leads: tuple[Lead, ...] = ()
    beats_runner_up: float | None = None
    too_close: bool = False
    nearest: str | None = None


@dataclass(frozen=True, slots=True)
class AdviceRule:
    """One rule of common advice that fired for this profile, and whether the numbers agree with it.

    ``name`` is what its id is about, ``source`` who says so, ``as_of`` of when that is, ``newer`` what has been
    published since.
    """

    rule: str
    title: str
    favours: str
    fired_because: Text
    agrees: bool | None
    name: str = ""
    source: str = ""
    as_of: str = ""
    newer: str = ""


@dataclass(frozen=True, slots=True)
class Basis:
    """What an answer was worked out from, for whoever asks more of it: other counts, other ways to pay."""

    catalogue: Catalogue
    corrections: Corrections


@dataclass(frozen=True)
class ResultSet:
    """The answer for one profile: every candidate, feasible first by rank, then the rejected ones.

    Of thousands of results most are put together only when somebody looks at them: what is asked of all of them,
    for sorting, filtering or counting, is asked of :attr:`columns`. ``basis`` and ``draw``, which gives what the draws
    make of a feasible row, are None only where results were put together by hand.
    """

    profile: Profile
    catalogue_date: str
    calibration: str
    results: Sequence[CandidateResult]
    recommendation: Recommendation
    advice: tuple[AdviceRule, ...]
    oldest_price: str
    evaluation_s: float = 0.0
    missing: tuple[str, ...] = field(default=())
    advice_conflicts: tuple[Text, ...] = field(default=())
    basis: Basis | None = field(default=None, compare=False, repr=False)
    draw: Callable[[int], DrawnCandidate] | None = field(default=None, compare=False, repr=False)

    @property
    def is_masked(self) -> bool:
        """True where public prices, and usual rates, stand in for private ones."""
        return self.basis is not None and self.basis.catalogue.is_masked

    @cached_property
    def columns(self) -> Columns:
        """What is asked of all results at once, in their order."""
        return self.results.columns if isinstance(self.results, SideBySide) else columns_of(self.results)

    @cached_property
    def n_feasible(self) -> int:
        """How many meet every limit; they come first."""
        return int(self.columns.feasible.sum())

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Place of each candidate in the order, from 0, by its id."""
        return {name: row for row, name in enumerate(self.columns.ids)}

    @cached_property
    def by_id(self) -> Mapping[str, CandidateResult]:
        """Results by candidate id."""
        return MadeByKey(self.row_of, self.results.__getitem__)

    @cached_property
    def best_rows(self) -> tuple[int, ...]:
        """Places of the best candidate of each accelerator, the most trusted first: the few bars a chart shows.

        What can be had at a proved price comes before what can be had, and that before what is on paper, of a chip and
        of all; rejected ones come last. Of a chip's options that the draws compare with others, that one is shown.
        """
        is_apart = np.isnan(self.columns.best)
        order = np.lexsort((is_apart, -self.columns.trust, ~self.columns.feasible))
        rows: dict[str, int] = {}
        for row in order.tolist():
            rows.setdefault(self.columns.accelerators[row].id, row)
        return tuple(rows.values())

    @cached_property
    def best_per_accelerator(self) -> Sequence[CandidateResult]:
        """These candidates, each put together when somebody looks."""
        results, rows = self.results, self.best_rows
        return LazySequence(len(rows), lambda place: results[rows[place]])

    @cached_property
    def best_feasible(self) -> tuple[CandidateResult, ...]:
        """Those of them that meet every limit: of thousands of candidates only these few are put together."""
        return tuple(self.results[row] for row in self._best_feasible_rows)

    def shown_feasible(self, most: int) -> tuple[CandidateResult, ...]:
        """Up to ``most`` of :attr:`best_feasible`, in that order: the first of them, and always those against which
        words hold the pick, so that no chart or table lacks what a reason names."""
        rows, named = self._best_feasible_rows, self._named_rows
        first = [row for row in rows if row not in named][: max(most - len(named), 0)]
        return tuple(self.results[row] for row in rows if row in named or row in first)

    @property
    def _best_feasible_rows(self) -> list[int]:
        return [row for row in self.best_rows if self.columns.feasible[row]]

    @cached_property
    def _named_rows(self) -> list[int]:
        """Of the best of each accelerator: the first of all, of GPU and of TPU, the runner-up, and the cheapest of all
        that are trusted where it is one of these. The draws compare one option a chip, which is the one shown."""
        rows, columns = self._best_feasible_rows, self.columns
        trusted = trusted_rows(columns, self.n_feasible)
        firsts = [next((row for row in rows if columns.accelerators[row].kind == kind), -1) for kind in ("gpu", "tpu")]
        cheapest = trusted[columns.cost_usd[trusted].argsort(kind="stable")[:1]].tolist()
        named = {*rows[:1], *firsts, *cheapest, self.row_of.get(self.recommendation.runner_up or "", -1)}
        return [row for row in rows if row in named]

    @property
    def runner_up(self) -> CandidateResult | None:
        """The option that wins most often when the pick does not, if any."""
        return self.by_id.get(self.recommendation.runner_up or "")

    @property
    def trusted(self) -> Sequence[CandidateResult]:
        """Those among which the pick is taken, best first; put together one by one when somebody looks."""
        rows, results = trusted_rows(self.columns, self.n_feasible).tolist(), self.results
        return LazySequence(len(rows), lambda number: results[rows[number]])

    @cached_property
    def best_trusted(self) -> tuple[CandidateResult, ...]:
        """The best of each accelerator among those: their prices are the ones that count."""
        rows = trusted_rows(self.columns, self.n_feasible)
        rows = rows[np.argsort(np.isnan(self.columns.best[rows]), kind="stable")]
        firsts = numbered(self.columns.accelerators[row].id for row in rows.tolist())[1]
        return tuple(self.results[int(rows[number])] for number in firsts)

    def first_of(
        self, key: Callable[[Accelerator, Offer], Hashable], n: int | None = None, trusted_first: bool = False
    ) -> tuple[CandidateResult, ...]:
        """The first result of each key that chips and offers have, in their order, among the first ``n``: the feasible
        ones unless told otherwise. ``trusted_first``: those of :attr:`trusted` before any other."""
        every = range(self.n_feasible if n is None else n)
        before = trusted_rows(self.columns, self.n_feasible).tolist() if trusted_first else ()
        rows: dict[Hashable, int] = {}
        for row in (*before, *every):
            rows.setdefault(key(self.columns.accelerators[row], self.columns.offers[row]), row)
        return tuple(self.results[row] for row in rows.values())

    @cached_property
    def contenders(self) -> tuple[CandidateResult, ...]:
        """The few feasible results on which what is said about a candidate rests; see :func:`contending_rows`."""
        return tuple(self.results[row] for row in contending_rows(self.columns, self.n_feasible).tolist())

    @cached_property
    def by_offer(self) -> Mapping[str, tuple[CandidateResult, ...]]:
        """Results of each offer by its id, fewest chips first."""
        rows: dict[str, list[int]] = {}
        for row, offer in enumerate(self.columns.offers):
            rows.setdefault(offer.id, []).append(row)
        results, chips = self.results, self.columns.n_chips
        return MadeByKey(rows, lambda own: tuple(results[row] for row in sorted(own, key=chips.__getitem__)))

    @property
    def choice(self) -> CandidateResult | None:
        """The recommended result, if any."""
        return self.by_id.get(self.recommendation.choice or "")

    @property
    def nearest(self) -> CandidateResult | None:
        """Where nothing fits, the option that comes nearest."""
        return self.by_id.get(self.recommendation.nearest or "")
