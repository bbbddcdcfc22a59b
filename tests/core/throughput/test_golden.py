"""Sixty configurations with what the engine answers to each: no change drifts unseen.

``ROOFPLAN_UPDATE_GOLDEN=1`` rewrites the file; review its diff.
"""

import json
import math
import os
from dataclasses import dataclass, field
from typing import Any

import pytest

from core.throughput.predict import predict
from core.throughput.types import Layout, Throughput
from core.workload.jobs.kinds import BatchInference, FineTuning, OnlineServing, PreTraining
from core.workload.models.known import networks, presets
from core.workload.profile import Profile, Stack
from tests.core.throughput.fleet_samples import system
from tests.repository_files import ROOT

GOLDEN = ROOT / "tests" / "data" / "golden" / "configurations.json"
JOBS = {"train": PreTraining, "tune": FineTuning, "serve": OnlineServing, "batch": BatchInference}


@dataclass(frozen=True)
class Case:
    """A model, a kind of job, a chip and how many; then what differs from the usual."""

    model: str
    work: str
    chip: str
    n_chips: int
    job: dict[str, Any] = field(default_factory=dict)
    layout: Layout | None = None
    stack: dict[str, Any] = field(default_factory=dict)

    def answer(self) -> Throughput:
        """What the engine says."""
        model = networks()[self.model].model if self.model in networks() else presets()[self.model].model
        profile = Profile(model=model, job=JOBS[self.work].model_validate(self.job), stack=Stack(**self.stack))
        return predict(profile, [system(self.chip, self.n_chips)], layout=self.layout)[0]


