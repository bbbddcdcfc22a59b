"""The neutral measurement that every log format is read into."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from core.logs.quantities import SHARED, QuantityKind

Series = NDArray[np.float64]
Grid = NDArray[np.float32]


class Subject(StrEnum):
    """What a record is about: how busy chips were, a training run, a server under load, or a link between chips."""

    MACHINE = "machine"
    TRAINING = "training"
    SERVING = "serving"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class Quantity:
    """One measured quantity over the whole record; ``n`` counts readings, unknown ones left out.

    A figure that the log does not give is NaN: a server's summary has a mean and a p99, but no highest value.
    """

    unit: str
    n: int
    mean: float = math.nan
    p50: float = math.nan
    max: float = math.nan
    p90: float = math.nan
    p99: float = math.nan


@dataclass(frozen=True, slots=True)
class Refused:
    """A part of a file that is of a known format and yet gives nothing, with the reason: ``found``, ``expected``."""

    format: str
    line: int
    found: str
    expected: str


@dataclass(frozen=True)
class LogRecord:
    """What one run, server test, or stretch of readings says; a file may hold several.

    ``time_s`` counts from the first reading; ``series`` holds, for each quantity, the mean over the accelerators of
    a tick (NaN where unknown). Both are empty where a log gives only totals, which are in ``quantities``.
    ``by_chip`` holds the same quantities as (ticks, chips) in the order of ``chips``, where a log tells chips apart.
    ``first_line`` counts from 1. ``skipped`` maps a reason to the number of lines it cost.
    ``facts`` are what the log states of the run, by the names of :data:`core.logs.facts.FACTS`.
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
    subject: Subject = Subject.MACHINE
    first_line: int = 1
    facts: Mapping[str, str | float] = field(default_factory=dict)
    chips: tuple[str, ...] = ()
    by_chip: Mapping[str, Grid] = field(default_factory=dict)

    @property
    def duration_s(self) -> float:
        """Seconds from the first to the last reading."""
        return float(self.time_s[-1] - self.time_s[0]) if len(self.time_s) else 0.0

    @property
    def n_skipped(self) -> int:
        """Lines that were not read, whatever the reason."""
        return sum(self.skipped.values())


def figures_of(quantity: Quantity) -> dict[str, float]:
    """The figures that the log gives: ``mean``, ``p50``, ``max``, ``p90``, ``p99`` without those that are NaN."""
    figures = {name: getattr(quantity, name) for name in ("mean", "p50", "max", "p90", "p99")}
    return {name: value for name, value in figures.items() if not math.isnan(value)}


def summarise(values: Series, unit: str) -> Quantity | None:
    """Mean, percentiles and maximum of the known values; None when none is known."""
    known = values[~np.isnan(values)]
    if not len(known):
        return None
    middle, high, highest = np.percentile(known, (50, 90, 99))
    return Quantity(
        unit, len(known), float(known.mean()), float(middle), float(known.max()), float(high), float(highest)
    )


def summarise_all(series: Mapping[str, Series], kinds: Mapping[str, QuantityKind] = SHARED) -> dict[str, Quantity]:
    """Summaries of every series that has at least one known value; KeyError for a quantity that no kind describes."""
    summaries = {name: summarise(values, kinds[name].unit) for name, values in series.items()}
    return {name: quantity for name, quantity in summaries.items() if quantity is not None}
