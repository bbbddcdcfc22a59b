"""From a profile to the candidates that are worth a bill: screened, predicted, timed, before any money is counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.breath import breathe
from core.catalogue.catalogue import Catalogue
from core.comparison.judge.calendar import calendar_days, days_left, porting_efforts
from core.comparison.judge.candidates import Shortlisted, for_all_of_groups, shortlisted_of
from core.comparison.judge.durations import read_clock
from core.comparison.judge.shortlist import shortlist
from core.comparison.search.option_set import option_set_of
from core.comparison.search.pool import build_pool, speed_groups_of
from core.comparison.search.predictions import MOST_KEPT, Predict, RememberedPredictions
from core.comparison.search.screen import Screened, screen
from core.ranges import Range
from core.throughput.correction import Corrections
from core.throughput.predict import predict
from core.workload.profile import Profile


@dataclass(frozen=True)
class WorthBilling:
    """The options, the candidates made of them, and engineer-weeks of porting by chip."""

    screened: Screened
    shortlisted: Shortlisted
    efforts: dict[str, Range]


Search = Callable[[Profile, Catalogue, Corrections], WorthBilling]


def search(
    profile: Profile,
    catalogue: Catalogue,
    corrections: Corrections,
    predict: Predict = predict,
) -> WorthBilling:
    """Looks for candidates.

    Speed and times are worked out once for each group of options that only price and region tell apart.
    """
    option_set = option_set_of(catalogue)
    screened, taken = screen(profile, catalogue, option_set)
    efforts = porting_efforts(profile, catalogue, {option.accelerator.id for option in screened.options})
    porting = {chip: calendar_days(weeks, profile.team.engineers) for chip, weeks in efforts.items()}
    breathe()
    groups = speed_groups_of(profile, catalogue, option_set, taken)
    pool = build_pool(profile, catalogue, groups.firsts, lambda option: days_left(profile, catalogue, porting, option))
    throughputs = predict(profile, pool.systems, corrections)
    breathe()
    clock = read_clock(profile, catalogue, pool, throughputs, porting)
    pairs = shortlist(profile, pool, throughputs, clock)
    breathe()
    shortlisted = shortlisted_of(pool, throughputs, clock, pairs, profile.job.busiest_requests_per_s)
    return WorthBilling(screened, for_all_of_groups(shortlisted, screened.options, groups.group_of), efforts)


class RememberedSearch:
    """The search, asked only what it was not asked lately; within it, so is the engine. May be called from several
    threads.

    A question is the catalogue as an object, the corrections, and all of a profile that the search reads: not its
    weights, its budget, or what only the bill reads.
    """

    def __init__(self) -> None:
        self._predict = RememberedPredictions()
        self._kept: tuple[tuple[Catalogue, tuple[object, ...], WorthBilling], ...] = ()

    def __call__(self, profile: Profile, catalogue: Catalogue, corrections: Corrections) -> WorthBilling:
        """As :func:`search`."""
        asked = (*_read_of(profile), corrections)
        for own, question, answer in self._kept:
            if own is catalogue and question == asked:
                return answer
        answer = search(profile, catalogue, corrections, self._predict)
        self._kept = ((catalogue, asked, answer), *self._kept)[:MOST_KEPT]
        return answer


def _read_of(profile: Profile) -> tuple[object, ...]:
    """What the search reads of a profile."""
    limits, team = profile.limits.model_copy(update={"budget_usd": None}), profile.team
    people = team.xla_experience, team.engineers
    return profile.model, profile.job, profile.stack, profile.places, profile.owning.site, limits, *people
