"""Memory of the fullest chip when training, in bytes, elementwise over layouts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.constants import (
    ADAM_BYTES_PER_PARAM,
    BYTES_PER_NARROW_VALUE,
    BYTES_PER_VALUE,
    BYTES_PER_WIDE_VALUE,
    GRADIENT_BYTES_PER_PARAM,
)
from core.throughput.chips.fleet import Floats
from core.throughput.model_shape import ModelShape
from core.throughput.training.layouts import RECOMPUTE, ZERO1, ZERO2, Layouts, stage_layers
from core.throughput.transformer_work import dense_params, expert_params, trained_params
from core.units import GIB
from core.workload.jobs.kinds import TrainingJob

PARTS = ("weights", "gradients", "optimizer", "activations", "logits", "buffers", "reserve")
STAY = ("activations", "logits", "buffers", "reserve")
"""Parts that more chips do not shrink, but by further splits of the model itself."""
RESERVE_GIB = 2.5
"""Driver context, framework and fragmentation; published reports give 1 to 4 GiB."""
BUFFERS_GIB = 0.5
"""Workspace of kernels, and as much again for each communicator's channels (0.34 to 0.41 GB as published for NCCL)."""


@dataclass(frozen=True)
class Shares:
    """Parameters that one chip holds under a layout before data ranks share them, shape (n rows,).

    ``experts``: routed experts among ``held``, of which ``ep`` ranks have different ones; ``trained_share``: of all.
    """

    held: Floats
    experts: Floats
    trained_share: Floats
    shards: Floats
    ep: Floats

    @property
    def trained(self) -> Floats:
        """Weights that get gradients."""
        return np.asarray(self.held * self.trained_share)

    def over(self, ranks: Floats) -> Floats:
        """Weights that one chip keeps where ``ranks`` share them; experts only among the ``ranks / ep`` of a kind."""
        of_kind = np.maximum(ranks / self.ep, 1.0)
        return np.asarray((self.held - self.experts) / ranks + self.experts / of_kind)


def shares_of(model: ModelShape, trained_share: Floats, rows: Layouts) -> Shares:
    """Weights per chip before sharding over data ranks, trained ones among them, and the number of shards.

    ``trained_share``: trained over all weights, shape () or (n rows,).
    """
    slices = rows.tp * rows.pp
    experts = expert_params(model) / (slices * rows.ep)
    return Shares(dense_params(model) / slices + experts, experts, trained_share, rows.shards, rows.ep)


def training_memory(model: ModelShape, job: TrainingJob, rows: Layouts) -> dict[str, Floats]:
    """Bytes of each of ``PARTS`` on the fullest chip, shape (n rows,) each.

    Weights ``w P`` (see :func:`weight_bytes_of`), gradients 4 bytes, Adam 12 bytes a trained weight (ZeRO-1 splits the
    last over data ranks, ZeRO-2 the last two, full sharding all three, with two gathered layers kept); activations
    after Korthikanti et al. (arXiv 2205.05198) with flash attention; logits 6 bytes a token and word on the last stage.
    """
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
        "logits": tokens * model.vocab_size * 6.0 / rows.tp,
        "buffers": _buffer_bytes(model, rows, tokens),
        "reserve": np.full(rows.n_rows, RESERVE_GIB * GIB),
    }


def weight_bytes_of(job: TrainingJob) -> float:
    """Bytes of a weight as it is kept: wide, narrow, or four bits under adapters (QLoRA, arXiv 2305.14314)."""
    if job.precision == "int4" and job.adapter_rank is not None:
        return BYTES_PER_VALUE["int4"]
    return BYTES_PER_WIDE_VALUE if job.precision in ("fp32", "tf32") else BYTES_PER_NARROW_VALUE


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
    gradients are split, as if they were whole, and infinite elsewhere."""

    total_bytes: tuple[Floats, ...]
    unsplit_bytes: Floats


def needs_of(model: ModelShape, job: TrainingJob, rows: Layouts) -> Needs:
    """What rows need at each level of recompute, whatever their own.

    A row that splits gradients is slower than the same layout with whole ones, where that fits.
    """
    parts = training_memory(model, job, replace(rows, recompute=np.zeros(rows.n_rows)))
    live = live_tokens(model, job, rows)
    kept = (parts["activations"], *(live.bytes_at(model, level) for level in range(1, len(RECOMPUTE))))
    totals = tuple(_total({**parts, "activations": activations}) for activations in kept)
    has_twin = (rows.sharding == ZERO2) & np.any(rows.sharding == ZERO1)
    return Needs(totals, np.where(has_twin, totals[0] + parts["gradients"] * (rows.data - 1.0), np.inf))


def _total(parts: dict[str, Floats]) -> Floats:
    return np.asarray(np.sum(list(parts.values()), axis=0))


@dataclass(frozen=True)
class LiveTokens:
    """Tokens of a tensor rank, shape (n rows,): times layers for all micro-batches in flight, and of one layer."""

    in_flight: Floats
    once: Floats

    def bytes_at(self, model: ModelShape, level: int) -> Floats:
        """Activations kept for the way back at a level of recompute.

        Per token and layer, two bytes each: norms and residuals ``4 d``, query, key, value and output of attention,
        the matrices of active feed-forward blocks. Selective recompute drops what one product recreates; full keeps
        the layer's input and one layer in whole.
        """
        kept = (_layer_bytes(model, 4.0, 1.0), _layer_bytes(model, 3.0, 2.0 / 3.0), 2.0 * model.d_model)[level]
        again = self.once * _layer_bytes(model, 4.0, 1.0) if RECOMPUTE[level] == "full" else 0.0
        return np.asarray(self.in_flight * kept + again)


def live_tokens(model: ModelShape, job: TrainingJob, rows: Layouts) -> LiveTokens:
    """What a chip keeps: a pipeline holds p micro-batches of its first stage.

    ``1 + (p-1) / (p v)`` times as much with v interleaved stages (Korthikanti et al., arXiv 2205.05198, 4.2.3).
    """
    tokens = rows.micro_batch * (job.sequence_length / rows.cp) / rows.tp
    n_micro = np.ceil(job.global_batch_sequences / (rows.data * rows.micro_batch))
    spread = np.where(rows.interleave > 1, 1.0 + (rows.pp - 1.0) / (rows.pp * rows.interleave), 1.0)
    in_flight = np.minimum(rows.pp * spread, np.maximum(n_micro, 1.0))
    return LiveTokens(tokens * stage_layers(model.n_layers, rows.pp) * in_flight, tokens)


def activation_bytes(model: ModelShape, job: TrainingJob, rows: Layouts) -> Floats:
    """Activations of each row at its own recompute, none where that is still open."""
    live = live_tokens(model, job, rows)
    if np.all(rows.recompute <= 0):
        return live.bytes_at(model, 0)
    levels = [live.bytes_at(model, level) for level in range(len(RECOMPUTE))]
    return np.select([rows.recompute <= 0, rows.recompute == 1], levels[:2], levels[2])


def _layer_bytes(model: ModelShape, norms: float, blocks_kept: float) -> Floats:
    """Bytes a token of one layer: ``norms d``, attention, and a share of the blocks' matrices."""
    heads = (2 * model.n_heads + 2 * model.n_kv_heads) * model.d_head
    n_active = model.n_experts_per_token + model.n_shared_experts
    blocks = (2.0 + model.gated_mlp) * model.d_ff * n_active
    return np.asarray(2.0 * (norms * model.d_model + heads + blocks_kept * blocks))
