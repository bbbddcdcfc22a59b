"""The door of the engine: throughput of one profile on many systems, each on its best layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from core.throughput.chips.run_formats import RunsIn, answering_formats, planned_formats
from core.throughput.correction import NO_CORRECTIONS, Corrections, RunsOn
from core.throughput.input_pipeline import input_sample_of, input_sample_of_network, with_input_bound
from core.throughput.measured import AS_TAKEN, Measured, term_notes
from core.throughput.refusals import nothing
from core.throughput.reinforcement.predict import Asked, predict_reinforcement
from core.throughput.samples.predict import predict_samples
from core.throughput.serving.predict import predict_serving
from core.throughput.training.offload import with_offload
from core.throughput.training.predict import predict_training
from core.throughput.types import Layout, Reason, System, Throughput
from core.workload.jobs.kinds import InferenceJob, ReinforcementLearning, TrainingJob
from core.workload.models.network import NetworkModel
from core.workload.profile import Profile

_NO_ANSWERS = Reason(
    "job", "Reinforcement learning is for models that answer in tokens", "Choose a language model, or fine-tuning"
)


def predict(
    profile: Profile,
    systems: Sequence[System],
    corrections: Corrections = NO_CORRECTIONS,
    layout: Layout | None = None,
    runs_in: RunsIn | None = None,
) -> list[Throughput]:
    """Predicts every system, in the order given; the layout is searched unless one is given.

    All layouts of all systems are evaluated at once in arrays. A system on which nothing fits is answered with
    ``fits=False``, a reason and the nearest change. Serving systems are single units: how many are needed side by
    side for a load is the caller's question. Formats run as the profile's software makes them, or as ``runs_in`` says
    of runs that did happen; a chip whose software has no such format is refused.
    """
    if not systems:
        return []
    if not corrections.terms:
        return _predicted(profile, systems, corrections, layout, runs_in)
    known = [replace(one, measured=_measured(profile, one, corrections)) for one in systems]
    return [_as_measured(answer) for answer in _predicted(profile, known, corrections, layout, runs_in)]


def _measured(profile: Profile, system: System, corrections: Corrections) -> Measured:
    """What logs say of this workload on a system."""
    run = profile.job.training
    chip, n_params = system.accelerator.id, profile.model.n_params
    storage = run.storage if run else None
    here = RunsOn(chip, profile.job.work, n_params, system.n_hosts, system.network_gbit_per_s, storage)
    measured = corrections.measured_of(here)
    return measured if profile.job.trains else replace(measured, memory=1.0)


def _as_measured(answer: Throughput) -> Throughput:
    """Memory of a model as its logs showed it, and words on everything that logs say of the system."""
    measured = answer.system.measured
    if measured == AS_TAKEN:
        return answer
    memory = {part: gib * measured.memory for part, gib in answer.memory_gib.items()}
    capacity = answer.memory_capacity_gib * measured.memory
    return replace(
        answer, memory_gib=memory, memory_capacity_gib=capacity, notes=(*answer.notes, *term_notes(measured))
    )


def _predicted(
    profile: Profile,
    systems: Sequence[System],
    corrections: Corrections,
    layout: Layout | None,
    runs_in: RunsIn | None,
) -> list[Throughput]:
    job, model, runs_in = profile.job, profile.model, runs_in or planned_formats(profile)
    if isinstance(model, NetworkModel):
        if job.is_post_training:
            return [nothing(system, _NO_ANSWERS, job.compute_precision) for system in systems]
        answers = predict_samples(model, job, profile.stack, systems, corrections, runs_in)
        run = job.training
        return with_input_bound(run, input_sample_of_network(run, model.family), answers) if run else answers
    match job:
        case ReinforcementLearning():
            answers_in = answering_formats(job.rollout_engine)
            return predict_reinforcement(Asked(model, job, profile.stack, corrections, runs_in, answers_in), systems)
        case TrainingJob():
            trained = predict_training(model, job, systems, corrections, layout, profile.stack, runs_in)
            trained = with_offload(model, job.finetuned, trained)
            return with_input_bound(job, input_sample_of(job, model.vocab_size), trained)
        case InferenceJob():
            year = profile.stack.software_year
            return predict_serving(model, job, systems, corrections, layout, year, runs_in)
        case _:
            assert_never(job)
