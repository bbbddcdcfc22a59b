"""Memory of the fullest chip when training, in bytes, elementwise over layouts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.throughput.fleet import Fleet, Floats
from core.throughput.layouts import FULLY_SHARDED, HYBRID, ZERO1, Layouts
from core.throughput.shape import ModelShape
from core.throughput.work import dense_params, expert_params, trained_params
from core.units import GIB
from core.workload.job import TrainingJob

PARTS = ("weights", "gradients", "optimizer", "activations", "logits", "buffers", "reserve")
MASTER_AND_MOMENTS_BYTES = 12.0
"""Adam in mixed precision: master weight and two moments, 4 bytes each (ZeRO, arXiv 1910.02054, section 3)."""
RESERVE_GIB = 2.5
"""Driver context, framework and fragmentation; published reports give 1 to 4 GiB."""


@dataclass(frozen=True)
class Shares:
    """Parameters that one chip holds under a layout, shape (n rows,)."""

    held: Floats
    trained: Floats
    shards: Floats


def parameter_shares(model: ModelShape, job: TrainingJob, fleet: Fleet, rows: Layouts) -> Shares:
    """Weights per chip before sharding over data ranks, trained ones among them, and the number of shards."""
    return shares_of(model, trained_params(model, job) / model.n_params, fleet, rows)


def shares_of(model: ModelShape, trained_share: Floats, fleet: Fleet, rows: Layouts) -> Shares:
    """The same for a known share of trained weights, shape () or (n rows,)."""
    slices = rows.tp * rows.pp
    held = dense_params(model) / slices + expert_params(model) / (slices * rows.ep)
    inside = np.clip(fleet.domain_chips / rows.tp, 1.0, rows.data)
    shards = np.select([rows.sharding == FULLY_SHARDED, rows.sharding == HYBRID], [rows.data, inside], 1.0)
    return Shares(held, held * trained_share, shards)


def training_memory(model: ModelShape, job: TrainingJob, fleet: Fleet, rows: Layouts) -> dict[str, Floats]:
    """Bytes of each of ``PARTS`` on the fullest chip, shape (n rows,) each.

    Weights ``w P``, gradients 4 bytes, Adam 12 bytes a trained weight (ZeRO-1 splits the last over data ranks, full
    sharding all three, with two gathered layers kept); activations after Korthikanti et al. (arXiv 2205.05198) with
    flash attention; logits 6 bytes a token and word on the last stage.
    """
    share = parameter_shares(model, job, fleet, rows)
    width = 4.0 if job.precision in ("fp32", "tf32") else 2.0
    optimizer_ranks = np.where(rows.sharding == ZERO1, rows.data, share.shards)
    gathered = np.where(share.shards > 1, 2.0 * share.held / model.n_layers * width, 0.0)
    tokens = rows.micro_batch * job.sequence_length / rows.cp
    return {
        "weights": share.held * width / share.shards + gathered,
        "gradients": share.trained * 4.0 / share.shards,
        "optimizer": share.trained * MASTER_AND_MOMENTS_BYTES / optimizer_ranks,
        "activations": activation_bytes(model, job, rows, tokens),
        "logits": tokens * model.vocab_size * 6.0 / rows.tp,
        "buffers": np.full(rows.n_rows, 0.5 * GIB) + np.where(rows.data > 1, 0.5 * GIB, 0.0),
        "reserve": np.full(rows.n_rows, RESERVE_GIB * GIB),
    }


def activation_bytes(model: ModelShape, job: TrainingJob, rows: Layouts, tokens: Floats) -> Floats:
    """Activations kept for the way back, all micro-batches in flight on the first stage.

    Per token and layer, two bytes each: norms and residuals ``4 d``, query, key, value and output of attention, the
    matrices of active feed-forward blocks. Selective recompute drops what one product recreates; full keeps the
    layer's input and one layer in whole.
    """
    heads = (2 * model.n_heads + 2 * model.n_kv_heads) * model.d_head
    n_active = model.n_experts_per_token + model.n_shared_experts
    blocks = (2.0 + model.gated_mlp) * model.d_ff * n_active
    whole = 2.0 * (4.0 * model.d_model + heads + blocks)
    selective = 2.0 * (3.0 * model.d_model + heads + blocks * 2 / 3)
    layers = model.n_layers / rows.pp
    in_flight = np.minimum(rows.pp, np.ceil(job.global_batch_sequences / (rows.data * rows.micro_batch)))
    kept = np.select([rows.recompute == 0, rows.recompute == 1], [whole, selective], 2.0 * model.d_model)
    once = np.where(rows.recompute == 2, whole, 0.0)
    return np.asarray(tokens * (kept * layers * in_flight + once) / rows.tp)
