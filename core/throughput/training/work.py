"""What a training job asks of the equations, as numbers for one job or arrays over measured rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.constants import BYTES_PER_NARROW_VALUE, BYTES_PER_WIDE_VALUE
from core.rows import Rows
from core.throughput.model_shape import Floats, ModelShape
from core.throughput.parameters import shipped_parameters
from core.throughput.training.finetuning import TuningWork, facts_of_tuning, tuning_work
from core.throughput.transformer_work import trained_params
from core.workload.jobs.kinds import TrainingJob

FULL_WIDTH = ("fp32", "tf32")
"""Precisions whose activations are kept in four bytes a value."""


@dataclass(frozen=True)
class TrainingWork(Rows):
    """Numbers of a job, shape () or (n rows,).

    ``is_lora``: 1 where only adapters are trained; ``trained_share``: trained over all weights;
    ``value_bytes``: bytes of an activation; ``tuning``: what fine-tuning by means of its own adds.
    """

    sequence_length: Floats
    global_batch: Floats
    is_lora: Floats
    trained_share: Floats
    value_bytes: Floats
    tuning: TuningWork | None = None

    @property
    def tokens_per_step(self) -> Floats:
        """Tokens of one optimiser step."""
        return np.asarray(self.sequence_length * self.global_batch)


def work_of(model: ModelShape, job: TrainingJob) -> TrainingWork:
    """The numbers of one job on one model, every one of shape ()."""
    return TrainingWork(
        sequence_length=np.asarray(float(job.sequence_length)),
        global_batch=np.asarray(float(job.global_batch_sequences)),
        is_lora=np.asarray(float(job.adapter_rank is not None)),
        trained_share=np.asarray(trained_params(model, job) / model.n_params),
        value_bytes=np.asarray(BYTES_PER_WIDE_VALUE if job.precision in FULL_WIDTH else BYTES_PER_NARROW_VALUE),
        tuning=_tuning(model, job),
    )


def _tuning(model: ModelShape, job: TrainingJob) -> TuningWork | None:
    if job.finetuned is None:
        return None
    return tuning_work(model, facts_of_tuning(model, job.finetuned), shipped_parameters("finetune"))


def works_of(works: list[TrainingWork]) -> TrainingWork:
    """Many jobs of plain training as one, every number of shape (n rows,)."""
    names = ("sequence_length", "global_batch", "is_lora", "trained_share", "value_bytes")
    sequence, batch, is_lora, share, width = (
        np.array([float(getattr(work, name)) for work in works]) for name in names
    )
    return TrainingWork(sequence, batch, is_lora, share, width)
