"""Reads a Hugging Face ``config.json`` into a model, and says what is approximated."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.errors import InputError
from core.reading.json_text import kind_words, read_json
from core.reading.shown import shown
from core.units import counted, scaled
from core.workload.models.transformer import TransformerModel
from core.workload.validation_words import expectation

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
            raise InputError(f"{where}, {name}", shown(value), "a whole number")
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
    listed = _listed(config, "layer_types")
    window = whole(config, ("sliding_window",), where) if config.get("use_sliding_window", True) else None
    windowed = listed.count("sliding_attention") if listed else _windowed(config, n_layers, where)
    fields: dict[str, Any] = {"window_tokens": window, "window_layers": windowed} if window and windowed else {}
    linear = listed.count("linear_attention")
    return fields | ({"linear_layers": linear} if linear else {})


def _listed(config: Mapping[str, Any], name: str) -> list[Any]:
    """The list of that name; an empty one where there is none."""
    value = config.get(name)
    return value if isinstance(value, list) else []


def _windowed(config: Mapping[str, Any], n_layers: int, where: str) -> int:
    """Windowed layers by the family's pattern; all of them where the family has none."""
    default = _WINDOW_PATTERN.get(str(config.get("model_type", "")), 0)
    pattern = whole(config, ("sliding_window_pattern",), where) or default
    return n_layers - n_layers // pattern if pattern else n_layers


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
_SPARSE_STEPS = ("decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_freq")
_NEEDED = ("n_layers", "d_model", "n_heads", "vocab_size")
_UNGATED = ("gpt2", "gpt_neox", "opt", "falcon", "gptj", "bloom", "gpt_bigcode", "mpt", "phi", "starcoder2")
_TIED = ("gpt2", "opt", "falcon", "gemma", "gemma2", "gemma3", "gemma3_text", "bloom", "mpt", "gpt_bigcode")
# Gemma 3 leaves out of its files what its configuration class holds as default.
_GEMMA_3 = {"num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256, "vocab_size": 262_208}
_FAMILY_DEFAULTS: dict[str, dict[str, int]] = {"gemma3_text": _GEMMA_3, "gemma3": _GEMMA_3}


UNNAMED = "Model from config.json"
_SAYS_NOTHING = re.compile(
    r"[\W\d_]*|[0-9a-f]{8,}|(desktop|documents|downloads?|files|home|main|models?|config|configs|data|hf|huggingface|"
    r"te?mp|out|outputs?|results?|runs?|weights|snapshots|checkpoints?|ckpt|final|latest|best|base)[\W\d_]*"
)
"""Names of files and folders that name no model: numbers, hashes, and where things usually lie."""


@dataclass(frozen=True, slots=True)
class ReadConfig:
    """A model read from a file, its family, and sentences on what was approximated."""

    model: TransformerModel
    warnings: tuple[str, ...]
    family: str = ""

    @property
    def words(self) -> str:
        """What was read: ``llama, 32 layers, 8.03 B parameters.``, then what was approximated."""
        active = self.model.n_active_params
        some = f", {scaled(active)} of them active" if active != self.model.n_params else ""
        sizes = f"{counted(self.model.n_layers, 'layer')}, {scaled(self.model.n_params)} parameters{some}"
        return " ".join(f"{one}." for one in (f"{self.family}, {sizes}" if self.family else sizes, *self.warnings))


def read_config(path: Path) -> ReadConfig:
    """The model of a ``config.json``.

    Raises InputError naming file and key for a file that is no such config or describes no decoder transformer;
    MachineError when it can't be read.
    """
    content = read_json(path, "a Hugging Face config.json")
    if not isinstance(content, dict):
        raise InputError(path.name, kind_words(content), "a Hugging Face config.json, which is an object")
    inner = content.get("text_config") or content
    if not isinstance(inner, dict):
        raise InputError(f"{path.name}, text_config", shown(inner), "an object with the sizes of the text model")
    return model_of({**content, **inner}, path.name, _folder_name(path))


def model_of(config: Mapping[str, Any], where: str, fallback_name: str = "") -> ReadConfig:
    """The model that a config describes; ``where`` names it in errors. Raises InputError."""
    if config.get("is_encoder_decoder") or str(config.get("model_type", "")) in ("t5", "vit", "clip"):
        kind = config.get("model_type", "encoder")
        raise InputError(f"{where}, model_type", f"'{kind}'", "a transformer such as llama, mixtral, gpt2 or bert")
    omitted = _omitted(config)
    config = {**config, **omitted}
    sizes = {ours: whole(config, names, where) for ours, names in _NAMES.items()}
    missing = [_NAMES[name][0] for name in _NEEDED if sizes[name] is None]
    if missing:
        raise InputError(where, f"no {missing[0]}", "a config.json with layers, hidden size, heads and vocabulary")
    model = _built(config, sizes, where, fallback_name)
    return ReadConfig(model, tuple(_warnings(config, omitted)), str(config.get("model_type") or "")[:40])


def _omitted(config: Mapping[str, Any]) -> dict[str, int]:
    """Sizes that the file leaves to its family's defaults."""
    defaults = _FAMILY_DEFAULTS.get(str(config.get("model_type", "")), {})
    return {key: value for key, value in defaults.items() if config.get(key) is None}


def _built(config: Mapping[str, Any], sizes: dict[str, int | None], where: str, fallback_name: str) -> TransformerModel:
    family = str(config.get("model_type", ""))
    d_model, n_heads = sizes["d_model"] or 0, sizes["n_heads"] or 0
    d_head = sizes["d_head"] or d_model // max(n_heads, 1)
    is_moe = (sizes["n_experts"] or 1) > 1
    expert_width = whole(config, ("moe_intermediate_size",), where) if is_moe else None
    values = {
        "name": _name(config, fallback_name),
        "n_layers": sizes["n_layers"],
        "d_model": d_model,
        "n_heads": n_heads,
        "n_kv_heads": _kv_heads(config, sizes),
        "d_head": d_head,
        "d_ff": expert_width or sizes["d_ff"] or 4 * d_model,
        "vocab_size": sizes["vocab_size"],
        "causal": family not in ENCODERS,
        "gated_mlp": family not in _UNGATED + ENCODERS,
        "tied_embeddings": bool(config.get("tie_word_embeddings", family in _TIED + ENCODERS)),
        "n_experts": sizes["n_experts"] or 1,
        "n_experts_per_token": sizes["n_experts_per_token"] or 1 if is_moe else 1,
        "n_shared_experts": _shared_experts(config, sizes, expert_width, where) if is_moe else 0,
    }
    values |= attention_fields(config, sizes["n_layers"] or 0, where)
    values |= _dense_layers(config, sizes, where) if is_moe else {}
    try:
        return TransformerModel.model_validate(values)
    except ValidationError as error:
        raise _refused(error, values, where) from None


def _refused(error: ValidationError, values: Mapping[str, Any], where: str) -> InputError:
    first = error.errors(include_url=False)[0]
    expected = expectation(first["type"], first.get("ctx", {}), first["msg"])
    if not first["loc"]:
        return InputError(where, "sizes that do not fit together", expected)
    field = str(first["loc"][0])
    return InputError(f"{where}, {_NAMES.get(field, (field,))[0]}", shown(values.get(field)), expected)


def _kv_heads(config: Mapping[str, Any], sizes: dict[str, int | None]) -> int | None:
    if config.get("multi_query") and not config.get("new_decoder_architecture"):
        return 1
    return sizes["n_heads"] if sizes["n_kv_heads"] is None else sizes["n_kv_heads"]


def _shared_experts(
    config: Mapping[str, Any], sizes: dict[str, int | None], expert_width: int | None, where: str
) -> int:
    """Shared experts as counted, or one wide shared expert in widths of a routed one."""
    shared_width = whole(config, ("shared_expert_intermediate_size",), where)
    if shared_width and expert_width:
        return max(1, round(shared_width / expert_width))
    return sizes["n_shared_experts"] or 0


def _dense_layers(config: Mapping[str, Any], sizes: dict[str, int | None], where: str) -> dict[str, Any]:
    """The first layers of a mixture that hold one wide block instead of experts."""
    n_layers = whole(config, ("first_k_dense_replace", "num_dense_layers"), where)
    return {"n_dense_layers": n_layers, "dense_d_ff": sizes["d_ff"] or 0} if n_layers else {}


def _name(config: Mapping[str, Any], fallback_name: str) -> str:
    """The name in the file, else that of its folder, where they name a model."""
    stated = (str(config.get(key) or "").rstrip("/").rsplit("/", 1)[-1] for key in ("_name_or_path", "name"))
    return next((name for name in (*stated, fallback_name) if _names_a_model(name)), UNNAMED)[:80]


def _folder_name(path: Path) -> str:
    """Name of the folder that holds the file; in a cache of Hugging Face that of the model, above the snapshots."""
    cached = next((part for part in reversed(path.parts) if part.startswith("models--")), "")
    return cached.rsplit("--", 1)[-1] or path.parent.name


def _names_a_model(name: str) -> bool:
    return not _SAYS_NOTHING.fullmatch(name.lower())


def _warnings(config: Mapping[str, Any], omitted: Mapping[str, int]) -> list[str]:
    notes = []
    if omitted:
        notes.append(f"Not in the file, so the family's default is used: {', '.join(omitted)}")
    if "linear_attention" in _listed(config, "layer_types"):
        notes.append("Linear-attention layers are counted with the projections of a full one")
    if config.get("mlp_only_layers") or any(_above_one(config.get(key)) for key in _SPARSE_STEPS):
        notes.append("Every layer is counted as an expert layer: weights are overstated")
    if config.get("vision_config") or config.get("audio_config"):
        notes.append("Only the language model is counted")
    if config.get("quantization_config"):
        notes.append("Quantised weights: choose the weight precision in the form")
    return notes


def _above_one(value: object) -> bool:
    return isinstance(value, int) and value > 1
