"""What a measured training row ran: job, software, layout; what it leaves out is filled in by the rules below."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Literal

from core.calibration.measured.system import measured_system
from core.calibration.measured.table import MeasuredRow
from core.catalogue.catalogue import Catalogue
from core.catalogue.chip_families import architecture_of
from core.throughput.chips.links import slice_chips
from core.throughput.types import Layout, System
from core.workload.jobs.kinds import FineTuning, PreTraining
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Stack

TrainingStack = Literal["vendor", "fsdp_compiled", "fsdp_eager", "megatron_2021", "unknown"]
PRECISIONS = {
    "fp4": r"fp4", "fp8": r"fp8|float8|f8", "int8": r"int8|aqt", "bf16": r"bf16|bfloat", "tf32": r"tf32",
    "fp16": r"fp16|float16|half|amp", "fp32": r"fp32|float32|single",
}  # fmt: skip
"""The narrowest that a table names is the one its products run in, however it is spelt."""
USUAL_SEQUENCE = {
    "llama2": 4096, "llama-2": 4096, "llama": 8192, "gpt2": 1024, "gpt": 2048, "bert": 512, "gemma": 8192,
    "mpt": 2048, "opt": 2048, "bloom": 2048, "t5": 512,
}  # fmt: skip
"""Tokens of a sequence where a row states none, by the beginning of the model's name: what it was pre-trained with."""
DEFAULT_SEQUENCE = 4096
UNPADDED_SHARE = 0.5
"""MLPerf's encoders train on packed text: half of the tokens of a 512-token sample are padding and are skipped
(Krell et al., arXiv 2107.02027, give a packing efficiency of 50 % without packing)."""
USUAL_MICRO_BATCHES = 4
"""Micro-batches a pipeline stage that a run takes at least, where its batch is not stated."""
TUNED = ("mlperf", "megatron-bridge", "nemo", "maxtext", "megatron", "primus", "transformer-engine", "jax", "neuron")
EAGER = (
    "composer", "foundry", "deepspeed", "accelerate", "hugging", "transformers", "lightning", "fsdp", "levanter",
    "pytorch lamb",
)  # fmt: skip
"""NVIDIA's BERT in PyTorch ("PyTorch LAMB") holds its weights in sixteen bits (O2 of its AMP) and fuses norms, and bias
with GELU, but not attention, as eager code of its year does (DeepLearningExamples, run_pretraining.py)."""
BEFORE_FUSION = ("tensorflow",)
SHARDED = ("fsdp", "torchtitan", "maxtext", "zero", "deepspeed", "levanter")
LARGE_B = 100.0
MEMORY_SLACK, JOINED_MEMORY_SLACK = 1.25, 1.6
"""Times the memory of a chip that a measured run may have used; more where the processor's memory is joined by NVLink
(Grace), which runs fill with activations."""


def training_job(row: MeasuredRow, model: TransformerModel, system: System) -> PreTraining | FineTuning:
    """The job of a row; raises pydantic.ValidationError for numbers out of bounds."""
    sequence = _sequence(row, model)
    kind = FineTuning if "sft" in row.text("measure_kind") else PreTraining
    batch = _whole(row, "global_batch") or _usual_batch(row, system, sequence)
    return kind.model_validate({
        "sequence_length": sequence,
        "global_batch_sequences": _whole_batch(row, system, batch),
        "precision": _precision(row, model, system),
        "recompute": _recompute(row).replace("blocks", "") or "auto",
    })  # fmt: skip


def _whole(row: MeasuredRow, field: str) -> int | None:
    """A number of things, rounded; None below a half: tables give means, and shares of a sequence a chip."""
    return round(row.number(field) or 0.0) or None


def _recompute(row: MeasuredRow) -> str:
    """The kind of recompute stated, in the engine's words; empty for none or another.

    Policies of MaxText that move what is kept to the host, its own and "custom" ones, repeat the blocks.
    """
    stated = row.text("recompute").lower()
    if "custom" in stated or "offload" in stated:
        return "blocks"
    return next((kind for kind in ("selective", "full", "none") if stated.startswith(kind)), "")


def _is_mlperf(row: MeasuredRow) -> bool:
    return "mlperf" in f"{row.text('framework')} {row.text('source')} {row.text('source_group')}".lower()


