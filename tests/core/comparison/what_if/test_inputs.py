"""The inputs that can be moved."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.comparison.what_if.inputs import RESALE, SERVER_PRICE, Input, inputs_of
from core.comparison.what_if.study import Study
from core.comparison.what_if.world import World
from core.ranges import Range

NO_PORTING = Range(0.0, 0.0, 0.0)


def test_each_lies_within_its_range_and_that_within_what_may_be_asked(study: Study) -> None:
    assert len({one.id for one in study.inputs}) == len(study.inputs) >= 20
    for one in study.inputs:
        assert one.least <= one.low <= one.now <= one.high <= one.most, one.id
        assert (one.path is None) != (one.tilt is None), one.id
        assert str(one.name), one.id


def test_only_the_engine_s_own_ranges_are_no_estimates(inputs: dict[str, Input]) -> None:
    assert not inputs["price b200-sxm"].is_estimate
    assert not inputs["speed b200-sxm"].is_estimate
    assert inputs["job.n_tokens"].is_estimate


def test_a_value_of_now_leaves_the_world_as_it_is(study: Study) -> None:
    for one in study.inputs:
        assert one.moved(study.now, one.now) is study.now


def test_a_field_is_set_and_nothing_else(study: Study, inputs: dict[str, Input]) -> None:
    moved = inputs["job.n_tokens"].moved(study.now, 2e12)
    assert moved.profile.job.n_tokens == 2e12  # type: ignore[union-attr]
    assert moved.profile.weights is study.now.profile.weights
    assert moved.tilts == ()


def test_the_start_is_moved_by_days(study: Study, inputs: dict[str, Input]) -> None:
    start = inputs["limits.start_date"]
    later = start.moved(study.now, 9.4).profile.limits.start_date
    assert later == study.now.profile.limits.start_date + timedelta(days=9)


def test_what_only_the_engine_knows_is_tilted(study: Study, inputs: dict[str, Input]) -> None:
    price = inputs["price b200-sxm"]
    world = price.moved(study.now, 1.5 * price.now)
    assert world.profile is study.now.profile
    (tilt,) = world.tilts
    assert (tilt.quantity, tilt.of) == ("price", "b200-sxm")
    assert tilt.factor == pytest.approx(1.5)


def test_values_stay_within_what_may_be_asked_and_whole(study: Study, inputs: dict[str, Input]) -> None:
    runs = inputs["job.n_runs"]
    assert runs.settled(1.6) == 2.0
    assert runs.settled(-5.0) == runs.least
    moved: World = runs.moved(study.now, 2.4)
    assert moved.profile.job.n_runs == 2  # type: ignore[union-attr]


def test_limits_are_asked_about_up_to_four_times_what_is_set_or_reached(study: Study) -> None:
    profile, days = study.now.profile, study.a.days_to_finish
    assert days is not None
    free = profile.limits.model_copy(update={"deadline_days": None, "budget_usd": 2.0 * study.a.cost.total.likely})
    efforts, catalogue = {study.a.candidate.accelerator.id: NO_PORTING}, study.basis.catalogue
    given = inputs_of(profile.model_copy(update={"limits": free}), study.a, None, efforts, catalogue)
    by_id = {one.id: one for one in given}
    deadline, budget = by_id["limits.deadline_days"], by_id["limits.budget_usd"]
    assert deadline.is_unset and deadline.now == deadline.most == pytest.approx(4 * days.likely)
    assert not budget.is_unset and budget.most == pytest.approx(8 * study.a.cost.total.likely)


def test_what_is_entered_of_places_and_own_machines_can_be_moved(study: Study) -> None:
    profile = study.now.profile
    entered = {"places.egress_gb_per_month": 500.0, "owning.pue": 1.3, "owning.electricity_usd_per_kwh": 0.12}
    for path, value in entered.items():
        part, name = path.split(".")
        owner = getattr(profile, part).model_copy(update={name: value})
        profile = profile.model_copy(update={part: owner})
    efforts = {study.a.candidate.accelerator.id: NO_PORTING}
    by_id = {one.id: one for one in inputs_of(profile, study.a, None, efforts, study.basis.catalogue)}
    assert {path: by_id[path].now for path in entered} == entered
    assert all(by_id[path].least < by_id[path].low < by_id[path].high < by_id[path].most for path in entered)
    assert by_id["owning.pue"].least >= 1.0
    of_now = {one.id: one.now for one in study.inputs if one.id in entered}
    assert of_now == {"places.egress_gb_per_month": 0.0}


def test_what_nothing_is_entered_of_may_turn_out_to_be_more(study: Study, inputs: dict[str, Input]) -> None:
    for path in ("team.delay_usd_per_day", "stack.custom_kernels", "places.egress_gb_per_month"):
        one = inputs[path]
        assert (one.least, one.low, one.now) == (0.0, 0.0, 0.0)
        assert 0.0 < one.high < one.most
        assert one.is_estimate
        part, name = path.split(".")
        moved = one.moved(study.now, one.high)
        assert getattr(getattr(moved.profile, part), name) == one.high
    assert inputs["team.delay_usd_per_day"].high == pytest.approx(0.005 * study.a.cost.total.likely)
    assert "places.commitment_reuse_pct" not in inputs


def test_a_day_s_waiting_that_costs_something_counts_against_what_is_waited_for(
    study: Study, inputs: dict[str, Input]
) -> None:
    delay = inputs["team.delay_usd_per_day"]
    now, then = study.gap(), study.gap((delay, delay.high))
    assert study.b is not None
    assert now is not None
    assert then is not None
    a, b = (side.time_terms_days["waiting"] for side in (study.a, study.b))
    assert then.cost_usd - now.cost_usd == pytest.approx((a - b) * delay.high, abs=0.02)


def test_a_rented_plan_asks_for_no_price_of_a_server(inputs: dict[str, Input]) -> None:
    assert SERVER_PRICE not in inputs and RESALE not in inputs
