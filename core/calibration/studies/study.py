"""What a piece of the engine offers to be judged: its measured rows, a fit on some of them, and a plain rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.calibration.measured.table import MeasuredRow
from core.calibration.scored import source_of
from core.throughput.parameters import Parameters
from core.throughput.types import System

Kept = NDArray[np.bool_]
"""Rows that a fit may see, shape (n rows,)."""


@dataclass(frozen=True, slots=True)
class StudyRow:
    """One measured value and what it is grouped by when judged.

    ``source`` is left out as a whole; ``submitter`` tells publishers apart inside one source. ``family`` is a line of
    the accuracy page. ``n_chips``, ``concurrency`` (0 where unknown) and ``is_stack_known`` decide how wide the range
    of the row is. ``measured`` is in the unit of ``metric``.
    """

    id: str
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
        known = (row.text("id"), source, chip, family, metric, measured)
        return cls(*known, system.n_chips, concurrency, is_stack_known, submitter=source)


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

    def fit(self, keep: Kept) -> Parameters:
        """Coefficients fitted on the kept rows only, starting from the priors."""
        ...

    def predict(self, parameters: Parameters) -> NDArray[np.float64]:
        """The likely value of every row in its metric's unit, shape (n rows,); NaN where there is none."""
        ...

    def baseline(self, keep: Kept) -> NDArray[np.float64]:
        """The plain rule fitted on the kept rows only, for every row; NaN where the rule says nothing."""
        ...
