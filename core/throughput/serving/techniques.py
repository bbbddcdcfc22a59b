"""Techniques of decoding: a draft that is verified, prompts found in a cache, adapters beside one base."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from core.rows import Rows
from core.throughput.chips.fleet import Floats
from core.throughput.model_shape import ModelShape
from core.throughput.transformer_work import experts_touched, kv_cache_bytes
from core.workload.jobs.speculation import DRAFT_KINDS, DRAFT_LAYERS_OF_MODEL

DRAFT_VOCABULARY = 32_000.0
"""Tokens that the head of an EAGLE-3 draft chooses from at most (arXiv 2503.01840; the makers' configurations)."""
EAGLE_WIDTHS = 15.0
"""Weights of an EAGLE draft beside its head in squares of the hidden size: one block of about 12 and a join of 3."""
ADAPTER_BYTES = 2.0
"""A value of an adapter."""


def nothing() -> Floats:
    """0 for every row."""
    return np.asarray(0.0)


def once() -> Floats:
    """1 for every row."""
    return np.asarray(1.0)


@dataclass(frozen=True)
class Drafting(Rows):
    """Speculation of each row, numbers or arrays.

    ``kind`` counts in :data:`~core.workload.jobs.speculation.DRAFT_KINDS`, 0 without a draft. A step verifies
    ``tokens`` drafted ones beside the one that is certain and yields ``emitted`` of them; the draft runs ``passes``
    times for it and holds ``params`` weights where it is a model of its own.
    """

    kind: Floats = field(default_factory=nothing)
    tokens: Floats = field(default_factory=nothing)
    emitted: Floats = field(default_factory=once)
    passes: Floats = field(default_factory=nothing)
    params: Floats = field(default_factory=nothing)

    @property
    def verified(self) -> Floats:
        """Tokens of a sequence in a step of the model."""
        return np.asarray(1.0 + self.tokens)

    @property
    def is_on(self) -> Floats:
        """1 with a draft, else 0."""
        return np.asarray(np.asarray(self.kind) > 0, dtype=np.float64)

    def is_kind(self, name: str) -> Floats:
        """1 where the draft is of this kind, else 0."""
        return np.asarray(np.asarray(self.kind) == DRAFT_KINDS.index(name), dtype=np.float64)

    @property
    def has_weights(self) -> Floats:
        """1 where a draft has weights to be read: all but looking words up in the prompt."""
        return np.asarray(self.is_on * (1.0 - self.is_kind("ngram")))


@dataclass(frozen=True)
class Adapters(Rows):
    """LoRA adapters on one base: how many, all wanted alike, and their rank."""

    count: Floats = field(default_factory=nothing)
    rank: Floats = field(default_factory=nothing)


def draft_layers(drafting: Drafting) -> Floats:
    """Layers of a pass of the draft: one of an EAGLE head or of multi-token prediction, more of a model."""
    return np.asarray(drafting.has_weights * np.where(drafting.is_kind("model") > 0, DRAFT_LAYERS_OF_MODEL, 1.0))


def draft_params(model: ModelShape, drafting: Drafting) -> Floats:
    """Weights that a draft holds: ``15 d^2 + d min(V, 32k)`` for EAGLE, a layer of the model for its own.

    Multi-token prediction shares the model's head; a draft that is a model states its size.
    """
    layer = (model.n_params - model.embedding_params - model.d_model * model.vocab_size) / model.n_layers
    eagle = EAGLE_WIDTHS * model.d_model**2 + model.d_model * np.minimum(model.vocab_size, DRAFT_VOCABULARY)
    stated = np.where(drafting.is_kind("model") > 0, drafting.params, eagle)
    return np.asarray(drafting.has_weights * np.where(drafting.is_kind("mtp") > 0, layer, stated))


def draft_params_read(model: ModelShape, drafting: Drafting, n_tokens: Floats) -> Floats:
    """Weights read in a pass of the draft: of a layer of experts only those that ``n_tokens`` touch, and its head."""
    held = draft_params(model, drafting)
    untouched = (model.n_experts + model.n_shared_experts - experts_touched(model, n_tokens)) * model.expert_params
    of_layer = np.maximum(held - model.is_moe * np.maximum(untouched, 0.0), 0.0) + model.d_model * model.vocab_size
    return np.asarray(np.where(drafting.is_kind("mtp") > 0, of_layer, held))


def draft_cache_bytes(model: ModelShape, drafting: Drafting, tokens: Floats, kv_bytes: Floats) -> Floats:
    """Cache of a sequence that the draft keeps: that of its layers, taken as wide as the model's."""
    return np.asarray(kv_cache_bytes(model, tokens, kv_bytes) * draft_layers(drafting) / model.n_layers)


def adapter_params(model: ModelShape, rank: Floats) -> Floats:
    """Weights of an adapter on all projections: ``r (d_in + d_out)`` each (Hu et al., arXiv 2106.09685).

    Experts are left without, as engines serve them.
    """
    heads, kv = model.n_heads * model.d_head, model.n_kv_heads * model.d_head
    attention = 4.0 * model.d_model + 2.0 * heads + 2.0 * kv
    blocks = np.where(model.is_moe > 0, 0.0, (2.0 + model.gated_mlp) * (model.d_model + model.d_ff))
    return np.asarray(rank * model.n_layers * (attention + blocks))


def adapters_touched(adapters: Adapters, n_sequences: Floats) -> Floats:
    """Adapters that so many sequences at random ask of: ``k (1 - (1 - 1/k)^n)``; 0 without any."""
    count = np.maximum(adapters.count, 1.0)
    return np.asarray(np.where(np.asarray(adapters.count) > 0, count * (1.0 - (1.0 - 1.0 / count) ** n_sequences), 0.0))
