"""The job: training, fine-tuning, reinforcement learning, batches or online serving, told apart by ``kind``.

A further kind is a class that answers the traits of :class:`~core.workload.jobs.base.JobBase` and a name in ``AnyJob``;
the few places that choose an algorithm by kind then fail to type-check until they know it.
"""

from __future__ import annotations

from typing import Annotated, get_args

from pydantic import Field

from core.workload.jobs.base import (
    DATA_KIND_WORDS,
    ENGINE_WORDS,
    PRECISION_WORDS,
    RECOMPUTE_WORDS,
    STORAGE_WORDS,
    Precision,
    TimeLimits,
)
from core.workload.jobs.inference import BatchInference, InferenceJob, OnlineServing
from core.workload.jobs.reinforcement import ReinforcementLearning
from core.workload.jobs.training import FineTuning, PreTraining, TrainingJob

__all__ = [
    "DATA_KIND_WORDS",
    "ENGINE_WORDS",
    "JOB_KINDS",
    "JOB_WORDS",
    "PRECISION_WORDS",
    "RECOMPUTE_WORDS",
    "STORAGE_WORDS",
    "BatchInference",
    "FineTuning",
    "InferenceJob",
    "Job",
    "OnlineServing",
    "PreTraining",
    "Precision",
    "ReinforcementLearning",
    "TimeLimits",
    "TrainingJob",
]

AnyJob = PreTraining | FineTuning | ReinforcementLearning | BatchInference | OnlineServing
Job = Annotated[AnyJob, Field(discriminator="kind")]
JOB_KINDS: dict[str, type[AnyJob]] = {one.model_fields["kind"].default: one for one in get_args(AnyJob)}
JOB_WORDS = {kind: job.words.kind for kind, job in JOB_KINDS.items()}
