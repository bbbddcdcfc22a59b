"""Scenarios change a few values of the base plan and lose nothing."""

import pytest

from core.errors import InputError
from core.plan.plan import Plan
from core.plan.scenario import (
    add_scenario,
    edit_in,
    make_base,
    move_scenario,
    remove_scenario,
    rename_scenario,
    resolve,
    resolved,
    scenario,
)
from core.workload.jobs.kinds import OnlineServing
from core.workload.profile import Profile

BASE = add_scenario(Plan(id="p", profiles=(Profile(), Profile(id="chat", job=OnlineServing()))), "Half the tokens")
HALF = BASE.scenarios[1].id


def test_an_edit_in_a_scenario_leaves_the_base() -> None:
    plan = edit_in(BASE, HALF, "profiles.0.job.n_tokens", 5e11)
    assert plan.profiles == BASE.profiles
    assert resolve(plan, HALF).profiles[0].job.n_tokens == 5e11
    assert resolve(plan, "base") == plan


def test_an_edit_in_base_is_seen_by_scenarios_that_do_not_override_it() -> None:
    plan = edit_in(BASE, HALF, "profiles.0.job.n_tokens", 5e11)
    plan = edit_in(plan, "base", "profiles.0.job.sequence_length", 4096)
    shown = resolve(plan, HALF).profiles[0].job
    assert (shown.n_tokens, shown.sequence_length) == (5e11, 4096)


def test_back_to_the_base_value_drops_the_override() -> None:
    plan = edit_in(BASE, HALF, "profiles.0.job.n_tokens", 5e11)
    assert edit_in(plan, HALF, "profiles.0.job.n_tokens", 1e12) == BASE


def test_lists_and_dates_survive_as_overrides() -> None:
    plan = edit_in(BASE, HALF, "profiles.0.places.providers", ("gcp", "aws"))
    plan = edit_in(plan, HALF, "profiles.0.limits.start_date", "2027-01-05")
    again = Plan.model_validate_json(plan.model_dump_json())
    assert again == plan
    assert resolve(again, HALF).profiles[0].places.providers == ("gcp", "aws")
    assert resolve(again, HALF).profiles[0].limits.start_date.isoformat() == "2027-01-05"


def test_a_refused_value_changes_nothing() -> None:
    with pytest.raises(InputError, match="Tokens"):
        edit_in(BASE, HALF, "profiles.0.job.n_tokens", 0)


def test_an_override_that_no_longer_applies_is_told_and_kept() -> None:
    plan = edit_in(BASE, HALF, "profiles.1.job.tpot_limit_ms", 20)
    plan = edit_in(plan, "base", "profiles.1.job.kind", "batch_inference")
    shown = resolved(plan, HALF)
    assert [problem.path for problem in shown.problems] == ["profiles.1.job.tpot_limit_ms"]
    assert "no field 'tpot_limit_ms'" in shown.problems[0].text
    assert scenario(plan, HALF).overrides == {"profiles.1.job.tpot_limit_ms": 20}
    back = edit_in(plan, "base", "profiles.1.job.kind", "online_serving")
    assert resolved(back, HALF).problems == ()
    assert resolve(back, HALF).profiles[1].job.tpot_limit_ms == 20


def test_overrides_that_depend_on_each_other_apply_in_any_order() -> None:
    overrides = {"profiles.0.model.n_kv_heads": 12, "profiles.0.model.n_heads": 48}
    one = scenario(BASE, HALF)
    for items in (list(overrides.items()), list(reversed(overrides.items()))):
        half = one.model_copy(update={"overrides": dict(items)})
        plan = BASE.model_copy(update={"scenarios": (BASE.scenarios[0], half)})
        shown = resolved(plan, HALF)
        assert shown.problems == ()
        assert (shown.plan.profiles[0].model.n_heads, shown.plan.profiles[0].model.n_kv_heads) == (48, 12)


def test_another_kind_of_job_in_a_scenario() -> None:
    plan = edit_in(BASE, HALF, "profiles.0.job.kind", "finetuning")
    plan = edit_in(plan, HALF, "profiles.0.job.n_tokens", 1e12)
    plan = edit_in(plan, HALF, "profiles.0.job.method", "lora")
    job = resolve(plan, HALF).profiles[0].job
    assert (job.kind, job.method) == ("finetuning", "lora")
    assert plan.profiles[0].job.kind == "pretraining"


def test_no_limit_in_a_scenario_whose_base_has_no_such_field() -> None:
    plan = edit_in(BASE, HALF, "profiles.0.job.kind", "online_serving")
    plan = edit_in(plan, HALF, "profiles.0.job.ttft_limit_ms", None)
    assert resolve(plan, HALF).profiles[0].job.ttft_limit_ms is None


def test_scenarios_are_copied_and_removed() -> None:
    plan = edit_in(BASE, HALF, "profiles.0.job.n_tokens", 5e11)
    plan = add_scenario(plan, "Half and soon", copy_of=HALF)
    assert plan.scenarios[2].overrides == plan.scenarios[1].overrides
    assert len({one.id for one in plan.scenarios}) == 3
    assert [one.id for one in remove_scenario(plan, HALF).scenarios] == ["base", plan.scenarios[2].id]


def test_base_stays_and_unknown_scenarios_are_refused() -> None:
    with pytest.raises(InputError, match="base"):
        remove_scenario(BASE, "base")
    with pytest.raises(InputError, match="'nowhere'"):
        resolve(BASE, "nowhere")


def test_a_scenario_made_the_base_leaves_what_every_scenario_shows() -> None:
    plan = edit_in(BASE, HALF, "profiles.0.job.n_tokens", 5e11)
    plan = add_scenario(plan, "Soon")
    soon = plan.scenarios[2].id
    plan = edit_in(plan, soon, "profiles.0.limits.deadline_days", 30)
    made = make_base(plan, HALF)
    assert made.profiles == resolve(plan, HALF).profiles
    assert resolve(made, soon).profiles == resolve(plan, soon).profiles
    assert resolve(made, HALF).profiles == plan.profiles
    assert [one.name for one in made.scenarios] == ["Base", "Base before", "Soon"]


def test_scenarios_are_renamed_and_moved_and_the_base_stays_first() -> None:
    plan = rename_scenario(add_scenario(BASE, "Soon"), HALF, "Fewer tokens")
    assert [one.name for one in move_scenario(plan, HALF, 9).scenarios] == ["Base", "Soon", "Fewer tokens"]
    assert move_scenario(plan, plan.scenarios[2].id, 0).scenarios[0].id == "base"
