"""Mixtures of experts in measured tables: makers' shapes by name, and a shape usual for a size where none is known."""

from __future__ import annotations

from core.workload.models.known import presets
from core.workload.models.transformer import TransformerModel

_SAME_SHAPE = {
    "deepseek-r1": "DeepSeek-V3", "deepseek-v3": "DeepSeek-V3", "deepseek-math-v2": "DeepSeek-V3",
    "kimi-k2": "Kimi K2", "kimi-thinking": "Kimi K2", "qwen3-235b": "Qwen3 235B-A22B", "qwen3-30b": "Qwen3 30B-A3B",
    "glm-4.5-air": "GLM-4.5-Air", "deepseek-v2-lite": "DeepSeek-V2-Lite", "deepseek-v2": "DeepSeek-V2",
    "mixtral-8x7b": "Mixtral 8x7B", "mixtral-8x22b": "Mixtral 8x22B",
}  # fmt: skip
"""Beginnings of names whose shape is that of a known model, longer ones first."""

_SPARSE = {"window_tokens": 2048}
"""Sparse attention reads the 2,048 best cached tokens (DeepSeek-V3.2, arXiv 2512.02556); its index is not counted."""
_LATENT = {"kv_latent_rank": 512, "rope_head": 64}

_SHAPES: dict[str, tuple[tuple[int, ...], dict[str, int]]] = {
    "glm-5": ((78, 6144, 64, 64, 224, 2048, 154880, 256, 8, 1, 3, 12288),
              {**_LATENT, "q_latent_rank": 2048, **_SPARSE, "window_layers": 78}),
    "glm-4.7-flash": ((47, 2048, 20, 20, 224, 1536, 154880, 64, 4, 1, 1, 10240), {**_LATENT, "q_latent_rank": 768}),
    "glm-4.5": ((92, 5120, 96, 8, 128, 1536, 151552, 160, 8, 1, 3, 12288), {}),
    "minimax-m2": ((62, 3072, 48, 8, 128, 1536, 200064, 256, 8, 0, 0, 0), {}),
    "llama-4-scout": ((48, 5120, 40, 8, 128, 8192, 202048, 16, 1, 1, 0, 0),
                      {"window_tokens": 8192, "window_layers": 36}),
    "llama-4-maverick": ((48, 5120, 40, 8, 128, 8192, 202048, 128, 1, 1, 24, 16384),
                         {"window_tokens": 8192, "window_layers": 36}),
    "qwen3-coder-480b": ((62, 6144, 96, 8, 128, 2560, 151936, 160, 8, 0, 0, 0), {}),
    "qwen3-coder-next": ((48, 2048, 16, 2, 256, 512, 151936, 512, 10, 1, 0, 0), {"linear_layers": 36}),
    "qwen3-next": ((48, 2048, 16, 2, 256, 512, 151936, 512, 10, 1, 0, 0), {"linear_layers": 36}),
    "qwen3.5-397b": ((60, 4096, 32, 2, 256, 1024, 248320, 512, 10, 1, 0, 0), {"linear_layers": 45}),
    "ernie-4.5-21b": ((28, 2560, 20, 4, 128, 1536, 103424, 64, 6, 2, 1, 12288), {}),
    "kimi-linear": ((27, 2304, 32, 32, 128, 1024, 163840, 256, 8, 1, 1, 9216), {**_LATENT, "linear_layers": 20}),
    "step-3.5-flash": ((45, 4096, 64, 8, 128, 1280, 128896, 288, 8, 1, 3, 11264),
                       {"window_tokens": 512, "window_layers": 33}),
    "deepseek-v4-flash": ((43, 4096, 64, 64, 192, 2048, 129280, 256, 6, 1, 0, 0),
                          {"kv_latent_rank": 448, "rope_head": 64, "q_latent_rank": 1024, "window_tokens": 640,
                           "window_layers": 43}),
    "deepseek-v4": ((61, 7168, 128, 128, 192, 3072, 129280, 384, 6, 1, 0, 0),
                    {"kv_latent_rank": 448, "rope_head": 64, "q_latent_rank": 1536, "window_tokens": 640,
                     "window_layers": 61}),
}  # fmt: skip
"""Layers, width, heads, KV heads, head, expert width, vocabulary, experts, experts a token, shared ones, dense layers
and their width; and what attention adds (the makers' config.json and reports). Compressed attention of DeepSeek-V4 is
read as a window of as many cached values: 128 plain tokens and 512 compressed ones."""

_SIZES_B = {"minimax-m3": (428.0, 23.0)}
"""Billions of weights, all and active, that a maker states where tables do not."""
_EXPERTS_PER_TOKEN = 8
_WIDTH_OF_DEPTH = 100.0
_ACTIVE_OF_CUBE = 12.0


def known_mixture(name: str) -> TransformerModel | None:
    """The mixture of that name, told by its beginning; None for any other."""
    lower = name.lower()
    if lower.startswith(("deepseek-v3.2", "deepseek-math-v2")):
        sparse = {**_SPARSE, "window_layers": presets()["DeepSeek-V3"].model.n_layers}
        return presets()["DeepSeek-V3"].model.model_copy(update={"name": name[:80], **sparse})
    known = max((start for start in (*_SAME_SHAPE, *_SHAPES) if lower.startswith(start)), key=len, default="")
    known = "glm-4.5" if lower.startswith(("glm-4.6", "glm-4.7")) and not known else known
    if known in _SAME_SHAPE:
        return presets()[_SAME_SHAPE[known]].model
    return _built(name, *_SHAPES[known]) if known else None


def _built(name: str, counts: tuple[int, ...], attention: dict[str, int]) -> TransformerModel:
    layers, width, heads, kv_heads, head, d_ff, vocabulary, experts, chosen, shared, dense, dense_width = counts
    return TransformerModel.model_validate({
        "name": name[:80], "n_layers": layers, "d_model": width, "n_heads": heads, "n_kv_heads": kv_heads,
        "d_head": head, "d_ff": d_ff, "vocab_size": vocabulary, "n_experts": experts, "n_experts_per_token": chosen,
        "n_shared_experts": shared, "n_dense_layers": dense, "dense_d_ff": dense_width, **attention,
    })  # fmt: skip


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
    counts = (layers, width, heads, 8, 128, d_ff, 128_000, min(experts, 4096), _EXPERTS_PER_TOKEN, 1, 0, 0)
    return _built(name, counts, {})
