"""Time of one optimiser step for every layout of every system, with its terms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.throughput.coefficients import network_coefficients
from core.throughput.fleet import Fleet, Floats
from core.throughput.gemm import GROUPED_SHARE, shape_share
from core.throughput.layouts import FULLY_SHARDED, HYBRID, ZERO1, Layouts
from core.throughput.memory import parameter_shares
from core.throughput.network import all_reduce_inner_s, all_to_all_s, gather_wide_s
from core.throughput.shape import ModelShape
from core.throughput.work import (
    ATTENTION_BACKWARD_OF_FORWARD,
    BACKWARD_OF_FORWARD,
    attention_flops_per_token_layer,
    expert_flops_per_token_layer,
    head_flops_per_token,
    linear_flops_per_token_layer,
)
from core.workload.job import FineTuning, TrainingJob

TERMS = ("compute", "memory", "network", "pipeline", "input", "host", "overhead")
ACTIVATION_BYTES = 2.0
LAUNCH_S_PER_LAYER = 25e-6
"""Kernel launches and scheduling that stay visible, each layer, forward and backward (our estimate)."""
STRAGGLER_PER_DOUBLING = 0.008
"""Slowdown for each doubling of chips beyond 8 (our estimate; published large runs lose 3 to 8 %)."""
INTERLEAVE = 2.0


@dataclass(frozen=True)
class _Micro:
    """One micro-batch on one pipeline stage: forward and backward times in s, shape (n rows,)."""

    compute: Floats
    memory: Floats
    network: Floats
    overhead: Floats

    @property
    def total(self) -> Floats:
        """All of it."""
        return self.compute + self.memory + self.network + self.overhead


def step_terms(model: ModelShape, job: TrainingJob, fleet: Fleet, rows: Layouts) -> dict[str, Floats]:
    """Seconds of each of ``TERMS`` for a step, shape (n rows,) each; their sum is the step time.

    ``step = m t + (p - 1) / v t + gradient exchange + optimiser``, with m micro-batches and v interleaved stages
    (Narayanan et al., arXiv 2104.04473).
    """
    micro = _micro_batch(model, job, fleet, rows)
    n_micro = np.ceil(job.global_batch_sequences / (rows.data * rows.micro_batch))
    interleave = np.where(rows.pp > 1, np.minimum(INTERLEAVE, np.maximum(model.n_layers / rows.pp, 1.0)), 1.0)
    exchange = _gradient_exchange_s(model, job, fleet, rows, micro)
    optimizer = _optimizer_s(model, job, fleet, rows)
    straggling = STRAGGLER_PER_DOUBLING * np.log2(np.maximum(fleet.n_chips / 8.0, 1.0))
    body = n_micro * micro.total + exchange + optimizer
    return {
        "compute": n_micro * micro.compute,
        "memory": n_micro * micro.memory + optimizer,
        "network": n_micro * micro.network + exchange,
        "pipeline": (rows.pp - 1.0) / interleave * micro.total,
        "input": np.zeros(rows.n_rows),
        "host": np.zeros(rows.n_rows),
        "overhead": n_micro * micro.overhead + straggling * body,
    }


def _micro_batch(model: ModelShape, job: TrainingJob, fleet: Fleet, rows: Layouts) -> _Micro:
    tokens = rows.micro_batch * job.sequence_length / rows.cp
    layers = model.n_layers / rows.pp
    compute = layers * _layer_compute_s(model, job, fleet, rows, tokens) + _head_s(model, job, fleet, rows, tokens)
    network = layers * _layer_network_s(model, job, fleet, rows, tokens)
    weights = _weight_gather_s(model, job, fleet, rows, compute)
    memory = layers * _elementwise_s(model, job, fleet, rows, tokens)
    overhead = np.broadcast_to(layers * LAUNCH_S_PER_LAYER, compute.shape)
    return _Micro(compute, memory, network + weights, overhead)


def _passes(job: TrainingJob, rows: Layouts) -> Floats:
    """Forward-equivalents of linear work: 3, or 2 for LoRA (no weight gradients); one more with full recompute."""
    is_lora = isinstance(job, FineTuning) and job.method == "lora"
    base = 2.0 if is_lora else 1.0 + BACKWARD_OF_FORWARD
    return base + np.where(rows.recompute == 2, 1.0, 0.0)


def _layer_compute_s(model: ModelShape, job: TrainingJob, fleet: Fleet, rows: Layouts, tokens: Floats) -> Floats:
    """Matrix products and attention of one layer, forward and backward.

    Products run at ``peak x best GEMM x stack share x shape share``; experts see their own tokens only, and read
    their weights, so that few tokens an expert make them memory-bound.
    """
    rate = fleet.achievable_flops * fleet.training_share
    passes = _passes(job, rows)
    expert_flops = expert_flops_per_token_layer(model)
    projections = linear_flops_per_token_layer(model) - expert_flops
    heads = model.n_heads * model.d_head
    projection_share = shape_share(tokens, heads / rows.tp, fleet.tile)
    projection_s = passes * tokens * projections / rows.tp / (rate * projection_share)
    expert_s = passes * _expert_forward_s(model, fleet, rows, tokens, rate)
    attention = attention_flops_per_token_layer(model, job.sequence_length)
    attention_passes = 1.0 + ATTENTION_BACKWARD_OF_FORWARD + np.where(rows.recompute == 2, 1.0, 0.0)
    attention_s = attention_passes * tokens * attention / rows.tp / (rate * fleet.attention_share)
    return np.asarray(projection_s + expert_s + attention_s)


def _expert_forward_s(model: ModelShape, fleet: Fleet, rows: Layouts, tokens: Floats, rate: Floats) -> Floats:
    """One forward pass of a layer's feed-forward work: ``max(FLOPs / rate, expert weights / bandwidth)``."""
    flops = tokens * expert_flops_per_token_layer(model) / rows.tp
    per_expert = tokens * model.n_experts_per_token / model.n_experts * rows.ep
    compute_s = flops / (rate * shape_share(per_expert, model.d_ff / rows.tp, fleet.tile))
    held = model.n_experts / rows.ep * model.expert_params * ACTIVATION_BYTES / rows.tp
    permute = 4.0 * tokens * model.n_experts_per_token * model.d_model * ACTIVATION_BYTES / rows.tp
    grouped_s = np.maximum(compute_s / GROUPED_SHARE, held / fleet.memory_bytes_per_s)
    return np.where(model.is_moe > 0, grouped_s + permute / fleet.memory_bytes_per_s, compute_s)


