"""The description of the fields, from which forms and messages are made."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.plan.edit import set_value
from core.plan.fields import Bounds, field_at, fields, value_words
from core.plan.plan import Plan
from core.report.pages.inputs import value_text
from core.units import THIN
from core.workload.jobs.kinds import FineTuning, OnlineServing
from core.workload.profile import Places, Profile


def test_every_path_leads_to_the_default_value() -> None:
    profile = Profile()
    for info in fields(Profile):
        value: object = profile
        for step in info.path.split("."):
            value = getattr(value, step)
        assert value == info.default, info.path


def test_every_field_can_be_shown() -> None:
    for info in fields(Profile):
        assert info.title and info.group and info.help, info.path
        if info.type in ("choice", "choices"):
            assert all(info.choices.values()), info.path


def test_a_handful_of_fields_is_essential() -> None:
    assert 6 <= sum(info.essential for info in fields(Profile)) <= 14


def test_bounds_and_unit_come_from_the_model() -> None:
    info = field_at(Profile(), "job.n_tokens")
    assert info is not None
    assert (info.type, info.unit, info.bounds) == ("number", "tokens", Bounds(gt=0, le=1e16))
    assert info.expected == "a number above 0 up to 10\u202f000\u202f000\u202f000\u202f000\u202f000"


def test_words_for_each_type() -> None:
    said = {info.path: info.expected for info in fields(Profile)}
    assert said["model.n_layers"] == "a whole number from 1 to 1\u202f000"
    assert said["stack.driver_access"] == "yes or no"
    assert said["stack.maturity"] == "one of Exploring, Stable, Frozen"
    assert said["limits.start_date"] == "a date such as 2026-12-01"
    assert said["name"] == "text that is not empty, at most 80 characters"
    assert said["limits.budget_usd"].endswith(", or nothing")


def test_a_share_is_read_in_percent_and_stored_as_it_was() -> None:
    """Padding stood as 0.3 among shares in %."""
    profile = Profile(job=FineTuning(padding_share=0.07))
    info = field_at(profile, "job.padding_share")
    assert info is not None and (info.unit, info.expected) == ("%", "a number from 0 to 95")
    assert value_words(info, 0.07) == "7 %" and value_text(0.07, info) == f"7{THIN}%"
    assert '"padding_share":0.07' in profile.model_dump_json()
    with pytest.raises(InputError) as refused:
        set_value(profile, "job.padding_share", 0.96)
    assert str(refused.value) == "Padding: found 96 %, expected a number from 0 to 95"


@given(st.floats(0, 0.95))
def test_a_share_comes_back_from_percent(share: float) -> None:
    info = field_at(Profile(job=FineTuning()), "job.padding_share")
    assert info is not None
    assert info.as_stored(info.in_unit(share)) == pytest.approx(share, rel=1e-11)
    assert info.in_unit(info.as_stored(round(100 * share, 3))) == round(100 * share, 3)


def test_the_chosen_kind_of_job_decides_its_fields() -> None:
    serving = {info.path for info in fields(Profile(job=OnlineServing()))}
    assert "job.tpot_limit_ms" in serving
    assert "job.n_tokens" not in serving
    kind = field_at(Profile(job=OnlineServing()), "job.kind")
    assert kind is not None
    assert kind.choices["pretraining"] == "Pre-training"


def test_a_plan_shows_the_fields_of_each_workload() -> None:
    plan = Plan(id="p", profiles=(Profile(), Profile(job=OnlineServing())))
    paths = {info.path for info in fields(plan)}
    assert {"profiles.0.job.n_tokens", "profiles.1.job.ttft_limit_ms", "profiles.1.weights.cost"} <= paths
    assert field_at(plan, "profiles.7.name") is None


def test_optional_fields_and_lists() -> None:
    found = {info.path: info for info in fields(Profile)}
    assert found["limits.deadline_days"].optional
    assert not found["limits.max_chips"].optional
    assert found["places.providers"].type == "texts"
    assert found["places.purchase_models"].type == "choices"
    assert found["stack.libraries"].choices["maxtext"] == "MaxText"


def test_an_empty_number_says_what_it_means() -> None:
    found = {info.path: info.empty for info in fields(Profile())}
    assert found["job.sample_kb"] == "Usual" and found["limits.budget_usd"] == "No limit"


def test_places_of_users_are_told_by_their_names_and_sellers_as_they_are_written() -> None:
    known = {info.path: info for info in fields(Profile)}
    assert value_words(known["places.region_places"], ("asia/jp/tokyo",)) == "Tokyo"
    assert value_words(known["places.region_prefixes"], ("us-east",)) == "us-east"
    alone = field_at(Places(), "region_places")
    assert alone is not None and value_words(alone, ("asia/jp/tokyo",)) == "Tokyo"
