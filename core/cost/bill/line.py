"""What one part of the bill comes to for all candidates, with its formula and live inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from core.cost.bill.batch import Array, CostBatch
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


class LiveInputs(Sequence[tuple[str, str]]):
    """Inputs of one candidate as (name, text), written out only when somebody looks."""

    __slots__ = ("_line", "_row")

    def __init__(self, line: Line, row: int) -> None:
        self._line = line
        self._row = row

    def __len__(self) -> int:
        return len(self._line.inputs)

    @overload
    def __getitem__(self, index: int) -> tuple[str, str]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[str, str]]: ...
    def __getitem__(self, index: int | slice) -> tuple[str, str] | Sequence[tuple[str, str]]:
        if isinstance(index, slice):
            return [self._text(number) for number in range(len(self))[index]]
        return self._text(range(len(self))[index])

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return (self._text(number) for number in range(len(self)))

    def _text(self, number: int) -> tuple[str, str]:
        name, unit, values = self._line.inputs[number]
        value = float(values[self._row])
        if unit.startswith("USD"):
            return name, small_usd(value) + unit.removeprefix("USD")
        return name, plain(value, 4) + (f"{THIN}{unit}" if unit else "")


def constant(batch: CostBatch, value: float) -> Array:
    """One value for every candidate, shape (n,)."""
    return np.full(batch.n, value)


def likely(values: Array) -> Array:
    """The likely column of a span, or a column of one value a candidate, shape (n,)."""
    return values[:, 1] if values.shape[1] == 3 else values[:, 0]
