"""Predictions of measured cases, many at once, each on the layout that its row gives as far as it gives one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from core.calibration.measured_case import MeasuredCase
from core.throughput.predict import predict
from core.throughput.types import Layout, Throughput
from core.workload.job import FineTuning, Job, PreTraining
from core.workload.profile import Stack

ROOM = 16.0
"""Times the memory that a run without a fitting layout is predicted with."""


def predict_cases(cases: Sequence[MeasuredCase]) -> dict[str, Throughput]:
    """Answers by row id: rows of one profile and layout together; without fit, again on any layout, then with room."""
    found = _predict_grouped([(case, case.layout) for case in cases])
    again = [case for case in cases if case.layout is not None and not found[case.row.text("id")].fits]
    found |= _predict_grouped([(case, _freed(case.layout)) for case in again if case.layout is not None])
    tight = [case for case in cases if not found[case.row.text("id")].fits]
    return found | _predict_grouped([(_with_room(case), None) for case in tight if _is_training(case)])


def _is_training(case: MeasuredCase) -> bool:
    return isinstance(case.profile.job, PreTraining | FineTuning)


def _with_room(case: MeasuredCase) -> MeasuredCase:
    """A training run on chips of plenty of memory: it did fit, by means that its row does not state."""
    chip = case.system.accelerator
    roomy = chip.model_copy(update={"memory_gb": chip.memory_gb * ROOM})
    return replace(case, system=replace(case.system, accelerator=roomy))


def _freed(layout: Layout) -> Layout | None:
    """A layout that leaves the batch to the engine, when serving; none when training."""
    return Layout(tp=layout.tp, pp=layout.pp, replicas=layout.replicas, max_batch=0) if layout.max_batch else None


def _predict_grouped(work: list[tuple[MeasuredCase, Layout | None]]) -> dict[str, Throughput]:
    groups: dict[tuple[object, Job, Stack, Layout | None], list[MeasuredCase]] = defaultdict(list)
    for case, layout in work:
        groups[case.profile.model, case.profile.job, case.profile.stack, layout].append(case)
    answers: dict[str, Throughput] = {}
    for (*_, layout), cases in groups.items():
        results = predict(cases[0].profile, [case.system for case in cases], layout=layout)
        answers |= {case.row.text("id"): result for case, result in zip(cases, results, strict=True)}
    return answers
