"""Shapes of models that a measured table only names: from rows that state them, else from the makers' files."""

from __future__ import annotations

import re
from functools import cache

from core import paths
from core.calibration.measured.model import model_of
from core.calibration.measured.table import read_table
from core.workload.models.transformer import TransformerModel

_LATENT = {"d_head": 128, "kv_latent_rank": 512, "rope_head": 64}
_SHAPES: dict[str, dict[str, int]] = {
    "grok1": {"n_layers": 64, "d_model": 6144, "n_heads": 48, "n_kv_heads": 8, "d_head": 128, "d_ff": 32768,
              "vocab_size": 131072, "n_experts": 8, "n_experts_per_token": 2},
    "qwen257ba14b": {"n_layers": 28, "d_model": 3584, "n_heads": 28, "n_kv_heads": 4, "d_head": 128, "d_ff": 2560,
                     "vocab_size": 151936, "n_experts": 64, "n_experts_per_token": 8, "n_shared_experts": 8},
    "qwen3next": {"n_layers": 48, "d_model": 2048, "n_heads": 16, "n_kv_heads": 2, "d_head": 256, "d_ff": 512,
                  "vocab_size": 151936, "n_experts": 512, "n_experts_per_token": 10, "n_shared_experts": 1,
                  "linear_layers": 36},
    "glm45air": {"n_layers": 46, "d_model": 4096, "n_heads": 96, "n_kv_heads": 8, "d_head": 128, "d_ff": 1408,
                 "vocab_size": 151552, "n_experts": 128, "n_experts_per_token": 8, "n_shared_experts": 1,
                 "n_dense_layers": 1, "dense_d_ff": 10944},
    "glm45": {"n_layers": 92, "d_model": 5120, "n_heads": 96, "n_kv_heads": 8, "d_head": 128, "d_ff": 1536,
             "vocab_size": 151552, "n_experts": 160, "n_experts_per_token": 8, "n_shared_experts": 1,
             "n_dense_layers": 3, "dense_d_ff": 12288},
    "moonlight": {"n_layers": 27, "d_model": 2048, "n_heads": 16, "n_kv_heads": 16, "d_ff": 1408, "vocab_size": 163840,
                  "n_experts": 64, "n_experts_per_token": 6, "n_shared_experts": 2, "n_dense_layers": 1,
                  "dense_d_ff": 11264, **_LATENT},
    "dbrx": {"n_layers": 40, "d_model": 6144, "n_heads": 48, "n_kv_heads": 8, "d_head": 128, "d_ff": 10752,
             "vocab_size": 100352, "n_experts": 16, "n_experts_per_token": 4},
    "minimaxm2": {"n_layers": 62, "d_model": 3072, "n_heads": 48, "n_kv_heads": 8, "d_head": 128, "d_ff": 1536,
                  "vocab_size": 200064, "n_experts": 256, "n_experts_per_token": 8},
    "olmoe": {"n_layers": 16, "d_model": 2048, "n_heads": 16, "n_kv_heads": 16, "d_head": 128, "d_ff": 1024,
              "vocab_size": 50304, "n_experts": 64, "n_experts_per_token": 8},
    "llama4scout": {"n_layers": 48, "d_model": 5120, "n_heads": 40, "n_kv_heads": 8, "d_head": 128, "d_ff": 8192,
                    "vocab_size": 202048, "n_experts": 16, "n_experts_per_token": 1, "n_shared_experts": 1},
    "llama4maverick": {"n_layers": 48, "d_model": 5120, "n_heads": 40, "n_kv_heads": 8, "d_head": 128, "d_ff": 8192,
                       "vocab_size": 202048, "n_experts": 128, "n_experts_per_token": 1, "n_shared_experts": 1,
                       "n_dense_layers": 24, "dense_d_ff": 16384},
}  # fmt: skip
"""By the beginning of the plain name, from the makers' config.json (as remembered: nominal)."""


def shape_elsewhere(name: str) -> TransformerModel | None:
    """The model of that name with the shape that a shipped row or its makers give; None without either."""
    plain = plain_name(name)
    plain = re.sub("^glm4[67]$", "glm45", plain)
    shape = next((shape for known, shape in _SHAPES.items() if plain.startswith(known)), None)
    return TransformerModel.model_validate({"name": name[:80], **shape}) if shape else _shipped().get(plain)


def plain_name(name: str) -> str:
    """Letters and digits only, in small letters; releases of one shape are one: Llama 3.1 and 3.3 as Llama 3."""
    plain = re.sub(r"[^a-z0-9]", "", re.sub(r"3\.[13]", "3", name.lower()))
    return plain.removesuffix("instruct").removesuffix("base")


@cache
def _shipped() -> dict[str, TransformerModel]:
    """Every model whose shape the shipped training rows state, by its plain name."""
    rows = read_table(paths.resources() / "measurements" / "training.csv").rows
    stated = {row.text("model"): row for row in reversed(rows) if row.count("n_layers")}
    models = {plain_name(name): model_of(row) for name, row in stated.items()}
    return {name: model for name, model in models.items() if isinstance(model, TransformerModel)}
