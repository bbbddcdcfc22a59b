"""Models beside the policy: what they take of the chips, kept there or in turns."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.throughput.predict import predict
from core.throughput.reinforcement.beside import PART, Others, frozen_sizes, others_of
from core.throughput.types import Throughput
from core.units import GIB
from core.workload.jobs.kinds import ReinforcementLearning
from core.workload.profile import Profile
from tests.core.throughput.fleet_samples import LLAMA_3_8B, system

N_PARAMS = 8e9


def _job(**changes: object) -> ReinforcementLearning:
    return ReinforcementLearning.model_validate({"sequence_length": 4096} | changes)


@cache
def _step(n_chips: int, **changes: object) -> Throughput:
    (answer,) = predict(Profile(model=LLAMA_3_8B, job=_job(**changes)), [system("h100-sxm", n_chips)])
    return answer


def test_a_critic_holds_the_state_of_training_and_frozen_models_their_weights() -> None:
    job = _job(algorithm="ppo", reward="model", judge_size_pct=50.0)
    others = others_of(job, N_PARAMS, 4)
    assert others.critic_gib == pytest.approx(0.5 * 18 * N_PARAMS / 4 / GIB)
    assert others.frozen_gib == pytest.approx((2 * N_PARAMS / 4 / GIB, 0.5 * 2 * N_PARAMS / 4 / GIB))
    assert others_of(_job(has_reference=False), N_PARAMS, 4) == Others(0.0, ())


@given(st.floats(1.0, 1000.0), st.integers(1, 4096))
def test_larger_judges_take_more_and_more_chips_less_of_each(judge_pct: float, n_chips: int) -> None:
    job = _job(algorithm="ppo", reward="model", judge_size_pct=judge_pct)
    larger = _job(algorithm="ppo", reward="model", judge_size_pct=min(1000.0, 1.5 * judge_pct))
    one = others_of(job, N_PARAMS, n_chips).all_gib
    assert others_of(larger, N_PARAMS, n_chips).all_gib >= one >= others_of(job, N_PARAMS, 2 * n_chips).all_gib


def test_what_scores_is_told_in_one_place() -> None:
    assert frozen_sizes(_job()) == (1.0,)
    assert frozen_sizes(_job(algorithm="dpo", reward="model", judge_size_pct=10.0)) == (1.0,), "pairs need no reward"
    assert frozen_sizes(_job(has_reference=False, reward="model", judge_size_pct=10.0)) == (0.1,)


def test_judges_of_ten_times_the_policy_do_not_fit_beside_it() -> None:
    """80B of critic are 1.3 TiB of training state, whatever waits in host memory."""
    plain, huge = _step(2, algorithm="ppo"), _step(2, algorithm="ppo", judge_size_pct=1000.0)
    assert plain.fits and not huge.fits
    (reason,) = huge.reasons
    assert reason.code == "memory" and "with a smaller critic" in str(reason.nearest_change)
    assert sum(huge.memory_gib.values()) > 9 * 18 * N_PARAMS / 2 / GIB


def test_the_same_chips_have_each_model_in_its_turn_and_pay_for_moving_it() -> None:
    plain, judged = _step(8), _step(8, algorithm="ppo", reward="model")
    assert judged.fits and PART not in judged.memory_gib, "no moment holds more than the policy's training"
    assert judged.step_terms_s["switching"] > plain.step_terms_s["switching"]


def test_chips_that_only_train_keep_all_models_where_these_fit_and_else_take_turns() -> None:
    roomy = _step(16, algorithm="ppo", placement="apart", rollout_share_pct=50.0)
    tight = _step(4, algorithm="ppo", placement="apart", rollout_share_pct=50.0)
    assert roomy.fits and roomy.memory_gib[PART] == pytest.approx(20 * LLAMA_3_8B.n_params / 8 / GIB)
    assert "switching" not in roomy.step_terms_s
    assert tight.fits and tight.step_terms_s["switching"] > 0
    for one in (roomy, tight):
        assert sum(one.memory_gib.values()) <= one.memory_capacity_gib


def test_pairs_keep_the_reference_on_the_chips() -> None:
    with_it, without = _step(8, algorithm="dpo"), _step(8, algorithm="dpo", has_reference=False)
    assert with_it.memory_gib[PART] == pytest.approx(2 * LLAMA_3_8B.n_params / 8 / GIB)
    assert PART not in without.memory_gib
    assert with_it.memory_capacity_gib == without.memory_capacity_gib
    short = _step(2, algorithm="dpo")
    assert not short.fits and "smaller critic" not in str(short.reasons[0].nearest_change)


@pytest.mark.parametrize(
    ("chip", "job"), [("l4", {"algorithm": "dpo"}), ("a100-sxm-40", {"algorithm": "dpo"}), ("l4", {"algorithm": "ppo"})]
)
def test_how_many_chips_would_do_counts_the_room_that_others_leave(chip: str, job: dict[str, object]) -> None:
    """Of pairs an L4 read "may fit with 16" where eight do: the reference is split over all of them."""

    def asked(n_chips: int) -> Throughput:
        (answer,) = predict(Profile(model=LLAMA_3_8B, job=_job(**job)), [system(chip, n_chips)])
        return answer

    least = next(n for n in (2, 4, 8, 16, 32) if asked(n).fits)
    assert str(asked(1).reasons[0].nearest_change).startswith(f"May fit with {least} chips")
