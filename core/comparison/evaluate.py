"""Evaluates a profile: every offer screened, predicted, billed, scored, ranked and defended, in small steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

from core.catalogue.catalogue import Catalogue
from core.catalogue.prices.dates import as_of_date, oldest
from core.comparison.advice.rules import advise
from core.comparison.columns import contending_rows, first_rejected_rows
from core.comparison.judge.assemble import Judged, judge
from core.comparison.judge.calendar import calendar_days, days_left, porting_efforts
from core.comparison.judge.candidates import for_all_of_groups, shortlisted_of
from core.comparison.judge.durations import read_clock
from core.comparison.judge.shortlist import shortlist
from core.comparison.missing import missing_facts
from core.comparison.rank.contenders import could_win
from core.comparison.rank.standings import Standings, board_of_all, standings
from core.comparison.recommendation.arguments import best_of_each
from core.comparison.recommendation.recommend import recommend, too_little_known
from core.comparison.result import Basis, CandidateResult, ResultSet
from core.comparison.search.option_set import option_set_of
from core.comparison.search.pool import build_pool, speed_groups_of
from core.comparison.search.predictions import Predict
from core.comparison.search.screen import screen
from core.throughput.correction import NO_CORRECTIONS, Corrections
from core.throughput.predict import predict
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
    predict: Predict = predict,
) -> ResultSet:
    """The answer for one profile; Cancelled is raised soon after ``cancelled()`` turns true.

    ``predict`` is the engine, or one that remembers what it was asked (:class:`RememberedPredictions`). A profile whose
    essentials were never entered gets no ranking: the results are empty and ``missing`` names them.
    """
    started = perf_counter()
    missing = missing_facts(profile)
    if missing:
        recommendation = too_little_known(missing)
        advice = advise(profile, (), ())
        return ResultSet(
            profile,
            catalogue.date,
            corrections.label,
            (),
            recommendation,
            advice,
            "",
            missing=missing,
            basis=Basis(catalogue, corrections),
        )
    judged = _judged(profile, catalogue, corrections, cancelled, predict)
    _stop_if(cancelled)
    return _answer(corrections, judged, started)


def _judged(
    profile: Profile,
    catalogue: Catalogue,
    corrections: Corrections,
    cancelled: Callable[[], bool],
    predict: Predict,
) -> Judged:
    """Every candidate with its bill and its score, not yet ranked.

    Speed and times are worked out once for each group of options that only price and region tell apart.
    """
    _stop_if(cancelled)
    option_set = option_set_of(catalogue)
    screened, taken = screen(profile, catalogue, option_set)
    efforts = porting_efforts(profile, catalogue, {option.accelerator.id for option in screened.options})
    porting = {chip: calendar_days(weeks, profile.team.engineers) for chip, weeks in efforts.items()}
    _stop_if(cancelled)
    groups = speed_groups_of(profile, catalogue, option_set, taken)
    pool = build_pool(profile, catalogue, groups.firsts, lambda option: days_left(profile, porting, option))
    throughputs = predict(profile, pool.systems, corrections)
    _stop_if(cancelled)
    clock = read_clock(profile, catalogue, pool, throughputs, porting)
    pairs = shortlist(profile, pool, throughputs, clock)
    shortlisted = shortlisted_of(pool, throughputs, clock, pairs, profile.job.busiest_requests_per_s)
    _stop_if(cancelled)
    return judge(
        profile, catalogue, screened, for_all_of_groups(shortlisted, screened.options, groups.group_of), efforts
    )


def _stop_if(cancelled: Callable[[], bool]) -> None:
    if cancelled():
        raise Cancelled


def _answer(corrections: Corrections, judged: Judged, started: float) -> ResultSet:
    profile, catalogue = judged.profile, judged.batch.catalogue
    ranking = standings(profile, judged)
    ranked, rejected = decisive(ranking)
    board = board_of_all(profile, judged, ranking)
    return ResultSet(
        profile=profile,
        catalogue_date=catalogue.date,
        calibration=corrections.label,
        results=ranking.results,
        recommendation=recommend(profile, ranked, rejected, board.taken(could_win(board))),
        advice=advise(profile, ranked, rejected),
        oldest_price=oldest_price(best_of_each(ranked)),
        evaluation_s=perf_counter() - started,
        basis=Basis(catalogue, corrections),
    )


def decisive(ranking: Standings) -> tuple[list[CandidateResult], Sequence[CandidateResult]]:
    """The few results on which everything said about the ranking rests, ranked and rejected, each in its order.

    Of the rejected ones the first of each chip; all of them where nothing else is left.
    """
    results, n = ranking.results, ranking.n_ranked
    if not n:
        return [], results
    ranked, rejected = contending_rows(results.columns, n), first_rejected_rows(results.columns, n)
    return [results[row] for row in ranked.tolist()], [results[row] for row in rejected.tolist()]


def oldest_price(results: Sequence[CandidateResult]) -> str:
    """Date of the oldest dated price among some options, as read; empty when none is dated."""
    offer = oldest(result.candidate.offer for result in results)
    read = as_of_date(offer) if offer else None
    return f"{read.day} {read:%b %Y}" if read else ""
