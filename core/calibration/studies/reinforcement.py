"""Measured steps of reinforcement learning as a study: phases by the engines, and the few coefficients over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import starmap

import numpy as np

from core.calibration.measured.case import any_case_of
from core.calibration.measured.formats import as_run, as_trained
from core.calibration.measured.reinforcement import ReinforcementCase
from core.calibration.measured.table import MeasuredTable
from core.calibration.scored_rows import ROOM, ScoredRow, source_of
from core.calibration.studies.least_squares import fit_values
from core.calibration.studies.study import RowMask, StudyRow, Units, at_priors, median_ratios
from core.catalogue.catalogue import Catalogue
from core.ranges import Range
from core.throughput.correction import NO_CORRECTIONS
from core.throughput.model_shape import Floats, shape_of
from core.throughput.parameters import Parameters, shipped_parameters
from core.throughput.reinforcement.phases import Phases, phase_times_s, step_s
from core.throughput.reinforcement.predict import Asked, Tried, tried_of
from core.throughput.transformer_work import model_flops_per_token
from core.throughput.types import Layout
from core.throughput.uncertainty import SpreadKey, is_calibrated, shipped_factors

NOISE = 0.2
"""Natural logarithm that rows differ by beyond the equations: steps are means over few, of answers of other lengths."""
OF_STEP = ("tokens_per_s_per_chip", "step_time_s")
_PARTS = {"rollout_s": "rollout", "train_s": "training", "sync_s": "sync"}
"""Metric -> phase; times of single passes are scoring over its passes."""
_PASSES = ("logprob_s", "ref_s")
WAITS = "async: the time that training waited, not that of the answers"


@dataclass(frozen=True, slots=True)
class Ran:
    """A case with what the engines say of its phases: the row of its shortest step."""

    case: ReinforcementCase
    phases: Phases


def ran(case: ReinforcementCase) -> Ran | str:
    """The phases of a case on the layouts it states, else on those found; or why nothing can be said."""
    known = shipped_parameters("reinforcement")
    tried = None
    for layout, answering, room in (
        (case.layout, case.answering_layout, 1.0),
        (None, case.answering_layout, 1.0),
        (None, None, 1.0),
        (None, None, ROOM),
    ):
        tried = _tried(case, layout, answering, room)
        row = tried.best(1, step_s(tried.phases, known))[0]
        if row >= 0 and tried.fits[row] > 0:
            return Ran(case, tried.phases.take(np.array([row])))
    return str(tried.trained[0].reasons[0].text) if tried and tried.trained[0].reasons else "the weights do not fit"


def _tried(case: ReinforcementCase, layout: Layout | None, answering: Layout | None, room: float) -> Tried:
    asked = Asked(
        case.model, case.job, case.stack, NO_CORRECTIONS, as_trained, as_trained, layout, answering, room,
        case.is_one_process,
    )  # fmt: skip
    return tried_of(asked, [case.system])


def values_of(case: ReinforcementCase, phases: Phases, known: Parameters) -> dict[str, Floats]:
    """What every metric comes to, shape (n rows,) each, for rows of one case."""
    step, times = step_s(phases, known), phase_times_s(phases, known)
    one_pass = times["scoring"] / np.maximum(phases.forward_passes, 1e-9)
    per_chip = case.job.tokens_per_step / case.system.n_chips
    return {
        "step_time_s": step,
        "tokens_per_s_per_chip": per_chip / step,
        **{metric: times[part] for metric, part in _PARTS.items()},
        **dict.fromkeys(_PASSES, one_pass),
    }


@dataclass(frozen=True)
class ReinforcementStudy:
    """Steps with what they took; ``phases`` are those of the shipped engines, frozen while coefficients move."""

    cases: tuple[ReinforcementCase, ...]
    metrics: tuple[str, ...]
    measured: tuple[float, ...]
    phases: Phases
    name: str = "reinforcement"

    @cached_property
    def rows(self) -> tuple[StudyRow, ...]:
        """Measured values in order."""
        return tuple(starmap(_study_row, zip(self.cases, self.metrics, self.measured, strict=True)))

    @cached_property
    def weights(self) -> Floats:
        """Rows of one configuration weigh ``n ** 0.5`` together: versions of one recipe repeat it."""
        ran_on = [(case.system.accelerator.id, case.system.n_chips, case.job.placement) for case in self.cases]
        keyed = [
            (metric, source_of(case.row), case.model.name, cluster)
            for case, metric, cluster in zip(self.cases, self.metrics, ran_on, strict=True)
        ]
        return np.array([keyed.count(key) ** -0.5 for key in keyed])

    def fit(self, fit_rows: RowMask) -> Parameters:
        """Coefficients fitted on ``fit_rows`` only, starting from the priors."""
        start, index = at_priors(shipped_parameters(self.name)), np.flatnonzero(fit_rows)
        measured = np.log(np.array(self.measured)[index])

        def residuals(values: Floats) -> Floats:
            return np.asarray(np.log(self.predict(start.with_fitted(values))[index]) - measured)

        return start.with_fitted(fit_values(start.fitted, residuals, self.weights[index], noise=NOISE))

    def predict(self, parameters: Parameters) -> Floats:
        """Likely value of every row in its metric's unit, shape (n rows,)."""
        step, times = step_s(self.phases, parameters), phase_times_s(self.phases, parameters)
        values = {
            "step_time_s": step,
            "tokens_per_s_per_chip": self._tokens_per_chip / step,
            **{metric: times[part] for metric, part in _PARTS.items()},
            **dict.fromkeys(_PASSES, times["scoring"] / np.maximum(self.phases.forward_passes, 1e-9)),
        }
        return np.array([values[metric][n] for n, metric in enumerate(self.metrics)])

    def baseline(self, fit_rows: RowMask) -> Floats:
        """One share of peak for all tokens of a step, or of a phase: ``tokens x FLOPs / (share x chips x peak)``."""
        is_time = np.array([metric != "tokens_per_s_per_chip" for metric in self.metrics])
        units = Units(self._at_peak, is_time)
        kinds = ["step" if metric in OF_STEP else metric for metric in self.metrics]
        chips = [(case.system.accelerator.id, kind) for case, kind in zip(self.cases, kinds, strict=True)]
        return units.in_metric(median_ratios(chips, kinds, units.speed(np.array(self.measured)), fit_rows))

    @cached_property
    def _tokens_per_chip(self) -> Floats:
        return np.array([case.job.tokens_per_step / case.system.n_chips for case in self.cases])

    @cached_property
    def _at_peak(self) -> Floats:
        pairs = zip(self.cases, self.metrics, strict=True)
        return np.array([plain_value(case, metric) for case, metric in pairs])


