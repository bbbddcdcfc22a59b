"""Measured rows in samples a second: fitted, judged as a study, and scored one by one for ``validate``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import starmap

import numpy as np

from core.calibration.measured.formats import as_sampled
from core.calibration.measured.media import audio_of_sample_s
from core.calibration.measured.samples import SampleCase
from core.calibration.measured.table import TIME_METRICS
from core.calibration.scored_rows import ScoredRow
from core.calibration.studies.least_squares import fit_values
from core.calibration.studies.study import RowMask, StudyRow, Units, at_priors, is_time, median_ratios
from core.throughput.parameters import Parameters, shipped_parameters
from core.throughput.samples.batches import default_batch
from core.throughput.samples.quantities import STACKS, Floats, SampleChips, SampleWork, chips_of, work_of
from core.throughput.samples.seen import TPU_FAMILY, spread_key
from core.throughput.samples.step import SampleRun, samples_per_s, step_terms
from core.throughput.uncertainty import ranged, speed_range_of_time


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
    chips = chips_of([case.system for case in cases], [case.precision for case in cases], as_sampled)
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


ITERATIONS, LEAST_GAIN = 120, 1e-9
"""Compute, memory and traffic tell much the same of a step: a fit that ended sooner lay up to 5 % off the best, and
elsewhere after changes that hardly touch it."""


def fit_samples(rows: SampleRows, cases: list[SampleCase], known: Parameters, fit_rows: RowMask) -> Parameters:
    """Coefficients fitted on ``fit_rows``; each distinct configuration weighs like one row."""
    weights = np.where(fit_rows, _weights(cases, fit_rows), 0.0)
    start = at_priors(known)

    def residuals(values: Floats) -> Floats:
        return np.asarray(np.log(predicted(rows, start.with_fitted(values)) / rows.measured))

    fitted = fit_values(start.fitted, residuals, weights, 0.1, ITERATIONS, least_gain=LEAST_GAIN)
    return start.with_fitted(fitted)


def _weights(cases: list[SampleCase], fit_rows: RowMask) -> Floats:
    """The square root of how often a configuration is repeated, shared among its rows."""
    keys = [
        (c.model.name, c.system.accelerator.id, c.precision, round(np.log2(c.batch + 1e-3)), c.is_training, c.is_server)
        for c in cases
    ]
    counts = Counter(key for key, is_fit in zip(keys, fit_rows, strict=True) if is_fit)
    return np.array([counts[key] ** -0.5 if counts[key] else 0.0 for key in keys])


NO_RATE = "no rate of this network"


@dataclass(frozen=True)
class SamplesStudy:
    """Rows of networks in samples a second, one value a row."""

    cases: tuple[SampleCase, ...]
    metrics: tuple[str, ...]
    measured: tuple[float, ...]
    name: str = "samples"

    @cached_property
    def rows(self) -> tuple[StudyRow, ...]:
        """Measured values in order."""
        return tuple(starmap(_study_row, zip(self.cases, self.metrics, self.measured, strict=True)))

    @cached_property
    def _units(self) -> Units:
        """What a rate of one sample a second of the whole system is in each row's metric."""
        units = [in_metric(case, metric, 1.0) for case, metric in zip(self.cases, self.metrics, strict=True)]
        return Units(np.array(units), is_time(self.metrics))

    def _measured_samples_per_s(self) -> Floats:
        return self._units.speed(np.array(self.measured))

    def fit(self, fit_rows: RowMask) -> Parameters:
        """Coefficients fitted on ``fit_rows`` from their priors."""
        known = shipped_parameters("samples")
        rows = rows_of(list(self.cases), self._measured_samples_per_s())
        return fit_samples(rows, list(self.cases), known, fit_rows)

    def predict(self, parameters: Parameters) -> Floats:
        """Likely value of every row in its metric's unit."""
        return self._units.in_metric(predicted(rows_of(list(self.cases), self._measured_samples_per_s()), parameters))

    def baseline(self, fit_rows: RowMask) -> Floats:
        """One share of peak for each chip and kind of work: ``samples/s = share x peak / FLOPs of a sample``."""
        reached = self._measured_samples_per_s()
        at_peak = np.array([peak_rate(case) for case in self.cases])
        keys = [(case.system.accelerator.id, case.is_training) for case in self.cases]
        factors = median_ratios(keys, [is_training for _, is_training in keys], reached / at_peak, fit_rows)
        return self._units.in_metric(at_peak * factors)


