"""Shipped profiles, and files that are no profile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core import paths
from core.errors import InputError
from core.workload.jobs.kinds import OnlineServing
from core.workload.library import SAMPLE_PLAN, load_profiles, read_profile
from core.workload.models.known import networks, presets

SHIPPED = {
    "llama3-70b-pretraining", "llama3-8b-pretraining", "llama3-70b-finetune", "mistral-7b-lora",
    "mixtral-8x7b-training", "chat-serving-8b", "chat-serving-70b", "nightly-batch-scoring",
    "resnet50-training", "sdxl-serving",
}  # fmt: skip


def refused(tmp_path: Path, text: str) -> InputError:
    """The error that a file of this text is refused with."""
    path = tmp_path / "mine.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_profile(path)
    return caught.value


def test_every_shipped_profile_loads_under_its_own_file_name() -> None:
    assert load_profiles().keys() == SHIPPED
    for name, profile in load_profiles().items():
        assert read_profile(paths.profiles() / f"{name}.json") == profile


def test_the_sample_plan_is_no_profile() -> None:
    assert (paths.profiles() / SAMPLE_PLAN).is_file()
    assert SAMPLE_PLAN.removesuffix(".json") not in load_profiles()


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_shipped_profiles_hold_the_true_shapes_and_limits(name: str) -> None:
    profile = load_profiles()[name]
    known = networks() if profile.is_in_samples else presets()
    assert profile.model == known[profile.model.name].model
    assert profile.limits.budget_usd is not None
    assert profile.note


def test_all_four_kinds_of_job_are_shown() -> None:
    kinds = {profile.job.kind for profile in load_profiles().values()}
    assert kinds == {"pretraining", "finetuning", "batch_inference", "online_serving"}


def test_broken_json_is_refused_with_line_and_column(tmp_path: Path) -> None:
    error = refused(tmp_path, '{\n  "id": "a",\n  "name" "b"\n}')
    assert "mine.json, line 3, column 10" in error.where


@pytest.mark.parametrize(
    ("content", "field", "found", "expected"),
    [
        ({"job": {"kind": "pretraining", "n_tokens": -5}}, "job.n_tokens", "-5", "a number above 0"),
        ({"job": {"kind": "pretraining", "n_tokens": "many"}}, "job.n_tokens", "'many'", "a number"),
        ({"job": {"kind": "dreaming"}}, "job", "dreaming", "'pretraining'"),
        ({"stack": {"framework": "fortran"}}, "stack.framework", "'fortran'", "'pytorch'"),
        ({"limits": {"max_chips": 0}}, "limits.max_chips", "0", "at least 1"),
        ({"limits": {"start_date": "soon"}}, "limits.start_date", "'soon'", "a date such as"),
        ({"colour": "red"}, "colour", "'red'", "no such field"),
        ({"model": {"n_heads": 32, "n_kv_heads": 7}}, "model", "n_kv_heads", "must divide"),
    ],
)
def test_a_wrong_value_is_refused_by_field(
    tmp_path: Path, content: dict[str, Any], field: str, found: str, expected: str
) -> None:
    error = refused(tmp_path, json.dumps(content))
    assert error.where.endswith(f"mine.json, field {field}")
    assert found in error.found
    assert expected in error.expected


def test_more_than_one_mistake_is_said(tmp_path: Path) -> None:
    error = refused(tmp_path, json.dumps({"limits": {"max_chips": 0}, "id": "UPPER CASE"}))
    assert "1 more" in error.expected


@pytest.mark.parametrize("text", ["", "[]", "5", "null", '"profile"'])
def test_json_that_is_no_object_is_refused(tmp_path: Path, text: str) -> None:
    assert "mine.json" in refused(tmp_path, text).where


@pytest.mark.parametrize("text", ['{"limits": {"budget_usd": NaN}}', '{"limits": {"budget_usd": Infinity}}'])
def test_numbers_that_are_none_are_refused(tmp_path: Path, text: str) -> None:
    assert "budget_usd" in refused(tmp_path, text).where


def test_a_missing_file_and_bytes_are_wrong_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_profile(tmp_path / "nowhere.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(InputError, match="no UTF-8 text"):
        read_profile(tmp_path / "bytes.json")


def test_a_folder_is_no_profile(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a folder"):
        read_profile(tmp_path)


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "bom.json"
    path.write_text('{"name": "With a mark"}', encoding="utf-8-sig")
    assert read_profile(path).name == "With a mark"


def test_an_empty_object_is_a_profile_of_defaults_that_knows_nothing_was_entered(tmp_path: Path) -> None:
    path = tmp_path / "empty.json"
    path.write_text("{}", encoding="utf-8")
    assert read_profile(path).model_fields_set == set()


def test_a_profile_that_tells_of_an_uneven_day_has_one() -> None:
    told = [one for one in load_profiles().values() if "uneven day" in one.note]
    assert told
    for profile in told:
        assert isinstance(profile.job, OnlineServing) and profile.job.traffic != "steady", profile.id
