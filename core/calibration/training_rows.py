"""Measured training rows as arrays: the run of each and what it reached, for fitting and for judging."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from core.calibration.measured_case import MeasuredCase
from core.throughput.fleet import Fleet, Ints, fleet_of
from core.throughput.layouts import Layouts, as_rows
from core.throughput.parameters import Parameters
from core.throughput.shape import Floats, ModelShape, shape_of, shapes_of
from core.throughput.training import step_terms
from core.throughput.training_rates import ChipFacts, StackOfRun, facts_of, rates_of
from core.throughput.training_work import TrainingWork, work_of, works_of
from core.throughput.types import Layout
from core.workload.job import FineTuning, PreTraining
from core.workload.model import TransformerModel


@dataclass(frozen=True)
class TrainingRows:
    """Runs as arrays, shape (n rows,); layouts are frozen while coefficients move."""

    model: ModelShape
    work: TrainingWork
    fleet: Fleet
    facts: ChipFacts
    stack: StackOfRun
    layouts: Layouts

    def take(self, index: Ints) -> TrainingRows:
        """Some of the rows."""
        work = {field.name: getattr(self.work, field.name)[index] for field in fields(TrainingWork)}
        return TrainingRows(
            model=self.model.take(index),
            work=TrainingWork(**work),
            fleet=self.fleet.take(index),
            facts=self.facts.take(index),
            stack=StackOfRun([self.stack.names[n] for n in index], self.stack.year[index]),
            layouts=self.layouts.take(index),
        )

    def tokens_per_s_per_chip(self, known: Parameters) -> Floats:
        """Likely speed of every row under the coefficients."""
        rates = rates_of(self.facts, self.stack, known)
        terms = step_terms(self.model, self.work, self.fleet, rates, self.layouts)
        return np.asarray(self.work.tokens_per_step / np.sum(list(terms.values()), axis=0) / self.fleet.n_chips)


def training_rows(cases: Sequence[MeasuredCase], layouts: Sequence[Layout], known: Parameters) -> TrainingRows:
    """The runs of the cases on the layouts found for them, in order."""
    models, jobs, systems = [], [], []
    for case in cases:
        model, job = case.profile.model, case.profile.job
        if not isinstance(model, TransformerModel) or not isinstance(job, PreTraining | FineTuning):
            raise TypeError("a row of training runs a transformer")
        models.append(model)
        jobs.append(job)
        systems.append(case.system)
    fleets = [fleet_of([system], job.precision) for system, job in zip(systems, jobs, strict=True)]
    return TrainingRows(
        model=shapes_of(models),
        work=works_of([work_of(shape_of(model), job) for model, job in zip(models, jobs, strict=True)]),
        fleet=Fleet(**{f.name: np.concatenate([getattr(fleet, f.name) for fleet in fleets]) for f in fields(Fleet)}),
        facts=facts_of(systems, [job.precision for job in jobs], known),
        stack=StackOfRun(
            [case.profile.stack.training_stack for case in cases],
            np.array([float(case.profile.stack.software_year) for case in cases]),
        ),
        layouts=as_rows(layouts),
    )
