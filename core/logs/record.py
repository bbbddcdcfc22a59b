"""The neutral measurement that every log format is read into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.logs.quantities import SHARED, QuantityKind

Series = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Quantity:
    """One measured quantity over the whole log; ``n`` counts readings, unknown ones left out."""

    unit: str
    n: int
    mean: float
    p50: float
    max: float


@dataclass(frozen=True)
class LogRecord:
    """What one file says.

    ``time_s`` counts from the first reading; ``series`` holds, for each quantity, the mean over the accelerators of
    a tick (NaN where unknown). ``skipped`` maps a reason to the number of lines it cost.
    """

    file: str
    format: str
    n_lines: int
    skipped: Mapping[str, int]
    accelerator: str | None
    accelerator_id: str | None
    n_accelerators: int | None
    start: str | None
    time_s: Series
    series: Mapping[str, Series]
    quantities: Mapping[str, Quantity]

    @property
    def duration_s(self) -> float:
        """Seconds from the first to the last reading."""
        return float(self.time_s[-1] - self.time_s[0]) if len(self.time_s) else 0.0

    @property
    def n_skipped(self) -> int:
        """Lines that were not read, whatever the reason."""
        return sum(self.skipped.values())


def summarise(values: Series, unit: str) -> Quantity | None:
    """Mean, median and maximum of the known values; None when none is known."""
    known = values[~np.isnan(values)]
    if not len(known):
        return None
    return Quantity(unit, len(known), float(known.mean()), float(np.median(known)), float(known.max()))


def summarise_all(series: Mapping[str, Series], kinds: Mapping[str, QuantityKind] = SHARED) -> dict[str, Quantity]:
    """Summaries of every series that has at least one known value; KeyError for a quantity that no kind describes."""
    summaries = {name: summarise(values, kinds[name].unit) for name, values in series.items()}
    return {name: quantity for name, quantity in summaries.items() if quantity is not None}
