"""Work of a transformer: FLOPs, bytes and parameters, per token and layer. Pure numbers, no hardware."""

from __future__ import annotations

import numpy as np

from core.throughput.model_shape import Floats, ModelShape
from core.workload.jobs.kinds import TrainingJob

ATTENTION_BACKWARD_OF_FORWARD = 2.5
"""Flash attention recomputes the scores on the way back (FlashAttention-2, arXiv 2307.08691, section 3)."""


def linear_flops_per_token_layer(model: ModelShape) -> Floats:
    """Forward FLOPs of a layer's matrix products for one token, mean over layers: ``2 x active weights``.

    Counts attention projections, the router and the blocks that the token visits (Kaplan et al., arXiv 2001.08361).
    """
    router = 2.0 * model.router_params * (1.0 - model.n_dense_layers / model.n_layers)
    return np.asarray(2.0 * model.attention_params + router + expert_flops_per_token_layer(model))


def expert_flops_per_token_layer(model: ModelShape) -> Floats:
    """FLOPs of :func:`linear_flops_per_token_layer` that run in feed-forward blocks or experts."""
    dense = model.n_dense_layers / model.n_layers
    active = (model.n_experts_per_token + model.n_shared_experts) * model.expert_params
    return np.asarray(2.0 * ((1.0 - dense) * active + dense * model.dense_block_params))


def attention_flops_per_token_layer(model: ModelShape, sequence_length: Floats | float) -> Floats:
    """Forward FLOPs of scores and weighted values for one token, mean over layers: ``4 s h e``.

    Half of it where attention is causal; windowed layers see their window, linear ones nothing that grows.
    """
    return looking_flops(model, model.mean_context(sequence_length) * (1.0 - 0.5 * model.causal))


def looking_flops(model: ModelShape, seen_tokens: Floats) -> Floats:
    """Forward FLOPs of scores and weighted values of a layer for a token that looks at so many: ``4 n h e``."""
    return np.asarray(2.0 * seen_tokens * model.n_heads * (2.0 * model.d_head + model.rope_head))


def head_flops_per_token(model: ModelShape) -> Floats:
    """Forward FLOPs of the output projection for one token: ``2 d V``."""
    return np.asarray(2.0 * model.d_model * model.vocab_size)


def model_flops_per_token(model: ModelShape, sequence_length: Floats | float) -> Floats:
    """FLOPs of forward and backward for one trained token by the usual MFU convention: ``6 N + 12 L h e s / 2``.

    N counts the weights in matrix products (no input embedding); attention is counted as far as it looks.
    """
    layer = linear_flops_per_token_layer(model) + attention_flops_per_token_layer(model, sequence_length)
    return np.asarray(3.0 * (model.n_layers * layer + head_flops_per_token(model)))


def dense_params(model: ModelShape) -> Floats:
    """Weights that every chip of a pipeline stage shares by tensor parallelism: all but the experts of an MoE."""
    return np.asarray(model.n_params - expert_params(model))


def expert_params(model: ModelShape) -> Floats:
    """Weights of the routed experts, all layers; 0 for a dense model."""
    return np.asarray(model.moe_layers * model.n_experts * model.expert_params)


def trained_params(model: ModelShape, job: TrainingJob) -> Floats:
    """Weights that get gradients: all, or the adapters of LoRA and, where asked for, copies of the embeddings.

    LoRA puts ``r (d_in + d_out)`` on each product that has an adapter (Hu et al., arXiv 2106.09685).
    """
    if job.adapter_rank is None:
        return model.n_params
    tuning = job.finetuned
    ends, _ = adapted_widths(model, tuning.adapters_on if tuning else "all_linear")
    embeddings = model.embedding_params if tuning and tuning.trains_embeddings else 0.0
    return np.asarray(job.adapter_rank * model.n_layers * ends + embeddings)


def adapted_widths(model: ModelShape, adapters_on: str) -> tuple[Floats, Floats]:
    """Inputs and outputs of a layer's products that have adapters, together, and how many products these are.

    Adapters stand beside the products of every expert of a mixture or beside none; here beside those of one block,
    which shared and dense ones are.
    """
    heads, kv = model.n_heads * model.d_head, model.n_kv_heads * model.d_head
    if adapters_on == "attention_qv":
        return 2.0 * model.d_model + heads + kv, np.asarray(2.0)
    attention = 4.0 * model.d_model + 2.0 * heads + 2.0 * kv
    if adapters_on == "attention":
        return attention, np.asarray(4.0)
    blocks = (2.0 + model.gated_mlp) * (model.d_model + model.d_ff)
    return attention + blocks, np.asarray(6.0 + model.gated_mlp)


def kv_cache_bytes(model: ModelShape, tokens: Floats | float, bytes_per_value: Floats | float) -> Floats:
    """Bytes of cache of a sequence of ``tokens``: ``2 k e`` values a layer or the latent ones; windows keep theirs."""
    return np.asarray(model.n_layers * model.mean_context(tokens) * model.kv_values_per_token * bytes_per_value)


def experts_touched(model: ModelShape, n_tokens: Floats) -> Floats:
    """Expected experts of a layer that a step over ``n_tokens`` reads: ``E (1 - (1 - k/E)^n)``; 1 when dense."""
    miss = 1.0 - model.n_experts_per_token / model.n_experts
    touched = model.n_experts * (1.0 - miss**n_tokens) + model.n_shared_experts
    return np.where(model.is_moe > 0, touched, 1.0)
