"""The model of a measured row, from the shape it gives; what it leaves out is told from its published size."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from pydantic import ValidationError

from core.calibration.measured_table import MeasuredRow
from core.workload.model import TransformerModel

LATENT_ATTENTION = ("deepseek", "kimi")
"""Families with multi-head latent attention: 576 values a token and layer are kept (DeepSeek-V2, arXiv 2405.04434)."""
_LATENT_SHAPE = {"n_heads": 88, "n_kv_heads": 2, "d_head": 144}
"""Grouped-query attention with the same cache (2 x 2 x 144 = 576 values) and about the same 187 M weights a layer."""
_NOT_DECODERS = ("bert", "resnet", "whisper", "stable-diffusion")
_NAMES = ("n_layers", "d_model", "n_heads", "n_kv_heads", "d_ff", "vocab")


def model_of(row: MeasuredRow) -> TransformerModel | str:
    """The decoder transformer of a row, or why there is none. Raises InputError for a cell that is no number."""
    name = row.text("model")
    if any(name.lower().startswith(word) for word in _NOT_DECODERS) or row.text("model_family") == "bert":
        return "not a decoder transformer"
    shape = tuple(row.count(field) for field in _NAMES)
    if None in shape:
        return "shape of the model unknown" if any(shape) else "not a transformer, or shape unknown"
    experts, chosen = row.count("experts") or 1, row.count("experts_per_tok") or 0
    sizes = (row.number("params_b") or 0.0, row.number("active_params_b") or 0.0)
    return _closest(name, tuple(n for n in shape if n), experts, chosen, *sizes)


@lru_cache(maxsize=1024)
def _closest(
    name: str, shape: tuple[int, ...], experts: int, chosen: int, size_b: float, active_b: float
) -> TransformerModel | str:
    """The model whose unstated choices (head size, gated block, tied embeddings, shared expert) fit its size best."""
    layers, width, heads, kv_heads, d_ff, vocabulary = shape
    fixed = {
        "name": name[:80], "n_layers": layers, "d_model": width, "n_heads": heads, "n_kv_heads": kv_heads,
        "d_ff": d_ff, "vocab_size": vocabulary, "n_experts": experts,
    }  # fmt: skip
    if any(word in name.lower() for word in LATENT_ATTENTION):
        fixed |= _LATENT_SHAPE
    sizes = {max(8, width // heads), 64, 128, 256} if "d_head" not in fixed else {_LATENT_SHAPE["d_head"]}
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
        return TransformerModel.model_validate(fixed | {
            "d_head": d_head, "gated_mlp": gated, "tied_embeddings": tied, "n_shared_experts": shared,
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
