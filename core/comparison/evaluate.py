"""Evaluates a profile: every offer screened, predicted, billed, scored, ranked and defended, in small steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter

from core.catalogue.catalogue import Catalogue
from core.catalogue.prices import as_of_date, oldest
from core.comparison.advice import advise
from core.comparison.arguments import best_of_each
from core.comparison.assemble import assemble
from core.comparison.board import axes_of
from core.comparison.calendar import calendar_days, days_left, porting_efforts
from core.comparison.clock import read_clock
from core.comparison.kept import keep
from core.comparison.missing import missing_facts
from core.comparison.options import options
from core.comparison.pareto import pareto_mask
from core.comparison.pool import build_pool
from core.comparison.rank import order_best_first, utility
from core.comparison.recommend import recommend, too_little_known
from core.comparison.result import Basis, CandidateResult, ResultSet
from core.comparison.screen import screen
from core.comparison.shortlist import shortlist
from core.comparison.thin import thinned
from core.throughput.correction import NO_CORRECTIONS, Corrections
from core.throughput.predict import predict
from core.workload.job import OnlineServing
from core.workload.profile import Profile


class Cancelled(BaseException):
    """Raised between two steps when the caller no longer wants the answer. No failure, so not an Exception."""


def never() -> bool:
    """The evaluation is not cancelled."""
    return False


def evaluate(
    profile: Profile,
    catalogue: Catalogue,
    corrections: Corrections = NO_CORRECTIONS,
    cancelled: Callable[[], bool] = never,
) -> ResultSet:
    """The answer for one profile; Cancelled is raised soon after ``cancelled()`` turns true.

    A profile whose essentials were never entered gets no ranking: the results are empty and ``missing`` names them.
    """
    started = perf_counter()
    missing = missing_facts(profile)
    if missing:
        found = too_little_known(missing)
        advice = advise(profile, (), ())
        return ResultSet(
            profile,
            catalogue.date,
            corrections.label,
            (),
            found,
            advice,
            "",
            missing=missing,
            basis=Basis(catalogue, corrections),
        )
    results = _candidates(profile, catalogue, corrections, cancelled)
    return _answer(profile, catalogue, corrections, results, started)


def _candidates(
    profile: Profile, catalogue: Catalogue, corrections: Corrections, cancelled: Callable[[], bool]
) -> list[CandidateResult]:
    """Every candidate with its reasons, not yet ranked."""
    _stop_if(cancelled)
    screened = screen(profile, catalogue, options(catalogue))
    efforts = porting_efforts(profile, catalogue, {option.accelerator.id for option in screened.options})
    porting = {chip: calendar_days(weeks, profile.team.engineers) for chip, weeks in efforts.items()}
    _stop_if(cancelled)
    pool = build_pool(profile, catalogue, screened.options, lambda option: days_left(profile, porting, option))
    throughputs = predict(profile, pool.systems, corrections)
    _stop_if(cancelled)
    clock = read_clock(profile, catalogue, pool, throughputs, porting)
    pairs = shortlist(profile, pool, throughputs, clock)
    _stop_if(cancelled)
    peak = profile.job.peak_requests_per_s if isinstance(profile.job, OnlineServing) else None
    return assemble(profile, catalogue, screened, keep(pool, throughputs, clock, pairs, peak), efforts)


def _stop_if(cancelled: Callable[[], bool]) -> None:
    if cancelled():
        raise Cancelled


def _answer(
    profile: Profile, catalogue: Catalogue, corrections: Corrections, results: Sequence[CandidateResult], started: float
) -> ResultSet:
    ranked = rank(profile, [result for result in results if result.feasible])
    rejected = sorted(thinned([result for result in results if not result.feasible]), key=_nearness)
    return ResultSet(
        profile=profile,
        catalogue_date=catalogue.date,
        calibration=corrections.label,
        results=(*ranked, *rejected),
        recommendation=recommend(profile, ranked, rejected),
        advice=advise(profile, ranked, rejected),
        oldest_price=oldest_price(best_of_each(ranked)),
        evaluation_s=perf_counter() - started,
        basis=Basis(catalogue, corrections),
    )


def rank(profile: Profile, feasible: Sequence[CandidateResult]) -> list[CandidateResult]:
    """Feasible results best first, with utility, rank and Pareto mark filled in."""
    if not feasible:
        return []
    axes = axes_of(profile, feasible)
    utilities = utility(axes, profile.weights)
    front = pareto_mask(axes.cost_usd, axes.time)
    order = order_best_first(utilities, axes.cost_usd, [result.id for result in feasible])
    return [
        replace(feasible[row], utility=float(utilities[row]), pareto=bool(front[row]), rank=place)
        for place, row in enumerate(order, start=1)
    ]


def oldest_price(results: Sequence[CandidateResult]) -> str:
    """Date of the oldest dated price among some options, as read; empty when none is dated."""
    offer = oldest(result.candidate.offer for result in results)
    read = as_of_date(offer) if offer else None
    return f"{read.day} {read:%b %Y}" if read else ""


def _nearness(result: CandidateResult) -> tuple[bool, int, float, str]:
    """Rejected ones in order: those that run first, the fewest limits missed, the cheapest."""
    return not result.throughput.fits, len(result.reasons), result.cost.total.likely, result.id
