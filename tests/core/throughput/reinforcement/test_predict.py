"""Steps of reinforcement learning on systems: laws, published shares and gains, and what is refused."""

from __future__ import annotations

from functools import cache

import pytest

from core.throughput.predict import predict
from core.throughput.types import Throughput
from core.workload.jobs.kinds import ReinforcementLearning
from core.workload.models.network import NetworkModel
from core.workload.profile import Profile
from tests.core.throughput.fleet_samples import LLAMA_3_8B, LLAMA_3_70B, system

MATHS = {
    "prompts_per_step": 512, "samples_per_prompt": 16, "prompt_tokens": 500, "answer_tokens": 3000,
    "sequence_length": 22_000,
}  # fmt: skip
"""A run on problems of mathematics with long answers, as published ones are."""


@cache
def step(chip: str = "h100-sxm", n_chips: int = 128, **changes: object) -> Throughput:
    job = ReinforcementLearning.model_validate(MATHS | changes)
    (answer,) = predict(Profile(model=LLAMA_3_8B, job=job), [system(chip, n_chips)])
    return answer


def test_terms_sum_to_the_step_and_speed_is_tokens_over_it() -> None:
    answer = step()
    assert sum(answer.step_terms_s.values()) == pytest.approx(answer.step_time_s)
    assert answer.tokens_per_s.likely * answer.step_time_s == pytest.approx(512 * 16 * 3500)
    assert answer.tokens_per_s.low < answer.tokens_per_s.likely < answer.tokens_per_s.high
    assert 0 < answer.mfu < 1


def test_answers_take_the_published_share_of_a_synchronous_step() -> None:
    answer = step()
    assert 0.3 <= answer.step_terms_s["rollout"] / answer.step_time_s <= 0.7


def test_where_training_dominates_answers_take_little() -> None:
    answer = step("h20", 8, prompts_per_step=128, samples_per_prompt=8, answer_tokens=300, sequence_length=1024)
    assert answer.step_terms_s["rollout"] / answer.step_time_s < 0.2


def test_answering_ahead_gains_what_is_published() -> None:
    ahead = step(placement="apart", steps_off_policy=4)
    assert 1.3 <= step().step_time_s / ahead.step_time_s <= 2.7


def test_a_searched_split_is_no_slower_than_any_stated_one() -> None:
    searched = step(placement="apart", steps_off_policy=1)
    stated = [step(placement="apart", steps_off_policy=1, rollout_share_pct=pct) for pct in (25.0, 50.0, 75.0)]
    assert searched.step_time_s <= min(one.step_time_s for one in stated) + 1e-9


def test_a_longer_answer_at_most_makes_a_synchronous_step_wait() -> None:
    short, long = step(sequence_length=4096), step(sequence_length=22_000)
    assert long.step_terms_s["rollout"] > 1.5 * short.step_terms_s["rollout"]


def test_a_critic_and_a_reward_model_take_time() -> None:
    plain, judged = step(), step(algorithm="ppo", reward="model")
    assert judged.step_terms_s["training"] > plain.step_terms_s["training"]
    assert judged.step_terms_s["scoring"] > plain.step_terms_s["scoring"]
    assert judged.step_terms_s["rollout"] == plain.step_terms_s["rollout"]


def test_pairs_are_scored_and_trained_on_without_answers() -> None:
    answer = step(algorithm="dpo")
    assert set(answer.step_terms_s) == {"scoring", "training"}
    assert answer.notes == ()


def test_the_answers_own_layout_is_told() -> None:
    assert any("The same chips answer in" in note for note in step().notes)
    assert any("64 chips answer in" in note for note in step(placement="apart", rollout_share_pct=50.0).notes)


def test_what_does_not_fit_says_why() -> None:
    (small,) = predict(Profile(model=LLAMA_3_70B, job=ReinforcementLearning()), [system("l40s", 1)])
    assert not small.fits and small.reasons[0].code == "memory"
    assert not step(n_chips=1, placement="apart").fits
    assert step(n_chips=1, placement="apart").reasons[0].code == "layout"


@pytest.mark.parametrize("placement", ["together", "apart"])
@pytest.mark.parametrize(("chip", "n_chips"), [("t4", 64), ("v100-sxm2-32", 64)])
def test_answers_in_a_format_that_the_engine_refuses_are_no_endless_step(
    chip: str, n_chips: int, placement: str
) -> None:
    """Such a chip has no rate of the format, and came to thousands of years that were paid for."""
    refused = step(chip, n_chips, placement=placement)
    (reason,) = refused.reasons
    assert (refused.fits, refused.tokens_per_s.likely, refused.step_time_s) == (False, 0.0, 0.0)
    assert reason.code == "format" and "BF16 with vLLM" in reason.words
    assert reason.nearest_change == "Take FP16, which runs there"
    assert step(chip, n_chips, placement=placement, precision="fp16", rollout_precision="fp16").fits


def test_pairs_ask_for_no_format_of_answers() -> None:
    assert step("v100-sxm2-32", 64, algorithm="dpo", precision="fp16").fits


def test_a_network_that_answers_in_samples_is_refused() -> None:
    profile = Profile(model=NetworkModel(), job=ReinforcementLearning())
    (answer,) = predict(profile, [system("h100-sxm", 8)])
    assert not answer.fits and "answer in tokens" in answer.reasons[0].words


def test_an_answer_does_not_depend_on_which_others_are_asked() -> None:
    profile = Profile(model=LLAMA_3_8B, job=ReinforcementLearning(placement="apart", steps_off_policy=1))
    asked = [system("h100-sxm", 16), system("l40s", 8), system("b200-sxm", 32)]
    alone = [predict(profile, [one])[0] for one in asked]
    assert predict(profile, asked) == alone
