"""Jobs of networks that answer in samples: each sample counts as one token, and fields of text mean nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.workload.jobs.decoding import DecodedJob
from core.workload.jobs.kinds import Job

ONE_EACH: dict[str, Any] = {
    "sequence_length": 1,
    "input_tokens": 1,
    "output_tokens": 1,
    "tpot_limit_ms": None,
    "answer_limit_ms": None,
    "n_models": 1,
}
"""What a job of samples holds in fields of text, so that a rate in tokens is a rate in samples."""
TUNING = (
    "adapters_on", "trains_embeddings", "frozen_weights", "optimizer", "master_weights", "offload", "kernels",
    "padding_share",
)  # fmt: skip
"""Fields of fine-tuning that are about layers of transformers."""
WITHOUT_MEANING = (
    *ONE_EACH, "kv_precision", "engine", "recompute", "method", "lora_rank", "ramp_from_sequences", "ramp_tokens",
    *TUNING, *DecodedJob.own_fields(),
)  # fmt: skip
"""Fields of a job that a form leaves out for a network."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How a field is called where the work is counted in samples; None keeps the usual word."""

    title: str | None = None
    help: str | None = None
    unit: str | None = None


WORDING = {
    "n_tokens": Wording("Samples", "Samples the run trains on, all epochs", "samples"),
    "global_batch_sequences": Wording(help="Samples of one optimiser step, all chips", unit="samples"),
    "epochs": Wording(help="Passes over the data that the samples make up"),
    "requests_per_batch": Wording("Samples per batch", "Work of one scheduled batch", "samples"),
    "peak_requests_per_s": Wording("Peak samples", "In the busiest hour", "samples/s"),
    "ttft_limit_ms": Wording("Answer within", "From asking to the whole answer, the way to users and back included"),
    "weight_precision": Wording("Precision", "Of the forward pass"),
    "latency_percentile": Wording(help="Of the samples, in the busiest hour"),
}


def counted(job: Job, is_in_samples: bool) -> Job:
    """The job with fields of text at one token each, or back at their defaults where nobody entered them."""
    fields = type(job).model_fields
    wanted = {name: one if is_in_samples else fields[name].default for name, one in ONE_EACH.items() if name in fields}
    changes = {
        name: value
        for name, value in wanted.items()
        if getattr(job, name) != value and (is_in_samples or name not in job.model_fields_set)
    }
    if not changes:
        return job
    changed: Job = job.model_copy(update=changes)
    changed.model_fields_set.difference_update(changes)
    return changed
