"""Memory of the fullest chip when training, in bytes, elementwise over layouts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from core.constants import (
    ADAM_BYTES_PER_PARAM,
    BYTES_PER_NARROW_VALUE,
    BYTES_PER_WIDE_VALUE,
    GRADIENT_BYTES_PER_PARAM,
)
from core.throughput.chips.fleet import Floats
from core.throughput.model_shape import ModelShape
from core.throughput.parameters import shipped_parameters
from core.throughput.training.finetuning import facts_of_tuning
from core.throughput.training.finetuning_memory import (
    logit_bytes_of,
    paged_bytes_of,
    reserve_bytes,
    state_bytes_of,
    tuning_peak,
)
from core.throughput.training.layouts import N_CHOSEN, ZERO1, ZERO2, Layouts
from core.throughput.training.live_tokens import LiveTokens, live_tokens
from core.throughput.training.shares import shares_of
from core.throughput.transformer_work import trained_params
from core.units import GIB
from core.workload.jobs.kinds import FineTuning, TrainingJob

STAY = ("activations", "logits", "buffers", "reserve")
"""Parts that more chips do not shrink, but by further splits of the model itself."""
TRAINING_PROCESS_GIB = 2.5
"""Driver context, framework and fragmentation; published reports give 1 to 4 GiB."""
LOGIT_BYTES = 6.0
"""Of a logit on the last stage: in sixteen bits and fp32."""
BUFFERS_GIB = 0.5
"""Workspace of kernels, and as much again for each communicator's channels (0.34 to 0.41 GB as published for NCCL)."""


def training_memory(model: ModelShape, job: TrainingJob, rows: Layouts) -> dict[str, Floats]:
    """Bytes on the fullest chip of weights, gradients, optimizer, activations, logits, buffers and reserve, shape
    (n rows,) each.

    Weights ``w P`` (see :func:`weight_bytes_of`), gradients 4 bytes, Adam 12 bytes a trained weight (ZeRO-1 splits the
    last over data ranks, ZeRO-2 the last two, full sharding all three, with two gathered layers kept); activations
    after Korthikanti et al. (arXiv 2205.05198) with flash attention; logits 6 bytes a token and word on the last stage.
    Fine-tuning: see :func:`_tuned_memory`.
    """
    if job.finetuned is not None:
        return _tuned_memory(model, job.finetuned, rows)
    share = shares_of(model, np.asarray(trained_params(model, job) / model.n_params), rows)
    width = weight_bytes_of(job)
    optimizer_ranks = np.where(rows.keeps_weights, rows.data, share.shards)
    gradient_ranks = np.where(rows.sharding == ZERO2, rows.data, share.shards)
    gathered = np.where(share.shards > 1, 2.0 * share.held / model.n_layers * width, 0.0)
    tokens = rows.micro_batch * job.sequence_length / rows.cp
    return {
        "weights": share.over(share.shards) * width + gathered,
        "gradients": share.over(gradient_ranks) * share.trained_share * GRADIENT_BYTES_PER_PARAM,
        "optimizer": share.over(optimizer_ranks) * share.trained_share * ADAM_BYTES_PER_PARAM,
        "activations": activation_bytes(model, job, rows),
        "logits": tokens * model.vocab_size * LOGIT_BYTES / rows.tp,
        "buffers": _buffer_bytes(model, rows, tokens),
        "reserve": np.full(rows.n_rows, TRAINING_PROCESS_GIB * GIB),
    }


def _tuned_memory(model: ModelShape, job: FineTuning, rows: Layouts) -> dict[str, Floats]:
    """The same parts of a run that is fine-tuned, without moments that page.

    Trainers of the kind that was measured (:func:`core.throughput.training.finetuning_memory.tuning_peak`) copy models
    and shard them; where every weight is trained and a layout splits layers, sequences or experts, it runs in software
    of pre-training, which keeps what it keeps there.
    """
    measured = _trainer_memory(model, job, rows)
    is_split = (rows.tp * rows.pp * rows.cp * rows.ep > 1) & job.trains_all
    if not np.any(is_split):
        return measured
    other = _split_memory(model, job, rows)
    return {name: np.where(is_split, other.get(name, size), size) for name, size in measured.items()}


def _trainer_memory(model: ModelShape, job: FineTuning, rows: Layouts) -> dict[str, Floats]:
    """The parts as trainers of the measured kind hold them."""
    known, facts = shipped_parameters("finetune"), facts_of_tuning(model, job)
    length, batch = np.asarray(float(job.sequence_length)), np.asarray(float(job.global_batch_sequences))
    peak = tuning_peak(model, facts, known, rows, length, batch)
    return {
        "weights": peak.weights,
        "gradients": peak.gradients,
        "optimizer": peak.optimizer,
        "activations": peak.activations,
        "logits": peak.logits,
        "buffers": _buffer_bytes(model, rows, rows.micro_batch * length / rows.cp) - BUFFERS_GIB * GIB,
        "reserve": reserve_bytes(peak, known),
    }


