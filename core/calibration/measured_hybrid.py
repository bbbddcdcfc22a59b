"""Shapes of hybrid models of state-space layers, attention and experts, as far as training time depends on them."""

from __future__ import annotations

from core.workload.model import TransformerModel

_SHAPES: dict[str, tuple[int, ...]] = {
    "nemotron3nano": (29, 2688, 32, 16, 1856, 128, 6, 2, 23, 6),
    "nemotron3super": (50, 4096, 64, 32, 672, 512, 22, 8, 40, 9),
    "nemotron3ultra": (60, 8192, 128, 32, 1280, 512, 22, 8, 48, 12),
}
"""Mixers (state-space or attention), width, heads, key-value heads, width of an expert, experts, experts a token,
shared ones, state-space mixers, mixers without experts. From the makers' reports, with sizes that keep work and
weights: key-value heads are set so that the mean mixer has its true weights, and experts on a compressed width are as
narrow as gives them theirs; the layer that predicts a second token is one more. Do not read a cache size from them."""
_VOCABULARY = 131_072


def hybrid_model(name: str) -> TransformerModel | None:
    """The hybrid of that name as a transformer of the same work; None for any other."""
    plain = "".join(letter for letter in name.lower() if letter.isalnum())
    found = next((shape for known, shape in _SHAPES.items() if plain.startswith(known)), None)
    if found is None:
        return None
    layers, width, heads, kv_heads, d_ff, experts, chosen, shared, linear, without = found
    return TransformerModel(
        name=name[:80], n_layers=layers, d_model=width, n_heads=heads, n_kv_heads=kv_heads, d_head=128, d_ff=d_ff,
        vocab_size=_VOCABULARY, gated_mlp=False, n_experts=experts, n_experts_per_token=chosen,
        n_shared_experts=shared, linear_layers=linear, n_dense_layers=without, dense_d_ff=64,
    )  # fmt: skip
