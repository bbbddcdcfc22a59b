"""Moments of a paged optimiser that find no room on their chip: what moving them to host memory and back takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.throughput.model_shape import Floats, ModelShape
from core.throughput.parameters import shipped_parameters
from core.throughput.training.layouts import Layouts
from core.throughput.training.memory import paged_out_bytes
from core.throughput.types import System
from core.workload.jobs.kinds import FineTuning


@dataclass(frozen=True)
class Paging:
    """A job on systems, one value each: bytes that a chip holds, and bytes/s that it copies to its host."""

    model: ModelShape
    job: FineTuning
    capacity_bytes: Floats
    link_bytes_per_s: Floats

    def step_s(self, rows: Layouts) -> Floats:
        """Seconds of a step of each row: moments make room for what peaks before, and come back to be updated.

        ``2 E / PCIe`` for the E bytes that find no room; the chip itself updates them.
        """
        _, moved = paged_out_bytes(self.model, self.job, rows, self.capacity_bytes[rows.system])
        return np.asarray(2.0 * moved / self.link_bytes_per_s[rows.system])


def paging_of(
    model: ModelShape, job: FineTuning | None, systems: Sequence[System], capacity_bytes: Floats
) -> Paging | None:
    """The paging of a job on systems; None for an optimiser that stays where it is."""
    if job is None or not job.is_paged:
        return None
    rates = np.array([copy_bytes_per_s(system) for system in systems], dtype=np.float64)
    return Paging(model, job, capacity_bytes, rates)


def copy_bytes_per_s(system: System) -> float:
    """What a chip copies to its host or back, in bytes/s."""
    return system.accelerator.pcie_gbps * 1e9 * shipped_parameters("host")["pcie_copy_share"]
