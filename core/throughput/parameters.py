"""Named, bounded coefficients of the engine, read from data: each with its prior and its source."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core import paths

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One coefficient in the unit of its name: ``low < value < high``; ``prior`` and ``sigma`` hold it on thin data.

    ``fitted`` tells a value that measurements set from one that is held at its prior; ``source`` says where the prior
    comes from.
    """

    name: str
    value: float
    low: float
    high: float
    prior: float
    sigma: float
    fitted: bool
    source: str


@dataclass(frozen=True)
class Parameters:
    """A table of coefficients in a fixed order; ``table["name"]`` is a value."""

    rows: tuple[Parameter, ...]

    @cached_property
    def _by_name(self) -> dict[str, float]:
        return {row.name: row.value for row in self.rows}

    def __getitem__(self, name: str) -> float:
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    @property
    def fitted(self) -> tuple[Parameter, ...]:
        """The rows that measurements set, in order."""
        return tuple(row for row in self.rows if row.fitted)

    def with_fitted(self, values: Floats) -> Parameters:
        """The table with new values of :attr:`fitted`, in their order, shape (n fitted,)."""
        left = iter(values)
        return Parameters(tuple(replace(row, value=float(next(left))) if row.fitted else row for row in self.rows))


@cache
def shipped_parameters(name: str) -> Parameters:
    """The shipped table ``resources/engine/<name>.json``; raises KeyError for a row without a field it needs."""
    return read_parameters(paths.resources() / "engine" / f"{name}.json")


def read_parameters(path: Path) -> Parameters:
    """A table as stored: ``{"note": ..., "parameters": [...]}``."""
    table = json.loads(path.read_text("utf-8"))
    return Parameters(tuple(Parameter(**row) for row in table["parameters"]))


def write_parameters(path: Path, parameters: Parameters, note: str) -> None:
    """Stores a table, a coefficient a line, values to four digits, so that a refit reads well as a diff."""
    rows = [asdict(replace(row, value=float(f"{row.value:.4g}"))) for row in parameters.rows]
    lines = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text(
        f'{{\n "note": {json.dumps(note, ensure_ascii=False)},\n "parameters": [\n  {lines}\n ]\n}}\n', "utf-8"
    )
