"""Evaluates a profile: every offer screened, predicted, billed, scored, ranked and defended, in small steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter

import numpy as np

from core.breath import breathe, breathing
from core.catalogue.catalogue import Catalogue
from core.catalogue.prices.dates import as_of_words, oldest
from core.comparison.advice.conflicts import conflicts
from core.comparison.advice.rules import advise
from core.comparison.columns import SideBySide, contending_rows, first_rejected_rows, trusted_rows
from core.comparison.judge.assemble import Judged, judge
from core.comparison.missing import missing_facts
from core.comparison.questions.have import have
from core.comparison.rank.contenders import could_win
from core.comparison.rank.nearest import nearest_rows
from core.comparison.rank.standings import Standings, board_of_all, standings
from core.comparison.recommendation.arguments import best_of_each
from core.comparison.recommendation.flip_points import FlipPoints
from core.comparison.recommendation.leads import leads
from core.comparison.recommendation.recommend import recommend, too_little_known
from core.comparison.recommendation.rivalry import rivalry_of, runner_up_place
from core.comparison.result import Basis, CandidateResult, ResultSet
from core.comparison.search.option_set import Index
from core.comparison.shortlisting import Search, search
from core.lazy_sequence import LazySequence
from core.throughput.correction import NO_CORRECTIONS, Corrections
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
    search: Search = search,
) -> ResultSet:
    """The answer for one profile; Cancelled is raised soon after ``cancelled()`` turns true.

    ``search`` looks for the candidates, or remembers what it was asked (:class:`RememberedSearch`). A profile whose
    essentials were never entered gets no ranking: the results are empty and ``missing`` names them.
    """
    started = perf_counter()
    missing = missing_facts(profile)
    if missing:
        recommendation = too_little_known(missing)
        advice = advise(profile, (), (), catalogue)
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
    with breathing(partial(_stop_if, cancelled)):
        breathe()
        worth = search(profile, catalogue, corrections)
        judged = judge(profile, catalogue, worth.screened, worth.shortlisted, worth.efforts)
        return _answer(corrections, judged, started)


def _stop_if(cancelled: Callable[[], bool]) -> None:
    if cancelled():
        raise Cancelled


def _answer(corrections: Corrections, judged: Judged, started: float) -> ResultSet:
    profile, catalogue = judged.profile, judged.batch.catalogue
    breathe()
    ranking = standings(profile, judged)
    breathe()
    trusted = trusted_rows(ranking.results.columns, ranking.n_ranked)
    ranked, rejected = decisive(profile, ranking, trusted)
    board = board_of_all(profile, judged, ranking)
    candidates = board.taken(trusted)
    breathe()
    had = have(ranking.results.columns, ranking.results)
    recommended = recommend(profile, ranked, rejected, candidates.taken(could_win(candidates)), rivalry_of(ranking))
    breathe()
    nearest = rejected if ranked else _first_of_chips(ranking)
    advice = advise(profile, ranked, nearest, catalogue)
    breathe()
    others = np.setdiff1d(np.arange(ranking.n_ranked), trusted)
    answer = ResultSet(
        profile=profile,
        catalogue_date=catalogue.date,
        calibration=corrections.label,
        results=ranking.results,
        recommendation=replace(
            recommended,
            reasons_for=(*recommended.reasons_for, *(one.sentence for one in had)),
            leads=leads(profile, ranking, board, others),
        ),
        advice=advice,
        advice_conflicts=conflicts(advice, ranked, nearest),
        oldest_price=oldest_price(best_of_each(ranked)),
        evaluation_s=perf_counter() - started,
        basis=Basis(catalogue, corrections),
        draw=ranking.drawn,
    )
    flips = FlipPoints(answer, judged, ranking)
    return replace(answer, recommendation=replace(answer.recommendation, would_change_it=flips))


def decisive(
    profile: Profile, ranking: Standings, trusted: Index
) -> tuple[list[CandidateResult], Sequence[CandidateResult]]:
    """The few results on which everything said about the ranking rests, ranked and rejected, each in its order.

    Of the ranked ones only those that are ``trusted``, the runner-up among them; of the rejected ones the first of each
    chip. Where nothing else is left, all of them, the nearest first.
    """
    results, n = ranking.results, ranking.n_ranked
    if not n:
        places = nearest_rows(profile, results.columns).tolist()
        return [], LazySequence(len(places), lambda place: results[places[place]])
    ranked = trusted[contending_rows(results.columns.take(trusted), len(trusted))]
    rival = runner_up_place(ranking)
    ranked = ranked if rival is None else np.union1d(ranked, rival)
    return [results[row] for row in ranked.tolist()], _first_of_chips(ranking, n)


def _first_of_chips(ranking: Standings, n_feasible: int = 0) -> Sequence[CandidateResult]:
    """The first rejected result of each chip, put together when somebody looks."""
    results, rows = ranking.results, first_rejected_rows(ranking.results.columns, n_feasible)
    return SideBySide(results.columns.take(rows), lambda place: results[int(rows[place])])


def oldest_price(results: Sequence[CandidateResult]) -> str:
    """Date of the oldest dated price among some options, as read; empty when none is dated."""
    offer = oldest(result.candidate.offer for result in results)
    return as_of_words(offer.as_of) if offer else ""
