"""The model that runs: a decoder transformer, dense, grouped-query or mixture of experts."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from core.workload.describe import Described, described

_GROUP = "Model"


class TransformerModel(Described):
    """Shape of a decoder transformer; counts are per layer unless they say otherwise.

    Raises pydantic.ValidationError when heads do not divide or experts per token exceed experts.
    """

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
        1, title="Experts per token", help="Routed experts that each token visits", group=_GROUP, ge=1, le=256
    )
    n_shared_experts: int = described(
        0, title="Shared experts", help="Experts that every token visits", group=_GROUP, ge=0, le=64
    )

    @model_validator(mode="after")
    def _shapes_agree(self) -> Self:
        if self.n_heads % self.n_kv_heads:
            raise ValueError(f"KV heads ({self.n_kv_heads}) must divide attention heads ({self.n_heads})")
        if self.n_experts_per_token > self.n_experts:
            raise ValueError(
                f"experts per token ({self.n_experts_per_token}) must not exceed experts ({self.n_experts})"
            )
        return self

    @property
    def is_moe(self) -> bool:
        """True for a mixture of experts."""
        return self.n_experts > 1

    @property
    def attention_params(self) -> int:
        """Weights of one layer's attention: q, k, v and output projections."""
        return self.d_model * self.d_head * (2 * self.n_heads + 2 * self.n_kv_heads)

    @property
    def expert_params(self) -> int:
        """Weights of one expert (of the whole block when dense)."""
        return (3 if self.gated_mlp else 2) * self.d_model * self.d_ff

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
        layer = self.attention_params + self.router_params + n_experts * self.expert_params + 2 * self.d_model
        return self.n_layers * layer + self.embedding_params + self.d_model
