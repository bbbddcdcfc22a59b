"""What to do where it slips, worked out by the engine from one answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest

from core.catalogue.loading import load_catalogue
from core.comparison.actuals.actuals_json import actuals_json
from core.comparison.actuals.answer import actuals_answer, actuals_answers
from core.comparison.actuals.baseline import drift, frozen, work_days
from core.comparison.actuals.from_log import taken_from
from core.comparison.actuals.options import EVEN, Option, _order, is_over, is_quiet, nothing_helps, options, slips
from core.comparison.actuals.standing import planned_end, standing
from core.comparison.actuals.words import NOTHING_HELPS, ONLY_ON, OVER, options_line
from core.comparison.evaluate import evaluate
from core.comparison.questions.number_of_chips import count_curve
from core.comparison.result import ResultSet
from core.errors import InputError
from core.logs.record import LogRecord, Quantity
from core.months import months_after
from core.plan.sample_plan import sample_plan
from core.workload.actuals import Baseline, Entry, Tracked
from core.workload.library import load_profiles

Make = Callable[..., Tracked]
TODAY = date(2026, 12, 1)


@pytest.fixture(scope="module")
def base(results: ResultSet) -> Baseline:
    return frozen(results, TODAY)


@pytest.fixture(scope="module")
def served() -> ResultSet:
    return evaluate(sample_plan().profiles[1], load_catalogue())


def _by_kind(options: tuple[Option, ...]) -> dict[str, Option]:
    return {one.kind: one for one in reversed(options)}


def test_the_plan_is_frozen_as_the_pick_stands(results: ResultSet, base: Baseline) -> None:
    pick = results.choice
    assert pick is not None and base.candidate == pick.id
    assert base.cost_usd == pick.cost.total.likely
    assert base.per_step == 1024 * 8192, "sequences of a step, each so many tokens"
    assert base.rate * base.work_days == pytest.approx(results.profile.job.paid_tokens)
    days = base.work_days + sum(pick.time_terms_days.get(term, 0.0) for term in ("waiting", "porting"))
    assert abs((planned_end(base) - results.profile.limits.start_date).days - days) <= 1
    assert drift(base, results) == ""


def test_today_is_told_where_it_differs(results: ResultSet, base: Baseline) -> None:
    dearer = base.model_copy(update={"cost_usd": 2 * base.cost_usd})
    assert "would cost" in str(drift(dearer, results))
    other = base.model_copy(update={"candidate": results.results[3].id})
    assert "would pick" in str(drift(other, results))


def test_more_work_than_planned_is_a_slip_of_a_service_alone(tracked: Make, baseline: Baseline) -> None:
    free = baseline.model_copy(update={"budget_usd": None})
    service = free.model_copy(update={"ends": False, "unit": "requests", "deadline": None})
    assert slips(standing(tracked(1.5, 1.5, 1.5, base=service)))
    assert not slips(standing(tracked(1.0, 1.0, 1.0, base=service)))
    assert not slips(standing(tracked(1.5, 1.5, 1.5, base=free)))
    assert slips(standing(tracked(0.5, 0.5, 0.5, base=free)))


def test_a_plan_on_time_needs_nothing(tracked: Make, results: ResultSet, base: Baseline) -> None:
    answer = actuals_answer(tracked(1.0, base=base), results)
    assert answer.options == () and str(options_line(answer.standing, ())).startswith("Nothing to do")


def test_a_slip_has_ways_on_that_the_engine_worked_out(tracked: Make, results: ResultSet, base: Baseline) -> None:
    answer = actuals_answer(tracked(0.3, 0.3, 0.3, base=base), results)
    ways = _by_kind(answer.options)
    assert {"accept", "longer", "smaller", "other"} <= set(ways)
    assert ways["accept"].more_usd == 0.0 and ways["accept"].forecast == answer.standing.forecast
    longer = ways["longer"]
    a_day_before = longer.forecast.chance_by(longer.target - timedelta(days=1))
    assert longer.chance_date is not None and a_day_before is not None
    assert a_day_before < 0.8 <= longer.chance_date and longer.target > base.deadline
    assert ways["smaller"].holds and ways["smaller"].changes["job.n_tokens"] < base.amount
    assert ways["other"].forecast.waited > 0 and ways["other"].changes["limits.exact_chips"] > 0
    held = [one.holds for one in answer.options]
    assert held == sorted(held, reverse=True)
    assert all((one.chance >= EVEN) == one.holds for one in answer.options)


def test_what_gives_something_up_stands_behind_what_does_not(tracked: Make, results: ResultSet, base: Baseline) -> None:
    known = _by_kind(actuals_answer(tracked(0.3, 0.3, 0.3, base=base), results).options)
    sure = {"chance_date": 0.9, "chance_budget": 0.9}
    accept, smaller, other = (replace(known[kind], **sure) for kind in ("accept", "smaller", "other"))
    assert smaller.is_less and not other.is_less
    assert _order(other) < _order(accept) and _order(other) < _order(smaller)
    failing = replace(other, chance_date=0.2)
    assert _order(accept) < _order(failing) < _order(replace(failing, chance_date=0.1))


def test_a_service_whose_offer_is_gone_can_only_go_on(tracked: Make, results: ResultSet, baseline: Baseline) -> None:
    gone = baseline.model_copy(update={"ends": False, "unit": "requests", "deadline": None, "candidate": "gone"})
    told = options(standing(tracked(1.5, 1.5, 1.5, base=gone)), results)
    assert [(one.kind, str(one.title)) for one in told] == [("accept", "Go on as it is")]
    assert options(standing(tracked(1.5, base=gone)), replace(results, basis=None))[1:] == ()


@pytest.fixture(scope="module")
def long(base: Baseline) -> Baseline:
    """Ten times the work at the same rate, to be done within a tenth more than it takes."""
    days = 10 * base.work_days
    update = {"amount": 10 * base.amount, "work_days": days, "cost_usd": 10 * base.cost_usd, "budget_usd": None}
    return base.model_copy(update={**update, "deadline": base.work_begins + timedelta(days=1.1 * days)})


def test_more_of_the_same_chips_are_worked_out_at_each_seller(
    tracked: Make, results: ResultSet, long: Baseline
) -> None:
    answer = actuals_answer(tracked(0.7, 0.7, 0.7, base=long), results)
    one, own = answer.standing, results.by_id[long.candidate]
    more = [option for option in answer.options if option.kind == "more"]
    assert more and len({option.changes["places.providers"] for option in more}) == len(more)
    for option in more:
        n_chips, forecast = option.changes["limits.exact_chips"], option.forecast
        assert n_chips > long.n_chips and f"instead of {long.name}" in str(option.title)
        assert forecast.end < one.forecast.end and forecast.waited > 0
        left = one.left - one.rate.middle * forecast.waited
        faster = left / forecast.days_left.middle / one.rate.middle
        assert 1.0 < faster <= 1.001 * n_chips / long.n_chips
    here = next(one for one in more if one.changes["places.providers"] == (own.candidate.offer.provider,))
    point = next(
        p for p in count_curve(results, own).points if p.candidate.n_chips == here.changes["limits.exact_chips"]
    )
    faster = work_days(results.profile, own).likely / work_days(results.profile, point).likely
    left = one.left - one.rate.middle * here.forecast.waited
    assert here.forecast.days_left.middle == pytest.approx(left / (one.rate.middle * faster))
    held = [option.holds for option in more]
    assert held[0] and held == sorted(held, reverse=True) and here.chance_date is not None


def test_more_chips_that_come_when_all_is_done_are_no_way_on(tracked: Make, results: ResultSet, base: Baseline) -> None:
    near = base.model_copy(update={"deadline": base.work_begins + timedelta(days=17)})
    answer = actuals_answer(tracked(0.9, 0.9, base=near), results)
    assert answer.options and "more" not in _by_kind(answer.options)


def test_a_busier_service_is_resized_by_the_engine_for_the_traffic_that_comes(served: ResultSet) -> None:
    base = frozen(served, TODAY)
    week = 7 * base.rate
    entries = tuple(
        Entry(day=base.work_begins + timedelta(days=7 * n), done=2.5 * week, spend_usd=7 * base.usd_per_day)
        for n in range(1, 5)
    )
    answer = actuals_answer(Tracked(workload=served.profile.id, baseline=base, entries=entries), served)
    ways = _by_kind(answer.options)
    resize, one = ways["resize"], answer.standing
    wanted = one.rate.middle / base.rate * served.profile.job.peak_requests_per_s
    assert resize.changes == {"job.peak_requests_per_s": pytest.approx(wanted)}
    assert resize.title.parts[1] == base.name and resize.chance_date is None
    assert resize.forecast.waited > 0 and resize.more_usd > 0
    assert resize.forecast.days_left.middle + resize.forecast.waited == pytest.approx(one.forecast.days_left.middle)
    as_planned = tuple(entry.model_copy(update={"done": week}) for entry in entries)
    assert not actuals_answer(Tracked(workload="x", baseline=base, entries=as_planned), served).options


def test_a_busier_service_keeps_the_room_that_it_was_given(served: ResultSet) -> None:
    """At half as many requests again four B200 carry the peak by the likely speed alone, and no chip to spare: six are
    what the comparison gives such a service."""
    pick, base = served.choice, frozen(served, TODAY)
    assert pick is not None
    days = (base.work_begins + timedelta(days=7 * n) for n in range(1, 9))
    spend_usd = 7 * base.usd_per_day
    entries = tuple(Entry(day=day, done=1.5 * 7 * base.rate, spend_usd=spend_usd) for day in days)
    answer = actuals_answer(Tracked(workload=served.profile.id, baseline=base, entries=entries), served)
    resize = _by_kind(answer.options)["resize"]
    job = served.profile.job.model_copy(update={name.split(".")[1]: more for name, more in resize.changes.items()})
    asked = evaluate(served.profile.model_copy(update={"job": job}), load_catalogue())
    same = [one for one in asked.results if one.candidate.offer.id == pick.candidate.offer.id]
    assert resize.title.parts == (same[0].candidate.name, base.name)
    kept = [one.chance.in_limits for one in same if one.chance and one.feasible]
    assert kept[0] > 0.9 > min(kept), "fewer carry it by the likely speed, and are often late"


def _served(shares: float, base: Baseline, spend_usd: float | None = None) -> Tracked:
    """Three entries of 30 days at a share of the planned traffic, each at the planned spend or another one."""
    usd = 30 * base.usd_per_day if spend_usd is None else spend_usd
    days = (base.work_begins + timedelta(days=30 * n) for n in (1, 2, 3))
    entries = tuple(Entry(day=day, done=30 * base.rate * shares, spend_usd=usd) for day in days)
    return Tracked(workload="x", baseline=base, entries=entries)


@pytest.fixture(scope="module")
def by_use() -> ResultSet:
    """A service on two chips that are paid by the hour."""
    return evaluate(load_profiles()["chat-serving-8b"], load_catalogue())


def test_a_quieter_service_is_offered_fewer_chips_with_what_they_save(by_use: ResultSet) -> None:
    pick, base = by_use.choice, frozen(by_use, TODAY)
    assert pick is not None and pick.candidate.offer.purchase_model == "on_demand" and base.n_chips == 2
    answer = actuals_answer(_served(0.4, base), by_use)
    assert [one.kind for one in answer.options] == ["resize", "accept"]
    fewer, accept = answer.options
    assert str(fewer.title).startswith("1 ×") and fewer.more_usd < 0 < accept.forecast.cost.likely
    assert fewer.forecast.waited == 0.0 and "owed" not in str(fewer.detail)
    wanted = answer.standing.rate.middle / base.rate * by_use.profile.job.peak_requests_per_s
    assert fewer.changes == {"job.peak_requests_per_s": pytest.approx(wanted)}
    asked = evaluate(
        by_use.profile.model_copy(
            update={"job": by_use.profile.job.model_copy(update={"peak_requests_per_s": wanted})}
        ),
        load_catalogue(),
    )
    same = [one for one in asked.results if one.feasible and one.candidate.offer.id == pick.candidate.offer.id]
    assert fewer.title.parts[0] == same[0].candidate.name, "as many as the comparison gives it, with its room"


def test_a_service_with_somewhat_less_traffic_or_bills_that_fell_with_it_goes_on(by_use: ResultSet) -> None:
    base = frozen(by_use, TODAY)
    assert actuals_answer(_served(0.95, base), by_use).options == ()
    fallen = actuals_answer(_served(0.4, base, spend_usd=20 * base.usd_per_day), by_use)
    assert fallen.options == () and is_quiet(fallen.standing)
    told = str(options_line(fallen.standing, ()))
    assert told.startswith("Less comes than planned, and fewer of these chips would save nothing; the budget is kept")


def test_committed_chips_that_are_not_wanted_save_nothing_until_their_term_ends() -> None:
    profile = load_profiles()["chat-serving-70b"]
    places = profile.places.model_copy(update={"purchase_models": ("commit_1y",)})
    told = {}
    for months in (12.0, 30.0):
        job = profile.job.model_copy(update={"months": months})
        results = evaluate(profile.model_copy(update={"places": places, "job": job}), load_catalogue())
        base = frozen(results, TODAY)
        told[months] = base, actuals_answer(_served(0.4, base), results).options
    assert told[12.0][1] == ()
    base, (fewer, accept) = told[30.0]
    year = (months_after(base.work_begins, 12) or TODAY) - base.work_begins
    assert fewer.forecast.waited == year.days - 90 and "all are owed till then" in str(fewer.detail)
    assert fewer.more_usd < 0 and accept.kind == "accept"


def test_a_list_of_one_way_says_that_there_is_no_other(tracked: Make, results: ResultSet, baseline: Baseline) -> None:
    gone = baseline.model_copy(update={"ends": False, "unit": "requests", "deadline": None, "candidate": "gone"})
    one = standing(tracked(1.5, 1.5, 1.5, base=gone))
    assert options_line(one, options(one, results)) == ONLY_ON


def test_what_is_over_leaves_nothing_to_choose(tracked: Make, results: ResultSet, baseline: Baseline) -> None:
    dear = Entry(day=baseline.work_begins + timedelta(days=130), done=baseline.amount, spend_usd=500_000.0)
    one = standing(Tracked(workload="a", baseline=baseline, entries=(dear,)))
    assert is_over(one) and options(one, results) == () and options_line(one, ()) == OVER
    service = standing(Tracked(workload="a", baseline=baseline.model_copy(update={"ends": False}), entries=(dear,)))
    assert is_over(service) and not is_over(standing(tracked(1.0)))


def test_a_service_has_no_date_to_keep(tracked: Make, baseline: Baseline) -> None:
    service = baseline.model_copy(update={"ends": False, "deadline": None})
    one = standing(tracked(1.0, base=service))
    assert str(options_line(one, ())).startswith("Nothing to do: the budget is kept with a chance of 80")
    free = standing(tracked(1.0, base=service.model_copy(update={"budget_usd": None})))
    assert "no more comes" in str(options_line(free, ()))
    run = standing(tracked(1.0, base=baseline.model_copy(update={"budget_usd": None})))
    assert str(options_line(run, ())).startswith("Nothing to do: the date is kept")


def test_nothing_helps_is_said_where_it_is_true(tracked: Make, results: ResultSet, base: Baseline) -> None:
    near = base.model_copy(update={"deadline": base.work_begins + timedelta(days=22)})
    answer = actuals_answer(tracked(0.1, 0.1, 0.1, base=near), results)
    assert nothing_helps(answer.options)
    assert options_line(answer.standing, answer.options) == NOTHING_HELPS


def test_json_has_every_figure(tracked: Make, results: ResultSet, base: Baseline) -> None:
    one = tracked(0.3, 0.3, 0.3, base=base).model_copy(update={"workload": results.profile.id})
    (told,) = actuals_json(actuals_answers([one], {results.profile.id: results}))
    assert told["forecast"]["ends"]["low"] <= told["forecast"]["ends"]["likely"] <= told["forecast"]["ends"]["high"]
    assert told["options"] and told["chance_in_time"] < 0.5
    assert actuals_answers([one], {}) == ()


def _log(**quantities: float) -> LogRecord:
    known = {name: Quantity("", 3, mean) for name, mean in quantities.items()}
    seconds = np.array([0.0, 86_400.0 * 2])
    return LogRecord("run.log", "x", 3, {}, None, None, 8, "2027-01-03T00:00:00", seconds, {}, known)


def test_a_log_gives_work_and_chip_hours_and_says_what_it_cannot(baseline: Baseline) -> None:
    taken = taken_from(_log(tokens_per_s_per_chip=0.5), "ab", baseline, TODAY)
    assert taken.entry.done == pytest.approx(0.5 * 8 * 86_400 * 2)
    assert (taken.entry.chip_hours, taken.entry.day) == (8 * 48.0, date(2027, 1, 5))
    assert (taken.entry.source, taken.entry.sha256) == ("log", "ab")
    assert "money" in taken.lacking[0]
    steps = taken_from(_log(step_time_s=50.0), "", baseline, TODAY)
    assert steps.entry.done == pytest.approx(86_400 * 2 / 50.0 * 100.0)


def test_what_a_log_does_not_say_is_told(baseline: Baseline) -> None:
    bare = replace(_log(tokens_per_s=4.0), start=None, n_accelerators=None)
    taken = taken_from(bare, "", baseline, TODAY)
    assert (taken.entry.day, taken.entry.chip_hours) == (TODAY, None) and taken.entry.done == 4.0 * 86_400 * 2
    assert [text.split(":")[0] for text in taken.lacking[1:]] == [
        "It is not dated",
        "It does not say how many chips ran",
    ]
    assert taken.how == "4 tokens/s over 48 h"
    with pytest.raises(InputError, match="tokens a second"):
        taken_from(replace(_log(tokens_per_s_per_chip=4.0), n_accelerators=None), "", baseline, TODAY)
    with pytest.raises(InputError, match="how long it ran"):
        taken_from(replace(bare, time_s=np.array([])), "", baseline, TODAY)
    stated = replace(bare, time_s=np.array([]), facts={"duration_s": 3600.0})
    assert taken_from(stated, "", baseline, TODAY).entry.done == 4.0 * 3600


def test_a_log_without_a_rate_is_refused(baseline: Baseline) -> None:
    with pytest.raises(InputError, match="tokens a second"):
        taken_from(_log(utilization_pct=50.0), "", baseline, TODAY)
