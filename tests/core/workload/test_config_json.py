"""config.json files of the families, by the parameter counts that their makers state."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.units import THIN
from core.workload.config_json import ReadConfig, read_config
from core.workload.models.known import presets

Config = dict[str, Any]


def llama_like(kind: str, layers: int, d: int, heads: int, kv: int, ff: int, vocab: int, **more: Any) -> Config:
    """The keys that most families share."""
    return {
        "model_type": kind, "num_hidden_layers": layers, "hidden_size": d, "num_attention_heads": heads,
        "num_key_value_heads": kv, "intermediate_size": ff, "vocab_size": vocab, "tie_word_embeddings": False, **more,
    }  # fmt: skip


LLAMA = llama_like("llama", 32, 4096, 32, 8, 14336, 128256)
MIXTRAL = llama_like("mixtral", 32, 4096, 32, 8, 14336, 32000, num_local_experts=8, num_experts_per_tok=2)
QWEN2_MOE = llama_like(
    "qwen2_moe", 24, 2048, 16, 16, 5632, 151936, num_experts=60, num_experts_per_tok=4, moe_intermediate_size=1408,
    shared_expert_intermediate_size=5632,
)  # fmt: skip
QWEN3_MOE = llama_like(
    "qwen3_moe", 48, 2048, 32, 4, 6144, 151936, num_experts=128, num_experts_per_tok=8, moe_intermediate_size=768,
    head_dim=128,
)  # fmt: skip
GEMMA2 = llama_like("gemma2", 42, 3584, 16, 8, 14336, 256000, head_dim=256)
GEMMA3_4B: Config = {
    "model_type": "gemma3_text", "num_hidden_layers": 34, "hidden_size": 2560, "intermediate_size": 10240,
    "sliding_window": 1024,
}  # fmt: skip
GPT2_XL: Config = {"model_type": "gpt2", "n_layer": 48, "n_embd": 1600, "n_head": 25, "vocab_size": 50257}
OPT: Config = {
    "model_type": "opt", "num_hidden_layers": 64, "hidden_size": 9216, "num_attention_heads": 72, "ffn_dim": 36864,
    "vocab_size": 50272,
}  # fmt: skip
NEOX: Config = {
    "model_type": "gpt_neox", "num_hidden_layers": 44, "hidden_size": 6144, "num_attention_heads": 64,
    "intermediate_size": 24576, "vocab_size": 50432, "tie_word_embeddings": False,
}  # fmt: skip
FALCON_7B: Config = {
    "model_type": "falcon", "num_hidden_layers": 32, "hidden_size": 4544, "num_attention_heads": 71,
    "multi_query": True, "new_decoder_architecture": False, "vocab_size": 65024,
}  # fmt: skip
FALCON_40B: Config = {
    "model_type": "falcon", "num_hidden_layers": 60, "hidden_size": 8192, "num_attention_heads": 128,
    "num_kv_heads": 8, "multi_query": True, "new_decoder_architecture": True, "vocab_size": 65024,
}  # fmt: skip
DEEPSEEK_V3 = llama_like(
    "deepseek_v3", 61, 7168, 128, 128, 18432, 129280, moe_intermediate_size=2048, n_routed_experts=256,
    num_experts_per_tok=8, n_shared_experts=1, first_k_dense_replace=3, kv_lora_rank=512, q_lora_rank=1536,
    qk_nope_head_dim=128, qk_rope_head_dim=64, v_head_dim=128,
)  # fmt: skip

FAMILIES = {
    "llama": (LLAMA, 8.03, 8.03),
    "mistral": (llama_like("mistral", 32, 4096, 32, 8, 14336, 32000), 7.24, 7.24),
    "mixtral": (MIXTRAL, 46.7, 12.88),
    "qwen2": (llama_like("qwen2", 28, 3584, 28, 4, 18944, 152064), 7.62, 7.62),
    "qwen2_moe": (QWEN2_MOE, 14.3, 2.7),
    "qwen3": (llama_like("qwen3", 36, 4096, 32, 8, 12288, 151936, head_dim=128), 8.19, 8.19),
    "qwen3_moe": (QWEN3_MOE, 30.5, 3.35),
    "gemma": (llama_like("gemma", 28, 3072, 16, 16, 24576, 256000, head_dim=256, tie_word_embeddings=True), 8.54, 8.54),
    "gemma2": ({key: value for key, value in GEMMA2.items() if key != "tie_word_embeddings"}, 9.24, 9.24),
    "gemma3": (GEMMA3_4B, 3.88, 3.88),
    "phi3": (llama_like("phi3", 32, 3072, 32, 32, 8192, 32064), 3.82, 3.82),
    "gpt2": (GPT2_XL, 1.56, 1.56),
    "gpt_neox": (NEOX, 20.55, 20.55),
    "opt": (OPT, 65.7, 65.7),
    "falcon 7B": (FALCON_7B, 6.92, 6.92),
    "falcon 40B": (FALCON_40B, 41.3, 41.3),
}
"""Config, billions of parameters, billions that a token visits."""


def read(tmp_path: Path, config: Config) -> ReadConfig:
    """The model of a file with this content."""
    path = tmp_path / "some-model" / "config.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(config), encoding="utf-8")
    return read_config(path)


@pytest.mark.parametrize(("config", "billions", "active"), FAMILIES.values(), ids=FAMILIES.keys())
def test_every_family_gives_its_published_size(tmp_path: Path, config: Config, billions: float, active: float) -> None:
    model = read(tmp_path, config).model
    assert model.n_params / 1e9 == pytest.approx(billions, rel=0.01)
    assert model.n_active_params / 1e9 == pytest.approx(active, rel=0.01)


def test_a_known_model_is_read_as_its_preset(tmp_path: Path) -> None:
    known = presets()["Llama 3.1 8B"].model
    assert read(tmp_path, LLAMA).model == known.model_copy(update={"name": "some-model"})


def test_what_was_read_is_said_in_words(tmp_path: Path) -> None:
    assert plain_spaces(read(tmp_path, LLAMA).words) == "llama, 32 layers, 8.03 B parameters."
    mixture = plain_spaces(read(tmp_path, MIXTRAL).words)
    assert mixture == "mixtral, 32 layers, 46.7 B parameters, 12.9 B of them active."
    seeing = plain_spaces(read(tmp_path, {"text_config": LLAMA, "vision_config": {"hidden_size": 1152}}).words)
    assert seeing == "llama, 32 layers, 8.03 B parameters. Only the language model is counted."
    one = plain_spaces(read(tmp_path, {key: value for key, value in LLAMA.items() if key != "model_type"}).words)
    assert one == "32 layers, 8.03 B parameters."


def plain_spaces(text: str) -> str:
    return text.replace(THIN, " ")


@pytest.mark.parametrize(
    ("folder", "more", "name"),
    [
        ("my-model", {"_name_or_path": "meta-llama/Llama-3.1-8B"}, "Llama-3.1-8B"),
        ("my-model", {"_name_or_path": "runs/checkpoint-1200/"}, "my-model"),
        ("my-model", {"name": "Heron 3"}, "Heron 3"),
        ("my-model", {"_name_or_path": "./"}, "my-model"),
        ("Downloads", {}, "Model from config.json"),
        ("tmp", {"_name_or_path": "outputs"}, "Model from config.json"),
        ("models--org--Heron-8B/snapshots/0e9e39f249a16976918f6564b8830bc894c89659", {}, "Heron-8B"),
        ("0e9e39f249a16976918f6564b8830bc894c89659", {}, "Model from config.json"),
        ("2026-11-22", {}, "Model from config.json"),
    ],
)
def test_a_model_is_named_by_its_file_or_a_telling_folder(tmp_path: Path, folder: str, more: Config, name: str) -> None:
    path = tmp_path / folder / "config.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({**LLAMA, **more}), encoding="utf-8")
    assert read_config(path).model.name == name


def test_plain_families_are_read_without_warnings(tmp_path: Path) -> None:
    for config in (LLAMA, MIXTRAL, GPT2_XL, NEOX, OPT, FALCON_7B, QWEN2_MOE):
        assert read(tmp_path, config).warnings == ()


def test_latent_attention_and_dense_first_layers_give_the_published_counts(tmp_path: Path) -> None:
    found = read(tmp_path, DEEPSEEK_V3)
    assert found.model.kv_values_per_token == 512 + 64
    assert found.model.attention_params / 1e6 == pytest.approx(187.1, rel=0.001)
    assert (found.model.n_dense_layers, found.model.dense_d_ff) == (3, 18432)
    assert found.model.n_params / 1e9 == pytest.approx(671, rel=0.002)
    assert found.model.n_active_params / 1e9 == pytest.approx(37.5, rel=0.02)
    assert found.warnings == ()


@pytest.mark.parametrize(
    ("config", "window", "windowed"),
    [
        ({**LLAMA, "sliding_window": 4096}, 4096, 32),
        ({**LLAMA, "sliding_window": 4096, "use_sliding_window": False}, 0, 0),
        ({**GEMMA2, "sliding_window": 4096}, 4096, 21),
        (GEMMA3_4B, 1024, 29),
        ({**LLAMA, "sliding_window": 128, "layer_types": ["sliding_attention", "full_attention"] * 16}, 128, 16),
    ],
)
def test_windowed_layers_are_told_by_list_pattern_or_family(
    tmp_path: Path, config: Config, window: int, windowed: int
) -> None:
    model = read(tmp_path, config).model
    assert (model.window_tokens, model.window_layers) == (window, windowed)


def test_linear_layers_keep_no_growing_cache(tmp_path: Path) -> None:
    kinds = ["linear_attention", "linear_attention", "linear_attention", "full_attention"] * 8
    found = read(tmp_path, {**LLAMA, "layer_types": kinds})
    assert found.model.linear_layers == 24
    assert any("Linear" in warning for warning in found.warnings)


def test_an_encoder_is_read_as_one(tmp_path: Path) -> None:
    bert = llama_like("bert", 24, 1024, 16, 16, 4096, 30522)
    model = read(tmp_path, {key: value for key, value in bert.items() if key != "tie_word_embeddings"}).model
    assert not model.causal and not model.gated_mlp and model.tied_embeddings
    assert model.n_params / 1e6 == pytest.approx(335, rel=0.02)


def test_defaults_that_the_file_leaves_out_are_named(tmp_path: Path) -> None:
    warnings = read(tmp_path, GEMMA3_4B).warnings
    assert any("num_attention_heads" in warning and "default" in warning for warning in warnings)


def test_a_stated_value_goes_before_a_familys_default(tmp_path: Path) -> None:
    model = read(tmp_path, {**GEMMA3_4B, "num_attention_heads": 32, "num_key_value_heads": 16, "head_dim": 128}).model
    assert (model.n_heads, model.n_kv_heads, model.d_head) == (32, 16, 128)


def test_quantised_weights_are_pointed_out(tmp_path: Path) -> None:
    warnings = read(tmp_path, {**LLAMA, "quantization_config": {"quant_method": "gptq"}}).warnings
    assert any("precision" in warning for warning in warnings)


def test_the_text_part_of_a_multimodal_model_is_taken(tmp_path: Path) -> None:
    assert read(tmp_path, {"model_type": "gemma3", "text_config": GEMMA3_4B}).model.n_layers == 34


def test_the_name_comes_from_the_file_else_from_its_folder(tmp_path: Path) -> None:
    assert read(tmp_path, {**LLAMA, "_name_or_path": "maker/Model-8B"}).model.name == "Model-8B"
    assert read(tmp_path, LLAMA).model.name == "some-model"


@pytest.mark.parametrize("key", ["num_hidden_layers", "hidden_size", "num_attention_heads", "vocab_size"])
def test_a_missing_size_is_named(tmp_path: Path, key: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, {name: value for name, value in LLAMA.items() if name != key})
    assert key in caught.value.found


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("num_hidden_layers", "32"),
        ("num_attention_heads", 0),
        ("num_key_value_heads", 0),
        ("hidden_size", -4096),
        ("vocab_size", True),
        ("intermediate_size", 1.5),
    ],
)
def test_an_odd_value_is_named_with_its_key(tmp_path: Path, key: str, value: Any) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, {**LLAMA, key: value})
    assert caught.value.where == f"config.json, {key}"
    assert caught.value.found == repr(value)


def test_heads_that_do_not_divide_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="must divide"):
        read(tmp_path, {**LLAMA, "num_key_value_heads": 5})


@pytest.mark.parametrize("config", [{"model_type": "vit"}, {**LLAMA, "is_encoder_decoder": True}])
def test_models_that_are_no_single_stack_are_refused(tmp_path: Path, config: Config) -> None:
    with pytest.raises(InputError, match="a transformer such as"):
        read(tmp_path, config)


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", "null", '{"text_config": 5}'])
def test_text_that_is_no_config_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "config.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"config\.json"):
        read_config(path)


@pytest.mark.parametrize("more", [{"decoder_sparse_step": 2}, {"mlp_only_layers": [0, 1]}])
def test_dense_layers_between_expert_layers_are_pointed_out(tmp_path: Path, more: Config) -> None:
    assert any("expert layer" in warning for warning in read(tmp_path, {**QWEN3_MOE, **more}).warnings)
    assert read(tmp_path, {**QWEN3_MOE, "decoder_sparse_step": 1, "mlp_only_layers": []}).warnings == ()


def test_what_stands_beside_the_text_part_counts_too(tmp_path: Path) -> None:
    whole = {"text_config": LLAMA, "vision_config": {}, "quantization_config": {"quant_method": "awq"}}
    assert any("precision" in warning for warning in read(tmp_path, whole).warnings)
    seeing = read(tmp_path, {"text_config": LLAMA, "vision_config": {"hidden_size": 1152}})
    assert seeing.warnings == ("Only the language model is counted",)
    assert seeing.model.d_model == 4096


@pytest.mark.parametrize(("value", "width"), [([100, 14336], 14336), ([], 4 * 4096)])
def test_the_largest_of_a_value_a_layer_stands_for_all(tmp_path: Path, value: list[int], width: int) -> None:
    assert read(tmp_path, {**LLAMA, "intermediate_size": value}).model.d_ff == width


def test_a_list_of_no_numbers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="intermediate_size"):
        read(tmp_path, {**LLAMA, "intermediate_size": [1, "wide"]})


def test_a_missing_file_and_a_folder_are_wrong_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_config(tmp_path / "nowhere.json")
    with pytest.raises(InputError, match="a folder"):
        read_config(tmp_path)


@pytest.mark.parametrize(
    ("added", "words"),
    [
        ({"decoder_sparse_step": 2}, "counted as an expert layer"),
        ({"mlp_only_layers": [0, 1]}, "counted as an expert layer"),
        ({"vision_config": {"depth": 32}}, "Only the language model"),
    ],
)
def test_parts_that_are_left_out_are_said(tmp_path: Path, added: Config, words: str) -> None:
    assert any(words in warning for warning in read(tmp_path, {**MIXTRAL, **added}).warnings)


def test_a_long_name_is_cut_to_the_80_letters_that_a_model_may_have(tmp_path: Path) -> None:
    assert read(tmp_path, {**LLAMA, "_name_or_path": "maker/" + "x" * 100}).model.name == "x" * 80
    assert read(tmp_path, {**LLAMA, "_name_or_path": "maker/" + "x" * 80 + "/"}).model.name == "x" * 80


def test_what_stands_in_place_of_a_text_model_is_quoted_in_short(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, {**LLAMA, "text_config": ["x" * 90]})
    assert caught.value.found.startswith("['xxx")
    assert len(caught.value.found) < 90
    assert caught.value.where.endswith("text_config")
