"""Measured training rows of transformers as arrays and as a study: fitted, predicted and compared with a plain rule."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import starmap

import numpy as np

from core.calibration.measured.case import MeasuredCase, any_case_of
from core.calibration.measured.formats import as_trained
from core.calibration.measured.model import usual_model
from core.calibration.measured.table import TRAINING_METRICS, MeasuredRow
from core.calibration.scored_rows import predict_cases, source_of
from core.calibration.studies.least_squares import fit_values
from core.calibration.studies.study import RowMask, StudyRow, Units, at_priors, is_time, median_ratios
from core.catalogue.catalogue import Catalogue
from core.rows import Rows
from core.throughput.chips.fleet import Fleet, fleet_of
from core.throughput.model_shape import Floats, ModelShape, shape_of, shapes_of
from core.throughput.parameters import Parameters, shipped_parameters
from core.throughput.training.layouts import Layouts, as_rows
from core.throughput.training.rates import ChipFacts, StackOfRun, facts_of, rates_of
from core.throughput.training.step import step_terms
from core.throughput.training.work import TrainingWork, work_of, works_of
from core.throughput.transformer_work import model_flops_per_token
from core.throughput.types import Layout
from core.workload.models.transformer import TransformerModel


@dataclass(frozen=True)
class TrainingRows(Rows):
    """Runs as arrays, shape (n rows,); layouts are frozen while coefficients move."""

    model: ModelShape
    work: TrainingWork
    fleet: Fleet
    facts: ChipFacts
    stack: StackOfRun
    layouts: Layouts

    def tokens_per_s_per_chip(self, known: Parameters) -> Floats:
        """Likely speed of every row under the coefficients."""
        rates = rates_of(self.facts, self.stack, known)
        terms = step_terms(self.model, self.work, self.fleet, rates, self.layouts)
        return np.asarray(self.work.tokens_per_step / np.sum(list(terms.values()), axis=0) / self.fleet.n_chips)


def training_rows(cases: Sequence[MeasuredCase], layouts: Sequence[Layout], known: Parameters) -> TrainingRows:
    """The runs of the cases on the layouts found for them, in order. Raises TypeError for one without a transformer."""
    models, jobs, systems = [], [], []
    for case in cases:
        model, job = case.profile.model, case.profile.job.training
        if not isinstance(model, TransformerModel) or job is None:
            raise TypeError("a row of training runs a transformer")
        models.append(model)
        jobs.append(job)
        systems.append(case.system)
    fleets = [fleet_of([system], job.precision, as_trained) for system, job in zip(systems, jobs, strict=True)]
    return TrainingRows(
        model=shapes_of(models),
        work=works_of([work_of(shape_of(model), job) for model, job in zip(models, jobs, strict=True)]),
        fleet=Fleet(**{f.name: np.concatenate([getattr(fleet, f.name) for fleet in fleets]) for f in fields(Fleet)}),
        facts=facts_of([system.accelerator for system in systems], [job.precision for job in jobs], known, as_trained),
        stack=StackOfRun(
            [case.profile.stack.training_stack for case in cases],
            np.array([case.profile.stack.released for case in cases]),
            np.array([float(case.layout is None) for case in cases]),
        ),
        layouts=as_rows(layouts),
    )


NOISE = 0.15
"""Natural logarithm that rows differ by beyond the equations: two runs of one configuration by 6 % at the median, and
rows of one table share what their software and cluster have in common."""
REPEATED = 0.5
"""Rows of one configuration weigh ``n ** 0.5`` together: releases of one table repeat what they did not change."""
LARGE_SOURCE = 40.0
"""Weight beyond which a source's rows count less, by the square root: one table must not set every coefficient."""
SMALL_SOURCE = 10.0
OUTLYING_STACKS = ("tinygrad",)
"""Software that no class of stack stands for: predicted, but not fitted on."""
DOUBTED = {"tpu-recipes-010": 0.5, "tpu-recipes-011": 0.5}
"""Weight of rows whose published figures disagree with their neighbours."""
GUESSED_SHAPE = 0.2
"""Weight of rows that state no shape: their model has the usual proportions of its size."""


