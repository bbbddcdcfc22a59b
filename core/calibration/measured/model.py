"""The model of a measured row: from the shape it gives, a known model's, or one usual for its size."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import product

from pydantic import ValidationError

from core.calibration.measured.mixtures import usual_mixture
from core.calibration.measured.shapes import published_model
from core.calibration.measured.table import MeasuredRow
from core.workload.models.known import presets
from core.workload.models.transformer import TransformerModel

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
    shape = next((shape for known, shape in _SHAPES.items() if plain.startswith(known)), None)
    if shape is None:
        return None
    layers, width, heads, kv_heads, d_ff, experts, chosen, shared, linear, without = shape
    return TransformerModel(
        name=name[:80], n_layers=layers, d_model=width, n_heads=heads, n_kv_heads=kv_heads, d_head=128, d_ff=d_ff,
        vocab_size=_VOCABULARY, gated_mlp=False, n_experts=experts, n_experts_per_token=chosen,
        n_shared_experts=shared, linear_layers=linear, n_dense_layers=without, dense_d_ff=64,
    )  # fmt: skip


_LATENT = {"d_head": 128, "kv_latent_rank": 512, "q_latent_rank": 1536, "rope_head": 64}
_LINEAR_SHARE = 0.75
_ATTENTION_OF_FAMILIES: dict[str, dict[str, int]] = {
    "deepseek-v2": _LATENT, "deepseek-v3": _LATENT, "deepseek-r1": _LATENT, "kimi-k2": _LATENT,
    "gpt-oss": {"window_tokens": 128}, "gemma-2-": {"window_tokens": 4096}, "gemma3": {"window_tokens": 1024},
    "gemma4": {"window_tokens": 1024}, "mimo-v2-flash": {"window_tokens": 128},
}  # fmt: skip
"""Attention that a row's table has no column for, by the beginning of the model's name (the makers' config.json)."""
_WINDOWED_SHARE = {"gpt-oss": 1 / 2, "gemma-2-": 1 / 2, "gemma3": 5 / 6, "gemma4": 5 / 6, "mimo-v2-flash": 5 / 6}
_LINEAR_FAMILIES = ("qwen3.5", "qwen3-next", "kimi-linear")
"""Families of which three layers in four keep a state instead of a cache (the makers' config.json)."""
_DENSE_FIRST = {"deepseek-v3": (3, 18432), "deepseek-r1": (3, 18432), "deepseek-v2": (1, 12288), "kimi-k2": (1, 18432)}
_OTHER_NETWORKS = (
    "resnet", "whisper", "stable-diffusion", "sd-v2", "sdxl", "flux", "wan", "ssd", "retinanet", "unet", "dlrm", "rgat",
    "gnmt", "transformer-wmt", "mask", "maskrcnn", "3d-unet", "yolo", "vit", "dit",
)  # fmt: skip
_ENCODERS = ("bert", "roberta")
_MIXTURES = (
    "ling",
    "ring",
    "kimi",
    "deepseek",
    "minimax",
    "mimo",
    "glm-4",
    "glm-5",
    "longcat",
    "ernie",
    "hunyuan",
    "grok",
)
"""Families of mixtures of experts whose name states the whole size: not guessed as dense."""
_NAMES = ("n_layers", "d_model", "n_heads", "n_kv_heads", "d_ff", "vocab")
WIDTH_OF_DEPTH = 128
"""Hidden size over layers that is usual for dense models from 1B to 1T parameters (GPT-3, Llama, Megatron tables)."""


def model_of(row: MeasuredRow) -> TransformerModel | str:
    """The transformer of a row, or why there is none. Raises InputError for a cell that is no number."""
    name = row.text("model")
    if name.lower().startswith(_OTHER_NETWORKS):
        return "not a transformer of text"
    shape = tuple(row.count(field) for field in _NAMES)
    sizes = (row.number("params_b") or 0.0, row.number("active_params_b") or 0.0)
    if None in shape:
        known = known_model(name) or published_model(name) or hybrid_model(name)
        usual = usual_model(name, *sizes) or usual_mixture(name, *sizes)
        return known or usual or "shape and size of the model unknown"
    experts, chosen = row.count("experts") or 1, row.count("experts_per_tok") or 0
    return _closest(name, tuple(n for n in shape if n), experts, chosen, *sizes)


def known_model(name: str) -> TransformerModel | None:
    """The shipped model of this name, however it is spelt; None without one."""
    return _presets_by_name().get(_plain(name))


@cache
def _presets_by_name() -> dict[str, TransformerModel]:
    return {_plain(name): preset.model for name, preset in presets().items()}


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def usual_model(name: str, size_b: float, active_b: float = 0.0) -> TransformerModel | None:
    """A dense decoder of the usual proportions: ``P = 12 L d^2`` with ``d = 128 L``; None when the size is unknown.

    A mixture of experts of unknown shape is not guessed.
    """
    size_b = size_b or _size_in_name(name)
    if not size_b or name.lower().startswith(_MIXTURES) or (active_b and active_b < 0.9 * size_b):
        return None
    d_head = 128 if size_b > 2 else 64
    d_model = max(round((size_b * 1e9 * WIDTH_OF_DEPTH / 12) ** (1 / 3) / d_head), 1) * d_head
    heads, layers = d_model // d_head, max(round(size_b * 1e9 / (12 * d_model**2)), 1)
    return TransformerModel(
        name=name[:80], n_layers=layers, d_model=d_model, n_heads=heads, n_kv_heads=heads, d_head=d_head,
        d_ff=4 * d_model, vocab_size=51200, gated_mlp=False,
    )  # fmt: skip


def _size_in_name(name: str) -> float:
    """Billions of parameters that a name such as "gpt-22b" states; 0 without any."""
    size = re.search(r"(\d+(?:\.\d+)?)([bmt])(?![a-z0-9])", name.lower())
    return float(size[1]) * {"m": 1e-3, "b": 1.0, "t": 1e3}[size[2]] if size else 0.0


def _attention(name: str, layers: int, heads: int) -> dict[str, object]:
    """Fields of the model's attention and first layers that its family is known for."""
    lower = name.lower()
    family = next((word for word in _ATTENTION_OF_FAMILIES if lower.startswith(word)), "")
    fields: dict[str, object] = dict(_ATTENTION_OF_FAMILIES.get(family, {}))
    if "kv_latent_rank" in fields:
        fields["n_kv_heads"] = heads
    if family in _WINDOWED_SHARE:
        fields["window_layers"] = round(layers * _WINDOWED_SHARE[family])
    if family in _DENSE_FIRST:
        fields["n_dense_layers"], fields["dense_d_ff"] = _DENSE_FIRST[family]
    if lower.startswith(_LINEAR_FAMILIES):
        fields["linear_layers"] = round(layers * _LINEAR_SHARE)
    if lower.startswith(_ENCODERS):
        fields |= {"causal": False}
    return fields


@lru_cache(maxsize=1024)
def _closest(
    name: str, shape: tuple[int, ...], experts: int, chosen: int, size_b: float, active_b: float
) -> TransformerModel | str:
    """The model whose unstated choices (head size, gated block, tied embeddings, shared expert) fit its size best."""
    layers, width, heads, kv_heads, d_ff, vocabulary = shape
    fixed: dict[str, object] = {
        "name": name[:80], "n_layers": layers, "d_model": width, "n_heads": heads, "n_kv_heads": kv_heads,
        "d_ff": d_ff, "vocab_size": vocabulary, "n_experts": experts,
    }  # fmt: skip
    fixed |= _attention(name, layers, heads)
    sizes = {_LATENT["d_head"]} if "kv_latent_rank" in fixed else {max(8, width // heads), 64, 128, 256}
    shared = (0, 1) if experts > 1 else (0,)
    active = (chosen,) if chosen else (1, 2, 4, 6, 8, 10) if experts > 1 else (1,)
    choices = product(sorted(sizes), (True, False), (False, True), shared, active)
    return min(
        (_built(fixed, *choice) for choice in choices),
        key=lambda model: _distance(model, width // heads, size_b, active_b),
    )


def _built(
    fixed: dict[str, object], d_head: int, gated: bool, tied: bool, shared: int, active: int
) -> TransformerModel | str:
    try:
        return TransformerModel.model_validate({
            **fixed, "d_head": d_head, "gated_mlp": gated, "tied_embeddings": tied, "n_shared_experts": shared,
            "n_experts_per_token": active,
        })  # fmt: skip
    except ValidationError as error:
        return error.errors()[0]["msg"].removeprefix("Value error, ")


def _distance(model: TransformerModel | str, usual_head: int, size_b: float, active_b: float) -> float:
    """Relative distance from the published sizes, preferring the usual head size and two embeddings a little."""
    if isinstance(model, str):
        return float("inf")
    far = abs(model.n_params / 1e9 / size_b - 1) if size_b else 0.0
    far += abs(model.n_active_params / 1e9 / active_b - 1) if active_b and model.is_moe else 0.0
    unusual = (model.d_head != usual_head) + model.tied_embeddings + (not model.gated_mlp)
    return far + 0.004 * unusual