def _head_s(model: ModelShape, job: TrainingJob, fleet: Fleet, rows: Layouts, tokens: Floats) -> Floats:
    """The output projection on the last stage."""
    rate = fleet.achievable_flops * fleet.training_share * shape_share(tokens, model.vocab_size / rows.tp, fleet.tile)
    return np.asarray(_passes(job, rows) * tokens * head_flops_per_token(model) / rows.tp / rate)


def _elementwise_s(model: ModelShape, job: TrainingJob, fleet: Fleet, rows: Layouts, tokens: Floats) -> Floats:
    """Norms, residuals, rotary embedding, gating and casts: bytes moved over memory bandwidth.

    About ``14 d + 4 f`` values a token and layer forward and twice that backward in a compiled stack (our count).
    """
    n_active = model.n_experts_per_token + model.n_shared_experts
    values = 14.0 * model.d_model + 4.0 * model.d_ff * n_active
    passes = 3.0 + np.where(rows.recompute == 2, 1.0, np.where(rows.recompute == 1, 0.3, 0.0))
    width = 4.0 if job.precision in ("fp32", "tf32") else ACTIVATION_BYTES
    return np.asarray(passes * tokens * values * width / rows.tp / fleet.memory_bytes_per_s / 2.0)


def _layer_network_s(model: ModelShape, job: TrainingJob, fleet: Fleet, rows: Layouts, tokens: Floats) -> Floats:
    """Exposed tensor, context and expert communication of one layer, forward and backward.

    Tensor parallel with sequence parallel: the volume of 4 all-reduces of ``T d`` values. Experts: 4 all-to-alls of
    ``T k d`` values. Context: keys and values pass round the ring, hidden behind attention as far as it lasts.
    """
    network = network_coefficients()
    size = tokens * model.d_model * ACTIVATION_BYTES
    tensor = network.tensor_parallel_exposed * 4.0 * all_reduce_inner_s(fleet, rows.tp, size)
    inner = np.clip(fleet.domain_chips / rows.tp, 1.0, None)
    sent = size * model.n_experts_per_token / rows.tp
    experts = network.all_to_all_exposed * 4.0 * all_to_all_s(fleet, rows.ep, inner, sent)
    kv = 2.0 * model.n_kv_heads * model.d_head * tokens * ACTIVATION_BYTES / rows.tp
    ring = 3.0 * (rows.cp - 1.0) * kv / fleet.inner_bytes_per_s
    return np.asarray(tensor + experts + 0.3 * ring)


