"""The model that runs: a transformer, dense or mixture of experts, with full, windowed, latent or linear attention."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from pydantic import model_validator

from core.workload.field_description import Described, described

_GROUP = "Model"


class TransformerModel(Described):
    """Shape of a transformer; counts are per layer unless they say otherwise.

    Raises pydantic.ValidationError when heads do not divide, experts per token exceed experts, or more layers are of a
    kind than there are layers.
    """

    kind: ClassVar[Literal["transformer"]] = "transformer"

    name: str = described("Custom model", title="Model", help="Name of the architecture", group=_GROUP, max_length=80)
    n_layers: int = described(32, title="Layers", help="Transformer blocks", group=_GROUP, ge=1, le=1000)
    d_model: int = described(
        4096, title="Hidden size", help="Width of the residual stream", group=_GROUP, ge=64, le=131072
    )
    n_heads: int = described(32, title="Attention heads", help="Query heads of a layer", group=_GROUP, ge=1, le=1024)
    n_kv_heads: int = described(
        8,
        title="KV heads",
        help="Fewer than the query heads means grouped-query attention",
        group=_GROUP,
        ge=1,
        le=1024,
    )
    d_head: int = described(128, title="Head size", help="Usually hidden size over heads", group=_GROUP, ge=8, le=1024)
    d_ff: int = described(
        14336, title="Feed-forward size", help="Width of one dense block or one expert", group=_GROUP, ge=64, le=1048576
    )
    vocab_size: int = described(
        128256, title="Vocabulary", help="Rows of the embedding", group=_GROUP, unit="tokens", ge=1, le=2_000_000
    )
    gated_mlp: bool = described(
        True, title="Gated feed-forward", help="Three matrices (SwiGLU) instead of two", group=_GROUP
    )
    tied_embeddings: bool = described(
        False, title="Tied embeddings", help="Input and output share one matrix", group=_GROUP
    )
    n_experts: int = described(1, title="Experts", help="1 for a dense model", group=_GROUP, ge=1, le=4096)
    n_experts_per_token: int = described(
        1,
        title="Experts per token",
        help="Routed experts that each token visits",
        group=_GROUP,
        needs="is_moe",
        ge=1,
        le=256,
    )
    n_shared_experts: int = described(
        0, title="Shared experts", help="Experts that every token visits", group=_GROUP, needs="is_moe", ge=0, le=64
    )
    n_dense_layers: int = described(
        0,
        title="Dense layers first",
        help="Layers of a mixture that have no experts",
        group=_GROUP,
        needs="is_moe",
        ge=0,
        le=1000,
    )
    dense_d_ff: int = described(
        0,
        title="Their feed-forward size",
        help="Width of the block in those layers",
        group=_GROUP,
        needs="n_dense_layers",
        ge=0,
        le=1048576,
    )
    causal: bool = described(
        True, title="Causal attention", help="Off for an encoder such as BERT: every token sees all", group=_GROUP
    )
    window_tokens: int = described(
        0,
        title="Sliding window",
        help="Tokens that a windowed layer looks back; 0 for none",
        group=_GROUP,
        unit="tokens",
        ge=0,
        le=10_000_000,
    )
    window_layers: int = described(
        0,
        title="Windowed layers",
        help="Layers that look back only so far",
        group=_GROUP,
        needs="window_tokens",
        ge=0,
        le=1000,
    )
    linear_layers: int = described(
        0,
        title="Linear-attention layers",
        help="State-space or linear attention: the cache does not grow",
        group=_GROUP,
        ge=0,
        le=1000,
    )
    kv_latent_rank: int = described(
        0,
        title="Latent rank of KV",
        help="Multi-head latent attention keeps this many values a token; 0 for none",
        group=_GROUP,
        ge=0,
        le=65536,
    )
    q_latent_rank: int = described(
        0,
        title="Latent rank of Q",
        help="0 when queries are not compressed",
        group=_GROUP,
        needs="is_latent",
        ge=0,
        le=65536,
    )
    rope_head: int = described(
        0,
        title="Position part of a head",
        help="Of latent attention: values that carry it",
        group=_GROUP,
        needs="is_latent",
        ge=0,
        le=1024,
    )

    @model_validator(mode="before")
    @classmethod
    def _kind_may_be_written(cls, given: Any) -> Any:
        """A file may say ``"kind": "transformer"``; without a kind a model is one."""
        if isinstance(given, dict) and given.get("kind") == cls.kind:
            return {name: value for name, value in given.items() if name != "kind"}
        return given

    @model_validator(mode="after")
    def _shapes_agree(self) -> Self:
        if self.n_heads % self.n_kv_heads:
            raise ValueError(f"KV heads ({self.n_kv_heads}) must divide attention heads ({self.n_heads})")
        if self.n_experts_per_token > self.n_experts:
            raise ValueError(
                f"experts per token ({self.n_experts_per_token}) must not exceed experts ({self.n_experts})"
            )
        if max(self.n_dense_layers, self.window_layers + self.linear_layers) > self.n_layers:
            raise ValueError(f"dense, windowed and linear layers must not exceed the layers ({self.n_layers})")
        return self

    @property
    def is_moe(self) -> bool:
        """True for a mixture of experts."""
        return self.n_experts > 1

    @property
    def is_latent(self) -> bool:
        """True for multi-head latent attention."""
        return self.kv_latent_rank > 0

    @property
    def attention_params(self) -> int:
        """Weights of one layer's attention: q, k, v and output projections.

        Latent attention compresses: ``d r_q + r_q h (e + e_rope) + d (r_kv + e_rope) + 2 r_kv h e + h e d``
        (DeepSeek-V2, arXiv 2405.04434, section 2.1).
        """
        if not self.is_latent:
            return self.d_model * self.d_head * (2 * self.n_heads + 2 * self.n_kv_heads)
        query = self.n_heads * (self.d_head + self.rope_head)
        queries = self.q_latent_rank * (self.d_model + query) if self.q_latent_rank else self.d_model * query
        keys = self.d_model * (self.kv_latent_rank + self.rope_head)
        values = 2 * self.kv_latent_rank * self.n_heads * self.d_head
        return queries + keys + values + self.n_heads * self.d_head * self.d_model

    @property
    def kv_values_per_token(self) -> int:
        """Values cached a token and layer: ``2 k e``, or the latent vector and its position part."""
        if self.is_latent:
            return self.kv_latent_rank + self.rope_head
        return 2 * self.n_kv_heads * self.d_head

    @property
    def expert_params(self) -> int:
        """Weights of one expert (of the whole block when dense)."""
        return (3 if self.gated_mlp else 2) * self.d_model * self.d_ff

    @property
    def dense_block_params(self) -> int:
        """Weights of the feed-forward block in the first, dense layers of a mixture; 0 without such layers."""
        return (
            (3 if self.gated_mlp else 2) * self.d_model * (self.dense_d_ff or self.d_ff) if self.n_dense_layers else 0
        )

    @property
    def router_params(self) -> int:
        """Weights of one layer's router; 0 when dense."""
        return self.d_model * self.n_experts if self.is_moe else 0

    @property
    def embedding_params(self) -> int:
        """Weights of input and output embeddings together."""
        return (1 if self.tied_embeddings else 2) * self.vocab_size * self.d_model

    @property
    def n_params(self) -> int:
        """All weights, norms included (two per layer and a final one)."""
        return self._with_experts(self.n_experts + self.n_shared_experts)

    @property
    def n_active_params(self) -> int:
        """Weights that one token passes through."""
        return self._with_experts(self.n_experts_per_token + self.n_shared_experts)

    def _with_experts(self, n_experts: int) -> int:
        layers = self.n_layers * (self.attention_params + 2 * self.d_model)
        blocks = (self.n_layers - self.n_dense_layers) * (self.router_params + n_experts * self.expert_params)
        return layers + blocks + self.n_dense_layers * self.dense_block_params + self.embedding_params + self.d_model
