"""Whole runs that were published: their chip-hours lie within the range of what the engine says on their stacks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from core.comparison.judge.goodput import best_interval_h, stretch
from core.constants import SECONDS_PER_HOUR
from core.throughput.predict import predict
from core.throughput.training.overheads import done_again, run_overheads_of
from core.throughput.types import Layout, System
from core.workload.jobs.kinds import PreTraining
from core.workload.models.known import presets
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile, Stack
from tests.core.throughput.fleet_samples import system

BLOOM = TransformerModel(
    name="BLOOM", n_layers=70, d_model=14336, n_heads=112, n_kv_heads=112, d_head=128, d_ff=57344, vocab_size=250880,
    gated_mlp=False, tied_embeddings=True,
)  # fmt: skip
OLMO = TransformerModel(
    name="OLMo 2 32B", n_layers=64, d_model=5120, n_heads=40, n_kv_heads=8, d_head=128, d_ff=27648, vocab_size=100352
)


@dataclass(frozen=True)
class Run:
    """A published run: ``hours`` of a chip in all, as its makers state them."""

    model: TransformerModel
    system: System
    job: dict[str, Any]
    stack: dict[str, Any]
    hours: float
    layout: Layout | None = None

    def profile(self) -> Profile:
        """The run as a profile."""
        return Profile(model=self.model, job=PreTraining(**self.job), stack=Stack(**self.stack))


def _known(name: str) -> TransformerModel:
    return presets()[name].model


def _h800() -> System:
    """DeepSeek's hosts: eight 400 Gbit/s cards each (arXiv 2412.19437, section 3.1)."""
    return replace(system("h800-sxm", 2048), network_gbit_per_s=3200.0, chips_per_host=8)


RUNS = {
    # model card of Llama 3.1; arXiv 2407.21783, table 4: TP 8, PP 16, data ranks that share gradients
    "Llama 3.1 405B": Run(
        _known("Llama 3.1 405B"), system("h100-sxm", 16384),
        {"n_tokens": 15.6e12, "sequence_length": 8192, "global_batch_sequences": 2048},
        {"training_stack": "vendor", "software_year": 2024}, 30.84e6,
        Layout(dp=128, tp=8, pp=16, micro_batch=1, recompute="", zero=2),
    ),
    # arXiv 2412.19437, table 1; DualPipe, DeepEP and fine-grained FP8 of its own, which vendors' stacks had in May 2025
    "DeepSeek-V3": Run(
        _known("DeepSeek-V3"), _h800(),
        {"n_tokens": 14.8e12, "sequence_length": 4096, "global_batch_sequences": 15360, "precision": "fp8"},
        {"training_stack": "vendor", "software_year": 2025, "software_month": 5}, 2.788e6,
    ),
    # arXiv 2211.05100, section 3.4 and its carbon footprint paper: TP 4, PP 12, DP 8
    "BLOOM": Run(
        BLOOM, system("a100-sxm-80", 384),
        {"n_tokens": 366e9, "sequence_length": 2048, "global_batch_sequences": 2048},
        {"training_stack": "megatron_2021", "software_year": 2022}, 1.0825e6,
        Layout(dp=8, tp=4, pp=12, micro_batch=2, recompute="full"),
    ),
    # arXiv 2307.09288, table 2; Meta's own stack
    "Llama 2 70B": Run(
        _known("Llama 2 70B"), system("a100-sxm-80", 2048),
        {"n_tokens": 2e12, "sequence_length": 4096, "global_batch_sequences": 1024},
        {"training_stack": "team", "software_year": 2023}, 1.7203e6,
    ),
    # AI2, OLMo 2 32B, 2025: more than 1,800 tokens/s a chip on 1,280 H100, 6.06 T tokens
    "OLMo 2 32B": Run(
        OLMO, system("h100-sxm", 1024),
        {"n_tokens": 6.06e12, "sequence_length": 4096, "global_batch_sequences": 2048},
        {"training_stack": "team", "software_year": 2025}, 6.06e12 / 1800 / SECONDS_PER_HOUR,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RUNS)
def test_chip_hours_of_a_published_run_lie_within_the_range(name: str) -> None:
    run = RUNS[name]
    job = PreTraining(**run.job)
    speed = predict(run.profile(), [run.system], layout=run.layout)[0].tokens_per_s
    pure = np.array([job.n_tokens / value / SECONDS_PER_HOUR for value in (speed.high, speed.likely, speed.low)])
    low, likely, high = run.system.n_chips * pure * (1.0 + done_again(job))
    assert low <= run.hours <= high, (low, likely, high)
    assert high / low < 3.0


def test_the_goodput_of_llama_3_1_405b_is_above_90_in_100() -> None:
    """Effective training time over 54 days on 16,384 H100 (arXiv 2407.21783, section 3.3.4): "higher than 90 %"."""
    run = RUNS["Llama 3.1 405B"]
    job = PreTraining(**run.job)
    overheads = run_overheads_of(run.model, job, run.profile().stack, [run.system])
    rate, save_h = overheads.failures_per_h[:, 1], overheads.save_s[:, 1] / SECONDS_PER_HOUR
    hours = np.array([54 * 24.0])
    restart_h = overheads.resume_s[:, 1] / SECONDS_PER_HOUR + 0.1
    longer = stretch(hours, rate, best_interval_h(save_h, rate), save_h, restart_h)
    assert 0.90 < 1.0 / (float(longer[0]) * (1.0 + float(done_again(job)[1]))) < 0.98
