"""Shapes of models that people fine-tune, by the names that tables give them (the makers' config.json)."""

from __future__ import annotations

import re
from functools import lru_cache

from core.calibration.measured.model import known_model, model_of
from core.calibration.measured.table import MeasuredRow
from core.workload.models.transformer import TransformerModel

_NAMES = ("n_layers", "d_model", "n_heads", "n_kv_heads", "d_head", "d_ff", "vocab_size")
_SHAPES: dict[str, tuple[int, ...]] = {
    "llama2-7b": (32, 4096, 32, 32, 128, 11008, 32000), "llama-7b": (32, 4096, 32, 32, 128, 11008, 32000),
    "vicuna-7b": (32, 4096, 32, 32, 128, 11008, 32000), "llama2-13b": (40, 5120, 40, 40, 128, 13824, 32000),
    "llama-13b": (40, 5120, 40, 40, 128, 13824, 32000), "llama2-70b": (80, 8192, 64, 8, 128, 28672, 32000),
    "llama-65b": (80, 8192, 64, 64, 128, 22016, 32000), "llama-33b": (60, 6656, 52, 52, 128, 17920, 32000),
    "codellama-34b": (48, 8192, 64, 8, 128, 22016, 32000), "codellama-7b": (32, 4096, 32, 32, 128, 11008, 32016),
    "codellama-13b": (40, 5120, 40, 40, 128, 13824, 32016), "llama3-8b": (32, 4096, 32, 8, 128, 14336, 128256),
    "llama3.1-8b": (32, 4096, 32, 8, 128, 14336, 128256), "llama3-70b": (80, 8192, 64, 8, 128, 28672, 128256),
    "llama3.1-70b": (80, 8192, 64, 8, 128, 28672, 128256), "llama3.3-70b": (80, 8192, 64, 8, 128, 28672, 128256),
    "llama3.1-405b": (126, 16384, 128, 8, 128, 53248, 128256), "mistral-7b": (32, 4096, 32, 8, 128, 14336, 32000),
    "openbuddy-zephyr-7b": (32, 4096, 32, 8, 128, 14336, 36608), "zephyr-7b": (32, 4096, 32, 8, 128, 14336, 32000),
    "mistral-nemo-12b": (40, 5120, 32, 8, 128, 14336, 131072),
    "mistral-small-24b": (40, 5120, 32, 8, 128, 32768, 131072),
    "qwen-7b": (32, 4096, 32, 32, 128, 11008, 151936), "qwen-1.8b": (24, 2048, 16, 16, 128, 5504, 151936),
    "qwen-14b": (40, 5120, 40, 40, 128, 13696, 152064), "qwen-72b": (80, 8192, 64, 64, 128, 24576, 152064),
    "qwen1.5-7b": (32, 4096, 32, 32, 128, 11008, 151936), "qwen1.5-14b": (40, 5120, 40, 40, 128, 13696, 152064),
    "qwen1.5-72b": (80, 8192, 64, 64, 128, 24576, 152064), "qwen2-7b": (28, 3584, 28, 4, 128, 18944, 152064),
    "qwen2.5-7b": (28, 3584, 28, 4, 128, 18944, 152064), "qwen2-72b": (80, 8192, 64, 8, 128, 29568, 152064),
    "qwen2.5-72b": (80, 8192, 64, 8, 128, 29568, 152064), "qwen2.5-14b": (48, 5120, 40, 8, 128, 13824, 152064),
    "qwen2.5-32b": (64, 5120, 40, 8, 128, 27648, 152064), "qwen3-8b": (36, 4096, 32, 8, 128, 12288, 151936),
    "qwen3-14b": (40, 5120, 40, 8, 128, 17408, 151936), "qwen3-32b": (64, 5120, 64, 8, 128, 25600, 151936),
    "chatglm3-6b": (28, 4096, 32, 2, 128, 13696, 65024), "chatglm2-6b": (28, 4096, 32, 2, 128, 13696, 65024),
    "glm4-9b": (40, 4096, 32, 2, 128, 13696, 151552), "yi-6b": (32, 4096, 32, 4, 128, 11008, 64000),
    "yi-34b": (60, 7168, 56, 8, 128, 20480, 64000), "baichuan2-7b": (32, 4096, 32, 32, 128, 11008, 125696),
    "baichuan2-13b": (40, 5120, 40, 40, 128, 13696, 125696), "internlm2-7b": (32, 4096, 32, 8, 128, 14336, 92544),
    "tinyllama-1.1b": (22, 2048, 32, 4, 64, 5632, 32000), "open-llama-3b": (26, 3200, 32, 32, 100, 8640, 32000),
    "stablelm-zephyr-3b": (32, 2560, 32, 32, 80, 6912, 50304), "phi-3-mini": (32, 3072, 32, 32, 96, 8192, 32064),
}  # fmt: skip
"""Gated blocks, two embeddings."""
_TIED = {
    "llama3.2-1b": (16, 2048, 32, 8, 64, 8192, 128256), "llama3.2-3b": (28, 3072, 24, 8, 128, 8192, 128256),
    "qwen2.5-0.5b": (24, 896, 14, 2, 64, 4864, 151936), "qwen2.5-1.5b": (28, 1536, 12, 2, 128, 8960, 151936),
    "qwen2.5-3b": (36, 2048, 16, 2, 128, 11008, 151936), "qwen3-4b": (36, 2560, 32, 8, 128, 9728, 151936),
    "qwen3-1.7b": (28, 2048, 16, 8, 128, 6144, 151936), "qwen3-0.6b": (28, 1024, 16, 8, 128, 3072, 151936),
    "powerlm-3b": (40, 2304, 36, 36, 64, 9216, 49152), "gemma-2b": (18, 2048, 8, 1, 256, 16384, 256000),
    "gemma-7b": (28, 3072, 16, 16, 256, 24576, 256000), "granite-3.0-2b": (40, 2048, 32, 8, 64, 8192, 49155),
}  # fmt: skip
_PLAIN = {
    "santacoder-1.1b": (24, 2048, 16, 1, 128, 8192, 49280), "falcon-7b": (32, 4544, 71, 1, 64, 18176, 65024),
    "stablelm-alpha-3b": (16, 4096, 32, 32, 128, 16384, 50432), "phi-2": (32, 2560, 32, 32, 80, 10240, 51200),
    "stablelm-alpha-7b": (16, 6144, 48, 48, 128, 24576, 50432), "falcon-40b": (60, 8192, 128, 8, 64, 32768, 65024),
    "pythia-1b": (16, 2048, 8, 8, 256, 8192, 50304), "pythia-2.8b": (32, 2560, 32, 32, 80, 10240, 50304),
    "pythia-6.9b": (32, 4096, 32, 32, 128, 16384, 50432), "pythia-12b": (36, 5120, 40, 40, 128, 20480, 50688),
}  # fmt: skip
"""Blocks of two products."""
_MIXTURES: dict[str, dict[str, int]] = {
    "granite-3.0-3b-a800m": {"n_experts": 40, "n_experts_per_token": 8},
    "ibm-moe-7b-1b": {"n_experts": 62, "n_experts_per_token": 6, "n_shared_experts": 2},
    "granite-4.0-tiny": {"n_experts": 62, "n_experts_per_token": 6, "n_shared_experts": 2, "linear_layers": 36},
}
_OF_MIXTURES = {
    "granite-3.0-3b-a800m": (32, 1536, 24, 8, 64, 512, 49155), "ibm-moe-7b-1b": (40, 1536, 24, 8, 64, 512, 49155),
    "granite-4.0-tiny": (40, 1536, 12, 4, 128, 512, 49160),
}  # fmt: skip
_ELSE = re.compile(r"[-_](chat|instruct|base|hf|it|preview|int4|int8|v0\.\d|bnb|gptq|awq)(?=[-_]|$)")
_OTHER_NETWORKS = ("flux", "cogvideo", "sdxl", "stable", "wan", "llava", "idefics", "llama-3.2-11b", "whisper")