GPT_3_JOB = {"sequence_length": 2048, "global_batch_sequences": 1536}
BERT_JOB = {"sequence_length": 512, "global_batch_sequences": 3072}
FREE = {"ttft_limit_ms": None, "tpot_limit_ms": None}
CASES = {
    "dense 8B, one host": Case("Llama 3.1 8B", "train", "h100-sxm", 8, {"global_batch_sequences": 128}),
    "dense 8B, A100": Case("Llama 3.1 8B", "train", "a100-sxm-80", 64),
    "dense 8B, A100 of 40 GB": Case("Llama 3.1 8B", "train", "a100-sxm-40", 16),
    "dense 8B, eager": Case("Llama 3.1 8B", "train", "h100-sxm", 64, stack={"training_stack": "fsdp_eager"}),
    "dense 8B, PCIe": Case("Llama 3.1 8B", "train", "l40s", 32),
    "dense 8B, V100": Case("Llama 3.1 8B", "train", "v100-sxm2-32", 64, {"precision": "fp16"}),
    "dense 8B, V100 with BF16 emulated": Case("Llama 3.1 8B", "train", "v100-sxm2-32", 64),
    "dense 8B, FP8 weights on A100": Case("Llama 3.1 8B", "batch", "a100-sxm-80", 2, {"weight_precision": "fp8"}),
    "dense 8B, FP32 on TPU v5p": Case("Llama 3.1 8B", "train", "tpu-v5p", 64, {"precision": "fp32"}),
    "dense 8B, TPU v5e": Case("Llama 3.1 8B", "train", "tpu-v5e", 256),
    "dense 8B, two slices": Case("Llama 3.1 8B", "train", "tpu-v5e", 512, {"global_batch_sequences": 2048}),
    "dense 8B, long": Case("Llama 3.1 8B", "train", "h100-sxm", 128, {"sequence_length": 131072}),
    "dense 70B": Case("Llama 3.1 70B", "train", "h100-sxm", 512),
    "dense 70B, fp8": Case("Llama 3.1 70B", "train", "h100-sxm", 512, {"precision": "fp8"}),
    "refused, FP8 training on A100": Case("Llama 3.1 70B", "train", "a100-sxm-80", 512, {"precision": "fp8"}),
    "dense 70B, B200 bf16": Case("Llama 3.1 70B", "train", "b200-sxm", 256),
    "dense 70B, B200 NVFP4": Case("Llama 3.1 70B", "train", "b200-sxm", 256, {"precision": "fp4"}),
    "refused, NVFP4 training on AMD": Case("Llama 3.1 70B", "train", "mi355x", 256, {"precision": "fp4"}),
    "dense 70B, tf32": Case("Llama 3.1 70B", "train", "h200-sxm", 256, {"precision": "tf32"}),
    "dense 70B, fp32": Case("Llama 3.1 70B", "train", "h200-sxm", 256, {"precision": "fp32"}),
    "dense 70B, MI300X": Case("Llama 3.1 70B", "train", "mi300x", 256),
    "dense 70B, TPU v5p": Case("Llama 3.1 70B", "train", "tpu-v5p", 512),
    "dense 70B, TPU v6e": Case("Llama 3.1 70B", "train", "tpu-v6e", 256),
    "dense 70B, TPU7x": Case("Llama 3.1 70B", "train", "tpu7x", 128, {"precision": "fp8"}),
    "dense 70B, given tensor and pipeline": Case(
        "Llama 3.1 70B", "train", "h100-sxm", 512, layout=Layout(dp=16, tp=4, pp=8, interleave=5, recompute="selective")
    ),
    "dense 70B, given groups of shards": Case(
        "Llama 3.1 70B", "train", "h100-sxm", 512, layout=Layout(dp=16, fsdp=32, recompute="full")
    ),
    "dense 70B, given ZeRO-2": Case(
        "Llama 2 7B", "train", "h100-sxm", 64, {"sequence_length": 4096}, Layout(dp=64, zero=2, recompute="selective")
    ),
    "dense 70B, given across hosts": Case(
        "Llama 3.1 70B", "train", "h100-sxm", 64, layout=Layout(dp=4, tp=16, recompute="full")
    ),
    "dense 405B": Case("Llama 3.1 405B", "train", "h100-sxm", 8192, {"global_batch_sequences": 2048}),
    "dense 405B, NVL72": Case("Llama 3.1 405B", "train", "gb200", 576, {"precision": "fp8"}),
    "GPT-3 of 2021": Case(
        "GPT-3 175B",
        "train",
        "a100-sxm-80",
        1024,
        GPT_3_JOB,
        stack={"training_stack": "megatron_2021", "software_year": 2021},
    ),
    "GPT-3, TPU v4": Case("GPT-3 175B", "train", "tpu-v4", 1024, GPT_3_JOB),
    "GPT-3, int8 on TPU": Case("GPT-3 175B", "train", "tpu-v5p", 1024, {**GPT_3_JOB, "precision": "int8"}),
    "mixture 8x7B": Case("Mixtral 8x7B", "train", "h100-sxm", 128, {"sequence_length": 4096}),
    "mixture 8x22B, TPU": Case("Mixtral 8x22B", "train", "tpu-v5p", 256, {"sequence_length": 4096}),
    "mixture 671B, fp8": Case(
        "DeepSeek-V3",
        "train",
        "h100-sxm",
        2048,
        {"precision": "fp8", "sequence_length": 4096, "global_batch_sequences": 15360},
    ),
    "mixture 30B, B200": Case("Qwen3 30B-A3B", "train", "b200-sxm", 64, {"sequence_length": 4096}),
    "encoder": Case("BERT large", "train", "h100-sxm", 8, BERT_JOB),
    "encoder, TPU": Case("BERT large", "train", "tpu-v5p", 64, BERT_JOB),
    "windows": Case("Gemma 3 27B", "train", "h200-sxm", 128),
    "LoRA 7B": Case("Mistral 7B", "tune", "l40s", 4, {"method": "lora"}),
    "LoRA 70B": Case("Llama 2 70B", "tune", "h100-sxm", 8, {"method": "lora", "global_batch_sequences": 8}),
    "full tuning 70B": Case("Llama 3.1 70B", "tune", "h200-sxm", 16, {"sequence_length": 4096}),
    "photographs": Case("ResNet-50", "train", "a100-sxm-80", 8, {"global_batch_sequences": 3264}),
    "refused: does not fit": Case("GPT-3 175B", "train", "h100-sxm", 8),
    "refused: fixed recompute": Case("Llama 3.1 70B", "train", "h100-sxm", 16, {"recompute": "none"}),
    "refused: batch too small": Case("Llama 3.1 8B", "train", "h100-sxm", 4096, {"global_batch_sequences": 1}),
    "refused: degrees do not divide": Case("Llama 3.1 8B", "train", "h100-sxm", 8, layout=Layout(tp=3)),
    "chat 8B": Case("Llama 3.1 8B", "serve", "h100-sxm", 1),
    "chat 8B, L4": Case("Llama 3.1 8B", "serve", "l4", 1, {"weight_precision": "fp8"}),
    "chat 8B, TPU": Case("Llama 3.1 8B", "serve", "tpu-v6e", 4, {"engine": "jetstream"}),
    "chat 70B": Case("Llama 3.1 70B", "serve", "h100-sxm", 8),
    "chat 70B, fp8 and fp8 cache": Case(
        "Llama 3.1 70B", "serve", "h200-sxm", 4, {"weight_precision": "fp8", "kv_precision": "fp8"}
    ),
    "chat 70B, int4 weights": Case("Llama 3.1 70B", "serve", "a100-sxm-80", 2, {"weight_precision": "int4"}),
    "chat 70B, NVFP4": Case(
        "Llama 3.1 70B",
        "serve",
        "b200-sxm",
        2,
        {"weight_precision": "fp4", "kv_precision": "fp4", "engine": "tensorrt-llm"},
    ),
    "chat 70B, MI300X": Case("Llama 3.1 70B", "serve", "mi300x", 8, {"engine": "sglang"}),
    "mixture served": Case("Mixtral 8x7B", "batch", "h100-sxm", 2, {"weight_precision": "fp8"}),
    "mixture 671B served": Case("DeepSeek-V3", "serve", "h200-sxm", 8, {"weight_precision": "fp8", **FREE}),
    "mixture 120B, MXFP4": Case("gpt-oss-120b", "batch", "b200-sxm", 1, {"weight_precision": "mxfp4"}),
    "nightly 8B": Case("Llama 3.1 8B", "batch", "a100-sxm-80", 1),
    "given arrangement": Case("Llama 3.1 70B", "batch", "h100-sxm", 8, layout=Layout(tp=4, replicas=2, max_batch=64)),
    "refused: too slow": Case("Llama 3.1 70B", "serve", "h100-sxm", 8, {"tpot_limit_ms": 2.0}),
    "refused: weights too large": Case("Llama 3.1 405B", "serve", "h100-sxm", 8),
}


