"""Published shapes of models that measured tables name without their shape."""

from __future__ import annotations

import csv
import re
from functools import cache

from core import paths
from core.workload.models.known import presets
from core.workload.models.transformer import TransformerModel

_FLAGS = ("gated_mlp", "tied_embeddings")
_NO_FIELDS = ("name", "same_as", "published_params_b", "source")


def published_model(name: str) -> TransformerModel | None:
    """The model of the longest known name that this one begins with; None without one."""
    plain = plain_name(name)
    known = next((known for known in _names() if plain.startswith(known)), None)
    return None if known is None else _models()[known]


def plain_name(name: str) -> str:
    """A name in small letters and digits alone, without its maker."""
    return re.sub(r"[^a-z0-9]", "", name.lower().rsplit("/", 1)[-1])


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(_models(), key=len, reverse=True))


@cache
def _models() -> dict[str, TransformerModel]:
    """Models by plain name, from ``resources/measurements/shapes.csv``."""
    path = paths.resources() / "measurements" / "shapes.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return {plain_name(row["name"]): _model(row) for row in csv.DictReader(file)}


def _model(row: dict[str, str]) -> TransformerModel:
    if row["same_as"]:
        return presets()[row["same_as"]].model
    numbers = {name: int(text) for name, text in row.items() if name not in _NO_FIELDS}
    flags = {name: bool(numbers.pop(name)) for name in _FLAGS}
    known = {name: value for name, value in numbers.items() if value or name != "dense_d_ff"}
    return TransformerModel.model_validate({"name": row["name"], **known, **flags})
