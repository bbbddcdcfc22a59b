"""Measured rows of reinforcement learning: what a step held, where lengths come from, and true refusals."""

from __future__ import annotations

import pytest

from core.calibration.measured.case import any_case_of
from core.calibration.measured.dialects.rl import DIALECT
from core.calibration.measured.reinforcement import ReinforcementCase
from core.calibration.measured.table import MeasuredRow
from core.catalogue.loading import load_catalogue
from core.throughput.types import Layout

ROW = {
    "id": "a", "source_group": "somebody", "quality": "A", "date": "2026-02", "framework": "NeMo-RL (Megatron + vLLM)",
    "algorithm": "GRPO", "policy_mode": "sync on-policy", "model": "qwen3-32b", "chip": "h100-sxm", "n_chips": "32",
    "max_len": "4096", "mean_len": "3200", "prompts_or_samples_per_step": "2048", "train_batch": "512",
    "gen_layout": "TP,PP=[4,1]", "train_layout": "TP,CP,EP,PP,VPP=[4,1,1,4,n/a]", "train_precision": "bf16",
    "gen_precision": "fp8", "step_time_s": "400",
}  # fmt: skip

UP_TO = {
    "prompts_or_samples_per_step": "", "train_batch": "up to 1024 sequences", "source_group": "deepspeed-chat",
    "mean_len": "512", "max_len": "512", "gen_layout": "", "train_layout": "",
}  # fmt: skip


def case_of(**cells: str) -> ReinforcementCase | str:
    raw = ROW | cells
    row = MeasuredRow("rl.csv", 2, DIALECT.read(raw), DIALECT.work_of(raw), DIALECT.renamed)
    case = any_case_of(row, row.work, load_catalogue())
    return case if isinstance(case, ReinforcementCase) else case.reason  # type: ignore[union-attr]


def known(**cells: str) -> ReinforcementCase:
    case = case_of(**cells)
    assert isinstance(case, ReinforcementCase), case
    return case


def test_a_step_as_its_row_states_it() -> None:
    case = known()
    assert (case.job.answers_per_step, case.job.global_batch_sequences, case.job.sequence_length) == (2048, 512, 4096)
    assert (case.job.precision, case.job.rollout_precision) == ("bf16", "fp8")
    assert case.layout == Layout(tp=4, pp=4, micro_batch=0, recompute="")
    assert case.answering_layout == Layout(tp=4, pp=1, micro_batch=0, recompute="")
    assert case.stack.training_stack == "vendor"


@pytest.mark.parametrize(
    ("cells", "mean"),
    [
        ({"tokens_per_s_per_chip": "500"}, 500 * 400 * 32 / 2048),  # all tokens over the answers: prompts are in it
        ({"prompt_len": "256"}, 3200),  # longer than the prompt: a whole sequence
        ({"prompt_len": "512", "mean_len": "300"}, 812),  # shorter: the answer alone
        ({"mean_len": ""}, 128 + 2048),  # half of the longest, beside a usual prompt
    ],
)
def test_mean_lengths(cells: dict[str, str], mean: float) -> None:
    assert known(**cells).job.mean_sequence == pytest.approx(mean, abs=1)


@pytest.mark.parametrize(
    ("cells", "placement", "ahead", "share"),
    [
        ({}, "together", 0, None),
        ({"policy_mode": "async 1-step Off"}, "apart", 1, 50.0),
        ({"policy_mode": "async 8-step Off"}, "apart", 8, 50.0),
        ({"policy_mode": "async", "rollout_chips": "24", "train_chips": "8"}, "apart", 1, 75.0),
        ({"policy_mode": "sync", "rollout_chips": "24", "train_chips": "8"}, "apart", 0, 75.0),
        ({"policy_mode": "sync colocated", "rollout_chips": "32", "train_chips": "32"}, "together", 0, None),
    ],
)
def test_which_chips_do_what(cells: dict[str, str], placement: str, ahead: int, share: float | None) -> None:
    job = known(**cells).job
    assert (job.placement, job.steps_off_policy, job.rollout_share_pct) == (placement, ahead, share)


def test_answers_of_a_step_from_prompts_or_from_what_is_trained_on() -> None:
    assert known(prompts_or_samples_per_step="64", gen_per_prompt="16").job.answers_per_step == 1024
    cells = {"prompts_or_samples_per_step": "", "train_batch": "1024 sequences"}
    assert known(**cells).job.answers_per_step == 1024


@pytest.mark.parametrize(
    ("model", "chip", "n_chips", "scripted"),
    [
        ("opt-6.7b", "a100-sxm-40", "1", 8),
        ("opt-13.2b", "a100-sxm-40", "8", 128),
        ("opt-1.3b", "a100-sxm-80", "64", 1024),
    ],
)
def test_up_to_so_many_answers_are_those_that_memory_holds(
    model: str, chip: str, n_chips: str, scripted: int
) -> None:  # the source's own scripts, in powers of two
    assert scripted / 2 < known(**UP_TO, model=model, chip=chip, n_chips=n_chips).job.answers_per_step < 2 * scripted


def test_at_least_an_answer_a_chip_and_more_with_more_memory() -> None:
    held = [
        known(**UP_TO, model="opt-6.7b", chip=chip, n_chips="1").job for chip in ("t4", "a100-sxm-40", "a100-sxm-80")
    ]
    answers = [job.answers_per_step for job in held]
    assert answers[0] == 1 < answers[1] < answers[2] / 4
    assert [job.global_batch_sequences for job in held] == answers


@pytest.mark.parametrize(
    ("cells", "judged"),
    [
        ({"date": "2023-04"}, "model"),
        ({"date": "2026-01"}, "rules"),
        ({"date": "2025"}, "rules"),
        ({"algorithm": "GRPO"}, "rules"),
    ],
)
def test_ppo_was_judged_by_a_model_once(cells: dict[str, str], judged: str) -> None:
    assert known(**({"algorithm": "PPO"} | cells)).job.reward == judged


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"chip": "not stated"}, "hardware not stated"),
        ({"chip": "abacus"}, "hardware not in the catalogue"),
        ({"quality": "C"}, "quality C"),
        ({"mean_len": "", "max_len": ""}, "length of answers unknown"),
        ({"prompts_or_samples_per_step": "", "train_batch": ""}, "answers of a step unknown"),
        ({"algorithm": "SWE"}, "answers with tools between"),
        ({"algorithm": "SFT + reward model + PPO (three steps)"}, "three jobs in one figure"),
        ({"algorithm": "SFT step (long context)"}, "fine-tuning"),
        ({"n_chips": ""}, "number of chips unknown"),
    ],
)
def test_what_cannot_be_said_is_refused_with_its_reason(cells: dict[str, str], reason: str) -> None:
    assert str(case_of(**cells)).startswith(reason)


def test_a_remark_behind_the_chip_does_not_hide_it() -> None:
    assert known(chip="h800 (assumed)").system.accelerator.id == "h800-sxm"
