"""A model's counts as numbers or arrays, so that one set of equations serves one model and many rows of models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.rows import Rows
from core.workload.models.transformer import TransformerModel

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ModelShape(Rows):
    """Counts of :class:`TransformerModel` by the same names, shape () for one model or (n rows,); flags are 0 or 1."""

    n_layers: Floats
    d_model: Floats
    n_heads: Floats
    n_kv_heads: Floats
    d_head: Floats
    d_ff: Floats
    vocab_size: Floats
    gated_mlp: Floats
    is_moe: Floats
    n_experts: Floats
    n_experts_per_token: Floats
    n_shared_experts: Floats
    n_dense_layers: Floats
    causal: Floats
    window_tokens: Floats
    window_layers: Floats
    linear_layers: Floats
    is_latent: Floats
    rope_head: Floats
    kv_values_per_token: Floats
    attention_params: Floats
    expert_params: Floats
    dense_block_params: Floats
    router_params: Floats
    embedding_params: Floats
    n_params: Floats
    n_active_params: Floats

    @property
    def moe_layers(self) -> Floats:
        """Layers with experts; 0 for a dense model."""
        return np.asarray(self.is_moe * (self.n_layers - self.n_dense_layers))

    def mean_context(self, tokens: Floats | float) -> Floats:
        """Tokens that attention reads of ``tokens`` there, mean over layers: windows cap, linear layers 0."""
        full = self.n_layers - self.window_layers - self.linear_layers
        seen = full * tokens + self.window_layers * np.minimum(tokens, self.window_tokens)
        return np.asarray(seen / self.n_layers)


@lru_cache(maxsize=32)
def shape_of(model: TransformerModel) -> ModelShape:
    """One model, every count of shape ()."""
    return ModelShape(**{field.name: np.asarray(float(getattr(model, field.name))) for field in fields(ModelShape)})


def shapes_of(models: Sequence[TransformerModel]) -> ModelShape:
    """Many models, every count of shape (n rows,)."""
    rows = {field.name: [float(getattr(model, field.name)) for model in models] for field in fields(ModelShape)}
    return ModelShape(**{name: np.array(values) for name, values in rows.items()})
