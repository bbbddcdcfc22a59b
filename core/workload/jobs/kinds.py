"""The job: pre-training, fine-tuning, batch inference or online serving, told apart by ``kind``."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from core.workload.jobs.base import DATA_KIND_WORDS, PRECISION_WORDS, RECOMPUTE_WORDS, STORAGE_WORDS, Precision
from core.workload.jobs.inference import BatchInference, OnlineServing
from core.workload.jobs.training import FineTuning, PreTraining

__all__ = [
    "DATA_KIND_WORDS",
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
    "TrainingJob",
]

TrainingJob = PreTraining | FineTuning
InferenceJob = BatchInference | OnlineServing
Job = Annotated[PreTraining | FineTuning | BatchInference | OnlineServing, Field(discriminator="kind")]
JOB_WORDS = {
    "pretraining": "Pre-training",
    "finetuning": "Fine-tuning",
    "batch_inference": "Batch inference",
    "online_serving": "Online serving",
}