def plain_value(case: ReinforcementCase, metric: str) -> float:
    """The metric if all tokens of a step were trained on at the peak of the chips."""
    peak = as_run(case.system.accelerator, case.job.precision).peak_flops
    flops = float(model_flops_per_token(shape_of(case.model), case.job.mean_sequence))
    per_chip = peak / flops
    return per_chip if metric == "tokens_per_s_per_chip" else case.job.tokens_per_step / case.system.n_chips / per_chip


def reinforcement_study(table: MeasuredTable, catalogue: Catalogue) -> ReinforcementStudy:
    """The study of every row that can be predicted: its step, and the phases that it times."""
    cases = [case for row in table.rows if isinstance(case := any_case_of(row, row.work, catalogue), ReinforcementCase)]
    runs = [run for case in cases if isinstance(run := ran(case), Ran)]
    every = [(run, metric, value) for run in runs for metric, value in scored_metrics(run.case).items()]
    return ReinforcementStudy(
        tuple(run.case for run, _, _ in every),
        tuple(metric for _, metric, _ in every),
        tuple(value for _, _, value in every),
        joined([run.phases for run, _, _ in every]),
    )


def joined(phases: Sequence[Phases]) -> Phases:
    """Rows of several records one below the other."""
    return Phases(**{f.name: np.concatenate([getattr(one, f.name) for one in phases]) for f in fields(Phases)})


def scored_metrics(case: ReinforcementCase) -> dict[str, float]:
    """What a row measured, once a step: its time or, without it, its speed; waits of overlapped phases left out."""
    measured = case.row.measured()
    if "step_time_s" in measured:
        measured.pop("tokens_per_s_per_chip", None)
    if case.job.is_overlapped:
        measured.pop("rollout_s", None)
    return measured


def family_of(case: ReinforcementCase) -> str:
    """Line of the accuracy page: ``tpu``, ``moe`` or ``dense``."""
    return "tpu" if case.system.accelerator.kind == "tpu" else "moe" if case.model.is_moe else "dense"


def _study_row(case: ReinforcementCase, metric: str, value: float) -> StudyRow:
    return StudyRow.of(case.row, case.system, family_of(case), metric, value)


def scored_reinforcement(cases: Sequence[ReinforcementCase]) -> dict[str, list[ScoredRow]]:
    """Entries of every case by row id, with the shipped coefficients."""
    return {case.row.text("id"): _scored(case) for case in cases}


def _scored(case: ReinforcementCase) -> list[ScoredRow]:
    run, measured = ran(case), case.row.measured()
    if isinstance(run, str):
        return [ScoredRow.left_out(case.row, metric, value, run) for metric, value in measured.items()]
    likely = values_of(case, run.phases, shipped_parameters("reinforcement"))
    return [_entry(case, metric, value, float(likely[metric][0])) for metric, value in measured.items()]


def _entry(case: ReinforcementCase, metric: str, measured: float, likely: float) -> ScoredRow:
    if metric == "rollout_s" and case.job.is_overlapped:
        return ScoredRow.left_out(case.row, metric, measured, WAITS)
    if likely <= 0:
        return ScoredRow.left_out(case.row, metric, measured, "no such phase in this algorithm")
    chip, n_chips = case.system.accelerator.id, case.system.n_chips
    key = SpreadKey("reinforcement", family_of(case), is_calibrated("reinforcement", chip), True, n_chips)
    low, high = shipped_factors(key)
    ends = (low, high) if metric == "tokens_per_s_per_chip" else (1.0 / high, 1.0 / low)
    return ScoredRow.of(case.row, metric, measured, Range(likely * ends[0], likely, likely * ends[1]))
