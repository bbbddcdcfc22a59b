"""Work of a transformer: FLOPs, bytes and parameters, per token and layer. Pure numbers, no hardware."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.workload.job import FineTuning, TrainingJob
from core.workload.model import TransformerModel

BYTES = {"fp32": 4.0, "tf32": 4.0, "bf16": 2.0, "fp16": 2.0, "fp8": 1.0, "int8": 1.0, "int4": 0.5, "fp4": 0.56}
"""Bytes of a stored weight; four-bit block formats carry a scale for each 16 or 32 values."""

BACKWARD_OF_FORWARD = 2.0
"""Linear layers: one product for the input's gradient, one for the weight's."""

ATTENTION_BACKWARD_OF_FORWARD = 2.5
"""Flash attention recomputes the scores on the way back (FlashAttention-2, arXiv 2307.08691, section 3)."""


def linear_flops_per_token_layer(model: TransformerModel) -> float:
    """Forward FLOPs of one layer's matrix products for one token: ``2 x active weights``.

    Counts attention projections, the router and the experts that the token visits (Kaplan et al., arXiv 2001.08361).
    """
    n_active = model.n_experts_per_token + model.n_shared_experts
    return 2.0 * (model.attention_params + model.router_params + n_active * model.expert_params)


def expert_flops_per_token_layer(model: TransformerModel) -> float:
    """The part of :func:`linear_flops_per_token_layer` that runs in feed-forward blocks or experts."""
    return 2.0 * (model.n_experts_per_token + model.n_shared_experts) * model.expert_params


def attention_flops_per_token_layer(model: TransformerModel, sequence_length: float) -> float:
    """Forward FLOPs of scores and weighted values for one token: ``4 s h e / 2``, the causal half only."""
    return 2.0 * sequence_length * model.n_heads * model.d_head


def head_flops_per_token(model: TransformerModel) -> float:
    """Forward FLOPs of the output projection for one token: ``2 d V``."""
    return 2.0 * model.d_model * model.vocab_size


def model_flops_per_token(model: TransformerModel, sequence_length: float) -> float:
    """FLOPs of forward and backward for one trained token by the usual MFU convention: ``6 N + 12 L h e s / 2``.

    N counts the weights in matrix products (no input embedding); attention is counted causal.
    """
    forward = model.n_layers * (
        linear_flops_per_token_layer(model) + attention_flops_per_token_layer(model, sequence_length)
    ) + head_flops_per_token(model)
    return 3.0 * forward


def dense_params(model: TransformerModel) -> float:
    """Weights that every chip of a pipeline stage shares by tensor parallelism: all but the experts of an MoE."""
    return float(model.n_params - expert_params(model))


def expert_params(model: TransformerModel) -> float:
    """Weights of the routed experts, all layers; 0 for a dense model."""
    return float(model.n_layers * model.n_experts * model.expert_params) if model.is_moe else 0.0


def trained_params(model: TransformerModel, job: TrainingJob) -> float:
    """Weights that get gradients: all, or the adapters of LoRA.

    LoRA puts ``r (d_in + d_out)`` on each projection of attention and feed-forward (Hu et al., arXiv 2106.09685).
    """
    if not (isinstance(job, FineTuning) and job.method == "lora"):
        return float(model.n_params)
    width = model.n_heads * model.d_head + 2 * model.n_kv_heads * model.d_head
    attention = 4 * model.d_model + width + model.n_heads * model.d_head
    blocks = (3 if model.gated_mlp else 2) * (model.d_model + model.d_ff)
    return float(job.lora_rank * model.n_layers * (attention + blocks))


def kv_bytes_per_token(model: TransformerModel, bytes_per_value: float) -> float:
    """KV cache of one token, all layers: ``2 L k e`` values."""
    return 2.0 * model.n_layers * model.n_kv_heads * model.d_head * bytes_per_value


def experts_touched(model: TransformerModel, n_tokens: NDArray[np.float64]) -> NDArray[np.float64]:
    """Expected experts of a layer that a step over ``n_tokens`` reads: ``E (1 - (1 - k/E)^n)``; 1 when dense."""
    if not model.is_moe:
        return np.ones_like(n_tokens)
    miss = 1.0 - model.n_experts_per_token / model.n_experts
    return np.asarray(model.n_experts * (1.0 - miss**n_tokens) + model.n_shared_experts)
