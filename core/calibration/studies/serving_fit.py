"""The fit of the serving coefficients to measured values of many rows at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.calibration.studies.least_squares import fit_values
from core.calibration.studies.serving_metrics import predicted_metrics
from core.calibration.studies.serving_table import ServingTable
from core.rows import Rows
from core.throughput.chips.fleet import Floats, Ints
from core.throughput.parameters import Parameters

NOISE = 0.15
"""Logarithmic scatter of one row that no coefficient can explain."""
EVIDENCE = 0.25
"""Independent evidence of a row: settings of one sweep share their errors."""
METRIC_WEIGHT = {"ttft_ms": 0.15}
"""First tokens are mostly queueing: they weigh less."""
UNOFFICIAL = ("inferencex-experimental",)
"""Publishers that call their figures unofficial."""


@dataclass(frozen=True)
class Values(Rows):
    """Measured values, shape (n values,): the row of the table, the metric and the value of each."""

    row: Ints
    metric: NDArray[np.str_]
    value: Floats
    weight: Floats

    def of(self, predictions: dict[str, Floats]) -> Floats:
        """The prediction of each value, shape (n values,)."""
        found = np.empty(len(self.row))
        for name in np.unique(self.metric):
            kept = self.metric == name
            found[kept] = predictions[str(name)][self.row[kept]]
        return found


def weights_of(rows: Sequence[int], metrics: Sequence[str], publishers: Sequence[str]) -> Floats:
    """Weights of values, mean :data:`EVIDENCE`: those of one row share one, and a publisher of n weighs as sqrt(n)."""
    kinds = [name if name in ("ttft_ms", "tpot_ms") else "rate" for name in metrics]
    in_row, of_publisher = Counter(zip(rows, kinds, strict=True)), Counter(zip(publishers, kinds, strict=True))
    raw = [
        METRIC_WEIGHT.get(metric, 1.0)
        * (0.4 if publisher in UNOFFICIAL else 1.0)
        / (in_row[row, kind] * of_publisher[publisher, kind] ** 0.5)
        for row, kind, metric, publisher in zip(rows, kinds, metrics, publishers, strict=True)
    ]
    return np.asarray(np.array(raw) * EVIDENCE * len(raw) / max(sum(raw), 1e-12))


def fit_serving(table: ServingTable, values: Values, start: Parameters, iterations: int = 8) -> Parameters:
    """Coefficients fitted from ``start`` to the values; arrangements stay as they are in the table."""
    rows, local = np.unique(values.row, return_inverse=True)
    part, near = table.take(rows), Values(local, values.metric, values.value, values.weight)
    logs = np.log(near.value)

    def residuals(at: Floats) -> Floats:
        return np.asarray(np.log(near.of(predicted_metrics(part, start.with_fitted(at)))) - logs)

    return start.with_fitted(fit_values(start.fitted, residuals, near.weight, NOISE, iterations))
