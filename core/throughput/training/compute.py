"""Time of a micro-batch on a chip: matrix products, attention, elementwise kernels, experts. Pure arrays."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from core.constants import BYTES_PER_NARROW_VALUE, GRADIENT_TRAFFIC_BYTES_PER_PARAM
from core.throughput.model_shape import Floats, ModelShape
from core.throughput.training.layouts import Layouts
from core.throughput.training.rates import Rates
from core.throughput.training.work import TrainingWork
from core.throughput.transformer_work import ATTENTION_BACKWARD_OF_FORWARD, attention_flops_per_token_layer


class ProductRates(Protocol):
    """What a product takes of a chip: see :class:`core.throughput.training.rates.Rates`."""

    @property
    def gemm_flops(self) -> Floats:
        """Rate of large products in FLOP/s."""

    @property
    def memory_bytes_per_s(self) -> Floats:
        """Reached memory bandwidth in bytes/s."""

    @property
    def wave(self) -> Floats:
        """Elements of the output that all processors compute at once."""

    @property
    def tile(self) -> Floats:
        """Width of the matrix unit's tile."""

    @property
    def kernel_s(self) -> Floats:
        """Fixed time of a product in s."""


def tile_share(size: Floats, tile: Floats) -> Floats:
    """Useful part of the last tile: ``size / (ceil(size / tile) tile)``; a 128-wide array runs 100 columns as 128."""
    return np.asarray(size / (np.ceil(size / tile) * tile))


def product_s(rates: ProductRates, m: Floats, k: Floats, n: Floats) -> Floats:
    """Time of ``(m, k) x (k, n)`` in s, elementwise over arrays.

    ``max(2 k (m n / tiles + wave / 2) / rate, 2 (m k + k n + m n) / bandwidth) + start``: the last wave of output
    tiles is half empty on average, columns are padded to whole tiles, operands are read in sixteen bits.
    """
    work = 2.0 * k * (m * n / tile_share(n, rates.tile) + 0.5 * rates.wave)
    moved = 2.0 * (m * k + k * n + m * n)
    return np.asarray(np.maximum(work / rates.gemm_flops, moved / rates.memory_bytes_per_s) + rates.kernel_s)


ATTENTION_HALF, CAUSAL_HALF = 150.0, 400.0
"""Sequence at which fused attention reaches half of its rate with long ones, and what a causal mask, which leaves
diagonal tiles half used, adds to it (kernel benchmarks of FlashAttention-2)."""
HEAD_HALF = 32.0
"""Head size at which it would reach half: heads of 64 run slower than heads of 128 (same source)."""
SCORE_VALUES = 18.0
"""Values moved for each score and head, forward and backward, where scores pass through memory: written and read by
the product, mask, softmax and dropout (Megatron-LM of 2021; our count)."""
USUAL_HEAD = 128.0
MASKED_SHARE = 0.15
LOGIT_BYTES = 24.0
"""Moved for each logit: written, read by softmax and loss, its gradient written and read twice."""
NORM_VALUES, MIXER_VALUES, GATE_VALUES = 11.0, 4.0, 3.0
"""Values moved forward by fused kernels for each of ``d`` (norms, residuals), ``h e`` (rotary, bias) and ``f``."""


def passes(work: TrainingWork, rates: Rates, rows: Layouts) -> Floats:
    """Forward-equivalents of the products: 3, or 2 for LoRA (no weight gradients); one more with full recompute.

    A compiler of whole programs leaves out what the way back does not read, the last product of each block.
    """
    return np.asarray(3.0 - work.is_lora + np.where(rows.recompute == 2, rates.recomputed, 0.0))


def block_passes(work: TrainingWork, rates: Rates, rows: Layouts) -> Floats:
    """The same of feed-forward blocks, which may be all that is repeated."""
    return np.asarray(passes(work, rates, rows) + np.where(rows.recompute == 3, rates.recomputed, 0.0))


