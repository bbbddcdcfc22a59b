"""Measured fine-tuning rows as arrays and as a study: speed and memory fitted, predicted, compared with plain rules."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from core.calibration.measured.case import MeasuredCase, any_case_of
from core.calibration.measured.finetuning import facts_of_run, longest_sequence
from core.calibration.measured.formats import as_trained
from core.calibration.measured.held_memory import KINDS_OF_MEMORY, held_gib, kind_of_memory
from core.calibration.measured.table import FINETUNING_METRICS, TRAINING_METRICS, MeasuredTable
from core.calibration.scored_rows import predict_cases, source_of
from core.calibration.studies.least_squares import fit_values
from core.calibration.studies.study import RowMask, StudyRow, at_priors, is_time, median_ratios
from core.catalogue.catalogue import Catalogue
from core.rows import Rows
from core.throughput.chips.fleet import Fleet, fleet_of
from core.throughput.model_shape import Floats, ModelShape, shape_of, shapes_of
from core.throughput.parameters import Parameters, shipped_parameters
from core.throughput.training.finetuning import (
    TuningFacts,
    facts_of_many,
    tuned_rates,
    tuning_work,
)
from core.throughput.training.finetuning_memory import TuningPeak, tuning_peak
from core.throughput.training.layouts import Layouts, as_rows
from core.throughput.training.rates import Rates, StackOfRun, facts_of, rates_of
from core.throughput.training.step import step_terms
from core.throughput.training.work import TrainingWork, work_of, works_of
from core.throughput.transformer_work import model_flops_per_token
from core.throughput.types import Layout
from core.units import GIB
from core.workload.jobs.kinds import FineTuning
from core.workload.models.transformer import TransformerModel

MEMORY = "peak_mem_gib_per_chip"


@dataclass(frozen=True)
class TunedRows(Rows):
    """Fine-tuning runs as arrays, shape (n rows,), on the layouts that they had.

    ``rates``: of training, which this piece leaves as they are; ``longest``: tokens of the sequence that sets the peak
    of memory; ``kind``: which memory was read; ``capacity_bytes`` of the chip.
    """

    model: ModelShape
    work: TrainingWork
    tuning: TuningFacts
    fleet: Fleet
    rates: Rates
    layouts: Layouts
    longest: Floats
    kind: Floats
    capacity_bytes: Floats

    def tokens_per_s_per_chip(self, known: Parameters) -> Floats:
        """Likely speed of every row under the coefficients."""
        tuning = tuning_work(self.model, self.tuning, known)
        work, rates = replace(self.work, tuning=tuning), tuned_rates(self.rates, tuning)
        terms = step_terms(self.model, work, self.fleet, rates, self.layouts)
        return np.asarray(self.work.tokens_per_step / np.sum(list(terms.values()), axis=0) / self.fleet.n_chips)

    def peak(self, known: Parameters) -> TuningPeak:
        """What each row's framework allocates at its peak."""
        batch = self.work.global_batch
        return tuning_peak(self.model, self.tuning, known, self.layouts, self.longest, batch)

    def held_gib(self, known: Parameters) -> Floats:
        """What each row would have read."""
        return held_gib(self.peak(known), self.kind, self.capacity_bytes, known)


def tuned_rows(cases: Sequence[MeasuredCase], layouts: Sequence[Layout]) -> TunedRows:
    """The runs of the cases on their layouts, in order."""
    models = [_model(case) for case in cases]
    jobs = [_job(case) for case in cases]
    systems = [case.system for case in cases]
    fleets = [fleet_of([system], job.precision, as_trained) for system, job in zip(systems, jobs, strict=True)]
    known = shipped_parameters("training")
    chips = facts_of([system.accelerator for system in systems], [job.precision for job in jobs], known, as_trained)
    both = [(shape_of(model), job) for model, job in zip(models, jobs, strict=True)]
    return TunedRows(
        model=shapes_of(models),
        work=works_of([work_of(*one) for one in both]),
        tuning=facts_of_many([facts_of_run(case.row, *one) for case, one in zip(cases, both, strict=True)]),
        fleet=Fleet(**{f.name: np.concatenate([getattr(fleet, f.name) for fleet in fleets]) for f in fields(Fleet)}),
        rates=rates_of(chips, _stacks(cases), known),
        layouts=as_rows(layouts),
        longest=np.array([float(longest_sequence(case.row)) for case in cases]),
        kind=np.array([float(KINDS_OF_MEMORY.index(kind_of_memory(case.row))) for case in cases]),
        capacity_bytes=np.array([_capacity_gb(case) * GIB for case in cases]),
    )


