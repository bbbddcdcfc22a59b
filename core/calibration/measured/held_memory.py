"""Which memory a fine-tuning row measured, and what the engine says of it."""

from __future__ import annotations

import numpy as np

from core.calibration.measured.case import MeasuredCase
from core.calibration.measured.finetuning import are_lengths_open, facts_of_run, longest_sequence
from core.calibration.measured.table import MeasuredRow
from core.throughput.model_shape import Floats, shape_of
from core.throughput.parameters import Parameters, shipped_parameters
from core.throughput.training.finetuning_memory import TuningPeak, reserve_bytes, tuning_peak
from core.throughput.training.layouts import as_rows
from core.throughput.types import Layout
from core.units import GIB
from core.workload.models.transformer import TransformerModel

KINDS_OF_MEMORY = ("allocated", "reserved", "varied", "device")
"""By a framework's tensors, by its allocator, the same where lengths vary from batch to batch, by the driver."""
FEW_GAPS_FROM = "2025"
"""Allocators of later software keep next to no gaps where lengths vary, as the rows of Hugging Face PEFT show."""


def kind_of_memory(row: MeasuredRow) -> str:
    """What was read; where that is not told, what the allocator holds, as trainers log it."""
    text = row.text("mem_kind").lower()
    if "nvidia-smi" in text or "driver" in text:
        return "device"
    if "alloc" in text or "torch peak" in text:
        return "allocated"
    return "varied" if are_lengths_open(row) and row.text("date") < FEW_GAPS_FROM else "reserved"


def held_by_run(case: MeasuredCase, layout: Layout) -> float:
    """GiB that the case would have read on a layout; NaN for a run that is not fine-tuned."""
    model, run, known = case.profile.model, case.profile.job.training, shipped_parameters("finetune")
    job = run.finetuned if run else None
    if not isinstance(model, TransformerModel) or job is None:
        return float("nan")
    shape, longest = shape_of(model), np.array([float(longest_sequence(case.row))])
    batch = np.array([float(job.global_batch_sequences)])
    peak = tuning_peak(shape, facts_of_run(case.row, shape, job), known, as_rows([layout]), longest, batch)
    kind = np.array([float(KINDS_OF_MEMORY.index(kind_of_memory(case.row)))])
    capacity = np.array([case.system.accelerator.memory_gb / case.slack * GIB])
    return float(held_gib(peak, kind, capacity, known)[0])


def held_gib(peak: TuningPeak, kinds: Floats, capacity_bytes: Floats, known: Parameters) -> Floats:
    """GiB of the fullest chip by what was read, ``kinds`` pointing into :data:`KINDS_OF_MEMORY`, shape (n rows,).

    A driver shows no more than there is: allocators give back what they keep before they fail.
    """
    gaps = np.select([kinds == 1, kinds == 2], [known["gaps_reserved"], known["gaps_varied"]], 0.0)
    of_device = peak.allocated_bytes + reserve_bytes(peak, known)
    held = np.where(
        kinds == KINDS_OF_MEMORY.index("device"), of_device, peak.allocated_bytes + gaps * peak.comes_and_goes
    )
    return np.asarray(np.where(kinds == 0, held, np.minimum(held, capacity_bytes)) / GIB)
