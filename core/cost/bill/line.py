"""What one part of the bill comes to for all candidates, with its formula and live inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.amounts import PRICE, USD, Amount
from core.cost.bill.batch import Array, CostBatch
from core.cost.bill.given import Given


@dataclass(frozen=True)
class Line:
    """USD of shape (n, 3): low, likely, high; the formula in words; live inputs as (name, unit, values (n,)), of which
    ``kinds`` says what each is where others work with it: as many, or none at all.

    Sources and estimate marks are read for the few candidates that somebody looks at: what takes words to be put
    together comes from :meth:`CostBatch.words_of_offers` and its like, never from a loop over all candidates.
    """

    usd: Array
    formula: str
    inputs: tuple[tuple[str, str, Array], ...]
    sources: Sequence[str]
    estimates: Sequence[bool]
    kinds: tuple[Given | None, ...] = ()

    def inputs_of(self, row: int) -> tuple[tuple[str, Amount], ...]:
        """The live inputs of one candidate, by name."""
        return tuple((name, _amount(float(values[row]), unit)) for name, unit, values in self.inputs)


def constant(batch: CostBatch, value: float) -> Array:
    """One value for every candidate, shape (n,)."""
    return np.full(batch.n, value)


def likely(values: Array) -> Array:
    """The likely column of a span, or a column of one value a candidate, shape (n,)."""
    return values[:, 1] if values.shape[1] == 3 else values[:, 0]


def _amount(value: float, unit: str) -> Amount:
    return Amount(value, PRICE if unit == USD else unit, 4)
