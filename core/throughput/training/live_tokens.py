"""Tokens whose activations a chip keeps for the way back, and the bytes that these take."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.throughput.model_shape import Floats, ModelShape
from core.throughput.training.layouts import RECOMPUTE, Layouts, stage_layers


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
        kept = (layer_bytes(model, 4.0, 1.0), layer_bytes(model, 3.0, 2.0 / 3.0), 2.0 * model.d_model)[level]
        again = self.once * layer_bytes(model, 4.0, 1.0) if RECOMPUTE[level] == "full" else 0.0
        return np.asarray(self.in_flight * kept + again)


def live_tokens(model: ModelShape, sequence_length: Floats, global_batch: Floats, rows: Layouts) -> LiveTokens:
    """What a chip keeps: a pipeline holds p micro-batches of its first stage.

    ``1 + (p-1) / (p v)`` times as much with v interleaved stages (Korthikanti et al., arXiv 2205.05198, 4.2.3).
    """
    tokens = rows.micro_batch * (sequence_length / rows.cp) / rows.tp
    n_micro = np.ceil(global_batch / (rows.data * rows.micro_batch))
    spread = np.where(rows.interleave > 1, 1.0 + (rows.pp - 1.0) / (rows.pp * rows.interleave), 1.0)
    in_flight = np.minimum(rows.pp * spread, np.maximum(n_micro, 1.0))
    return LiveTokens(tokens * stage_layers(model.n_layers, rows.pp) * in_flight, tokens)


def layer_bytes(model: ModelShape, norms: float, blocks_kept: float) -> Floats:
    """Bytes a token of one layer: ``norms d``, attention, and a share of the blocks' matrices."""
    heads = (2 * model.n_heads + 2 * model.n_kv_heads) * model.d_head
    n_active = model.n_experts_per_token + model.n_shared_experts
    blocks = (2.0 + model.gated_mlp) * model.d_ff * n_active
    return np.asarray(2.0 * (norms * model.d_model + heads + blocks_kept * blocks))