def mixer_s(model: ModelShape, work: TrainingWork, rates: Rates, rows: Layouts, tokens: Floats) -> Floats:
    """Seconds of projections and attention of one layer, mean over layers, forward and backward."""
    heads = model.n_heads * model.d_head
    columns = np.asarray(model.attention_params / model.d_model / rows.tp)
    into, out = np.maximum(columns - heads / rows.tp, 1.0), heads / rows.tp
    products = product_s(rates, tokens, model.d_model, into) + product_s(rates, tokens, out, model.d_model)
    return np.asarray(passes(work, rates, rows) * products + attention_s(model, work, rates, rows, tokens))


def attention_s(model: ModelShape, work: TrainingWork, rates: Rates, rows: Layouts, tokens: Floats) -> Floats:
    """Scores and weighted values, forward and backward, one layer, mean over layers.

    Fused: ``FLOPs / rate``, slower for short sequences and small heads. Unfused: the full square, and every score
    passes through memory.
    """
    sequence = work.sequence_length
    often = (
        1.0
        + ATTENTION_BACKWARD_OF_FORWARD
        + np.select([rows.recompute == 1, rows.recompute == 2], [rates.unfused, 1.0], 0.0)
    )
    flops = attention_flops_per_token_layer(model, sequence) * (1.0 + rates.unfused * model.causal)
    half = (ATTENTION_HALF + CAUSAL_HALF * model.causal) * (1.0 - rates.unfused)
    reach = sequence / (sequence + half) * model.d_head / (model.d_head + HEAD_HALF) * head_share(model, rates)
    fused_s = often * tokens * flops / rows.tp / (rates.attention_flops * reach)
    scores = tokens * model.mean_context(sequence) * model.n_heads / rows.tp
    again = np.where((rows.recompute == 1) | (rows.recompute == 2), 4.0 / 3.0, 1.0)
    unfused_s = again * scores * SCORE_VALUES * work.value_bytes / rates.memory_bytes_per_s
    scan = rates.scan_values * tokens * model.n_heads * model.d_head / rows.tp * work.value_bytes
    linear_s = scan * model.linear_layers / model.n_layers / rates.memory_bytes_per_s
    return np.asarray(fused_s + rates.unfused * unfused_s + linear_s)


def head_share(model: ModelShape, rates: Rates) -> Floats:
    """Part of a wide matrix unit that a head fills, over what a usual head of 128 does: 0.5 for heads of 64 on a TPU.

    Scores and weighted values multiply over or into one head; a unit of 128 or 256 columns runs 64 as a whole tile.
    """
    usual = tile_share(np.asarray(USUAL_HEAD), rates.tile)
    return np.asarray(np.minimum(tile_share(model.d_head, rates.tile) / usual, 1.0) ** (rates.tile >= USUAL_HEAD))


def block_s(model: ModelShape, work: TrainingWork, rates: Rates, rows: Layouts, tokens: Floats) -> Floats:
    """Seconds of feed-forward work of one layer, mean over layers, forward and backward."""
    dense = np.where(model.is_moe > 0, model.n_dense_layers / model.n_layers, 1.0)
    width = np.where(model.is_moe > 0, model.dense_block_params / model.expert_params * model.d_ff, model.d_ff)
    dense_s = block_passes(work, rates, rows) * _two_products_s(model, rates, tokens, np.maximum(width, 64.0) / rows.tp)
    if not np.any(model.is_moe):
        return np.asarray(dense_s)
    return np.asarray(dense * dense_s + (1.0 - dense) * experts_s(model, work, rates, rows, tokens))


def _two_products_s(model: ModelShape, rates: Rates, tokens: Floats, width: Floats) -> Floats:
    """One forward pass of a block of that width."""
    up = product_s(rates, tokens, model.d_model, (1.0 + model.gated_mlp) * width)
    return np.asarray(up + product_s(rates, tokens, width, model.d_model))


