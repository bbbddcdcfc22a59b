"""The Megatron-LM family: `` iteration  10/ 1000 | key: value | ... | elapsed time per iteration (ms): 5837.9 | ...``.

Seen in outputs of Megatron-LM of 2021 to 2024, Megatron-DeepSpeed, BigScience's fork and AMD's Primus, which prints
``last/mean`` pairs. The time is the mean over the iterations since the line before, skipped ones included.
"""

from __future__ import annotations

import math
import re

from core.logs.quantities import reading
from core.logs.registry import Finding, LogFormat
from core.logs.training.run_settings import Ranks, parameters_in, settings_in
from core.logs.training.steps import Runs, by_batch, size
from core.logs.training.storage import note_storage

_MARK = "elapsed time per iteration"
_STEP = re.compile(r"\biteration {1,12}(?P<step>\d{1,12})(?:/ {0,12}\d{1,12})?\s{0,4}\|")
_STAMP = re.compile(r"\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?)\]\s{0,4}(?:[\w.-]{1,40}:\s)?$")
_MEMORY = re.compile(r"memory \(MB\) \|(?P<rest>.{0,300})")
_MEMORY_PART = re.compile(r"(max reserved|max allocated): ([\d.]{1,20})")
_HIP = re.compile(
    r"([\d.]{1,20})\s?(GB|GiB|MB|MiB)/([\d.]{1,20})\s?(?:GB|GiB|MB|MiB)/([\d.]{1,20})\s?(?:GB|GiB|MB|MiB)"
)
_RANK_PARAMETERS = re.compile(r"\(tensor, pipeline\) model parallel rank \((\d{1,6}), (\d{1,6})\): (\d{1,18})")
_EFFECTIVE = re.compile(r"Effective Tera Flops per GPU: ([\d.]{1,20})(?: and total parameters ([\d.]{1,20}) B)?")
_BRIDGE = re.compile(r"GPU utilization: ([\d.]{1,20}) ?MODEL_TFLOP/s/GPU")
"""Megatron-Bridge prints it above each iteration."""

_NAMES = {
    "elapsed time per iteration (ms)": ("step_time_s", 1e-3),
    "elapsed time per iteration (s)": ("step_time_s", 1.0),
    "lm loss": ("loss", 1.0),
    "lm-loss": ("loss", 1.0),
    "loss": ("loss", 1.0),
    "throughput per gpu (tflop/s/gpu)": ("tflops_per_chip", 1.0),
    "throughput (tflop/s/gpu)": ("tflops_per_chip", 1.0),
    "tflops": ("tflops_per_chip", 1.0),
    "tflops per gpu": ("tflops_per_chip", 1.0),
    "model tflop/s/gpu": ("tflops_per_chip", 1.0),
    "tokens per gpu (tokens/s/gpu)": ("tokens_per_s_per_chip", 1.0),
    "tokens per gpu per second (tgs)": ("tokens_per_s_per_chip", 1.0),
    "tokens/sec/gpu": ("tokens_per_s_per_chip", 1.0),
    "samples per second": ("samples_per_s", 1.0),
    "samples/sec": ("samples_per_s", 1.0),
    "approx flops per gpu": ("tflops_per_chip", 1.0),
    "power per gpu (w/gpu)": ("power_w", 1.0),
}
_FACTS = {"global batch size": "global_batch", "actual seqlen": "sequence_length", "sequence length": "sequence_length"}
_HIP_NAME = "hip mem usage/free/total/usage_ratio"
_MOST_RANKS = 1000
_MIB_PER_GIB = 1024.0