def _told(case: Case) -> dict[str, Any]:
    """What is kept of an answer: five digits of each figure, words as they are."""
    answer = case.answer()
    latency, layout = answer.latency, answer.layout
    degrees = ("dp", "fsdp", "tp", "pp", "cp", "ep", "micro_batch", "recompute", "replicas", "max_batch")
    return {
        "fits": answer.fits,
        "reasons": [reason.code for reason in answer.reasons],
        "tokens_per_s": [_short(v) for v in (answer.tokens_per_s.low, answer.tokens_per_s.likely)],
        "step_s": _short(answer.step_time_s),
        "memory_gib": _short(sum(answer.memory_gib.values())),
        "layout": " ".join(f"{name}={getattr(layout, name)}" for name in degrees),
        "precision": answer.precision,
        "bottleneck": answer.bottleneck,
        "latency_ms": [_short(v) for v in (latency.ttft_p50_ms, latency.tpot_p50_ms)] if latency else [],
    }


def _short(value: float) -> float:
    return float(f"{value:.5g}") if math.isfinite(value) else 0.0


@pytest.fixture(scope="module")
def kept() -> dict[str, dict[str, Any]]:
    """The stored answers, rewritten first where that is asked for."""
    if os.environ.get("ROOFPLAN_UPDATE_GOLDEN"):
        found = {name: _told(case) for name, case in CASES.items()}
        lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(told)}" for name, told in found.items())
        GOLDEN.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    answers: dict[str, dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return answers


def test_sixty_configurations_are_kept(kept: dict[str, dict[str, Any]]) -> None:
    assert list(kept) == list(CASES)
    assert len(CASES) >= 60


@pytest.mark.parametrize("name", CASES)
def test_answer_has_not_drifted(name: str, kept: dict[str, dict[str, Any]]) -> None:
    found = _told(CASES[name])
    figures = ("tokens_per_s", "step_s", "memory_gib", "latency_ms")
    assert {key: found[key] for key in found if key not in figures} == {
        key: value for key, value in kept[name].items() if key not in figures
    }
    for figure in figures:
        assert found[figure] == pytest.approx(kept[name][figure], rel=1e-3), figure
    assert found["fits"] == (not name.startswith("refused"))
