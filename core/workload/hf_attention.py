"""Attention as a Hugging Face ``config.json`` tells it: latent, sliding windows, linear layers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.errors import InputError

ENCODERS = ("bert", "roberta", "distilbert", "modernbert", "xlm-roberta")
"""Families whose tokens see all others."""
_WINDOW_PATTERN = {"gemma2": 2, "gemma3": 6, "gemma3_text": 6, "gpt_oss": 2, "cohere2": 4}
"""One layer in so many sees everything, where the file does not say which."""


def whole(config: Mapping[str, Any], names: tuple[str, ...], where: str) -> int | None:
    """The first of the names that the file holds, None without one. Raises InputError for anything but a count."""
    for name in names:
        value = config.get(name)
        if isinstance(value, list) and all(isinstance(one, int) for one in value):
            value = max(value, default=None)  # some families give a value a layer: the largest stands for all
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int):
            raise InputError(f"{where}, {name}", repr(value)[:40], "a whole number")
        return value
    return None


def attention_fields(config: Mapping[str, Any], n_layers: int, where: str) -> dict[str, Any]:
    """Fields of the model that differ from plain attention. Raises InputError for a size that is no count."""
    return _latent(config, where) | _layer_kinds(config, n_layers, where)


def _latent(config: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434)."""
    rank = whole(config, ("kv_lora_rank",), where)
    if not rank:
        return {}
    head = whole(config, ("v_head_dim", "qk_nope_head_dim"), where)
    return {
        "kv_latent_rank": rank,
        "q_latent_rank": whole(config, ("q_lora_rank",), where) or 0,
        "rope_head": whole(config, ("qk_rope_head_dim",), where) or 0,
        "n_kv_heads": whole(config, ("num_attention_heads",), where),
    } | ({"d_head": head} if head else {})


def _layer_kinds(config: Mapping[str, Any], n_layers: int, where: str) -> dict[str, Any]:
    """How many layers look back a window only, and how many keep a state instead of a cache."""
    kinds = config.get("layer_types")
    listed = kinds if isinstance(kinds, list) else []
    window = whole(config, ("sliding_window",), where) if config.get("use_sliding_window", True) else None
    windowed = listed.count("sliding_attention") if listed else _windowed(config, n_layers, where)
    fields: dict[str, Any] = {"window_tokens": window, "window_layers": windowed} if window and windowed else {}
    linear = listed.count("linear_attention")
    return fields | ({"linear_layers": linear} if linear else {})


def _windowed(config: Mapping[str, Any], n_layers: int, where: str) -> int:
    """Windowed layers by the family's pattern; all of them where the family has none."""
    default = _WINDOW_PATTERN.get(str(config.get("model_type", "")), 0)
    pattern = whole(config, ("sliding_window_pattern",), where) or default
    return n_layers - n_layers // pattern if pattern else n_layers
