"""How many chips would hold a run that a system does not hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.breath import breathe
from core.rows import numbered_rows
from core.throughput.chips.fleet import Fleet, fleet_of
from core.throughput.chips.run_formats import RunsIn
from core.throughput.model_shape import shape_of
from core.throughput.training.grid import grid_of
from core.throughput.types import System
from core.workload.jobs.kinds import TrainingJob
from core.workload.models.transformer import TransformerModel

DOUBLINGS = 7
"""Of the chips that are tried: a hundred times as many is another plan."""


def enough_chips(
    model: TransformerModel, job: TrainingJob, systems: Sequence[System], fleet: Fleet, runs_in: RunsIn
) -> list[int]:
    """The least of the next doublings of the chips of each system whose memory holds some layout; 0 for none.

    ``fleet`` holds the systems. Those alike in chips, domains and memory are asked once.
    """
    alike = np.column_stack((fleet.n_chips, fleet.domain_chips, fleet.is_torus, fleet.memory_bytes))
    number_of, firsts = numbered_rows(alike)
    if not len(firsts):
        return []
    larger = _doubled([systems[first] for first in firsts.tolist()], job, runs_in)
    grid = grid_of(larger, model, shape_of(model), job, None)
    holds = np.zeros(len(larger.n_chips), dtype=np.bool_)
    holds[grid.every.system[grid.worth_timing]] = True
    counts = np.where(holds, larger.n_chips, np.inf).reshape(-1, DOUBLINGS).min(axis=1)
    enough = [int(count) if np.isfinite(count) else 0 for count in counts]
    return [enough[number] for number in number_of.tolist()]


def _doubled(systems: Sequence[System], job: TrainingJob, runs_in: RunsIn) -> Fleet:
    """Each system with its chips doubled once, twice and so on, one after the other."""
    factors = 2 ** np.arange(1, DOUBLINGS + 1)
    largest = [replace(system, n_chips=system.n_chips * int(factors[-1]), slice=None) for system in systems]
    breathe()
    fleet = fleet_of(largest, job.precision, runs_in).take(np.repeat(np.arange(len(systems)), DOUBLINGS))
    n_chips = np.multiply.outer([float(system.n_chips) for system in systems], factors).ravel()
    return replace(fleet, n_chips=n_chips, domain_chips=np.minimum(fleet.domain_chips, n_chips))