def _stacks(cases: Sequence[MeasuredCase]) -> StackOfRun:
    years = np.array([float(case.profile.stack.software_year) for case in cases])
    return StackOfRun([case.profile.stack.training_stack for case in cases], years)


def _model(case: MeasuredCase) -> TransformerModel:
    if not isinstance(case.profile.model, TransformerModel):
        raise TypeError("a row of fine-tuning runs a transformer")
    return case.profile.model


def _job(case: MeasuredCase) -> FineTuning:
    run = case.profile.job.training
    if run is None or run.finetuned is None:
        raise TypeError("a row of fine-tuning has its job")
    return run.finetuned


def _capacity_gb(case: MeasuredCase) -> float:
    return case.system.accelerator.memory_gb / case.slack


@dataclass(frozen=True)
class Compared:
    """Runs whose tokens a sample are not stated: only ratios within a ``group`` of one model and data set count.

    ``ln_speed``: natural logarithm of samples/s a chip, shape (n rows,).
    """

    data: TunedRows
    group: tuple[str, ...]
    source: tuple[str, ...]
    ln_speed: Floats

    def residuals(self, known: Parameters) -> Floats:
        """``ln(predicted / measured)`` less the mean of the group."""
        ln_ratio = np.log(self.data.tokens_per_s_per_chip(known)) - self.ln_speed
        groups = np.array(self.group)
        return np.asarray(ln_ratio - [float(np.mean(ln_ratio[groups == name])) for name in self.group])


def compared(cases: Sequence[MeasuredCase], layouts: Sequence[Layout]) -> Compared | None:
    """The runs among the cases that state samples/s and no mean length; None without any."""
    rows = [n for n, case in enumerate(cases) if "samples_per_s_per_chip" in case.unsaid and _samples(case)]
    rows = [n for n in rows if cases[n].row.number("seq_len")]
    chosen = [cases[n] for n in rows]
    if not chosen:
        return None
    return Compared(
        tuned_rows(chosen, [layouts[n] for n in rows]),
        tuple("/".join((source_of(case.row), case.row.text("model"), case.row.text("seq_len"))) for case in chosen),
        tuple(source_of(case.row) for case in chosen),
        np.log([_samples(case) for case in chosen]),
    )


def _samples(case: MeasuredCase) -> float:
    return case.row.number("samples_per_s_per_chip") or 0.0


NOISE = 0.12
REPEATED = 0.5
"""Rows of one configuration weigh ``n ** 0.5`` together: tables repeat what a knob did not change."""
COMPARED = 1.0
"""Weight of a run of which only ratios count."""
LARGE_SOURCE = 40.0
"""Weight beyond which a source's rows count less, by the square root."""