def experts_s(model: ModelShape, work: TrainingWork, rates: Rates, rows: Layouts, tokens: Floats) -> Floats:
    """Routing, permutation, grouped products and shared experts of one layer, forward and backward.

    Each chip holds ``E / ep`` experts and works on ``tokens k`` of its group's visits; the busiest chip of a group
    sets the pace. Products of narrow experts fill the chip less than wide ones do: ``w / (w + half)`` of the rate;
    ranks of tensor parallelism share them out whole (expert tensor parallelism of 1, Megatron's usual one).
    Weights of experts are read for each pass, and their gradients written in four bytes.
    """
    visits = tokens * model.n_experts_per_token
    held = model.n_experts / rows.ep
    busiest = 1.0 + rates.imbalance_per_doubling * np.log2(np.maximum(rows.ep, 1.0))
    flops = 2.0 * visits * model.expert_params / rows.tp
    per_expert = visits / held
    share = (
        rates.grouped_share
        * per_expert
        / (per_expert + 0.5 * rates.tile)
        * model.d_ff
        / (model.d_ff + rates.group_half)
    )
    weights = held * model.expert_params / rows.tp
    moved = BYTES_PER_NARROW_VALUE + GRADIENT_TRAFFIC_BYTES_PER_PARAM / 3.0  # gradients in one pass of three
    read_s = weights * moved / rates.memory_bytes_per_s
    grouped = block_passes(work, rates, rows) * np.maximum(flops / (rates.gemm_flops * share), read_s) * busiest
    permuted = visits * model.d_model * work.value_bytes * rates.permute_values / rates.memory_bytes_per_s
    shared_s = block_passes(work, rates, rows) * _two_products_s(
        model, rates, tokens, np.maximum(model.n_shared_experts, 0.01) * model.d_ff / rows.tp
    )
    routed = (grouped + permuted + rates.expert_layer_s) * np.where(model.gated_mlp > 0, rates.fused_experts, 1.0)
    return np.asarray(routed + shared_s * (model.n_shared_experts > 0))


def head_s(model: ModelShape, work: TrainingWork, rates: Rates, rows: Layouts, tokens: Floats) -> Floats:
    """Output projection and loss on the last stage; logits pass through memory some six times in four bytes.

    A masked encoder predicts its masked tokens only, 15 of 100 (Devlin et al., arXiv 1810.04805).
    """
    predicted = tokens * (model.causal + MASKED_SHARE * (1.0 - model.causal))
    product = (3.0 - work.is_lora) * product_s(rates, predicted, model.d_model, model.vocab_size / rows.tp)
    return np.asarray(product + LOGIT_BYTES * predicted * model.vocab_size / rows.tp / rates.memory_bytes_per_s)


def elementwise_s(model: ModelShape, work: TrainingWork, rates: Rates, rows: Layouts, tokens: Floats) -> Floats:
    """Norms, residuals, rotary embedding, gates and casts of one layer, forward and backward: bytes over bandwidth.

    Fused kernels move ``11 d + 4 h e + 3 f`` values a token forward (our count), twice that backward; products below
    sixteen bits read and write each of their inputs once more, those of experts for each visit of a token.
    """
    dense = model.n_dense_layers / model.n_layers
    n_active = model.n_experts_per_token + model.n_shared_experts
    width = np.where(model.is_moe > 0, (1.0 - dense) * n_active, 1.0) * model.d_ff
    heads = model.n_heads * model.d_head
    values = NORM_VALUES * model.d_model + MIXER_VALUES * heads + GATE_VALUES * (1.0 + model.gated_mlp) / 2.0 * width
    sent = np.where(model.is_moe > 0, (1.0 - dense) * n_active + dense, 1.0)
    inputs = (1.0 + sent) * model.d_model + heads + width
    levels = [rows.recompute == 1, rows.recompute == 2, rows.recompute == 3]
    often = 3.0 + np.select(levels, [0.3, rates.recomputed, 0.5 * rates.recomputed], 0.0)
    moved = rates.elementwise * values + rates.cast_values * inputs
    return np.asarray(often * tokens * moved * work.value_bytes / rows.tp / rates.memory_bytes_per_s)