def _weight_gather_s(model: ModelShape, job: TrainingJob, fleet: Fleet, rows: Layouts, compute_s: Floats) -> Floats:
    """Full sharding, each micro-batch: two all-gathers of the weights and a reduce-scatter of their gradients.

    Hidden behind compute as far as that lasts; the first gather of a layer always shows.
    """
    share = parameter_shares(model, job, fleet, rows)
    inner = np.clip(fleet.domain_chips / rows.tp, 1.0, None)
    size = share.held * ACTIVATION_BYTES
    frozen = share.trained < 0.5 * share.held
    gathers = np.where(frozen, 2.0, 3.0) * gather_wide_s(fleet, share.shards, inner, size)
    exposed = np.maximum(0.0, gathers - network_coefficients().fully_sharded_overlap * compute_s)
    tail = gathers / np.maximum(model.n_layers, 1)
    is_sharded = (rows.sharding == FULLY_SHARDED) | (rows.sharding == HYBRID)
    return np.where(is_sharded, exposed + tail, 0.0)


def _gradient_exchange_s(model: ModelShape, job: TrainingJob, fleet: Fleet, rows: Layouts, micro: _Micro) -> Floats:
    """Once a step: reduce-scatter of gradients and all-gather of weights over data ranks, less what backward hides.

    With hybrid sharding only the shard crosses domains.
    """
    share = parameter_shares(model, job, fleet, rows)
    inner = np.clip(fleet.domain_chips / (rows.tp * rows.pp), 1.0, None)
    size = share.trained * ACTIVATION_BYTES
    whole = 2.0 * gather_wide_s(fleet, rows.data, inner, size)
    groups = rows.data / np.maximum(share.shards, 1.0)
    of_shard = 2.0 * gather_wide_s(fleet, groups, np.ones_like(groups), size / share.shards)
    exchange = np.select([rows.sharding == ZERO1, rows.sharding == HYBRID], [whole, of_shard], 0.0)
    window = network_coefficients().data_parallel_overlap * 2.0 / 3.0 * micro.compute
    return np.asarray(np.maximum(exchange - window, 0.05 * exchange))


def _optimizer_s(model: ModelShape, job: TrainingJob, fleet: Fleet, rows: Layouts) -> Floats:
    """Reading and writing weights, gradients and moments once: about 30 bytes a trained weight held."""
    share = parameter_shares(model, job, fleet, rows)
    ranks = np.where(rows.sharding == ZERO1, rows.data, share.shards)
    return np.asarray(share.trained * 30.0 / ranks / fleet.memory_bytes_per_s)