@dataclass(frozen=True)
class FineTuningStudy:
    """Values of runs: ``run`` points from each value into ``cases`` and ``data``."""

    cases: tuple[MeasuredCase, ...]
    data: TunedRows
    run: tuple[int, ...]
    metrics: tuple[str, ...]
    measured: tuple[float, ...]
    compared: Compared | None
    name: str = "finetune"

    @cached_property
    def rows(self) -> tuple[StudyRow, ...]:
        """Measured values in order."""
        every = zip(self.run, self.metrics, self.measured, strict=True)
        return tuple(
            StudyRow.of(self.cases[run].row, self.cases[run].system, _job(self.cases[run]).method, metric, value)
            for run, metric, value in every
        )

    @cached_property
    def weights(self) -> Floats:
        """Weight of each value in a fit, shape (n values,)."""
        keys = [_key(self.cases[run], metric) for run, metric in zip(self.run, self.metrics, strict=True)]
        repeats = Counter(keys)
        own = np.array([repeats[key] ** -REPEATED for key in keys])
        totals: dict[str, float] = defaultdict(float)
        for key, weight in zip(keys, own, strict=True):
            totals[key[0]] += float(weight)
        return np.asarray(own * [np.sqrt(LARGE_SOURCE / max(totals[key[0]], LARGE_SOURCE / 4.0)) for key in keys])

    def fit(self, fit_rows: RowMask) -> Parameters:
        """Coefficients fitted on ``fit_rows`` only, starting from the priors."""
        start = at_priors(shipped_parameters(self.name))
        index = np.flatnonzero(fit_rows)
        measured, ratios = np.log(np.array(self.measured)[index]), self._ratios_of({self.rows[n].source for n in index})
        weights = np.concatenate([self.weights[index], np.full(int(ratios.sum()), COMPARED)])

        def residuals(values: Floats) -> Floats:
            known = start.with_fitted(values)
            own = np.log(self.predict(known)[index]) - measured
            return own if self.compared is None else np.concatenate([own, self.compared.residuals(known)[ratios]])

        return start.with_fitted(fit_values(start.fitted, residuals, weights, noise=NOISE))

    def _ratios_of(self, sources: set[str]) -> RowMask:
        """Which of the compared runs come from some sources."""
        names = self.compared.source if self.compared else ()
        return np.array([name in sources for name in names], dtype=np.bool_)

    def predict(self, parameters: Parameters) -> Floats:
        """Likely value of every row in its metric's unit, shape (n values,)."""
        return self._in_metric(self.data.tokens_per_s_per_chip(parameters), self.data.held_gib(parameters))

    def baseline(self, fit_rows: RowMask) -> Floats:
        """One MFU for each chip, and what weights with their states take, times one factor."""
        work = self.data.work
        flops = model_flops_per_token(self.data.model, work.sequence_length) * (1.0 - work.is_lora / 3.0)
        peak = np.array([as_trained(c.system.accelerator, _job(c).precision).peak_flops for c in self.cases])
        held = self.data.peak(shipped_parameters(self.name))
        plain = self._in_metric(peak / flops, (held.weights + held.optimizer + held.gradients) / GIB)
        chips = [(self.rows[n].hardware, metric == MEMORY) for n, metric in enumerate(self.metrics)]
        wider = [(metric == MEMORY,) for metric in self.metrics]
        turned = np.where(self._is_time, -1.0, 1.0)
        ratios = (np.array(self.measured) / plain) ** turned
        return np.asarray(plain * median_ratios(chips, wider, ratios, fit_rows) ** turned)

    @cached_property
    def _is_time(self) -> RowMask:
        return is_time(self.metrics)

    def _in_metric(self, tokens_per_s_per_chip: Floats, memory_gib: Floats) -> Floats:
        run, names, work = np.array(self.run, dtype=np.intp), np.array(self.metrics), self.data.work
        speed = tokens_per_s_per_chip[run]
        of_step = (work.tokens_per_step / self.data.fleet.n_chips)[run]
        in_unit = [memory_gib[run], of_step / speed, speed / work.sequence_length[run]]
        return np.select([names == MEMORY, self._is_time, names == "samples_per_s_per_chip"], in_unit, speed)


def _key(case: MeasuredCase, metric: str) -> tuple[str, ...]:
    job = _job(case)
    return (
        source_of(case.row), case.row.text("model"), str(case.system.n_chips), job.method, job.frozen_weights,
        job.kernels, str(round(np.log2(job.sequence_length))), str(metric == MEMORY),
    )  # fmt: skip


def finetuning_study(table: MeasuredTable, catalogue: Catalogue) -> FineTuningStudy:
    """The study of every row that can be predicted: of each its first speed, and its memory."""
    every = [any_case_of(row, "finetune", catalogue) for row in table.rows]
    cases = [case for case in every if isinstance(case, MeasuredCase) and said(case)]
    answers = predict_cases(cases)
    layouts = [answers[case.row.text("id")].layout for case in cases]
    values = [(run, *one) for run, case in enumerate(cases) for one in _scored(case).items()]
    runs, metrics, measured = zip(*values, strict=True)
    ratios = compared(cases, layouts)
    return FineTuningStudy(tuple(cases), tuned_rows(cases, layouts), runs, metrics, measured, ratios)


def said(case: MeasuredCase) -> dict[str, float]:
    """Measured values of which something can be said."""
    return {name: value for name, value in case.row.measured(FINETUNING_METRICS).items() if name not in case.unsaid}


def _scored(case: MeasuredCase) -> dict[str, float]:
    """The first of the speeds, which are one measurement, and the memory."""
    known = said(case)
    first = next((name for name in TRAINING_METRICS if name in known), "")
    return {name: value for name, value in known.items() if name in (first, MEMORY)}


def family_of(case: MeasuredCase) -> str:
    """The line of a run on the accuracy page: full, lora or qlora."""
    return _job(case).method
