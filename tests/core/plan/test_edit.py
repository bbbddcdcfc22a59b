"""Edits make a new plan or say what is wrong with the value."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.plan.edit import get_value, set_job_kind, set_value
from core.plan.fields import fields
from core.plan.plan import Plan
from core.workload.jobs.kinds import FineTuning, OnlineServing
from core.workload.profile import Profile

PLAN = Plan(id="p", profiles=(Profile(), Profile(id="chat", name="Chat", job=OnlineServing())))


def test_an_edit_leaves_the_old_plan_and_shares_the_rest() -> None:
    new = set_value(PLAN, "profiles.0.job.n_tokens", 2e12)
    assert get_value(new, "profiles.0.job.n_tokens") == 2e12
    assert get_value(PLAN, "profiles.0.job.n_tokens") == 1e12
    assert new.profiles[1] is PLAN.profiles[1]
    assert new.profiles[0].model is PLAN.profiles[0].model


@given(st.data())
def test_every_allowed_value_is_taken_and_read_back(values: Any, data: st.DataObject) -> None:
    info = data.draw(st.sampled_from(fields(PLAN)))
    value = data.draw(values(info))
    try:
        new = set_value(PLAN, info.path, value)
    except InputError as error:
        assert "fits the rest" in str(error)
    else:
        assert get_value(new, info.path) == value


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("profiles.0.model.n_layers", 0, "Layers: found 0, expected a whole number from 1 to 1\u202f000"),
        ("profiles.0.model.n_layers", 1.5, "Layers: found 1.5, expected a whole number from 1 to 1\u202f000"),
        ("profiles.0.job.n_tokens", None, "Tokens: found nothing, expected a number above 0"),
        ("profiles.0.job.n_tokens", -5e9, "Tokens: found -5\u202fB tokens, expected a number above 0"),
        ("profiles.0.job.precision", "fp3", "Precision: found 'fp3', expected one of FP32, TF32, BF16"),
        ("profiles.0.limits.start_date", "soon", "Start: found 'soon', expected a date such as 2026-12-01"),
        ("profiles.0.limits.budget_usd", "a lot", "Budget: found 'a lot', expected a number above 0"),
        ("profiles.0.stack.driver_access", "perhaps", "Driver access needed: found 'perhaps', expected yes or no"),
        ("profiles.0.name", "", "Name: found nothing, expected text that is not empty, at most 80 characters"),
        ("profiles.0.places.purchase_models", ("gift",), "Ways to pay: found ('gift',), expected any of on demand"),
        ("profiles.1.job.load_by_hour", "1 2 3", "Own load by hour: found '1 2 3', expected 24 numbers of at least 0"),
        ("profiles.0.model.n_kv_heads", 5, "KV heads: found 5, expected a value that fits the rest: KV heads (5) must"),
    ],
)
def test_a_bad_value_is_refused_in_plain_words(path: str, value: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        set_value(PLAN, path, value)
    assert str(caught.value).replace("\u2212", "-").startswith(message)


@pytest.mark.parametrize(
    "path",
    ["", "color", "profiles.2.name", "profiles.x", "profiles.0.job.tpot_limit_ms", "profiles.0.name.a", "scenarios.-1"],
)
def test_an_unknown_path_is_refused(path: str) -> None:
    with pytest.raises(InputError):
        get_value(PLAN, path)
    with pytest.raises(InputError):
        set_value(PLAN, path, 1)


def test_another_kind_of_job_keeps_what_was_entered() -> None:
    plan = set_value(PLAN, "profiles.0.job.sequence_length", 4096)
    tuned = set_value(plan, "profiles.0.job.kind", "finetuning").profiles[0].job
    assert isinstance(tuned, FineTuning)
    assert tuned.sequence_length == 4096
    assert tuned.n_tokens == FineTuning().n_tokens
    entered = set_value(plan, "profiles.0.job.n_tokens", 3e11)
    assert set_job_kind(entered, 0, "finetuning").profiles[0].job.n_tokens == 3e11


def test_another_kind_drops_what_it_does_not_have() -> None:
    plan = set_value(PLAN, "profiles.1.job.weight_precision", "fp8")
    assert set_job_kind(plan, 1, "batch_inference").profiles[1].job.weight_precision == "fp8"
    assert set_job_kind(plan, 1, "online_serving") is plan
    assert set_job_kind(plan, 1, "pretraining").profiles[1].job.kind == "pretraining"


def test_unknown_kind_is_refused() -> None:
    with pytest.raises(InputError, match="Job: found 'dreaming', expected one of Pre-training"):
        set_value(PLAN, "profiles.0.job.kind", "dreaming")


def test_a_whole_group_can_be_set() -> None:
    model = PLAN.profiles[0].model.model_copy(update={"n_layers": 80})
    assert get_value(set_value(PLAN, "profiles.0.model", model), "profiles.0.model.n_layers") == 80
    assert set_value(PLAN, "name", "Mine").name == "Mine"


def test_of_several_faults_in_a_group_the_first_field_s_is_told() -> None:
    """The deadline, a word, comes before the budget, which would have to lie above 0."""
    with pytest.raises(InputError) as caught:
        set_value(PLAN, "profiles.0.limits", {"budget_usd": -1, "deadline_days": "soon"})
    assert (caught.value.where, caught.value.expected) == ("profiles.0.limits", "a number")


def test_a_value_that_a_check_of_its_own_field_refuses_is_told_as_such() -> None:
    with pytest.raises(InputError) as caught:
        set_value(PLAN, "profiles.1.job.load_by_hour", "1 2 3")
    assert "fits the rest" not in str(caught.value)
    assert caught.value.expected.startswith("24 numbers")


def test_a_value_without_a_title_is_told_by_its_path() -> None:
    with pytest.raises(InputError) as caught:
        set_value(PLAN, "id", 3)
    assert str(caught.value) == "id: found 3, expected text"
