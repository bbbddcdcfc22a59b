"""What a measured row was: profile, system and layout to predict, or the reason why it cannot be."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import ValidationError

from core.calibration.measured_model import model_of
from core.calibration.measured_system import measured_system
from core.calibration.measured_table import MeasuredRow
from core.catalogue.catalogue import Catalogue
from core.throughput.types import Layout, System
from core.workload.job import BatchInference, FineTuning, InferenceJob, OnlineServing, PreTraining, TrainingJob
from core.workload.model import TransformerModel
from core.workload.profile import Profile

PRECISIONS = {
    "mxfp8": "fp8", "nvfp4": "fp4", "mxfp4": "fp4", "amp-fp16": "fp16", "q4_k_m": "int4", "fp8(unet)": "fp8",
}  # fmt: skip
ENGINES = {"trtllm": "tensorrt-llm", "tensorrt": "tensorrt-llm", "sglang": "sglang", "jetstream": "jetstream"}
OFFLINE = ("offline", "max-throughput")
MAX_BATCH_PER_REPLICA = 1024


@dataclass(frozen=True, slots=True)
class MeasuredCase:
    """A row ready to predict; ``layout`` degrees of 0 are searched."""

    row: MeasuredRow
    profile: Profile
    system: System
    layout: Layout | None


@dataclass(frozen=True, slots=True)
class Unpredictable:
    """A row that is not scored, and why."""

    row: MeasuredRow
    reason: str


def case_of(row: MeasuredRow, work: str, catalogue: Catalogue) -> MeasuredCase | Unpredictable:
    """The case of a row. Raises InputError, naming file, row and field, for a cell that is no number."""
    n_chips, model = row.count("n_chips"), model_of(row)
    refusal = _refusal(row, work, catalogue) or ("number of chips unknown" if n_chips is None else "")
    if refusal or n_chips is None:
        return Unpredictable(row, refusal)
    if isinstance(model, str):
        return Unpredictable(row, model)
    system = measured_system(catalogue, row.text("hardware"), n_chips)
    try:
        job = _training_job(row) if work == "training" else _serving_job(row)
        if isinstance(job, str):
            return Unpredictable(row, job)
        return MeasuredCase(row, Profile(model=model, job=job), system, _layout(row, job, model, system))
    except ValidationError as error:
        return Unpredictable(row, f"out of bounds: {'.'.join(str(part) for part in error.errors()[0]['loc'][:2])}")


def _refusal(row: MeasuredRow, work: str, catalogue: Catalogue) -> str:
    """Why a row is left out before its model is looked at; empty when nothing speaks against it."""
    if row.text("hardware") not in catalogue.accelerator_by_id:
        return "hardware not in the catalogue"
    if row.text("quality") == "C":
        return "quality C"
    if "HARDWARE" in row.text("flops_convention"):
        return "figure counts recomputed work"
    if work == "training" and "lora" in f"{row.text('model_family')} {row.text('measure_kind')}":
        return "LoRA"
    return ""


def _precision(row: MeasuredRow, field: str, default: str) -> str:
    found = row.text(field).lower()
    return PRECISIONS.get(found, found) or default


def _training_job(row: MeasuredRow) -> TrainingJob | str:
    sequence, batch = row.count("seq_len"), row.count("global_batch")
    if sequence is None:
        return "sequence length unknown"
    kind = FineTuning if "sft" in row.text("measure_kind") else PreTraining
    recompute = row.text("recompute").split("/")[0].split("+")[0] or "auto"
    return kind.model_validate({
        "sequence_length": sequence,
        "global_batch_sequences": batch or row.count("n_chips"),
        "precision": _precision(row, "precision", "bf16"),
        "recompute": recompute,
    })  # fmt: skip


def _serving_job(row: MeasuredRow) -> InferenceJob | str:
    given, produced = row.number("input_len"), row.number("output_len")
    if row.text("scenario") == "server-disaggregated":
        return "prefill and decode on separate chips"
    if not given or not produced:
        return "prompt or answer length unknown"
    facts = {
        "input_tokens": max(round(given), 1),
        "output_tokens": max(round(produced), 1),
        "weight_precision": _precision(row, "weight_precision", "bf16"),
        "kv_precision": row.text("kv_precision") or "bf16",
        "engine": ENGINES.get(row.text("engine").split("-")[0], "vllm"),
    }
    if row.text("scenario") in OFFLINE:
        return BatchInference.model_validate(facts)
    return OnlineServing.model_validate(facts | {"ttft_limit_ms": None, "tpot_limit_ms": None})


def _layout(
    row: MeasuredRow, job: TrainingJob | InferenceJob, model: TransformerModel, system: System
) -> Layout | None:
    if isinstance(job, PreTraining | FineTuning):
        return _training_layout(row)
    return _serving_layout(row, model, system)


def _training_layout(row: MeasuredRow) -> Layout | None:
    tp, pp = row.count("tp"), row.count("pp")
    if tp is None and pp is None:
        return None
    is_sharded = any(word in row.text("framework").lower() for word in ("fsdp", "torchtitan", "maxtext", "zero"))
    return Layout(
        fsdp=2 if is_sharded else 1,
        tp=tp or 1,
        pp=pp or 1,
        cp=row.count("cp") or 1,
        ep=row.count("ep") or 1,
        micro_batch=row.count("micro_batch") or 0,
        recompute=row.text("recompute").split("/")[0].split("+")[0],
    )


def _serving_layout(row: MeasuredRow, model: TransformerModel, system: System) -> Layout | None:
    """Degrees as given; where only a concurrency is known, one replica over the scale-up domain."""
    tp, pp, concurrency = row.count("tp"), row.count("pp") or 1, row.count("batch_or_concurrency")
    if tp is None and concurrency is None:
        return None
    tp = tp or next(n for n in (8, 4, 2, 1) if system.n_chips % n == 0 and model.n_heads % n == 0)
    if system.n_chips % (tp * pp):
        return None
    replicas = system.n_chips // (tp * pp)
    batch = min(-(-concurrency // replicas), MAX_BATCH_PER_REPLICA) if concurrency else 0
    return Layout(tp=tp, pp=pp, ep=row.count("ep") or 1, replicas=replicas, max_batch=batch)
