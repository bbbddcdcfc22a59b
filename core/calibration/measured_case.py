"""What a measured row was: profile, system and layout to predict, or the reason why it cannot be."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import ValidationError

from core.calibration.measured_model import model_of
from core.calibration.measured_samples import SampleCase, is_sample_row, sample_case
from core.calibration.measured_system import measured_system
from core.calibration.measured_table import MeasuredRow
from core.calibration.measured_training import (
    training_job,
    training_layout,
    training_stack,
    with_slack,
    with_stated_network,
)
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


def any_case_of(row: MeasuredRow, work: str, catalogue: Catalogue) -> MeasuredCase | SampleCase | Unpredictable:
    """The case of a row of any kind of model, see :func:`case_of` and :func:`sample_case`."""
    if not is_sample_row(row, work):
        return case_of(row, work, catalogue)
    found = sample_case(row, work, catalogue)
    return Unpredictable(row, found) if isinstance(found, str) else found


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
        job = training_job(row, model, system) if work == "training" else _serving_job(row)
        if isinstance(job, str):
            return Unpredictable(row, job)
        profile = Profile(model=model, job=job)
        if work == "training":
            profile = profile.model_copy(update={"stack": training_stack(row)})
            system = with_slack(with_stated_network(row, system))
        return MeasuredCase(row, profile, system, _layout(row, job, model, system))
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
        return training_layout(row)
    return _serving_layout(row, model, system)


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
