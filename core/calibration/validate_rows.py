"""One measured row -> the profile, system and layout to predict, or the reason why it is skipped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from core.calibration.measured_system import measured_system
from core.calibration.table import Row, SkippedRowError, model_of
from core.catalogue.catalogue import Catalogue
from core.errors import InputError
from core.throughput.types import Layout, System
from core.workload.job import BatchInference, Precision, PreTraining
from core.workload.model import TransformerModel
from core.workload.profile import Profile

DECODERS = ("gpt-dense", "llama", "moe", "gemma")
Word = TypeVar("Word", bound=str)
Engine = Literal["vllm", "sglang", "tensorrt-llm"]

_TRAINING_PRECISION: dict[str, Precision] = {
    "": "bf16", "bf16": "bf16", "fp16": "fp16", "fp8": "fp8", "mxfp8": "fp8", "nvfp4": "fp4", "tf32": "tf32",
    "fp32": "fp32", "int8": "int8",
}  # fmt: skip
_WEIGHT_PRECISION: dict[str, Precision] = {
    "fp8": "fp8", "fp16": "fp16", "bf16": "bf16", "nvfp4": "fp4", "mxfp4": "fp4", "int8": "int8", "int4": "int4",
}  # fmt: skip
_ENGINES: dict[str, Engine] = {"trtllm": "tensorrt-llm", "tensorrt": "tensorrt-llm", "vllm": "vllm", "sglang": "sglang"}
_LATENT_ATTENTION = ("deepseek", "kimi", "glm-5")
_UNUSED_SCENARIOS = ("prefill", "decode-only", "server-disaggregated")


@dataclass(frozen=True)
class Question:
    """What to predict for a row."""

    profile: Profile
    system: System
    layout: Layout | None


def training_question(row: Row, catalogue: Catalogue) -> Question:
    """The question of a training row. Raises SkippedRowError with the reason when it is not scored."""
    if row.text("model_family") not in DECODERS:
        raise SkippedRowError(f"{row.text('model_family') or 'unknown family'}: not a decoder transformer")
    if row.text("quality") == "C":
        raise SkippedRowError("quality C")
    if row.text("measure_kind") in ("throughput-lora", "mfu_only"):
        raise SkippedRowError(f"measured as {row.text('measure_kind')}")
    model = model_of(row, row.number("experts_per_tok"))
    n_chips = int(row.needed("n_chips"))
    job = PreTraining(
        sequence_length=int(row.needed("seq_len")),
        global_batch_sequences=int(row.number("global_batch") or n_chips),
        precision=_looked_up(_TRAINING_PRECISION, row.text("precision"), "precision"),
    )
    return Question(Profile(model=model, job=job), _system(row, catalogue, n_chips), _training_layout(row))


def inference_question(row: Row, catalogue: Catalogue) -> Question:
    """The question of a serving row. Raises SkippedRowError with the reason when it is not scored."""
    if row.text("scenario") in _UNUSED_SCENARIOS:
        raise SkippedRowError(f"scenario {row.text('scenario')}")
    if any(name in row.text("model").lower() for name in _LATENT_ATTENTION):
        raise SkippedRowError("multi-head latent attention is not modelled yet")
    model = model_of(row, None)
    model = _with_experts(model, row) if model.is_moe else model
    job = BatchInference(
        input_tokens=int(row.needed("input_len")),
        output_tokens=int(row.needed("output_len")),
        weight_precision=_looked_up(_WEIGHT_PRECISION, row.text("weight_precision"), "weight precision"),
        kv_precision="fp8" if row.text("kv_precision") in ("fp8", "int8") else "bf16",
        engine=_looked_up(_ENGINES, row.text("engine"), "engine"),
    )
    n_chips = int(row.needed("n_chips"))
    return Question(Profile(model=model, job=job), _system(row, catalogue, n_chips), _serving_layout(row))


def _with_experts(model: TransformerModel, row: Row) -> TransformerModel:
    """Experts a token from the active parameters: ``k = (active - dense) / (L x one expert)``."""
    active = row.needed("active_params_b") * 1e9
    dense = model.n_params - model.n_layers * model.n_experts * model.expert_params
    k = round((active - dense) / (model.n_layers * model.expert_params))
    if not 1 <= k <= model.n_experts:
        raise SkippedRowError("experts a token do not follow from the active parameters")
    return model.model_copy(update={"n_experts_per_token": k})


def _system(row: Row, catalogue: Catalogue, n_chips: int) -> System:
    try:
        system = measured_system(catalogue, row.text("hardware"), n_chips)
    except InputError:
        raise SkippedRowError(f"{row.text('hardware')} is not in the catalogue") from None
    if system.accelerator.scaleup_domain_chips == 72:
        return replace(system, chips_per_host=min(4, n_chips))
    return system


def _training_layout(row: Row) -> Layout | None:
    """The row's layout; None leaves the search free when tensor and pipeline degrees are not stated."""
    tp, pp = row.number("tp"), row.number("pp")
    if tp is None and pp is None:
        return None
    recompute = row.text("recompute")
    return Layout(
        tp=int(tp or 1),
        pp=int(pp or 1),
        cp=int(row.number("cp") or 1),
        ep=int(row.number("ep") or 1),
        micro_batch=int(row.number("micro_batch") or 0),
        recompute=recompute if recompute in ("none", "selective", "full") else "auto",
    )


def _serving_layout(row: Row) -> Layout:
    n_chips, pp = int(row.needed("n_chips")), int(row.number("pp") or 1)
    tp = int(row.number("tp") or n_chips // pp)
    if (row.number("ep") or 1) > tp:
        raise SkippedRowError("data-parallel attention with parallel experts is not modelled yet")
    concurrency = row.number("batch_or_concurrency")
    if concurrency is None:
        return Layout(tp=tp, pp=pp)
    replicas = max(1, n_chips // (tp * pp))
    return Layout(tp=tp, pp=pp, max_batch=max(1, round(concurrency / replicas)))


def _looked_up(words: Mapping[str, Word], found: str, what: str) -> Word:
    if found not in words:
        raise SkippedRowError(f"{what} '{found or 'not stated'}' is not modelled")
    return words[found]
