"""The plan's answer: what its picks come to together, in figures that add up."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.comparison.together.moving import alternatives, movings
from core.comparison.together.plan_answer import (
    PlanAnswer,
    added_up,
    as_printed,
    plan_answer,
    quarter_of,
    summed,
)
from core.ranges import Range
from core.units import Money, money_here, usd
from core.workload.library import load_profiles

NAMES = ("llama3-70b-pretraining", "chat-serving-70b")


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture(scope="module")
def result_sets(catalogue: Catalogue) -> list[ResultSet]:
    return [evaluate(load_profiles()[name], catalogue) for name in NAMES]


@pytest.fixture(scope="module")
def answer(result_sets: list[ResultSet]) -> PlanAnswer:
    found = plan_answer(result_sets)
    assert found is not None
    return found


def test_the_total_is_that_of_the_picks_and_the_move(answer: PlanAnswer) -> None:
    parts = [one.pick.cost.total.likely for one in answer.picks] + [one.usd for one in answer.moving]
    assert answer.total_usd.likely == pytest.approx(sum(parts))
    assert answer.total_usd.low < answer.total_usd.likely < answer.total_usd.high


def test_cash_by_quarter_is_the_total_and_lies_where_the_chips_are_held(answer: PlanAnswer) -> None:
    quarters = answer.cash_by_quarter
    assert sum(one.usd for one in quarters) == pytest.approx(answer.total_usd.likely)
    assert [(one.year, one.number) for one in quarters] == sorted((one.year, one.number) for one in quarters)
    run, service = answer.picks
    first = min(run.profile.limits.start_date, service.profile.limits.start_date)
    assert (quarters[0].year, quarters[0].number) == quarter_of(first)
    assert 4 <= len(quarters) <= 6, "a service of twelve months"
    assert (run.ends - run.begins).days < 40 and 360 <= (service.ends - service.begins).days <= 367


def test_printed_sums_are_the_readers_own(answer: PlanAnswer) -> None:
    for money in (Money(), Money("EUR", 0.92)):
        with money_here(money):
            parts = [as_printed(one.pick.cost.total.likely) for one in answer.picks]
            parts += [as_printed(one.usd) for one in answer.moving]
            assert usd(sum(parts)) == usd(answer.printed_usd)
            assert sum(answer.printed_quarters) == pytest.approx(as_printed(answer.printed_usd), rel=1e-12)


def test_rounded_parts_add_up_where_each_alone_would_not() -> None:
    assert added_up([1.354e6, 1.354e6, 1.292e6], 4.0e6, 1e4) == pytest.approx([1.35e6, 1.36e6, 1.29e6])
    assert sum(added_up([1 / 3] * 3, 1.0, 0.01)) == pytest.approx(1.0)
    assert added_up([0.0], 0.0, 1.0) == (0.0,)


def test_done_and_chance(answer: PlanAnswer) -> None:
    assert answer.done == max(one.ready for one in answer.picks)
    run, service = answer.picks
    assert run.ready == run.ends and service.ready == service.begins
    assert run.pick.chance is not None and service.pick.chance is not None
    assert answer.chance_in_limits == run.pick.chance.in_limits * service.pick.chance.in_limits


def test_ranges_of_errors_that_move_together_are_wider() -> None:
    parts = [Range(9.0, 10.0, 13.0), Range(16.0, 20.0, 24.0)]
    assert summed(parts, "independent") == Range(pytest.approx(30 - 17**0.5), 30.0, 35.0)
    assert summed(parts, "together") == Range(25.0, 30.0, 37.0)


def test_picks_of_one_chip_count_as_one_error(answer: PlanAnswer, result_sets: list[ResultSet]) -> None:
    chips = {one.pick.candidate.accelerator.id for one in answer.picks}
    sellers = {one.pick.candidate.offer.provider for one in answer.picks}
    assert answer.combined == ("independent" if len(chips) == len(sellers) == 2 else "together")
    alone = plan_answer(result_sets[:1])
    assert alone is not None and alone.combined == "independent"
    assert alone.total_usd == alone.picks[0].pick.cost.total


def test_a_workload_without_a_pick_is_named(result_sets: list[ResultSet]) -> None:
    first, second = result_sets
    nobody = replace(second, recommendation=replace(second.recommendation, choice=None))
    found = plan_answer([first, nobody])
    assert found is not None and found.unanswered == (second.profile.name,) and len(found.picks) == 1
    assert plan_answer([nobody]) is None


def test_weights_leave_the_trainer_for_another_server(result_sets: list[ResultSet], catalogue: Catalogue) -> None:
    run, service = ((results.profile, results.choice) for results in result_sets)
    assert run[1] is not None and service[1] is not None
    same = service[0].model_copy(update={"model": run[0].model})
    (one,) = movings([run, (same, service[1])], catalogue)
    assert one.gb == pytest.approx(run[0].model.n_params * 2 / 1e9) and one.usd >= 0.0
    assert movings([run, (same, run[1])], catalogue) == (), "one seller for both"
    other = same.model_copy(update={"model": same.model.model_copy(update={"name": "another"})})
    assert movings([run, (other, service[1])], catalogue) == ()


def test_one_kind_or_one_seller_for_all_is_told_with_its_total(
    result_sets: list[ResultSet], catalogue: Catalogue
) -> None:
    told = alternatives(result_sets, catalogue)
    assert [one.usd for one in told] == sorted(one.usd for one in told)
    for one in told:
        assert one.usd >= sum(pick.cost.total.likely for pick in one.picks) - 0.01
        kinds = {pick.candidate.accelerator.kind for pick in one.picks}
        sellers = {pick.candidate.offer.provider for pick in one.picks}
        assert len(kinds) == 1 if one.title.startswith("All on") else len(sellers) == 1
        assert all(pick.feasible for pick in one.picks)


def test_dates_of_a_plan_begin_with_its_own_jobs(answer: PlanAnswer) -> None:
    assert all(one.begins >= one.profile.limits.start_date for one in answer.picks)
    assert answer.picks[0].begins < date(2028, 1, 1)


def test_a_plan_that_ends_beyond_the_calendar_is_answered(result_sets: list[ResultSet]) -> None:
    for start in (date.max, date(9999, 12, 30), date(9999, 6, 1)):
        late = [
            replace(one, profile=one.profile.model_copy(
                update={"limits": one.profile.limits.model_copy(update={"start_date": start})}
            ))
            for one in result_sets
        ]  # fmt: skip
        found = plan_answer(late)
        assert found is not None
        assert sum(one.usd for one in found.cash_by_quarter) == pytest.approx(found.total_usd.likely)
        assert {one.year for one in found.cash_by_quarter} == {9999}
