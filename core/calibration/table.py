"""Measured tables: which of the two kinds a file is, and its rows as typed facts."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import InputError, MachineError
from core.workload.model import TransformerModel

TRAINING_COLUMNS = {"id", "hardware", "n_chips", "n_layers", "d_model", "seq_len", "tokens_per_s_per_chip"}
INFERENCE_COLUMNS = {"id", "hardware", "n_chips", "n_layers", "d_model", "input_len", "output_len", "tpot_ms"}
PARAMETER_TOLERANCE = 0.12
"""A shape whose parameter count is further off than this from the row's own is not the model that ran."""


class SkippedRowError(Exception):
    """The row cannot be predicted; the message says why."""


@dataclass(frozen=True)
class Row:
    """One row of a table with typed access; ``where`` names file and line in messages."""

    values: Mapping[str, str]
    where: str

    def text(self, column: str) -> str:
        """The cell's text, trimmed."""
        return (self.values.get(column) or "").strip()

    def number(self, column: str) -> float | None:
        """The cell's number, None when empty. Raises InputError when it is no number."""
        text = self.text(column)
        if not text:
            return None
        try:
            return float(text)
        except ValueError:
            raise InputError(f"{self.where}, field {column}", f"'{text}'", "a number or an empty cell") from None

    def needed(self, column: str) -> float:
        """The cell's number. Raises SkippedRowError when it is empty or 0."""
        value = self.number(column)
        if not value:
            raise SkippedRowError(f"no {column}")
        return value


def read_table(path: Path) -> tuple[str, list[Row]]:
    """``("training" | "inference", rows)``.

    Raises InputError when the file is missing, is no CSV or has neither header; MachineError when it can't be read.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            kind = _kind(path, set(reader.fieldnames or ()))
            return kind, list(_rows(path, reader))
    except FileNotFoundError:
        raise InputError(str(path), "no such file", "a table of measurements (CSV)") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(str(path), f"text that is no CSV ({error})", "a table of measurements (CSV)") from None
    except OSError as error:
        raise MachineError(f"Reading {path}", error.strerror or str(error)) from error


def _kind(path: Path, columns: set[str]) -> str:
    if columns >= TRAINING_COLUMNS:
        return "training"
    if columns >= INFERENCE_COLUMNS:
        return "inference"
    missing = sorted(TRAINING_COLUMNS - columns)
    expected = f"the columns of a training table (missing: {', '.join(missing)}) or of an inference table"
    raise InputError(f"{path}, row 1", f"columns {', '.join(sorted(columns)[:6]) or 'none'}", expected)


def _rows(path: Path, reader: csv.DictReader[str]) -> Iterator[Row]:
    for number, values in enumerate(reader, start=2):
        if None in values:
            raise InputError(f"{path}, row {number}", "more cells than the header", "one cell a column")
        yield Row(values, f"{path}, row {number}")


def model_of(row: Row, n_experts_per_token: float | None) -> TransformerModel:
    """The row's model; plain or gated feed-forward is told from the parameter count.

    Raises SkippedRowError when a size is missing or the shape does not give the parameters that the row states.
    """
    n_experts = int(row.number("experts") or 1)
    n_heads = int(row.needed("n_heads"))
    d_model = int(row.needed("d_model"))
    shape: dict[str, Any] = {
        "name": row.text("model") or "model",
        "n_layers": int(row.needed("n_layers")),
        "d_model": d_model,
        "n_heads": n_heads,
        "n_kv_heads": int(row.number("n_kv_heads") or n_heads),
        "d_head": d_model // n_heads,
        "d_ff": int(row.needed("d_ff")),
        "vocab_size": int(row.number("vocab") or 32_000),
        "n_experts": n_experts,
        "n_experts_per_token": int(n_experts_per_token or 1) if n_experts > 1 else 1,
    }
    stated = row.needed("params_b") * 1e9
    try:
        found = [
            TransformerModel(**shape, gated_mlp=gated, tied_embeddings=tied)
            for gated in (True, False)
            for tied in (False, True)
        ]
    except ValueError:
        raise SkippedRowError("a shape that no transformer has") from None
    best = min(found, key=lambda model: abs(model.n_params / stated - 1))
    if abs(best.n_params / stated - 1) > PARAMETER_TOLERANCE:
        raise SkippedRowError("the shape does not give the stated parameters")
    return best
