"""Fit of the coefficients of fixed-shape work on measured rows, and the plain rule beside it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.calibration.least_squares import fit_values
from core.calibration.measured_samples import SampleCase
from core.throughput.parameters import Parameters
from core.throughput.samples import SampleRun, samples_per_s, step_terms
from core.throughput.samples_batch import default_batch
from core.throughput.samples_facts import STACKS, Floats, SampleChips, SampleWork, chips_of, work_of


@dataclass(frozen=True)
class SampleRows:
    """Cases as arrays, with what was measured in samples a second of the whole system, shape (n rows,)."""

    work: SampleWork
    chips: SampleChips
    run: SampleRun
    measured: Floats


def rows_of(cases: list[SampleCase], measured: Floats) -> SampleRows:
    """Arrays of the cases; a batch that a row does not state is the one the engine would take."""
    work = work_of([case.model for case in cases])
    chips = chips_of([case.system for case in cases], [case.precision for case in cases])
    training = np.array([case.is_training for case in cases], dtype=np.float64)
    stated = np.array([case.batch for case in cases], dtype=np.float64)
    batch = np.where(stated > 0, stated, default_batch(work, chips, training))
    run = SampleRun(
        batch,
        training,
        np.array([STACKS.index(case.stack) for case in cases], dtype=np.intp),
        np.array([case.year for case in cases], dtype=np.float64),
        np.array([case.is_server for case in cases], dtype=np.float64),
    )
    return SampleRows(work, chips, run, measured)


def predicted(rows: SampleRows, known: Parameters) -> Floats:
    """Samples a second of every row."""
    return samples_per_s(step_terms(rows.work, rows.chips, rows.run, known), rows.run, rows.chips)


def fit_samples(rows: SampleRows, cases: list[SampleCase], known: Parameters, keep: NDArray[np.bool_]) -> Parameters:
    """Coefficients fitted on the kept rows; each distinct configuration weighs like one row."""
    weights = np.where(keep, _weights(cases, keep), 0.0)
    start = Parameters(tuple(replace(row, value=row.prior) for row in known.rows))

    def residuals(values: Floats) -> Floats:
        return np.asarray(np.log(predicted(rows, start.with_fitted(values)) / rows.measured))

    return start.with_fitted(fit_values(start.fitted, residuals, weights, noise=0.1))


def _weights(cases: list[SampleCase], keep: NDArray[np.bool_]) -> Floats:
    """The square root of how often a configuration is repeated, shared among its rows."""
    keys = [
        (c.model.name, c.system.accelerator.id, c.precision, round(np.log2(c.batch + 1e-3)), c.is_training, c.is_server)
        for c in cases
    ]
    counts = Counter(key for key, kept in zip(keys, keep, strict=True) if kept)
    return np.array([counts[key] ** -0.5 if counts[key] else 0.0 for key in keys])