def _split_memory(model: ModelShape, job: FineTuning, rows: Layouts) -> dict[str, Floats]:
    """The parts that software of pre-training holds otherwise; its loss is no less fused than any kernels asked for."""
    facts, tokens = facts_of_tuning(model, job), rows.micro_batch * job.sequence_length / rows.cp
    logit_bytes = np.minimum(LOGIT_BYTES, logit_bytes_of(facts, shipped_parameters("finetune")))
    return {
        "optimizer": state_bytes_of(model, facts, rows),
        "activations": activation_bytes(model, job, rows),
        "logits": tokens * model.vocab_size * logit_bytes / rows.tp,
        "buffers": _buffer_bytes(model, rows, tokens),
        "reserve": np.full(rows.n_rows, TRAINING_PROCESS_GIB * GIB),
    }


def paged_out_bytes(
    model: ModelShape, job: TrainingJob, rows: Layouts, capacity_bytes: Floats
) -> tuple[Floats, Floats]:
    """Bytes of moments that page: on the chip, and in host memory for want of room there, shape (n rows,) each."""
    moments = _paged_bytes(model, job, rows)
    if not np.any(moments):
        return moments, moments
    left = np.maximum(capacity_bytes - total_bytes_of(model, job, rows), 0.0)
    on_chip = np.minimum(moments, left)
    return on_chip, moments - on_chip


def _paged_bytes(model: ModelShape, job: TrainingJob, rows: Layouts) -> Floats:
    if job.finetuned is None or not job.finetuned.is_paged:
        return np.zeros(rows.n_rows)
    return paged_bytes_of(model, facts_of_tuning(model, job.finetuned), rows)


def weight_bytes_of(job: TrainingJob) -> float:
    """Bytes of a trained weight as it is kept beside its master copy, wide or narrow."""
    return BYTES_PER_WIDE_VALUE if job.precision in ("fp32", "tf32") else BYTES_PER_NARROW_VALUE


def _live(model: ModelShape, job: TrainingJob, rows: Layouts) -> LiveTokens:
    return live_tokens(model, np.asarray(job.sequence_length), np.asarray(job.global_batch_sequences), rows)


def _buffer_bytes(model: ModelShape, rows: Layouts, tokens: Floats) -> Floats:
    """Workspace and communicators, one for each kind of parallelism in use; experts also hold what they send and get.

    Tokens leave in ``k`` copies and come back: two buffers of ``T k d`` values, two bytes each.
    """
    degrees = (rows.data, rows.tp, rows.pp, rows.cp, rows.ep)
    communicators = np.minimum(sum((degree > 1).astype(np.float64) for degree in degrees), 2.0)
    sent = np.where(rows.ep > 1, 4.0 * tokens * model.n_experts_per_token * model.d_model / rows.tp, 0.0)
    return np.asarray((1.0 + communicators) * BUFFERS_GIB * GIB + sent)


@dataclass(frozen=True)
class Needs:
    """Bytes of rows on the fullest chip, shape (n rows,): in all, by the level of recompute; ``unsplit_bytes`` where
    gradients are split, as if they were whole, and infinite elsewhere; ``paged_bytes`` beside them, if there is room.
    """

    total_bytes: tuple[Floats, ...]
    unsplit_bytes: Floats
    paged_bytes: Floats


def needs_of(model: ModelShape, job: TrainingJob, rows: Layouts) -> Needs:
    """What rows need at each level of recompute, whatever their own.

    A row that splits gradients is slower than the same layout with whole ones, where that fits.
    """
    whole = training_memory(model, job, replace(rows, recompute=np.zeros(rows.n_rows)))
    totals = tuple(_total(parts) for parts in _at_levels(model, job, rows, whole))
    has_twin = (rows.sharding == ZERO2) & np.any(rows.sharding == ZERO1)
    unsplit = np.where(has_twin, totals[0] + whole["gradients"] * (rows.data - 1.0), np.inf)
    return Needs(totals, unsplit, _paged_bytes(model, job, rows))


def _at_levels(
    model: ModelShape, job: TrainingJob, rows: Layouts, whole: dict[str, Floats]
) -> Iterator[dict[str, Floats]]:
    """Parts at each level of recompute, those without any given: only activations differ, but in fine-tuning."""
    yield whole
    live = _live(model, job, rows)
    for level in range(1, N_CHOSEN):
        if job.finetuned is not None:
            yield _tuned_memory(model, job.finetuned, replace(rows, recompute=np.full(rows.n_rows, float(level))))
        else:
            yield {**whole, "activations": live.bytes_at(model, level)}


def total_bytes_of(model: ModelShape, job: TrainingJob, rows: Layouts) -> Floats:
    """Bytes of all parts of rows at their own recompute, shape (n rows,), without moments that page."""
    return _total(training_memory(model, job, rows))


def _total(parts: dict[str, Floats]) -> Floats:
    return np.asarray(np.sum(list(parts.values()), axis=0))


def activation_bytes(model: ModelShape, job: TrainingJob, rows: Layouts) -> Floats:
    """Bytes of activations of each row at its own recompute, none where that is still open."""
    live = _live(model, job, rows)
    if np.all(rows.recompute == rows.recompute[:1]):
        return live.bytes_at(model, int(np.clip(rows.recompute[:1].max(initial=0.0), 0, N_CHOSEN - 1)))
    levels = [live.bytes_at(model, level) for level in range(N_CHOSEN)]
    return np.select([rows.recompute <= 0, rows.recompute == 1], levels[:2], levels[2])
