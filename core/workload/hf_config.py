"""Reads a Hugging Face ``config.json`` into a model, and says what is approximated."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.errors import InputError, MachineError
from core.workload.model import TransformerModel
from core.workload.wording import expectation

# Our field -> the names that families give it, in order of preference.
_NAMES: dict[str, tuple[str, ...]] = {
    "n_layers": ("num_hidden_layers", "n_layer", "num_layers", "n_layers"),
    "d_model": ("hidden_size", "n_embd", "d_model"),
    "n_heads": ("num_attention_heads", "n_head", "num_heads", "n_heads"),
    "n_kv_heads": ("num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num"),
    "d_head": ("head_dim",),
    "d_ff": ("intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size", "ffn_dim_hidden"),
    "vocab_size": ("vocab_size", "padded_vocab_size"),
    "n_experts": ("num_local_experts", "num_experts", "n_routed_experts"),
    "n_experts_per_token": ("num_experts_per_tok", "num_experts_per_token", "moe_topk"),
    "n_shared_experts": ("n_shared_experts", "num_shared_experts"),
}
_NEEDED = ("n_layers", "d_model", "n_heads", "vocab_size")
_UNGATED = ("gpt2", "gpt_neox", "opt", "falcon", "gptj", "bloom", "gpt_bigcode", "mpt", "phi", "starcoder2")
_TIED = ("gpt2", "opt", "falcon", "gemma", "gemma2", "gemma3", "gemma3_text", "bloom", "mpt", "gpt_bigcode")


@dataclass(frozen=True, slots=True)
class ReadConfig:
    """A model read from a file, and sentences on what was approximated."""

    model: TransformerModel
    warnings: tuple[str, ...]


def read_config(path: Path) -> ReadConfig:
    """The model of a ``config.json``.

    Raises InputError naming file and key for a file that is no such config or describes no decoder transformer;
    MachineError when it can't be read.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise InputError(str(path), "no such file", "a Hugging Face config.json") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise InputError(path.name, f"text that is no JSON ({error})", "a Hugging Face config.json") from None
    except OSError as error:
        raise MachineError(f"Reading {path.name}", error.strerror or str(error)) from error
    if not isinstance(content, dict):
        raise InputError(path.name, "no JSON object", "a Hugging Face config.json")
    return model_of(content.get("text_config") or content, path.name, path.parent.name)


def model_of(config: Mapping[str, Any], where: str, fallback_name: str = "") -> ReadConfig:
    """The model that a config describes; ``where`` names it in errors. Raises InputError."""
    if config.get("is_encoder_decoder") or str(config.get("model_type", "")) in ("bert", "t5", "vit", "clip"):
        kind = config.get("model_type", "encoder")
        raise InputError(f"{where}, model_type", f"'{kind}'", "a decoder transformer such as llama, mixtral or gpt2")
    found = {ours: _whole(config, names, where) for ours, names in _NAMES.items()}
    missing = [_NAMES[name][0] for name in _NEEDED if found[name] is None]
    if missing:
        raise InputError(where, f"no {missing[0]}", "a config.json with layers, hidden size, heads and vocabulary")
    return ReadConfig(_built(config, found, where, fallback_name), tuple(_warnings(config)))


def _whole(config: Mapping[str, Any], names: tuple[str, ...], where: str) -> int | None:
    for name in names:
        value = config.get(name)
        if isinstance(value, list):  # some families give a value a layer: the largest stands for all
            value = max(value, default=None)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int):
            raise InputError(f"{where}, {name}", repr(value)[:40], "a whole number")
        return value
    return None


def _built(config: Mapping[str, Any], found: dict[str, int | None], where: str, fallback_name: str) -> TransformerModel:
    family = str(config.get("model_type", ""))
    d_model, n_heads = found["d_model"] or 0, found["n_heads"] or 1
    expert_width = config.get("moe_intermediate_size") if (found["n_experts"] or 1) > 1 else None
    kv_heads = 1 if config.get("multi_query") and not config.get("new_decoder_architecture") else found["n_kv_heads"]
    values = {
        "name": _name(config, fallback_name),
        "n_layers": found["n_layers"],
        "d_model": d_model,
        "n_heads": n_heads,
        "n_kv_heads": kv_heads or n_heads,
        "d_head": found["d_head"] or d_model // n_heads,
        "d_ff": expert_width or found["d_ff"] or 4 * d_model,
        "vocab_size": found["vocab_size"],
        "gated_mlp": family not in _UNGATED,
        "tied_embeddings": bool(config.get("tie_word_embeddings", family in _TIED)),
        "n_experts": found["n_experts"] or 1,
        "n_experts_per_token": found["n_experts_per_token"] or 1 if (found["n_experts"] or 1) > 1 else 1,
        "n_shared_experts": found["n_shared_experts"] or 0,
    }
    try:
        return TransformerModel.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = str(first["loc"][0]) if first["loc"] else "shape"
        key = _NAMES.get(field, (field,))[0]
        expected = expectation(first["type"], first.get("ctx", {}), first["msg"])
        raise InputError(f"{where}, {key}", repr(values.get(field, "these sizes"))[:40], expected) from None


def _name(config: Mapping[str, Any], fallback_name: str) -> str:
    stated = str(config.get("_name_or_path") or "").rstrip("/").rsplit("/", 1)[-1]
    return (stated or fallback_name or str(config.get("model_type") or "Custom model"))[:80]


def _warnings(config: Mapping[str, Any]) -> list[str]:
    found = []
    if config.get("kv_lora_rank"):
        found.append("Latent attention is counted as plain attention: the KV cache is overstated")
    if config.get("sliding_window") and config.get("use_sliding_window", True):
        found.append("The sliding window is not modelled: attention over long inputs is overstated")
    if config.get("first_k_dense_replace"):
        found.append("The first dense layers are counted as expert layers")
    if config.get("quantization_config"):
        found.append("Quantised weights: choose the weight precision in the form")
    return found
