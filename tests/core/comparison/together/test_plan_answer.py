"""The plan's answer: what its picks come to together, in figures that add up."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import OWN
from core.catalogue.loading import load_catalogue
from core.comparison.chance.errors import N_DRAWS
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.comparison.together.due import (
    COMMITTED,
    due_by_quarter,
    dues,
    given_back,
    has_term,
    is_committed,
    n_terms,
    owed_until,
)
from core.comparison.together.part import PlanPart, part_of
from core.comparison.together.plan_answer import (
    PlanAnswer,
    added_up,
    answer_of,
    as_printed,
    last_digit,
    plan_answer,
    shared_out,
)
from core.comparison.together.plan_json import plan_json
from core.comparison.together.ways import Picked, picked
from core.months import months_after
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
def parts(result_sets: list[ResultSet]) -> list[PlanPart]:
    return [part_of(results) for results in result_sets]


@pytest.fixture(scope="module")
def answer(parts: list[PlanPart]) -> PlanAnswer:
    made = plan_answer(parts)
    assert made is not None
    return made


def apart_usd(answer: PlanAnswer) -> float:
    return sum(one.usd for one in (*answer.moving, *answer.upkeep))


def test_the_total_is_that_of_the_picks_and_of_what_running_apart_costs(answer: PlanAnswer) -> None:
    costs = [one.pick.cost.total.likely for one in answer.picks]
    assert answer.total_usd.likely == pytest.approx(sum(costs) + apart_usd(answer))
    assert answer.total_usd.low < answer.total_usd.likely < answer.total_usd.high


def test_the_range_is_that_of_the_draws_and_narrower_than_all_ends_together(answer: PlanAnswer) -> None:
    ends = [(one.pick.cost.total.low, one.pick.cost.total.high) for one in answer.picks]
    low, high = (sum(end) + apart_usd(answer) for end in zip(*ends, strict=True))
    assert low < answer.total_usd.low and answer.total_usd.high < high
    assert np.mean(answer.way.cost_usd < answer.total_usd.low) == pytest.approx(0.1, abs=0.001)


def test_errors_of_one_chip_and_seller_move_together(parts: list[PlanPart]) -> None:
    """Twice the same workload is twice the cost in every draw: its range is twice as wide, not 1.4 times."""
    run = parts[0]
    twice = plan_answer([run, run])
    assert twice is not None and run.pick is not None
    alone = np.percentile(run.pick.drawn.cost_usd, (10, 90))
    assert (twice.total_usd.low, twice.total_usd.high) == pytest.approx(tuple(2 * alone), rel=1e-4)
    assert twice.chance_in_limits == run.pick.result.chance.in_limits, "no product of chances"


def test_the_chance_is_that_all_limits_hold_in_the_same_draw(answer: PlanAnswer, parts: list[PlanPart]) -> None:
    kept = [part.pick.drawn.keeps for part in parts if part.pick]
    assert answer.chance_in_limits == np.mean(kept[0] & kept[1])
    for part in parts:
        assert part.pick is not None and part.pick.drawn.keeps is not None and part.pick.result.chance is not None
        assert part.pick.drawn.keeps.mean() == part.pick.result.chance.in_limits, "as the workload's own page says"


def test_a_single_workload_has_the_range_of_its_own_bill(parts: list[PlanPart]) -> None:
    alone = plan_answer(parts[:1])
    assert alone is not None and alone.total_usd == alone.picks[0].pick.cost.total
    assert alone.others == ()


def test_cash_by_quarter_is_the_total_and_lies_where_the_chips_are_held(answer: PlanAnswer) -> None:
    quarters = answer.cash_by_quarter
    assert sum(one.usd for one in quarters) == pytest.approx(answer.total_usd.likely)
    assert [(one.year, one.number) for one in quarters] == sorted((one.year, one.number) for one in quarters)
    run, service = answer.picks
    first = min(run.profile.limits.start_date, service.profile.limits.start_date)
    assert (quarters[0].year, quarters[0].number) == (first.year, (first.month + 2) // 3)
    assert 4 <= len(quarters) <= 6, "a service of twelve months"
    assert (run.ends - run.begins).days < 40 and 360 <= (service.ends - service.begins).days <= 367


def test_a_later_start_moves_the_cash(answer: PlanAnswer) -> None:
    run = answer.picks[0]
    later = replace(run, begins=run.begins + timedelta(days=365), ends=run.ends + timedelta(days=365))
    limits = run.profile.limits.model_copy(update={"start_date": run.profile.limits.start_date + timedelta(days=365)})
    later = replace(later, profile=run.profile.model_copy(update={"limits": limits}))
    now, then = due_by_quarter([run], 0.0, 0.0), due_by_quarter([later], 0.0, 0.0)
    assert [(one.year - 1, one.number) for one in then] == [(one.year, one.number) for one in now]


def test_a_committed_term_is_owed_to_its_end(answer: PlanAnswer) -> None:
    """A run of some days on a commitment of a year is paid for over the year."""
    run = answer.picks[0]
    offer = run.pick.candidate.offer.model_copy(update={"purchase_model": "commit_1y"})
    committed = replace(run, pick=replace(run.pick, candidate=replace(run.pick.candidate, offer=offer)))
    assert owed_until(run) == run.ends
    assert owed_until(committed) == run.begins + timedelta(days=365)
    quarters = due_by_quarter([committed], 0.0, 0.0)
    assert len(quarters) == 5 and sum(one.usd for one in quarters) == pytest.approx(run.pick.cost.total.likely)


def _paid_by(one: Picked, way: str, **offer: object) -> Picked:
    sold = one.pick.candidate.offer.model_copy(update={"purchase_model": way, **offer})
    return replace(one, pick=replace(one.pick, candidate=replace(one.pick.candidate, offer=sold)))


def test_chips_that_are_given_back_are_owed_to_the_end_of_the_term_that_has_begun(answer: PlanAnswer) -> None:
    service = answer.picks[1]
    job = service.profile.job.model_copy(update={"months": 30.0})
    service = picked(service.profile.model_copy(update={"job": job}), service.pick)
    day = service.begins + timedelta(days=40)
    assert given_back(_paid_by(service, "on_demand"), day) == day
    yearly = _paid_by(service, "commit_1y")
    assert given_back(yearly, day) == months_after(service.begins, 12)
    assert given_back(yearly, service.begins + timedelta(days=400)) == months_after(service.begins, 24)
    assert given_back(_paid_by(service, "dedicated_monthly"), day) == months_after(service.begins, 2)
    for whole in (
        _paid_by(service, "capacity_block"),
        _paid_by(service, "owned", provider=OWN),
        _paid_by(service, "on_demand", held_chips=8),
    ):
        assert given_back(whole, day) == service.ends


@pytest.mark.parametrize(
    ("way", "months", "terms"),
    [("commit_1y", 36.0, 3), ("commit_1y", 37.0, 4), ("commit_3y", 36.0, 1), ("dedicated_monthly", 12.0, 12),
     ("dedicated_monthly", 0.5, 1), ("on_demand", 36.0, 0)],
)  # fmt: skip
def test_a_service_has_as_many_terms_as_its_bill_pays(answer: PlanAnswer, way: str, months: float, terms: int) -> None:
    """Three years are 1 096 days with their leap day: no fourth year of a commitment is owed for it."""
    service = answer.picks[1]
    job = service.profile.job.model_copy(update={"months": months})
    offer = service.pick.candidate.offer.model_copy(update={"purchase_model": way})
    pick = replace(service.pick, candidate=replace(service.pick.candidate, offer=offer))
    held = picked(service.profile.model_copy(update={"job": job}), pick)
    assert n_terms(held) == terms
    whole = months in (36.0, 12.0)
    assert abs((owed_until(held) - held.ends).days) <= 1 if whole else owed_until(held) >= held.ends


def test_months_later_is_the_same_day_or_the_last_of_a_shorter_month() -> None:
    assert months_after(date(2027, 1, 31), 1) == date(2027, 2, 28)
    assert months_after(date(2027, 2, 19), 36) == date(2030, 2, 19)
    assert months_after(date(2026, 12, 1), 1) == date(2027, 1, 1) and months_after(date(9999, 12, 1), 1) is None


def test_a_capacity_block_is_paid_ahead(answer: PlanAnswer) -> None:
    """All its chips are due on the day on which it is reserved, before they are had."""
    run = answer.picks[0]
    offer = run.pick.candidate.offer.model_copy(update={"purchase_model": "capacity_block"})
    block = replace(run, pick=replace(run.pick, candidate=replace(run.pick.candidate, offer=offer)))
    assert is_committed(block) and not has_term(block) and not is_committed(run)
    reserved = run.profile.limits.start_date
    chips = [one for one in dues([block], 0.0, 0.0) if one.part in COMMITTED]
    assert chips and {(one.begins, one.ends) for one in chips} == {(reserved, reserved)}
    assert sum(one.usd for one in dues([block], 0.0, 0.0)) == pytest.approx(run.pick.cost.total.likely)


def test_printed_sums_are_the_readers_own(answer: PlanAnswer) -> None:
    for money in (Money(), Money("EUR", 0.92)):
        with money_here(money):
            parts = [as_printed(one.pick.cost.total.likely) for one in answer.picks]
            parts += [as_printed(one.usd) for one in (*answer.moving, *answer.upkeep)]
            assert usd(sum(parts)) == usd(answer.printed_usd)


@pytest.mark.parametrize("money", [Money(), Money("EUR", 0.8637)])
@pytest.mark.parametrize("amount", [0.05, 0.5, 9.999, 16.93, 99.994, 123.4, 998.6, 1234.0, 3.219e6])
def test_an_amount_as_printed_is_printed_as_it_is(money: Money, amount: float) -> None:
    """Moving weights for 14.62 was told as 14.60 on the first page and as 14.62 on others."""
    with money_here(money):
        printed = as_printed(amount)
        assert usd(printed) == usd(amount)
        size = float(usd(amount).strip("$\u20ac")) if amount < 900 else printed * money.per_usd
        assert printed * money.per_usd == pytest.approx(size)
        assert printed / last_digit(printed or 1.0) == pytest.approx(round(printed / last_digit(printed or 1.0)))


def test_rounded_parts_add_up_where_each_alone_would_not() -> None:
    assert added_up([1.354e6, 1.354e6, 1.292e6], 4.0e6, 1e4) == pytest.approx([1.35e6, 1.36e6, 1.29e6])
    assert sum(added_up([1 / 3] * 3, 1.0, 0.01)) == pytest.approx(1.0)
    assert added_up([0.0], 0.0, 1.0) == (0.0,)


def test_parts_beside_each_other_are_rounded_as_each_is_alone_where_that_adds_up() -> None:
    phases = [143_862.0, 29_250.0, 33_006.0, 1_650_294.0, 617_912.0]
    assert shared_out(phases, 2.47e6, 1e4) == pytest.approx([1.4e5, 3e4, 3e4, 1.65e6, 6.2e5])
    assert shared_out([1.354e6, 1.354e6, 1.292e6], 4.0e6, 1e4) == pytest.approx([1.36e6, 1.35e6, 1.29e6])
    assert shared_out([2e4, 1e4, 0.0], 3e4, 1e4) == (2e4, 1e4, 0.0)
    assert sum(shared_out([1 / 3] * 3, 1.0, 0.01)) == pytest.approx(1.0)
    assert shared_out([0.0], 0.0, 1.0) == (0.0,)


def test_all_is_ready_when_the_last_workload_is(answer: PlanAnswer) -> None:
    run, service = answer.picks
    assert answer.done == max(run.ready, service.ready)
    assert run.ready == run.ends and service.ready == service.begins
    assert not answer.all_end and answer.per_month_usd == service.pick.cost.per_month_usd


def test_a_workload_without_a_pick_is_named_with_the_reason(result_sets: list[ResultSet]) -> None:
    first, second = result_sets
    nobody = replace(second, recommendation=replace(second.recommendation, choice=None, headline="Nothing fits."))
    made = answer_of([first, nobody])
    assert made is not None and made.unanswered == ((second.profile.name, "Nothing fits"),) and len(made.picks) == 1
    assert made.n_workloads == 2
    assert answer_of([nobody]) is None


def test_json_says_the_same(answer: PlanAnswer) -> None:
    told = plan_json(answer)
    assert told is not None and told["total_usd"]["draws"] == N_DRAWS
    assert told["total_usd"]["likely"] == pytest.approx(answer.total_usd.likely, abs=0.02)
    assert round(sum(one["usd"] for one in told["cash_by_quarter"]), 2) == told["total_usd"]["likely"]
    assert told["chance_in_limits"] == round(answer.chance_in_limits or 0.0, 4)
    assert told["done"] == answer.done.isoformat() and told["workloads"] == 2
    assert [one["title"] for one in told["alternatives"]] == [one.way.title for one in answer.others]
    assert plan_json(None) is None


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
        found = answer_of(late)
        assert found is not None
        assert sum(one.usd for one in found.cash_by_quarter) == pytest.approx(found.total_usd.likely)
        assert {one.year for one in found.cash_by_quarter} == {9999}
