"""What one part of the bill comes to for all candidates, with its formula and live inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from core.cost.bill.batch import Array, CostBatch
from core.lazy_sequence import FreshSequence
from core.units import THIN, plain, small_usd


@dataclass(frozen=True)
class Line:
    """USD of shape (n, 3): low, likely, high; the formula in words; live inputs as (name, unit, values (n,)).

    Sources and estimate marks are read for the few candidates that somebody looks at: what takes words to be put
    together comes from :meth:`CostBatch.words_of_offers` and its like, never from a loop over all candidates.
    """

    usd: Array
    formula: str
    inputs: tuple[tuple[str, str, Array], ...]
    sources: Sequence[str]
    estimates: Sequence[bool]


def live_inputs(line: Line, row: int) -> Sequence[tuple[str, str]]:
    """Inputs of one candidate as (name, text), in the money that is shown when somebody looks."""
    return FreshSequence(len(line.inputs), partial(_input_text, line, row))


def _input_text(line: Line, row: int, number: int) -> tuple[str, str]:
    name, unit, values = line.inputs[number]
    value = float(values[row])
    if unit.startswith("USD"):
        return name, small_usd(value) + unit.removeprefix("USD")
    return name, plain(value, 4) + (f"{THIN}{unit}" if unit else "")


def constant(batch: CostBatch, value: float) -> Array:
    """One value for every candidate, shape (n,)."""
    return np.full(batch.n, value)


def likely(values: Array) -> Array:
    """The likely column of a span, or a column of one value a candidate, shape (n,)."""
    return values[:, 1] if values.shape[1] == 3 else values[:, 0]
