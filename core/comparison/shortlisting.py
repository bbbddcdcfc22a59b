"""From a profile to the candidates that are worth a bill: screened, predicted, timed, before any money is counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from core.breath import breathe
from core.catalogue.catalogue import Catalogue
from core.comparison.judge.any_price import misses_at_any_price
from core.comparison.judge.calendar import calendar_days, days_before, days_left, porting_efforts
from core.comparison.judge.candidates import Shortlisted, for_all_of_groups, shortlisted_of
from core.comparison.judge.durations import read_clock
from core.comparison.judge.room import with_room
from core.comparison.judge.shortlist import shortlist
from core.comparison.search.option_set import Index, option_set_of
from core.comparison.search.pool import Kinds, build_pool, kinds_of, speed_groups_of
from core.comparison.search.predictions import MOST_KEPT, Predict, RememberedPredictions
from core.comparison.search.representatives import represented
from core.comparison.search.screen import Screened, screen
from core.ranges import Range
from core.throughput.correction import Corrections
from core.throughput.predict import predict
from core.workload.profile import Profile

T = TypeVar("T")


@dataclass(frozen=True)
class WorthBilling:
    """The options, the candidates made of them, and engineer-weeks of porting by chip."""

    screened: Screened
    shortlisted: Shortlisted
    efforts: dict[str, Range]


@dataclass(frozen=True)
class Ground:
    """What is searched, whatever the deadline: the options, one of each group that only price and region tell apart,
    the group of each option and for how many it stands in there, engineer-weeks and calendar days of porting by chip,
    and days before a run on each group.
    """

    screened: Screened
    kinds: Kinds
    group_of: Index
    stands_for: Index
    efforts: dict[str, Range]
    porting: dict[str, Range]
    before_days: tuple[float, ...]


Search = Callable[[Profile, Catalogue, Corrections], WorthBilling]
Prepare = Callable[[Profile, Catalogue], Ground]


def ground_of(profile: Profile, catalogue: Catalogue) -> Ground:
    """Screens the options and groups them."""
    option_set = option_set_of(catalogue)
    screened, taken = screen(profile, catalogue, option_set)
    efforts = porting_efforts(profile, catalogue, {option.accelerator.id for option in screened.options})
    porting = {chip: calendar_days(weeks, profile.team.engineers) for chip, weeks in efforts.items()}
    breathe()
    groups = speed_groups_of(profile, catalogue, option_set, taken)
    kinds = kinds_of(profile, catalogue, groups.firsts, groups.route_ms)
    before_days = tuple(days_before(kinds, porting).tolist())
    breathe()
    n_admitted = sum(not reasons for reasons in screened.reasons)
    stands_for = represented(profile, option_set, taken, groups.group_of, n_admitted)
    return Ground(screened, kinds, groups.group_of, stands_for, efforts, porting, before_days)


def search(
    profile: Profile,
    catalogue: Catalogue,
    corrections: Corrections,
    predict: Predict = predict,
    prepare: Prepare = ground_of,
) -> WorthBilling:
    """Looks for candidates.

    Speed and times are worked out once for each group of options that only price and region tell apart.
    """
    ground = prepare(profile, catalogue)
    breathe()
    days = [days_left(profile, before_days) for before_days in ground.before_days]
    pool = build_pool(catalogue, ground.kinds, days)
    throughputs = predict(profile, pool.systems, corrections)
    breathe()
    pool = with_room(profile, pool, throughputs)
    clock = read_clock(profile, catalogue, pool, throughputs, ground.porting)
    breathe()
    pairs = shortlist(profile, pool, throughputs, clock)
    breathe()
    shortlisted = shortlisted_of(pool, throughputs, clock, pairs, profile.job.busiest_requests_per_s)
    is_out = ~shortlisted.fits | misses_at_any_price(profile, shortlisted).any(axis=1)
    for_all, left = for_all_of_groups(shortlisted, is_out, ground.screened.options, ground.group_of, ground.stands_for)
    return WorthBilling(ground.screened.taken(left), for_all, ground.efforts)


class RememberedSearch:
    """The search, asked only what it was not asked lately; within it, so are its ground and the engine. May be called
    from several threads.

    A question is the catalogue as an object, the corrections, and all of a profile that the search reads: not its
    weights, its budget, or what only the bill reads.
    """

    def __init__(self) -> None:
        self._predict = RememberedPredictions()
        self._answers = _Remembered[WorthBilling]()
        self._grounds = _Remembered[Ground]()

    def __call__(self, profile: Profile, catalogue: Catalogue, corrections: Corrections) -> WorthBilling:
        """As :func:`search`."""
        asked = (*read_by_search(profile), corrections)
        return self._answers.of(
            catalogue, asked, lambda: search(profile, catalogue, corrections, self._predict, self.ground)
        )

    def ground(self, profile: Profile, catalogue: Catalogue) -> Ground:
        """As :func:`ground_of`."""
        return self._grounds.of(catalogue, _read_by_ground(profile), lambda: ground_of(profile, catalogue))


class _Remembered(Generic[T]):
    """The last few answers, by the catalogue as an object and a question."""

    def __init__(self) -> None:
        self._kept: tuple[tuple[Catalogue, tuple[object, ...], T], ...] = ()

    def of(self, catalogue: Catalogue, asked: tuple[object, ...], answer: Callable[[], T]) -> T:
        """The answer to a question, worked out where it is not known."""
        for own, question, known in self._kept:
            if own is catalogue and question == asked:
                return known
        new = answer()
        self._kept = ((catalogue, asked, new), *self._kept)[:MOST_KEPT]
        return new


def read_by_search(profile: Profile) -> tuple[object, ...]:
    """What the search reads of a profile."""
    limits, team = profile.limits.model_copy(update={"budget_usd": None}), profile.team
    people = team.xla_experience, team.engineers
    return profile.model, profile.job, profile.stack, profile.places, profile.owning.site, limits, *people


def _read_by_ground(profile: Profile) -> tuple[object, ...]:
    """What its ground reads: neither the deadline nor the start."""
    no_deadline = profile.limits.model_copy(update={"deadline_days": None, "start_date": None})
    return read_by_search(profile.model_copy(update={"limits": no_deadline}))
