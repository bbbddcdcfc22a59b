"""Which memory a fine-tuning row measured, and what the engine says of it."""

from __future__ import annotations

import numpy as np

from core.calibration.measured.table import MeasuredRow
from core.throughput.chips.fleet import Floats
from core.throughput.parameters import Parameters
from core.throughput.training.finetuning_memory import TuningPeak, reserve_bytes
from core.units import GIB

KINDS_OF_MEMORY = ("allocated", "reserved", "device")
"""By a framework's tensors, by its allocator, by the driver."""


def kind_of_memory(row: MeasuredRow) -> str:
    """What was read; where that is not told, what the allocator holds, as trainers log it."""
    text = row.text("mem_kind").lower()
    if "nvidia-smi" in text or "driver" in text:
        return "device"
    return "allocated" if "alloc" in text or "torch peak" in text else "reserved"


def held_gib(peak: TuningPeak, kinds: Floats, capacity_bytes: Floats, known: Parameters) -> Floats:
    """GiB of the fullest chip by what was read, ``kinds`` pointing into :data:`KINDS_OF_MEMORY`, shape (n rows,).

    A driver shows no more than there is: allocators give back what they keep before they fail.
    """
    reserved = peak.allocated + known["gaps_reserved"] * peak.comes_and_goes
    device = np.minimum(peak.allocated + reserve_bytes(peak, known, "gaps_device"), capacity_bytes)
    held = np.select([kinds == 0, kinds == 1], [peak.allocated, np.minimum(reserved, capacity_bytes)], device)
    return np.asarray(held / GIB)
