"""What a step of reinforcement learning holds, and which fields mean nothing for an algorithm."""

from __future__ import annotations

import pytest

from core.plan.fields import fields
from core.workload.doubts import doubts
from core.workload.jobs.kinds import FineTuning, PreTraining, ReinforcementLearning
from core.workload.library import more_profiles
from core.workload.models.known import networks
from core.workload.profile import Profile


def test_a_step_is_prompts_times_answers_and_a_run_so_many_steps() -> None:
    job = ReinforcementLearning(
        n_tokens=1.024e9, prompts_per_step=64, samples_per_prompt=16, prompt_tokens=200, answer_tokens=800
    )
    assert (job.answers_per_step, job.mean_sequence, job.tokens_per_step) == (1024, 1000, 1_024_000)
    assert job.n_steps == pytest.approx(1000)
    assert job.step_tokens == 1_024_000


def test_preferences_need_no_answers_of_the_model() -> None:
    job = ReinforcementLearning(algorithm="dpo", prompts_per_step=32, placement="apart", steps_off_policy=1)
    assert job.answers_per_step == 64
    assert not job.answers_to_train and not job.is_apart and not job.is_overlapped
    assert job.answers_with is None


def test_the_longest_answer_is_at_least_the_mean_one() -> None:
    assert ReinforcementLearning(prompt_tokens=100, answer_tokens=500, sequence_length=4096).longest_answer == 3996
    assert ReinforcementLearning(prompt_tokens=100, answer_tokens=500, sequence_length=256).longest_answer == 500


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"algorithm": "dpo"}, {"samples_per_prompt", "placement", "rollout_engine", "verifier_s", "judge_size_pct"}),
        ({"algorithm": "grpo"}, {"judge_size_pct", "steps_off_policy", "rollout_share_pct"}),
        ({"algorithm": "ppo", "placement": "apart"}, set()),
    ],
)
def test_fields_without_a_meaning_are_not_asked(changes: dict[str, str], names: set[str]) -> None:
    job = ReinforcementLearning(**changes)  # type: ignore[arg-type]
    shown = {field.path for field in fields(job) if field.relevant}
    assert names.isdisjoint(shown)
    assert "answer_tokens" in shown


def test_the_shipped_profile_learns_from_its_own_answers() -> None:
    job = more_profiles()["reinforcement-run"].job
    assert isinstance(job, ReinforcementLearning)
    assert job.algorithm == "grpo"


RAMP = {"ramp_from_sequences": 32, "ramp_tokens": 1e9}


@pytest.mark.parametrize("algorithm", ["grpo", "ppo", "dpo"])
def test_a_batch_that_grows_is_not_asked_for_and_what_a_file_holds_is_told(algorithm: str) -> None:
    """Both fields stood in the form and did nothing."""
    job = ReinforcementLearning.model_validate({"algorithm": algorithm, **RAMP})
    shown = {info.path for info in fields(Profile(job=job)) if info.relevant}
    assert not {"job.ramp_from_sequences", "job.ramp_tokens"} & shown
    (told,) = doubts(Profile.model_validate_json(Profile(job=job).model_dump_json(exclude_unset=True)))
    assert told.path == "job.ramp_from_sequences" and told.text.startswith("Not counted")
    assert doubts(Profile(job=ReinforcementLearning.model_validate({"algorithm": algorithm}))) == ()


@pytest.mark.parametrize("kind", [PreTraining, FineTuning])
def test_a_batch_that_grows_is_asked_for_where_it_counts(kind: type[PreTraining] | type[FineTuning]) -> None:
    shown = {info.path for info in fields(Profile(job=kind.model_validate(RAMP))) if info.relevant}
    assert {"job.ramp_from_sequences", "job.ramp_tokens"} <= shown
    constant = {info.path for info in fields(Profile(job=kind())) if info.relevant}
    assert "job.ramp_from_sequences" in constant and "job.ramp_tokens" not in constant
    assert doubts(Profile(job=kind.model_validate(RAMP))) == ()


def test_a_network_is_asked_for_no_batch_that_grows() -> None:
    profile = Profile(model=networks()["ResNet-50"].model, job=PreTraining.model_validate({"n_tokens": 1e8, **RAMP}))
    assert not [info.path for info in fields(profile) if "ramp" in info.path]
    assert [one.path for one in doubts(profile)] == ["job.ramp_from_sequences"]