def samples_study(cases: Sequence[SampleCase], metrics: Sequence[str]) -> SamplesStudy:
    """The study of the cases: of each, the first of the metrics that it holds and that a network has."""
    usable = []
    for case in cases:
        values = case.row.measured(tuple(metrics))
        first = next((name for name in values if in_metric(case, name, 1.0) > 0), None)
        if first is not None:
            usable.append((case, first, values[first]))
    return SamplesStudy(tuple(c for c, _, _ in usable), tuple(m for _, m, _ in usable), tuple(v for _, _, v in usable))


def _study_row(case: SampleCase, metric: str, value: float) -> StudyRow:
    return StudyRow.of(case.row, case.system, family_of(case), metric, value, concurrency=case.batch)


def family_of(case: SampleCase) -> str:
    """Line of the accuracy page: ``tpu``, or the family of the network."""
    return TPU_FAMILY if case.system.accelerator.kind == "tpu" else case.model.family


def in_metric(case: SampleCase, metric: str, samples_per_s: float) -> float:
    """A rate of the whole system in the unit of a metric; 0 for a metric that no network of this kind has."""
    n_chips = case.system.n_chips
    batch = case.batch * n_chips
    length = case.row.number("input_len") or 0.0
    values = {
        "samples_per_s": samples_per_s,
        "samples_per_s_per_chip": samples_per_s / n_chips,
        "total_tokens_per_s": samples_per_s * length,
        "step_time_s": (case.row.number("global_batch") or batch) / samples_per_s,
        "ttft_ms": 1e3 * batch / samples_per_s,
        "seconds_per_item": 1.0 / samples_per_s,
        "items_per_s": samples_per_s,
        "iters_per_s": samples_per_s / batch if batch else 0.0,
        "latency_ms": 1e3 * batch / samples_per_s,
        "rtfx": samples_per_s * audio_of_sample_s(case.row),
    }
    if metric == "rtf":
        return 1.0 / values["rtfx"] if values["rtfx"] else 0.0
    return values.get(metric, 0.0)


def peak_rate(case: SampleCase) -> float:
    """Samples a second of the whole system if every FLOP ran at the data sheet's peak."""
    from_peak = case.system.n_chips * case.peak_flops
    passes = 3.0 if case.is_training else case.model.passes
    return from_peak / (case.model.forward_flops * passes)


def scored_samples(cases: Sequence[SampleCase]) -> dict[str, list[ScoredRow]]:
    """Entries of every case by row id, with the shipped coefficients."""
    if not cases:
        return {}
    known = shipped_parameters("samples")
    rates = predicted(rows_of(list(cases), np.ones(len(cases))), known)
    return {
        case.row.text("id"): [_scored(case, name, value, float(rate)) for name, value in case.row.measured().items()]
        for case, rate in zip(cases, rates, strict=True)
    }


def _scored(case: SampleCase, metric: str, measured: float, rate: float) -> ScoredRow:
    likely = in_metric(case, metric, rate)
    if likely <= 0:
        return ScoredRow.left_out(case.row, metric, measured, NO_RATE)
    key = spread_key(case.system.accelerator, case.model.family, case.is_training, case.system.n_chips)
    prediction = speed_range_of_time(likely, key) if metric in TIME_METRICS else ranged(likely, key)
    return ScoredRow.of(case.row, metric, measured, prediction)