def finetuned_model(row: MeasuredRow) -> TransformerModel | str:
    """The transformer of a fine-tuning row, or why there is none."""
    name = _plain(row.text("model"))
    if name.startswith(_OTHER_NETWORKS) and not name.startswith("stablelm"):
        return "not a transformer of text"
    shaped = next((known for known in _by_length() if name.startswith(known)), "")
    return _model(shaped) if shaped else known_model(row.text("model")) or model_of(row)


def _plain(name: str) -> str:
    """Small letters without what says how a model was tuned or stored: "Qwen-1_8B-Chat-Int4" is "qwen-1.8b"."""
    lower = re.sub(r"(?<=\d)_(?=\d)", ".", name.lower().split("/")[-1])
    lower = re.sub(r"^(meta-|codellama/)", "", _ELSE.sub("", lower))
    return re.sub(r"^llama-(?=[23](?!\d))", "llama", lower)


@lru_cache(maxsize=1)
def _by_length() -> tuple[str, ...]:
    return tuple(sorted((*_SHAPES, *_TIED, *_PLAIN, *_OF_MIXTURES), key=len, reverse=True))


@lru_cache(maxsize=256)
def _model(name: str) -> TransformerModel:
    shape = (_SHAPES | _TIED | _PLAIN | _OF_MIXTURES)[name]
    return TransformerModel.model_validate(
        {
            "name": name,
            **dict(zip(_NAMES, shape, strict=True)),
            "gated_mlp": name not in _PLAIN,
            "tied_embeddings": name in _TIED or name in _OF_MIXTURES,
            **_MIXTURES.get(name, {}),
        }
    )