def _sequence(row: MeasuredRow, model: TransformerModel) -> int:
    """Tokens a sample that are computed: as stated, else usual; unpadded for MLPerf's encoders."""
    name = row.text("model").lower()
    usual = next((tokens for word, tokens in USUAL_SEQUENCE.items() if name.startswith(word)), DEFAULT_SEQUENCE)
    stated = _whole(row, "seq_len") or usual
    return stated if model.causal or not _is_mlperf(row) else round(stated * UNPADDED_SHARE)


def _usual_batch(row: MeasuredRow, system: System, sequence: int) -> int:
    """From step time and speed where both are known; else a micro-batch a rank, several in a pipeline."""
    step_s, speed = row.number("step_time_s"), row.number("tokens_per_s_per_chip")
    if step_s and speed:
        return max(round(step_s * speed * system.n_chips / sequence), 1)
    stages = _whole(row, "pp") or 1
    ranks = max(system.n_chips // ((_whole(row, "tp") or 1) * stages), 1)
    micro = _whole(row, "micro_batch") or max(1, 8192 // sequence)
    return ranks * micro * (USUAL_MICRO_BATCHES * stages if stages > 1 else 1)


def _whole_batch(row: MeasuredRow, system: System, batch: int) -> int:
    """The batch as whole micro-batches a rank, where the row states what they are: tables round it."""
    tp, pp, micro = _whole(row, "tp"), _whole(row, "pp"), _whole(row, "micro_batch")
    if not (tp and pp and micro):
        return batch
    once = max(system.n_chips // (tp * pp * (_whole(row, "cp") or 1)), 1) * micro
    return max(round(batch / once), 1) * once if batch > once else batch


def with_stated_network(row: MeasuredRow, system: System) -> System:
    """The system with the network rate of a host that the row states, if it does.

    Descriptions list storage cards beside those that compute uses: chips with a scale-up link keep the catalogue's
    rate when the stated one is lower.
    """
    rates = [_gbit_per_s(card, system) for card in _CARDS.finditer(row.text("interconnect").lower())]
    usual = system.network_gbit_per_s if system.accelerator.scaleup_domain_chips > 1 else 0.0
    stated = max(rates, default=0.0)
    if stated <= usual or system.accelerator.kind == "tpu":
        return system
    return replace(system, network_gbit_per_s=stated, network_estimate=False)


def with_stated_slices(row: MeasuredRow, system: System, catalogue: Catalogue) -> System:
    """TPUs in as many equal slices as the row tells; one slice, or what their number suggests, otherwise."""
    stated = re.search(r"slices=(\d+)|(\d+) slice", row.text("interconnect").lower())
    number = int(stated[1] or stated[2]) if stated else 1
    if number == 1 or system.n_chips % number:
        return system
    one = measured_system(catalogue, system.accelerator.id, system.n_chips // number)
    return replace(system, slice=one.slice)


_CARDS = re.compile(
    r"(?:(\d+) ?x ?(?:connectx-\d+ )?(?:ib )?(?:[nhe]dr )?)?(\d+) ?gb?(?:it|ps)?(?:/s(?:ec)?)?\b([^;,]*)"
)
"""Network cards of a host: how many, Gbit/s each, and what follows, which may say that each chip has one."""


def _gbit_per_s(card: re.Match[str], system: System) -> float:
    """Rate of a host; 0 for links inside it, which are told in GB/s or as more than a network card carries."""
    cards = float(card[1] or 1) * (system.chips_per_host if "per gpu" in card[3] else 1)
    rate = float(card[2])
    is_card = card[1] or "roce" in card[3] or "per gpu" in card[3] or "a node" in card[3] or "ethernet" in card[3]
    return cards * rate if is_card else 0.0


def with_slack(system: System) -> System:
    """The system with more memory than its chips have: the run did fit, by means that its row does not state.

    Runs offload, share buffers and keep gradients in sixteen bits; a plan must not count on that.
    """
    chip = system.accelerator
    slack = JOINED_MEMORY_SLACK if chip.id in architecture_of(chip).superchips else MEMORY_SLACK
    return replace(system, accelerator=chip.model_copy(update={"memory_gb": chip.memory_gb * slack}))


def _precision(row: MeasuredRow, model: TransformerModel, system: System) -> str:
    """As stated, else what such runs use.

    MLPerf: eight bits where the chip has fp8, four on Blackwell below 100B parameters from 2025-11 on; Google's
    GPT-3 runs on TPU v5e and later multiply in int8. Others: bf16, fp16 on chips without it.
    """
    stated, chip = row.text("precision").lower(), system.accelerator
    precision = next((name for name, spelt in PRECISIONS.items() if re.search(spelt, stated)), "")
    if chip.kind == "tpu" and row.text("model").lower().startswith("gpt3-175b") and _is_mlperf(row):
        return "int8"
    if precision:
        return precision
    if _is_mlperf(row) and chip.fp8_tflops and chip.kind != "tpu":
        four_bit = bool(chip.fp4_tflops) and row.text("date") >= "2025-10" and architecture_of(chip).id == "blackwell"
        return "fp4" if four_bit and model.n_params < LARGE_B * 1e9 else "fp8"
    return "bf16" if chip.bf16_tflops else "fp16"


def training_stack(row: MeasuredRow) -> Stack:
    """Class of the software, its year and month, from the framework's name and its release, else the row's date."""
    text = f"{row.text('framework')} {row.text('source_group')}".lower()
    begins = re.match(r"(20\d\d)(?:-(0[1-9]|1[0-2]))?", row.text("released") or row.text("date"))
    year = min(max(int(begins[1]), 2018), 2030) if begins else 2025
    month = int(begins[2]) if begins and begins[2] else None
    is_tpu = row.text("hardware").startswith("tpu")  # published runs there are all of its maker's recipes
    name = "vendor" if is_tpu else _stack(text, row.text("notes").lower(), year)
    return Stack(training_stack=name, software_year=year, software_month=month)


def layers_run(row: MeasuredRow, model: TransformerModel) -> TransformerModel:
    """The model with as many layers as the row says were run: tables stand in for a large model by a slice of it."""
    layers = _whole(row, "layers_run")
    if layers is None or layers >= model.n_layers:
        return model
    share = layers / model.n_layers
    parts = {name: round(getattr(model, name) * share) for name in ("window_layers", "linear_layers", "n_dense_layers")}
    return TransformerModel.model_validate({**model.model_dump(), **parts, "n_layers": layers})


def _stack(text: str, notes: str, year: int) -> TrainingStack:
    if "tinygrad" in text:
        return "unknown"
    if "torchtitan" in text or "torch.compile" in f"{text} {notes}":
        return "fsdp_eager" if "no compile" in notes else "fsdp_compiled"
    if any(word in text for word in BEFORE_FUSION) and "mlperf" not in text:
        return "unknown"
    if "megatron" in text and "deepspeed" in text:
        return "megatron_2021"
    if any(word in text for word in EAGER):
        return "fsdp_eager"
    if any(word in text for word in TUNED):
        return "megatron_2021" if year < 2022 and "megatron" in text else "vendor"
    return "unknown"


def _interleave(row: MeasuredRow) -> int:
    """Stages that each pipeline rank holds, from a column of their own or from the notes; 0 where neither tells."""
    noted = re.search(r"virtual stages (\d+)", row.text("notes"))
    return _whole(row, "vp") or (int(noted[1]) if noted else 0)


def training_layout(row: MeasuredRow, system: System) -> Layout | None:
    """Degrees as stated; None, to search for them, where tensor and pipeline degrees are unknown.

    Experts may spread over tensor ranks too, which the engine counts as data ranks: no more groups than those. Weights
    sharded over TPUs are copied from slice to slice.
    """
    tp, pp = _whole(row, "tp"), _whole(row, "pp")
    if tp is None and pp is None:
        return None
    is_sharded = any(word in row.text("framework").lower() for word in SHARDED)
    data = max(system.n_chips // ((tp or 1) * (pp or 1) * (_whole(row, "cp") or 1)), 1)
    slices = system.n_chips // slice_chips(system) if system.accelerator.kind == "tpu" else 1
    copies = slices if is_sharded and data % slices == 0 else 1
    return Layout(
        dp=copies,
        fsdp=data // copies if is_sharded and (pp or 1) == 1 else 1,
        tp=tp or 1,
        pp=pp or 1,
        cp=_whole(row, "cp") or 1,
        ep=math.gcd(_whole(row, "ep") or 1, data * (_whole(row, "cp") or 1)),
        micro_batch=_whole(row, "micro_batch") or 0,
        recompute=_recompute(row),
        interleave=_interleave(row) if (pp or 1) > 1 else 0,
    )
