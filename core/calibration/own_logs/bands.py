"""How far the chips of one log lie apart: lowest, median and highest reading of a tick."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from core.logs.record import LogRecord, Series


@dataclass(frozen=True)
class Band:
    """Lowest, median and highest reading of all chips at each tick, each shape (ticks,); NaN where none is known."""

    low: Series
    median: Series
    high: Series

    @property
    def has_width(self) -> bool:
        """True where chips differ at all."""
        return bool(np.any(self.high > self.low))


def band_of(record: LogRecord, name: str) -> Band:
    """The band of one quantity; the series itself, without width, where the log does not tell chips apart."""
    grid = record.by_chip.get(name)
    if grid is None or not grid.size:
        return Band(record.series[name], record.series[name], record.series[name])
    if grid.shape[1] == 1:
        only = grid[:, 0].astype(np.float64)
        return Band(only, only, only)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # ticks at which nothing is known stay unknown
        median = np.nanmedian(grid, axis=1).astype(np.float64)
    return Band(
        np.fmin.reduce(grid, axis=1).astype(np.float64), median, np.fmax.reduce(grid, axis=1).astype(np.float64)
    )