class _Reader:
    """Iterations, the arguments above them, and the memory that single ranks report."""

    def __init__(self, file_name: str) -> None:
        self._runs = Runs(file_name, FORMAT.id, "Megatron-LM", 1, by_batch)
        self._parameters: dict[tuple[str, str], float] = {}
        self._ranks = Ranks()

    def take(self, number: int, line: str) -> bool:
        """True for an iteration, and for what ranks report of their memory."""
        match = _STEP.search(line) if _MARK in line else None
        if match is not None:
            self._keep(number, line, match)
        elif "memory (MB)" in line and (memory := _MEMORY.search(line)):
            peaks: dict[str, str] = dict(_MEMORY_PART.findall(memory["rest"]))
            peak_mib = reading(peaks.get("max reserved") or peaks.get("max allocated") or "")
            self._runs.total("memory_used_gib", peak_mib / _MIB_PER_GIB)
        elif "MODEL_TFLOP/s/GPU" in line and (utilised := _BRIDGE.search(line)):
            self._runs.total("tflops_per_chip", reading(utilised[1]))
        elif "Tera Flops" in line and (effective := _EFFECTIVE.search(line)):
            self._runs.total("tflops_per_chip", reading(effective[1]))
            self._runs.note({"n_parameters": reading(effective[2] or "") * 1e9})
        else:
            self._note(line)
            return False
        return True

    def finish(self) -> list[Finding]:
        """A record a run."""
        self._runs.note(self._ranks.facts)
        return self._runs.finish("lines such as 'iteration 10/ 1000 | elapsed time per iteration (ms): 5837.9 | ...'")

    def _keep(self, number: int, line: str, match: re.Match[str]) -> None:
        if self._parameters:
            self._note_parameters()
        values: dict[str, float] = {}
        for part in f"{line[: match.start()]}|{line[match.end() :]}".split("|"):  # GPT-NeoX prints a rate before it
            name, _, text = part.partition(": ")
            name = name.strip().lower()
            if name in _NAMES:
                ours, factor = _NAMES[name]
                values[ours] = reading(text.split("/")[0].strip().removesuffix("TFLOPS")) * factor
            elif name in _FACTS:
                self._runs.note({_FACTS[name]: reading(text.strip())})
            elif name == _HIP_NAME:
                values |= _hip_memory(text)
        if math.isnan(values.get("step_time_s", math.nan)):
            self._runs.skip(number, "iteration cut short")
            return
        stamp = _STAMP.search(line[: match.start()])
        self._runs.add(number, reading(match["step"]), values, stamp[1] if stamp else "")

    def _note(self, line: str) -> None:
        note_storage(self._runs, line)
        self._runs.note(settings_in(line))
        if line.startswith("DeepSpeed ") or "[deepspeed" in line:
            self._runs.note({"framework": "Megatron-DeepSpeed"}, replaces=True)
        self._ranks.take(line)
        if "model parallel rank" in line:
            for tensor, pipeline, count in _RANK_PARAMETERS.findall(line)[:_MOST_RANKS]:
                self._parameters[tensor, pipeline] = reading(count)
        else:
            self._runs.note({"n_parameters": parameters_in(line)})

    def _note_parameters(self) -> None:
        """The model is the sum of its parts, where every part has reported."""
        parts = size(self._runs.facts, "tensor_parallel") * size(self._runs.facts, "pipeline_parallel")
        if self._parameters and not len(self._parameters) < parts:
            self._runs.note({"n_parameters": sum(self._parameters.values())})
        self._parameters = {}


def _hip_memory(text: str) -> dict[str, float]:
    """``117.1GB/74.9GB/191.98GB/61.0%`` (used, free, whole); Primus divides by 1024."""
    match = _HIP.search(text)
    if match is None:
        return {}
    factor = 1.0 if match[2].startswith("G") else 1.0 / _MIB_PER_GIB
    return {"memory_used_gib": reading(match[1]) * factor, "memory_total_gib": reading(match[4]) * factor}


FORMAT = LogFormat(
    "megatron",
    "Megatron-LM output",
    "Megatron-LM",
    marks=(_MARK, "using world size:"),
    begins=lambda line: "using world size:" in line or bool(_STEP.search(line)),
    reader=_Reader,
)
