"""Inputs of cost as arrays: a row of the catalogue for each candidate, as low, likely and high."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.catalogue.entries import CostInput
from core.lazy_sequence import LazySequence

Floats = NDArray[np.float64]
Span = tuple[float, float, float]


@dataclass(frozen=True)
class Figures:
    """A cost input for each candidate: values of shape (n, 3), sources and estimate marks."""

    values: Floats
    sources: Sequence[str]
    estimates: Sequence[bool]

    def take(self, rows: NDArray[np.intp]) -> Figures:
        """One entry for each index."""
        sources, estimates = self.sources, self.estimates
        return Figures(
            self.values[rows],
            LazySequence(len(rows), lambda row: sources[rows[row]]),
            LazySequence(len(rows), lambda row: estimates[rows[row]]),
        )


def figures(rows: Sequence[CostInput]) -> Figures:
    """Some rows as arrays, one entry each."""
    return Figures(
        np.array([span_of(row) for row in rows], dtype=np.float64).reshape(-1, 3),
        tuple(row.source for row in rows),
        tuple(row.estimate for row in rows),
    )


def span_of(row: CostInput) -> Span:
    """Low, likely and high of a row; a missing bound takes the typical value, a missing typical value a bound."""
    known = [value for value in (row.typical, row.low, row.high) if value is not None]
    typical = known[0] if known else 0.0
    return (typical if row.low is None else row.low, typical, typical if row.high is None else row.high)
