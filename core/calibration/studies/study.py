"""What a piece of the engine offers to cross-validation: its measured rows, a fit on some, and a plain rule."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.calibration.measured.table import RATIO, TIME_METRICS, MeasuredRow
from core.calibration.scored_rows import source_of
from core.throughput.parameters import Parameters
from core.throughput.types import System
from core.throughput.uncertainty import KINDS, LOW_LOAD

RowMask = NDArray[np.bool_]
"""Some of the rows, such as those that a fit may see, shape (n rows,)."""

UNOFFICIAL = ("inferencex-experimental",)
"""Publishers that call their own figures unofficial, or work in progress."""


@dataclass(frozen=True, slots=True)
class StudyRow:
    """One measured value and what it is grouped by when cross-validated.

    ``source`` is left out as a whole; ``submitter`` tells publishers apart inside one source. ``family`` is a line of
    the accuracy page. ``n_chips``, ``concurrency`` (0 where unknown) and ``is_stack_known`` decide how wide the range
    of the row is. ``measured`` is in the unit of ``metric``.
    """

    source: str
    hardware: str
    family: str
    metric: str
    measured: float
    n_chips: int = 1
    concurrency: float = 0.0
    is_stack_known: bool = True
    submitter: str = ""

    @classmethod
    def of(
        cls, row: MeasuredRow, system: System, family: str, metric: str, measured: float, concurrency: float = 0.0,
        is_stack_known: bool = True,
    ) -> StudyRow:  # fmt: skip
        """One metric of a measured row; it was submitted by whoever published it."""
        source, chip = source_of(row), system.accelerator.id
        known = (source, chip, family, metric, measured)
        return cls(*known, system.n_chips, concurrency, is_stack_known, submitter=source)


@dataclass(frozen=True)
class Units:
    """Speeds beside the metrics that rows tell them in, shapes (n rows,).

    ``unit`` is what a speed of 1 is in the metric of each row, or, where ``is_time``, what a speed turns into a time:
    ``value = unit speed`` or ``value = unit / speed``.
    """

    unit: NDArray[np.float64]
    is_time: RowMask

    def in_metric(self, speed: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values of speeds, each in its row's metric."""
        return np.where(self.is_time, self.unit / speed, self.unit * speed)

    def speed(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Speeds of values that stand in their row's metric."""
        return np.where(self.is_time, self.unit / values, values / self.unit)


def is_time(metrics: Iterable[str]) -> RowMask:
    """Which metrics are times of work that has a speed, shape (n rows,)."""
    return np.array([metric in TIME_METRICS for metric in metrics], dtype=np.bool_)


class Study(Protocol):
    """One piece of the engine beside its measured rows."""

    @property
    def name(self) -> str:
        """The piece: ``training``, ``serving`` or ``samples``; also the file of its coefficients."""
        ...

    @property
    def rows(self) -> tuple[StudyRow, ...]:
        """Measured values that are scored, in a fixed order."""
        ...

    def fit(self, fit_rows: RowMask) -> Parameters:
        """Coefficients fitted on ``fit_rows`` only, starting from the priors."""
        ...

    def predict(self, parameters: Parameters) -> NDArray[np.float64]:
        """The likely value of every row in its metric's unit, shape (n rows,); NaN where there is none."""
        ...

    def baseline(self, fit_rows: RowMask) -> NDArray[np.float64]:
        """The plain rule fitted on ``fit_rows`` only, for every row; NaN where the rule says nothing."""
        ...


def kind_words(metric: str, concurrency: float = 0.0) -> str:
    """What a line of the accuracy page calls a value; first tokens that meet no queue stand apart."""
    if metric == RATIO:
        return "speed-up"
    low = " low load" if 0 < concurrency <= LOW_LOAD else ""
    words = {"training": "tokens/s", "memory": "memory", "throughput": "throughput", "tpot": "TPOT"}
    words["ttft"] = f"TTFT{low}"
    return words[KINDS[metric]]


def at_priors(parameters: Parameters) -> Parameters:
    """The table with every coefficient at its prior, where a fit starts."""
    return Parameters(tuple(replace(row, value=row.prior) for row in parameters.rows))


def median_ratios(
    keys: Sequence[Hashable], wider: Sequence[Hashable], ratios: NDArray[np.float64], fit_rows: RowMask
) -> NDArray[np.float64]:
    """Factor of a plain rule for every row: the median ratio of the fitted rows that share its key, shape (n rows,).

    The rows of its wider key stand in where none shares it; NaN where none shares that either.
    """
    groups: dict[Hashable, list[float]] = defaultdict(list)
    for key, wide, ratio, is_fit in zip(keys, wider, ratios, fit_rows, strict=True):
        if is_fit:
            groups[key].append(float(ratio))
            groups[wide].append(float(ratio))
    shared = (groups.get(key) or groups.get(wide) or [np.nan] for key, wide in zip(keys, wider, strict=True))
    return np.array([float(np.median(values)) for values in shared])
