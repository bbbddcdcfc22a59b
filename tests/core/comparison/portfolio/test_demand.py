"""Chips over the days: services by the hour, batches in their windows, runs again and again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from math import ceil

import numpy as np
import pytest

from core.comparison.judge.durations import slow_shares
from core.comparison.portfolio.accounts import Paid, rents
from core.comparison.portfolio.calendar import Calendar, calendar_of
from core.comparison.portfolio.demand import (
    Work,
    alone_by_hour,
    edges_of,
    has_load_by_hour,
    held_alone,
    held_pooled,
    most_alone,
    most_pooled,
    pooled_by_hour,
    span_of,
    stretches,
    work_of,
)
from core.comparison.portfolio.pools import need_of
from core.comparison.portfolio.uses import quiet_hours, use_of
from core.comparison.result import CandidateResult, ResultSet
from core.workload.portfolio import Member

Answers = Mapping[str, ResultSet]
DAY = date(2027, 1, 1)


def _work(answers: Answers, name: str, **member: object) -> Work:
    choice = answers[name].choice
    assert choice is not None
    return work_of(answers[name].profile, choice, Member.model_validate({"workload": name, **member}))


def _of_single_chips(answers: Answers, name: str, **member: object) -> Work:
    """The same on the first option of single chips, which are held one by one; the pick may be a server of eight."""
    singles = (
        one for one in answers[name].trusted if (load := one.throughput.load) and load.units == one.candidate.n_chips
    )
    return replace(_work(answers, name, **member), result=next(singles))


def _calendar(*works: Work, months: int | None = None) -> Calendar:
    first, n_days = span_of(works, months)
    return calendar_of(first, n_days, edges_of(works, first, n_days))


def test_slots_of_a_day_are_whole_and_cut_where_work_ends() -> None:
    calendar = calendar_of(DAY, 400, [3.75, 51.5, 24.0])
    assert calendar.widths_h.sum() == pytest.approx(24.0)
    assert {3.75, 3.5} <= set(calendar.edges) and len(calendar.edges) == 27
    assert calendar.months[0] == (2027, 1) and calendar.months[-1] == (2028, 2)
    assert calendar.month_of[[30, 31, 365]].tolist() == [0, 1, 12]
    assert calendar.week_of[[6, 7]].tolist() == [0, 1]


def test_a_service_holds_what_its_bill_counts_and_takes_less_of_a_pool(answers: Answers) -> None:
    work = _work(answers, "chat-70b")
    calendar = _calendar(work)
    alone, kept, hourly = (
        held_alone(work, calendar),
        held_pooled(work, calendar, False),
        held_pooled(work, calendar, True),
    )
    assert float(alone.sum(axis=0) @ calendar.widths_h) == pytest.approx(work.n_chips * 8760.0)
    assert (hourly <= kept).all() and (kept <= alone).all() and hourly.sum() < kept.sum()
    assert hourly.min() >= 1


@pytest.mark.parametrize("use", [0.0, 0.3, 1.0, 1.7])
def test_use_scales_a_service_and_a_pool_never_takes_more(answers: Answers, use: float) -> None:
    work = _of_single_chips(answers, "chat-70b")
    service = work.profile.job.service
    assert service is not None
    alone = alone_by_hour(service, work.result, use)
    for lends in (True, False):
        assert (pooled_by_hour(service, work.result, use, lends) <= alone).all()
    assert alone.max() == np.ceil(work.result.candidate.n_chips * use)


def test_a_nightly_batch_is_so_many_hours_of_every_day(answers: Answers) -> None:
    work = replace(_work(answers, "nightly-scoring"), start_hour=22)
    calendar = _calendar(work)
    held = held_alone(work, calendar)
    batch_h = work.result.run_h.likely + work.profile.job.set_up_h
    assert float(held.sum(axis=0) @ calendar.widths_h) == pytest.approx(work.n_chips * batch_h * 360, rel=5e-3)
    assert not held[1:, (calendar.hours > 8) & (calendar.hours < 22)].any()


def test_a_larger_batch_takes_longer_and_a_month_without_use_nothing(answers: Answers) -> None:
    work = _work(answers, "nightly-scoring", use_pct=(100, 200, 0))
    calendar = _calendar(work)
    by_month = np.bincount(calendar.month_of, held_alone(work, calendar) @ calendar.widths_h)
    per_day = by_month / np.bincount(calendar.month_of)
    assert per_day[1] > 1.8 * per_day[0] and not per_day[3:].any()


def test_a_run_comes_again_and_never_before_the_last_one_is_done(answers: Answers) -> None:
    work = _work(answers, "retrain-13b", every_months=3)
    told = stretches(work, work.begin, 365)
    assert [round(one.begin_h / 24) for one in told] == [0, 91, 183, 274]
    long = replace(work, hours=24.0 * 100)
    again = stretches(long, work.begin, 365)
    assert all(one.begin_h + one.hours <= two.begin_h for one, two in zip(again, again[1:], strict=False))
    assert stretches(_work(answers, "retrain-13b"), work.begin, 365)[0].hours == pytest.approx(work.hours)


def test_batches_start_when_the_pool_is_quietest(answers: Answers) -> None:
    chat, batch = _work(answers, "chat-70b"), _work(answers, "nightly-scoring")
    service = chat.profile.job.service
    assert service is not None
    day = pooled_by_hour(service, chat.result, 1.0, True)
    hour = quiet_hours([chat, batch])["nightly-scoring"]
    assert day[hour] == day.min() and day.min() < day.max()
    set_by_hand = _work(answers, "nightly-scoring", start_hour=15)
    assert quiet_hours([chat, set_by_hand])["nightly-scoring"] == 15


def test_months_typed_cut_the_portfolio_short(answers: Answers) -> None:
    work = _work(answers, "chat-70b")
    assert span_of([work], 6) == (work.begin, 183)
    assert span_of([work], None) == (work.begin, 365)


@pytest.mark.parametrize("use_pct", [100, 40])
def test_a_service_whose_hours_nobody_knows_has_chips_for_its_busiest_hour(answers: Answers, use_pct: int) -> None:
    """Autoscaling holds what the mean of the day takes; its busiest hour may be any, and needs more."""
    work = _steady(_of_single_chips(answers, "chat-70b", use_pct=(use_pct,)))
    calendar, load = _calendar(work), work.result.throughput.load
    assert load is not None
    of_one = load.max_requests_per_s / work.n_chips
    held, most = held_pooled(work, calendar, True).max(), most_pooled(work, calendar).max()
    peak_per_s = work.profile.job.busiest_requests_per_s
    assert peak_per_s is not None
    assert held * of_one < peak_per_s * use_pct / 100 <= (most + 1e-9) * of_one
    assert most_alone(work, calendar).max() == pytest.approx(work.n_chips * use_pct / 100, abs=1.0)


def test_work_that_comes_and_goes_needs_no_more_than_it_holds(answers: Answers) -> None:
    batch = _work(answers, "nightly-scoring")
    assert not most_pooled(batch, _calendar(batch)).any() and not most_alone(batch, _calendar(batch)).any()


def test_a_service_has_the_room_in_a_pool_that_its_candidate_has(answers: Answers) -> None:
    """Its busiest hour is carried where its speed turns out slow, by chips that the candidate has at most: no pool is
    cheaper than a pick for being full at the likely speed."""
    chat = _of_single_chips(answers, "chat-70b")
    service, load, calendar = chat.profile.job.service, chat.result.throughput.load, _calendar(chat)
    assert service is not None and load is not None and has_load_by_hour(chat.profile)
    [slow] = slow_shares(service, [chat.result.throughput])
    likely_chips = service.peak_requests_per_s * chat.n_chips / load.max_requests_per_s
    kept, by_hour = held_pooled(chat, calendar, False), held_pooled(chat, calendar, True)
    assert ceil(likely_chips) < kept.max() == min(ceil(likely_chips / slow), chat.n_chips)
    assert (most_pooled(chat, calendar) >= by_hour).all() and most_pooled(chat, calendar).max() == kept.max()
    tight = replace(chat, result=_with_chips(chat.result, ceil(likely_chips)))
    assert held_pooled(tight, calendar, False).max() == ceil(likely_chips), "none without room of its own"


def _with_chips(result: CandidateResult, n_chips: int) -> CandidateResult:
    """The same of single chips, so many of them."""
    load, factor = result.throughput.load, n_chips / result.candidate.n_chips
    assert load is not None and load.units == result.candidate.n_chips
    fewer = replace(
        load,
        units=n_chips,
        replicas=round(load.replicas * factor),
        max_requests_per_s=load.max_requests_per_s * factor,
    )
    candidate = replace(result.candidate, n_chips=n_chips)
    return replace(result, candidate=candidate, throughput=replace(result.throughput, load=fewer))


def test_the_peak_of_a_pool_holds_for_services_whose_hours_nobody_knows(answers: Answers) -> None:
    works = [_steady(_work(answers, "chat-70b")), _work(answers, "nightly-scoring")]
    calendar = _calendar(*works)
    uses = [use_of(work, answers[work.profile.id], calendar) for work in works]
    need = need_of(uses, calendar, 1, None, True)
    (chat, batch) = uses
    assert need.chips.max() < need.peak_chips == (chat.most_pooled + batch.at_work).max()
    paid = Paid(1.0, need.span_h, None)
    usd = rents(need, paid)
    assert len(usd) == need.peak_chips + 1, "bases up to the peak"
    assert np.isinf(usd[:-1]).all() and np.isfinite(usd[-1]), "with nothing to be had above it only the peak will do"


def _steady(work: Work) -> Work:
    """The same with autoscaling, of a load that is alike at all hours."""
    job = work.profile.job.model_copy(update={"traffic": "steady", "autoscale": True, "mean_load_pct": 30.0})
    return replace(work, profile=work.profile.model_copy(update={"job": job}))
