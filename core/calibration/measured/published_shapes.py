"""Shapes of models that a measured table only names: from rows that state them, else from the makers' files."""

from __future__ import annotations

import re
from functools import cache

from core import paths
from core.calibration.measured.model import model_of
from core.calibration.measured.shapes import published_model
from core.calibration.measured.table import read_table
from core.workload.models.transformer import TransformerModel


def shape_elsewhere(name: str) -> TransformerModel | None:
    """The model of that name with the shape that a shipped row or its makers give; None without either."""
    return _shipped().get(plain_name(name)) or published_model(name)


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