@dataclass(frozen=True)
class TrainingStudy:
    """Runs with what they reached; ``data`` holds the layouts, found with the shipped coefficients and then frozen."""

    cases: tuple[MeasuredCase, ...]
    metrics: tuple[str, ...]
    measured: tuple[float, ...]
    data: TrainingRows
    name: str = "training"
    known: Parameters | None = None
    """Coefficients with the priors to start from; the shipped ones without."""

    @cached_property
    def rows(self) -> tuple[StudyRow, ...]:
        """Measured values in order."""
        return tuple(starmap(_study_row, zip(self.cases, self.metrics, self.measured, strict=True)))

    @cached_property
    def speeds(self) -> Floats:
        """Measured tokens/s a chip, shape (n rows,)."""
        return self._units.speed(np.array(self.measured))

    @cached_property
    def weights(self) -> Floats:
        """Weight of each row in a fit, shape (n rows,)."""
        return _weights(self.cases)

    def fit(self, fit_rows: RowMask) -> Parameters:
        """Coefficients fitted on ``fit_rows`` only, starting from the priors."""
        start = at_priors(self.known or shipped_parameters(self.name))
        index = np.flatnonzero(fit_rows & (self.weights > 0))
        data, measured = self.data.take(index), np.log(self.speeds[index])

        def residuals(values: Floats) -> Floats:
            return np.asarray(np.log(data.tokens_per_s_per_chip(start.with_fitted(values))) - measured)

        return start.with_fitted(fit_values(start.fitted, residuals, self.weights[index], noise=NOISE))

    def predict(self, parameters: Parameters) -> Floats:
        """Likely value of every row in its metric's unit, shape (n rows,)."""
        return self._units.in_metric(self.data.tokens_per_s_per_chip(parameters))

    def baseline(self, fit_rows: RowMask) -> Floats:
        """One MFU for each chip: ``tokens/s = MFU peak / FLOPs per token``, medians of the rows fitted on."""
        flops = model_flops_per_token(self.data.model, self.data.work.sequence_length)
        at_peak = self.data.facts.peak_flops / flops
        chips = [case.system.accelerator.id for case in self.cases]
        return self._units.in_metric(at_peak * median_ratios(chips, [""] * len(chips), self.speeds / at_peak, fit_rows))

    @cached_property
    def _units(self) -> Units:
        """What one token/s a chip is in each row's metric, or a step's tokens a chip where that is a time."""
        times, work = is_time(self.metrics), self.data.work
        of_step = work.tokens_per_step / self.data.fleet.n_chips
        in_samples = np.array([metric == "samples_per_s_per_chip" for metric in self.metrics])
        return Units(np.where(times, of_step, np.where(in_samples, 1.0 / work.sequence_length, 1.0)), times)


def training_study(rows: Iterable[MeasuredRow], catalogue: Catalogue) -> TrainingStudy:
    """The study of every training row that a transformer can be predicted for; of each its first metric."""
    every = [any_case_of(row, "training", catalogue) for row in rows if row.work == "training"]
    cases = [case for case in every if isinstance(case, MeasuredCase) and _is_scored(case)]
    answers = predict_cases(cases)
    fitting = [case for case in cases if answers[case.row.text("id")].fits]
    firsts = [next(iter(case.row.measured(TRAINING_METRICS).items())) for case in fitting]
    layouts = [answers[case.row.text("id")].layout for case in fitting]
    data = training_rows(fitting, layouts, shipped_parameters("training"))
    return TrainingStudy(tuple(fitting), tuple(name for name, _ in firsts), tuple(value for _, value in firsts), data)


def _is_scored(case: MeasuredCase) -> bool:
    return isinstance(case.profile.model, TransformerModel) and bool(case.row.measured(TRAINING_METRICS))


def family_of(case: MeasuredCase) -> str:
    """The line of a run on the accuracy page: tpu, encoder, moe or dense. Raises TypeError without a transformer."""
    model = case.profile.model
    if not isinstance(model, TransformerModel):
        raise TypeError("a run of training has a transformer")
    if case.system.accelerator.kind == "tpu":
        return "tpu"
    return "encoder" if not model.causal else "moe" if model.is_moe else "dense"


def _study_row(case: MeasuredCase, metric: str, value: float) -> StudyRow:
    is_known = case.profile.stack.training_stack != "unknown"
    return StudyRow.of(case.row, case.system, family_of(case), metric, value, is_stack_known=is_known)


def _weights(cases: Sequence[MeasuredCase]) -> Floats:
    """Rows of one configuration share weight, and so do those of a large source."""
    keys = [(_publisher(case), case.profile.model, case.system.n_chips, _sequence(case)) for case in cases]
    repeats = Counter(keys)
    own = np.array([repeats[key] ** -REPEATED for key in keys]) * np.array([_trust(case) for case in cases])
    totals: dict[str, float] = defaultdict(float)
    for case, weight in zip(cases, own, strict=True):
        totals[_publisher(case)] += float(weight)
    of_source = np.array([LARGE_SOURCE / max(totals[_publisher(case)], SMALL_SOURCE) for case in cases])
    return np.asarray(own * np.sqrt(of_source))


def _trust(case: MeasuredCase) -> float:
    name = case.row.text("framework").lower()
    if any(word in name for word in OUTLYING_STACKS):
        return 0.0
    is_guessed = case.profile.model == usual_model(case.row.text("model"), case.row.number("params_b") or 0.0)
    return GUESSED_SHAPE if is_guessed else DOUBTED.get(case.row.text("id"), 1.0)


def _publisher(case: MeasuredCase) -> str:
    return source_of(case.row).split(":")[0]


def _sequence(case: MeasuredCase) -> tuple[str, int, str]:
    """Chip, sequence and precision of a run."""
    job = case.profile.job
    return (case.system.accelerator.id, job.context_tokens, job.compute_precision)
