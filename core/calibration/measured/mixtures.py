"""Mixtures of experts in measured tables: a shape usual for a size where none is known of their name."""

from __future__ import annotations

from core.workload.models.transformer import TransformerModel

_SIZES_B = {"minimax-m3": (428.0, 23.0)}
"""Billions of weights, all and active, that a maker states where tables do not."""
_EXPERTS_PER_TOKEN = 8
_WIDTH_OF_DEPTH = 100.0
_ACTIVE_OF_CUBE = 12.0


def usual_mixture(name: str, size_b: float, active_b: float) -> TransformerModel | None:
    """A mixture of the usual proportions for its weights, all and active; None where either is unknown.

    ``d = (100 P_active / 12)^(1/3)`` with 100 of width a layer, 8 experts a token and one shared, experts as wide as
    leave the active weights (our estimate from DeepSeek-V3, Kimi K2, Qwen3 235B and GLM-4.5).
    """
    size_b, active_b = next(
        (sizes for start, sizes in _SIZES_B.items() if name.lower().startswith(start)), (size_b, active_b)
    )
    if not size_b or not active_b or active_b >= 0.9 * size_b:
        return None
    width = max(round((_WIDTH_OF_DEPTH * active_b * 1e9 / _ACTIVE_OF_CUBE) ** (1 / 3) / 128), 4) * 128
    layers, heads = max(round(width / _WIDTH_OF_DEPTH), 1), width // 128
    attention = layers * width * 128 * (2 * heads + 2 * max(heads // 8, 1))
    left = max(active_b * 1e9 - attention - 2 * width * 128_000, 0.3 * active_b * 1e9)
    d_ff = max(round(left / (layers * (_EXPERTS_PER_TOKEN + 1) * 3 * width) / 64), 1) * 64
    experts = max(round((size_b - active_b) * 1e9 / (layers * 3 * width * d_ff)), 0) + _EXPERTS_PER_TOKEN
    heads = max(heads // 8, 1) * 8
    return TransformerModel.model_validate({
        "name": name[:80], "n_layers": layers, "d_model": width, "n_heads": heads, "n_kv_heads": 8, "d_head": 128,
        "d_ff": d_ff, "vocab_size": 128_000, "n_experts": min(experts, 4096),
        "n_experts_per_token": _EXPERTS_PER_TOKEN, "n_shared_experts": 1,
    })  # fmt: skip
